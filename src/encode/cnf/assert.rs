//! Asserts boolean terms, and reifies them.
//!
//! In: a boolean term. Out: clauses that enforce it (`assert`), or a literal equivalent to it (`reify`). Subterms
//! become clauses where the clauses alone determine all auxiliary variables, and reified literals elsewhere.

use super::EncodeError;
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use crate::encode::Lit;
use crate::model::{Atom, Bool, BoolNode, Cmp, Int, IntNode, Term};

impl Emitter<'_> {
    /// `term` must hold.
    pub fn assert(&mut self, term: Bool) -> Result<(), EncodeError> {
        self.step(1)?;
        let model = self.model;
        match (model.arena.bool_node(term), term.is_negated()) {
            (BoolNode::And(parts), false) => {
                for part in parts {
                    self.assert(*part)?;
                }
                Ok(())
            }
            (BoolNode::And(parts), true) => {
                let mut clause = Vec::with_capacity(parts.len());
                for part in parts {
                    // full reification: half reification would leave auxiliary variables undetermined
                    let lit = self.literal(!*part)?;
                    if self.enc.norm(lit) == TRUE {
                        return Ok(());
                    }
                    clause.push(lit);
                }
                self.clause(&clause);
                Ok(())
            }
            (BoolNode::Iff(a, b), negated) => {
                let (a, b) = (self.literal(a)?, self.literal(b)?);
                let b = if negated { -b } else { b };
                self.clause(&[-a, b]);
                self.clause(&[a, -b]);
                Ok(())
            }
            (BoolNode::Linear { terms, cmp: Cmp::Eq, bound }, false) => {
                if self.add_lazy_area_sum(terms, bound)? || self.add_lazy_count(terms, Cmp::Eq, bound)? {
                    return Ok(());
                }
                if let [Term { coef: 1, atom: Atom::Int(int) }] = terms
                    && let IntNode::Area(graph, vertex) = model.arena.int_node(*int)
                    && !self.areas_are_shared(graph)
                {
                    return self.assert_area(graph, vertex, bound);
                }
                self.assert_known_areas(terms, bound)?;
                self.assert_sum(terms, Cmp::Eq, bound)
            }
            (BoolNode::Linear { terms, cmp: Cmp::Eq, bound }, true) => {
                self.assert_not_equal(terms, bound, term)
            }
            (BoolNode::Linear { terms, cmp: Cmp::Le, bound }, false) => {
                match self.add_lazy_count(terms, Cmp::Le, bound)? {
                    true => Ok(()),
                    false => self.assert_sum(terms, Cmp::Le, bound),
                }
            }
            (BoolNode::Linear { terms, cmp: Cmp::Le, bound }, true) => {
                // Σ > b is -Σ ≤ -b - 1
                let minus: Option<Vec<Term>> = terms
                    .iter()
                    .map(|t| t.coef.checked_neg().map(|coef| Term { coef, atom: t.atom }))
                    .collect();
                match (minus, bound.checked_neg().and_then(|b| b.checked_sub(1))) {
                    (Some(minus), Some(bound)) if terms.len() > 1 => self.assert_sum(&minus, Cmp::Le, bound),
                    _ => self.assert_literal(term),
                }
            }
            (BoolNode::Distinct(parts), false) => self.assert_distinct(parts),
            (BoolNode::Runs(runs), false) => self.assert_runs(runs),
            (BoolNode::Regular(regular), false) => {
                self.chose("regular", "automaton");
                let end = self.regular(regular, true)?;
                self.clause(&[end]);
                Ok(())
            }
            (BoolNode::Graph(graph, property), false) => self.assert_graph(graph, property),
            _ => self.assert_literal(term),
        }
    }

    /// Redundant constraint: if presolve fixed the variable that an area equals, the area of that vertex is also
    /// asserted as a constant. This propagates more from the clues of a board.
    fn assert_known_areas(&mut self, terms: &[Term], bound: i64) -> Result<(), EncodeError> {
        let &[Term { coef: 1, atom: Atom::Int(a) }, Term { coef: -1, atom: Atom::Int(b) }] = terms else {
            return Ok(());
        };
        for (area, other) in [(a, b), (b, a)] {
            let (IntNode::Area(graph, vertex), IntNode::Var(_)) =
                (self.model.arena.int_node(area), self.model.arena.int_node(other))
            else {
                continue;
            };
            if let (0, [value]) = (bound, &self.view(other)?.values[..]) {
                self.assert_area(graph, vertex, *value)?;
            }
        }
        Ok(())
    }

    fn assert_literal(&mut self, term: Bool) -> Result<(), EncodeError> {
        let lit = self.literal(term)?;
        self.clause(&[lit]);
        Ok(())
    }

    /// Defines a fresh literal for a positive term.
    pub(super) fn reify(&mut self, term: Bool) -> Result<Lit, EncodeError> {
        self.step(1)?;
        let model = self.model;
        match model.arena.bool_node(term) {
            BoolNode::True => Ok(TRUE),
            BoolNode::Var(var) => Ok(self.is(var, 1)),
            BoolNode::Is(var, position) => self.is_lit(var, position),
            BoolNode::And(parts) => {
                let mut lits = Vec::with_capacity(parts.len());
                for part in parts {
                    match self.literal(*part)? {
                        FALSE => return Ok(FALSE),
                        lit => lits.push(lit),
                    }
                }
                self.and_lit(lits)
            }
            BoolNode::Iff(a, b) => {
                let (a, b) = (self.literal(a)?, self.literal(b)?);
                self.iff_lit(a, b)
            }
            BoolNode::Linear { terms, cmp, bound } => self.sum_literal(terms, cmp, bound),
            BoolNode::Distinct(parts) => {
                self.chose("distinct, reified", "pairs");
                let mut lits = Vec::new();
                for (i, a) in parts.iter().enumerate() {
                    for b in &parts[i + 1..] {
                        let same = self.equal_ints(*a, *b)?;
                        lits.push(-same);
                    }
                }
                self.and_lit(lits)
            }
            BoolNode::Runs(runs) => {
                self.chose("runs, reified", "automaton");
                self.runs_automaton(runs, false)
            }
            BoolNode::Regular(regular) => {
                self.chose("regular, reified", "automaton");
                self.regular(regular, false)
            }
            BoolNode::Graph(..) => Err(EncodeError::TooLarge("a graph constraint that is no rule".into())),
        }
    }

    /// Each value at most once; exactly once if there are as many values as terms.
    fn assert_distinct(&mut self, parts: &[Int]) -> Result<(), EncodeError> {
        if let [a, b] = parts {
            let terms = vec![Term { coef: 1, atom: Atom::Int(*a) }, Term { coef: -1, atom: Atom::Int(*b) }];
            return self.not_equal(&terms, 0);
        }
        let mut views = Vec::with_capacity(parts.len());
        for part in parts {
            match self.small_view(*part)? {
                Some(view) => views.push(view),
                None => return self.distinct_by_bits(parts),
            }
        }
        let mut values: Vec<i64> = views.iter().flat_map(|view| view.values.iter().copied()).collect();
        values.sort_unstable();
        values.dedup();
        if values.len() < parts.len() {
            // pigeonhole: hard for a SAT solver, so decided here
            self.clause(&[]);
            return Ok(());
        }
        let exactly = values.len() == parts.len();
        self.chose("distinct", if exactly { "exactly one a value" } else { "at most one a value" });
        let mut group = Vec::with_capacity(parts.len());
        for value in values {
            group.clear();
            let mut taken = 0;
            for view in &views {
                match self.enc.norm(view.eq(value)) {
                    FALSE => {}
                    TRUE => taken += 1,
                    lit => group.push(lit),
                }
            }
            match taken {
                0 if exactly => self.exactly_one(&group)?,
                0 => self.at_most_one(&group)?,
                1 => group.iter().for_each(|lit| self.clause(&[-lit])),
                _ => self.clause(&[]),
            }
        }
        Ok(())
    }

    fn distinct_by_bits(&mut self, parts: &[Int]) -> Result<(), EncodeError> {
        self.chose("distinct", "pairs of binary numbers");
        for (i, a) in parts.iter().enumerate() {
            for b in &parts[i + 1..] {
                let same = self.equal_ints(*a, *b)?;
                self.clause(&[-same]);
            }
        }
        Ok(())
    }

    /// A literal for `a = b`.
    pub(super) fn equal_ints(&mut self, a: Int, b: Int) -> Result<Lit, EncodeError> {
        if a == b {
            return Ok(TRUE);
        }
        if let (IntNode::Const(k), other) | (other, IntNode::Const(k)) =
            (self.model.arena.int_node(a), self.model.arena.int_node(b))
        {
            if let IntNode::Const(other) = other {
                return Ok(if k == other { TRUE } else { FALSE });
            }
            let int = if self.model.arena.as_const(a).is_some() { b } else { a };
            return self.eq_lit(int, k);
        }
        match self.small_views(a, b)? {
            Some((x, y)) => self.equal_views(&x, &y, 0),
            None => {
                let (x, y) = (self.bits_of(a)?, self.bits_of(b)?);
                self.equal_bits(&x, &y)
            }
        }
    }
}
