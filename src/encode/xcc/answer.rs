//! The literals that distinguish answers: literals of variables, and new literals for the values of other terms.

use super::choice::{Column, Encoder};
use crate::encode::Lit;
use crate::encode::cnf::EncodeError;
use crate::encode::symbols::Encoding;
use crate::model::{Answer, Atom, BoolNode, IntNode, VarId};

/// The new literals of a choice: each letter makes one of them true.
#[derive(Debug)]
pub(super) struct AnswerLits {
    pub choice: usize,
    /// By letter.
    pub lits: Vec<Lit>,
}

impl Encoder<'_> {
    /// Finds the literals of the answer; new literals are numbered from `named` + 1 on. Must follow all rules.
    pub fn answers(&mut self, encodings: &[Encoding], named: u32) -> Result<(), EncodeError> {
        self.last = named;
        let Some(answers) = &self.model.answer else {
            self.answer = (1..=named as Lit).collect();
            return Ok(());
        };
        self.instance = None;
        self.base = "answer".into();
        for answer in answers {
            if let Some(var) = self.variable(*answer) {
                let (first, count) = encodings[var.0 as usize].literals();
                self.answer.extend(first..first + count as Lit);
                continue;
            }
            let atom = match *answer {
                Answer::Int(int) => Atom::Int(int),
                Answer::Bool(term) => Atom::Bool(term.positive()),
                Answer::Var(_) => continue,
            };
            match self.column(atom) {
                Ok(column) => self.add_answer_literals(&column)?,
                Err(EncodeError::TooLarge(_)) => {
                    for column in self.columns_by_clauses(|ctx| ctx.literals_of_answer(*answer))? {
                        self.add_answer_literals(&column)?;
                    }
                }
                Err(fault) => return Err(fault),
            }
        }
        self.answer.sort_unstable();
        self.answer.dedup();
        Ok(())
    }

    fn variable(&self, answer: Answer) -> Option<VarId> {
        let arena = &self.model.arena;
        match answer {
            Answer::Var(var) => Some(var),
            Answer::Bool(term) => match arena.bool_node(term) {
                BoolNode::Var(var) => Some(var),
                _ => None,
            },
            Answer::Int(int) => match arena.int_node(int) {
                IntNode::Var(var) => Some(var),
                _ => None,
            },
        }
    }

    /// A new literal for each value of the column. If only an option shows that a boolean is true, false makes no
    /// literal true.
    fn add_answer_literals(&mut self, column: &Column) -> Result<(), EncodeError> {
        let mut values = column.values.to_vec();
        values.sort_unstable();
        values.dedup();
        let first = self.last as Lit + 1;
        if i64::from(first) + values.len() as i64 > i64::from(Lit::MAX) {
            return Err(EncodeError::TooLarge("more than 2^31 literals".into()));
        }
        let lits = column.values.iter().map(|value| first + values.partition_point(|v| v < value) as Lit);
        self.answer_lits.push(AnswerLits { choice: column.choice, lits: lits.collect() });
        self.last += values.len() as u32;
        self.answer.extend(first..=self.last as Lit);
        Ok(())
    }
}
