//! The end of an encoding: options of owned choices, and the words that tell the values of variables.

use super::Emission;
use super::choice::{Choice, Encoder};
use super::cover::{Cover, Entry, ItemId, Names};
use super::reduce::{Became, Reduced, reduce};
use crate::encode::Lit;
use crate::encode::cnf::EncodeError;
use crate::encode::symbols::Encoding;
use rustc_hash::FxHashMap;

/// A literal is true just where some chosen option has all these entries; with none it is always true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub lit: Lit,
    pub entries: Vec<Entry>,
}

/// How a letter shows.
#[derive(Clone)]
enum Source {
    Always,
    /// By colours.
    Entries(Vec<Entry>),
    /// By this option, chosen for nothing else.
    Option(usize),
}

impl Source {
    /// What shows in the reduced cover; `None` for never.
    fn after(self, reduced: &Reduced) -> Option<Source> {
        match self {
            Source::Always => Some(Source::Always),
            Source::Entries(entries) => match reduced.entries(&entries)? {
                left if left.is_empty() => Some(Source::Always),
                left => Some(Source::Entries(left)),
            },
            Source::Option(option) => match reduced.option(option) {
                Became::Certain => Some(Source::Always),
                Became::Impossible => None,
                Became::Option(option) => Some(Source::Option(option)),
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
        let mut told: Vec<(Lit, Source)> = Vec::new();
        for at in 0..self.choices.len() {
            let letters = self.own(at)?;
            for tells in self.tells.iter().filter(|tells| tells.choice == at) {
                let shown = tells.lits.iter().zip(&letters);
                told.extend(shown.filter_map(|(lit, letter)| Some((*lit, letter.clone()?))));
            }
            let choice = &self.choices[at];
            let Some(encoding) = choice.var.map(|var| emission.encodings[var.0 as usize]) else { continue };
            for (position, letter) in choice.live.iter().zip(letters) {
                let lit = match encoding {
                    Encoding::Bool(_) if *position == 0 => continue,
                    Encoding::Bool(lit) => lit,
                    other => other.literals().0 + *position as Lit,
                };
                told.extend(letter.map(|letter| (lit, letter)));
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
            told = told.into_iter().filter_map(|(lit, told)| Some((lit, told.after(&reduced)?))).collect();
            self.starts.iter_mut().for_each(|start| start.0 = reduced.place(start.0));
            self.cover = reduced.cover;
        }
        if self.cover.items.iter().all(|item| item.bounds.is_none()) {
            // a cover needs a primary item
            let item = self.item("always", "", Some((1, 1)));
            self.cover.add_option(&[Entry::plain(item)]);
        }
        emission.words = self.words(told)?;
        emission.starts = self.starts;
        emission.cover = self.cover;
        Ok(emission)
    }

    /// Gives a choice its options where it needs any. By letter, how it shows; `None` where it is said by no option.
    fn own(&mut self, at: usize) -> Result<Vec<Option<Source>>, EncodeError> {
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
            return (0..letters).map(|letter| self.told(at, letter).map(Some)).collect();
        }
        let has_primary = |entries: &[Entry]| entries.iter().any(|entry| self.cover.is_primary(entry.item));
        if *boolean && carries && !coloured && attached[0].is_empty() && has_primary(&attached[1]) {
            let option = self.cover.add_option(&self.choices[at].attached[1].clone());
            return Ok(vec![None, Some(Source::Option(option))]);
        }
        let primary = self.item(&base, if coloured { "?" } else { "" }, Some((1, 1)));
        let mut told = Vec::with_capacity(letters);
        for letter in 0..letters {
            self.step(1)?;
            entries.clear();
            entries.push(Entry::plain(primary));
            if coloured {
                self.say(at, letter, &mut entries)?;
            }
            entries.extend(self.choices[at].attached.get(letter).into_iter().flatten());
            let option = self.cover.add_option(&entries);
            told.push(Some(if coloured { self.told(at, letter)? } else { Source::Option(option) }));
        }
        Ok(told)
    }

    /// By colours, or always where there is one letter.
    fn told(&mut self, choice: usize, letter: usize) -> Result<Source, EncodeError> {
        if self.letters(choice) == 1 {
            return Ok(Source::Always);
        }
        let mut entries = Vec::new();
        self.say(choice, letter, &mut entries)?;
        Ok(Source::Entries(entries))
    }

    /// The words of all literals; an option that has another one's words and more gets a mark of its own.
    fn words(&mut self, told: Vec<(Lit, Source)>) -> Result<Vec<Word>, EncodeError> {
        let uses = Uses::of(&self.cover);
        let mut words = Vec::with_capacity(told.len());
        // by option what tells it, and the mark that it gets for that
        let mut known: FxHashMap<usize, Vec<Entry>> = FxHashMap::default();
        let mut marks: Vec<(usize, ItemId)> = Vec::new();
        for (lit, told) in told {
            let entries = match told {
                Source::Always => Vec::new(),
                Source::Entries(entries) => entries,
                Source::Option(option) => match known.get(&option) {
                    Some(entries) => entries.clone(),
                    None => {
                        let entries = match self.telling(&uses, option)? {
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

    /// Entries that this option has and no other; few, if not the fewest.
    fn telling(&mut self, uses: &Uses, option: usize) -> Result<Option<Vec<Entry>>, EncodeError> {
        let entries = self.cover.option(option).to_vec();
        let Some(first) = entries.iter().min_by_key(|entry| uses.of_item(entry.item).len()) else {
            return Ok(None);
        };
        let mut others: Vec<usize> =
            uses.of_item(first.item).iter().map(|at| *at as usize).filter(|at| *at != option).collect();
        let mut telling = vec![*first];
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
            telling.push(best);
        }
        telling.sort_unstable();
        Ok(Some(telling))
    }
}

/// The options of every item.
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

    /// Where the options of an item are; see [`Uses::at`].
    pub fn range(&self, item: ItemId) -> std::ops::Range<usize> {
        let at = item as usize;
        // items that came later are in no option yet
        self.ends.get(at + 1).map_or(0..0, |end| self.ends[at] as usize..*end as usize)
    }

    pub fn at(&self, place: usize) -> usize {
        self.options[place] as usize
    }
}
