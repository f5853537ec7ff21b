//! Seeded random models: small enough to judge by trying every assignment.

use crate::dice::Dice;
use rebus::model::{Atom, Automaton, Block, Bool, Domain, Int, Model, Overflow, Regular, Runs, Term, VarId};
use std::rc::Rc;

/// What a model's main term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    And,
    Iff,
    Le,
    Eq,
    Count,
    Difference,
    Distinct,
    Runs,
    Regular,
    Sum,
    Mul,
    Div,
    Mod,
    Min,
    Max,
    Abs,
    Select,
}

pub const KINDS: [Kind; 17] = [
    Kind::And,
    Kind::Iff,
    Kind::Le,
    Kind::Eq,
    Kind::Count,
    Kind::Difference,
    Kind::Distinct,
    Kind::Runs,
    Kind::Regular,
    Kind::Sum,
    Kind::Mul,
    Kind::Div,
    Kind::Mod,
    Kind::Min,
    Kind::Max,
    Kind::Abs,
    Kind::Select,
];

pub struct Gen {
    pub rng: Dice,
    pub model: Model,
}

impl Gen {
    /// A model of 2 to 4 small variables without rules.
    pub fn new(seed: u64) -> Gen {
        let mut rng = Dice::new(seed);
        let mut model = Model::default();
        let n = rng.range(2, 4);
        for _ in 0..n {
            let domain = match rng.below(8) {
                0 | 1 => Domain::Bool,
                2 => Domain::Symbols(rng.range(2, 4) as u32),
                _ => ints(&mut rng),
            };
            model.add_var(domain);
        }
        Gen { rng, model }
    }

    /// A rule about a term of the kind: asserted, negated, as one side of an equivalence, counted, or as a
    /// disjunct.
    pub fn rule(&mut self, kind: Kind) -> Result<Bool, Overflow> {
        let term = self.of_kind(kind, 2)?;
        Ok(match self.rng.below(6) {
            0 | 1 => term,
            2 => !term,
            3 => {
                let other = self.bool(1)?;
                self.model.arena.iff(term, other)
            }
            4 => {
                let mut parts = vec![term];
                for _ in 0..self.rng.range(1, 4) {
                    parts.push(self.bool(1)?);
                }
                self.count(&parts)?
            }
            _ => {
                let other = self.bool(1)?;
                self.model.arena.or2(term, other)
            }
        })
    }

    fn count(&mut self, parts: &[Bool]) -> Result<Bool, Overflow> {
        let sign = self.rng.pick(&[1, 1, 1, -1]);
        let terms: Vec<Term> = parts.iter().map(|b| Term { coef: sign, atom: Atom::Bool(*b) }).collect();
        let bound = sign * self.rng.range(0, parts.len() as i64);
        if self.rng.one_in(2) { self.model.arena.eq(terms, bound) } else { self.model.arena.le(terms, bound) }
    }

    /// Any condition.
    pub fn bool(&mut self, depth: u32) -> Result<Bool, Overflow> {
        let term = if depth == 0 || self.rng.one_in(3) {
            self.leaf()
        } else {
            let kind = self.rng.pick(&KINDS);
            self.of_kind(kind, depth - 1)?
        };
        Ok(if self.rng.one_in(3) { !term } else { term })
    }

    fn leaf(&mut self) -> Bool {
        let var = VarId(self.rng.below(self.model.vars.len()) as u32);
        self.leaf_of(var)
    }

    fn leaf_of(&mut self, var: VarId) -> Bool {
        let size = self.model.domain(var).size();
        match self.model.domain(var) {
            Domain::Bool => self.model.arena.var_bool(var),
            _ if size < 2 => Bool::TRUE,
            _ => {
                let position = self.rng.below(size) as u32;
                self.model.arena.is(var, position)
            }
        }
    }

    /// Any number.
    pub fn int(&mut self, depth: u32) -> Result<Int, Overflow> {
        if depth == 0 || self.rng.one_in(3) {
            return Ok(self.int_leaf());
        }
        let kind = self.rng.pick(&KINDS[9..]);
        self.int_of_kind(kind, depth - 1)
    }

    fn int_leaf(&mut self) -> Int {
        let vars: Vec<VarId> = (0..self.model.vars.len() as u32)
            .map(VarId)
            .filter(|var| matches!(self.model.domain(*var), Domain::Ints(_)))
            .collect();
        if vars.is_empty() || self.rng.one_in(8) {
            let value = self.rng.range(-3, 4);
            return self.model.arena.constant(value);
        }
        let var = self.rng.pick(&vars);
        self.model.var_int(var)
    }
}

/// 1 to 5 integers from -6 to 6, often with gaps.
fn ints(rng: &mut Dice) -> Domain {
    let size = rng.range(1, 5);
    let mut values: Vec<i64> = if rng.one_in(2) {
        let lo = rng.range(-4, 3);
        (lo..lo + size).collect()
    } else {
        (0..size).map(|_| rng.range(-6, 6)).collect()
    };
    values.sort_unstable();
    values.dedup();
    Domain::Ints(values.into())
}

impl Gen {
    fn of_kind(&mut self, kind: Kind, depth: u32) -> Result<Bool, Overflow> {
        let below = depth.saturating_sub(1);
        match kind {
            Kind::And => {
                let mut parts = Vec::new();
                for _ in 0..self.rng.range(2, 4) {
                    parts.push(self.bool(below)?);
                }
                Ok(self.model.arena.and(parts))
            }
            Kind::Iff => {
                let (a, b) = (self.bool(below)?, self.bool(below)?);
                Ok(self.model.arena.iff(a, b))
            }
            Kind::Le | Kind::Eq => {
                let mut terms = Vec::new();
                for _ in 0..self.rng.range(1, 4) {
                    let coef = self.rng.pick(&[1, 1, 1, -1, -1, 2, -2, 3, -5]);
                    let atom = if self.rng.one_in(3) {
                        Atom::Bool(self.bool(below)?)
                    } else {
                        Atom::Int(self.int(below)?)
                    };
                    terms.push(Term { coef, atom });
                }
                self.near(terms, kind == Kind::Eq)
            }
            Kind::Count => {
                let mut parts = Vec::new();
                for _ in 0..self.rng.range(2, 9) {
                    let depth = u32::from(self.rng.one_in(4));
                    parts.push(self.bool(depth)?);
                }
                self.count(&parts)
            }
            Kind::Difference => {
                let (a, b) = (self.int(below)?, self.int(below)?);
                let terms = vec![Term { coef: 1, atom: Atom::Int(a) }, Term { coef: -1, atom: Atom::Int(b) }];
                let equal = self.rng.one_in(2);
                self.near(terms, equal)
            }
            Kind::Distinct => {
                let mut parts = Vec::new();
                for _ in 0..self.rng.range(2, 5) {
                    parts.push(self.int(below)?);
                }
                parts.sort_unstable();
                parts.dedup();
                Ok(self.model.arena.distinct(&parts))
            }
            Kind::Runs => self.runs(),
            Kind::Regular => self.regular(),
            _ => {
                let int = self.int_of_kind(kind, below)?;
                let equal = self.rng.one_in(2);
                self.near(vec![Term { coef: 1, atom: Atom::Int(int) }], equal)
            }
        }
    }

    /// A comparison with a bound that is neither trivial nor, most often, impossible.
    fn near(&mut self, terms: Vec<Term>, equal: bool) -> Result<Bool, Overflow> {
        let int = self.model.arena.sum(terms.clone(), 0)?;
        let (lo, hi) = self.model.arena.bounds(int);
        let (lo, hi) = (lo.max(-300), hi.min(300));
        // a value that some assignment has
        let values: Vec<u32> =
            self.model.vars.iter().map(|domain| self.rng.below(domain.size()) as u32).collect();
        let bound = match self.rng.below(4) {
            0 => self.rng.range(lo.min(hi), hi.max(lo)),
            1 => self.model.value(int, &values) + self.rng.range(-1, 1),
            _ => self.model.value(int, &values),
        };
        match equal {
            true if self.rng.one_in(2) => self.model.eq(terms, bound),
            true => self.model.arena.eq(terms, bound),
            false => self.model.arena.le(terms, bound),
        }
    }

    fn int_of_kind(&mut self, kind: Kind, depth: u32) -> Result<Int, Overflow> {
        let below = depth.saturating_sub(1);
        let (a, b) = (self.int(depth)?, self.int(below)?);
        let arena = &mut self.model.arena;
        match kind {
            Kind::Mul => arena.mul(a, b),
            Kind::Div => arena.div(a, b),
            Kind::Mod => arena.modulo(a, b),
            Kind::Abs => {
                let terms = vec![Term { coef: 1, atom: Atom::Int(a) }, Term { coef: -1, atom: Atom::Int(b) }];
                let difference = arena.sum(terms, self.rng.range(-1, 1))?;
                arena.abs(difference)
            }
            Kind::Min | Kind::Max => {
                let mut parts = vec![a, b];
                for _ in 0..self.rng.below(2) {
                    parts.push(self.int(below)?);
                }
                let arena = &mut self.model.arena;
                Ok(if kind == Kind::Min { arena.min(&parts) } else { arena.max(&parts) })
            }
            Kind::Select => self.select(below),
            _ => {
                let coefs = [self.rng.pick(&[1, -1, 2]), self.rng.pick(&[1, 1, -1, 3])];
                let b = if self.rng.one_in(3) { Atom::Bool(self.bool(below)?) } else { Atom::Int(b) };
                let terms =
                    vec![Term { coef: coefs[0], atom: Atom::Int(a) }, Term { coef: coefs[1], atom: b }];
                let constant = self.rng.range(-2, 2);
                self.model.arena.sum(terms, constant)
            }
        }
    }

    /// Arms by the values of a variable, or by two conditions.
    fn select(&mut self, depth: u32) -> Result<Int, Overflow> {
        let conditions = self.conditions()?;
        let mut arms = Vec::new();
        for cond in conditions {
            arms.push((cond, self.int(depth)?));
        }
        Ok(self.model.arena.select(&arms))
    }

    /// Conditions of which exactly one holds.
    fn conditions(&mut self) -> Result<Vec<Bool>, Overflow> {
        let var = VarId(self.rng.below(self.model.vars.len()) as u32);
        let size = self.model.domain(var).size() as u32;
        if size > 1 && !matches!(self.model.domain(var), Domain::Bool) && !self.rng.one_in(3) {
            return Ok((0..size).map(|position| self.model.arena.is(var, position)).collect());
        }
        let (a, b) = (self.bool(1)?, self.bool(0)?);
        let both = self.model.arena.and2(a, b);
        let only = self.model.arena.and2(a, !b);
        Ok(match self.rng.below(6) {
            0 => vec![Bool::TRUE],
            1..=3 => vec![a, !a],
            _ => vec![!a, both, only].into_iter().filter(|cond| *cond != Bool::FALSE).collect(),
        })
    }

    fn runs(&mut self) -> Result<Bool, Overflow> {
        let mut cells = Vec::new();
        for _ in 0..self.rng.range(1, 7) {
            let (constant, depth) = (self.rng.one_in(12), u32::from(self.rng.one_in(6)));
            cells.push(match constant {
                true => Bool::constant(self.rng.one_in(2)),
                false => self.bool(depth)?,
            });
        }
        let known = self.rng.one_in(2);
        let mut blocks = Vec::new();
        for _ in 0..self.rng.below(4) {
            blocks.push(match self.rng.below(4) {
                0 if !known => Block::AnyLength,
                1 if !known => Block::AnyRuns,
                _ => Block::Length(self.rng.range(1, 3) as u32),
            });
        }
        Ok(self.model.arena.runs(Runs { cells, blocks }))
    }

    fn regular(&mut self) -> Result<Bool, Overflow> {
        let (states, symbols) = (self.rng.range(1, 4) as u32, self.rng.range(1, 3) as u32);
        let automaton = Automaton {
            symbols,
            start: self.rng.below(states as usize) as u32,
            accepting: (0..states).map(|_| self.rng.one_in(2)).collect(),
            next: (0..states * symbols).map(|_| self.rng.below(states as usize) as u32).collect(),
        };
        let mut word = Vec::new();
        for _ in 0..self.rng.below(6) {
            let conditions = self.conditions()?;
            word.push(
                conditions.into_iter().map(|cond| (cond, self.rng.below(symbols as usize) as u32)).collect(),
            );
        }
        Ok(self.model.arena.regular(Regular { automaton: Rc::new(automaton), word }))
    }
}
