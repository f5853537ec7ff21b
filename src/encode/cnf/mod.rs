//! Model → conjunctive normal form.
//!
//! In: a [`Model`] and what presolve fixed. Out: clauses into a [`Sink`], and an [`Emission`].
//!
//! The named variables determine every auxiliary variable, unless [`Emission::is_determined`] is false.

mod amo;
mod assert;
mod bits;
mod card;
mod diagram;
mod divide;
mod emitter;
mod encoder;
mod gates;
mod graph;
mod int;
mod lazy;
mod line;
mod linear;
mod plane;
mod sum;
mod view;

pub use emitter::Emitter;
pub use encoder::Encoder;

use super::cuts::Lazy;
use super::symbols::Encoding;
use super::{CountingSink, Lit, Sink, Weighted};
use crate::model::{Answer, Atom, Bool, BoolNode, Instance, Int, IntNode, Model, Objective, Term, VarId};
use crate::shared::{Budget, Stop};
use std::rc::Rc;

/// The encoding of each kind of constraint; `Auto` decides by size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub int: IntEncoding,
    pub amo: Amo,
    pub card: Card,
    pub sum: SumEncoding,
    pub line: Line,
    pub graph: GraphEncoding,
}

impl Options {
    /// For engines that add [`super::cuts`]: graph constraints become lazy where `Auto` decides.
    pub fn lazily(self) -> Options {
        let graph = if self.graph == GraphEncoding::Auto { GraphEncoding::Cuts } else { self.graph };
        Options { graph, ..self }
    }

    /// For consumers that need the whole formula as clauses: no lazy constraints.
    pub fn whole(self) -> Options {
        let graph = if self.graph == GraphEncoding::Cuts { GraphEncoding::Auto } else { self.graph };
        Options { graph, ..self }
    }
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident,)* } $(#[$auto:meta])*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
        pub enum $name { $($(#[$vdoc])* $variant,)* #[default] $(#[$auto])* Auto }

        /// By its name, as the command line takes it; the fault lists the names.
        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                let all = [$((stringify!($variant), $name::$variant),)* ("auto", $name::Auto)];
                let found = all.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
                found.map(|(_, value)| *value).ok_or_else(|| {
                    let names = all.map(|(name, _)| name.to_ascii_lowercase());
                    format!("`{text}` is none of {}", names.join(", "))
                })
            }
        }
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
choice! {
    /// Graph constraints.
    GraphEncoding {
        /// Parents, which are not determined: the formula has more models than there are solutions.
        Tree,
        /// Left out; broken ones are told by further clauses.
        Cuts,
        /// Distances from a root that is determined.
        Distance,
    }
    /// Cuts with the embedded engine, a tree with a solver that is run again for each solution, else distances.
}

/// The result of encoding a model, besides the clauses.
#[derive(Clone, Debug, Default)]
pub struct Emission {
    /// The highest variable number.
    pub variables: u32,
    /// The highest number of a named variable's literal.
    pub named: u32,
    /// Per model variable, in order.
    pub encodings: Vec<Encoding>,
    /// Literals that distinguish answers.
    pub answer: Vec<Lit>,
    /// The encoding of the graph constraints, if there are any.
    pub graphs: Option<GraphEncoding>,
    /// Graph constraints that are lazy: no clauses encode them fully.
    pub lazy: Rc<[Lazy]>,
    /// The cost to minimize, if there is an objective and the sink takes it.
    pub cost: Option<Weighted>,
    /// The chosen encodings, sorted by name.
    pub choices: Vec<Choice>,
}

/// A chosen encoding and its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Constraint and encoding, or another reason for rows.
    pub name: String,
    pub times: u64,
    /// Clauses, or linear constraints if the sink takes them.
    pub rows: u64,
}

impl Choice {
    /// As text; `row` is the word for one row.
    pub fn describe(&self, row: &str) -> String {
        let s = if self.rows == 1 { "" } else { "s" };
        match self.times {
            0 => format!("{} ({} {row}{s})", self.name, self.rows),
            times => format!("{} ({times}, {} {row}{s})", self.name, self.rows),
        }
    }
}

impl Emission {
    /// Do the models of the formula correspond one to one to the assignments of the named literals that satisfy the
    /// rules?
    pub fn is_determined(&self) -> bool {
        !matches!(self.graphs, Some(GraphEncoding::Tree | GraphEncoding::Cuts))
    }
}

/// Why nothing was encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    Stop(Stop),
    /// A term is too large for any encoding; the text gives the term and its size.
    TooLarge(String),
    /// The program that the formula is meant for cannot read it; the text gives the reason.
    Unfit(String),
}

/// Encodes the whole model: what presolve fixed, the domain clauses of each variable, then rule by rule.
///
/// `label` names a rule instance for annotated sinks. The returned encoder accepts further conditions.
pub fn encode(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    options: Options,
    budget: &Budget,
    sink: &mut dyn Sink,
    label: &dyn Fn(Instance) -> String,
) -> Result<(Encoder, Emission), EncodeError> {
    let mut encoder = Encoder::new(model, options, allows)?;
    let fixed: Vec<Lit> = encoder.fixed_literals().collect();
    if sink.annotated() && !fixed.is_empty() {
        sink.comment("what presolve fixed");
    }
    for lit in &fixed {
        sink.clause(&[*lit]);
    }
    encoder.choices.entry(encoder::FIXED).or_default().rows = fixed.len() as u64;
    let contradiction = encoder.contradiction;
    let mut ctx = encoder.with(model, sink, budget);
    if contradiction {
        ctx.clause(&[]);
        return Ok(emission(encoder, Vec::new(), None));
    }
    ctx.all_domain_clauses()?;
    for rule in &model.rules {
        if ctx.sink.annotated() {
            let text = label(rule.instance);
            ctx.sink.comment(if text.is_empty() { "a rule without label" } else { &text });
        }
        ctx.charge(encoder::PLAIN);
        ctx.assert(rule.what)?;
    }
    ctx.assert_uncrossed()?;
    let cost = match model.objective {
        Some(objective) if ctx.sink.takes_objective() => Some(ctx.cost(objective)?),
        _ => None,
    };
    let answer = ctx.answer_literals()?;
    ctx.charge(encoder::PLAIN);
    Ok(emission(encoder, answer, cost))
}

/// Encodes the variables, and each of `rules` with its own switch literal: a true switch enforces the rule. Returns the
/// switches in the order of the rules. Uses no result of presolve, because presolve derives its facts from the rules.
pub fn encode_switched(
    model: &Model,
    rules: &[Bool],
    options: Options,
    budget: &Budget,
    sink: &mut dyn Sink,
) -> Result<(Encoder, Vec<Lit>), EncodeError> {
    let mut encoder = Encoder::new(model, options, &|_, _| true)?;
    for lit in encoder.fixed_literals().collect::<Vec<_>>() {
        sink.clause(&[lit]);
    }
    let mut ctx = encoder.with(model, sink, budget);
    ctx.all_domain_clauses()?;
    let mut switches = Vec::with_capacity(rules.len());
    for rule in rules {
        switches.push(ctx.assert_switched(*rule)?);
    }
    Ok((encoder, switches))
}

fn emission(mut encoder: Encoder, answer: Vec<Lit>, cost: Option<Weighted>) -> (Encoder, Emission) {
    let emission = Emission {
        variables: encoder.variables() as u32,
        named: encoder.named as u32,
        encodings: encoder.encodings.clone(),
        answer,
        graphs: encoder.graphs,
        lazy: encoder.lazy(),
        cost,
        choices: encoder
            .choices
            .iter()
            .filter(|(_, tally)| tally.times > 0 || tally.rows > 0)
            .map(|((what, how), tally)| Choice {
                name: format!("{what}: {how}"),
                times: tally.times,
                rows: tally.rows,
            })
            .collect(),
    };
    encoder.handed_over = true;
    (encoder, emission)
}

/// Counts the clauses that [`encode`] would emit.
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

impl Emitter<'_> {
    fn all_domain_clauses(&mut self) -> Result<(), EncodeError> {
        if self.sink.annotated() {
            self.sink.comment("the variables");
        }
        for var in 0..self.model.vars.len() {
            self.step(1)?;
            self.charge(encoder::VARIABLES);
            self.domain_clauses(VarId(var as u32))?;
        }
        Ok(())
    }

    /// Returns a switch literal: if it is true, `term` must hold.
    pub fn assert_switched(&mut self, term: Bool) -> Result<Lit, EncodeError> {
        let switch = self.fresh()?;
        let outer = std::mem::replace(&mut self.switch, switch);
        let asserted = self.assert(term);
        self.switch = outer;
        asserted.map(|()| switch)
    }

    /// The cost to minimize.
    fn cost(&mut self, objective: Objective) -> Result<Weighted, EncodeError> {
        let coef = if objective.maximize { -1 } else { 1 };
        let cost = self.weigh(&[Term { coef, atom: Atom::Int(objective.value) }])?;
        cost.ok_or_else(|| EncodeError::TooLarge("an objective beyond 64 bits".into()))
    }

    /// A literal for "the cost is at most `bound`", see [`Objective::cost`]. It is never a constant, because engines
    /// do not know the constants.
    pub fn cost_at_most(&mut self, objective: Objective, bound: i128) -> Result<Lit, EncodeError> {
        let at_most = match objective.most(bound) {
            Some(most) => self.at_most(objective.value, most)?,
            None => encoder::FALSE,
        };
        self.constant_literal(if objective.maximize { -at_most } else { at_most })
    }

    /// The literals that distinguish two answers.
    fn answer_literals(&mut self) -> Result<Vec<Lit>, EncodeError> {
        let Some(answers) = &self.model.answer else {
            return Ok((1..=self.enc.named).collect());
        };
        let mut lits = Vec::new();
        for answer in answers {
            lits.extend(self.literals_of_answer(*answer)?);
        }
        lits.sort_unstable();
        lits.dedup();
        Ok(lits)
    }

    /// The literals that distinguish the values of one answer, all positive.
    pub fn literals_of_answer(&mut self, answer: Answer) -> Result<Vec<Lit>, EncodeError> {
        let lits = match answer {
            Answer::Bool(term) => vec![self.literal(term)?],
            Answer::Var(var) => self.named_literals(var).collect(),
            Answer::Int(int) => match self.model.arena.int_node(int) {
                IntNode::Var(var) => self.named_literals(var).collect(),
                _ => match self.small_view(int)? {
                    Some(view) => view.lits.to_vec(),
                    None => self.bits_of(int)?.to_vec(),
                },
            },
        };
        let last = self.enc.last;
        Ok(lits.into_iter().map(|lit| lit.abs()).filter(|lit| *lit <= last).collect())
    }

    /// The literals that encode a variable, by number.
    pub fn named_literals(&self, var: VarId) -> std::ops::Range<Lit> {
        let (first, count) = self.enc.encodings[var.0 as usize].literals();
        first..first + count as Lit
    }

    /// One literal for each value of a variable, in the order of the positions; `None` for more than `WIDE` values.
    pub fn value_literals(&mut self, var: VarId) -> Result<Option<Vec<Lit>>, EncodeError> {
        let size = self.model.domain(var).size();
        if size > encoder::WIDE {
            return Ok(None);
        }
        if let Encoding::Direct { .. } = self.enc.encodings[var.0 as usize] {
            return Ok(Some(self.named_literals(var).collect()));
        }
        let mut lits = Vec::with_capacity(size);
        for position in 0..size as u32 {
            let lit = self.is_lit(var, position)?;
            lits.push(self.constant_literal(lit)?);
        }
        Ok(Some(lits))
    }

    /// The literal itself, or for a constant a fresh literal with that value.
    fn constant_literal(&mut self, lit: Lit) -> Result<Lit, EncodeError> {
        if lit.abs() != encoder::TRUE {
            return Ok(lit);
        }
        let fixed = self.fresh()?;
        self.clause(&[if lit == encoder::TRUE { fixed } else { -fixed }]);
        Ok(fixed)
    }

    /// Literals whose conjunction is equivalent to the conjunction of `terms`; `None` if it is false.
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

    /// A literal for `int ≤ bound`.
    pub fn at_most(&mut self, int: Int, bound: i64) -> Result<Lit, EncodeError> {
        match bound.checked_add(1) {
            Some(above) => Ok(-self.ge_lit(int, above)?),
            None => Ok(encoder::TRUE),
        }
    }
}
