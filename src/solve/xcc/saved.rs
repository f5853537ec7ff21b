//! The saved states of open decisions, in memory that is linear in the problem.
//!
//! In: a state, as a slice, each time that a decision opens. Out: the state that was saved last. Only that one is kept
//! whole; of each other one, the entries that differ from the next. Along a path of the search an option is removed at
//! most once, so all differences together are at most as many as the entries of the problem.

/// A stack of states, all of the same length.
#[derive(Debug, Default)]
pub(super) struct Saved<T> {
    last: Vec<T>,
    /// What the entries of an earlier state were where the next state differs.
    earlier: Vec<(u32, T)>,
    /// By state: where its differences from the state before begin.
    starts: Vec<usize>,
}

/// Entries compared at once: most of a state is as it was.
const BLOCK: usize = 32;

impl<T: Copy + PartialEq> Saved<T> {
    pub fn save(&mut self, state: &[T]) {
        self.starts.push(self.earlier.len());
        if self.starts.len() == 1 {
            self.last.clear();
            self.last.extend_from_slice(state);
            return;
        }
        for (block, (old, new)) in self.last.chunks_mut(BLOCK).zip(state.chunks(BLOCK)).enumerate() {
            if old == new {
                continue;
            }
            for (at, (old, new)) in old.iter_mut().zip(new).enumerate() {
                if old != new {
                    self.earlier.push(((block * BLOCK + at) as u32, *old));
                    *old = *new;
                }
            }
        }
    }

    /// Copies the state that was saved last.
    pub fn restore(&self, state: &mut [T]) {
        state.copy_from_slice(&self.last);
    }

    /// Forgets the state that was saved last.
    pub fn close(&mut self) {
        let start = self.starts.pop().unwrap_or(0);
        for (at, old) in self.earlier.drain(start..) {
            self.last[at as usize] = old;
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&*self.last) + size_of_val(&*self.earlier) + size_of_val(&*self.starts)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::Saved;

    #[test]
    fn states_come_back_in_reverse_order() {
        let states: Vec<Vec<u32>> =
            (0..9).map(|n| (0..100).map(|at| if at % 9 < n { n } else { at }).collect()).collect();
        let mut saved = Saved::<u32>::default();
        let mut state = vec![0; 100];
        for _ in 0..2 {
            states.iter().for_each(|state| saved.save(state));
            for expected in states.iter().rev() {
                saved.restore(&mut state);
                assert_eq!(&state, expected);
                saved.close();
            }
            assert!(saved.earlier.is_empty());
        }
    }
}
