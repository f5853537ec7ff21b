//! The state of an encoding.
//!
//! In: a model and what presolve fixed. Out: an [`Encoder`]: the numbering of the variables, the fixed literals, the
//! literals already defined, and the chosen encodings. It outlives the encoding of the model, so that enumeration can
//! add conditions.

use super::{EncodeError, GraphEncoding, Options};
use crate::encode::Lit;
use crate::encode::cuts::Lazy;
use crate::encode::symbols::Encoding;
use crate::model::{Bool, BoolNode, Domain, GraphId, Int, IntNode, Model, Term, VarId};
use crate::shared::leave;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The constant literals; they never reach a sink.
pub const TRUE: Lit = Lit::MAX;
pub const FALSE: Lit = -Lit::MAX;

/// A constraint and its encoding.
pub(super) type Chosen = (&'static str, &'static str);

/// Unit clauses from presolve.
pub(super) const FIXED: Chosen = ("literals", "fixed by presolve");
/// The domain clauses of the variables.
pub(super) const VARIABLES: Chosen = ("variables", "values");
/// Rules that translate directly into clauses, and the connectives between parts of rules.
pub(super) const PLAIN: Chosen = ("logic", "clauses");

/// How often an encoding was chosen, and how many rows it emitted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub times: u64,
    pub rows: u64,
}

/// The state of an encoding between calls.
#[derive(Debug)]
pub struct Encoder {
    pub options: Options,
    /// Per model variable.
    pub encodings: Vec<Encoding>,
    /// The highest named literal.
    pub named: Lit,
    /// The highest literal in use.
    pub(super) last: Lit,
    /// Per named literal: 1 true, -1 false, 0 unknown.
    known: Vec<i8>,
    /// Positions that presolve excluded, for variables in order or log encoding.
    pub(super) gone: FxHashSet<(VarId, u32)>,
    /// Is some domain empty? The literals of such a variable stay unknown, so that every term has a value.
    pub(super) contradiction: bool,
    /// Literals of boolean terms by index; 0 if there is none yet.
    pub(super) bools: Vec<Lit>,
    /// Order literals of variables: the literal of "position ≥ p" is `first + p - 1`.
    pub(super) orders: FxHashMap<VarId, Rc<[Lit]>>,
    pub(super) views: FxHashMap<Int, Rc<super::view::View>>,
    pub(super) ands: FxHashMap<Box<[Lit]>, Lit>,
    pub(super) nodes: FxHashMap<(u32, u32, i64), Lit>,
    pub(super) sums: FxHashMap<Vec<Term>, u32>,
    pub(super) bits: FxHashMap<Int, Rc<Vec<Lit>>>,
    /// Quotients and remainders as binary numbers.
    pub(super) divisions: FxHashMap<(Int, Int), Rc<super::divide::Division>>,
    /// Sums as binary numbers.
    pub(super) totals: FxHashMap<Box<[Term]>, Rc<Vec<Lit>>>,
    /// Spanning forests.
    pub(super) forests: FxHashMap<GraphId, Rc<super::graph::Forest>>,
    /// Per graph and vertex: the area of the vertex, as a binary number.
    pub(super) areas: FxHashMap<GraphId, Rc<Vec<Vec<Lit>>>>,
    /// Per graph: does the model use most of its areas?
    pub(super) shared_areas: FxHashMap<GraphId, bool>,
    /// Per graph and vertex: the area of the vertex in literals, see [`super::lazy`].
    pub(super) lazy_areas: FxHashMap<(GraphId, u32), Rc<[Vec<Lit>; 2]>>,
    /// Was the formula handed over? Lazy constraints that come later would reach nobody.
    pub(super) handed_over: bool,
    /// Lazy graph constraints.
    pub(super) lazy: BTreeMap<GraphId, Lazy>,
    /// Connected graphs by their vertices, see [`super::lazy`]; built on first use.
    pub(super) countable: Option<Rc<FxHashMap<Vec<Bool>, GraphId>>>,
    /// The encoding of the graph constraints so far.
    pub(super) graphs: Option<GraphEncoding>,
    /// Literals of "at most" constraints, for sinks that take linear constraints.
    pub(super) linears: FxHashMap<(Box<[(i64, Lit)]>, i64), Lit>,
    pub(super) choices: BTreeMap<Chosen, Tally>,
    /// The encoding that rows are charged to; `emitted` counts its rows that `choices` lacks so far.
    pub(super) current: Chosen,
    pub(super) emitted: u64,
    /// Are all at-most-one groups together small enough for the pairwise encoding?
    pub(super) pairwise_fits: bool,
}

impl Drop for Encoder {
    fn drop(&mut self) {
        leave(&mut self.views);
        leave(&mut self.ands);
        leave(&mut self.sums);
        leave(&mut self.bits);
        leave(&mut self.totals);
    }
}

/// Domains with more values than this use the log encoding.
pub const WIDE: usize = 256;

impl Encoder {
    /// Records the encoding of a graph constraint. One lazy constraint makes the whole emission lazy.
    pub(super) fn wrote_graph(&mut self, how: GraphEncoding) {
        if self.graphs != Some(GraphEncoding::Cuts) {
            self.graphs = Some(how);
        }
    }

    /// Numbers the variables and records the fixed literals. `allows(var, position)` is true if presolve left the value
    /// in the domain.
    pub fn new(
        model: &Model,
        options: Options,
        allows: &dyn Fn(VarId, u32) -> bool,
    ) -> Result<Encoder, EncodeError> {
        use super::IntEncoding;
        let mut encodings = Vec::with_capacity(model.vars.len());
        let mut last: i64 = 0;
        for domain in &model.vars {
            let size = domain.size();
            let first = (last + 1) as Lit;
            let ints = matches!(domain, Domain::Ints(_));
            let wide = size > WIDE;
            let encoding = match options.int {
                _ if matches!(domain, Domain::Bool) => Encoding::Bool(first),
                IntEncoding::Order if ints && size > 0 => Encoding::Order { first, size: size as u32 },
                IntEncoding::Log if ints && size > 0 => binary(first, size),
                IntEncoding::Auto if wide => binary(first, size),
                _ if wide && !ints => binary(first, size),
                _ => Encoding::Direct { first, size: size as u32 },
            };
            last += match encoding {
                Encoding::Bool(_) => 1,
                Encoding::Direct { size, .. } => i64::from(size),
                Encoding::Order { size, .. } => i64::from(size) - 1,
                Encoding::Binary { bits, .. } => i64::from(bits),
            };
            if last >= i64::from(Lit::MAX) {
                return Err(EncodeError::TooLarge("more than 2^31 named literals".into()));
            }
            encodings.push(encoding);
        }
        let mut encoder = Encoder {
            options,
            encodings,
            named: last as Lit,
            last: last as Lit,
            known: vec![0; last as usize + 1],
            gone: FxHashSet::default(),
            contradiction: false,
            bools: Vec::new(),
            orders: FxHashMap::default(),
            views: FxHashMap::default(),
            ands: FxHashMap::default(),
            nodes: FxHashMap::default(),
            sums: FxHashMap::default(),
            bits: FxHashMap::default(),
            divisions: FxHashMap::default(),
            totals: FxHashMap::default(),
            forests: FxHashMap::default(),
            areas: FxHashMap::default(),
            shared_areas: FxHashMap::default(),
            lazy_areas: FxHashMap::default(),
            handed_over: false,
            lazy: BTreeMap::new(),
            countable: None,
            graphs: None,
            linears: FxHashMap::default(),
            choices: BTreeMap::new(),
            current: PLAIN,
            emitted: 0,
            pairwise_fits: true,
        };
        encoder.fix(model, allows);
        encoder.pairwise_fits = pairwise_fits(model, allows);
        Ok(encoder)
    }

    fn fix(&mut self, model: &Model, allows: &dyn Fn(VarId, u32) -> bool) {
        for (at, domain) in model.vars.iter().enumerate() {
            let var = VarId(at as u32);
            let size = domain.size() as u32;
            if !(0..size).any(|position| allows(var, position)) {
                self.contradiction = true;
                continue;
            }
            if matches!(self.encodings[at], Encoding::Order { .. } | Encoding::Binary { .. }) {
                self.gone.extend((0..size).filter(|p| !allows(var, *p)).map(|p| (var, p)));
            }
            let live = |range: std::ops::Range<u32>| range.into_iter().any(|position| allows(var, position));
            match self.encodings[at] {
                Encoding::Bool(lit) => match (allows(var, 0), allows(var, 1)) {
                    (true, false) => self.known[lit as usize] = -1,
                    (false, true) => self.known[lit as usize] = 1,
                    _ => {}
                },
                Encoding::Direct { first, .. } => {
                    let allowed = (0..size).filter(|position| allows(var, *position)).count();
                    for position in 0..size {
                        let at = first as usize + position as usize;
                        match allows(var, position) {
                            false => self.known[at] = -1,
                            true if allowed == 1 => self.known[at] = 1,
                            true => {}
                        }
                    }
                }
                Encoding::Order { first, .. } => {
                    for i in 0..size.saturating_sub(1) {
                        let at = (first as usize) + i as usize;
                        // "the position is at most i"
                        if !live(0..i + 1) {
                            self.known[at] = -1;
                        } else if !live(i + 1..size) {
                            self.known[at] = 1;
                        }
                    }
                }
                Encoding::Binary { first, bits, .. } => {
                    for bit in 0..bits {
                        let mut seen = [false; 2];
                        (0..size)
                            .filter(|p| allows(var, *p))
                            .for_each(|p| seen[(p >> bit & 1) as usize] = true);
                        match seen {
                            [true, false] => self.known[first as usize + bit as usize] = -1,
                            [false, true] => self.known[first as usize + bit as usize] = 1,
                            _ => {}
                        }
                    }
                }
            }
        }
    }

    /// The lazy graph constraints so far.
    pub fn lazy(&self) -> Rc<[Lazy]> {
        self.lazy.values().cloned().collect()
    }

    /// The literal, or a constant if presolve fixed it.
    pub fn norm(&self, lit: Lit) -> Lit {
        let at = lit.unsigned_abs() as usize;
        match self.known.get(at) {
            Some(0) | None => lit,
            Some(sign) if (*sign > 0) == (lit > 0) => TRUE,
            Some(_) => FALSE,
        }
    }

    /// The highest literal in use.
    pub fn variables(&self) -> Lit {
        self.last
    }

    pub(super) fn fixed_literals(&self) -> impl Iterator<Item = Lit> + '_ {
        let named = self.known.iter().enumerate().filter(|(_, sign)| **sign != 0);
        named.map(|(at, sign)| at as Lit * Lit::from(*sign))
    }
}

/// Does the pairwise at-most-one encoding of all variables and `distinct`s, over the values left, need at most about
/// 200,000 clauses?
fn pairwise_fits(model: &Model, allows: &dyn Fn(VarId, u32) -> bool) -> bool {
    const MOST: usize = 200_000;
    let pairs = |n: usize| n * n.saturating_sub(1) / 2;
    let left = |var: usize| {
        let size = model.vars[var].size();
        if size > WIDE { size } else { (0..size as u32).filter(|p| allows(VarId(var as u32), *p)).count() }
    };
    let left: Vec<usize> = (0..model.vars.len()).map(left).collect();
    let mut total = 0;
    for (domain, left) in model.vars.iter().zip(&left) {
        if !matches!(domain, Domain::Bool) && domain.size() <= WIDE {
            total += pairs(*left);
        }
    }
    for rule in &model.rules {
        total += match model.arena.bool_node(rule.what) {
            // estimate: there are as many values as parts, and a value is in as many parts as a part has values
            BoolNode::Distinct(parts) => {
                let values = parts.iter().map(|part| match model.arena.int_node(*part) {
                    IntNode::Var(var) => left[var.0 as usize],
                    _ => parts.len(),
                });
                pairs(values.sum::<usize>().div_ceil(parts.len())) * parts.len()
            }
            BoolNode::Linear { terms, bound: 1, .. } => pairs(terms.len()),
            _ => 0,
        };
        if total > MOST {
            return false;
        }
    }
    total <= MOST
}

fn binary(first: Lit, size: usize) -> Encoding {
    let bits = usize::BITS - (size - 1).leading_zeros();
    Encoding::Binary { first, bits, size: size as u32 }
}
