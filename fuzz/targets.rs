//! What is fuzzed: readers of texts that come from strangers. Each takes any bytes and must come back.

use rebus::diag::{Sources, render};
use rebus::encode::cnf::{self, Options};
use rebus::encode::symbols;
use rebus::eval::{Eval, Input, NoImports, Program, Without};
use rebus::model::presolve::presolve;
use rebus::shared::{Budget, Limits};
use rebus::solve::output::{dialect::Dialect, parse};
use std::time::Duration;

pub const TARGETS: [(&str, fn(&[u8])); 4] =
    [("model", model), ("data", data), ("map", map), ("output", output)];

/// A model, on a stack like the program's.
pub fn model(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let stack = std::thread::Builder::new().stack_size(256 << 20);
    let ran = stack.spawn(move || run(&text, None)).expect("a thread").join();
    assert!(ran.is_ok(), "a panic");
}

/// As far as a model gets: loaded, ground, presolved, measured, drawn, its faults rendered.
pub fn run(model: &str, data: Option<&str>) {
    let mut sources = Sources::default();
    let file = sources.add("mutant.rebus", model);
    let inputs: Vec<Input> = data.map(|data| Input::Data(sources.add("data", data))).into_iter().collect();
    let limits = Limits {
        time: Some(Duration::from_secs(1)),
        memory: 64 << 20,
        steps: 1 << 21,
        clauses: 1 << 18,
        ..Limits::default()
    };
    let budget = Budget::new(limits);
    let faults = match Program::load(&mut sources, &mut NoImports, file, &inputs) {
        Err(faults) => faults,
        Ok(program) => {
            let mut eval = Eval::new(&program, &budget);
            let ground = eval
                .check_params()
                .and_then(|()| eval.declare_all())
                .and_then(|()| eval.ground_rules(0..program.rules.len(), &Without::default()))
                .and_then(|()| eval.ground_outputs().map_err(|fault| vec![fault]));
            let mut faults = ground.as_ref().err().cloned().unwrap_or_default();
            if ground.is_ok() {
                faults.extend(eval.show_faults());
                if let Ok(known) = presolve(&eval.model, &budget) {
                    match &known.contradiction {
                        Some(clash) => clash.iter().for_each(|instance| drop(eval.instance(*instance))),
                        None => {
                            let allows = |var, position| known.allows(var, position);
                            drop(cnf::measure(&eval.model, &allows, Options::default(), &budget));
                        }
                    }
                }
            }
            faults.extend(eval.warnings.clone());
            faults
        }
    };
    for fault in faults.iter().take(5) {
        let text = render(fault, &sources, false);
        assert!(!text.contains('\u{1b}'), "a raw escape sequence in {text:?}");
    }
}

/// Data for arrays of every kind of domain.
pub fn data(bytes: &[u8]) {
    let model = "enum E { u \"x\", v }\nparam n\nparam c[3, 3] : (0..12)?\nparam d[n] : E\nparam t[2, 2] : text = {}\n\
                 var x[n] : c[1, 1]..3";
    let mut sources = Sources::default();
    let file = sources.add("m.rebus", model);
    let input = Input::Data(sources.add("d.clues", String::from_utf8_lossy(bytes)));
    let Ok(program) = Program::load(&mut sources, &mut NoImports, file, &[input]) else { return };
    let limits = Limits { memory: 64 << 20, steps: 1 << 22, ..Limits::default() };
    let budget = Budget::new(limits);
    let mut eval = Eval::new(&program, &budget);
    let _ = eval.check_params().and_then(|()| eval.declare_all());
}

/// A symbol map, as it is and with its check sum made good; what is read can be written and read again.
pub fn map(bytes: &[u8]) {
    let _ = symbols::load("m.map", &mut &*bytes, 1 << 20);
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("end ")).collect();
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let sound =
        format!("{body}end {} {:016x}\n", lines.len() + 1, xxhash_rust::xxh3::xxh3_64(body.as_bytes()));
    if let Ok(map) = symbols::load("m.map", &mut sound.as_bytes(), 1 << 20) {
        let _ = map.positions(&[1, -2, 3, 4, -5, 9]);
        let mut again = Vec::new();
        symbols::write(&map, &mut again).expect("a vector takes every byte");
        let read = symbols::load("m.map", &mut &*again, 1 << 22).expect("a map as it was written");
        assert_eq!(read, map);
    }
}

/// What a solver printed, in every dialect.
pub fn output(bytes: &[u8]) {
    for name in ["sat", "cadical", "kissat", "minisat", "clasp", "glucose"] {
        if let Some(dialect) = Dialect::named(name) {
            let _ = parse(dialect, bytes, None, &[]);
        }
    }
}
