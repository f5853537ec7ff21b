//! The state shared by both searches: which options are possible, and how many each item has.
//!
//! In: a problem. Out: removal of options, and its undoing. One bit for each option records whether it is possible.
//! Removing an option clears its bit and lowers the length of each of its items: no lists are kept. Bits and lengths
//! are the whole state, and restoring a copy undoes all later changes. Options to remove are found 64 at a time, in
//! rows of words: the options of an item, or the rivals of an option (the options incompatible with it).
//!
//! The other properties of an item are flags in its length, so that one comparison tests them all: a length without
//! flags belongs to a primary item that must still be covered.

use super::Options;
use super::problem::{Colour, Item, Kind, PLAIN, Problem};
use super::rows::{LazyRows, Rows};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The item is covered, or its colour is fixed.
pub(super) const DONE: u32 = 1 << 30;
/// A secondary item: it may be left uncovered.
const SECONDARY: u32 = 1 << 28;
/// The bits of a length that hold the count.
pub(super) const LEN: u32 = SECONDARY - 1;

/// Upper bound on the stored words of rivals (200 MB); for further options, rivals are computed from the items.
const MOST_RIVALS: usize = 1 << 24;

/// Items and options have internal numbers: primary items come first, the preferred ones before the others.
#[derive(Debug)]
pub(super) struct Dance {
    shape: Shape,
    rivals: LazyRows,
    /// One bit for each option.
    pub possible: Vec<u64>,
    /// How many possible options each item has, with flags.
    pub lens: Vec<u32>,
    /// By primary item: how many more times it may be covered.
    pub highs: Vec<u32>,
    /// By primary item: the difference between its upper and lower bound.
    pub slacks: Vec<u32>,
    pub primaries: usize,
    pub preferred: usize,
    /// By option and by item: its number in the problem.
    numbers: Vec<u32>,
    originals: Vec<Item>,
    /// Items that have exactly as many options as they need.
    pub forced: Vec<u32>,
    /// Options kept while others were removed: a word, and its bits.
    spared: Vec<(u32, u64)>,
    /// Words and options examined, as a measure of work.
    pub work: u64,
}

/// The constant part: which options have which items.
#[derive(Debug)]
struct Shape {
    /// The items of all options, concatenated.
    items: Vec<u32>,
    /// By entry: the row of the options that have its item in the same colour, else [`NO_ROW`].
    agreeing: Vec<u32>,
    /// Where each option begins in `items`, and the end.
    starts: Vec<u32>,
    /// A row for each item, then one for each colour of an item.
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

    /// The rivals of an option, as words: each option that shares an item with it, except those that agree on the
    /// colour.
    fn rivals(&self, option: u32, each: &mut dyn FnMut(u32, u64)) {
        for entry in self.entries(option) {
            let agreeing = self.agreeing[entry];
            let mut spared =
                (agreeing != NO_ROW).then(|| self.rows.words(agreeing)).into_iter().flatten().peekable();
            for (at, bits) in self.rows.words(self.items[entry]) {
                // Both iterators ascend, and `spared` is a subset.
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
                    // Bounds above the number of options have no effect, and would overflow into the flags.
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

    /// How many more times an item must be covered.
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

    /// Marks the items of an option as done.
    pub fn finish(&mut self, option: u32) {
        for item in &self.shape.items[self.shape.entries(option)] {
            self.lens[*item as usize] |= DONE;
        }
    }

    /// Covers the items of an option once; an item that may not be covered again is done.
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

    /// Removes each rival of an option whose items are all done, once.
    ///
    /// False if some primary item is left without options; an item with a single option becomes forced.
    pub fn hide_rivals(&mut self, option: u32) -> bool {
        let Dance { shape, rivals, possible, lens, highs, slacks, forced, work, .. } = self;
        let Some((rows, row)) = rivals.get(option, |each| shape.rivals(option, each)) else {
            return shape.entries(option).all(|entry| self.hide_disagreeing::<false>(entry));
        };
        *work += rows.len_of(row) as u64;
        Removal { shape, possible, lens, highs, slacks, forced }.remove::<true, false>(rows.words(row))
    }

    /// Removes each option that has the item of this entry, except those that agree on its colour. For the result see
    /// [`Dance::hide`].
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
    /// With `CHECK`, false if some primary item is left with too few options (then only restoring a copy of the state
    /// helps); an item with exactly enough becomes forced. With `MULTI`, the number that an item needs is looked up,
    /// else it is one.
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

/// The fields of a [`Dance`] that removal touches, borrowed separately so that no field is reloaded after each write.
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

/// A small deterministic generator (Steele, Lea and Flood's SplitMix64).
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
