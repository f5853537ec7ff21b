//! Lines of entries: runs, and regular expressions.

use super::value::Value;
use std::collections::BTreeSet;
use std::fmt;

/// A length of `runs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    Of(usize),
    /// A run of unknown length.
    Some,
    /// Any runs, or none.
    Any,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Run::Of(length) => length.fmt(f),
            Run::Some => f.write_str("\"?\""),
            Run::Any => f.write_str("\"*\""),
        }
    }
}

/// Do the true entries form these runs?
pub fn are_runs(on: &[bool], runs: &[Run]) -> bool {
    let lengths: Vec<usize> = on.split(|on| !on).map(<[bool]>::len).filter(|length| *length > 0).collect();
    fits(&lengths, runs)
}

fn fits(lengths: &[usize], runs: &[Run]) -> bool {
    match runs {
        [] => lengths.is_empty(),
        [Run::Of(0), rest @ ..] => fits(lengths, rest),
        [Run::Any, rest @ ..] => (0..=lengths.len()).any(|at| fits(&lengths[at..], rest)),
        [run, rest @ ..] => match lengths {
            [first, others @ ..] => (*run == Run::Some || *run == Run::Of(*first)) && fits(others, rest),
            [] => false,
        },
    }
}

#[derive(Clone, Debug)]
pub enum Regex {
    Sign(char),
    /// Any sign.
    Dot,
    /// Any sign but this.
    Except(char),
    Then(Vec<Regex>),
    Or(Vec<Regex>),
    /// At least so often, and at most once if not as often as you like.
    Repeated(Box<Regex>, char),
}

impl Regex {
    /// Is the list a word of it?
    pub fn matches(&self, list: &[Value]) -> bool {
        let word: Vec<char> = list.iter().map(|value| sign(*value)).collect();
        self.ends(&word, 0).contains(&word.len())
    }

    /// Where a word of it may end that begins at a place.
    fn ends(&self, word: &[char], from: usize) -> BTreeSet<usize> {
        let one = |fits: bool| if fits { BTreeSet::from([from + 1]) } else { BTreeSet::new() };
        let next = word.get(from);
        match self {
            Regex::Sign(sign) => one(next == Some(sign)),
            Regex::Dot => one(next.is_some()),
            Regex::Except(sign) => one(next.is_some_and(|next| next != sign)),
            Regex::Or(parts) => parts.iter().flat_map(|part| part.ends(word, from)).collect(),
            Regex::Then(parts) => parts.iter().fold(BTreeSet::from([from]), |ends, part| {
                ends.iter().flat_map(|end| part.ends(word, *end)).collect()
            }),
            Regex::Repeated(part, how) => {
                let mut ends = if *how == '+' { BTreeSet::new() } else { BTreeSet::from([from]) };
                let mut open = vec![from];
                while let Some(at) = open.pop() {
                    for end in part.ends(word, at) {
                        if ends.insert(end) && *how != '?' {
                            open.push(end);
                        }
                    }
                }
                ends
            }
        }
    }
}

/// The one-character text of an entry.
fn sign(value: Value) -> char {
    match value {
        Value::None => '.',
        Value::Bool(truth) => {
            if truth {
                '1'
            } else {
                '0'
            }
        }
        Value::Int(number) => char::from_digit(number as u32, 10).expect("a digit"),
        Value::Text(text) | Value::Member(_, text) => text.chars().next().expect("a character"),
        Value::Pair(..) => unreachable!("a pair in a word"),
    }
}

impl fmt::Display for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Regex::Sign(sign) => sign.fmt(f),
            Regex::Dot => f.write_str("."),
            Regex::Except(sign) => write!(f, "[^{sign}]"),
            Regex::Then(parts) => parts.iter().try_for_each(|part| part.fmt(f)),
            Regex::Or(parts) => {
                let texts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "({})", texts.join("|"))
            }
            Regex::Repeated(part, how) => write!(f, "({part}){how}"),
        }
    }
}
