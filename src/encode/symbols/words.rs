//! Decodes an exact cover: from the words of the chosen options to literals.
//!
//! In: for literals, the words that make them true, and a cover. Out: the true literals. A word is a text of a symbol map, or an
//! entry of an option.

use super::{Lit, WordLiteral};
use crate::shared::{Budget, Stop};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::hash::Hash;

/// An index of literals by word. A literal is true if and only if a chosen option contains all its words; without words it
/// is always true.
#[derive(Clone, Debug)]
pub struct WordTable<W> {
    always: Vec<Lit>,
    entries: Vec<(Vec<W>, Lit)>,
    /// Indices into `entries`, by the first word.
    by_word: FxHashMap<W, Vec<usize>>,
}

/// Words of an option up to which a search through them is quicker than a set.
const FEW: usize = 16;

impl<W: Clone + Eq + Hash + Ord> WordTable<W> {
    pub fn new(words: impl IntoIterator<Item = (Vec<W>, Lit)>) -> WordTable<W> {
        let mut table = WordTable { always: Vec::new(), entries: Vec::new(), by_word: FxHashMap::default() };
        for (words, lit) in words {
            match words.first() {
                None => table.always.push(lit),
                Some(first) => {
                    table.by_word.entry(first.clone()).or_default().push(table.entries.len());
                    table.entries.push((words, lit));
                }
            }
        }
        table
    }

    /// The literals that a cover makes true, ascending. Table and cover may be untrusted input, hence the budget.
    pub fn literals<'o>(
        &self,
        cover: impl IntoIterator<Item = &'o [W]>,
        budget: &Budget,
    ) -> Result<Vec<Lit>, Stop>
    where
        W: 'o,
    {
        let mut lits = self.always.clone();
        for option in cover {
            let set: BTreeSet<&W> =
                if option.len() > FEW { option.iter().collect() } else { BTreeSet::new() };
            let has = |word: &W| if option.len() > FEW { set.contains(word) } else { option.contains(word) };
            for at in option.iter().filter_map(|word| self.by_word.get(word)).flatten() {
                let (words, lit) = &self.entries[*at];
                budget.step(words.len() as u64)?;
                if words[1..].iter().all(has) {
                    lits.push(*lit);
                }
            }
        }
        lits.sort_unstable();
        lits.dedup();
        Ok(lits)
    }
}

impl WordTable<Box<str>> {
    /// Of the entries of a symbol map.
    pub fn of(literals: &[WordLiteral]) -> WordTable<Box<str>> {
        let words = |entry: &WordLiteral| entry.words.iter().map(|word| word.as_str().into()).collect();
        WordTable::new(literals.iter().map(|entry| (words(entry), entry.lit)))
    }
}
