//! What is fuzzed: readers of texts that come from strangers. Each takes any bytes and must come back.

use rebus::diag::{Diagnostic, Sources, render};
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
use std::cell::Cell;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64_with_seed;

pub const TARGETS: [(&str, fn(&[u8])); 6] = [
    ("model", model),
    ("data", data),
    ("map", map),
    ("output", output),
    ("formula", formula),
    ("puzzle", puzzle),
];

thread_local! {
    /// What came back of an input, as far as it tells one way through the program from another.
    static SEEN: Cell<u64> = const { Cell::new(0) };
}

/// Something that came back, as it begins: digits, what is quoted and what follows differ from input to input.
pub fn note(what: &str) {
    let plain = what.split('`').step_by(2).flat_map(str::chars).filter(|c| c.is_alphabetic() || *c == ' ');
    let plain: String = plain.take(30).collect();
    SEEN.set(xxh3_64_with_seed(plain.as_bytes(), SEEN.get()));
}

/// All that was noted since this was last called.
pub fn noted() -> u64 {
    SEEN.with(Cell::take)
}

/// The first of some faults.
pub fn note_first(faults: &[Diagnostic]) {
    if let Some(fault) = faults.first() {
        note(fault.code.name());
        note(&fault.message);
    }
}

/// A model, on a stack like the program's.
pub fn model(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let stack = std::thread::Builder::new().stack_size(256 << 20);
    let ran = stack.spawn(move || {
        run(&text, None);
        noted()
    });
    match ran.expect("a thread").join() {
        Ok(noted) => SEEN.set(noted),
        Err(panic) => std::panic::resume_unwind(panic),
    }
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
    note_first(&faults);
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
    let program = match Program::load(&mut sources, &mut NoImports, file, &[input]) {
        Ok(program) => program,
        Err(faults) => return note_first(&faults),
    };
    let limits = Limits { memory: 64 << 20, steps: 1 << 22, ..Limits::default() };
    let budget = Budget::new(limits);
    let mut eval = Eval::new(&program, &budget);
    let done = eval.check_params().and_then(|()| eval.declare_all());
    done.unwrap_or_else(|faults| note_first(&faults));
}

/// A symbol map, as it is and with its check sum made good; what is read can be written and read again.
pub fn map(bytes: &[u8]) {
    let _ = symbols::load("m.map", &mut &*bytes, 1 << 20);
    let sound = with_sum(&String::from_utf8_lossy(bytes));
    let read = symbols::load("m.map", &mut sound.as_bytes(), 1 << 20);
    if let Err(fault) = &read {
        note_first(std::slice::from_ref(fault));
    }
    if let Ok(map) = read {
        let _ = map.positions(&[1, -2, 3, 4, -5, 9]);
        let words = |option: &str| option.split(' ').map(Box::from).collect();
        let cover = ["+1 l x2", "+6 x1 l +7:A", ""].map(words);
        let told = WordTable::of(&map.told).literals(&cover, &Budget::unlimited());
        let _ = map.positions(&told.expect("a budget without end"));
        let mut again = Vec::new();
        symbols::write(&map, &mut again).expect("a vector takes every byte");
        let read = symbols::load("m.map", &mut &*again, 1 << 22).expect("a map as it was written");
        assert_eq!(read, map);
    }
}

/// A symbol map with its last line made good.
pub fn with_sum(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("end ")).collect();
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    format!("{body}end {} {:016x}\n", lines.len() + 1, xxhash_rust::xxh3::xxh3_64(body.as_bytes()))
}

/// What a solver printed, in every dialect.
pub fn output(bytes: &[u8]) {
    for dialect in DIALECTS {
        if let Ok(verdict) = parse(*dialect, bytes, None, &[]) {
            note(format!("{verdict:?}").split(['[', '{']).next().unwrap_or_default());
        }
        // as standard error, too, of a process that ended well
        let _ = parse(*dialect, bytes, Some(Ended::Exit(dialect.unsat_exits[0])), bytes);
    }
}

/// A formula or an exact cover that somebody gives to an embedded engine, and models of it.
pub fn formula(bytes: &[u8]) {
    let limits =
        Limits { time: Some(Duration::from_secs(1)), memory: 64 << 20, steps: 1 << 20, ..Limits::default() };
    let budget = Budget::new(limits);
    if let Err(fault) = competition::sat(bytes, &mut std::io::sink(), 0, &budget) {
        note(&format!("{fault:?}"));
    }
    if let Err(fault) = xcc::read(bytes, "x.xcc", &mut Sources::default(), &budget) {
        note(&format!("{fault:?}"));
    }
    for target in Target::ALL {
        if let Err(misfit) = check_model(target, bytes, &[1, -2, 3, -7, 2_000_000_000]) {
            note(&misfit.to_string());
        }
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
            Err(fault) => {
                note_first(std::slice::from_ref(&fault));
                drop(render(&fault, &sources, false));
            }
        }
    }
}
