//! Sets of options as sparse rows of 64-bit words.
//!
//! A row holds its non-zero words: the index of each among all words, ascending, and its bits.

use std::ops::Range;

/// Rows, concatenated.
#[derive(Debug, Default)]
pub(super) struct Rows {
    at: Vec<u32>,
    bits: Vec<u64>,
    rows: Vec<Range<u32>>,
}

impl Rows {
    /// Builds `count` rows. `each` lists the memberships (row, option) by ascending options; it is called twice and
    /// must list the same both times.
    pub fn build(count: usize, each: impl Fn(&mut dyn FnMut(u32, u32))) -> Rows {
        let mut last = vec![u32::MAX; count];
        let mut sizes = vec![0u32; count];
        each(&mut |row, option| {
            if std::mem::replace(&mut last[row as usize], option / 64) != option / 64 {
                sizes[row as usize] += 1;
            }
        });
        let mut end = 0;
        let empty = |size: u32| {
            let begin = end;
            end += size;
            begin..begin
        };
        let mut rows: Vec<Range<u32>> = sizes.into_iter().map(empty).collect();
        let mut at = vec![0; end as usize];
        let mut bits = vec![0; end as usize];
        each(&mut |row, option| {
            let row = &mut rows[row as usize];
            if row.start == row.end || at[row.end as usize - 1] != option / 64 {
                at[row.end as usize] = option / 64;
                row.end += 1;
            }
            bits[row.end as usize - 1] |= 1 << (option % 64);
        });
        Rows { at, bits, rows }
    }

    /// The words of a row.
    #[inline(always)]
    pub fn words(&self, row: u32) -> impl Iterator<Item = (u32, u64)> {
        let Range { start, end } = self.rows[row as usize];
        let range = start as usize..end as usize;
        self.at[range.clone()].iter().copied().zip(self.bits[range].iter().copied())
    }

    pub fn len_of(&self, row: u32) -> usize {
        self.rows[row as usize].len()
    }
}

/// Rows computed on first use, up to a number of words.
#[derive(Debug)]
pub(super) struct LazyRows {
    rows: Rows,
    most: usize,
    /// The union being computed, and the indices of its non-zero words.
    union: Vec<u64>,
    touched: Vec<u32>,
}

/// A row that is not computed.
const MISSING: Range<u32> = u32::MAX..u32::MAX;

impl LazyRows {
    pub fn new(count: usize, options: usize, most: usize) -> LazyRows {
        let rows = Rows { rows: vec![MISSING; count], ..Rows::default() };
        LazyRows { rows, most, union: vec![0; options.div_ceil(64)], touched: Vec::new() }
    }

    /// A row, computed from the words that `fill` gives if needed; `None` if the limit is reached.
    #[inline(always)]
    pub fn get(&mut self, row: u32, fill: impl FnOnce(&mut dyn FnMut(u32, u64))) -> Option<(&Rows, u32)> {
        if self.rows.rows[row as usize] == MISSING && !self.make(row, fill) {
            return None;
        }
        Some((&self.rows, row))
    }

    #[cold]
    fn make(&mut self, row: u32, fill: impl FnOnce(&mut dyn FnMut(u32, u64))) -> bool {
        let LazyRows { rows, most, union, touched } = self;
        if rows.at.len() + union.len() > *most {
            return false;
        }
        touched.clear();
        fill(&mut |at, bits| {
            let word = &mut union[at as usize];
            if *word == 0 && bits != 0 {
                touched.push(at);
            }
            *word |= bits;
        });
        touched.sort_unstable();
        let start = rows.at.len() as u32;
        for at in touched.iter() {
            rows.at.push(*at);
            rows.bits.push(std::mem::take(&mut union[*at as usize]));
        }
        rows.rows[row as usize] = start..rows.at.len() as u32;
        true
    }
}
