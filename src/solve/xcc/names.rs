//! Names, numbered in order of first appearance: one flat array of bytes and a hash table of numbers.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    bytes: Vec<u8>,
    /// Where each name ends.
    ends: Vec<usize>,
    table: HashTable<u32>,
}

impl Names {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.bytes[start..self.ends[id]]
    }

    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.table.find(xxh3_64(name), |id| self.get(*id) == name).copied()
    }

    /// The number of a name, and whether it is new.
    pub fn intern(&mut self, name: &[u8]) -> (u32, bool) {
        if let Some(id) = self.find(name) {
            return (id, false);
        }
        let id = self.ends.len() as u32;
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len());
        let Names { bytes, ends, table } = self;
        let name_of = |id: u32| {
            let id = id as usize;
            &bytes[if id == 0 { 0 } else { ends[id - 1] }..ends[id]]
        };
        table.insert_unique(xxh3_64(name), id, |id| xxh3_64(name_of(*id)));
        (id, true)
    }
}
