//! `rebus explain`: why there is no solution, or more than one, or why an entry has its value.

use super::args::{EncodingArgs, Format, LimitArgs, ModelArgs, OutputArgs};
use super::reasons::{self, shortened};
use super::show::Printer;
use super::terminal::Terminal;
use super::{Outcome, report};
use crate::decode::Solution;
use crate::eval::{Body, Eval, GivenEntry, stop_diagnostic};
use crate::render::{self, Data};
use crate::run::{
    Conflict, End, Explanation, Failure, Givens, Loaded, Pair, Question, VarId, Wanted, drawn, stages,
};

/// Say why there is no solution, or more than one
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus explain model.rebus board.clues                     no solution: rules and givens that clash; several: where they differ
  rebus explain row --why 'x[1] + x[3]'                     why an expression has its value in every solution, or that it need not
  rebus explain sudoku board.clues --why 'x[3, 4] = 5' -f json
  rebus explain sudoku board.clues -f svg > why.svg         the cells that they speak of, drawn
  rebus explain sudoku board.clues --givens                 which given entries could go
  rebus explain sudoku board.clues --timeout 10             within ten seconds

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
    let mut loaded = args.model.load()?;
    let asked = match &args.why {
        Some(text) => {
            let file = loaded.sources.add("--why", text);
            let body = loaded.program.expression(file, text);
            Some(body.map_err(|faults| Failure::from(faults).within(&loaded.sources))?)
        }
        None => None,
    };
    explain(args, &loaded, asked.as_ref()).map_err(|failure| failure.within(&loaded.sources))
}

fn explain(args: &Args, loaded: &Loaded, asked: Option<&Body>) -> Outcome {
    let budget = args.limits.budget();
    let mut eval = stages::start(loaded, &budget, &Terminal)?;
    let mut printer = Printer::new(&args.form);
    printer.know(&args.model.model, &mut eval)?;
    let encoding = args.encoding.encoding();
    let question = Question::new(loaded, &encoding, 1, &Terminal);
    let wanted = match asked {
        Some(body) => Wanted::Value(body),
        None if args.givens => Wanted::Givens,
        None => Wanted::Number,
    };
    let explanation = crate::run::explain(&mut eval, &question, wanted)?;
    let mut explain = Explain { args, loaded, eval: &mut eval, printer };
    let code = explain.print(&explanation)?;
    explain.printer.write_picture()?;
    explain.printer.flush()?;
    Ok(code)
}

struct Explain<'e, 'p> {
    args: &'e Args,
    loaded: &'e Loaded,
    eval: &'e mut Eval<'p>,
    printer: Printer,
}

impl Explain<'_, '_> {
    fn print(&mut self, explanation: &Explanation) -> Outcome {
        match explanation {
            Explanation::Impossible(conflict) => self.impossible(conflict)?,
            Explanation::Unique(only) => self.unique(only)?,
            Explanation::Givens(givens) => return self.givens(givens),
            Explanation::Several(pair, vary) => self.several(pair, vary.as_ref())?,
            Explanation::Forced(asked, conflict) => self.forced(&asked.data, &asked.value, conflict)?,
            Explanation::Open(pair, asked, other) => {
                let fields = vec![
                    ("what".to_string(), Data::Text(self.asked().into())),
                    ("value".to_string(), asked.data.clone()),
                    ("other".to_string(), other.data.clone()),
                    ("solutions".to_string(), both(pair)),
                ];
                self.data("open", fields)?;
                if self.for_people() {
                    let text =
                        format!("{} need not be {}: here it is {}", self.asked(), asked.value, other.value);
                    self.printer.remark(&text)?;
                    self.marked(&pair.second, &pair.differ)?;
                }
            }
            Explanation::Unknown(end) => {
                self.data("unknown", Vec::new())?;
                self.printer.remark("unknown")?;
                if let End::Stopped(stop) = end {
                    report(&[stop_diagnostic(*stop)], &self.loaded.sources);
                }
                return Ok(4);
            }
        }
        Ok(0)
    }

    /// The expression of `--why`.
    fn asked(&self) -> &str {
        self.args.why.as_deref().unwrap_or_default().trim()
    }

    /// In JSON, prints the only object.
    fn data(&mut self, status: &str, more: Vec<(String, Data)>) -> Result<(), Failure> {
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

    fn impossible(&mut self, conflict: &Conflict) -> Result<(), Failure> {
        self.data("unsatisfiable", conflict_data(conflict))?;
        if self.for_people() {
            self.printer.remark(&match conflict.reasons.reasons.len() {
                0 => "no solution, whatever the rules: a variable has no value".to_string(),
                1 => "no solution: this rule cannot hold".to_string(),
                n => format!("no solution: these {n} cannot hold together"),
            })?;
            self.because(conflict)?;
        }
        Ok(())
    }

    fn forced(&mut self, data: &Data, value: &str, conflict: &Conflict) -> Result<(), Failure> {
        let expr = self.asked().to_owned();
        let mut fields =
            vec![("what".to_string(), Data::Text(expr.clone())), ("value".to_string(), data.clone())];
        fields.extend(conflict_data(conflict));
        self.data("forced", fields)?;
        if self.for_people() {
            self.printer.remark(&match conflict.reasons.reasons.len() {
                0 => format!("{expr} is {value}, whatever the rules"),
                1 => format!("{expr} is {value} in every solution because of this rule"),
                n => format!("{expr} is {value} in every solution because of these {n}"),
            })?;
            self.because(conflict)?;
        }
        Ok(())
    }

    fn because(&mut self, conflict: &Conflict) -> Result<(), Failure> {
        reasons::print(&conflict.reasons, &mut self.printer, false)?;
        let text = match (conflict.minimal, conflict.reasons.reasons.len()) {
            (true, 0 | 1) => return Ok(()),
            (true, _) => "None of them can be spared.",
            (false, _) => "Some of them may not be needed: the time was over before that was known.",
        };
        self.printer.gap()?;
        self.printer.remark(text)
    }

    fn unique(&mut self, only: &Solution) -> Result<(), Failure> {
        self.data("unique", vec![("values".into(), Data::Object(only.values().to_vec()))])?;
        if self.for_people() {
            self.printer.draw(only.drawings())?;
            self.printer
                .remark("this is the only solution; `--why EXPR` says why an expression has its value")?;
        }
        Ok(())
    }

    /// Prints which given entries can be removed.
    fn givens(&mut self, found: &Givens) -> Outcome {
        let place = |entry: &GivenEntry| entry.place.map(|place| self.loaded.sources.place(place));
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
        self.data("unique", fields)?;
        if self.for_people() {
            self.printer.remark(&match (found.all.len(), found.spare.len()) {
                (0, _) => "no parameter has entries that may be left out".to_string(),
                (all, 0) => format!("the solution is the only one; none of {all} given entries can go"),
                (all, n) => {
                    format!("the solution is the only one; {n} of {all} given entries can go together")
                }
            })?;
            for entry in &found.spare {
                let place = entry.place.map(|place| self.loaded.sources.place(place));
                let place = place.map_or(String::new(), |place| format!("  {place}"));
                self.printer.remark(&format!("  {}{place}", self.eval.given_text(*entry)))?;
            }
            let marks = self.eval.given_marks(&found.spare);
            let given = self.eval.model.given();
            let drawn = drawn(self.eval, &given, marks)?;
            if !drawn.drawings.is_empty() {
                self.printer.gap()?;
                self.printer.marked(&drawn)?;
            }
        }
        let Some(stop) = found.stop else { return Ok(0) };
        self.printer.remark(&format!("{} of {} were tried", found.tried, found.all.len()))?;
        report(&[stop_diagnostic(stop)], &self.loaded.sources);
        Ok(4)
    }

    fn several(&mut self, pair: &Pair, vary: Option<&(Vec<String>, bool)>) -> Result<(), Failure> {
        let names: Vec<String> = pair.differ.iter().map(|var| self.eval.var_name(*var)).collect();
        let texts = |names: &[String]| Data::List(names.iter().cloned().map(Data::Text).collect());
        let mut fields = vec![("solutions".to_string(), both(pair)), ("differ".to_string(), texts(&names))];
        if let Some((vary, complete)) = vary {
            fields.push(("vary".into(), texts(vary)));
            fields.push(("complete".into(), Data::Bool(*complete)));
        }
        self.data("several", fields)?;
        if self.for_people() {
            self.printer.remark(&format!("two solutions, which differ in {}", shortened(&names)))?;
            for solution in [&pair.first, &pair.second] {
                self.printer.gap()?;
                self.marked(solution, &pair.differ)?;
            }
            self.printer.gap()?;
            match vary {
                Some((vary, true)) => {
                    let (open, all) = (vary.len(), self.eval.model.vars.len());
                    self.printer.remark(&format!("{open} of {all} vary: {}", shortened(vary)))?;
                }
                _ => self.printer.remark("what else varies was not found out in time")?,
            }
        }
        Ok(())
    }

    /// Draws a solution with some variables in brackets.
    fn marked(&mut self, solution: &Solution, vars: &[VarId]) -> Result<(), Failure> {
        let positions: Vec<Option<u32>> = solution.positions().iter().copied().map(Some).collect();
        let marks = self.eval.marks(vars);
        let drawn = drawn(self.eval, &positions, marks)?;
        match drawn.drawings.is_empty() {
            true => self.printer.draw(solution.drawings()),
            false => self.printer.marked(&drawn),
        }
    }
}

fn both(pair: &Pair) -> Data {
    let values = |solution: &Solution| Data::Object(solution.values().to_vec());
    Data::List(vec![values(&pair.first), values(&pair.second)])
}

fn conflict_data(conflict: &Conflict) -> Vec<(String, Data)> {
    vec![("minimal".into(), Data::Bool(conflict.minimal)), ("rules".into(), reasons::data(&conflict.reasons))]
}
