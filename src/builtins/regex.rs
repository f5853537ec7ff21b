//! Regular expressions → complete deterministic automata over a small alphabet.
//!
//! The size of the expression is bounded before and after determinisation, so no text can exhaust memory.

use crate::model::Automaton;
use crate::shared::{Budget, Stop};
use regex_automata::Anchored;
use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::{primitives::StateID, start, syntax};
use rustc_hash::FxHashMap;
use std::rc::Rc;

const SIZE: usize = 10 << 20;
const MOST_STATES: usize = 100_000;

/// The automaton that accepts exactly the whole words of `pattern` over `alphabet` (a symbol is a position
/// there).
pub(super) fn automaton(pattern: &str, alphabet: &[char], budget: &Budget) -> Result<Rc<Automaton>, Unfit> {
    // the intermediate automata, and the tables of the library
    budget.charge(8 * SIZE as u64)?;
    let anchored = format!("^(?:{pattern})$");
    let dfa = dense::Builder::new()
        .configure(
            dense::Config::new()
                .start_kind(StartKind::Anchored)
                .minimize(anchored.len() < 400)
                .dfa_size_limit(Some(SIZE))
                .determinize_size_limit(Some(SIZE)),
        )
        .syntax(syntax::Config::new().multi_line(false))
        .thompson(thompson::Config::new().nfa_size_limit(Some(SIZE)))
        .build(&anchored)
        .map_err(|error| unusable(pattern, reason(&error)))?;
    let begin = dfa
        .start_state(&start::Config::new().anchored(Anchored::Yes))
        .map_err(|error| unusable(pattern, error.to_string()))?;
    let mut numbers: FxHashMap<StateID, u32> = FxHashMap::default();
    let mut states = vec![begin];
    numbers.insert(begin, 0);
    let mut next = Vec::new();
    let mut accepting = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let state = states[at];
        accepting.push(dfa.is_match_state(dfa.next_eoi_state(state)));
        for c in alphabet {
            let mut to = state;
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                to = dfa.next_state(to, byte);
            }
            let number = *numbers.entry(to).or_insert_with(|| {
                states.push(to);
                states.len() as u32 - 1
            });
            next.push(number);
        }
        budget.step(alphabet.len() as u64 + 1)?;
        at += 1;
        if states.len() > MOST_STATES {
            return Err(Unfit::Pattern(format!("`{pattern}` needs more than {MOST_STATES} states")));
        }
    }
    Ok(Rc::new(Automaton { symbols: alphabet.len() as u32, start: 0, accepting, next }))
}

/// Why there is no automaton.
pub(super) enum Unfit {
    Pattern(String),
    Stop(Stop),
}

impl From<Stop> for Unfit {
    fn from(stop: Stop) -> Unfit {
        Unfit::Stop(stop)
    }
}

fn unusable(pattern: &str, why: String) -> Unfit {
    Unfit::Pattern(format!("`{pattern}` is no usable regular expression: {why}"))
}

fn reason(error: &dense::BuildError) -> String {
    use std::error::Error;
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    text.lines().last().unwrap_or("").trim_start_matches("error: ").to_string()
}
