//! A covering problem: items, and options as flat arrays of entries.
//!
//! In: items and options one by one. Out: the input of the engine, and the names for printing. Every option has a
//! primary item and no repeated item; bounds are consistent; only secondary items have colours.

use super::names::Names;
use std::fmt;

/// An item's number, in the order of declaration from 0.
pub type Item = u32;
/// A colour's number; [`PLAIN`] means no colour.
pub type Colour = u32;

/// No colour: two options that have the same secondary item without a colour are incompatible.
pub const PLAIN: Colour = 0;

/// Upper bound on the entries: the engine's numbers reserve some bits for flags.
const MOST_ENTRIES: usize = 1 << 28;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// To be covered `lo` to `hi` times; `hi` is at least 1 and at least `lo`.
    Primary { lo: u32, hi: u32 },
    /// To be covered at most once, or any number of times in one colour.
    Secondary,
}

impl Kind {
    /// To be covered exactly once.
    pub const ONCE: Kind = Kind::Primary { lo: 1, hi: 1 };

    pub fn is_primary(self) -> bool {
        self != Kind::Secondary
    }
}

/// An item in an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub item: Item,
    pub colour: Colour,
}

/// Why an item or an option was refused; `at` counts the entries of the option from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemFault {
    DuplicateItem,
    UpperZero,
    LowerAboveUpper,
    /// The option contains an item twice.
    Repeated {
        at: usize,
    },
    ColouredPrimary {
        at: usize,
    },
    NoPrimary,
    TooLarge,
}

impl fmt::Display for ProblemFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProblemFault::DuplicateItem => "this item was named before",
            ProblemFault::UpperZero => "the upper bound is zero",
            ProblemFault::LowerAboveUpper => "the lower bound is above the upper one",
            ProblemFault::Repeated { .. } => "the option has this item twice",
            ProblemFault::ColouredPrimary { .. } => "a primary item cannot have a colour",
            ProblemFault::NoPrimary => "the option has no primary item",
            ProblemFault::TooLarge => "the problem has more than 268,435,456 items in its options",
        })
    }
}

impl std::error::Error for ProblemFault {}

/// A covering problem.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    items: Names,
    kinds: Vec<Kind>,
    /// By item: one more than the last option that has it.
    last: Vec<u32>,
    colours: Names,
    entries: Vec<Entry>,
    /// Where each option ends in `entries`.
    ends: Vec<u32>,
}

impl Problem {
    pub fn new() -> Problem {
        Problem::default()
    }

    /// Adds an item that must be covered `lo` to `hi` times.
    pub fn primary(&mut self, name: impl AsRef<[u8]>, lo: u32, hi: u32) -> Result<Item, ProblemFault> {
        match hi {
            0 => Err(ProblemFault::UpperZero),
            _ if lo > hi => Err(ProblemFault::LowerAboveUpper),
            _ => self.item(name.as_ref(), Kind::Primary { lo, hi }),
        }
    }

    /// Adds an item that may be covered once, or any number of times in one colour.
    pub fn secondary(&mut self, name: impl AsRef<[u8]>) -> Result<Item, ProblemFault> {
        self.item(name.as_ref(), Kind::Secondary)
    }

    fn item(&mut self, name: &[u8], kind: Kind) -> Result<Item, ProblemFault> {
        if self.items.len() == MOST_ENTRIES {
            return Err(ProblemFault::TooLarge);
        }
        let (item, new) = self.items.intern(name);
        if !new {
            return Err(ProblemFault::DuplicateItem);
        }
        self.kinds.push(kind);
        self.last.push(0);
        Ok(item)
    }

    /// The colour of this name, which is added if it is new.
    pub fn colour(&mut self, name: impl AsRef<[u8]>) -> Colour {
        self.colours.intern(name.as_ref()).0 + 1
    }

    /// Adds an option; repeated options count separately.
    ///
    /// # Panics
    /// If an item is not in this problem.
    pub fn option(&mut self, entries: &[(Item, Colour)]) -> Result<(), ProblemFault> {
        let stamp = self.ends.len() as u32 + 1;
        let mut primary = false;
        for (at, (item, colour)) in entries.iter().enumerate() {
            if std::mem::replace(&mut self.last[*item as usize], stamp) == stamp {
                self.forget(&entries[..=at]);
                return Err(ProblemFault::Repeated { at });
            }
            let is_primary = self.kinds[*item as usize].is_primary();
            if is_primary && *colour != PLAIN {
                self.forget(&entries[..=at]);
                return Err(ProblemFault::ColouredPrimary { at });
            }
            primary |= is_primary;
        }
        let too_large = self.entries.len() + self.ends.len() + entries.len() >= MOST_ENTRIES;
        if !primary || too_large {
            self.forget(entries);
            return Err(if primary { ProblemFault::TooLarge } else { ProblemFault::NoPrimary });
        }
        self.entries.extend(entries.iter().map(|(item, colour)| Entry { item: *item, colour: *colour }));
        self.ends.push(self.entries.len() as u32);
        Ok(())
    }

    /// Resets the marks of a refused option, so that they do not affect the next one.
    fn forget(&mut self, entries: &[(Item, Colour)]) {
        entries.iter().for_each(|(item, _)| self.last[*item as usize] = 0);
    }

    pub fn items(&self) -> usize {
        self.kinds.len()
    }

    pub fn options(&self) -> usize {
        self.ends.len()
    }

    /// The number of entries in all options.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    pub fn kind(&self, item: Item) -> Kind {
        self.kinds[item as usize]
    }

    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<Item> {
        self.items.find(name.as_ref())
    }

    pub fn name(&self, item: Item) -> &[u8] {
        self.items.get(item)
    }

    /// The name of a colour that is not [`PLAIN`].
    pub fn colour_name(&self, colour: Colour) -> &[u8] {
        self.colours.get(colour - 1)
    }

    /// An option's entries in the given order; options count from 0.
    pub fn entries_of(&self, option: usize) -> &[Entry] {
        let start = if option == 0 { 0 } else { self.ends[option - 1] };
        &self.entries[start as usize..self.ends[option] as usize]
    }

    /// Must some primary item be covered other than exactly once?
    pub fn has_multiplicities(&self) -> bool {
        self.kinds.iter().any(|kind| kind.is_primary() && *kind != Kind::ONCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_leave_the_problem_as_it_was() {
        let mut problem = Problem::new();
        let a = problem.primary("a", 1, 1).unwrap();
        let x = problem.secondary("x").unwrap();
        let red = problem.colour("red");
        assert_eq!(problem.primary("x", 1, 1), Err(ProblemFault::DuplicateItem));
        assert_eq!(problem.primary("b", 0, 0), Err(ProblemFault::UpperZero));
        assert_eq!(problem.primary("b", 3, 2), Err(ProblemFault::LowerAboveUpper));
        assert_eq!(
            problem.option(&[(x, red), (a, PLAIN), (x, PLAIN)]),
            Err(ProblemFault::Repeated { at: 2 })
        );
        assert_eq!(problem.option(&[(x, red), (a, red)]), Err(ProblemFault::ColouredPrimary { at: 1 }));
        assert_eq!(problem.option(&[(x, red)]), Err(ProblemFault::NoPrimary));
        assert_eq!(problem.option(&[(x, red), (a, PLAIN)]), Ok(()));
        assert_eq!((problem.items(), problem.options(), problem.entries()), (2, 1, 2));
        assert_eq!(problem.colour_name(problem.entries_of(0)[0].colour), b"red");
        assert!(!problem.has_multiplicities());
    }
}
