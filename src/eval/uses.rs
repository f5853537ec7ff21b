//! Dependencies: the names that a frame mentions, directly and through functions and lets.

use super::ir::{DefId, GlobalId};
use super::resolve::Resolver;
use rustc_hash::{FxHashMap, FxHashSet};

/// The names that frames mention, before the closure over functions and lets.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) globals: Vec<GlobalId>,
    pub(super) calls: Vec<DefId>,
}

impl Found {
    pub(super) fn add(&mut self, other: &Found) {
        self.globals.extend(&other.globals);
        self.calls.extend(&other.calls);
    }
}

pub(super) fn found(resolver: &Resolver<'_>) -> Found {
    Found { globals: resolver.uses.clone(), calls: resolver.calls.clone() }
}

#[derive(Default)]
pub(super) struct Uses {
    pub(super) globals: FxHashMap<u32, Found>,
    pub(super) defs: FxHashMap<u32, Found>,
    pub(super) rules: Vec<Found>,
    pub(super) shows: Vec<Found>,
}

impl Uses {
    pub(super) fn closure(&self, start: Option<&Found>) -> FxHashSet<GlobalId> {
        let mut globals = FxHashSet::default();
        let mut defs = FxHashSet::default();
        let mut queue: Vec<&Found> = start.into_iter().collect();
        while let Some(found) = queue.pop() {
            for id in &found.globals {
                if globals.insert(*id) {
                    queue.extend(self.globals.get(&id.0));
                }
            }
            for id in &found.calls {
                if defs.insert(*id) {
                    queue.extend(self.defs.get(&id.0));
                }
            }
        }
        globals
    }
}
