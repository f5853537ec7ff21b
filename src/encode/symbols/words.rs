//! Decodes an exact cover: from the words of the chosen options to literals.
//!
//! In: the [`Told`] entries of a map, and a cover. Out: the true literals.

use super::{Lit, Told};
use crate::shared::{Budget, Stop};
use std::collections::{BTreeSet, HashMap};

/// An index of [`Told`] entries by word.
#[derive(Clone, Debug, Default)]
pub struct WordTable {
    always: BTreeSet<Lit>,
    told: Vec<Told>,
    /// Indices into `told`, by the first word of the entry.
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

    /// The literals that a cover makes true, ascending. Table and cover may be untrusted input, hence the budget.
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
