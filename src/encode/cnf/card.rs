//! Cardinality constraints: at most, or exactly, k of n literals.
//!
//! In: literals and k. Out: clauses, or one linear constraint if the sink takes it; or one literal.
//!
//! Naive (binomial), sequential counter (Sinz, CP 2005), totalizer (Bailleux and Boufkhad, CP 2003; bounded
//! at k + 1) and decision diagram (Abío et al. 2012; an asserted equality needs only half of the implications).
//! Counters have the clauses of both directions, so auxiliary variables are determined.

use super::diagram::{Item, MOST_EDGES, Sum, suffixes};
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use super::{Card, EncodeError};
use crate::encode::{Lit, Weighted};
use crate::model::{Atom, Bool, Cmp, Term};
use std::rc::Rc;

/// Counts that need more nodes than this use adders, which propagate little but have linear size.
const MOST_NODES: i64 = 500_000;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    AtMost,
    Exactly,
}

impl Wanted {
    fn cmp(self) -> Cmp {
        match self {
            Wanted::AtMost => Cmp::Le,
            Wanted::Exactly => Cmp::Eq,
        }
    }
}

impl Emitter<'_> {
    /// The terms as literals to count and the bound for the count, if all are booleans with coefficient ±1.
    pub(super) fn cardinality(
        &mut self,
        terms: &[Term],
        bound: i64,
    ) -> Result<Option<(Vec<Lit>, i64)>, EncodeError> {
        let unit = |term: &Term| matches!(term, Term { coef: 1 | -1, atom: Atom::Bool(_) });
        if !terms.iter().all(unit) {
            return Ok(None);
        }
        let mut k = bound;
        let mut lits = Vec::with_capacity(terms.len());
        for term in terms {
            let Atom::Bool(b) = term.atom else { continue };
            let mut lit = self.literal(b)?;
            if term.coef < 0 {
                // -b is (not b) - 1
                lit = -lit;
                k += 1;
            }
            match self.enc.norm(lit) {
                TRUE => k -= 1,
                FALSE => {}
                lit => lits.push(lit),
            }
        }
        // a literal and its negation together count one
        let mut at = 0;
        while at < lits.len() && lits.len() <= 64 {
            match lits[at + 1..].iter().position(|other| *other == -lits[at]) {
                Some(offset) => {
                    lits.remove(at + 1 + offset);
                    lits.remove(at);
                    k -= 1;
                }
                None => at += 1,
            }
        }
        Ok(Some((lits, k)))
    }

    /// The weighted sum of a count, if it is emitted as a linear constraint.
    fn whole_count(&mut self, lits: &[Lit]) -> Option<Weighted> {
        let whole = self.enc.options.card == Card::Auto && self.takes_linear();
        whole.then(|| self.weigh_literals(lits)).flatten()
    }

    pub(super) fn assert_card(&mut self, lits: &[Lit], wanted: Wanted, k: i64) -> Result<(), EncodeError> {
        let n = lits.len() as i64;
        let all = |ctx: &mut Self, sign: Lit| lits.iter().for_each(|lit| ctx.clause(&[sign * lit]));
        if k < 0 || (wanted == Wanted::Exactly && k > n) {
            self.clause(&[]);
            return Ok(());
        }
        if wanted == Wanted::AtMost && k >= n {
            return Ok(());
        }
        let what = if wanted == Wanted::Exactly { "exactly k" } else { "at most k" };
        if let Some(sum) = self.whole_count(lits) {
            self.chose(what, "linear");
            return self.emit(&sum, wanted.cmp(), k);
        }
        match k {
            0 => {
                all(self, -1);
                return Ok(());
            }
            k if k == n => {
                all(self, 1);
                return Ok(());
            }
            1 if self.enc.options.card == Card::Auto => {
                return match wanted {
                    Wanted::AtMost => self.at_most_one(lits),
                    Wanted::Exactly => self.exactly_one(lits),
                };
            }
            k if k == n - 1 && wanted == Wanted::AtMost => {
                let clause: Vec<Lit> = lits.iter().map(|lit| -lit).collect();
                self.clause(&clause);
                return Ok(());
            }
            _ => {}
        }
        match self.enc.options.card {
            Card::Naive if binomial(n, k + 1) <= 5_000_000 && binomial(n, n - k + 1) <= 5_000_000 => {
                self.chose(what, "naive");
                self.naive(lits, wanted, k)
            }
            Card::Auto if naive_clauses(n, k, wanted) <= 2 * k * (n - k) => {
                self.chose(what, "naive");
                self.naive(lits, wanted, k)
            }
            Card::Sequential | Card::Totalizer => {
                let lit = self.card_literal(lits, wanted, k)?;
                self.clause(&[lit]);
                Ok(())
            }
            Card::Auto if k * (n - k) > MOST_NODES => {
                self.chose(what, "adder");
                let lit = self.count_in_binary(lits, wanted, k)?;
                self.clause(&[lit]);
                Ok(())
            }
            Card::Auto if wanted == Wanted::AtMost && k.min(n - k) > 12 => {
                self.chose(what, "totalizer");
                let lit = self.count_in_unary(lits, wanted, k, false)?;
                self.clause(&[lit]);
                Ok(())
            }
            _ => {
                self.chose(what, "bdd");
                let (key, sum) = self.count_sum(lits, wanted, k)?;
                self.assert_diagram(key, &sum)
            }
        }
    }

    /// A literal that is equivalent to "at most" or "exactly k of `lits`".
    pub(super) fn card_literal(&mut self, lits: &[Lit], wanted: Wanted, k: i64) -> Result<Lit, EncodeError> {
        let n = lits.len() as i64;
        if k < 0 || (wanted == Wanted::Exactly && k > n) {
            return Ok(FALSE);
        }
        if wanted == Wanted::AtMost && k >= n {
            return Ok(TRUE);
        }
        if k == 0 {
            return self.and_lit(lits.iter().map(|lit| -lit).collect::<Vec<_>>());
        }
        if k == n {
            return self.and_lit(lits.to_vec());
        }
        if wanted == Wanted::AtMost && k == n - 1 {
            return Ok(-self.and_lit(lits.to_vec())?);
        }
        if let Some(sum) = self.whole_count(lits) {
            self.chose("count, reified", "linear");
            return self.emit_literal(&sum, wanted.cmp(), k);
        }
        let sequential = match self.enc.options.card {
            Card::Sequential => true,
            Card::Totalizer => false,
            Card::Auto if k * (n - k) > MOST_NODES => {
                self.chose("count, reified", "adder");
                return self.count_in_binary(lits, wanted, k);
            }
            Card::Auto if n > 8 => false,
            _ => {
                self.chose("count, reified", "bdd");
                let (key, sum) = self.count_sum(lits, wanted, k)?;
                return self.diagram_literal(key, &sum);
            }
        };
        self.chose("count, reified", if sequential { "sequential" } else { "totalizer" });
        self.count_in_unary(lits, wanted, k, sequential)
    }

    /// A count as a sum for a diagram, and the key of its items.
    fn count_sum(&self, lits: &[Lit], wanted: Wanted, k: i64) -> Result<(Vec<Term>, Sum), EncodeError> {
        let items: Rc<[Item]> = lits.iter().map(|lit| vec![(0, -lit), (1, *lit)]).collect();
        let cmp = if wanted == Wanted::Exactly { Cmp::Eq } else { Cmp::Le };
        let Some(suffix) = suffixes(&items, k, MOST_EDGES) else {
            return Err(EncodeError::TooLarge(format!("a count of {k} out of {}", lits.len())));
        };
        // no term of a sum has a constant atom, so these keys never clash with those of sums
        let key = lits.iter().map(|lit| Term { coef: i64::from(*lit), atom: Atom::Bool(Bool::TRUE) });
        Ok((key.collect(), Sum { items, suffix, cmp, bound: k }))
    }

    /// Counts the true literals or the false ones, whichever needs the smaller counter.
    fn count_in_unary(
        &mut self,
        lits: &[Lit],
        wanted: Wanted,
        k: i64,
        sequential: bool,
    ) -> Result<Lit, EncodeError> {
        let unary = |ctx: &mut Self, lits: &[Lit], most: i64| {
            if sequential { ctx.sequential(lits, most) } else { ctx.totalizer(lits, most) }
        };
        let others = lits.len() as i64 - k;
        if k > others {
            let flipped: Vec<Lit> = lits.iter().map(|lit| -lit).collect();
            return match wanted {
                Wanted::Exactly => self.count_in_unary(&flipped, wanted, others, sequential),
                Wanted::AtMost => Ok(unary(self, &flipped, others)?[others as usize - 1]),
            };
        }
        // counts[j - 1]: at least j
        let counts = unary(self, lits, k + 1)?;
        let beyond = counts[k as usize];
        match wanted {
            Wanted::AtMost => Ok(-beyond),
            Wanted::Exactly => {
                let reached = counts[k as usize - 1];
                self.and_lit([reached, -beyond])
            }
        }
    }

    fn count_in_binary(&mut self, lits: &[Lit], wanted: Wanted, k: i64) -> Result<Lit, EncodeError> {
        let count = self.bits_count(lits)?;
        match wanted {
            Wanted::AtMost => Ok(-self.bits_at_least(&count, k + 1)?),
            Wanted::Exactly => self.bits_equal(&count, k),
        }
    }

    /// Naive encoding: no k + 1 literals are true; for "exactly" also no n - k + 1 are false.
    fn naive(&mut self, lits: &[Lit], wanted: Wanted, k: i64) -> Result<(), EncodeError> {
        self.subsets(lits, k as usize + 1, -1)?;
        if wanted == Wanted::Exactly {
            self.subsets(lits, lits.len() - k as usize + 1, 1)?;
        }
        Ok(())
    }

    fn subsets(&mut self, lits: &[Lit], size: usize, sign: Lit) -> Result<(), EncodeError> {
        let n = lits.len();
        if size > n {
            return Ok(());
        }
        let mut at: Vec<usize> = (0..size).collect();
        let mut clause = Vec::with_capacity(size);
        loop {
            self.step(1)?;
            clause.clear();
            clause.extend(at.iter().map(|i| sign * lits[*i]));
            self.clause(&clause);
            let Some(next) = (0..size).rev().find(|i| at[*i] != i + n - size) else { return Ok(()) };
            at[next] += 1;
            for i in next + 1..size {
                at[i] = at[i - 1] + 1;
            }
        }
    }

    /// Sequential counter: literals of "at least j" for j up to `most`.
    fn sequential(&mut self, lits: &[Lit], most: i64) -> Result<Vec<Lit>, EncodeError> {
        let mut counts: Vec<Lit> = vec![FALSE; most as usize];
        for lit in lits {
            let before = counts.clone();
            for j in 0..counts.len() {
                let below = if j == 0 { TRUE } else { before[j - 1] };
                // at least j + 1 now: at least j + 1 before, or at least j before and this literal is true
                counts[j] = match (before[j], below) {
                    (FALSE, FALSE) => FALSE,
                    (FALSE, below) => self.and_lit([*lit, below])?,
                    (before, TRUE) => self.or_lit([before, *lit])?,
                    (before, below) => {
                        let now = self.fresh()?;
                        self.clause(&[-before, now]);
                        self.clause(&[-*lit, -below, now]);
                        self.clause(&[-now, before, *lit]);
                        self.clause(&[-now, before, below]);
                        now
                    }
                };
            }
        }
        Ok(counts)
    }

    /// Totalizer: literals of "at least j" for j up to `most`.
    pub(super) fn totalizer(&mut self, lits: &[Lit], most: i64) -> Result<Vec<Lit>, EncodeError> {
        let mut counts = self.totalizer_node(lits, most as usize)?;
        counts.resize(most as usize, FALSE);
        Ok(counts)
    }

    fn totalizer_node(&mut self, lits: &[Lit], most: usize) -> Result<Vec<Lit>, EncodeError> {
        if let [_] | [] = lits {
            return Ok(lits.to_vec());
        }
        let (left, right) = lits.split_at(lits.len() / 2);
        let (a, b) = (self.totalizer_node(left, most)?, self.totalizer_node(right, most)?);
        self.step((a.len() * b.len()) as u64 + 1)?;
        let n = (a.len() + b.len()).min(most);
        let mut out = Vec::with_capacity(n);
        for _ in 0..n {
            out.push(self.fresh()?);
        }
        let at = |list: &[Lit], j: usize| match j {
            0 => TRUE,
            j => list.get(j - 1).copied().unwrap_or(FALSE),
        };
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                if (1..=n).contains(&(i + j)) {
                    // at least i left and at least j right imply at least i + j
                    self.clause(&[-at(&a, i), -at(&b, j), out[i + j - 1]]);
                }
                if i + j < n {
                    // at most i left and at most j right imply at most i + j
                    let left = if i == a.len() { FALSE } else { at(&a, i + 1) };
                    let right = if j == b.len() { FALSE } else { at(&b, j + 1) };
                    self.clause(&[left, right, -out[i + j]]);
                }
            }
        }
        Ok(out)
    }
}

/// The number of clauses of the naive encoding.
fn naive_clauses(n: i64, k: i64, wanted: Wanted) -> i64 {
    let upper = binomial(n, k + 1);
    match wanted {
        Wanted::AtMost => upper,
        Wanted::Exactly => upper.saturating_add(binomial(n, n - k + 1)),
    }
}

fn binomial(n: i64, k: i64) -> i64 {
    if k < 0 || k > n {
        return 0;
    }
    let mut result: i64 = 1;
    for i in 0..k.min(n - k) {
        match result.checked_mul(n - i) {
            Some(product) => result = product / (i + 1),
            None => return i64::MAX,
        }
    }
    result
}
