//! All models of a list of clauses, by plain backtracking with unit propagation.
//!
//! Independent of the crate on purpose: it judges what the encoder wrote.

/// Calls `found` with every assignment of the variables `1..=variables` (index 0 unused) that satisfies all
/// clauses.
pub fn models(variables: usize, clauses: &[Vec<i32>], found: &mut dyn FnMut(&[bool])) {
    let mut search = Search::new(variables, clauses);
    if !search.start() {
        return;
    }
    let mut decisions: Vec<(usize, bool)> = Vec::new();
    let mut next = 1;
    loop {
        while next <= variables && search.values[next] != 0 {
            next += 1;
        }
        let mut consistent = next <= variables;
        if consistent {
            decisions.push((search.trail.len(), false));
            consistent = search.assume(-(next as i32));
        } else {
            let values: Vec<bool> = search.values.iter().map(|value| *value > 0).collect();
            found(&values);
        }
        while !consistent {
            let Some((height, flipped)) = decisions.pop() else { return };
            let decided = search.trail[height];
            search.undo(height);
            next = next.min(decided.unsigned_abs() as usize);
            if !flipped {
                decisions.push((height, true));
                consistent = search.assume(-decided);
            }
        }
        next = if decisions.is_empty() { 1 } else { next };
    }
}

struct Search<'a> {
    clauses: &'a [Vec<i32>],
    /// Per clause the positions of the two literals looked at.
    looked: Vec<[usize; 2]>,
    /// Per literal the clauses that look at it.
    watchers: Vec<Vec<u32>>,
    /// Per variable 1 true, -1 false, 0 open.
    values: Vec<i8>,
    trail: Vec<i32>,
    done: usize,
}

fn slot(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}

impl<'a> Search<'a> {
    fn new(variables: usize, clauses: &'a [Vec<i32>]) -> Search<'a> {
        let mut watchers = vec![Vec::new(); 2 * variables + 2];
        for (at, clause) in clauses.iter().enumerate() {
            for lit in clause.iter().take(2) {
                watchers[slot(*lit)].push(at as u32);
            }
        }
        Search {
            clauses,
            looked: vec![[0, 1]; clauses.len()],
            watchers,
            values: vec![0; variables + 1],
            trail: Vec::new(),
            done: 0,
        }
    }

    fn value(&self, lit: i32) -> i8 {
        let value = self.values[lit.unsigned_abs() as usize];
        if lit < 0 { -value } else { value }
    }

    fn set(&mut self, lit: i32) {
        self.values[lit.unsigned_abs() as usize] = if lit < 0 { -1 } else { 1 };
        self.trail.push(lit);
    }

    /// Sets what unit clauses say.
    fn start(&mut self) -> bool {
        for clause in self.clauses {
            match clause[..] {
                [] => return false,
                [lit] if self.value(lit) < 0 => return false,
                [lit] if self.value(lit) == 0 => self.set(lit),
                _ => {}
            }
        }
        self.propagate()
    }

    fn assume(&mut self, lit: i32) -> bool {
        self.set(lit);
        self.propagate()
    }

    fn undo(&mut self, height: usize) {
        for lit in self.trail.drain(height..) {
            self.values[lit.unsigned_abs() as usize] = 0;
        }
        self.done = height;
    }

    fn propagate(&mut self) -> bool {
        while self.done < self.trail.len() {
            let falsified = -self.trail[self.done];
            self.done += 1;
            let mut list = std::mem::take(&mut self.watchers[slot(falsified)]);
            let mut at = 0;
            let mut fine = true;
            while at < list.len() {
                let number = list[at] as usize;
                let clause = &self.clauses[number];
                if clause.len() < 2 {
                    // a unit clause was set at the start
                    at += 1;
                    continue;
                }
                let which = usize::from(clause[self.looked[number][0]] != falsified);
                let other = self.looked[number][1 - which];
                if self.value(clause[other]) > 0 {
                    at += 1;
                    continue;
                }
                let next = (0..clause.len())
                    .find(|i| *i != other && clause[*i] != falsified && self.value(clause[*i]) >= 0);
                match next {
                    Some(next) => {
                        self.looked[number][which] = next;
                        self.watchers[slot(clause[next])].push(number as u32);
                        list.swap_remove(at);
                    }
                    None if self.value(clause[other]) < 0 => {
                        fine = false;
                        break;
                    }
                    None => {
                        self.set(clause[other]);
                        at += 1;
                    }
                }
            }
            self.watchers[slot(falsified)] = list;
            if !fine {
                return false;
            }
        }
        true
    }
}

#[test]
fn counts_by_hand() {
    let count = |variables, clauses: &[Vec<i32>]| {
        let mut n = 0;
        models(variables, clauses, &mut |_| n += 1);
        n
    };
    assert_eq!(count(3, &[]), 8);
    assert_eq!(count(3, &[vec![1, 2, 3]]), 7);
    assert_eq!(count(3, &[vec![1, 2, 3], vec![-1, -2], vec![-1, -3], vec![-2, -3]]), 3);
    assert_eq!(count(2, &[vec![1], vec![-1, 2]]), 1);
    assert_eq!(count(2, &[vec![1, 2], vec![-1, 2], vec![1, -2], vec![-1, -2]]), 0);
    assert_eq!(count(1, &[vec![]]), 0);
}
