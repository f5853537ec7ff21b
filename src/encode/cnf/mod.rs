//! Model → conjunctive normal form.
//!
//! In: a [`Model`] and what presolve fixed. Out: clauses into a [`Sink`], and an [`Emission`]. Every
//! auxiliary is determined by the named variables unless the emission says otherwise.

mod amo;
mod bits;
mod card;
mod diagram;
mod encoder;
mod int;
mod line;
mod linear;
mod post;
mod sum;
mod view;

pub(super) use encoder::deeper;
pub use encoder::{Ctx, Encoder};
pub(super) use line::runs_machine;

use super::symbols::Encoding;
use super::{CountingSink, Lit, Sink, Weighted};
use crate::model::{Answer, Atom, Bool, BoolNode, Instance, Int, IntNode, Model, Objective, Term, VarId};
use crate::shared::{Budget, Stop};

/// Choices of encodings by name; `Auto` decides by size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub int: IntEncoding,
    pub amo: Amo,
    pub card: Card,
    pub sum: SumEncoding,
    pub line: Line,
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
        pub enum $name { $($(#[$vdoc])* $variant,)* #[default] Auto }
    };
}

choice! {
    /// Named integers.
    IntEncoding { Direct, Order, Log, }
}
choice! {
    /// At-most-one.
    Amo { Pairwise, Ladder, Product, Commander, }
}
choice! {
    /// Cardinality.
    Card { Naive, Sequential, Totalizer, Bdd, }
}
choice! {
    /// Linear sums.
    SumEncoding { Table, Order, Dd, Adder, }
}
choice! {
    /// Runs of a line.
    Line { Starts, Automaton, }
}

/// What an encoding came to.
#[derive(Clone, Debug, Default)]
pub struct Emission {
    /// The highest variable number.
    pub variables: u32,
    /// The highest number of a named variable's literal.
    pub named: u32,
    /// Per model variable, in order.
    pub encodings: Vec<Encoding>,
    /// Literals that tell answers apart.
    pub answer: Vec<Lit>,
    /// What an objective costs, to be as little as possible; where the sink takes it.
    pub cost: Option<Weighted>,
    /// Lines for `--stats`: constraint, encoding, how often.
    pub choices: Vec<(String, u64)>,
}

/// Why nothing was encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    Stop(Stop),
    /// A term is too large for any encoding; what and how large.
    TooLarge(String),
    /// The program that the formula is meant for cannot read it; why.
    Unfit(String),
}

/// Encodes the whole model: what ties the literals of each variable, what presolve fixed, then rule by rule.
///
/// `label` names a rule instance for sinks that are read by people. The encoder that comes back takes further
/// conditions.
pub fn encode(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    options: Options,
    budget: &Budget,
    sink: &mut dyn Sink,
    label: &dyn Fn(Instance) -> String,
) -> Result<(Encoder, Emission), EncodeError> {
    let mut encoder = Encoder::new(model, options, allows)?;
    for lit in encoder.fixed_literals().collect::<Vec<_>>() {
        sink.clause(&[lit]);
    }
    let contradiction = encoder.contradiction;
    let mut ctx = encoder.with(model, sink, budget);
    if contradiction {
        ctx.clause(&[]);
        return Ok(emission(encoder, Vec::new(), None));
    }
    for var in 0..model.vars.len() {
        ctx.step(1)?;
        ctx.domain_clauses(VarId(var as u32))?;
    }
    for rule in &model.rules {
        if ctx.sink.annotated() {
            let text = label(rule.instance);
            ctx.sink.comment(&text);
        }
        ctx.assert(rule.what)?;
    }
    let cost = match model.objective {
        Some(objective) if ctx.sink.takes_objective() => Some(ctx.cost(objective)?),
        _ => None,
    };
    let answer = ctx.answer_literals()?;
    Ok(emission(encoder, answer, cost))
}

fn emission(encoder: Encoder, answer: Vec<Lit>, cost: Option<Weighted>) -> (Encoder, Emission) {
    let emission = Emission {
        variables: encoder.variables() as u32,
        named: encoder.named as u32,
        encodings: encoder.encodings.clone(),
        answer,
        cost,
        choices: encoder.choices.iter().map(|((what, how), n)| (format!("{what}: {how}"), *n)).collect(),
    };
    (encoder, emission)
}

/// Counts what [`encode`] would pour.
pub fn measure(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    options: Options,
    budget: &Budget,
) -> Result<(CountingSink, Emission), EncodeError> {
    let mut sink = CountingSink::default();
    let (_, emission) = encode(model, allows, options, budget, &mut sink, &|_| String::new())?;
    Ok((sink, emission))
}

impl Ctx<'_> {
    /// What is to be as little as possible.
    fn cost(&mut self, objective: Objective) -> Result<Weighted, EncodeError> {
        let coef = if objective.maximize { -1 } else { 1 };
        let cost = self.weigh(&[Term { coef, atom: Atom::Int(objective.value) }])?;
        cost.ok_or_else(|| EncodeError::TooLarge("an objective beyond 64 bits".into()))
    }

    /// The literals that tell two answers apart.
    fn answer_literals(&mut self) -> Result<Vec<Lit>, EncodeError> {
        let Some(answers) = &self.model.answer else {
            return Ok((1..=self.enc.named).collect());
        };
        let mut lits = Vec::new();
        for answer in answers {
            match answer {
                Answer::Bool(term) => lits.push(self.literal(*term)?),
                Answer::Var(var) => self.var_literals(*var, &mut lits),
                Answer::Int(int) => match self.model.arena.int_node(*int) {
                    IntNode::Var(var) => self.var_literals(var, &mut lits),
                    _ => match self.view(*int) {
                        Ok(view) => lits.extend(&view.lits),
                        Err(EncodeError::TooLarge(_)) => lits.extend(self.bits_of(*int)?.iter()),
                        Err(stop) => return Err(stop),
                    },
                },
            }
        }
        let mut named: Vec<Lit> =
            lits.into_iter().map(|lit| lit.abs()).filter(|lit| *lit <= self.enc.last).collect();
        named.sort_unstable();
        named.dedup();
        Ok(named)
    }

    fn var_literals(&self, var: VarId, lits: &mut Vec<Lit>) {
        match self.enc.encodings[var.0 as usize] {
            Encoding::Bool(lit) => lits.push(lit),
            Encoding::Direct { first, size } => lits.extend(first..first + size as Lit),
            Encoding::Order { first, size } => lits.extend(first..first + size as Lit - 1),
            Encoding::Binary { first, bits, .. } => lits.extend(first..first + bits as Lit),
        }
    }

    /// Literals that hold just where all `terms` do; `None` where they never do.
    pub fn literals_of(&mut self, terms: &[Bool]) -> Result<Option<Vec<Lit>>, EncodeError> {
        let mut lits = Vec::with_capacity(terms.len());
        let mut open: Vec<Bool> = terms.to_vec();
        while let Some(term) = open.pop() {
            match (self.model.arena.bool_node(term), term.is_negated()) {
                (BoolNode::And(parts), false) => open.extend_from_slice(parts),
                _ => {
                    let lit = self.literal(term)?;
                    match self.enc.norm(lit) {
                        encoder::TRUE => {}
                        encoder::FALSE => return Ok(None),
                        lit => lits.push(lit),
                    }
                }
            }
        }
        Ok(Some(lits))
    }

    /// A literal for `objective ≤ bound`.
    pub fn at_most(&mut self, int: Int, bound: i64) -> Result<Lit, EncodeError> {
        match bound.checked_add(1) {
            Some(above) => Ok(-self.ge_lit(int, above)?),
            None => Ok(encoder::TRUE),
        }
    }
}
