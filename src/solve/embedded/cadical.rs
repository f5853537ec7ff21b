//! CaDiCaL as a [`SatEngine`].
//!
//! Options are set once, at the start. With many small formulas solved under assumptions, the default preprocessing
//! and inprocessing (lucky phases, for example) cost more than the search itself, so [`Cadical::quick`] turns them
//! off; [`Cadical::new`] keeps the defaults.

use super::{EngineAnswer, SatEngine};
use crate::encode::{Lit, Sink};
use crate::shared::{Budget, Lookout, Stop, ending};
use crate::solve::checker::ProofForm;
use cadical_sys::{CaDiCal, Status, Terminator};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::path::Path;

/// CaDiCaL 3.
pub struct Cadical {
    solver: CaDiCal,
    vars: u32,
    /// Open as long as its descriptor is in use.
    proof: Option<File>,
}

/// The path of an open descriptor: CaDiCaL takes paths as text, which not every path is.
fn number(open: &impl AsRawFd) -> String {
    format!("/dev/fd/{}", open.as_raw_fd())
}

/// Stops a search when its budget ends.
struct Watch(Lookout);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.is_over()
    }
}

impl Cadical {
    /// For one formula of any size.
    pub fn new(seed: u32) -> Cadical {
        let mut solver = CaDiCal::new();
        solver.set("seed", seed.min(2_000_000_000) as i32);
        Cadical { solver, vars: 0, proof: None }
    }

    /// For many short searches over one small formula.
    pub fn quick(seed: u32) -> Cadical {
        let mut cadical = Cadical::new(seed);
        for (option, value) in [("lucky", 0), ("inprocessing", 0), ("otfs", 0), ("ilb", 1)] {
            cadical.solver.set(option, value);
        }
        cadical
    }

    /// For one formula, with a proof in text form if it has no model.
    pub fn proving(seed: u32, proof: &Path, form: ProofForm) -> io::Result<Cadical> {
        let mut cadical = Cadical::new(seed);
        cadical.solver.set("binary", 0);
        cadical.solver.set("lrat", i32::from(form == ProofForm::Lrat));
        let proof = File::create(proof)?;
        if !cadical.solver.trace_proof2(&number(&proof)) {
            // CaDiCaL has a file that it could not open, and would close it
            std::mem::forget(cadical);
            return Err(io::Error::other("it cannot be opened again"));
        }
        cadical.proof = Some(proof);
        Ok(cadical)
    }

    /// Reads a formula. Call this first, so that a proof numbers the clauses as in the file. The inner error is the
    /// end of the budget.
    pub fn read(&mut self, formula: &Path, budget: &Budget) -> Result<Result<(), Stop>, String> {
        let message = |error: io::Error| error.to_string();
        let mut file = File::open(formula).map_err(message)?;
        // CaDiCaL's reader checks no budget, so a thread feeds it through a pipe.
        let (reader, mut writer) = io::pipe().map_err(message)?;
        let path = number(&reader);
        let watch = budget.lookout();
        let solver = &mut self.solver;
        let mut vars = 0;
        let (read, fed) = std::thread::scope(|scope| {
            let feeder = std::thread::Builder::new().spawn_scoped(scope, move || {
                let mut block = vec![0; 1 << 16];
                loop {
                    match file.read(&mut block) {
                        Ok(0) => return Ok(()),
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(error) => return Err(error),
                        // a truncated text is not a valid formula
                        Ok(_) if watch.is_over() => return Ok(()),
                        // CaDiCaL may stop reading early
                        Ok(count) if writer.write_all(&block[..count]).is_err() => return Ok(()),
                        Ok(_) => {}
                    }
                }
            })?;
            let read = solver.read_dimacs2(&path, &mut vars, 1);
            // closes the pipe, so that a blocked writer ends
            drop(reader);
            io::Result::Ok((read, feeder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))))
        })
        .map_err(message)?;
        fed.map_err(message)?;
        self.vars = vars.unsigned_abs();
        match budget.check() {
            Err(stop) => Ok(Err(stop)),
            Ok(()) => read.map(Ok),
        }
    }

    /// Writes the rest of the proof.
    pub fn end_proof(&mut self) {
        self.solver.close_proof_trace(false);
        self.proof = None;
    }

    fn see(&mut self, lit: Lit) {
        self.vars = self.vars.max(lit.unsigned_abs());
    }
}

impl Drop for Cadical {
    fn drop(&mut self) {
        // a proof is written to its end
        if ending() && self.proof.is_none() {
            std::mem::forget(std::mem::replace(&mut self.solver, CaDiCal::new()));
        }
    }
}

impl Sink for Cadical {
    fn clause(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.see(*lit);
        }
        match *lits {
            [a] => self.solver.clause1(a),
            [a, b] => self.solver.clause2(a, b),
            [a, b, c] => self.solver.clause3(a, b, c),
            _ => {
                for lit in lits {
                    self.solver.add(*lit);
                }
                self.solver.add(0);
            }
        }
    }
}

impl SatEngine for Cadical {
    fn reserve(&mut self, vars: u32) {
        if vars > self.vars {
            self.vars = vars;
            self.solver.resize(vars as i32);
        }
    }

    fn vars(&self) -> u32 {
        self.vars
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> EngineAnswer {
        if let Err(stop) = budget.check() {
            return EngineAnswer::Unknown(stop);
        }
        for lit in assumptions {
            self.see(*lit);
            self.solver.assume(*lit);
        }
        self.solver.connect_terminator(Watch(budget.lookout()));
        let status = self.solver.solve();
        self.solver.disconnect_terminator();
        match status {
            Status::SATISFIABLE => EngineAnswer::Sat,
            Status::UNSATISFIABLE => EngineAnswer::Unsat,
            Status::UNKNOWN => EngineAnswer::Unknown(budget.check().err().unwrap_or(Stop::Time)),
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.solver.val(lit) == lit
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.solver.failed(lit)
    }
}
