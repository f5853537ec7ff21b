//! What the words of an exact cover tell.

use super::{Lit, Told};
use std::collections::HashMap;

/// The literals that words tell, to be looked up by option.
#[derive(Clone, Debug, Default)]
pub struct WordTable {
    always: Vec<Lit>,
    /// By the first word: the others, and the literal.
    by_word: HashMap<String, Vec<(Vec<String>, Lit)>>,
}

impl WordTable {
    pub fn of(told: &[Told]) -> WordTable {
        let mut table = WordTable::default();
        for Told { lit, words } in told {
            match words.split_first() {
                None => table.always.push(*lit),
                Some((first, others)) => {
                    table.by_word.entry(first.clone()).or_default().push((others.to_vec(), *lit));
                }
            }
        }
        table
    }

    /// The literals that chosen options tell, ascending.
    pub fn literals(&self, cover: &[Vec<Box<str>>]) -> Vec<Lit> {
        let mut lits = self.always.clone();
        for option in cover {
            for (others, lit) in option.iter().filter_map(|word| self.by_word.get(&**word)).flatten() {
                if others.iter().all(|other| option.iter().any(|word| **word == **other)) {
                    lits.push(*lit);
                }
            }
        }
        lits.sort_unstable();
        lits.dedup();
        lits
    }
}
