//! Annotated formulas: a comment before every row states the row in named literals.
//!
//! In: a sink and the names of literals. Out: the same rows in the same order, each with its comment.

use super::{Linear, Lit, Sink};
use crate::model::Cmp;

/// A sink that adds a comment to each row.
pub(super) struct Annotated<'a> {
    sink: &'a mut dyn Sink,
    name: &'a dyn Fn(Lit) -> String,
}

impl<'a> Annotated<'a> {
    pub(super) fn new(sink: &'a mut dyn Sink, name: &'a dyn Fn(Lit) -> String) -> Annotated<'a> {
        Annotated { sink, name }
    }
}

impl Sink for Annotated<'_> {
    fn clause(&mut self, lits: &[Lit]) {
        let names: Vec<String> = lits.iter().map(|lit| (self.name)(*lit)).collect();
        let text = if names.is_empty() { "never".to_owned() } else { names.join(" or ") };
        self.sink.comment(&text);
        self.sink.clause(lits);
    }

    fn linear(&mut self) -> Option<&mut dyn Linear> {
        match self.sink.linear() {
            Some(_) => Some(self),
            None => None,
        }
    }

    fn takes_objective(&self) -> bool {
        self.sink.takes_objective()
    }

    fn annotated(&self) -> bool {
        true
    }

    fn comment(&mut self, text: &str) {
        self.sink.comment(text);
    }

    fn stopped(&self) -> bool {
        self.sink.stopped()
    }
}

impl Linear for Annotated<'_> {
    fn constraint(&mut self, terms: &[(i64, Lit)], cmp: Cmp, bound: i64) {
        let addends: Vec<String> =
            terms.iter().map(|(coef, lit)| format!("{coef} * ({})", (self.name)(*lit))).collect();
        let sign = if cmp == Cmp::Eq { "=" } else { "<=" };
        self.sink.comment(&format!("{} {sign} {bound}", addends.join(" + ")));
        if let Some(sink) = self.sink.linear() {
            sink.constraint(terms, cmp, bound);
        }
    }
}
