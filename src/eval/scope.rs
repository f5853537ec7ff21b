//! Scopes: the meaning of names, file by file.

use super::ir::{DefId, GlobalId};
use super::value::Value;
use crate::shared::Span;
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub enum Meaning {
    Global(GlobalId),
    Def(DefId),
    /// An enum (the list of its members) or a member.
    Const(Value),
}

#[derive(Clone, Debug)]
pub struct Named {
    pub meaning: Meaning,
    pub span: Span,
}

/// The names visible to the items of one file: its own, then imported ones.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub names: FxHashMap<Rc<str>, Named>,
}

impl Scope {
    pub fn get(&self, name: &str) -> Option<&Named> {
        self.names.get(name)
    }
}

/// The candidate nearest to a misspelt name, if one is near.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = ((name.chars().count() + 1) / 3).max(1);
    candidates
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *candidate != name)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edits (insert, delete, replace, swap neighbours) from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let same = usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
                let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + same);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}
