//! Proofs that there is no solution, or no other: written, and checked by a program made for that.

use super::listener::{Listener, Progress};
use super::{Failure, certificate, solvers};
use crate::diag::{Code, Diagnostic};
use crate::files::{Output, WriteFault, apart, commit_in_order};
use crate::render::Data;
use crate::shared::Budget;
use crate::solve::check_proof::check;
use crate::solve::checker::{Checked, Checker, ProofForm};
use crate::solve::find::Places;
use std::io;
use std::path::{Path, PathBuf};

/// What a certificate consists of.
pub struct Files {
    pub formula: PathBuf,
    pub proof: PathBuf,
    /// If the formula leaves constraints of graphs out.
    pub graphs: Option<Graphs>,
}

/// The map with the graphs of a formula, and the list of their cuts.
pub struct Graphs {
    pub map: PathBuf,
    pub cuts: PathBuf,
    /// How many cuts these are.
    pub count: u64,
}

/// A proof, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    form: ProofForm,
    bytes: u64,
    /// The number of cuts of graphs, which are checked by themselves; `None` without graphs.
    cuts: Option<u64>,
    /// The checker's name, and what it said.
    pub checked: Option<(String, Checked)>,
}

impl Proof {
    /// For other programs: `{"form": "drat", "bytes": N, "checker": "rate", "verdict": "verified"}`, the last two where it was
    /// checked.
    pub fn data(&self) -> Data {
        let text = |text: &str| Data::Text(text.to_owned());
        let bytes = i64::try_from(self.bytes).unwrap_or(i64::MAX);
        let mut told = vec![("form".into(), text(self.form.name())), ("bytes".into(), Data::Int(bytes))];
        if let Some(cuts) = self.cuts {
            told.push(("cuts".into(), Data::Int(i64::try_from(cuts).unwrap_or(i64::MAX))));
        }
        if let Some((checker, checked)) = &self.checked {
            let verdict = match checked {
                Checked::Verified => "verified",
                Checked::Rejected(_) => "rejected",
                Checked::Stopped(_) => "unknown",
            };
            told.extend([("checker".into(), text(checker)), ("verdict".into(), text(verdict))]);
        }
        Data::Object(told)
    }
}

/// Where a solver puts its proof, and who checks it.
pub struct Plan<'a> {
    /// Where it is wanted.
    file: Option<&'a Path>,
    form: ProofForm,
    checker: Option<Checker>,
}

impl<'a> Plan<'a> {
    /// The plan, if a proof is wanted in a `file`, or to be checked; that a checker is missing is told before anything is
    /// solved. `table`: of further solvers and checkers; `read`: the files of the puzzle.
    pub fn new(
        file: Option<&'a Path>,
        check: bool,
        table: Option<&PathBuf>,
        read: &[PathBuf],
    ) -> Result<Option<Plan<'a>>, Failure> {
        if let Some(path) = file {
            let others = [".cnf", ".cnf.map", ".cuts"].map(|suffix| beside(path, suffix));
            apart(others.iter().map(PathBuf::as_path).chain([path]), read)?;
        }
        if file.is_none() && !check {
            return Ok(None);
        }
        let usage = |message: &str| Diagnostic::error(Code::Usage, message);
        let form = match file {
            Some(path) if path == Path::new("-") => {
                return Err(usage("a proof goes to a file, and its formula beside it").into());
            }
            Some(path) if path.extension().is_some_and(|suffix| suffix == "gz") => {
                ProofForm::of(&path.with_extension(""))
            }
            Some(path) => ProofForm::of(path),
            None => ProofForm::Drat,
        };
        let checker = if check { Some(checker(form, table)?) } else { None };
        Ok(Some(Plan { file, form, checker }))
    }
}

fn checker(form: ProofForm, table: Option<&PathBuf>) -> Result<Checker, Failure> {
    let table = solvers::table(table)?;
    let places = Places::from_env();
    let fit: Vec<&Checker> = table.checkers().filter(|checker| checker.proof == form).collect();
    let here = |checker: &&&Checker| places.program(&checker.variable(), &checker.command).is_some();
    if let Some(checker) = fit.iter().find(here) {
        return Ok((*checker).clone());
    }
    let kind = form.name().to_uppercase();
    let names: Vec<&str> = fit.iter().map(|checker| checker.name.as_str()).collect();
    Err(Diagnostic::error(Code::SolverMissing, format!("no checker of {kind} proofs is here"))
        .note(format!("these would do: {}", names.join(", ")))
        .help("`cargo install rate` installs one for DRAT proofs")
        .into())
}

impl Plan<'_> {
    /// The proof's own name in a folder for the run.
    pub fn file(&self, folder: &Path) -> PathBuf {
        folder.join("proof").with_extension(self.form.name())
    }

    /// Puts the files where they are wanted and has them checked.
    pub fn settle(&self, files: &Files, budget: &Budget, listener: &dyn Listener) -> Result<Proof, Failure> {
        let Ok(bytes) = std::fs::metadata(&files.proof).map(|data| data.len()) else {
            let message = "the solver found that there is none, but wrote no proof";
            return Err(Diagnostic::error(Code::SolverFailed, message).into());
        };
        if let Some(path) = self.file {
            let mut copies = vec![copy(&files.formula, &beside(path, ".cnf"))?];
            if let Some(Graphs { map, cuts, .. }) = &files.graphs {
                copies.push(copy(map, &beside(path, ".cnf.map"))?);
                copies.push(copy(cuts, &beside(path, ".cuts"))?);
            }
            copies.push(copy(&files.proof, path)?);
            commit_in_order(copies)?;
        }
        let checked = match &self.checker {
            Some(checker) => Some((checker.name.clone(), verdict(checker, files, budget, listener)?)),
            None => None,
        };
        Ok(Proof { form: self.form, bytes, cuts: files.graphs.as_ref().map(|graphs| graphs.count), checked })
    }
}

/// The cuts are checked by our own checker, the rest by a stranger's.
fn verdict(
    checker: &Checker,
    files: &Files,
    budget: &Budget,
    listener: &dyn Listener,
) -> Result<Checked, Failure> {
    let _progress = Progress::start(listener, "checking the proof");
    if let Some(Graphs { map, cuts, .. }) = &files.graphs
        && let Err(fault) = certificate::checked(map, cuts, budget)?
    {
        return Ok(Checked::Rejected(fault));
    }
    Ok(check(checker, &Places::from_env(), &files.formula, &files.proof, budget)?)
}

/// `FILE.cnf`, or of a packed proof `FILE.cnf.gz`; likewise with other suffixes.
fn beside(proof: &Path, suffix: &str) -> PathBuf {
    let packed = proof.extension().is_some_and(|suffix| suffix == "gz");
    let mut name = if packed { proof.with_extension("") } else { proof.to_path_buf() }.into_os_string();
    name.push(suffix);
    name.push(if packed { ".gz" } else { "" });
    name.into()
}

fn copy(from: &Path, to: &Path) -> Result<Output, Failure> {
    let mut output = Output::create(to)?;
    let name = output.name().to_string();
    let copied = std::fs::File::open(from).and_then(|mut input| io::copy(&mut input, &mut output));
    copied.map_err(|error| WriteFault::of(&name, &error))?;
    Ok(output)
}
