//! Hash-consing: equal nodes are shared.

use super::{Arena, Bool, Int, Node, Op, Pool};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

impl Arena {
    pub(super) fn bool(&mut self, op: Op, a: u32, b: u32, k: i64, pool: Pool<'_>) -> Bool {
        let hash = hash_of(op, a, b, k, &pool);
        let found = self.bool_table.find(hash, |&i| self.same(self.bools[i as usize], op, a, b, k, &pool));
        if let Some(index) = found {
            return Bool(index << 1);
        }
        let node = self.place(op, a, b, k, &pool);
        let index = self.bools.len() as u32;
        assert!(index < u32::MAX / 2, "more terms than numbers for them");
        self.bools.push(node);
        let mut table = std::mem::take(&mut self.bool_table);
        table.insert_unique(hash, index, |&i| self.rehash(self.bools[i as usize]));
        self.bool_table = table;
        Bool(index << 1)
    }

    pub(super) fn int(&mut self, op: Op, a: u32, b: u32, k: i64, pool: Pool<'_>, bounds: (i64, i64)) -> Int {
        let hash = hash_of(op, a, b, k, &pool);
        let found = self.int_table.find(hash, |&i| self.same(self.ints[i as usize], op, a, b, k, &pool));
        if let Some(index) = found {
            return Int(*index);
        }
        let node = self.place(op, a, b, k, &pool);
        let index = self.ints.len() as u32;
        assert!(index < u32::MAX, "more terms than numbers for them");
        self.ints.push(node);
        self.bounds.push(bounds);
        let mut table = std::mem::take(&mut self.int_table);
        table.insert_unique(hash, index, |&i| self.rehash(self.ints[i as usize]));
        self.int_table = table;
        Int(index)
    }

    fn same(&self, node: Node, op: Op, a: u32, b: u32, k: i64, pool: &Pool<'_>) -> bool {
        if node.op != op || node.k != k {
            return false;
        }
        let at = node.a as usize;
        match pool {
            Pool::Nothing => node.a == a && node.b == b,
            Pool::Bools(list) => node.b == b && self.bool_parts[at..at + b as usize] == **list,
            Pool::Ints(list) => node.b == b && self.int_parts[at..at + b as usize] == **list,
            Pool::Arms(list) => node.b == b && self.arms[at..at + b as usize] == **list,
            Pool::Terms(list) => node.b == b && self.terms[at..at + b as usize] == **list,
            Pool::Runs(runs) => self.runs[at] == **runs,
            Pool::Regular(regular) => self.regulars[at] == **regular,
            Pool::Roots(list) => node.b == b && self.roots[at..at + b as usize] == **list,
        }
    }

    fn place(&mut self, op: Op, a: u32, b: u32, k: i64, pool: &Pool<'_>) -> Node {
        let a = match pool {
            Pool::Nothing => a,
            Pool::Bools(list) => append(&mut self.bool_parts, list),
            Pool::Ints(list) => append(&mut self.int_parts, list),
            Pool::Arms(list) => append(&mut self.arms, list),
            Pool::Terms(list) => append(&mut self.terms, list),
            Pool::Runs(runs) => {
                self.runs.push((*runs).clone());
                offset(self.runs.len() - 1)
            }
            Pool::Regular(regular) => {
                self.regulars.push((*regular).clone());
                offset(self.regulars.len() - 1)
            }
            Pool::Roots(list) => append(&mut self.roots, list),
        };
        Node { op, a, b, k }
    }

    fn rehash(&self, node: Node) -> u64 {
        let (a, b) = (node.a as usize, node.b as usize);
        let pool = match node.op {
            Op::And => Pool::Bools(&self.bool_parts[a..a + b]),
            Op::Distinct | Op::Min | Op::Max => Pool::Ints(&self.int_parts[a..a + b]),
            Op::Select => Pool::Arms(&self.arms[a..a + b]),
            Op::Le | Op::Eq | Op::Sum => Pool::Terms(&self.terms[a..a + b]),
            Op::Runs => Pool::Runs(&self.runs[a]),
            Op::Regular => Pool::Regular(&self.regulars[a]),
            Op::Connected | Op::Tree | Op::Acyclic | Op::Partition | Op::Reaches => {
                Pool::Roots(&self.roots[a..a + b])
            }
            _ => Pool::Nothing,
        };
        hash_of(node.op, node.a, node.b, node.k, &pool)
    }
}

fn append<T: Copy>(pool: &mut Vec<T>, list: &[T]) -> u32 {
    pool.extend_from_slice(list);
    offset(pool.len() - list.len())
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("pools below 2^32 entries; the memory budget ends a run long before")
}

fn hash_of(op: Op, a: u32, b: u32, k: i64, pool: &Pool<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    (op as u8, k).hash(&mut hasher);
    match pool {
        Pool::Nothing => (a, b).hash(&mut hasher),
        Pool::Bools(list) => list.hash(&mut hasher),
        Pool::Ints(list) => list.hash(&mut hasher),
        Pool::Arms(list) => list.hash(&mut hasher),
        Pool::Terms(list) => list.hash(&mut hasher),
        Pool::Runs(runs) => runs.hash(&mut hasher),
        Pool::Regular(regular) => regular.hash(&mut hasher),
        Pool::Roots(list) => list.hash(&mut hasher),
    }
    hasher.finish()
}
