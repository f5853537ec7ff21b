//! The files of a certificate: a formula with its cuts and what excludes answers, the graphs, the list of cuts.
//!
//! In: a formula, what was learned, what was found. Out: files that `rebus-check-cuts` and checkers of proofs read.

use super::Failure;
use super::cuts::Cuts;
use super::formula_file::{FormulaFile, put};
use super::load::Loaded;
use crate::certify;
use crate::diag::{Code, Diagnostic};
use crate::encode::{Lit, Target};
use crate::eval::Eval;
use crate::files::WriteFault;
use crate::shared::Budget;
use std::io::{self, Write};
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

/// Writes the formula, behind its own clauses the cuts and what excludes answers. Its digest.
pub fn formula(
    file: &mut FormulaFile,
    eval: &mut Eval<'_>,
    path: &Path,
    cuts: &Cuts,
    excluded: &[Vec<Lit>],
) -> Result<u128, Failure> {
    let mut further: Vec<Vec<Lit>> = cuts.iter().map(|(_, cut)| cut.lits.clone()).collect();
    further.extend_from_slice(excluded);
    let mut carried = String::new();
    if file.formula.target() == Target::Cnf && !further.is_empty() {
        let mut last = 0;
        for (what, count) in [
            ("c clauses of the model: ", file.formula.rows()),
            (certify::text::CLAUSES, cuts.len() as u64),
            ("c excluded answers: ", excluded.len() as u64),
        ] {
            if count > 0 {
                carried.push_str(&format!("{what}{}..{}\n", last + 1, last + count));
            }
            last += count;
        }
    }
    let mut digest = 0;
    put(path, |out, name| {
        digest = file.write(eval, out, name, &carried, false, &further)?;
        Ok(())
    })?;
    Ok(digest)
}

/// Writes the graphs of a formula and the list of its cuts beside it, if it leaves constraints out.
pub fn graphs(
    file: &FormulaFile,
    eval: &Eval<'_>,
    digest: u128,
    loaded: &Loaded,
    formula: &Path,
    cuts: &Cuts,
) -> Result<Option<Graphs>, Failure> {
    if !cuts.has_graphs() {
        return Ok(None);
    }
    let (map, list) = (formula.with_extension("cnf.map"), formula.with_extension("cuts"));
    file.put_map(eval, digest, loaded, &map)?;
    put(&list, |out, name| write_cuts(cuts, out).map_err(|error| WriteFault::of(name, &error).into()))?;
    Ok(Some(Graphs { map, cuts: list, count: cuts.len() as u64 }))
}

/// Writes cuts as `certify::text` reads them.
fn write_cuts(cuts: &Cuts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", certify::text::HEAD)?;
    cuts.iter().try_for_each(|(graph, cut)| {
        let (rule, lits) = (cut.rule.to_owned(), cut.lits.clone());
        writeln!(out, "{}", certify::Cut { graph: *graph, rule, lits })
    })
}

/// Are all cuts of a list seen to follow from the graphs of a map? The first that is not, in words.
pub fn checked(map: &Path, list: &Path, budget: &Budget) -> Result<Result<(), String>, Failure> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| {
            Diagnostic::error(Code::UnreadableFile, format!("`{}` cannot be read: {error}", path.display()))
        })
    };
    let (graphs, cuts) = (certify::text::graphs(&read(map)?), certify::text::cuts(&read(list)?));
    let (graphs, cuts) = match (graphs, cuts) {
        (Ok(graphs), Ok(cuts)) => (graphs, cuts),
        (Err(fault), _) | (_, Err(fault)) => return Ok(Err(fault)),
    };
    let mut checker = certify::Checkers::new(&graphs);
    for (at, cut) in cuts.iter().enumerate() {
        budget.check()?;
        if let Err(fault) = checker.check(cut) {
            return Ok(Err(format!("cut {} of graph {}, `{cut}`, {fault}", at + 1, cut.graph + 1)));
        }
    }
    Ok(Ok(()))
}
