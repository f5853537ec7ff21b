//! Answers: each question of the page to the library.

use crate::requests::{Question, Texts};
use crate::say;
use rebus::{Error, Explanation, Judgement, Puzzle, Solution, Solutions, Target, Uniqueness, Why};
use serde_json::{Value as Json, json};
use std::cell::RefCell;

thread_local! {
    /// The solutions that `next` goes on with.
    static LISTING: RefCell<Option<Solutions<'static>>> = const { RefCell::new(None) };
}

pub fn about(texts: &Texts, question: Question) -> Result<Json, Error> {
    match question {
        Question::Open => return open(texts),
        Question::Solve => return solve(texts),
        _ => {}
    }
    let puzzle = texts.load()?;
    match question {
        Question::Open | Question::Solve => unreachable!("answered above"),
        Question::Enter { changes } => {
            let changes: Vec<(&str, usize, &str)> =
                changes.iter().map(|(name, entry, text)| (&**name, *entry, &**text)).collect();
            // items cannot stand in an object: all of it becomes items first
            let before = if texts.is_json() { as_items(&puzzle)? } else { texts.data.clone() };
            let items = puzzle.enter(&changes)?;
            let data = items.iter().fold(before, |data, (name, value)| rebus::with_item(&data, name, value));
            Ok(json!({ "data": data }))
        }
        Question::Unique => Ok(match puzzle.unique()? {
            Uniqueness::None => json!({ "solutions": [] }),
            Uniqueness::Unique(only) => json!({ "solutions": [one(&only)], "unique": true }),
            Uniqueness::Several(first, second) => {
                let mut answer = two(&first, &second);
                answer["unique"] = json!(false);
                answer
            }
        }),
        Question::Deduce => Ok(match puzzle.deduce()? {
            None => json!({ "impossible": true }),
            Some(deduction) => {
                let open: Vec<Json> = deduction
                    .open
                    .iter()
                    .map(|entry| {
                        let possible = entry
                            .possible
                            .as_ref()
                            .map(|list| list.iter().map(say::value).collect::<Vec<_>>());
                        json!({ "name": entry.name, "possible": possible })
                    })
                    .collect();
                json!({
                    "picture": say::picture(&deduction.picture()),
                    "positions": deduction.positions,
                    "fixed": deduction.fixed.iter().map(|(name, value)| (name, say::value(value))).collect::<Vec<_>>(),
                    "open": open,
                    "complete": deduction.complete,
                })
            }
        }),
        Question::Explain => Ok(match puzzle.explain()? {
            Explanation::Impossible(conflict) => json!({ "impossible": say::conflict(&conflict) }),
            Explanation::Unique(only) => json!({ "solutions": [one(&only)], "unique": true }),
            Explanation::Several { first, second, vary } => {
                let mut answer = two(&first, &second);
                answer["vary"] = json!(vary);
                answer
            }
        }),
        Question::Why { expression } => Ok(match puzzle.why(&expression)? {
            Why::Forced(value, conflict) => {
                json!({ "value": say::value(&value), "because": say::conflict(&conflict) })
            }
            Why::Open(value, other) => json!({ "value": say::value(&value), "other": say::value(&other) }),
            Why::Impossible(conflict) => json!({ "impossible": say::conflict(&conflict) }),
        }),
        Question::Count { limit } => {
            let count = puzzle.count(limit)?;
            Ok(json!({ "number": count.number, "complete": count.complete }))
        }
        Question::Attempt { positions } => {
            Ok(json!({ "picture": say::picture(&puzzle.attempt(&positions)?) }))
        }
        Question::Judge { positions } => Ok(judgement(&puzzle.judge(&positions)?)),
        Question::Verify { answer } => Ok(judgement(&puzzle.verify(&answer)?)),
        Question::Formula { target, annotated } => formula(&puzzle, &target, annotated),
        Question::Export { form } => {
            let exported = puzzle.export(&form)?;
            Ok(json!({ "text": exported.text, "lost": exported.lost }))
        }
    }
}

/// The data of a puzzle as items.
fn as_items(puzzle: &Puzzle) -> Result<String, Error> {
    let fields = puzzle.fields()?;
    let mut all = Vec::new();
    for field in &fields.parameters {
        all.extend(field.entries.iter().enumerate().map(|(at, entry)| (&*field.name, at, &*entry.text)));
    }
    let items = puzzle.enter(&all)?;
    Ok(items.iter().fold(String::new(), |data, (name, value)| rebus::with_item(&data, name, value)))
}

/// All that the page shows of a puzzle before a question. With a fault, what is known of it nevertheless.
fn open(texts: &Texts) -> Result<Json, Error> {
    let puzzle = texts.load()?;
    let fields = puzzle.fields().map(|fields| say::fields(&fields));
    let mut answer = match puzzle.check() {
        Ok(checked) => {
            let warnings: Vec<Json> =
                checked.warnings.iter().map(|fault| say::fault(fault, &texts.places())).collect();
            json!({
                "warnings": warnings,
                "picture": say::picture(&checked.picture),
                "objective": checked.objective,
            })
        }
        Err(error) => say::error(&error, &texts.places()),
    };
    if let Ok(fields) = fields {
        answer["fields"] = fields;
    }
    Ok(answer)
}

/// A puzzle whose solutions are listed stays; the page starts another worker for another listing.
fn solve(texts: &Texts) -> Result<Json, Error> {
    let puzzle: &'static Puzzle = Box::leak(Box::new(texts.load()?));
    LISTING.replace(Some(puzzle.solutions()?));
    next()
}

pub fn next() -> Result<Json, Error> {
    let found = LISTING.with_borrow_mut(|listing| listing.as_mut().and_then(Iterator::next)).transpose()?;
    Ok(match found {
        Some(solution) => json!({ "solutions": [one(&solution)] }),
        None => json!({ "solutions": [], "over": true }),
    })
}

fn one(solution: &Solution) -> Json {
    say::solution(solution, &solution.picture())
}

fn two(first: &Solution, second: &Solution) -> Json {
    let [left, right] = first.pictures_with(second);
    json!({
        "solutions": [say::solution(first, &left), say::solution(second, &right)],
        "differ": first.differs_from(second),
    })
}

fn judgement(judgement: &Judgement) -> Json {
    match judgement {
        Judgement::Correct(objective) => json!({ "correct": true, "objective": objective }),
        Judgement::Broken(reasons) => json!({ "broken": say::reasons(reasons) }),
        Judgement::Unlike => json!({ "unlike": true }),
        Judgement::Incomplete(names) => json!({ "missing": names }),
    }
}

fn formula(puzzle: &Puzzle, target: &str, annotated: bool) -> Result<Json, Error> {
    let target = match target {
        "opb" => Target::Opb,
        "wcnf" => Target::Wcnf,
        "xcc" => Target::Xcc,
        _ => Target::Cnf,
    };
    let formula = if annotated { puzzle.annotated_formula(target)? } else { puzzle.formula(target)? };
    Ok(
        json!({ "text": formula.text, "map": formula.map, "variables": formula.variables, "rows": formula.rows }),
    )
}

pub fn decode(map: &str, output: &str) -> Result<Json, Error> {
    let decoded = rebus::decode(map, output)?;
    let solutions: Vec<Json> = decoded.solutions.iter().map(one).collect();
    Ok(json!({ "solutions": solutions, "complete": decoded.complete }))
}

pub fn import(text: &str, name: &str) -> Result<Json, Error> {
    Ok(match rebus::import(text, name)? {
        Some(imported) => {
            json!({ "genre": imported.model, "data": imported.data, "answer": imported.answer })
        }
        None => json!({ "unknown": true }),
    })
}

/// The catalogue and the language, for lists and editors.
pub fn about_all() -> Json {
    let models: Vec<Json> = rebus::catalogue()
        .iter()
        .map(|model| {
            let boards: Vec<&str> = model.boards.iter().map(|(name, _)| *name).collect();
            json!({ "name": model.name, "about": model.about, "aliases": model.aliases, "boards": boards })
        })
        .collect();
    let names: Vec<Json> = rebus::names()
        .iter()
        .map(|name| {
            json!({
                "name": name.name, "chapter": name.chapter, "signature": name.signature, "about": name.about,
                "example": name.example,
            })
        })
        .collect();
    json!({
        "models": models,
        "names": names,
        "words": rebus::reserved_words(),
        "forms": Puzzle::export_forms(),
        "style": rebus::Picture::style(),
    })
}

/// The texts of a model and a board.
pub fn shipped(genre: &str, board: Option<&str>) -> Json {
    let catalogue = rebus::catalogue();
    let Some(model) = catalogue.iter().find(|model| model.name == genre || model.aliases.contains(&genre))
    else {
        return json!({ "unknown": true });
    };
    let data = match board {
        Some(board) => model.boards.iter().find(|(name, _)| *name == board),
        None => model.boards.first(),
    };
    json!({
        "genre": model.name, "model": model.text, "data": data.map_or("", |(_, text)| text),
        "boards": model.boards.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
    })
}
