//! Encodes terms that are too large for a diagram by their clauses.
//!
//! In: calls of the CNF encoder. Out: its literals as columns of choices, and its clauses as at-least-one constraints.

use super::choice::{Column, Encoder, map};
use crate::encode::cnf::{self, EncodeError};
use crate::encode::symbols::Encoding;
use crate::encode::{ClauseList, Counted, Lit};
use crate::model::{Bool, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The clausal encoder, and the columns of its literals.
#[derive(Debug)]
pub(super) struct Clausal {
    encoder: cnf::Encoder,
    /// By positive literal.
    columns: FxHashMap<Lit, Column>,
}

/// The literals of a variable with more values than this become auxiliary choices.
const MANY_VALUES: usize = 64;

impl Encoder<'_> {
    pub fn assert_by_clauses(&mut self, term: Bool) -> Result<(), EncodeError> {
        self.columns_by_clauses(|ctx| ctx.assert(term).map(|()| Vec::new())).map(drop)
    }

    /// Encodes the clauses that `call` emits; returns the columns of the literals that it returns.
    pub fn columns_by_clauses(
        &mut self,
        call: impl FnOnce(&mut cnf::Emitter<'_>) -> Result<Vec<Lit>, EncodeError>,
    ) -> Result<Vec<Column>, EncodeError> {
        let mut clausal = match self.clausal.take() {
            Some(clausal) => clausal,
            None => {
                let choices = &self.choices;
                let allows =
                    |var: VarId, position| choices[var.0 as usize].live.binary_search(&position).is_ok();
                let encoder = cnf::Encoder::new(self.model, cnf::Options::default(), &allows)?;
                Clausal { encoder, columns: FxHashMap::default() }
            }
        };
        let mut list = ClauseList::default();
        let mut counted = Counted::new(&mut list, self.budget);
        let called = call(&mut clausal.encoder.with(self.model, &mut counted, self.budget));
        counted.clauses().map_err(EncodeError::Stop)?;
        let lits = called?;
        for clause in &list.clauses {
            let mut columns = Vec::with_capacity(clause.len());
            for lit in clause {
                columns.push(self.literal(&mut clausal, *lit)?);
            }
            self.at_least_one(&columns)?;
        }
        let mut columns = Vec::with_capacity(lits.len());
        for lit in lits {
            columns.push(self.literal(&mut clausal, lit)?);
        }
        self.clausal = Some(clausal);
        Ok(columns)
    }

    fn literal(&mut self, clausal: &mut Clausal, lit: Lit) -> Result<Column, EncodeError> {
        let positive = lit.abs();
        let column = match clausal.columns.get(&positive) {
            Some(known) => known.clone(),
            None => {
                let new = self.new_literal(&clausal.encoder, positive)?;
                clausal.columns.insert(positive, new.clone());
                new
            }
        };
        Ok(if lit > 0 { column } else { map(&column, |value| 1 - value) })
    }

    fn new_literal(&mut self, encoder: &cnf::Encoder, lit: Lit) -> Result<Column, EncodeError> {
        if lit > encoder.named {
            let choice = self.add_choice(Rc::new([0, 1]));
            return Ok(Column { choice, values: Rc::new([0, 1]) });
        }
        let var = encoder.encodings.partition_point(|encoding| encoding.literals().0 <= lit) - 1;
        let encoding = encoder.encodings[var];
        let place = (lit - encoding.literals().0) as u32;
        let truth = |position: &u32| match encoding {
            Encoding::Bool(_) => *position == 1,
            Encoding::Direct { .. } => *position == place,
            Encoding::Order { .. } => *position <= place,
            Encoding::Binary { .. } => position >> place & 1 == 1,
        };
        let values: Rc<[i64]> = self.choices[var].live.iter().map(|p| i64::from(truth(p))).collect();
        if values.len() <= MANY_VALUES {
            return Ok(Column { choice: var, values });
        }
        let explored = self.explore(vec![var], 0, |_, _, letter| Some(values[letter]))?;
        self.result(explored, |value| *value)
    }
}
