//! Cleanup when the process ends early: process groups, files and folders that this process made.
//!
//! The creator registers each for as long as it exists. The code that ends the process removes them all.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

/// Something that would be left over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// A group of processes, by its number.
    Group(i32),
    File(PathBuf),
    Folder(PathBuf),
}

static LEFT: Mutex<Vec<(u64, Leftover)>> = Mutex::new(Vec::new());

fn left() -> MutexGuard<'static, Vec<(u64, Leftover)>> {
    LEFT.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Keeps something registered while this lives.
#[derive(Debug)]
pub struct Registered(u64);

impl Leftover {
    #[must_use]
    pub fn register(self) -> Registered {
        let mut left = left();
        let number = left.last().map_or(0, |(last, _)| last + 1);
        left.push((number, self));
        Registered(number)
    }

    /// Everything registered, process groups first: they may write to the files.
    pub fn all() -> Vec<Leftover> {
        let (groups, others): (Vec<_>, Vec<_>) =
            left().iter().map(|(_, left)| left.clone()).partition(|left| matches!(left, Leftover::Group(_)));
        groups.into_iter().chain(others).collect()
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        left().retain(|(number, _)| *number != self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registered_leftovers_are_listed_until_dropped() {
        let file = |name: &str| Leftover::File(PathBuf::from(name));
        let first = file("/a file of this test").register();
        let group = Leftover::Group(-77);
        let kept = group.clone().register();
        let registered = || -> Vec<Leftover> {
            Leftover::all()
                .into_iter()
                .filter(|l| *l == group || *l == file("/a file of this test"))
                .collect()
        };
        assert_eq!(registered(), [group.clone(), file("/a file of this test")]);
        drop(first);
        assert_eq!(registered(), std::slice::from_ref(&group));
        drop(kept);
        assert_eq!(registered(), []);
    }
}
