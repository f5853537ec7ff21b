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
