//! Checks the cuts of a certificate: `rebus-check-cuts MAP CUTS [FORMULA]`.
//!
//! MAP is a symbol map, of which only the graphs are read. CUTS is a list of clauses that should follow from the
//! graphs. FORMULA is the formula of a proof; its comment line `c cuts:` states which of its clauses are the cuts.
//! Prints `s VERIFIED` and exits with 0 if all cuts follow and are exactly these clauses of the formula. Otherwise
//! prints the reason and exits with 1, or with 2 if it cannot decide.

use rebus::certify::{Checkers, Cut, text};
use std::fmt::Display;
use std::fs;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (map, cuts, formula) = match &args[..] {
        [map, cuts] => (map, cuts, None),
        [map, cuts, formula] => (map, cuts, Some(formula)),
        _ => {
            eprintln!("usage: rebus-check-cuts MAP CUTS [FORMULA]");
            return ExitCode::from(2);
        }
    };
    match check(map, cuts, formula) {
        Ok(count) => {
            println!("c {count} cuts follow from the graphs\ns VERIFIED");
            ExitCode::SUCCESS
        }
        Err(Wrong::Refused(why)) => {
            println!("c {why}\ns NOT VERIFIED");
            ExitCode::from(1)
        }
        Err(Wrong::Unreadable(why)) => {
            eprintln!("rebus-check-cuts: {why}");
            ExitCode::from(2)
        }
    }
}

enum Wrong {
    Refused(String),
    Unreadable(String),
}

fn read(path: &str) -> Result<String, Wrong> {
    fs::read_to_string(path).map_err(|error| unreadable(path, error))
}

fn unreadable(path: &str, why: impl Display) -> Wrong {
    Wrong::Unreadable(format!("`{path}`: {why}"))
}

fn check(map: &str, list: &str, formula: Option<&String>) -> Result<usize, Wrong> {
    let graphs = text::graphs(&read(map)?).map_err(|why| unreadable(map, why))?;
    let cuts = text::cuts(&read(list)?).map_err(|why| unreadable(list, why))?;
    let mut checkers = Checkers::new(&graphs);
    for (at, cut) in cuts.iter().enumerate() {
        let refused = |fault| Wrong::Refused(format!("cut {}, `{cut}`, {fault}", at + 1));
        checkers.check(cut).map_err(refused)?;
    }
    match formula {
        Some(formula) => are_clauses(&cuts, &read(formula)?).map_err(Wrong::Refused)?,
        None => println!("c without the formula it is not seen that these are its clauses"),
    }
    Ok(cuts.len())
}

/// Are these cuts exactly the clauses that the formula marks as cuts?
fn are_clauses(cuts: &[Cut], formula: &str) -> Result<(), String> {
    let said = formula.lines().find_map(|line| line.strip_prefix(text::CLAUSES));
    let range = said.and_then(|said| said.split_once(".."));
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let (first, last) = match range.map(|(first, last)| (number(first), number(last))) {
        Some((Some(first), Some(last))) if first >= 1 && last >= first => (first, last),
        None if cuts.is_empty() => return Ok(()),
        _ => return Err("the formula does not say which clauses are cuts".to_owned()),
    };
    if last - first + 1 != cuts.len() {
        return Err(format!("the formula has {} cuts, the list {}", last - first + 1, cuts.len()));
    }
    let lines = formula.lines().filter(|line| !line.starts_with(['c', 'p']));
    let mut clauses = lines.skip(first - 1);
    for (at, cut) in cuts.iter().enumerate() {
        let clause = clauses.next().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
        let own: Vec<String> = cut.lits.iter().map(ToString::to_string).chain(["0".to_owned()]).collect();
        if clause.as_deref().is_none_or(|clause| clause != own) {
            return Err(format!("cut {} is not clause {} of the formula", at + 1, first + at));
        }
    }
    Ok(())
}
