//! The stages of a run, one after the other: ground, presolve, encode, solve, verify.

use super::args::{EncodingArgs, Switch};
use super::load::Loaded;
use super::progress::Progress;
use super::proof::Proof;
use super::{Failure, all_with_sources, report};
use crate::certify;
use crate::decode::{Decoded, NoSolution, Solution, positions};
use crate::diag::{Code, Diagnostic};
use crate::encode::cnf::{self, Emission, EncodeError, Encoder};
use crate::encode::cuts::{Cut, Lazy};
use crate::encode::{Counted, Lit, Size};
use crate::eval::{Eval, Named, Without, nearest, stop_diagnostic};
use crate::model::presolve::{Presolved, presolve};
use crate::model::{Model, Objective};
use crate::shared::{Budget, Stop};
use crate::solve::checker::Checked;
use crate::solve::embedded::{self, Cutting, Enumerator, Keep, Next, Objective as _, Optimum, SatEngine};

/// Grounds everything.
pub fn ground(eval: &mut Eval<'_>, without: &Without) -> Result<(), Vec<Diagnostic>> {
    let _progress = Progress::start("grounding");
    eval.check_params()?;
    eval.declare_all()?;
    eval.ground_rules(0..eval.program.rules.len(), without)?;
    if let Some(label) = eval.unknown_labels(without).first() {
        return Err(vec![unknown_label(eval, label)]);
    }
    eval.ground_outputs().map_err(|fault| vec![fault])?;
    let faults = eval.show_faults();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// A loaded model ground, its warnings told: how every command begins that asks for solutions.
pub fn start<'l>(loaded: &'l Loaded, budget: &'l Budget) -> Result<Eval<'l>, Failure> {
    let mut eval = Eval::new(&loaded.program, budget);
    ground(&mut eval, &loaded.without).map_err(all_with_sources(&loaded.sources))?;
    report(&eval.warnings, &loaded.sources);
    Ok(eval)
}

/// A label of `--without` that no rule has.
fn unknown_label(eval: &Eval<'_>, label: &str) -> Diagnostic {
    let fault = Diagnostic::error(Code::UnknownLabel, format!("no rule is labelled `{label}`"));
    let mut labels: Vec<&str> = eval.program.rules.iter().map(|rule| &*rule.label).collect();
    labels.retain(|label| !label.is_empty());
    labels.dedup();
    match nearest(label, labels.iter().copied()) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None if labels.is_empty() => fault.note("the model has no labels"),
        None => fault.note(format!("it has `{}`", labels.join("`, `"))),
    }
}

/// What is known before solving.
pub fn presolved(eval: &Eval<'_>, encoding: &EncodingArgs) -> Result<Presolved, Stop> {
    match encoding.presolve.unwrap_or(Switch::On) {
        Switch::On => presolve(&eval.model, eval.budget),
        Switch::Off => Ok(Presolved::nothing(&eval.model)),
    }
}

pub fn encode_fault(error: EncodeError) -> Diagnostic {
    match error {
        EncodeError::Stop(stop) => stop_diagnostic(stop),
        EncodeError::Unfit(why) => Diagnostic::error(Code::LimitExceeded, why)
            .help("choose another `--dialect` or `--solver`, or another kind of formula"),
        EncodeError::TooLarge(what) => {
            Diagnostic::error(Code::NumberTooLarge, format!("a term is too large to be encoded: {what}"))
                .help("narrow the domains of its variables")
        }
    }
}

/// Takes an answer, a position for every variable; is another wanted?
pub type Take<'t> = dyn FnMut(&mut Eval<'_>, &[u32]) -> Result<bool, Diagnostic> + 't;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There are no further answers.
    Exhausted,
    /// As many as wanted were found.
    Enough,
    Stopped(Stop),
    /// The solver itself said that it knows no answer.
    GaveUp,
}

/// What an embedded search is asked and how it went.
pub struct Search {
    pub found: u64,
    pub end: End,
    /// With an objective: proven that nothing is better.
    pub optimal: bool,
    pub how: How,
    /// The solver, if it was not an embedded engine.
    pub by: Option<String>,
    pub emission: Emission,
    /// What the formula is made of.
    pub sizes: Vec<Size>,
    /// That there are no further answers, if a proof was wanted.
    pub proof: Option<Proof>,
}

impl Search {
    /// Nothing found, and nothing to be found.
    pub fn new(emission: Emission, sizes: Vec<Size>) -> Search {
        let (end, how) = (End::Exhausted, How::Blocking);
        Search { found: 0, end, optimal: false, how, by: None, emission, sizes, proof: None }
    }
}

impl Search {
    /// What became of the proof that was wanted: who verified what, if it was checked and is right; a fault, if it is not.
    pub fn verdict(&self) -> Result<Option<String>, Diagnostic> {
        let Some(proof) = &self.proof else {
            super::say(match self.end {
                End::Enough => {
                    "no proof: what was asked for was found; `--unique` and `--all` ask whether there is more"
                }
                _ => "no proof",
            });
            return Ok(None);
        };
        let claim = match (self.found, self.optimal, self.end) {
            (0, ..) => "there is no solution",
            (_, true, End::Exhausted) => "nothing is better, and nothing else as good",
            (_, true, _) => "nothing is better",
            _ => "there is no other solution",
        };
        match &proof.checked {
            None => Ok(None),
            Some((by, Checked::Verified)) => Ok(Some(format!("proof verified by {by}: {claim}"))),
            Some((by, Checked::Rejected(why))) => {
                let message = format!("the proof is not accepted by `{by}`");
                Err(Diagnostic::error(Code::ProofRejected, message).note(why))
            }
            Some((_, Checked::Stopped(stop))) => {
                Err(stop_diagnostic(*stop).note("while the proof was checked"))
            }
        }
    }
}

/// How answers are kept from coming again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By a search for exact covers.
    Cover,
    /// By a SAT search that goes on from one to the next.
    Backtracking,
    /// By clauses that exclude them.
    Blocking,
    /// By a solver of others, that lists them itself.
    Listing,
}

impl How {
    pub fn name(self) -> &'static str {
        match self {
            How::Cover => "exact cover",
            How::Backtracking => "backtracking",
            How::Blocking => "blocking clauses",
            How::Listing => "listing",
        }
    }
}

/// Solutions between two reports of progress.
pub const TOLD: u64 = 64;

/// Rule instances up to which our own engine answers many short questions faster.
const MANY: usize = 20_000;

/// An engine for many short questions about a model of so many rule instances.
pub fn quick_engine(rules: usize, seed: u32) -> Box<dyn SatEngine> {
    if rules <= MANY { Box::new(embedded::Quick::new(seed)) } else { embedded::engine(seed) }
}

/// One answer wants the strongest engine, many answers the one that lists them without blocking clauses, areas and many
/// graphs the one that is told of them while it searches; for few graphs cuts of whole models do.
pub fn engine_for(eval: &Eval<'_>, most: u64, seed: u32) -> Box<dyn SatEngine> {
    let many = most > 2 && eval.model.objective.is_none();
    match many || eval.model.arena.is_about_graphs() {
        true => quick_engine(eval.model.rules.len(), seed),
        false => embedded::engine(seed),
    }
}

/// Searches with the embedded engine; `each` takes the positions of every answer until it says false.
pub fn search(
    eval: &mut Eval<'_>,
    encoding: &EncodingArgs,
    seed: u32,
    most: u64,
    each: &mut Take<'_>,
) -> Result<Search, Diagnostic> {
    let budget = eval.budget;
    let progress = Progress::start("encoding");
    let known = presolved(eval, encoding).map_err(stop_diagnostic)?;
    let options = encoding.options().lazily();
    let mut engine = engine_for(eval, most, seed);
    let mut counted = Counted::new(&mut *engine, budget);
    let allows = |var, position| known.contradiction.is_some() || known.allows(var, position);
    let encoded = cnf::encode(&eval.model, &allows, options, budget, &mut counted, &|_| String::new());
    let clauses = counted.clauses().map_err(stop_diagnostic)?;
    let (mut encoder, emission) = encoded.map_err(encode_fault)?;
    let mut search = Search::new(emission, vec![("clauses", clauses)]);
    if known.contradiction.is_some() {
        return Ok(search);
    }
    let lazy = search.emission.lazy.clone();
    let mut cutting = Cutting::new(&mut *engine, &lazy);
    if encoding.check_cuts {
        cutting.keep_cuts(Keep::All);
    }
    progress.say("solving".into());
    answers(eval, &mut encoder, &mut search, &mut cutting, most, &progress, each)?;
    let cuts = cutting.take_cuts();
    check_cuts(&lazy, &cuts, seed, budget)?;
    Ok(search)
}

/// Does every cut follow from the graph it is about? Our own fault, if one does not.
fn check_cuts(lazy: &[Lazy], cuts: &[(usize, Cut)], seed: u32, budget: &Budget) -> Result<(), Diagnostic> {
    let graphs: Vec<certify::Graph> = lazy.iter().map(Lazy::graph).collect();
    let mut checkers = certify::Checkers::new(&graphs);
    for (graph, cut) in cuts {
        budget.check().map_err(stop_diagnostic)?;
        let cut = certify::Cut { graph: *graph, rule: cut.rule.to_owned(), lits: cut.lits.clone() };
        if let Err(fault) = checkers.check(&cut) {
            let message = format!("what the engine learned about a graph, `{cut}`, {fault}");
            let version = env!("CARGO_PKG_VERSION");
            return Err(Diagnostic::error(Code::SolverFailed, message)
                .note("no answer of this run is to be trusted")
                .help(format!("please report it: rebus {version}, seed {seed}, the model and its data")));
        }
    }
    Ok(())
}

/// The answers of an engine that has the formula: the best ones, or all that are wanted.
fn answers(
    eval: &mut Eval<'_>,
    encoder: &mut Encoder,
    search: &mut Search,
    cutting: &mut Cutting<'_>,
    most: u64,
    progress: &Progress,
    each: &mut Take<'_>,
) -> Result<(), Diagnostic> {
    let budget = eval.budget;
    let mut assumptions = Vec::new();
    if let Some(objective) = eval.model.objective {
        let mut goal = Goal {
            encoder,
            model: &eval.model,
            objective,
            budget,
            emission: &search.emission,
            best: Vec::new(),
        };
        match embedded::minimize(cutting, &[], &mut goal, budget)? {
            Optimum::Unsatisfiable => return Ok(()),
            Optimum::Unknown(stop) => {
                search.end = End::Stopped(stop);
                return Ok(());
            }
            Optimum::Optimal(cost) => {
                search.optimal = true;
                assumptions.push(goal.at_most(cutting, cost)?);
            }
            Optimum::Best(_, stop) => {
                search.end = End::Stopped(stop);
                search.found = 1;
                let best = goal.best;
                each(eval, &best)?;
                return Ok(());
            }
        }
    }
    let mut enumerator = Enumerator::new(search.emission.answer.clone(), &assumptions);
    loop {
        let next = enumerator.next(cutting, budget);
        if enumerator.is_native() {
            search.how = How::Backtracking;
        }
        match next {
            Next::Exhausted => break,
            Next::Stopped(stop) => {
                search.end = End::Stopped(stop);
                break;
            }
            Next::Answer => {
                let values = read(&search.emission, cutting)?;
                search.found += 1;
                if search.found.is_multiple_of(TOLD) {
                    progress.say(format!("{} solutions", search.found));
                }
                let more = each(eval, &values)?;
                if !more || search.found >= most {
                    search.end = End::Enough;
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The positions of the values in the model that the engine holds.
pub fn read(emission: &Emission, engine: &mut dyn SatEngine) -> Result<Vec<u32>, Diagnostic> {
    match positions(&emission.encodings, |lit| engine.value(lit)) {
        Ok(Decoded(values)) => Ok(values),
        Err(at) => Err(Diagnostic::error(
            Code::SolverFailed,
            format!("the engine's model gives variable {} no value, or two", at + 1),
        )),
    }
}

/// The objective as a cost to be minimised.
struct Goal<'a> {
    encoder: &'a mut Encoder,
    model: &'a Model,
    objective: Objective,
    budget: &'a Budget,
    emission: &'a Emission,
    /// The cheapest model so far.
    best: Vec<u32>,
}

impl embedded::Objective<Diagnostic> for Goal<'_> {
    fn cost(&mut self, engine: &mut dyn SatEngine) -> Result<i128, Diagnostic> {
        self.best = read(self.emission, engine)?;
        self.model.cost(self.objective, &self.best, self.budget).map_err(stop_diagnostic)
    }

    fn at_most(&mut self, engine: &mut dyn SatEngine, bound: i128) -> Result<Lit, Diagnostic> {
        let mut ctx = self.encoder.with(self.model, engine, self.budget);
        ctx.cost_at_most(self.objective, bound).map_err(encode_fault)
    }
}

/// The first solution of a run is checked from the source, later ones on the ground rules.
pub fn verified(
    eval: &mut Eval<'_>,
    positions: &[u32],
    without: &Without,
    first: bool,
) -> Result<Solution, Diagnostic> {
    let result = match first {
        true => Solution::verify(eval, positions, without),
        false => Solution::verify_ground(eval, positions),
    };
    result.map_err(broken)
}

/// A solution that is none, as a fault.
pub fn broken(no: NoSolution) -> Diagnostic {
    match no {
        NoSolution::Fault(fault) => fault,
        NoSolution::Broken(rules) => {
            let mut fault = Diagnostic::error(Code::RuleBroken, "the answer breaks a rule of the model");
            for Named { label, span, .. } in &rules {
                let label = if label.is_empty() { "this rule".to_string() } else { label.clone() };
                fault = fault.at(*span, format!("broken: {label}"));
            }
            fault
        }
    }
}
