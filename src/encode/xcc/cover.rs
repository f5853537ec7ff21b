//! Exact covers with colours and multiplicities (Knuth, TAOCP 7.2.2.1), in a compact representation; and item names.

use crate::encode::Size;
use rustc_hash::FxHashSet;
use std::fmt;

/// The number of an item, from 0.
pub type ItemId = u32;

/// The name of an item: 1 to 8 printable ASCII characters, without those that are special in some format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name([u8; 8]);

impl Name {
    /// The name `text`; `None` if it is not valid.
    pub fn new(text: &str) -> Option<Name> {
        let bytes = text.as_bytes();
        let fits = |byte: &u8| byte.is_ascii_graphic() && !b":|;<>[]".contains(byte);
        if bytes.is_empty() || bytes.len() > 8 || !bytes.iter().all(fits) {
            return None;
        }
        let mut name = [0; 8];
        name[..bytes.len()].copy_from_slice(bytes);
        Some(Name(name))
    }

    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(8);
        std::str::from_utf8(&self.0[..length]).unwrap_or("")
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An item, primary or secondary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    pub name: Name,
    /// For a primary item: the least and the greatest number of chosen options that contain it; the greatest is at
    /// least 1. `None` for a secondary item.
    pub bounds: Option<(u32, u32)>,
}

/// An item in an option. The colour of a secondary item is a printable ASCII character; 0 means no colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    pub item: ItemId,
    pub colour: u8,
}

impl Entry {
    pub fn plain(item: ItemId) -> Entry {
        Entry { item, colour: 0 }
    }
}

/// The colours, in order; all programs accept these 62.
pub const COLOURS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// An exact cover problem: items and options. The number of chosen options with a primary item must be within its
/// bounds. A secondary item without colour is in at most one chosen option; with colours, in any number of options
/// that agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    pub items: Vec<Item>,
    entries: Vec<Entry>,
    /// The end of each option in `entries`.
    ends: Vec<u32>,
}

impl Cover {
    pub fn add_item(&mut self, name: Name, bounds: Option<(u32, u32)>) -> ItemId {
        self.items.push(Item { name, bounds });
        self.items.len() as ItemId - 1
    }

    /// Adds an option; no item twice.
    pub fn add_option(&mut self, entries: &[Entry]) -> usize {
        self.entries.extend_from_slice(entries);
        self.ends.push(self.entries.len() as u32);
        self.ends.len() - 1
    }

    pub fn option_count(&self) -> usize {
        self.ends.len()
    }

    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// The numbers of primary items, secondary items and options.
    pub fn sizes(&self) -> Vec<Size> {
        let primary = self.items.iter().filter(|item| item.bounds.is_some()).count() as u64;
        vec![
            ("primary items", primary),
            ("secondary items", self.items.len() as u64 - primary),
            ("options", self.option_count() as u64),
        ]
    }

    pub fn option(&self, at: usize) -> &[Entry] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.entries[start as usize..self.ends[at] as usize]
    }

    pub fn options(&self) -> impl Iterator<Item = &[Entry]> {
        (0..self.option_count()).map(|at| self.option(at))
    }

    /// Adds one item to each of some options, which are in ascending order.
    pub(super) fn mark(&mut self, marks: &[(usize, ItemId)]) {
        if marks.is_empty() {
            return;
        }
        let mut marked = Cover { items: std::mem::take(&mut self.items), ..Cover::default() };
        let mut marks = marks.iter().peekable();
        for (at, option) in self.options().enumerate() {
            marked.entries.extend_from_slice(option);
            if let Some((_, item)) = marks.next_if(|mark| mark.0 == at) {
                marked.entries.push(Entry::plain(*item));
            }
            marked.ends.push(marked.entries.len() as u32);
        }
        *self = marked;
    }

    /// A lower bound on the options of a solution: each primary item adds its lower bound, divided by the number of
    /// primary items in the largest option that contains it.
    pub fn least_options(&self) -> usize {
        let mut largest = vec![1usize; self.items.len()];
        for option in self.options() {
            let primary = option.iter().filter(|entry| self.is_primary(entry.item)).count();
            for entry in option {
                let most = &mut largest[entry.item as usize];
                *most = primary.max(*most);
            }
        }
        let needs =
            self.items.iter().zip(&largest).filter_map(|(item, largest)| {
                item.bounds.map(|(least, _)| f64::from(least) / *largest as f64)
            });
        // subtract a little against rounding errors
        (needs.sum::<f64>() - 1e-6).ceil().max(0.0) as usize
    }

    pub fn is_primary(&self, item: ItemId) -> bool {
        self.items[item as usize].bounds.is_some()
    }
}

/// A generator of unique names.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: FxHashSet<Name>,
    count: u64,
}

impl Names {
    /// The wished name if it is valid and still free; otherwise a number in base 62.
    pub fn take(&mut self, wish: &str) -> Name {
        // dlx3 prints `null` for items that need no more options; in a variant of dlx2 `#` means preference
        let wished = Name::new(wish).filter(|_| wish != "null" && !wish.starts_with('#'));
        if let Some(name) = wished
            && self.taken.insert(name)
        {
            return name;
        }
        loop {
            let mut digits = Vec::new();
            let mut rest = self.count;
            self.count += 1;
            while rest > 0 || digits.is_empty() {
                digits.push(COLOURS[(rest % 62) as usize]);
                rest /= 62;
            }
            digits.reverse();
            let mut bytes = [0; 8];
            bytes[..digits.len()].copy_from_slice(&digits);
            if self.taken.insert(Name(bytes)) {
                return Name(bytes);
            }
        }
    }
}

/// A short form of `row 3` or `x[3, 4]`: the initials of words, and numbers with commas between.
pub(super) fn brief(text: &str) -> String {
    let mut brief = String::new();
    let mut after_number = false;
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| !word.is_empty()) {
        let at = word.find(|c: char| c.is_ascii_digit()).unwrap_or(word.len());
        let (letters, number) = word.split_at(at);
        let letters = letters.trim_start_matches('-');
        if letters.is_empty() && after_number {
            brief.push(',');
        }
        brief.extend(letters.chars().next());
        if word.starts_with('-') && letters.is_empty() && !number.is_empty() {
            brief.push('-');
        }
        brief.push_str(number);
        after_number = !number.is_empty();
    }
    brief
}

/// `x[3, 4]` without brackets and blanks, or its short form if that is too long.
pub(super) fn var_name(text: &str) -> String {
    let full: String = match text.split_once('[') {
        Some((head, keys)) => head
            .chars()
            .chain(keys.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, ',' | '-')))
            .collect(),
        None => text.into(),
    };
    if Name::new(&full).is_some() { full } else { brief(text) }
}
