//! Counting with memoization: the number of solutions below a set of uncovered items.
//!
//! Without colours and multiplicities, the possible options are exactly those whose items are all uncovered. So the
//! set of uncovered items (omitting secondary ones without options) determines the subproblem. Entries are never
//! evicted; when the memory is full, no more are added. If lookups almost never succeed, the search continues without
//! them.

use super::dance::{DONE, LEN};
use super::engine::{Engine, Halt};
use super::exact::Position;
use crate::shared::Budget;
use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

/// After this many lookups ...
const TRIAL: u64 = 1 << 14;
/// ... one in this many must have succeeded.
const WORTH: u64 = 64;

/// Counts by set of items.
#[derive(Debug)]
pub(super) struct Memo {
    words: usize,
    /// Sets that are counted or being counted, `words` words each.
    keys: Vec<u64>,
    counts: Vec<u128>,
    table: HashTable<u32>,
    most: usize,
    /// Open decisions: the number of the set if its count is to be stored, and the total before.
    open: Vec<(Option<u32>, u128)>,
    asked: u64,
    found: u64,
}

enum Answer {
    Known(u128),
    /// To be counted, and stored if there is a number.
    New(Option<u32>),
}

/// Not counted yet.
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

    /// Looks up the set of items with these lengths.
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
                // A set never occurs below itself; but a search that ran out of memory asks twice.
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
    pub(super) fn count_remembering(
        &mut self,
        memo: &mut Memo,
        budget: &Budget,
        limit: u128,
    ) -> Option<Halt> {
        self.tail = false;
        while self.counted < limit {
            if self.alive {
                self.alive = match self.descend_exact(budget) {
                    Err(stop) => return Some(Halt::Stop(stop)),
                    Ok(Position::DeadEnd) => false,
                    Ok(Position::Solution) => {
                        self.counted += 1;
                        false
                    }
                    Ok(Position::Open(item)) => match memo.ask(&self.dance.lens) {
                        Answer::Known(count) => {
                            let sum = self.counted.checked_add(count).filter(|sum| *sum < OPEN);
                            let Some(sum) = sum else { return Some(Halt::Limit) };
                            self.counted = sum.min(limit);
                            false
                        }
                        Answer::New(id) => {
                            if let Err(stop) = self.open(item, budget) {
                                return Some(Halt::Stop(stop));
                            }
                            memo.open.push((id, self.counted));
                            self.try_next()
                        }
                    },
                };
            } else if self.frames.is_empty() {
                return None;
            } else {
                self.alive = self.try_next();
                if self.frames.len() < memo.open.len()
                    && let Some((Some(id), before)) = memo.open.pop()
                {
                    memo.counts[id as usize] = self.counted - before;
                }
            }
        }
        Some(Halt::Limit)
    }
}
