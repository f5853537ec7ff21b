//! Models of the catalogue run in this process; `benches/catalogue.rs` runs them too.

use rebus::catalogue;
use rebus::decode::{Decoded, Solution, positions};
use rebus::diag::{Diagnostic, Sources};
use rebus::encode::cnf::{self, EncodeError, GraphEncoding, Options};
use rebus::eval::{Eval, Input, Loader, Program, Value, Without, stop_diagnostic};
use rebus::import::{Board, Imported, board_of, recognise};
use rebus::model::presolve::presolve;
use rebus::shared::Budget;
use rebus::solve::embedded::{Cutting, Enumerator, Next, Quick, SatEngine, engine};
use rebus::why;

/// Imports of models come from the catalogue.
struct Shipped(&'static str);

impl Loader for Shipped {
    fn import(&mut self, _from: &str, path: &str) -> Result<(String, String), Diagnostic> {
        let path = format!("{}/{path}", self.0);
        let text = catalogue::file(&path).expect("an import of the catalogue");
        Ok((path, text.to_owned()))
    }
}

pub fn import(text: &str) -> Result<Imported, Diagnostic> {
    let mut sources = Sources::default();
    let file = sources.add("text", text);
    recognise(text, "text").unwrap_or_else(|| panic!("not recognised: {text}")).convert(text, file)
}

/// Data that the makers of a puzzle take for granted beside it, as its place in `tests/data/` tells: that no path of a number
/// link fills a 2×2 square. Without it, it takes minutes.
pub fn granted(place: &str) -> &'static str {
    match place {
        "puzzlink 123" | "puzzlink 124" => "square = false\n",
        _ => "",
    }
}

/// Runs `inside` with a model of the catalogue and data.
fn with_model<T>(
    genre: &str,
    clues: &str,
    budget: &Budget,
    inside: impl FnOnce(&mut Eval<'_>, &mut Sources) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let model = catalogue::model(genre).unwrap_or_else(|| panic!("no model {genre}"));
    let mut sources = Sources::default();
    let file = sources.add(model.path, model.text);
    let data = Input::Data(sources.add("data", clues));
    let program = Program::load(&mut sources, &mut Shipped(model.folder()), file, &[data])?;
    inside(&mut Eval::new(&program, budget), &mut sources)
}

/// The board that data describe, through the language and back.
pub fn board(genre: &str, clues: &str) -> Result<Board, Vec<Diagnostic>> {
    let name = catalogue::model(genre).expect("in the catalogue").name;
    with_model(genre, clues, &Budget::unlimited(), |eval, _| board_of(name, eval))
}

/// An entry of a variable as text.
pub type Entry = (String, Value, String);

/// The entries of the first solutions, at most `most`, of the variables that the model's answer is about; each is checked
/// from the source.
pub fn solutions(genre: &str, clues: &str, most: usize) -> Result<Vec<Vec<Entry>>, Vec<Diagnostic>> {
    solutions_within(genre, clues, most, &Budget::unlimited())
}

/// The same; a limit that is reached is a fault.
pub fn solutions_within(
    genre: &str,
    clues: &str,
    most: usize,
    budget: &Budget,
) -> Result<Vec<Vec<Entry>>, Vec<Diagnostic>> {
    with_model(genre, clues, budget, |eval, _| {
        eval.check_params()?;
        eval.declare_all()?;
        eval.ground_rules(0..eval.program.rules.len(), &Without::default())?;
        eval.ground_outputs().map_err(|fault| vec![fault])?;
        // as the program chooses
        let mut engine = if eval.model.arena.has_areas() { Box::new(Quick::new(0)) } else { engine(0) };
        let known = presolve(&eval.model, budget).map_err(|stop| vec![stop_diagnostic(stop)])?;
        let encoded = cnf::encode(
            &eval.model,
            &|var, position| known.contradiction.is_some() || known.allows(var, position),
            Options { graph: GraphEncoding::Cuts, ..Options::default() },
            budget,
            &mut *engine,
            &|_| String::new(),
        );
        let (_, emission) = match encoded {
            Ok(encoded) => encoded,
            Err(EncodeError::Stop(stop)) => return Err(vec![stop_diagnostic(stop)]),
            Err(error) => panic!("{genre}: {error:?}"),
        };
        let mut engine = Cutting::new(&mut *engine, &emission.lazy);
        let mut enumerator = Enumerator::new(emission.answer.clone(), &[]);
        let mut found = Vec::new();
        while found.len() < most {
            match enumerator.next(&mut engine, budget) {
                Next::Answer => {}
                Next::Exhausted => break,
                Next::Stopped(stop) => return Err(vec![stop_diagnostic(stop)]),
            }
            let Decoded(values) =
                positions(&emission.encodings, |lit| engine.value(lit)).expect("one value each");
            Solution::verify(eval, &values, &Without::default()).expect("every rule is kept");
            found.push(entries(eval, &values));
        }
        Ok(found)
    })
}

fn entries(eval: &Eval<'_>, positions: &[u32]) -> Vec<Entry> {
    let mut found = Vec::new();
    for array in &eval.vars {
        for at in 0..array.len() {
            let key = array.keys.as_ref().map_or(Value::None, |keys| keys.list[at].clone());
            let value = &array.domain(at)[positions[array.first.0 as usize + at] as usize];
            found.push((array.name.to_string(), key, eval.text_of(value)));
        }
    }
    found
}

/// The labels of the rules that an answer breaks; entries that it leaves out get the first value they may have.
pub fn broken(
    genre: &str,
    clues: &str,
    answer: &dyn Fn(&str, &Value) -> Option<String>,
) -> Result<Vec<String>, Vec<Diagnostic>> {
    with_model(genre, clues, &Budget::unlimited(), |eval, _| {
        eval.declare_all()?;
        let mut positions = vec![0; eval.model.vars.len()];
        for array in &eval.vars {
            for at in 0..array.len() {
                let key = array.keys.as_ref().map_or(Value::None, |keys| keys.list[at].clone());
                let Some(value) = answer(&array.name, &key) else { continue };
                let position = array.domain(at).iter().position(|known| eval.text_of(known) == value);
                positions[array.first.0 as usize + at] = position.expect("a value of the domain") as u32;
            }
        }
        eval.bind_all(&positions);
        let broken = eval.check_rules(&Without::default(), 5).map_err(|fault| vec![fault])?;
        Ok(broken.into_iter().map(|rule| rule.label).collect())
    })
}

/// The labels of the rules that an answer in any form breaks, at most five, and what has no value.
pub fn verify(genre: &str, clues: &str, answer: &str) -> Result<(Vec<String>, Vec<String>), Vec<Diagnostic>> {
    with_model(genre, clues, &Budget::unlimited(), |eval, sources| {
        eval.declare_all()?;
        let file = sources.add("answer", answer);
        let given = eval.given_values(file, answer)?;
        eval.ground_rules(0..eval.program.rules.len(), &Without::default())?;
        let (engine, options) = (|| Box::new(Quick::new(0)) as _, Options::default());
        let budget = eval.budget;
        let broken =
            why::broken(&mut eval.model, &given.positions, &[], 5, options, &engine, budget).unwrap();
        let broken = broken.into_iter().map(|rule| eval.instance(eval.model.rules[rule].instance).label);
        Ok((broken.collect(), given.missing))
    })
}
