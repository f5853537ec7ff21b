//! Every model of the catalogue: its number of solutions, its drawing and its values.

use rebus::decode::{Decoded, positions};
use rebus::diag::{Diagnostic, Sources, render};
use rebus::encode::cnf::{self, Options};
use rebus::eval::{Eval, Input, Loader, Program, Without};
use rebus::render::{Style, solution_line, text};
use rebus::shared::Budget;
use rebus::solve::embedded::{Enumerator, Next, engine};
use std::path::{Path, PathBuf};

struct Folder(PathBuf);

impl Loader for Folder {
    fn import(&mut self, _from: &str, path: &str) -> Result<(String, String), Diagnostic> {
        let path = self.0.join(path);
        let text = std::fs::read_to_string(&path).expect("an import of the catalogue");
        Ok((path.display().to_string(), text))
    }
}

struct Found {
    solutions: usize,
    drawing: String,
    json: String,
}

/// Solves a model, at most `limit` solutions; each is verified from the source.
fn solve(
    model: &Path,
    data: Option<&Path>,
    defines: &[(&str, &str)],
    limit: usize,
) -> Result<Found, Vec<Diagnostic>> {
    let read = |path: &Path| std::fs::read_to_string(path).expect("a file of the catalogue");
    let mut sources = Sources::default();
    let file = sources.add(model.display().to_string(), read(model));
    let mut inputs: Vec<Input> = Vec::new();
    if let Some(data) = data {
        inputs.push(Input::Data(sources.add(data.display().to_string(), read(data))));
    }
    for (name, value) in defines {
        inputs.push(Input::Define(sources.add(format!("-D {name}"), *value)));
    }
    let show = |faults: &Vec<Diagnostic>, sources: &Sources| {
        for fault in faults {
            eprintln!("{}", render(fault, sources, false));
        }
    };
    let folder = model.parent().expect("in a folder").to_path_buf();
    let program =
        Program::load(&mut sources, &mut Folder(folder), file, &inputs).inspect_err(|f| show(f, &sources))?;
    let budget = Budget::unlimited();
    let mut eval = Eval::new(&program, &budget);
    eval.declare_all().inspect_err(|f| show(f, &sources))?;
    eval.ground_rules(0..program.rules.len(), &Without::default()).inspect_err(|f| show(f, &sources))?;
    eval.ground_outputs().map_err(|fault| vec![fault])?;
    let mut engine = engine(0);
    let (_, emission) =
        cnf::encode(&eval.model, &|_, _| true, Options::default(), &budget, &mut *engine, &|_| String::new())
            .expect("small enough");
    let mut enumerator = Enumerator::new(emission.answer.clone(), &[]);
    let mut found = Found { solutions: 0, drawing: String::new(), json: String::new() };
    while found.solutions < limit && enumerator.next(&mut *engine, &budget) == Next::Answer {
        let Decoded(values) =
            positions(&emission.encodings, |lit| engine.value(lit)).expect("one value each");
        assert_eq!(eval.model.broken(&values), None, "{}: a solution breaks a ground rule", model.display());
        eval.bind_all(&values);
        let broken = eval.check_rules(&Without::default(), 3).map_err(|fault| vec![fault])?;
        assert!(broken.is_empty(), "{}: {broken:?}", model.display());
        found.solutions += 1;
        if found.solutions == 1 {
            let drawings = eval.drawings().map_err(|fault| vec![fault]).inspect_err(|f| show(f, &sources))?;
            found.drawing = drawings.iter().map(|drawing| text(drawing, Style { ascii: true })).collect();
            found.json = solution_line(1, &eval.values().map_err(|fault| vec![fault])?, None);
        }
        eval.unbind();
    }
    Ok(found)
}

fn files(extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir("examples").expect("the catalogue") {
        let Ok(entries) = std::fs::read_dir(folder.expect("a folder").path()) else { continue };
        found.extend(
            entries
                .map(|entry| entry.expect("a file").path())
                .filter(|path| path.extension().is_some_and(|e| e == extension)),
        );
    }
    found.sort();
    found
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).expect("a name")
}

#[test]
fn solutions_drawings_and_values() {
    let mut wrong = Vec::new();
    for solution in files("solution") {
        let name = stem(&solution);
        let clues = solution.with_extension("clues");
        let model = match clues.exists() {
            true => {
                let base = name.rsplit_once('-').expect("MODEL-INSTANCE").0;
                solution.with_file_name(format!("{base}.rebus"))
            }
            false => solution.with_extension("rebus"),
        };
        // a model with `answer` may leave other variables open; two answers are enough to know that there is one
        let found = match solve(&model, clues.exists().then_some(&*clues), &[], 20) {
            Ok(found) => found,
            Err(faults) => {
                wrong.push(format!("{name}: {faults:?}"));
                continue;
            }
        };
        if found.solutions != 1 {
            wrong.push(format!("{name}: {} solutions, 1 expected", found.solutions));
            continue;
        }
        let drawing = std::fs::read_to_string(&solution).expect("readable");
        if drawing != found.drawing {
            wrong.push(format!("{name}: drawn\n{}instead of\n{drawing}", found.drawing));
        }
        // the order of the placements of a shape is nobody's promise
        let read = |json: &str| serde_json::from_str::<serde_json::Value>(json).expect("JSON");
        if let Ok(json) = std::fs::read_to_string(solution.with_extension("json"))
            && read(&json) != read(&found.json)
        {
            wrong.push(format!("{name}: values\n{}\ninstead of\n{json}", found.json));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn known_counts() {
    let example = |name: &str| PathBuf::from(format!("examples/{name}/{name}.rebus"));
    for (name, defines, expected) in [
        ("row", &[][..], 2),
        ("formula", &[], 1),
        ("queens", &[], 92),
        ("queens", &[("n", "6")], 4),
        ("queens", &[("n", "10")], 724),
        ("langford", &[("n", "3")], 1),
        ("langford", &[("n", "7")], 26),
        ("langford", &[("n", "8")], 150),
        ("magic-square", &[("n", "3")], 8),
        ("cryptarithm", &[], 1),
        ("money", &[], 1),
        ("futoshiki", &[("clue", "@")], 12),
    ] {
        let (data, defines) = match defines {
            [("clue", "@")] => (Some(PathBuf::from("examples/futoshiki/futoshiki-5.clues")), &[][..]),
            defines => (None, defines),
        };
        let found = solve(&example(name), data.as_deref(), defines, usize::MAX).expect("no fault");
        assert_eq!(found.solutions, expected, "{name} {defines:?}");
    }
}
