//! Gates: literals that are equivalent to boolean functions of other literals (Tseitin 1968).
//!
//! In: literals, or a boolean term. Out: one literal. Equal conjunctions and terms share their literal.

use super::EncodeError;
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use crate::encode::Lit;
use crate::model::Bool;
use crate::shared::with_stack;

impl Emitter<'_> {
    /// A literal that is equivalent to the conjunction of `lits`.
    pub fn and_lit(&mut self, lits: impl IntoIterator<Item = Lit>) -> Result<Lit, EncodeError> {
        let mut list: Vec<Lit> = Vec::new();
        for lit in lits {
            match self.enc.norm(lit) {
                TRUE => {}
                FALSE => return Ok(FALSE),
                lit => list.push(lit),
            }
        }
        list.sort_unstable();
        list.dedup();
        let positive = list.partition_point(|lit| *lit < 0);
        if list[..positive].iter().any(|lit| list[positive..].binary_search(&-lit).is_ok()) {
            return Ok(FALSE);
        }
        match list[..] {
            [] => return Ok(TRUE),
            [one] => return Ok(one),
            _ => {}
        }
        if let Some(known) = self.enc.ands.get(list.as_slice()) {
            return Ok(*known);
        }
        let aux = self.fresh()?;
        let mut long: Vec<Lit> = list.iter().map(|lit| -lit).collect();
        long.push(aux);
        self.unconditionally(|this| {
            for lit in &list {
                this.clause(&[-aux, *lit]);
            }
            this.clause(&long);
        });
        self.enc.ands.insert(list.into(), aux);
        Ok(aux)
    }

    pub fn or_lit(&mut self, lits: impl IntoIterator<Item = Lit>) -> Result<Lit, EncodeError> {
        let negated: Vec<Lit> = lits.into_iter().map(|lit| -lit).collect();
        Ok(-self.and_lit(negated)?)
    }

    /// A literal that is equivalent to `a ↔ b`.
    pub fn iff_lit(&mut self, a: Lit, b: Lit) -> Result<Lit, EncodeError> {
        let (a, b) = (self.enc.norm(a), self.enc.norm(b));
        match (a, b) {
            (TRUE, x) | (x, TRUE) => return Ok(x),
            (FALSE, x) | (x, FALSE) => return Ok(-x),
            (a, b) if a == b => return Ok(TRUE),
            (a, b) if a == -b => return Ok(FALSE),
            _ => {}
        }
        let aux = self.fresh()?;
        self.clause(&[-aux, -a, b]);
        self.clause(&[-aux, a, -b]);
        self.clause(&[aux, a, b]);
        self.clause(&[aux, -a, -b]);
        Ok(aux)
    }

    /// The literal that is equivalent to a boolean term.
    pub fn literal(&mut self, term: Bool) -> Result<Lit, EncodeError> {
        let lit = self.positive_literal(term.positive())?;
        Ok(if term.is_negated() { -lit } else { lit })
    }

    fn positive_literal(&mut self, term: Bool) -> Result<Lit, EncodeError> {
        let at = term.index();
        if let Some(lit) = self.enc.bools.get(at)
            && *lit != 0
        {
            return Ok(*lit);
        }
        let lit = with_stack(|| self.unconditionally(|this| this.reify(term)))?;
        if self.enc.bools.len() <= at {
            self.enc.bools.resize(at + 1, 0);
        }
        self.enc.bools[at] = lit;
        Ok(lit)
    }
}
