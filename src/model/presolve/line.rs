//! Propagation of automata: which symbols of a partially known word occur in some accepted word.

use super::super::Block;

/// No state.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The largest table of states and positions; larger constraints do not propagate.
pub(super) const MOST_CELLS: usize = 1 << 24;

/// The possible symbols of each position, in one list.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    pub(super) symbols: Vec<u32>,
    /// The end of each position's symbols.
    pub(super) ends: Vec<usize>,
}

impl Choices {
    pub(super) fn range(&self, position: usize) -> std::ops::Range<usize> {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        start..self.ends[position]
    }
}

/// An automaton with at most two successors for each state and symbol.
pub(super) trait Transitions {
    fn states(&self) -> usize;
    fn start(&self) -> u32;
    fn accepts(&self, state: u32) -> bool;
    fn next(&self, state: u32, symbol: u32) -> [u32; 2];
}

/// For each choice: does it occur in an accepted word? `None`: no word is accepted.
pub(super) fn supported(automaton: &impl Transitions, choices: &Choices) -> Option<Vec<bool>> {
    let (states, length) = (automaton.states(), choices.ends.len());
    let mut reached = vec![false; states * (length + 1)];
    reached[automaton.start() as usize] = true;
    for position in 0..length {
        let (before, after) = reached.split_at_mut((position + 1) * states);
        let here = &before[position * states..];
        for state in (0..states).filter(|state| here[*state]) {
            for symbol in &choices.symbols[choices.range(position)] {
                for next in automaton.next(state as u32, *symbol) {
                    if next != NOWHERE {
                        after[next as usize] = true;
                    }
                }
            }
        }
    }
    // backwards: `alive` are the states of the next layer from which acceptance is possible
    let mut alive: Vec<bool> = (0..states)
        .map(|state| reached[length * states + state] && automaton.accepts(state as u32))
        .collect();
    if !alive.contains(&true) {
        return None;
    }
    let mut result = vec![false; choices.symbols.len()];
    for position in (0..length).rev() {
        let mut before = vec![false; states];
        for state in (0..states).filter(|state| reached[position * states + *state]) {
            for choice in choices.range(position) {
                let targets = automaton.next(state as u32, choices.symbols[choice]);
                if targets.iter().any(|next| *next != NOWHERE && alive[*next as usize]) {
                    result[choice] = true;
                    before[state] = true;
                }
            }
        }
        alive = before;
    }
    Some(result)
}

/// The transitions of a state of a [`RunsAutomaton`].
#[derive(Clone, Copy, Debug)]
struct State {
    off: u32,
    on: [u32; 2],
    accepts: bool,
}

/// The automaton of a list of blocks: reads cells, 1 for true, and accepts if they form the runs.
#[derive(Clone, Debug)]
pub(super) struct RunsAutomaton(Vec<State>);

impl RunsAutomaton {
    /// An upper bound on the number of states.
    pub(super) fn size(blocks: &[Block]) -> usize {
        blocks.iter().fold(1, |sum, block| {
            sum.saturating_add(match block {
                Block::Length(length) => *length as usize + 1,
                Block::AnyLength => 2,
                Block::AnyRuns => 1,
            })
        })
    }

    pub(super) fn new(blocks: &[Block]) -> RunsAutomaton {
        let gap = |at: usize| State { off: at as u32, on: [NOWHERE; 2], accepts: false };
        let mut states = vec![gap(0)];
        let mut gaps = vec![0];
        for block in blocks {
            let here = gaps[gaps.len() - 1];
            let first = states.len();
            match block {
                Block::AnyRuns => {
                    // a second `"*"` in the same gap changes nothing
                    if states[here].on[1] == NOWHERE {
                        states[here].on[1] = first as u32;
                        let off = here as u32;
                        states.push(State { off, on: [first as u32, NOWHERE], accepts: false });
                    }
                    continue;
                }
                Block::AnyLength => {
                    let off = first as u32 + 1;
                    states.push(State { off, on: [first as u32, NOWHERE], accepts: false });
                }
                Block::Length(length) => {
                    for step in 1..=*length {
                        let next = first as u32 + step;
                        let last = step == *length;
                        states.push(State {
                            off: if last { next } else { NOWHERE },
                            on: [if last { NOWHERE } else { next }, NOWHERE],
                            accepts: false,
                        });
                    }
                }
            }
            states[here].on[0] = first as u32;
            gaps.push(states.len());
            states.push(gap(states.len()));
        }
        // a line may end in the last gap, or in a run that leads to it
        let end = gaps[gaps.len() - 1] as u32;
        for state in &mut states {
            state.accepts = state.off == end;
        }
        RunsAutomaton(states)
    }
}

impl Transitions for RunsAutomaton {
    fn states(&self) -> usize {
        self.0.len()
    }

    fn start(&self) -> u32 {
        0
    }

    fn accepts(&self, state: u32) -> bool {
        self.0[state as usize].accepts
    }

    fn next(&self, state: u32, symbol: u32) -> [u32; 2] {
        let state = &self.0[state as usize];
        if symbol == 0 { [state.off, NOWHERE] } else { state.on }
    }
}

/// A deterministic automaton, or its complement if not `wanted`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub(super) automaton: &'a super::super::Automaton,
    pub(super) wanted: bool,
}

impl Transitions for Word<'_> {
    fn states(&self) -> usize {
        self.automaton.accepting.len()
    }

    fn start(&self) -> u32 {
        self.automaton.start
    }

    fn accepts(&self, state: u32) -> bool {
        self.automaton.accepting[state as usize] == self.wanted
    }

    fn next(&self, state: u32, symbol: u32) -> [u32; 2] {
        [self.automaton.next[(state * self.automaton.symbols + symbol) as usize], NOWHERE]
    }
}
