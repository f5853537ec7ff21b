//! A puzzle of the catalogue in the format of another program.
//!
//! In: a loaded puzzle, the name of a format. Out: its text, and which parameters the format has no place for: what is
//! read back tells it.

use super::failure::Failure;
use super::load::{Loaded, ModelSource, Texts, load};
use crate::diag::{Code, Diagnostic};
use crate::encode::symbols::Role;
use crate::eval::Eval;
use crate::import::{self, EXPORTERS};
use crate::shared::Budget;

/// A puzzle in another format.
pub struct Exported {
    pub text: String,
    /// Parameters that are not told as they are.
    pub lost: Vec<String>,
}

/// Writes the puzzle in the format of this name.
pub fn export(loaded: &Loaded, form: &str, budget: &Budget) -> Result<Exported, Failure> {
    let usage = |message: String| Diagnostic::error(Code::Usage, message);
    let Some(model) = loaded.genre else {
        return Err(usage("only puzzles of the catalogue's models have other forms".into())
            .help("`rebus models` lists them")
            .into());
    };
    let Some(exporter) = EXPORTERS.iter().find(|exporter| exporter.name == form) else {
        return Err(usage(format!("there is no form `{form}`")).into());
    };
    let mut eval = Eval::new(&loaded.program, budget);
    let board =
        import::board_of(model, &mut eval).map_err(|faults| Failure::from(faults).within(&loaded.sources))?;
    let text = (exporter.write)(&board)
        .map_err(|why| usage(format!("this puzzle cannot be written as `{form}`: {why}")))?;
    let read = Texts {
        model: ModelSource::Named(text.clone()),
        data: Vec::new(),
        defines: Vec::new(),
        without: Vec::new(),
    };
    let mut lost = Vec::new();
    if let Ok(again) = load(&read)
        && again.genre == Some(model)
        && let Ok(twice) = import::board_of(model, &mut Eval::new(&again.program, budget))
    {
        let item = |name: &str| format!("{name} = ");
        let told = |name: &str| {
            again.texts.iter().any(|text| {
                text.text.lines().any(|line| line.starts_with(&item(name))) && text.role == Role::Data
            })
        };
        for (name, picture) in board.differing(&twice) {
            if picture && told(name) {
                let message = format!(
                    "this puzzle cannot be written as `{form}`: it would be read with another `{name}`"
                );
                return Err(usage(message).into());
            }
            lost.push(name.to_owned());
        }
    }
    Ok(Exported { text, lost })
}
