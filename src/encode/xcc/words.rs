//! The end of an encoding: adds the options of owned choices, and finds the words that encode the values of variables.
//!
//! In: the [`Encoder`] after all rules. Out: the [`Emission`], with the reduced cover.

use super::Emission;
use super::choice::{Choice, Encoder};
use super::cover::{Cover, Entry, ItemId, Names};
use super::reduce::{Became, Reduced, reduce};
use crate::encode::Lit;
use crate::encode::cnf::EncodeError;
use crate::encode::symbols::Encoding;
use rustc_hash::FxHashMap;

/// The literal is true if and only if a chosen option contains all these entries; without entries it is always true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub lit: Lit,
    pub entries: Vec<Entry>,
}

/// The evidence for a letter in a solution.
#[derive(Clone)]
enum Witness {
    Always,
    /// A chosen option with these colours.
    Entries(Vec<Entry>),
    /// This option is chosen.
    Option(usize),
}

impl Witness {
    /// The same in the reduced cover; `None` if the letter is impossible.
    fn after(self, reduced: &Reduced) -> Option<Witness> {
        match self {
            Witness::Always => Some(Witness::Always),
            Witness::Entries(entries) => match reduced.entries(&entries)? {
                left if left.is_empty() => Some(Witness::Always),
                left => Some(Witness::Entries(left)),
            },
            Witness::Option(option) => match reduced.option(option) {
                Became::Certain => Some(Witness::Always),
                Became::Impossible => None,
                Became::Option(option) => Some(Witness::Option(option)),
            },
        }
    }
}

impl Encoder<'_> {
    pub fn finish(mut self, encodings: Vec<Encoding>, named: u32) -> Result<Emission, EncodeError> {
        let (last, answer) = (self.last.max(named), std::mem::take(&mut self.answer));
        let mut emission = Emission { encodings, named, last, answer, ..Emission::default() };
        if self.contradiction {
            // an item that no option has
            let never = self.names.take("never");
            emission.cover.add_item(never, Some((1, 1)));
            return Ok(emission);
        }
        let mut witnesses: Vec<(Lit, Witness)> = Vec::new();
        for at in 0..self.choices.len() {
            let letters = self.own(at)?;
            for own in self.answer_lits.iter().filter(|own| own.choice == at) {
                let shown = own.lits.iter().zip(&letters);
                witnesses.extend(shown.filter_map(|(lit, letter)| Some((*lit, letter.clone()?))));
            }
            let choice = &self.choices[at];
            let Some(encoding) = choice.var.map(|var| emission.encodings[var.0 as usize]) else { continue };
            for (position, letter) in choice.live.iter().zip(letters) {
                let lit = match encoding {
                    Encoding::Bool(_) if *position == 0 => continue,
                    Encoding::Bool(lit) => lit,
                    other => other.literals().0 + *position as Lit,
                };
                witnesses.extend(letter.map(|letter| (lit, letter)));
            }
        }
        if self.options.reduce {
            let Some(reduced) = reduce(&self.cover, self.budget)? else {
                self.contradiction = true;
                self.cover = Cover::default();
                self.names = Names::default();
                self.answer = emission.answer;
                return self.finish(emission.encodings, named);
            };
            witnesses = witnesses
                .into_iter()
                .filter_map(|(lit, witness)| Some((lit, witness.after(&reduced)?)))
                .collect();
            self.starts.iter_mut().for_each(|start| start.0 = reduced.place(start.0));
            self.cover = reduced.cover;
        }
        if self.cover.items.iter().all(|item| item.bounds.is_none()) {
            // a cover needs a primary item
            let item = self.item("always", "", Some((1, 1)));
            self.cover.add_option(&[Entry::plain(item)]);
        }
        emission.words = self.words(witnesses)?;
        emission.starts = self.starts;
        emission.cover = self.cover;
        Ok(emission)
    }

    /// Adds the options of a choice if it needs any. Returns the witness of each letter; `None` if no option shows it.
    fn own(&mut self, at: usize) -> Result<Vec<Option<Witness>>, EncodeError> {
        let Choice { var, live, boolean, colours, attached, covered, base, .. } = &self.choices[at];
        let letters = live.len();
        let (base, coloured) = (base.clone(), !colours.is_empty());
        let carries = attached.iter().any(|entries| !entries.is_empty());
        let mut entries = Vec::new();
        if letters == 1 || (!carries && (var.is_none() || (coloured && *covered))) {
            if carries {
                entries.push(Entry::plain(self.item(&base, "", Some((1, 1)))));
                entries.extend_from_slice(&self.choices[at].attached[0]);
                self.cover.add_option(&entries);
            }
            return (0..letters).map(|letter| self.colour_witness(at, letter).map(Some)).collect();
        }
        let has_primary = |entries: &[Entry]| entries.iter().any(|entry| self.cover.is_primary(entry.item));
        if *boolean && carries && !coloured && attached[0].is_empty() && has_primary(&attached[1]) {
            let option = self.cover.add_option(&self.choices[at].attached[1].clone());
            return Ok(vec![None, Some(Witness::Option(option))]);
        }
        let primary = self.item(&base, if coloured { "?" } else { "" }, Some((1, 1)));
        let mut witnesses = Vec::with_capacity(letters);
        for letter in 0..letters {
            self.step(1)?;
            entries.clear();
            entries.push(Entry::plain(primary));
            if coloured {
                self.push_letter(at, letter, &mut entries)?;
            }
            entries.extend(self.choices[at].attached.get(letter).into_iter().flatten());
            let option = self.cover.add_option(&entries);
            witnesses.push(Some(if coloured {
                self.colour_witness(at, letter)?
            } else {
                Witness::Option(option)
            }));
        }
        Ok(witnesses)
    }

    /// The witness by colours; `Always` if there is only one letter.
    fn colour_witness(&mut self, choice: usize, letter: usize) -> Result<Witness, EncodeError> {
        if self.letters(choice) == 1 {
            return Ok(Witness::Always);
        }
        let mut entries = Vec::new();
        self.push_letter(choice, letter, &mut entries)?;
        Ok(Witness::Entries(entries))
    }

    /// The words of all literals. An option whose entries another option contains gets an extra item as a mark.
    fn words(&mut self, witnesses: Vec<(Lit, Witness)>) -> Result<Vec<Word>, EncodeError> {
        let uses = Uses::of(&self.cover);
        let mut words = Vec::with_capacity(witnesses.len());
        // the distinguishing entries of each option, and the marks to add
        let mut known: FxHashMap<usize, Vec<Entry>> = FxHashMap::default();
        let mut marks: Vec<(usize, ItemId)> = Vec::new();
        for (lit, witness) in witnesses {
            let entries = match witness {
                Witness::Always => Vec::new(),
                Witness::Entries(entries) => entries,
                Witness::Option(option) => match known.get(&option) {
                    Some(entries) => entries.clone(),
                    None => {
                        let entries = match self.distinguishing(&uses, option)? {
                            Some(entries) => entries,
                            None => {
                                let item = self.item("", &format!("+{lit}"), None);
                                marks.push((option, item));
                                vec![Entry::plain(item)]
                            }
                        };
                        known.entry(option).or_insert(entries).clone()
                    }
                },
            };
            words.push(Word { lit, entries });
        }
        marks.sort_unstable();
        self.cover.mark(&marks);
        Ok(words)
    }

    /// Entries that together occur only in this option, chosen greedily to be few.
    fn distinguishing(&mut self, uses: &Uses, option: usize) -> Result<Option<Vec<Entry>>, EncodeError> {
        let entries = self.cover.option(option).to_vec();
        let Some(first) = entries.iter().min_by_key(|entry| uses.of_item(entry.item).len()) else {
            return Ok(None);
        };
        let mut others: Vec<usize> =
            uses.of_item(first.item).iter().map(|at| *at as usize).filter(|at| *at != option).collect();
        let mut distinguishing = vec![*first];
        others.retain(|other| self.cover.option(*other).contains(first));
        while !others.is_empty() {
            self.step(others.len() * entries.len())?;
            let shared = |entry: &Entry| {
                others.iter().filter(|other| self.cover.option(**other).contains(entry)).count()
            };
            let Some(best) = entries.iter().min_by_key(|entry| shared(entry)).copied() else {
                return Ok(None);
            };
            let before = others.len();
            others.retain(|other| self.cover.option(*other).contains(&best));
            if others.len() == before {
                return Ok(None);
            }
            distinguishing.push(best);
        }
        distinguishing.sort_unstable();
        Ok(Some(distinguishing))
    }
}

/// An index from items to their options.
pub(super) struct Uses {
    ends: Vec<u32>,
    options: Vec<u32>,
}

impl Uses {
    pub fn of(cover: &Cover) -> Uses {
        let mut ends = vec![0u32; cover.items.len() + 1];
        for entry in cover.options().flatten() {
            ends[entry.item as usize + 1] += 1;
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut next = ends.clone();
        let mut options = vec![0; cover.entry_count()];
        for (at, option) in cover.options().enumerate() {
            for entry in option {
                let place = &mut next[entry.item as usize];
                options[*place as usize] = at as u32;
                *place += 1;
            }
        }
        Uses { ends, options }
    }

    pub fn of_item(&self, item: ItemId) -> &[u32] {
        &self.options[self.range(item)]
    }

    /// The places of an item's options; see [`Uses::at`].
    pub fn range(&self, item: ItemId) -> std::ops::Range<usize> {
        let at = item as usize;
        // newer items are in no option yet
        self.ends.get(at + 1).map_or(0..0, |end| self.ends[at] as usize..*end as usize)
    }

    pub fn at(&self, place: usize) -> usize {
        self.options[place] as usize
    }
}
