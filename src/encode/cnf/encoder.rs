//! The encoder's state: numbering, what is fixed, literals already defined; and the clauses all encodings
//! pour.
//!
//! `Encoder` holds what lasts (so that more conditions can follow, as in enumeration); a [`Ctx`] borrows it
//! together with model and sink for one call. Constants never reach the sink.

use super::{EncodeError, GraphEncoding, Options};
use crate::encode::cuts::Lazy;
use crate::encode::symbols::Encoding;
use crate::encode::{Lit, Sink};
use crate::model::{Bool, BoolNode, Domain, GraphId, Int, IntNode, Model, Term, VarId};
use crate::shared::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The constant literals; they never reach a sink.
pub const TRUE: Lit = Lit::MAX;
pub const FALSE: Lit = -Lit::MAX;

/// A constraint and its encoding.
pub(super) type Chosen = (&'static str, &'static str);

/// What presolve found.
pub(super) const FIXED: Chosen = ("literals", "fixed by presolve");
/// What ties the literals of variables together.
pub(super) const VARIABLES: Chosen = ("variables", "values");
/// Rules that are clauses nearly as they stand, and what joins parts of rules.
pub(super) const PLAIN: Chosen = ("logic", "clauses");

/// How often an encoding was chosen, and how many rows it poured.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub times: u64,
    pub rows: u64,
}

/// What lasts between calls.
#[derive(Debug)]
pub struct Encoder {
    pub options: Options,
    /// Per model variable.
    pub encodings: Vec<Encoding>,
    /// The highest named literal.
    pub named: Lit,
    /// The highest literal in use.
    pub(super) last: Lit,
    /// Per named literal: 1 true, -1 false, 0 open.
    known: Vec<i8>,
    /// Positions that presolve excluded, of variables without a literal of their own for a position.
    pub(super) gone: FxHashSet<(VarId, u32)>,
    /// Has some variable no value left? Its literals then stay open, so that no term is without values.
    pub(super) contradiction: bool,
    /// Literals of boolean terms by index; 0 where none yet.
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
    /// Per graph the areas about its vertices, as binary numbers.
    pub(super) areas: FxHashMap<GraphId, Rc<Vec<Vec<Lit>>>>,
    /// Graph constraints that are left out.
    pub(super) lazy: BTreeMap<GraphId, Lazy>,
    /// How graph constraints were told so far.
    pub(super) graphs: Option<GraphEncoding>,
    /// Literals of "at most", for sinks that take linear constraints.
    pub(super) linears: FxHashMap<(Box<[(i64, Lit)]>, i64), Lit>,
    pub(super) choices: BTreeMap<Chosen, Tally>,
    /// What is being poured, and how many rows of it are not in `choices` yet.
    current: Chosen,
    poured: u64,
    /// Do all at-most-one groups together stay small enough for pairwise?
    pub(super) pairwise_fits: bool,
}

/// One call's view of encoder, model and sink.
pub struct Ctx<'a> {
    pub enc: &'a mut Encoder,
    pub model: &'a Model,
    pub sink: &'a mut dyn Sink,
    pub budget: &'a Budget,
    /// What is asserted holds where this literal does; `TRUE`: everywhere.
    pub(super) switch: Lit,
    scratch: Vec<Lit>,
}

/// Domains above this many values are told in binary.
pub const WIDE: usize = 256;

impl Encoder {
    /// Numbers the variables and notes what is fixed: `allows(var, position)` says whether a value is still
    /// possible.
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
            areas: FxHashMap::default(),
            lazy: BTreeMap::new(),
            graphs: None,
            linears: FxHashMap::default(),
            choices: BTreeMap::new(),
            current: PLAIN,
            poured: 0,
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

    /// Graph constraints that were left out so far.
    pub fn lazy(&self) -> Rc<[Lazy]> {
        self.lazy.values().cloned().collect()
    }

    /// The literal as it is known: constant where presolve fixed it.
    pub fn norm(&self, lit: Lit) -> Lit {
        let at = lit.unsigned_abs() as usize;
        match self.known.get(at) {
            Some(0) | None => lit,
            Some(sign) if (*sign > 0) == (lit > 0) => TRUE,
            Some(_) => FALSE,
        }
    }

    /// Borrows the encoder for one call.
    pub fn with<'a>(&'a mut self, model: &'a Model, sink: &'a mut dyn Sink, budget: &'a Budget) -> Ctx<'a> {
        Ctx { enc: self, model, sink, budget, switch: TRUE, scratch: Vec::new() }
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

/// Would pairwise at-most-one for all variables and `distinct`s, by the values left, stay under about 200,000
/// clauses?
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
            // about as many values as parts, and as many parts with a value as values a part
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

/// Runs one more level of a recursion; terms nest, and diagrams are, as deep as they like.
pub(in crate::encode) fn deeper<T>(level: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 << 10, 1 << 20, level)
}

impl Ctx<'_> {
    /// A fresh auxiliary.
    pub fn fresh(&mut self) -> Result<Lit, EncodeError> {
        if self.enc.last >= Lit::MAX - 2 {
            return Err(EncodeError::TooLarge("more than 2^31 literals".into()));
        }
        self.step(1)?;
        self.enc.last += 1;
        Ok(self.enc.last)
    }

    /// A constraint gets an encoding: rows are charged to it from now on.
    pub fn chose(&mut self, what: &'static str, how: &'static str) {
        if self.sink.annotated() && self.enc.current != (what, how) {
            self.sink.comment(&format!("{what}: {how}"));
        }
        self.charge((what, how));
        self.enc.choices.entry((what, how)).or_default().times += 1;
    }

    /// Charges rows to another encoding from now on; the one so far comes back.
    pub(super) fn charge(&mut self, chosen: Chosen) -> Chosen {
        let before = std::mem::replace(&mut self.enc.current, chosen);
        let poured = std::mem::take(&mut self.enc.poured);
        if poured > 0 {
            self.enc.choices.entry(before).or_default().rows += poured;
        }
        before
    }

    /// A row was poured.
    pub(super) fn count_rows(&mut self, n: u64) {
        self.enc.poured += n;
    }

    /// Looks at the limits; called once a constraint or node.
    pub fn step(&mut self, n: u64) -> Result<(), EncodeError> {
        if self.sink.stopped() {
            return Err(EncodeError::Stop(Stop::Cancelled));
        }
        self.budget.step(n).map_err(EncodeError::Stop)
    }

    /// Pours a clause, without constants, repetitions and tautologies.
    pub fn clause(&mut self, lits: &[Lit]) {
        let mut out = std::mem::take(&mut self.scratch);
        out.clear();
        for lit in lits {
            match self.enc.norm(*lit) {
                TRUE => {
                    self.scratch = out;
                    return;
                }
                FALSE => {}
                lit => out.push(lit),
            }
        }
        if out.len() > 1 && !self.plain(&mut out) {
            self.scratch = out;
            return;
        }
        self.plain_clause(&out);
        self.scratch = out;
    }

    /// Pours a clause that is known to be without constants, repetitions and tautologies.
    pub(super) fn plain_clause(&mut self, lits: &[Lit]) {
        self.count_rows(1);
        if self.switch == TRUE {
            self.sink.clause(lits);
        } else {
            let switched: Vec<Lit> = lits.iter().copied().chain([-self.switch]).collect();
            self.sink.clause(&switched);
        }
    }

    /// At most one of `lits`, pairwise; they are without constants, repetitions and negations of each other.
    pub(super) fn plain_pairwise(&mut self, lits: &[Lit]) {
        if self.switch == TRUE {
            let n = lits.len() as u64;
            self.count_rows(n * n.saturating_sub(1) / 2);
            return self.sink.pairwise(lits);
        }
        for (i, a) in lits.iter().enumerate() {
            for b in &lits[i + 1..] {
                self.plain_clause(&[-a, -b]);
            }
        }
    }

    /// Makes what lasts: others will use it, so it holds whatever the switch of who asked first.
    pub(super) fn lasting<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let switch = std::mem::replace(&mut self.switch, TRUE);
        let current = self.enc.current;
        let made = make(self);
        self.charge(current);
        self.switch = switch;
        made
    }

    /// Drops repetitions; false for a tautology.
    fn plain(&self, lits: &mut Vec<Lit>) -> bool {
        if lits.is_sorted_by(|a, b| a.abs() < b.abs()) {
            return true;
        }
        if lits.len() <= 8 {
            let mut at = 1;
            while at < lits.len() {
                let lit = lits[at];
                if lits[..at].contains(&-lit) {
                    return false;
                }
                if lits[..at].contains(&lit) {
                    lits.remove(at);
                } else {
                    at += 1;
                }
            }
            return true;
        }
        let mut sorted = lits.clone();
        sorted.sort_unstable_by_key(|lit| (lit.unsigned_abs(), *lit));
        let repeated = sorted.windows(2).any(|pair| pair[0] == pair[1]);
        if sorted.windows(2).any(|pair| pair[0] == -pair[1]) {
            return false;
        }
        if repeated {
            let mut seen = FxHashSet::default();
            lits.retain(|lit| seen.insert(*lit));
        }
        true
    }

    /// A literal that is true just where all of `lits` are.
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
        self.lasting(|this| {
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

    /// A literal that is true just where both or neither are.
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

    /// The literal of a boolean term, defined both ways.
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
        let lit = deeper(|| self.lasting(|this| this.reify(term)))?;
        if self.enc.bools.len() <= at {
            self.enc.bools.resize(at + 1, 0);
        }
        self.enc.bools[at] = lit;
        Ok(lit)
    }
}
