//! Counting with a memory: how many solutions there are below a set of uncovered items.
//!
//! Without colours and multiplicities, the options that are possible are those all of whose items are uncovered; so the set
//! of uncovered items (a secondary one without options left out) determines what is below. Nothing is forgotten; when
//! the memory is full, no more is learned. If hardly anything is found again, the search goes on without it.

use super::dance::{DONE, LEN};
use super::engine::{Count, Engine, Halt};
use super::exact::Position;
use crate::shared::Budget;
use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

/// After so many questions ...
const TRIAL: u64 = 1 << 14;
/// ... one in so many must have been answered.
const WORTH: u64 = 64;

/// Counts by sets of items.
#[derive(Debug)]
pub(super) struct Memo {
    words: usize,
    /// Sets that were counted, or are being counted, `words` words each.
    keys: Vec<u64>,
    counts: Vec<u128>,
    table: HashTable<u32>,
    most: usize,
    /// Decisions that are open: the set's number if it is to be remembered, and the count before.
    open: Vec<(Option<u32>, u128)>,
    asked: u64,
    found: u64,
}

enum Answer {
    Known(u128),
    /// To be counted, and remembered if there is a number.
    New(Option<u32>),
}

/// Not yet counted.
const OPEN: u128 = u128::MAX;

impl Memo {
    pub fn new(items: usize, memory: usize) -> Memo {
        let words = items.div_ceil(64);
        let most = (memory / (8 * words + 40)).min(u32::MAX as usize / 2);
        Memo {
            words,
            keys: Vec::new(),
            counts: Vec::new(),
            table: HashTable::new(),
            most,
            open: Vec::new(),
            asked: 0,
            found: 0,
        }
    }

    fn key(keys: &[u64], words: usize, id: u32) -> &[u64] {
        &keys[id as usize * words..][..words]
    }

    /// Looks up the set of items to which these lengths belong.
    fn ask(&mut self, lens: &[u32]) -> Answer {
        if self.asked > TRIAL && self.found < self.asked / WORTH {
            return Answer::New(None);
        }
        self.asked += 1;
        let Memo { words, keys, counts, table, .. } = self;
        let words = *words;
        let start = keys.len();
        keys.extend(lens.chunks(64).map(|lens| {
            let bit = |len: &u32| u64::from(len & DONE == 0 && len & LEN > 0);
            lens.iter().enumerate().fold(0, |word, (at, len)| word | bit(len) << at)
        }));
        let (known, new) = keys.split_at(start);
        let hash = hash(new);
        if let Some(id) = table.find(hash, |id| Memo::key(known, words, *id) == new).copied() {
            keys.truncate(start);
            self.found += 1;
            return match counts[id as usize] {
                // A set is never below itself; but a stopped count may have left it open.
                OPEN => Answer::New(Some(id)),
                count => Answer::Known(count),
            };
        }
        if counts.len() >= self.most {
            keys.truncate(start);
            return Answer::New(None);
        }
        let id = counts.len() as u32;
        counts.push(OPEN);
        table.insert_unique(hash, id, |id| self::hash(Memo::key(keys, words, *id)));
        Answer::New(Some(id))
    }
}

fn hash(key: &[u64]) -> u64 {
    key.iter().fold(0, |hash, word| xxh3_64(&(hash ^ word).to_le_bytes()))
}

impl Engine {
    pub(super) fn count_remembering(&mut self, mut memo: Memo, budget: &Budget, limit: u128) -> Count {
        self.tail = false;
        let mut solutions: u128 = 0;
        let mut halt = None;
        while solutions < limit && halt.is_none() {
            if self.alive {
                match self.descend_exact(budget) {
                    Err(stop) => halt = Some(Halt::Stop(stop)),
                    Ok(Position::Solution) => {
                        self.alive = false;
                        solutions += 1;
                    }
                    Ok(Position::DeadEnd) => self.alive = false,
                    Ok(Position::Open(item)) => match memo.ask(&self.dance.lens) {
                        Answer::Known(count) => {
                            self.alive = false;
                            match solutions.checked_add(count).filter(|sum| *sum < OPEN) {
                                Some(sum) => solutions = sum,
                                None => halt = Some(Halt::Limit),
                            }
                        }
                        Answer::New(id) => match self.open(item, budget) {
                            Err(stop) => halt = Some(Halt::Stop(stop)),
                            Ok(()) => {
                                memo.open.push((id, solutions));
                                self.alive = self.try_next();
                            }
                        },
                    },
                }
            } else if self.frames.is_empty() {
                return Count { solutions, stopped: None };
            } else {
                self.alive = self.try_next();
                if self.frames.len() < memo.open.len()
                    && let Some((Some(id), before)) = memo.open.pop()
                {
                    memo.counts[id as usize] = solutions - before;
                }
            }
        }
        let stopped = Some(halt.unwrap_or(Halt::Limit));
        Count { solutions: solutions.min(limit), stopped }
    }
}
