//! The state that both searches share: which options are possible, and how many of them each item has.
//!
//! In: a problem. Out: removal of options, and its undoing. A bit for each option tells whether it is possible. An item's
//! options are a row of the words of bits in which it has any, so that one operation finds the possible ones among 64.
//! Removing an option clears its bit and lowers the length of each of its items. Bits and lengths are the whole state,
//! and a copy of them undoes everything since.
//!
//! What else must be known of an item is flags on its length, so that one comparison tells everything: a length without
//! flags is that of a primary item that is still to be covered.

use super::Options;
use super::problem::{Colour, Item, Kind, PLAIN, Problem};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Covered, or its colour is settled.
pub(super) const DONE: u32 = 1 << 30;
/// In the option that is being chosen: removals need not be checked.
pub(super) const CURRENT: u32 = 1 << 29;
/// A secondary item: it may be left uncovered.
const SECONDARY: u32 = 1 << 28;
/// The bits of a length that count.
pub(super) const LEN: u32 = SECONDARY - 1;

/// Items and options by numbers of their own: primary items come first, and of them those that are preferred.
#[derive(Debug)]
pub(super) struct Dance {
    /// The items of all options, one behind the other.
    items: Vec<u32>,
    /// By entry: the row of the options that have its item in its colour, if it has one, else [`NO_ROW`].
    agreeing: Vec<u32>,
    /// Where each option begins in `items`, and the end.
    starts: Vec<u32>,
    /// The words of all rows: where they are in `possible`, and the bits. First comes a row for each item.
    at: Vec<u32>,
    bits: Vec<u64>,
    /// Where each row begins, and the end.
    rows: Vec<u32>,
    /// A bit an option.
    pub possible: Vec<u64>,
    /// How many possible options each item has, with flags.
    pub lens: Vec<u32>,
    pub primaries: usize,
    pub preferred: usize,
    /// By primary item: how often it may be covered yet.
    pub highs: Vec<u32>,
    /// By primary item: how much less often suffices.
    pub slacks: Vec<u32>,
    /// By option: its number in the problem.
    numbers: Vec<u32>,
    /// Items that have just as many options as they need.
    pub forced: Vec<u32>,
    /// Options that were spared while others were removed: a word, and its bits.
    spared: Vec<(u32, u64)>,
    /// Words and options looked at, as a measure of work.
    pub work: u64,
}

const NO_ROW: u32 = u32::MAX;

impl Dance {
    pub fn new(problem: &Problem, options: &Options) -> Dance {
        let mut items: Vec<Item> = (0..problem.items() as u32).collect();
        let mut numbers: Vec<u32> = (0..problem.options() as u32).collect();
        if options.seed != 0 {
            let mut random = Random(options.seed);
            random.shuffle(&mut items);
            random.shuffle(&mut numbers);
        }
        let class = |item: Item| match problem.kind(item) {
            Kind::Primary { .. } if options.sharp && problem.name(item).starts_with(b"#") => 0,
            Kind::Primary { .. } => 1,
            Kind::Secondary => 2,
        };
        items.sort_by_key(|item| class(*item));
        let count = |below: u8| items.iter().filter(|item| class(**item) < below).count();
        let (preferred, primaries) = (count(1), count(2));
        let mut ids = vec![0; items.len()];
        items.iter().zip(0..).for_each(|(item, id)| ids[*item as usize] = id);

        let mut dance = Dance {
            items: Vec::with_capacity(problem.entries()),
            agreeing: Vec::with_capacity(problem.entries()),
            starts: vec![0],
            at: Vec::new(),
            bits: Vec::new(),
            rows: Vec::new(),
            possible: vec![u64::MAX; numbers.len().div_ceil(64)],
            lens: vec![0; items.len()],
            primaries,
            preferred,
            highs: Vec::with_capacity(primaries),
            slacks: Vec::with_capacity(primaries),
            numbers,
            forced: Vec::new(),
            spared: Vec::new(),
            work: 0,
        };
        dance.fill(problem, &ids);
        for (item, len) in items.iter().zip(&mut dance.lens) {
            match problem.kind(*item) {
                Kind::Secondary => *len |= SECONDARY,
                Kind::Primary { lo, hi } => {
                    // Bounds above the number of options say nothing, and would run into the flags.
                    let lo = lo.min(*len + 1);
                    let hi = hi.min(lo.max(*len).max(1));
                    dance.highs.push(hi);
                    dance.slacks.push(hi - lo);
                }
            }
        }
        dance
    }

    /// Items by option, and options by item and by colour of an item.
    fn fill(&mut self, problem: &Problem, ids: &[u32]) {
        let mut colours: FxHashMap<(u32, Colour), u32> = FxHashMap::default();
        let mut row_count = ids.len() as u32;
        for number in &self.numbers {
            for entry in problem.entries_of(*number as usize) {
                let id = ids[entry.item as usize];
                self.items.push(id);
                self.lens[id as usize] += 1;
                self.agreeing.push(match entry.colour {
                    PLAIN => NO_ROW,
                    colour => *colours.entry((id, colour)).or_insert_with(|| {
                        row_count += 1;
                        row_count - 1
                    }),
                });
            }
            self.starts.push(self.items.len() as u32);
        }
        // A row has a word wherever the word of its options changes: counted first, then filled.
        let mut last = vec![u32::MAX; row_count as usize];
        let mut ends = vec![0u32; row_count as usize + 1];
        self.each_membership(|row, word, _| {
            if std::mem::replace(&mut last[row as usize], word) != word {
                ends[row as usize + 1] += 1;
            }
        });
        for row in 1..ends.len() {
            ends[row] += ends[row - 1];
        }
        let mut at = vec![u32::MAX; ends[row_count as usize] as usize];
        let mut bits = vec![0; at.len()];
        let mut next = ends.clone();
        self.each_membership(|row, word, bit| {
            let next = &mut next[row as usize];
            if *next == ends[row as usize] || at[*next as usize - 1] != word {
                at[*next as usize] = word;
                *next += 1;
            }
            bits[*next as usize - 1] |= bit;
        });
        (self.at, self.bits, self.rows) = (at, bits, ends);
    }

    /// For each entry, in order, its rows with the word and the bit of its option.
    fn each_membership(&self, mut each: impl FnMut(u32, u32, u64)) {
        for option in 0..self.options() {
            let (word, bit) = (option / 64, 1 << (option % 64));
            for entry in self.entries(option as u32) {
                each(self.items[entry], word as u32, bit);
                if self.agreeing[entry] != NO_ROW {
                    each(self.agreeing[entry], word as u32, bit);
                }
            }
        }
    }

    pub fn options(&self) -> usize {
        self.numbers.len()
    }

    /// An option's number in the problem.
    pub fn number(&self, option: u32) -> u32 {
        self.numbers[option as usize]
    }

    /// Where the items of an option are.
    #[inline(always)]
    pub fn entries(&self, option: u32) -> Range<usize> {
        self.starts[option as usize] as usize..self.starts[option as usize + 1] as usize
    }

    #[inline(always)]
    pub fn item_at(&self, entry: usize) -> u32 {
        self.items[entry]
    }

    /// The item's place in the option's entries, from 0.
    pub fn place(&self, item: u32, option: u32) -> u32 {
        let items = &self.items[self.entries(option)];
        items.iter().position(|other| *other == item).unwrap_or(0) as u32
    }

    pub fn is_done(&self, item: u32) -> bool {
        self.lens[item as usize] & DONE != 0
    }

    pub fn is_primary(&self, item: u32) -> bool {
        (item as usize) < self.primaries
    }

    pub fn is_possible(&self, option: u32) -> bool {
        self.possible[option as usize / 64] >> (option % 64) & 1 != 0
    }

    /// How often an item must be covered yet.
    pub fn low(&self, item: u32) -> u32 {
        self.highs[item as usize].saturating_sub(self.slacks[item as usize])
    }

    fn row(&self, row: u32) -> Range<usize> {
        self.rows[row as usize] as usize..self.rows[row as usize + 1] as usize
    }

    /// The possible options of an item, in order.
    pub fn options_of(&self, item: u32) -> impl Iterator<Item = u32> {
        let words = self.row(item);
        self.at[words.clone()].iter().zip(&self.bits[words]).flat_map(|(at, bits)| {
            let mut bits = self.possible[*at as usize] & bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// Removes every option that is incompatible with covering the item of an entry as the entry does.
    ///
    /// With `CHECK`, false if that leaves some primary item with too few options (then only a copy of the state helps);
    /// one that has just enough becomes forced. With `MULTI`, what an item needs is looked up, else it is one option.
    #[inline(always)]
    pub fn hide_rivals<const CHECK: bool, const MULTI: bool>(&mut self, entry: usize) -> bool {
        let item = self.items[entry];
        let row = self.agreeing[entry];
        if row == NO_ROW {
            return self.hide::<CHECK, MULTI>(item);
        }
        self.spared.clear();
        for word in self.row(row) {
            let (at, bits) = (self.at[word], self.bits[word]);
            let spared = self.possible[at as usize] & bits;
            self.possible[at as usize] &= !bits;
            self.spared.push((at, spared));
        }
        let enough = self.hide::<CHECK, MULTI>(item);
        self.spared.iter().for_each(|(at, bits)| self.possible[*at as usize] |= bits);
        enough
    }

    /// Removes every option of an item.
    #[inline(always)]
    pub fn hide<const CHECK: bool, const MULTI: bool>(&mut self, item: u32) -> bool {
        let row = self.row(item);
        self.work += row.len() as u64;
        // Taken apart so that nothing is read anew after each write.
        let Dance { items, starts, lens, possible, highs, slacks, forced, .. } = self;
        let mut items = Items { items, starts, lens, highs, slacks, forced };
        for (at, bits) in self.at[row.clone()].iter().zip(&self.bits[row]) {
            let word = &mut possible[*at as usize];
            let mut bits = *word & bits;
            *word &= !bits;
            while bits != 0 {
                let option = at * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                if !items.shorten::<CHECK, MULTI>(option) {
                    return false;
                }
            }
        }
        true
    }

    /// Removes a possible option.
    pub fn remove<const CHECK: bool, const MULTI: bool>(&mut self, option: u32) -> bool {
        self.possible[option as usize / 64] &= !(1 << (option % 64));
        let Dance { items, starts, lens, highs, slacks, forced, .. } = self;
        Items { items, starts, lens, highs, slacks, forced }.shorten::<CHECK, MULTI>(option)
    }
}

/// What is touched when options are removed.
struct Items<'a> {
    items: &'a [u32],
    starts: &'a [u32],
    lens: &'a mut [u32],
    highs: &'a [u32],
    slacks: &'a [u32],
    forced: &'a mut Vec<u32>,
}

impl Items<'_> {
    /// Lowers the lengths of an option's items.
    #[inline(always)]
    fn shorten<const CHECK: bool, const MULTI: bool>(&mut self, option: u32) -> bool {
        let option = option as usize;
        for item in &self.items[self.starts[option] as usize..self.starts[option + 1] as usize] {
            let len = &mut self.lens[*item as usize];
            *len -= 1;
            if CHECK {
                let least = match MULTI && *len < SECONDARY {
                    true => self.highs[*item as usize].saturating_sub(self.slacks[*item as usize]),
                    false => 1,
                };
                if *len <= least {
                    if *len < least {
                        self.forced.clear();
                        return false;
                    }
                    if least > 0 {
                        self.forced.push(*item);
                    }
                }
            }
        }
        true
    }
}

/// Small and repeatable (Steele, Lea and Flood's SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * n as u128) >> 64) as usize
    }

    fn shuffle(&mut self, items: &mut [u32]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}
