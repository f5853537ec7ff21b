//! Does an exact cover problem fit the search depth of a program? The needed depth is known only from a solution.
//!
//! In: a problem to be written. Out: a fault, if a solution is found that the program cannot reach. The size of the
//! problem is checked where it is encoded.

use super::Failure;
use super::formula_file::FormulaFile;
use crate::diag::{Code, Diagnostic, Sources};
use crate::encode::xcc::Dialect;
use crate::eval::Eval;
use crate::solve::xcc::{Engine, Item, Kind, Next, Options, read};

/// Work to find a solution whose options are counted.
const LOOKING: u64 = 1 << 24;

/// Rejects a problem if a solution is found that the program of this dialect cannot reach. The program needs one
/// level for each option, and one for each item that could have more options and gets none.
pub fn check(file: &mut FormulaFile, eval: &mut Eval<'_>, dialect: Dialect) -> Result<(), Failure> {
    let Some(most) = dialect.levels() else { return Ok(()) };
    let mut text = Vec::new();
    file.write(eval, &mut text, "the cover", "", false, &[])?;
    let budget = eval.budget;
    let Ok((problem, _)) = read(text.as_slice(), "the cover", &mut Sources::default(), budget) else {
        return Ok(budget.check()?);
    };
    drop(text);
    let open = |item: &Item| matches!(problem.kind(*item), Kind::Primary { lo, hi } if lo < hi);
    let open: Vec<Item> = (0..problem.items() as Item).filter(open).collect();
    if problem.options() + open.len() <= most {
        return Ok(());
    }
    let mut engine = Engine::new(&problem, &Options { seed: 0, sharp: false });
    let slice = budget.slice(LOOKING);
    let levels = match engine.next(&slice) {
        Next::Solution(chosen) => {
            let mut times = vec![0u32; problem.items()];
            for option in chosen {
                for entry in problem.entries_of(option.option as usize) {
                    times[entry.item as usize] += 1;
                }
            }
            let full = |item: Item| matches!(problem.kind(item), Kind::Primary { hi, .. } if times[item as usize] == hi);
            chosen.len() + open.iter().filter(|item| !full(**item)).count()
        }
        _ => 0,
    };
    budget.check()?;
    if levels <= most {
        return Ok(());
    }
    let message = format!("{} holds {most} levels of search, and a solution needs {levels}", dialect.name());
    let help = "without a limit are `--dialect miniexact` and `rebus solve --to xcc`";
    Err(Diagnostic::error(Code::LimitExceeded, message).help(help).into())
}
