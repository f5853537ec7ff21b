//! The parameters of a model as text entries: the step between a foreign format and a data file.
//!
//! A codec reads a format into a [`Board`], or writes a board in its format; [`Board::clues`] prints the data
//! file. `params` makes a board from a loaded program, so no codec knows the language.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Entries row by row; an empty text is no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    pub rows: usize,
    pub columns: usize,
    pub entries: Vec<String>,
}

/// The value of one parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A picture with blanks between entries.
    Words(Grid),
    /// A picture with one character for each entry.
    Letters(Grid),
    /// An expression in model syntax: a number, `true`, a quoted string.
    Value(String),
    List(Vec<Item>),
}

/// The data of a puzzle of `model` in a foreign text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub model: &'static str,
    /// Rows and columns of cells.
    pub size: (usize, usize),
    params: Vec<(String, Item)>,
}

impl Grid {
    pub fn new(rows: usize, columns: usize) -> Grid {
        Grid { rows, columns, entries: vec![String::new(); rows * columns] }
    }

    pub fn at(&self, row: usize, column: usize) -> &str {
        &self.entries[row * self.columns + column]
    }

    pub fn set(&mut self, row: usize, column: usize, entry: impl Into<String>) {
        self.entries[row * self.columns + column] = entry.into();
    }

    /// Are the rooms the same up to their names? Entries that are no names must be equal.
    pub(super) fn has_shape_of(&self, other: &Grid) -> bool {
        let name = |entry: &str| !entry.is_empty() && !entry.chars().all(|c| c.is_ascii_punctuation());
        let pairs = || self.entries.iter().zip(&other.entries);
        let mut names: BTreeMap<&str, &str> = BTreeMap::new();
        let mut taken: BTreeMap<&str, &str> = BTreeMap::new();
        (self.rows, self.columns) == (other.rows, other.columns)
            && pairs().all(|(one, two)| match name(one) && name(two) {
                true => *names.entry(one).or_insert(two) == two && *taken.entry(two).or_insert(one) == one,
                false => one == two,
            })
    }

    /// The text between `"""`, with blanks between entries if `apart`.
    fn picture(&self, apart: bool) -> String {
        let width = |entry: &String| entry.chars().count();
        let widest = if apart { self.entries.iter().map(width).max().unwrap_or(1).max(1) } else { 1 };
        let mut text = String::from("\"\"\"\n");
        for row in self.entries.chunks(self.columns.max(1)) {
            for (i, entry) in row.iter().enumerate() {
                let gap = if apart && i > 0 { " " } else { "" };
                let entry = if entry.is_empty() { "." } else { entry };
                let _ = write!(text, "{gap}{entry:>widest$}");
            }
            text.push('\n');
        }
        text + "\"\"\""
    }
}

impl Item {
    pub fn number(number: impl std::fmt::Display) -> Item {
        Item::Value(number.to_string())
    }

    /// A list of numbers, `none` where an entry is empty.
    pub fn numbers<'a>(entries: impl IntoIterator<Item = &'a String>) -> Item {
        let value = |entry: &String| if entry.is_empty() { "none".to_owned() } else { entry.clone() };
        Item::List(entries.into_iter().map(|entry| Item::Value(value(entry))).collect())
    }

    /// Are they equal? A line without runs may also be the single run 0.
    fn is(&self, other: &Item) -> bool {
        let zero = |item: &Item| matches!(item, Item::Value(text) if text == "0");
        match (self, other) {
            (Item::List(one), Item::List(two)) if one.len() == two.len() => {
                one.iter().zip(two).all(|(one, two)| one.is(two))
            }
            (Item::List(one), Item::List(two)) => match (&one[..], &two[..]) {
                ([one], []) | ([], [one]) => zero(one),
                _ => false,
            },
            (Item::Words(one) | Item::Letters(one), Item::Words(two) | Item::Letters(two)) => one == two,
            (one, two) => one == two,
        }
    }

    /// The parts of a list as text, `none` as the empty text.
    pub fn entries(&self) -> Vec<String> {
        let text = |item: &Item| match item {
            Item::Value(text) if text != "none" => text.clone(),
            _ => String::new(),
        };
        match self {
            Item::List(items) => items.iter().map(text).collect(),
            _ => Vec::new(),
        }
    }

    /// The parts of a list.
    pub fn items(&self) -> &[Item] {
        match self {
            Item::List(items) => items,
            _ => &[],
        }
    }

    pub fn print(&self) -> String {
        match self {
            Item::Words(grid) => grid.picture(true),
            Item::Letters(grid) => grid.picture(false),
            Item::Value(text) => text.clone(),
            Item::List(items) => {
                let parts: Vec<String> = items.iter().map(Item::print).collect();
                format!("[{}]", parts.join(", "))
            }
        }
    }
}

impl Board {
    pub fn new(model: &'static str, size: (usize, usize)) -> Board {
        Board { model, size, params: Vec::new() }
    }

    pub fn set(&mut self, name: &str, item: Item) {
        match self.params.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = item,
            None => self.params.push((name.to_owned(), item)),
        }
    }

    /// Drops the internal entries of codecs, whose names begin with `_`.
    pub fn forget_own(&mut self) {
        self.params.retain(|(name, _)| !name.starts_with('_'));
    }

    pub fn get(&self, name: &str) -> Option<&Item> {
        self.params.iter().find(|(known, _)| known == name).map(|(_, item)| item)
    }

    /// The picture of a parameter.
    pub fn grid(&self, name: &str) -> Option<&Grid> {
        match self.get(name)? {
            Item::Words(grid) | Item::Letters(grid) => Some(grid),
            _ => None,
        }
    }

    /// The picture of a parameter; an empty one is made if it is missing or has another size.
    pub fn grid_mut(&mut self, name: &str, rows: usize, columns: usize) -> &mut Grid {
        let fits = self.grid(name).is_some_and(|grid| (grid.rows, grid.columns) == (rows, columns));
        if !fits {
            self.set(name, Item::Words(Grid::new(rows, columns)));
        }
        match self.params.iter_mut().find(|(known, _)| known == name) {
            Some((_, Item::Words(grid) | Item::Letters(grid))) => grid,
            _ => unreachable!("it was just set"),
        }
    }

    /// The text of a parameter with a single value.
    pub fn value(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Item::Value(text) => Some(text),
            _ => None,
        }
    }

    /// A parameter that is a non-negative number.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.value(name)?.parse().ok()
    }

    pub fn flag(&self, name: &str) -> bool {
        self.value(name) == Some("true")
    }

    /// The parameters that are not the same in another board, except for the names of rooms; and whether they are pictures.
    pub fn differing(&self, other: &Board) -> Vec<(&str, bool)> {
        let differs = |(name, item): &(String, Item)| {
            let picture = self.grid(name);
            let same = match (picture, other.grid(name)) {
                (Some(one), Some(two)) if name == "room" => one.has_shape_of(two),
                _ => other.get(name).is_some_and(|again| item.is(again)),
            };
            (!same).then_some(picture.is_some())
        };
        self.params.iter().filter_map(|param| Some((param.0.as_str(), differs(param)?))).collect()
    }

    /// The data file.
    pub fn clues(&self) -> String {
        let mut text = String::new();
        for (name, item) in &self.params {
            text.push_str(&assignment(name, item));
        }
        text
    }
}

/// `name = value`.
pub(super) fn assignment(name: &str, item: &Item) -> String {
    format!("{name} = {}\n", item.print())
}
