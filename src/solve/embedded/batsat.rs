//! BatSat, a MiniSat in Rust, as a [`SatEngine`]: for builds without a C++ compiler.

use super::{EngineAnswer, SatEngine};
use crate::encode::{Lit, Sink};
use crate::shared::{Budget, Lookout, Stop};
use batsat::{Callbacks, Solver, SolverInterface, SolverOpts, lbool};

/// BatSat 0.6.
pub struct Batsat {
    solver: Solver<Watch>,
    /// The solver's variables by number from 1; index 0 is unused.
    vars: Vec<batsat::Var>,
    buffer: Vec<batsat::Lit>,
}

/// Stops a search when its budget ends; checked after every restart and batch of conflicts.
#[derive(Default)]
struct Watch(Lookout);

impl Callbacks for Watch {
    fn stop(&self) -> bool {
        self.0.is_over()
    }
}

impl Batsat {
    pub fn new(seed: u32) -> Batsat {
        // BatSat takes the seed as a positive float.
        let options = SolverOpts { random_seed: 91_648_253.0 + f64::from(seed), ..SolverOpts::default() };
        let mut solver = Solver::new(options, Watch::default());
        let unused = solver.new_var_default();
        Batsat { solver, vars: vec![unused], buffer: Vec::new() }
    }

    fn fill(&mut self, lits: &[Lit]) {
        let highest = lits.iter().map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
        self.reserve(highest);
        self.buffer.clear();
        self.buffer.extend(
            lits.iter().map(|lit| batsat::Lit::new(self.vars[lit.unsigned_abs() as usize], *lit > 0)),
        );
    }
}

impl Sink for Batsat {
    fn clause(&mut self, lits: &[Lit]) {
        self.fill(lits);
        self.solver.add_clause_reuse(&mut self.buffer);
    }
}

impl SatEngine for Batsat {
    fn reserve(&mut self, vars: u32) {
        while self.vars.len() <= vars as usize {
            // The first value tried is "true": in direct encodings such a decision propagates most.
            let var = self.solver.new_var(lbool::TRUE, true);
            self.vars.push(var);
        }
    }

    fn vars(&self) -> u32 {
        self.vars.len() as u32 - 1
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> EngineAnswer {
        if let Err(stop) = budget.check() {
            return EngineAnswer::Unknown(stop);
        }
        self.fill(assumptions);
        *self.solver.cb_mut() = Watch(budget.lookout());
        let answer = self.solver.solve_limited(&self.buffer);
        if answer == lbool::TRUE {
            EngineAnswer::Sat
        } else if answer == lbool::FALSE {
            EngineAnswer::Unsat
        } else {
            EngineAnswer::Unknown(budget.check().err().unwrap_or(Stop::Time))
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        let value = match self.vars.get(lit.unsigned_abs() as usize) {
            Some(var) => self.solver.value_var(*var) == lbool::TRUE,
            None => false,
        };
        value == (lit > 0)
    }

    fn failed(&mut self, lit: Lit) -> bool {
        let var = self.vars[lit.unsigned_abs() as usize];
        // BatSat's core holds the negations of the failed assumptions.
        self.solver.unsat_core_contains_lit(!batsat::Lit::new(var, lit > 0))
    }
}
