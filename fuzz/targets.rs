//! What is fuzzed: readers of texts that come from strangers. Each takes any bytes and must come back.

use rebus::diag::{Sources, render};
use rebus::encode::Target;
use rebus::encode::cnf::{self, Options};
use rebus::encode::symbols::{self, WordTable};
use rebus::eval::{Eval, Input, NoImports, Program, Without};
use rebus::import;
use rebus::model::presolve::presolve;
use rebus::shared::{Budget, Limits};
use rebus::solve::competition;
use rebus::solve::output::{dialect::DIALECTS, parse};
use rebus::solve::process::Ended;
use rebus::solve::{check_model, xcc};
use std::time::Duration;

pub const TARGETS: [(&str, fn(&[u8])); 6] = [
    ("model", model),
    ("data", data),
    ("map", map),
    ("output", output),
    ("formula", formula),
    ("puzzle", puzzle),
];

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
        let words = |option: &str| option.split(' ').map(Box::from).collect();
        let cover = ["+1 l x2", "+6 x1 l +7:A", ""].map(words);
        let told = WordTable::of(map.told.clone()).literals(&cover, &Budget::unlimited());
        let _ = map.positions(&told.expect("a budget without end"));
        let mut again = Vec::new();
        symbols::write(&map, &mut again).expect("a vector takes every byte");
        let read = symbols::load("m.map", &mut &*again, 1 << 22).expect("a map as it was written");
        assert_eq!(read, map);
    }
}

/// What a solver printed, in every dialect.
pub fn output(bytes: &[u8]) {
    for dialect in DIALECTS {
        let _ = parse(*dialect, bytes, None, &[]);
        // as standard error, too, of a process that ended well
        let _ = parse(*dialect, bytes, Some(Ended::Exit(dialect.unsat_exits[0])), bytes);
    }
}

/// A formula or an exact cover that somebody gives to an embedded engine, and models of it.
pub fn formula(bytes: &[u8]) {
    let limits =
        Limits { time: Some(Duration::from_secs(1)), memory: 64 << 20, steps: 1 << 20, ..Limits::default() };
    let budget = Budget::new(limits);
    let _ = competition::sat(bytes, &mut std::io::sink(), 0, &budget);
    let _ = xcc::read(bytes, "x.xcc", &mut Sources::default(), &budget);
    for target in Target::ALL {
        let _ = check_model(target, bytes, &[1, -2, 3, -7, 2_000_000_000]);
    }
}

/// A puzzle in another format, and its data with the model that they are for.
pub fn puzzle(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut sources = Sources::default();
    let file = sources.add("puzzle", text.as_ref());
    for name in ["puzzle", "p.non", "p.xml", "p.json", "p.sdk"] {
        let Some(importer) = import::recognise(&text, name) else { continue };
        match importer.convert(&text, file) {
            Ok(imported) => assert!(imported.clues.len() < 1 << 24, "a short text became a long one"),
            Err(fault) => drop(render(&fault, &sources, false)),
        }
    }
}
