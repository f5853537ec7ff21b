//! Variables by activity: a binary heap that knows where each variable is.

/// Variables out of `0..n`; those preferred come first, then those of higher activity.
#[derive(Debug)]
pub struct Heap {
    heap: Vec<u32>,
    /// Where a variable is in `heap`, [`ABSENT`] if it is not.
    place: Vec<u32>,
    key: Vec<Key>,
    increment: f64,
    random: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Key {
    preferred: bool,
    activity: f64,
}

const ABSENT: u32 = u32::MAX;
const SCALE: f64 = 1e100;
const DECAY: f64 = 0.95;

impl Heap {
    /// With seed 0, variables come in the order of their numbers at first.
    pub fn new(seed: u32) -> Heap {
        Heap { heap: Vec::new(), place: Vec::new(), key: Vec::new(), increment: 1.0, random: seed.into() }
    }

    /// Makes room for `n` variables; new ones are in the heap.
    pub fn grow(&mut self, n: usize) {
        while self.place.len() < n {
            self.place.push(ABSENT);
            self.random = self.random.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            // Less than what any conflict adds.
            let activity = (self.random >> 11) as f64 / (1_u64 << 60) as f64;
            self.key.push(Key { preferred: false, activity });
            self.insert(self.place.len() as u32 - 1);
        }
    }

    pub fn insert(&mut self, var: u32) {
        if self.place[var as usize] == ABSENT {
            self.place[var as usize] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    pub fn pop(&mut self) -> Option<u32> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[top as usize] = ABSENT;
        if last != top {
            self.heap[0] = last;
            self.down(0);
        }
        Some(top)
    }

    /// Prefers exactly `vars`.
    pub fn prefer(&mut self, vars: impl Iterator<Item = u32>) {
        for key in &mut self.key {
            key.preferred = false;
        }
        for var in vars {
            self.key[var as usize].preferred = true;
        }
        for at in (0..self.heap.len() / 2).rev() {
            self.down(at);
        }
    }

    /// A variable was part of a conflict.
    pub fn bump(&mut self, var: u32) {
        let key = &mut self.key[var as usize];
        key.activity += self.increment;
        if key.activity > SCALE {
            self.rescale();
        }
        let place = self.place[var as usize];
        if place != ABSENT {
            self.up(place as usize);
        }
    }

    /// A conflict is over: later ones weigh more.
    pub fn decay(&mut self) {
        self.increment /= DECAY;
        if self.increment > SCALE {
            self.rescale();
        }
    }

    fn rescale(&mut self) {
        for key in &mut self.key {
            key.activity /= SCALE;
        }
        self.increment /= SCALE;
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        let key = self.key[var as usize];
        while at > 0 {
            let above = (at - 1) / 2;
            let other = self.heap[above];
            if self.key[other as usize] >= key {
                break;
            }
            self.put(at, other);
            at = above;
        }
        self.put(at, var);
    }

    fn down(&mut self, mut at: usize) {
        let var = self.heap[at];
        let key = self.key[var as usize];
        loop {
            let left = 2 * at + 1;
            let Some(mut other) = self.heap.get(left).copied() else { break };
            let mut below = left;
            if let Some(right) = self.heap.get(left + 1)
                && self.key[*right as usize] > self.key[other as usize]
            {
                (other, below) = (*right, left + 1);
            }
            if self.key[other as usize] <= key {
                break;
            }
            self.put(at, other);
            at = below;
        }
        self.put(at, var);
    }

    fn put(&mut self, at: usize, var: u32) {
        self.heap[at] = var;
        self.place[var as usize] = at as u32;
    }
}
