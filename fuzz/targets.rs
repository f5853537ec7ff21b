//! What is fuzzed: readers of texts that come from strangers. Each takes any bytes and must come back.

use rebus::diag::Sources;
use rebus::encode::symbols::Told;
use rebus::eval::{Eval, Input, NoImports, Program};
use rebus::shared::{Budget, Limits};
use rebus::solve::output::{Answer, dialect::DIALECTS, parse};

pub const TARGETS: [(&str, fn(&[u8])); 4] =
    [("parser", parser), ("data", data), ("map", map), ("output", output)];

/// A model.
pub fn parser(bytes: &[u8]) {
    let mut sources = Sources::default();
    let file = sources.add("m.rebus", String::from_utf8_lossy(bytes));
    let _ = Program::load(&mut sources, &mut NoImports, file, &[]);
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

/// A map of literals.
pub fn map(bytes: &[u8]) {
    let _ = rebus::encode::symbols::load("m.map", &mut &*bytes, 1 << 20);
}

/// What a solver printed, in every dialect.
pub fn output(bytes: &[u8]) {
    let told = [
        Told { lit: 1, words: vec!["a".into(), "x:1".into()] },
        Told { lit: 2, words: Vec::new() },
        Told { lit: 3, words: vec!["null".into()] },
    ];
    for dialect in DIALECTS {
        let _ = parse(Answer::new(*dialect, &told), bytes, None, &[]);
    }
}
