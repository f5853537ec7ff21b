//! A model through the program itself: counted, listed, asked whether it has one solution and what all of them share, for one
//! value of its parameter or for several, by the embedded engines and by the solvers that are here.

use super::engines::{Wrong, compare};
use super::model::{Model, Solutions};
use super::value::Value;
use crate::dice::Dice;
use rebus::encode::Target;
use rebus::solve::find::Places;
use rebus::solve::table::SolverTable;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// What is asked, and the arguments that say how.
#[derive(Clone, Debug)]
pub struct Asked {
    pub question: Question,
    pub arguments: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Count,
    List,
    Unique,
    Deduce,
    /// A listing for each value of the parameter.
    Each,
}

/// Solvers that tell of one model or the best in each run: name and kind of formula.
static SOLVERS: LazyLock<Vec<(String, Target)>> = LazyLock::new(|| {
    let places = Places::from_env();
    let table = SolverTable::built_in();
    // a Java machine takes longer to start than all others to answer
    let here = table
        .iter()
        .filter(|solver| solver.name != "sat4j" && !solver.counts() && places.find(solver).is_some());
    here.filter(|solver| solver.format != Target::Xcc)
        .map(|solver| (solver.name.clone(), solver.format))
        .collect()
});

/// Answers up to which solvers are asked that are run again for each.
const FEW: usize = 6;

impl Asked {
    pub fn random(dice: &mut Dice, model: &Model, answers: usize) -> Asked {
        let question = match dice.below(5) {
            0 => Question::Count,
            1 => Question::Unique,
            2 => Question::Deduce,
            3 if model.params.len() > 1 => Question::Each,
            _ => Question::List,
        };
        let mut arguments = Vec::new();
        let mut say = |name: &str, values: &[&str]| {
            if dice.one_in(3) {
                arguments.extend([name.to_owned(), dice.pick(values).to_owned()]);
            }
        };
        say("--presolve", &["on", "off"]);
        say("--int", &["direct", "order", "log"]);
        say("--amo", &["pairwise", "ladder", "product", "commander"]);
        say("--card", &["naive", "sequential", "totalizer", "bdd"]);
        say("--sum", &["table", "order", "dd", "adder"]);
        say("--line", &["starts", "automaton"]);
        // a tree has more models than there are solutions
        let graphs = ["cuts", "distance", "tree"];
        say("--graph", if answers > FEW { &graphs[..2] } else { &graphs });
        let one_by_one = model.aim.is_some() || matches!(question, Question::Count | Question::List);
        match dice.below(4) {
            _ if matches!(question, Question::Deduce | Question::Each) => {}
            0 => arguments.extend(["--to", "xcc"].map(str::to_owned)),
            1 | 2 if !SOLVERS.is_empty() && (answers <= FEW || !one_by_one) => {
                let (name, format) = &SOLVERS[dice.below(SOLVERS.len())];
                arguments.extend(["--solver", name, "--to", format.name()].map(str::to_owned));
            }
            _ if question != Question::Count => {
                arguments.extend(["--seed".to_owned(), dice.below(9).to_string()])
            }
            _ => {}
        }
        if question == Question::Deduce {
            arguments.retain(|argument| argument != "--seed" && argument.parse::<u32>().is_err());
        }
        Asked { question, arguments }
    }

    /// Does the program say what is expected?
    pub fn judge(&self, model: &Model, expected: &Solutions) -> Result<(), Wrong> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("m.rebus"), model.source()).expect("a file");
        let values: Vec<String> = model.params.iter().map(ToString::to_string).collect();
        std::fs::write(path("k.txt"), values.join("\n") + "\n").expect("a file");
        let words: &[&str] = match self.question {
            Question::Count => &["count", "m.rebus"],
            Question::List => &["solve", "m.rebus", "--all", "-f", "json"],
            Question::Unique => &["solve", "m.rebus", "--unique", "-f", "json"],
            Question::Deduce => &["deduce", "m.rebus", "-f", "json"],
            Question::Each => &["solve", "m.rebus", "--all", "-f", "json", "--each", "k=k.txt"],
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
        command.current_dir(folder.path()).args(words).args(["--timeout", "60"]).args(&self.arguments);
        let output = command.output().expect("the program runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0 | 5) => {}
            Some(1) => return Err(Wrong::Refused(errors.lines().next().unwrap_or_default().to_owned())),
            Some(4) => return Err(Wrong::Unfinished),
            code => return Err(Wrong::Differs(format!("exit code {code:?}: {}", errors.trim()))),
        }
        self.read(model, expected, &output)
    }

    fn read(&self, model: &Model, expected: &Solutions, output: &Output) -> Result<(), Wrong> {
        let text = String::from_utf8_lossy(&output.stdout);
        let different = || Err(Wrong::Differs(format!("{text}")));
        let answers = model.answers(&expected.all).len();
        if self.question == Question::Count {
            return if text.trim() == answers.to_string() { Ok(()) } else { different() };
        }
        let lines: Result<Vec<Json>, _> = text.lines().map(serde_json::from_str).collect();
        let Ok(lines) = lines else { return different() };
        let status = lines.last().map_or("", |line| line["status"].as_str().unwrap_or_default());
        match self.question {
            Question::Unique => {
                let shown = listed(model, &lines, expected.best)?;
                let code = if answers == 1 { 0 } else { 5 };
                let right =
                    output.status.code() == Some(code) && (status == "unsatisfiable") == (answers == 0);
                let right = right
                    && shown.len() == answers.min(2)
                    && shown.iter().all(|one| expected.all.contains(one));
                if right { Ok(()) } else { different() }
            }
            Question::List => compare(model, &expected.all, listed(model, &lines, expected.best)?),
            Question::Each => each(model, &lines),
            _ => shared(model, expected, &lines)
                .map_or(Ok(()), |why| Err(Wrong::Differs(format!("{why}: {text}")))),
        }
    }
}

/// The solutions that are told, with what they are worth.
fn listed(model: &Model, lines: &[Json], best: Option<i64>) -> Result<Vec<Vec<Value>>, Wrong> {
    let mut found = Vec::new();
    for line in lines.iter().filter(|line| line.get("solution").is_some()) {
        if line.get("objective").and_then(Json::as_i64) != best {
            return Err(Wrong::Differs(format!("{line}: the optimum is {best:?}")));
        }
        let mut leaves = Vec::new();
        flatten(&line["values"], &mut leaves);
        let read = values(model, leaves);
        found.push(read.ok_or_else(|| Wrong::Differs(format!("not to be read: {line}")))?);
    }
    Ok(found)
}

fn flatten(json: &Json, leaves: &mut Vec<Json>) {
    match json {
        Json::Array(list) => list.iter().for_each(|part| flatten(part, leaves)),
        Json::Object(map) => map.values().for_each(|part| flatten(part, leaves)),
        leaf => leaves.push(leaf.clone()),
    }
}

/// A value for every variable: a pair is two leaves.
fn values(model: &Model, leaves: Vec<Json>) -> Option<Vec<Value>> {
    let mut leaves = leaves.into_iter();
    let mut values = Vec::new();
    for var in &model.vars {
        let first = leaves.next()?;
        let is_pair = first.is_i64() && matches!(var.domain[0], Value::Pair(..));
        let told = if is_pair { Json::from(vec![first, leaves.next()?]) } else { first };
        values.push(*var.domain.iter().find(|value| json(**value) == told)?);
    }
    leaves.next().is_none().then_some(values)
}

fn json(value: Value) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Bool(truth) => truth.into(),
        Value::Int(number) => number.into(),
        Value::Pair(a, b) => vec![a, b].into(),
        Value::Text(text) | Value::Member(_, text) => text.into(),
    }
}

/// A listing for each value of the parameter, one behind the other: solutions numbered from 1, or that there is none.
fn each(model: &Model, lines: &[Json]) -> Result<(), Wrong> {
    let mut starts: Vec<usize> = (0..lines.len())
        .filter(|at| lines[*at].get("solution").is_none_or(|number| number.as_i64() == Some(1)))
        .collect();
    if starts.len() != model.params.len() {
        return Err(Wrong::Differs(format!("{} instances, {} told", model.params.len(), starts.len())));
    }
    starts.push(lines.len());
    for (k, bounds) in model.params.iter().zip(starts.windows(2)) {
        let Some(expected) = model.solutions(*k, usize::MAX) else { return Err(Wrong::Large) };
        let found = listed(model, &lines[bounds[0]..bounds[1]], expected.best)?;
        compare(model, &expected.all, found).map_err(|wrong| match wrong {
            Wrong::Differs(why) => Wrong::Differs(format!("k = {k}: {why}")),
            other => other,
        })?;
    }
    Ok(())
}

/// What is wrong with what is said of all solutions.
fn shared(model: &Model, expected: &Solutions, lines: &[Json]) -> Option<String> {
    let [line] = lines else { return Some("one line is wanted".into()) };
    if expected.all.is_empty() {
        return (line["status"] != "unsatisfiable").then(|| "there is no solution".into());
    }
    let mut told: BTreeMap<&str, Vec<Json>> = BTreeMap::new();
    let parts = |name: &str| line[name].as_object().into_iter().flatten();
    told.extend(parts("determined").map(|(name, value)| (name.as_str(), vec![value.clone()])));
    told.extend(
        parts("open").map(|(name, list)| (name.as_str(), list.as_array().cloned().unwrap_or_default())),
    );
    for (at, var) in model.vars.iter().enumerate() {
        let possible: BTreeSet<String> =
            expected.all.iter().map(|values| json(values[at]).to_string()).collect();
        let found: BTreeSet<String> = told.get(&*var.name)?.iter().map(Json::to_string).collect();
        if possible != found {
            return Some(format!("{} may be {possible:?}", var.name));
        }
    }
    None
}
