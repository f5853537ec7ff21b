//! Lines of cells: runs (as in nonograms) by block starts or by an automaton, regular constraints by an automaton.
//!
//! In: cells or a word, with blocks or an automaton. Out: clauses, or the literal of acceptance.
//!
//! Block starts in order encoding are a fifth of the size of an automaton, and solvers are faster with them. An
//! unrolled automaton has one literal for each reachable state and position (Bacchus, CP 2007; Quimper and Walsh
//! 2007), each defined by the states before it.

use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use super::{EncodeError, Line};
use crate::encode::Lit;
use crate::encode::runs::runs_machine;
use crate::model::{Automaton, Block, Regular, Runs};

impl Emitter<'_> {
    pub(super) fn assert_runs(&mut self, runs: &Runs) -> Result<(), EncodeError> {
        let lengths: Option<Vec<usize>> = runs
            .blocks
            .iter()
            .map(|block| match block {
                Block::Length(n) => Some(*n as usize),
                _ => None,
            })
            .collect();
        match lengths {
            Some(lengths) if self.enc.options.line != Line::Automaton => {
                self.chose("runs", "starts");
                self.starts(runs, &lengths)
            }
            _ => {
                self.chose("runs", "automaton");
                let end = self.runs_automaton(runs, true)?;
                self.clause(&[end]);
                Ok(())
            }
        }
    }

    /// Order-encoded starts. `begun(b, p)` means: block b starts at or before its leftmost place plus p.
    fn starts(&mut self, runs: &Runs, lengths: &[usize]) -> Result<(), EncodeError> {
        let mut cells = Vec::with_capacity(runs.cells.len());
        for cell in &runs.cells {
            cells.push(self.literal(*cell)?);
        }
        let n = cells.len();
        let total: usize = lengths.iter().sum::<usize>() + lengths.len().saturating_sub(1);
        if lengths.is_empty() {
            cells.iter().for_each(|cell| self.clause(&[-cell]));
            return Ok(());
        }
        if total > n {
            self.clause(&[]);
            return Ok(());
        }
        let slack = n - total;
        let mut begun: Vec<Vec<Lit>> = Vec::with_capacity(lengths.len());
        for _ in lengths {
            let mut row = Vec::with_capacity(slack);
            for _ in 0..slack {
                row.push(self.fresh()?);
            }
            begun.push(row);
        }
        // begun at offset p or before: true beyond the slack, false below 0
        let at = |b: usize, p: i64| -> Lit {
            if p < 0 { FALSE } else { begun[b].get(p as usize).copied().unwrap_or(TRUE) }
        };
        for b in 0..lengths.len() {
            self.step(slack as u64 + 1)?;
            for p in 0..slack as i64 {
                self.clause(&[-at(b, p), at(b, p + 1)]);
                if b + 1 < lengths.len() {
                    self.clause(&[-at(b + 1, p), at(b, p)]);
                }
            }
        }
        let mut left = Vec::with_capacity(lengths.len());
        let mut place = 0;
        for length in lengths {
            left.push(place as i64);
            place += length + 1;
        }
        for (c, cell) in cells.iter().enumerate() {
            self.step(lengths.len() as u64)?;
            let c = c as i64;
            for (b, length) in lengths.iter().enumerate() {
                // the block covers c if it begins at or before c, and after c - length
                let (now, ended) = (at(b, c - left[b]), at(b, c - left[b] - *length as i64));
                self.clause(&[-now, ended, *cell]);
            }
            for b in 0..=lengths.len() {
                // a cell after the end of block b - 1 and before the start of block b is off
                let ended = match b {
                    0 => TRUE,
                    b => at(b - 1, c - left[b - 1] - lengths[b - 1] as i64),
                };
                let begins = if b == lengths.len() { FALSE } else { at(b, c - left[b]) };
                self.clause(&[-ended, begins, -cell]);
            }
        }
        Ok(())
    }

    /// The literal of "the cells form the runs", by an automaton over block positions.
    pub(super) fn runs_automaton(&mut self, runs: &Runs, asserted: bool) -> Result<Lit, EncodeError> {
        let mut word = Vec::with_capacity(runs.cells.len());
        for cell in &runs.cells {
            let lit = self.literal(*cell)?;
            word.push(vec![(-lit, 0), (lit, 1)]);
        }
        let machine = runs_machine(&runs.blocks, runs.cells.len(), self.budget).map_err(EncodeError::Stop)?;
        self.unroll(&machine, &word, asserted)
    }

    /// The literal of "the word is accepted".
    pub(super) fn regular(&mut self, regular: &Regular, asserted: bool) -> Result<Lit, EncodeError> {
        let automaton = &regular.automaton;
        let mut word = Vec::with_capacity(regular.word.len());
        for position in &regular.word {
            let mut letters: Vec<(Lit, u32)> = Vec::with_capacity(position.len());
            for (cond, symbol) in position {
                let lit = self.literal(*cond)?;
                letters.push((lit, *symbol));
            }
            word.push(letters);
        }
        self.unroll(automaton, &word, asserted)
    }

    /// One literal for each state and position, equivalent to "the word so far leads to this state". Follows only
    /// states from which acceptance is possible; if `asserted`, clauses forbid the others.
    fn unroll(
        &mut self,
        machine: &Automaton,
        word: &[Vec<(Lit, u32)>],
        asserted: bool,
    ) -> Result<Lit, EncodeError> {
        let n = word.len();
        let states = machine.accepting.len();
        self.budget.charge(((n + 1) * states) as u64).map_err(EncodeError::Stop)?;
        let mut useful = vec![vec![false; states]; n + 1];
        useful[n] = machine.accepting.clone();
        for at in (0..n).rev() {
            self.step((states * word[at].len()) as u64)?;
            for state in 0..states {
                useful[at][state] = word[at]
                    .iter()
                    .any(|(lit, symbol)| *lit != FALSE && useful[at + 1][machine.step(state, *symbol)]);
            }
        }
        let mut now: Vec<Lit> = vec![FALSE; states];
        now[machine.start as usize] = TRUE;
        for at in 0..n {
            self.step(states as u64)?;
            let mut arrivals: Vec<Vec<(Lit, Lit)>> = vec![Vec::new(); states];
            for state in (0..states).filter(|state| now[*state] != FALSE) {
                for (lit, symbol) in &word[at] {
                    let to = machine.step(state, *symbol);
                    if *lit == FALSE {
                        continue;
                    }
                    if useful[at + 1][to] {
                        arrivals[to].push((now[state], *lit));
                    } else if asserted {
                        self.clause(&[-now[state], -lit]);
                    }
                }
            }
            let mut next = vec![FALSE; states];
            for (state, ways) in arrivals.iter().enumerate().filter(|(_, ways)| !ways.is_empty()) {
                next[state] = if let [(from, lit)] = ways[..] {
                    self.and_lit([from, lit])?
                } else {
                    self.arrival(ways, &word[at])?
                };
            }
            now = next;
        }
        let accepted: Vec<Lit> =
            (0..states).filter(|state| machine.accepting[*state]).map(|state| now[state]).collect();
        self.or_lit(accepted)
    }

    /// The literal of a state with several incoming transitions, each from a state by a letter. Exactly one letter
    /// occurs at the position, so the state and the letter imply one of the possible source states.
    fn arrival(&mut self, ways: &[(Lit, Lit)], letters: &[(Lit, u32)]) -> Result<Lit, EncodeError> {
        if ways.iter().all(|(from, _)| *from == TRUE) {
            return self.or_lit(ways.iter().map(|(_, letter)| *letter));
        }
        let state = self.fresh()?;
        for (from, letter) in ways {
            self.clause(&[-from, -letter, state]);
        }
        for (letter, _) in letters {
            let mut clause = vec![-state, -letter];
            clause.extend(ways.iter().filter(|(_, by)| by == letter).map(|(from, _)| *from));
            self.clause(&clause);
        }
        Ok(state)
    }
}
