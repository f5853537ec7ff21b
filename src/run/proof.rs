//! Proofs that there is no solution, or no other: written, and checked by the built-in checker or an external one.

use super::certificate_files::{Files, Graphs};
use super::listener::{Listener, Progress};
use super::{Failure, certificate_files, solvers};
use crate::certify::lrat;
use crate::diag::{Code, Diagnostic};
use crate::files::{Output, WriteFault, apart, commit_in_order};
use crate::render::Data;
use crate::shared::Budget;
use crate::solve::check_proof::check;
use crate::solve::checker::{Checked, Checker, ProofForm};
use crate::solve::find::Places;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// The built-in checker, which is also a separate program.
pub const OWN: &str = "rebus-check-proof";

/// A proof, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    form: ProofForm,
    bytes: u64,
    /// The number of cuts of graphs, which are checked separately; `None` without graphs.
    cuts: Option<u64>,
    /// The checker's name, and its result.
    pub checked: Option<(String, Checked)>,
}

impl Proof {
    /// As data: `{"form": "drat", "bytes": N, "checker": "rate", "verdict": "verified"}`, the last two if it was
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

/// The requested proof.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The file to write it to.
    pub file: Option<&'a Path>,
    /// Must it be checked, and by which checker, if one is named?
    pub check: Option<Option<&'a str>>,
    /// Does an embedded engine write it?
    pub embedded: bool,
}

/// How a solver writes its proof, and who checks it.
pub struct Plan<'a> {
    /// The requested file.
    file: Option<&'a Path>,
    form: ProofForm,
    judge: Option<Judge>,
}

/// A proof checker.
enum Judge {
    /// [`OWN`], for LRAT proofs.
    Own,
    Program(Checker),
}

impl<'a> Plan<'a> {
    /// The plan, if a proof is requested; fails early if a checker is missing. `table`: the file of further solvers
    /// and checkers; `read`: the files of the puzzle.
    pub fn new(
        wanted: Wanted<'a>,
        table: Option<&PathBuf>,
        read: &[PathBuf],
    ) -> Result<Option<Plan<'a>>, Failure> {
        let Wanted { file, check, embedded } = wanted;
        if let Some(path) = file {
            let others = [".cnf", ".cnf.map", ".cuts"].map(|suffix| beside(path, suffix));
            apart(others.iter().map(PathBuf::as_path).chain([path]), read)?;
        }
        if file.is_none() && check.is_none() {
            return Ok(None);
        }
        let of_file = match file {
            Some(path) if path == Path::new("-") => {
                let message = "a proof goes to a file, and its formula beside it";
                return Err(Diagnostic::error(Code::Usage, message).into());
            }
            Some(path) if path.extension().is_some_and(|suffix| suffix == "gz") => {
                Some(ProofForm::of(&path.with_extension("")))
            }
            Some(path) => Some(ProofForm::of(path)),
            None => None,
        };
        let (form, judge) = match check {
            Some(Some(name)) => {
                let (form, judge) = named(name, table)?;
                if of_file.is_some_and(|of_file| of_file != form) {
                    let form = form.name();
                    let message = format!("`{name}` checks {} proofs", form.to_uppercase());
                    let help = format!("`--proof FILE.{form}`");
                    return Err(Diagnostic::error(Code::Usage, message).help(help).into());
                }
                (form, Some(judge))
            }
            wanted => {
                // external solvers are more likely to support DRAT
                let usual = if embedded { ProofForm::Lrat } else { ProofForm::Drat };
                let form = of_file.unwrap_or(usual);
                let judge = match (wanted, form) {
                    (None, _) => None,
                    (_, ProofForm::Lrat) => Some(Judge::Own),
                    (_, ProofForm::Drat) => Some(Judge::Program(any(form, table)?)),
                };
                (form, judge)
            }
        };
        Ok(Some(Plan { file, form, judge }))
    }
}

/// The checker with this name, and its proof format.
fn named(name: &str, table: Option<&PathBuf>) -> Result<(ProofForm, Judge), Failure> {
    if name == OWN {
        return Ok((ProofForm::Lrat, Judge::Own));
    }
    let table = solvers::table(table)?;
    let Some(checker) = table.checkers().find(|checker| checker.name == name) else {
        let names: Vec<&str> = table.checkers().map(|checker| checker.name.as_str()).chain([OWN]).collect();
        return Err(Diagnostic::error(Code::Usage, format!("there is no checker of proofs `{name}`"))
            .note(format!("there are {}", names.join(", ")))
            .into());
    };
    if Places::from_env().program(&checker.variable(), &checker.command).is_none() {
        let message = format!("the checker `{name}` is not here");
        return Err(Diagnostic::error(Code::SolverMissing, message).into());
    }
    Ok((checker.proof, Judge::Program(checker.clone())))
}

/// The first installed checker.
fn any(form: ProofForm, table: Option<&PathBuf>) -> Result<Checker, Failure> {
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
    /// The path of the proof in a folder of the run.
    pub fn file(&self, folder: &Path) -> PathBuf {
        folder.join("proof").with_extension(self.form.name())
    }

    /// Moves the files to their places and has them checked.
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
        let checked = match &self.judge {
            Some(judge) => Some((judge.name().to_owned(), judge.check(files, budget, listener)?)),
            None => None,
        };
        Ok(Proof { form: self.form, bytes, cuts: files.graphs.as_ref().map(|graphs| graphs.count), checked })
    }
}

impl Judge {
    fn name(&self) -> &str {
        match self {
            Judge::Own => OWN,
            Judge::Program(checker) => &checker.name,
        }
    }

    /// Checks the cuts with the built-in checker, and the proof with the planned one.
    fn check(&self, files: &Files, budget: &Budget, listener: &dyn Listener) -> Result<Checked, Failure> {
        let _progress = Progress::start(listener, "checking the proof");
        if let Some(Graphs { map, cuts, .. }) = &files.graphs
            && let Err(fault) = certificate_files::checked(map, cuts, budget)?
        {
            return Ok(Checked::Rejected(fault));
        }
        match self {
            Judge::Own => own(&files.formula, &files.proof, budget),
            Judge::Program(checker) => {
                Ok(check(checker, &Places::from_env(), &files.formula, &files.proof, budget)?)
            }
        }
    }
}

fn own(formula: &Path, proof: &Path, budget: &Budget) -> Result<Checked, Failure> {
    let open = |path: &Path| {
        File::open(path).map(BufReader::new).map_err(|error| {
            Diagnostic::error(Code::UnreadableFile, format!("`{}` cannot be read: {error}", path.display()))
        })
    };
    let mut stopped = None;
    let mut goes_on = || {
        stopped = budget.check().err();
        stopped.is_none()
    };
    let checked = lrat::check(open(formula)?, open(proof)?, &mut goes_on);
    Ok(match (checked, stopped) {
        (Ok(()), _) => Checked::Verified,
        (Err(_), Some(stop)) => Checked::Stopped(stop),
        (Err(fault), None) => Checked::Rejected(fault.to_string()),
    })
}

/// `FILE.cnf`, or for a compressed proof `FILE.cnf.gz`; likewise with other suffixes.
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
    let copied = File::open(from).and_then(|mut input| io::copy(&mut input, &mut output));
    copied.map_err(|error| WriteFault::of(&name, &error))?;
    Ok(output)
}
