//! What the words of an exact cover tell.

use super::{Lit, Told};
use crate::shared::{Budget, Stop};
use std::collections::{BTreeSet, HashMap};

/// The literals that words tell, to be looked up by option.
#[derive(Clone, Debug, Default)]
pub struct WordTable {
    always: BTreeSet<Lit>,
    told: Vec<Told>,
    /// By the first word, places in `told`.
    by_word: HashMap<Box<str>, Vec<usize>>,
}

impl WordTable {
    pub fn of(told: Vec<Told>) -> WordTable {
        let mut table = WordTable::default();
        for (at, told) in told.iter().enumerate() {
            match told.words.first() {
                None => drop(table.always.insert(told.lit)),
                Some(first) => table.by_word.entry((**first).into()).or_default().push(at),
            }
        }
        WordTable { told, ..table }
    }

    /// The literals that chosen options tell, ascending. Both may be a stranger's, so the budget is asked.
    pub fn literals(&self, cover: &[Vec<Box<str>>], budget: &Budget) -> Result<Vec<Lit>, Stop> {
        let mut lits = self.always.clone();
        for option in cover {
            let words: BTreeSet<&str> = option.iter().map(|word| &**word).collect();
            for at in words.iter().filter_map(|word| self.by_word.get(*word)).flatten() {
                let told = &self.told[*at];
                budget.step(told.words.len() as u64)?;
                if told.words[1..].iter().all(|other| words.contains(&**other)) {
                    lits.insert(told.lit);
                }
            }
        }
        Ok(lits.into_iter().collect())
    }
}
