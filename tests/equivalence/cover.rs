//! A model as an exact cover: what its solutions say, read as `decode` does, with the words of the map.

use rebus::encode::Labels;
use rebus::encode::cnf::EncodeError;
use rebus::encode::xcc::{Cover, Dialect, Emission, Less, Options, encode};
use rebus::model::{Model, VarId};
use rebus::shared::Budget;
use rebus::solve::xcc::{self, Engine, Next, PLAIN, Problem};
use std::collections::BTreeSet;

/// Both dialects that take every model, all three orders; tables, constraints taken apart, and chains alone.
pub const CHOICES: [Options; 5] = [
    Options { dialect: Dialect::Dlx2, less: Less::ItemsLog, rows: 1024, tuples: 500, reduce: true },
    Options { dialect: Dialect::Dlx3, less: Less::Items, rows: 0, tuples: 500, reduce: false },
    Options { dialect: Dialect::Dlx2, less: Less::Colours, rows: 0, tuples: 0, reduce: true },
    Options { dialect: Dialect::Dlx3, less: Less::ItemsLog, rows: 1024, tuples: 0, reduce: false },
    Options { dialect: Dialect::Dlx2, less: Less::Items, rows: 8, tuples: 8, reduce: true },
];

pub fn emit(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    options: Options,
) -> Result<Emission, EncodeError> {
    let var = |var: VarId| format!("v[{}]", var.0);
    let labels = Labels { var: &var, rule: &|instance| format!("r{}", instance.rule) };
    encode(model, allows, options, &Budget::unlimited(), &labels)
}

pub fn problem(cover: &Cover) -> Problem {
    let mut problem = Problem::new();
    for item in &cover.items {
        let name = item.name.as_str();
        match item.bounds {
            Some((lo, hi)) => problem.primary(name, lo, hi),
            None => problem.secondary(name),
        }
        .expect("an item");
    }
    for option in cover.options() {
        let mut entries = Vec::with_capacity(option.len());
        for entry in option {
            let colour = if entry.colour == 0 { PLAIN } else { problem.colour([entry.colour]) };
            entries.push((entry.item, colour));
        }
        problem.option(&entries).expect("an option");
    }
    problem
}

/// Why a cover's solutions are not known.
#[derive(Debug)]
pub enum Unknown {
    /// The budget ended before the list did.
    Stopped,
    /// A solution gives a variable no value, or two.
    Unreadable(String),
}

/// The positions of all variables, and the literals of the answer that hold, for every solution of the cover.
pub fn solutions(emission: &Emission, budget: &Budget) -> Result<Vec<(Vec<u32>, Vec<i32>)>, Unknown> {
    let problem = problem(&emission.cover);
    let mut engine = Engine::new(&problem, &xcc::Options::default());
    let mut found = Vec::new();
    loop {
        match engine.next(budget) {
            Next::Exhausted => return Ok(found),
            Next::Stopped(_) => return Err(Unknown::Stopped),
            Next::Solution(chosen) => {
                let options: Vec<_> =
                    chosen.iter().map(|chosen| emission.cover.option(chosen.option as usize)).collect();
                let told = |word: &&rebus::encode::xcc::Word| {
                    word.entries.is_empty()
                        || options
                            .iter()
                            .any(|option| word.entries.iter().all(|entry| option.contains(entry)))
                };
                let on: BTreeSet<i32> = emission.words.iter().filter(told).map(|word| word.lit).collect();
                let decoded = rebus::decode::positions(&emission.encodings, |lit| on.contains(&lit));
                let values = decoded
                    .map_err(|at| Unknown::Unreadable(format!("variable {at} has no value, or two: {on:?}")))?
                    .0;
                found.push((values, on.into_iter().filter(|lit| emission.answer.contains(lit)).collect()));
            }
        }
    }
}
