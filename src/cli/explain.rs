//! `rebus explain`: why there is no solution, or more than one, or why an entry has its value.

use super::args::{EncodingArgs, Format, LimitArgs, ModelArgs, OutputArgs};
use super::backbone::{as_good_as, disagree, shared, why_fault};
use super::progress::Progress;
use super::reasons::{Reasons, drawn, shortened};
use super::session::{self, End};
use super::show::Printer;
use super::{Failure, Outcome, all_with_sources, givens, load, report, with_sources};
use crate::decode::Solution;
use crate::diag::{Diagnostic, Sources};
use crate::eval::{Asked, Body, Eval, GivenEntry, Without, stop_diagnostic};
use crate::model::{Asserted, Bool, Instance, VarId};
use crate::render::{self, Data};
use crate::why::{self, Clash, Effort, Verdict};

/// Say why there is no solution, or more than one
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus explain model.rebus board.clues                     no solution: rules and givens that clash; several: where they differ
  rebus explain row --why 'x[1] + x[3]'                     why an expression has its value in every solution, or that it need not
  rebus explain sudoku board.clues --why 'x[3, 4] = 5' -f json
  rebus explain sudoku board.clues -f svg > why.svg         the cells that they speak of, drawn
  rebus explain sudoku board.clues --givens                 which given entries could go
  rebus explain sudoku board.clues --timeout 10             fewer rules the longer it may take

The rules told are a minimal set: without any one of them there is a solution. Exit code 4 if nothing was found in time.")]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Why does this expression, such as `x[3, 4]` or `x[1, 1] < x[1, 2]`, have its value?
    #[arg(long, value_name = "EXPR")]
    why: Option<String>,
    /// Which given entries could go, and the solution would still be the only one?
    #[arg(long, conflicts_with = "why")]
    givens: bool,
    #[command(flatten)]
    form: OutputArgs,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &Args) -> Outcome {
    args.form.only(&[Format::Text, Format::Json, Format::Svg, Format::Html], "explain")?;
    let mut loaded = load::load(&args.model)?;
    let asked = match &args.why {
        Some(text) => {
            let file = loaded.sources.add("--why", text);
            let body = loaded.program.expression(file, text);
            Some(body.map_err(all_with_sources(&loaded.sources))?)
        }
        None => None,
    };
    let budget = args.limits.budget();
    let mut eval = Eval::new(&loaded.program, &budget);
    session::ground(&mut eval, &loaded.without).map_err(all_with_sources(&loaded.sources))?;
    report(&eval.warnings, &loaded.sources);
    let mut explain = Explain {
        args,
        sources: &loaded.sources,
        without: &loaded.without,
        eval,
        printer: Printer::new(&args.form),
    };
    explain.printer.know(&args.model.model, &mut explain.eval)?;
    let code = explain.answer(asked.as_ref())?;
    explain.printer.write_picture()?;
    explain.printer.flush()?;
    Ok(code)
}

struct Explain<'e, 'p> {
    args: &'e Args,
    sources: &'e Sources,
    without: &'e Without,
    eval: Eval<'p>,
    printer: Printer,
}

impl Explain<'_, '_> {
    fn answer(&mut self, asked: Option<&Body>) -> Outcome {
        let known = session::presolved(&self.eval, &self.args.encoding).map_err(stop_diagnostic)?;
        if let Some(clash) = &known.contradiction {
            let rules = self.eval.model.rules.iter().enumerate();
            let hint = rules.filter(|(_, rule)| clash.contains(&rule.instance)).map(|(at, _)| at).collect();
            return self.none(hint);
        }
        let most = if asked.is_some() { 1 } else { 2 };
        let mut solutions = Vec::new();
        let without = self.without;
        let search = session::search(&mut self.eval, &self.args.encoding, 0, most, &mut |eval, positions| {
            solutions.push(session::verified(eval, positions, without, solutions.is_empty())?);
            Ok(true)
        })
        .map_err(with_sources(self.sources))?;
        match (search.end, &solutions[..]) {
            (End::Exhausted, []) => self.none(Vec::new()),
            (_, [first]) if asked.is_some() && search.optimal | self.eval.model.objective.is_none() => {
                self.why(asked.expect("asked for"), first)
            }
            (End::Exhausted, [_]) if self.args.givens => self.givens(),
            (End::Exhausted, [only]) => self.one(only),
            (_, [first, second]) => self.several(first, second),
            _ => self.nothing_in_time(search.end),
        }
    }

    fn nothing_in_time(&mut self, end: End) -> Outcome {
        self.told("unknown", Vec::new())?;
        self.printer.remark("unknown")?;
        if let End::Stopped(stop) = end {
            report(&[stop_diagnostic(stop)], self.sources);
        }
        Ok(4)
    }

    /// In JSON, the one object there is.
    fn told(&mut self, status: &str, more: Vec<(String, Data)>) -> Result<(), Failure> {
        if self.args.form.format == Format::Json {
            let mut fields = vec![("status".to_string(), Data::Text(status.into()))];
            fields.extend(more);
            self.printer.line(&render::json(&Data::Object(fields)))?;
        }
        Ok(())
    }

    fn for_people(&self) -> bool {
        self.args.form.format != Format::Json
    }

    /// The smallest clash found, first among those rules that are known to clash, then among all.
    fn clash(&mut self, hint: &[usize], beside: &[Bool]) -> Result<Verdict, why::Fault> {
        let progress = Progress::start("looking for rules that clash");
        let budget = self.eval.budget;
        let (model, options) = (&self.eval.model, self.args.encoding.options());
        let mut tell = |rules: usize| progress.say(format!("{rules} rules clash; are fewer enough?"));
        let mut among = |rules: &[usize]| {
            let mut engine = session::quick_engine(self.eval.model.rules.len(), 0);
            why::clash(model, rules, beside, options, &mut *engine, Effort::default(), budget, &mut tell)
        };
        let all: Vec<usize> = (0..model.rules.len()).collect();
        if hint.is_empty() {
            return among(&all);
        }
        let first = among(hint)?;
        match (first, among(&all)) {
            (Verdict::Clash(first), Ok(Verdict::Clash(second)))
                if second.minimal && second.rules.len() < first.rules.len() =>
            {
                Ok(Verdict::Clash(second))
            }
            (first, _) => Ok(first),
        }
    }

    /// There is no solution.
    fn none(&mut self, hint: Vec<usize>) -> Outcome {
        let clash = match self.clash(&hint, &[]) {
            Ok(Verdict::Clash(clash)) => clash,
            Ok(Verdict::Holds(_)) => return Err(disagree().into()),
            Err(why::Fault::Stop(stop)) => return self.nothing_in_time(End::Stopped(stop)),
            Err(fault) => return Err(with_sources(self.sources)(why_fault(fault, &self.eval))),
        };
        let reasons = self.reasons(&clash, &[])?;
        self.told("unsatisfiable", clash_data(&clash, &reasons))?;
        if self.for_people() {
            self.printer.remark(&match reasons.len() {
                0 => "no solution, whatever the rules: a variable has no value".to_string(),
                1 => "no solution: this rule cannot hold".to_string(),
                n => format!("no solution: these {n} cannot hold together"),
            })?;
            self.because(&clash, &reasons)?;
        }
        Ok(0)
    }

    /// The rules of a clash, drawn on the puzzle as given.
    fn reasons(&mut self, clash: &Clash, beside: &[VarId]) -> Result<Reasons, Diagnostic> {
        let given = self.eval.model.given();
        Reasons::of(&clash.rules, beside, &given, &mut self.eval, self.sources)
    }

    fn because(&mut self, clash: &Clash, reasons: &Reasons) -> Result<(), Failure> {
        reasons.print(&mut self.printer, false)?;
        match (clash.minimal, clash.rules.len()) {
            (true, 0 | 1) => Ok(()),
            (true, _) => {
                self.printer.gap()?;
                self.printer.remark("None of them can be spared.")
            }
            (false, _) => {
                self.printer.gap()?;
                self.printer
                    .remark("Some of them may not be needed: the time was over before that was known.")
            }
        }
    }

    fn one(&mut self, only: &Solution) -> Outcome {
        self.told("unique", vec![("values".into(), Data::Object(only.values().to_vec()))])?;
        if self.for_people() {
            self.printer.draw(only.drawings())?;
            self.printer
                .remark("this is the only solution; `--why EXPR` says why an expression has its value")?;
        }
        Ok(0)
    }

    /// Which given entries can go.
    fn givens(&mut self) -> Outcome {
        let found = givens::spare(&self.eval, &self.args.encoding, self.without);
        let found = found.map_err(all_with_sources(self.sources))?;
        let place = |entry: &GivenEntry| entry.place.map(|place| self.sources.place(place));
        let entries = found.all.iter().enumerate().map(|(at, entry)| {
            let needed = match found.spare.contains(entry) {
                true => Data::Bool(false),
                false if at < found.tried => Data::Bool(true),
                false => Data::None,
            };
            Data::Object(vec![
                ("entry".into(), Data::Text(self.eval.given_text(*entry))),
                ("place".into(), place(entry).map_or(Data::None, Data::Text)),
                ("needed".into(), needed),
            ])
        });
        let fields = vec![
            ("givens".to_string(), Data::List(entries.collect())),
            ("complete".to_string(), Data::Bool(found.stop.is_none())),
        ];
        self.told("unique", fields)?;
        if self.for_people() {
            self.printer.remark(&match (found.all.len(), found.spare.len()) {
                (0, _) => "no parameter has entries that may be left out".to_string(),
                (all, 0) => format!("the solution is the only one; none of {all} given entries can go"),
                (all, n) => {
                    format!("the solution is the only one; {n} of {all} given entries can go together")
                }
            })?;
            for entry in &found.spare {
                let place = place(entry).map_or(String::new(), |place| format!("  {place}"));
                self.printer.remark(&format!("  {}{place}", self.eval.given_text(*entry)))?;
            }
            let marks = self.eval.given_marks(&found.spare);
            let given = self.eval.model.given();
            let drawn = drawn(&mut self.eval, &given, marks)?;
            if !drawn.drawings.is_empty() {
                self.printer.gap()?;
                self.printer.marked(&drawn)?;
            }
        }
        let Some(stop) = found.stop else { return Ok(0) };
        self.printer.remark(&format!("{} of {} were tried", found.tried, found.all.len()))?;
        report(&[stop_diagnostic(stop)], self.sources);
        Ok(4)
    }

    fn several(&mut self, first: &Solution, second: &Solution) -> Outcome {
        let differ = differing(first, second);
        let names: Vec<String> = differ.iter().map(|var| self.eval.var_name(*var)).collect();
        let values = |solution: &Solution| Data::Object(solution.values().to_vec());
        let texts = |names: &[String]| Data::List(names.iter().cloned().map(Data::Text).collect());
        let mut fields = vec![
            ("solutions".to_string(), Data::List(vec![values(first), values(second)])),
            ("differ".to_string(), texts(&names)),
        ];
        let vary = self.varying(first)?;
        if let Some((vary, complete)) = &vary {
            fields.push(("vary".into(), texts(vary)));
            fields.push(("complete".into(), Data::Bool(*complete)));
        }
        self.told("several", fields)?;
        if self.for_people() {
            self.printer.remark(&format!("two solutions, which differ in {}", shortened(&names)))?;
            for solution in [first, second] {
                self.printer.gap()?;
                self.marked(solution, &differ)?;
            }
            match &vary {
                Some((vary, true)) => {
                    let (open, all) = (vary.len(), self.eval.model.vars.len());
                    self.printer.gap()?;
                    self.printer.remark(&format!("{open} of {all} vary: {}", shortened(vary)))?;
                }
                _ => {
                    self.printer.gap()?;
                    self.printer.remark("what else varies was not found out in time")?;
                }
            }
        }
        Ok(0)
    }

    /// The names of the entries that vary, and whether those are all that is known to; `None` if time was over.
    fn varying(&mut self, first: &Solution) -> Result<Option<(Vec<String>, bool)>, Failure> {
        let beside: Vec<Bool> = as_good_as(&mut self.eval, first)?.into_iter().collect();
        let shared = match shared(&self.eval, &beside, &self.args.encoding) {
            Ok(Some(shared)) => shared,
            Ok(None) => return Err(disagree().into()),
            Err(why::Fault::Stop(_)) => return Ok(None),
            Err(fault) => return Err(with_sources(self.sources)(why_fault(fault, &self.eval))),
        };
        let vary = (0..).zip(&shared.entries).filter(|(_, entry)| entry.fixed.is_none());
        let names = vary.map(|(var, _)| self.eval.var_name(VarId(var))).collect();
        Ok(Some((names, shared.complete)))
    }

    /// A solution with some variables in brackets.
    fn marked(&mut self, solution: &Solution, vars: &[VarId]) -> Result<(), Failure> {
        let positions: Vec<Option<u32>> = solution.positions().iter().copied().map(Some).collect();
        let marks = self.eval.marks(vars);
        let drawn = drawn(&mut self.eval, &positions, marks)?;
        match drawn.drawings.is_empty() {
            true => self.printer.draw(solution.drawings()),
            false => self.printer.marked(&drawn),
        }
    }

    /// Why an expression has the value it has in `first`, or that it need not.
    fn why(&mut self, asked: &Body, first: &Solution) -> Outcome {
        let question = self.eval.asked(asked, first.positions()).map_err(with_sources(self.sources))?;
        // that no solution is worse than the best is a reason like the rules
        let best = as_good_as(&mut self.eval, first)?;
        let best = best.map(|what| Asserted { what, instance: Instance::BOUND });
        let mark = self.eval.model.rules.len();
        self.eval.model.rules.extend(best);
        let answer = self.why_among(asked, first, question);
        self.eval.model.rules.truncate(mark);
        answer
    }

    fn why_among(&mut self, asked: &Body, first: &Solution, question: Asked) -> Outcome {
        let expr = self.args.why.as_deref().unwrap_or_default().trim();
        let what =
            vec![("what".to_string(), Data::Text(expr.into())), ("value".to_string(), question.data.clone())];
        match self.clash(&[], &[!question.holds]) {
            Ok(Verdict::Clash(clash)) => {
                let marks = self.eval.model.touched(question.holds);
                let reasons = self.reasons(&clash, &marks)?;
                self.told("forced", [what, clash_data(&clash, &reasons)].concat())?;
                if self.for_people() {
                    self.printer.remark(&match reasons.len() {
                        0 => format!("{expr} is {}, whatever the rules", question.value),
                        1 => format!("{expr} is {} in every solution because of this rule", question.value),
                        n => format!("{expr} is {} in every solution because of these {n}", question.value),
                    })?;
                    self.because(&clash, &reasons)?;
                }
                Ok(0)
            }
            Ok(Verdict::Holds(positions)) => {
                let second = session::verified(&mut self.eval, &positions, self.without, true)
                    .map_err(with_sources(self.sources))?;
                let other = self.eval.asked(asked, &positions).map_err(with_sources(self.sources))?;
                let values = |solution: &Solution| Data::Object(solution.values().to_vec());
                let both = Data::List(vec![values(first), values(&second)]);
                let fields = vec![("other".to_string(), other.data.clone()), ("solutions".to_string(), both)];
                self.told("open", [what, fields].concat())?;
                if self.for_people() {
                    self.printer.remark(&format!(
                        "{expr} need not be {}: here it is {}",
                        question.value, other.value
                    ))?;
                    self.marked(&second, &differing(first, &second))?;
                }
                Ok(0)
            }
            Err(why::Fault::Stop(stop)) => self.nothing_in_time(End::Stopped(stop)),
            Err(fault) => Err(with_sources(self.sources)(why_fault(fault, &self.eval))),
        }
    }
}

fn clash_data(clash: &Clash, reasons: &Reasons) -> Vec<(String, Data)> {
    vec![("minimal".into(), Data::Bool(clash.minimal)), ("rules".into(), reasons.data())]
}

/// The variables with different values.
fn differing(first: &Solution, second: &Solution) -> Vec<VarId> {
    let pairs = first.positions().iter().zip(second.positions()).enumerate();
    pairs.filter(|(_, (a, b))| a != b).map(|(var, _)| VarId(var as u32)).collect()
}
