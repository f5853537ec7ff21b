//! Covering constraints: items in the options of the values of choices.
//!
//! In: letters of choices, counts, or two weighted choices. Out: items, and entries attached to letters.

use super::Less;
use super::choice::Encoder;
use super::cover::{Entry, ItemId};
use super::define::Weights;
use crate::encode::cnf::EncodeError;
use std::rc::Rc;

/// Pairs of a choice and one of its letters.
type Letters = [(usize, usize)];

impl Encoder<'_> {
    /// Asserts exactly one of these letters.
    pub fn exactly_one(&mut self, letters: &Letters, value: i64) {
        let base = self.base.clone();
        let item = self.item(&base, &format!(".{value}"), Some((1, 1)));
        self.cover_by(letters, item);
    }

    /// Asserts at most one of these letters.
    pub fn at_most_one(&mut self, letters: &Letters, value: i64) {
        // letters of one choice exclude each other
        if letters.iter().any(|(choice, _)| *choice != letters[0].0) {
            let base = self.base.clone();
            let item = self.item(&base, &format!(".{value}"), None);
            self.cover_by(letters, item);
        }
    }

    fn cover_by(&mut self, letters: &Letters, item: ItemId) {
        for (choice, letter) in letters {
            self.attach(*choice, *letter, Entry::plain(item));
        }
    }

    /// Asserts that `least` to `most` of the choices have a marked letter. False if the dialect cannot express this.
    pub fn count(
        &mut self,
        parts: &[(usize, Vec<bool>)],
        least: i64,
        most: i64,
    ) -> Result<bool, EncodeError> {
        let n = parts.len() as i64;
        let most = most.min(n);
        if least > most {
            self.contradiction = true;
            return Ok(true);
        }
        // counting the unmarked letters is equivalent; prefer the way that adds fewer options for false booleans
        let falsehoods = |wanted: bool| {
            parts.iter().filter(|(choice, marks)| self.choices[*choice].boolean && marks[0] == wanted).count()
        };
        let mut ways =
            [(falsehoods(true), true, least, most), (falsehoods(false), false, n - most, n - least)];
        ways.sort_by_key(|way| way.0);
        let multiple = self.options.dialect.multiplicities();
        let way = ways.into_iter().find(|(_, _, least, most)| {
            matches!((least, most), (1, 1) | (0, 1))
                || (multiple && *most >= 1 && *most <= i64::from(u32::MAX))
        });
        let Some((_, wanted, least, most)) = way else { return Ok(false) };
        let bounds = match (least, most) {
            (0, 1) => None,
            (least, most) => Some((least as u32, most as u32)),
        };
        let base = self.base.clone();
        let item = self.item(&base, "", bounds);
        for (choice, marks) in parts {
            self.step(marks.len())?;
            for (letter, _) in marks.iter().enumerate().filter(|(_, mark)| **mark == wanted) {
                self.attach(*choice, letter, Entry::plain(item));
            }
        }
        Ok(true)
    }

    /// Asserts that the sum of the weights of `x` and `y` is at most `bound`: pairwise ordering, Knuth, TAOCP 7.2.2.1,
    /// answers to exercise 390.
    ///
    /// Sort the letters of y into classes of equal weight, from the greatest down. A letter of x excludes the first m
    /// classes, for some m. There are items 1, 2, …; x covers the items up to m, y the items from its class on. They
    /// share an item if and only if they exclude each other.
    pub fn order(&mut self, x: &Weights, y: &Weights, bound: i64) -> Result<(), EncodeError> {
        if self.options.less == Less::Colours {
            return self.order_by_colours(x, y, bound);
        }
        let mut classes: Vec<i64> = y.1.clone();
        classes.sort_unstable_by(|a, b| b.cmp(a));
        classes.dedup();
        let excluded = |weight: i64| classes.partition_point(|class| *class > bound - weight);
        let count = x.1.iter().map(|weight| excluded(*weight)).max().unwrap_or(0);
        let items = self.order_items(count);
        for (letter, weight) in x.1.iter().enumerate() {
            let path: Vec<usize> = match self.options.less {
                Less::ItemsLog => down(excluded(*weight)).collect(),
                _ => (1..=excluded(*weight)).collect(),
            };
            self.attach_all(x.0, letter, &items, &path, 0)?;
        }
        for (letter, weight) in y.1.iter().enumerate() {
            let first = classes.partition_point(|class| class > weight) + 1;
            let path: Vec<usize> = match self.options.less {
                Less::ItemsLog => up(first, count).collect(),
                _ => (first..=count).collect(),
            };
            self.attach_all(y.0, letter, &items, &path, 0)?;
        }
        Ok(())
    }

    /// The same with one group of items for all constraints with the same `x`. With the classes of x from the least
    /// up, x gives colour A to the items up to its own class, and y gives colour B to the items of the classes that
    /// it excludes.
    fn order_by_colours(&mut self, x: &Weights, y: &Weights, bound: i64) -> Result<(), EncodeError> {
        self.need_colours()?;
        let mut classes: Vec<i64> = x.1.clone();
        classes.sort_unstable();
        classes.dedup();
        let key = (x.0, x.1.clone());
        let items = match self.orders.get(&key) {
            Some(items) => items.clone(),
            None => {
                let items = self.order_items(classes.len());
                for (letter, weight) in x.1.iter().enumerate() {
                    let path: Vec<usize> = (1..=classes.partition_point(|class| class <= weight)).collect();
                    self.attach_all(x.0, letter, &items, &path, b'A')?;
                }
                self.orders.insert(key, items.clone());
                items
            }
        };
        for (letter, weight) in y.1.iter().enumerate() {
            let first = classes.partition_point(|class| *class <= bound - weight) + 1;
            let path: Vec<usize> = (first..=classes.len()).collect();
            self.attach_all(y.0, letter, &items, &path, b'B')?;
        }
        Ok(())
    }

    fn order_items(&mut self, count: usize) -> Rc<[ItemId]> {
        let base = self.base.clone();
        (1..=count).map(|at| self.item(&base, &format!("^{at}"), None)).collect()
    }

    fn attach_all(
        &mut self,
        choice: usize,
        letter: usize,
        items: &[ItemId],
        path: &[usize],
        colour: u8,
    ) -> Result<(), EncodeError> {
        self.step(path.len())?;
        for at in path {
            self.attach(choice, letter, Entry { item: items[at - 1], colour });
        }
        Ok(())
    }
}

/// The path of a query in a Fenwick tree. It meets the path [`up`] from j if and only if j ≤ k, and then exactly once.
fn down(k: usize) -> impl Iterator<Item = usize> {
    std::iter::successors((k > 0).then_some(k), |k| Some(k & (k - 1)).filter(|k| *k > 0))
}

/// The path of an update in a Fenwick tree of `count` places.
fn up(j: usize, count: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(j), |j| Some(j + (j & j.wrapping_neg()))).take_while(move |j| *j <= count)
}
