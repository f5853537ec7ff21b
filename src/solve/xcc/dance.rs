//! The state that both searches share: which options are possible, and how many of them each item has.
//!
//! In: a problem. Out: removal of options, and its undoing. A bit for each option tells whether it is possible. Removing
//! an option clears its bit and lowers the length of each of its items: no lists are kept. Bits and lengths are the
//! whole state, and a copy of them undoes everything since. What is to be removed is found 64 options at a time, in rows of
//! the words where an item has options, or where an option has rivals.
//!
//! What else must be known of an item is flags on its length, so that one comparison tells everything: a length without
//! flags is that of a primary item that is still to be covered.

use super::Options;
use super::problem::{Colour, Item, Kind, PLAIN, Problem};
use super::rows::{LazyRows, Rows};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Covered, or its colour is settled.
pub(super) const DONE: u32 = 1 << 30;
/// A secondary item: it may be left uncovered.
const SECONDARY: u32 = 1 << 28;
/// The bits of a length that count.
pub(super) const LEN: u32 = SECONDARY - 1;

/// No more words of rivals than this are kept (200 MB); an option beyond finds them by its items.
const MOST_RIVALS: usize = 1 << 24;

/// Items and options by numbers of their own: primary items come first, and of them those that are preferred.
#[derive(Debug)]
pub(super) struct Dance {
    shape: Shape,
    rivals: LazyRows,
    /// A bit an option.
    pub possible: Vec<u64>,
    /// How many possible options each item has, with flags.
    pub lens: Vec<u32>,
    /// By primary item: how often it may be covered yet.
    pub highs: Vec<u32>,
    /// By primary item: how much less often suffices.
    pub slacks: Vec<u32>,
    pub primaries: usize,
    pub preferred: usize,
    /// By option and by item: its number in the problem.
    numbers: Vec<u32>,
    originals: Vec<Item>,
    /// Items that have just as many options as they need.
    pub forced: Vec<u32>,
    /// Options that were spared while others were removed: a word, and its bits.
    spared: Vec<(u32, u64)>,
    /// Words and options looked at, as a measure of work.
    pub work: u64,
}

/// What never changes: which options have which items.
#[derive(Debug)]
struct Shape {
    /// The items of all options, one behind the other.
    items: Vec<u32>,
    /// By entry: the row of the options that have its item in its colour, if it has one, else [`NO_ROW`].
    agreeing: Vec<u32>,
    /// Where each option begins in `items`, and the end.
    starts: Vec<u32>,
    /// A row an item, then one a colour of an item.
    rows: Rows,
}

const NO_ROW: u32 = u32::MAX;

impl Shape {
    fn new(problem: &Problem, numbers: &[u32], ids: &[u32]) -> Shape {
        let mut colours: FxHashMap<(u32, Colour), u32> = FxHashMap::default();
        let mut count = ids.len() as u32;
        let mut items = Vec::with_capacity(problem.entries());
        let mut agreeing = Vec::with_capacity(problem.entries());
        let mut starts = Vec::with_capacity(numbers.len() + 1);
        starts.push(0);
        for number in numbers {
            for entry in problem.entries_of(*number as usize) {
                let id = ids[entry.item as usize];
                items.push(id);
                agreeing.push(match entry.colour {
                    PLAIN => NO_ROW,
                    colour => *colours.entry((id, colour)).or_insert_with(|| {
                        count += 1;
                        count - 1
                    }),
                });
            }
            starts.push(items.len() as u32);
        }
        let memberships = |each: &mut dyn FnMut(u32, u32)| {
            for (option, range) in (0..).zip(starts.windows(2)) {
                for entry in range[0] as usize..range[1] as usize {
                    each(items[entry], option);
                    if agreeing[entry] != NO_ROW {
                        each(agreeing[entry], option);
                    }
                }
            }
        };
        let rows = Rows::build(count as usize, memberships);
        Shape { items, agreeing, starts, rows }
    }

    #[inline(always)]
    fn entries(&self, option: u32) -> Range<usize> {
        self.starts[option as usize] as usize..self.starts[option as usize + 1] as usize
    }

    /// The words of the options that cannot be chosen beside this one: each that shares an item, but for those that agree
    /// on its colour.
    fn rivals(&self, option: u32, each: &mut dyn FnMut(u32, u64)) {
        for entry in self.entries(option) {
            let agreeing = self.agreeing[entry];
            let mut spared =
                (agreeing != NO_ROW).then(|| self.rows.words(agreeing)).into_iter().flatten().peekable();
            for (at, bits) in self.rows.words(self.items[entry]) {
                // Both go up, and where something is spared there is something.
                let same = spared.next_if(|(spared, _)| *spared == at).map_or(0, |(_, same)| same);
                each(at, bits & !same);
            }
        }
    }
}

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

        let shape = Shape::new(problem, &numbers, &ids);
        let mut lens = vec![0u32; items.len()];
        shape.items.iter().for_each(|item| lens[*item as usize] += 1);
        let (mut highs, mut slacks) = (Vec::with_capacity(primaries), Vec::with_capacity(primaries));
        for (item, len) in items.iter().zip(&mut lens) {
            match problem.kind(*item) {
                Kind::Secondary => *len |= SECONDARY,
                Kind::Primary { lo, hi } => {
                    // Bounds above the number of options say nothing, and would run into the flags.
                    let lo = lo.min(*len + 1);
                    let hi = hi.min(lo.max(*len).max(1));
                    highs.push(hi);
                    slacks.push(hi - lo);
                }
            }
        }
        Dance {
            rivals: LazyRows::new(numbers.len(), numbers.len(), MOST_RIVALS),
            shape,
            possible: vec![u64::MAX; numbers.len().div_ceil(64)],
            lens,
            highs,
            slacks,
            primaries,
            preferred,
            numbers,
            originals: items,
            forced: Vec::new(),
            spared: Vec::new(),
            work: 0,
        }
    }

    pub fn options(&self) -> usize {
        self.numbers.len()
    }

    /// An option's number in the problem.
    pub fn number(&self, option: u32) -> u32 {
        self.numbers[option as usize]
    }

    /// Where the entries of an option are.
    pub fn entries(&self, option: u32) -> Range<usize> {
        self.shape.entries(option)
    }

    pub fn item_at(&self, entry: usize) -> u32 {
        self.shape.items[entry]
    }

    /// An item by its number in the problem.
    pub fn original(&self, item: u32) -> Item {
        self.originals[item as usize]
    }

    pub fn is_possible(&self, option: u32) -> bool {
        self.possible[option as usize / 64] >> (option % 64) & 1 != 0
    }

    /// How often an item must be covered yet.
    pub fn low(&self, item: u32) -> u32 {
        self.highs[item as usize].saturating_sub(self.slacks[item as usize])
    }

    /// The possible options of an item, in order.
    pub fn options_of(&self, item: u32) -> impl Iterator<Item = u32> {
        self.shape.rows.words(item).flat_map(|(at, bits)| {
            let mut bits = self.possible[at as usize] & bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// Covers an option's items for good.
    pub fn finish(&mut self, option: u32) {
        for item in &self.shape.items[self.shape.entries(option)] {
            self.lens[*item as usize] |= DONE;
        }
    }

    /// Covers an option's items once: those that may not be covered again are done.
    pub fn spend(&mut self, option: u32) {
        for item in &self.shape.items[self.shape.entries(option)] {
            let high = self.highs.get_mut(*item as usize);
            let done = high.is_none_or(|high| {
                *high -= 1;
                *high == 0
            });
            if done {
                self.lens[*item as usize] |= DONE;
            }
        }
    }

    /// Removes every option that cannot be chosen beside this one, all of whose items are now done, once each.
    ///
    /// False if that leaves some primary item without an option; one with a single one becomes forced.
    pub fn hide_rivals(&mut self, option: u32) -> bool {
        let Dance { shape, rivals, possible, lens, highs, slacks, forced, work, .. } = self;
        let Some((rows, row)) = rivals.get(option, |each| shape.rivals(option, each)) else {
            return shape.entries(option).all(|entry| self.hide_disagreeing::<false>(entry));
        };
        *work += rows.len_of(row) as u64;
        Removal { shape, possible, lens, highs, slacks, forced }.remove::<true, false>(rows.words(row))
    }

    /// Removes every option that has the item of this entry, but for those that agree on its colour. As for the result
    /// see [`Dance::hide`].
    pub fn hide_disagreeing<const MULTI: bool>(&mut self, entry: usize) -> bool {
        let item = self.shape.items[entry];
        let row = self.shape.agreeing[entry];
        if row == NO_ROW {
            return self.hide::<true, MULTI>(item);
        }
        self.spared.clear();
        for (at, bits) in self.shape.rows.words(row) {
            let word = &mut self.possible[at as usize];
            self.spared.push((at, *word & bits));
            *word &= !bits;
        }
        let enough = self.hide::<true, MULTI>(item);
        self.spared.iter().for_each(|(at, bits)| self.possible[*at as usize] |= bits);
        enough
    }

    /// Removes every option of an item.
    ///
    /// With `CHECK`, false if that leaves some primary item with too few options (then only a copy of the state helps);
    /// one that has just enough becomes forced. With `MULTI`, what an item needs is looked up, else it is one option.
    pub fn hide<const CHECK: bool, const MULTI: bool>(&mut self, item: u32) -> bool {
        let Dance { shape, possible, lens, highs, slacks, forced, work, .. } = self;
        *work += shape.rows.len_of(item) as u64;
        let shape = &*shape;
        Removal { shape, possible, lens, highs, slacks, forced }
            .remove::<CHECK, MULTI>(shape.rows.words(item))
    }

    /// Removes a possible option; the result is that of [`Dance::hide`].
    pub fn remove<const CHECK: bool>(&mut self, option: u32) -> bool {
        let Dance { shape, possible, lens, highs, slacks, forced, .. } = self;
        let word = (option / 64, 1 << (option % 64));
        Removal { shape, possible, lens, highs, slacks, forced }.remove::<CHECK, true>(std::iter::once(word))
    }
}

/// The parts of a [`Dance`] that removal touches, apart so that nothing is read anew after each write.
struct Removal<'a> {
    shape: &'a Shape,
    possible: &'a mut [u64],
    lens: &'a mut [u32],
    highs: &'a [u32],
    slacks: &'a [u32],
    forced: &'a mut Vec<u32>,
}

impl Removal<'_> {
    #[inline(always)]
    fn remove<const CHECK: bool, const MULTI: bool>(
        mut self,
        words: impl Iterator<Item = (u32, u64)>,
    ) -> bool {
        for (at, bits) in words {
            let word = &mut self.possible[at as usize];
            let mut bits = *word & bits;
            *word &= !bits;
            while bits != 0 {
                let option = at * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                if !self.shorten::<CHECK, MULTI>(option) {
                    return false;
                }
            }
        }
        true
    }

    /// Lowers the lengths of an option's items.
    #[inline(always)]
    fn shorten<const CHECK: bool, const MULTI: bool>(&mut self, option: u32) -> bool {
        for item in &self.shape.items[self.shape.entries(option)] {
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
