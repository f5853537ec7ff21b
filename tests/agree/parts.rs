//! What cuts say of parts of solutions: whatever is known of one, no cut excludes another. A search comes across few of these
//! parts, and across other ones in larger models.

use crate::dice::Dice;
use rebus::certify::refute::Checker;
use rebus::encode::Lit;
use rebus::encode::cuts::{Cut, Lazy};
use std::rc::Rc;

/// Parts of each solution.
const EACH: usize = 40;

/// A formula with some of its models: per variable, from 1, is it true?
pub struct Formula<'a> {
    pub clauses: &'a [Vec<Lit>],
    pub lazy: &'a Rc<[Lazy]>,
    pub models: &'a [Vec<bool>],
}

fn holds(model: &[bool], lit: Lit) -> bool {
    model[lit.unsigned_abs() as usize] == (lit > 0)
}

impl Formula<'_> {
    /// A cut that excludes a model, and what was known.
    pub fn wrong_cut(&self, dice: &mut Dice) -> Option<String> {
        if self.models.is_empty() {
            return None;
        }
        for _ in 0..EACH * self.models.len().min(20) {
            let model = &self.models[dice.below(self.models.len())];
            let hidden = dice.below(5);
            let mut known: Vec<bool> = model.iter().map(|_| dice.below(5) >= hidden).collect();
            self.follow(model, &mut known);
            let value = |lit: Lit| known[lit.unsigned_abs() as usize].then(|| holds(model, lit));
            let mut wrong = None;
            for lazy in self.lazy.iter() {
                let mut cuts = Vec::new();
                lazy.cuts(value, &mut cuts);
                let graph = lazy.graph();
                let mut checker = Checker::new(&graph);
                for Cut { rule, lits } in cuts {
                    let excludes = |model: &Vec<bool>| !lits.iter().any(|lit| holds(model, *lit));
                    if self.models.iter().any(excludes) {
                        wrong = Some(format!("the cut {rule} {lits:?} excludes a solution"));
                    } else if let Err(fault) = checker.check(&lits) {
                        wrong = Some(format!("the cut {rule} {lits:?} {fault}"));
                    }
                }
            }
            if let Some(wrong) = wrong {
                let known: Vec<Lit> = (1..model.len())
                    .filter(|var| known[*var])
                    .map(|var| if model[var] { var as Lit } else { -(var as Lit) })
                    .collect();
                return Some(format!("{wrong}; known was {known:?}"));
            }
        }
        None
    }

    /// What is known beside by the clauses, one by one.
    fn follow(&self, model: &[bool], known: &mut [bool]) {
        let mut changed = true;
        while changed {
            changed = false;
            for clause in self.clauses {
                let is_open = |lit: &&Lit| !known[lit.unsigned_abs() as usize];
                let is_kept = |lit: &Lit| known[lit.unsigned_abs() as usize] && holds(model, *lit);
                let mut open = clause.iter().filter(is_open);
                if let (Some(last), None) = (open.next(), open.next())
                    && !clause.iter().any(is_kept)
                {
                    known[last.unsigned_abs() as usize] = true;
                    changed = true;
                }
            }
        }
    }
}
