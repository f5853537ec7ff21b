//! Targets that go further than reading, and know more of what must come out: a map with an output becomes solutions that keep the
//! rules, an instance is what its data are, a board that can be written is read back as it was.

use crate::targets::{note, note_first, with_sum};
use rebus::catalogue;
use rebus::decode::Solution;
use rebus::diag::{Diagnostic, Sources, render};
use rebus::encode::symbols::{self, Role, WordTable};
use rebus::eval::{Eval, Input, Loader, NoImports, Program, Without, stop_diagnostic};
use rebus::import::{EXPORTERS, Imported, board_of, recognise, recognise_argument};
use rebus::model::VarId;
use rebus::render::Data;
use rebus::shared::{Budget, Limits, Span, from_json};
use rebus::solve::Verdict;
use rebus::solve::output::{dialect::DIALECTS, parse};
use std::collections::HashMap;
use std::time::Duration;

pub const TARGETS: [(&str, fn(&[u8])); 4] =
    [("stored", stored), ("each", each), ("board", board), ("link", link)];

fn budget() -> Budget {
    Budget::new(Limits {
        time: Some(Duration::from_secs(2)),
        memory: 64 << 20,
        steps: 1 << 21,
        clauses: 1 << 18,
        ..Limits::default()
    })
}

fn note_all(faults: &[Diagnostic], sources: &Sources) {
    note_first(faults);
    for fault in faults.iter().take(3) {
        let text = render(fault, sources, false);
        assert!(!text.contains('\u{1b}'), "a raw escape sequence in {text:?}");
    }
}

// ---- a symbol map and what a solver printed ----

/// Latin squares, so that a solution is known without the program.
pub const SQUARE: &str = "var x[3, 3] : 1..3\nrule: for r in 1..3: distinct(x[r, *])\n\
    rule: for c in 1..3: distinct(x[*, c])\nrule: x[1, 1] = 1\nshow x\n";
/// Between a map and an output.
pub const BETWEEN: &str = "\n====\n";

/// A map, its sum made good, and an output, as `decode` takes them.
pub fn stored(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (map, output) = text.split_once(BETWEEN).unwrap_or((&text, ""));
    let map = match symbols::load("m.map", &mut with_sum(map).as_bytes(), 1 << 20) {
        Ok(map) => map,
        Err(fault) => return note_first(&[fault]),
    };
    let budget = budget();
    let mut sources = Sources::default();
    let (mut inputs, mut model) = (Vec::new(), None);
    let mut without = Without::default();
    for text in &map.texts {
        let path = &text.path;
        match text.role {
            Role::Model => model = Some((sources.add(path, &text.text), &text.text)),
            Role::Import => {}
            Role::Data if path.ends_with(".json") => inputs.push(Input::Json(sources.add(path, &text.text))),
            Role::Data => inputs.push(Input::Data(sources.add(path, &text.text))),
            Role::Define => inputs.push(Input::Define(sources.add(format!("-D {path}"), &text.text))),
            Role::Without => without.labels.push(text.text.clone()),
        }
    }
    let Some((file, model)) = model else { return note("no model") };
    let program = match Program::load(&mut sources, &mut NoImports, file, &inputs) {
        Ok(program) => program,
        Err(faults) => return note_all(&faults, &sources),
    };
    let mut eval = Eval::new(&program, &budget);
    if let Err(faults) = eval.check_params().and_then(|()| eval.declare_all()) {
        return note_all(&faults, &sources);
    }
    let domain = |at: usize| eval.model.domain(VarId(at as u32)).size();
    if eval.model.vars.len() != map.symbols.len()
        || !(0..map.symbols.len()).all(|at| domain(at) == map.symbols[at].encoding.size() as usize)
    {
        return note("another model");
    }
    let words = WordTable::of(&map.word_literals);
    for dialect in DIALECTS {
        let Ok(verdict) = parse(*dialect, output.as_bytes(), None, &[]) else { continue };
        let Ok(verdict) = verdict.told_by(|cover| words.literals(cover.iter().map(Vec::as_slice), &budget))
        else {
            continue;
        };
        match &verdict {
            Verdict::Satisfiable { models, .. } => {
                for lits in models.iter().take(20) {
                    let positions = match map.positions(lits) {
                        Ok(positions) => positions,
                        Err(misread) => {
                            note(&misread.to_string());
                            continue;
                        }
                    };
                    match Solution::verify(&mut eval, &positions, &without) {
                        Ok(solution)
                            if *model == SQUARE && inputs.is_empty() && without.labels.is_empty() =>
                        {
                            note("a solution");
                            assert!(is_square(&solution), "no latin square: {:?}", solution.values());
                        }
                        Ok(_) => note("a solution of another model"),
                        Err(_) => note("broken"),
                    }
                }
            }
            Verdict::Unsatisfiable => {
                note("unsatisfiable");
                let says = output.to_ascii_lowercase();
                let words = ["unsat", "0 solution", "solutions 0", "no solution", "no answer"];
                let covers = dialect.name.starts_with("dlx") || says.contains("altogether 0");
                assert!(covers || words.iter().any(|word| says.contains(word)), "{} says so", dialect.name);
            }
            other => note(&format!("{other:?}")),
        }
    }
}

fn is_square(solution: &Solution) -> bool {
    let [(_, square)] = solution.values() else { return false };
    let mut numbers = Vec::new();
    collect(square, &mut numbers);
    let line = |at: [usize; 3]| {
        let mut line = at.map(|at| numbers[at]);
        line.sort_unstable();
        line == [1, 2, 3]
    };
    numbers.len() == 9 && (0..3).all(|i| line([3 * i, 3 * i + 1, 3 * i + 2]) && line([i, i + 3, i + 6]))
}

fn collect(data: &Data, numbers: &mut Vec<i64>) {
    match data {
        Data::Int(number) => numbers.push(*number),
        Data::List(list) => list.iter().for_each(|data| collect(data, numbers)),
        _ => {}
    }
}

// ---- instances ----

const INSTANCES: &str = "enum E { u \"x\", v }\nparam n : 1..4 = 2\nparam clue[n, n] : (1..4)? = {}\nparam title : text = \"t\"\n\
    param way : word = \"w\"\nparam list : list = []\nparam e : E = u\nparam b : bool = true\nparam t[2, 2] : text = {}\n\
    param h, w\nparam room[h, w] : bool\nparam any = 3\n\
    var x[n, n] : 1..4\nrule: for (p, k) in givens(clue): x[p] = k\nrule: b -> count(x[p] = 1 for p in cells(x)) >= n / 2\n\
    rule: count(values(room)) + len(list) >= 0\nshow x\nshow [title, way, e, t[1, 1]]\n";

/// Lines of `--each`, JSON or `NAME=TEXT`: each is what its data would be beside the model, whatever was there before.
pub fn each(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut sources = Sources::default();
    let model = sources.add("m.rebus", INSTANCES);
    let own = sources.add("m.clues", "h = 2\nw = 2\nroom = \"\"\"\n..\n##\n\"\"\"\n");
    let program = Program::load(&mut sources, &mut NoImports, model, &[Input::Data(own)]);
    let program = program.expect("a sound model");
    for line in text.lines().take(6) {
        let line = line.trim_start_matches('\u{feff}');
        let budget = budget();
        let mut eval = Eval::new(&program, &budget);
        let file = sources.add("line", line);
        let span = Span::new(file, 0, line.len());
        let define = line.split_once('=').filter(|_| !line.starts_with(['{', '[', '"']));
        let supplied = match define {
            Some((name, text)) => {
                let value = sources.add("value", text);
                eval.supply_text(name, value, text)
            }
            None => match from_json(line) {
                Ok(serde_json::Value::Object(object)) => {
                    object.into_iter().try_for_each(|(name, value)| eval.supply_json(&name, value, span))
                }
                _ => {
                    note("no JSON");
                    continue;
                }
            },
        };
        let shared = supplied.map_err(|fault| vec![fault]).and_then(|()| size(&mut eval));
        if let Err(faults) = &shared {
            note_all(faults, &sources);
        }
        let input = match define {
            Some((name, text)) => Input::Define(sources.add(format!("-D {name}"), text)),
            None => Input::Json(file),
        };
        let alone = Program::load(&mut sources, &mut NoImports, model, &[Input::Data(own), input])
            .and_then(|program| size(&mut Eval::new(&program, &budget)));
        if budget.check().is_err() {
            continue;
        }
        match (&shared, &alone) {
            (Ok(shared), Ok(alone)) => assert_eq!(shared, alone, "{line}"),
            (Err(_), Err(_)) => {}
            _ => panic!("{line}: {shared:?} as an instance, {alone:?} as data"),
        }
    }
}

/// How much a model becomes, and what is drawn of its data.
fn size(eval: &mut Eval<'_>) -> Result<(usize, usize, usize), Vec<Diagnostic>> {
    eval.check_params()?;
    eval.declare_all()?;
    eval.ground_rules(0..eval.program.rules.len(), &Without::default())?;
    eval.ground_outputs().map_err(|fault| vec![fault])?;
    let faults = eval.show_faults();
    if !faults.is_empty() {
        return Err(faults);
    }
    eval.budget.check().map_err(|stop| vec![stop_diagnostic(stop)])?;
    Ok((eval.model.vars.len(), eval.model.rules.len(), eval.model.arena.bool_count()))
}

// ---- puzzles of others ----

struct Shipped(&'static str);

impl Loader for Shipped {
    fn import(&mut self, _from: &str, path: &str) -> Result<(String, String), Diagnostic> {
        let path = format!("{}/{path}", self.0);
        let text = catalogue::file(&path).expect("an import of the catalogue");
        Ok((path, text.to_owned()))
    }
}

type Board = rebus::import::Board;

/// The board that data describe.
fn board_with(genre: &str, clues: &str) -> Result<Board, Vec<Diagnostic>> {
    let model = catalogue::model(genre).expect("a genre of the catalogue");
    let mut sources = Sources::default();
    let file = sources.add(model.path, model.text);
    let data = Input::Data(sources.add("data", clues));
    let budget = budget();
    let loaded = Program::load(&mut sources, &mut Shipped(model.folder()), file, &[data]);
    let board = loaded.and_then(|program| board_of(model.name, &mut Eval::new(&program, &budget)));
    if let Err(faults) = &board {
        note_all(faults, &sources);
    }
    board
}

fn import(text: &str) -> Option<Result<Imported, Diagnostic>> {
    let importer = recognise_argument(text).or_else(|| recognise(text, "puzzle"))?;
    let mut sources = Sources::default();
    let file = sources.add("puzzle", text);
    let imported = importer.convert(text, file);
    if let Err(fault) = &imported {
        note_all(std::slice::from_ref(fault), &sources);
    }
    Some(imported)
}

/// A puzzle of others, or `GENRE`, a line end and data: each form that it can be written in is read again, and its model takes
/// the data.
pub fn board(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let own = text.split_once('\n').filter(|(genre, _)| catalogue::model(genre).is_some());
    let (genre, clues) = match own {
        Some((genre, clues)) => (genre.to_owned(), clues.to_owned()),
        None => match import(&text) {
            Some(Ok(imported)) => (imported.genre.to_owned(), imported.clues),
            Some(Err(_)) => return,
            None => return note("not recognised"),
        },
    };
    if clues.len() > 1 << 14 {
        return note("large");
    }
    let Ok(board) = board_with(&genre, &clues) else { return };
    for exporter in EXPORTERS {
        let written = match (exporter.write)(&board) {
            Ok(written) => written,
            Err(why) => {
                note(&why);
                continue;
            }
        };
        note(exporter.name);
        let again = import(&written).unwrap_or_else(|| panic!("{written:?} is not recognised, of\n{clues}"));
        let again = again.unwrap_or_else(|fault| panic!("{written:?} is not read: {fault:?}, of\n{clues}"));
        let twice = board_with(again.genre, &again.clues).unwrap_or_else(|faults| {
            panic!("{written:?} is read as\n{}: {faults:?}, of\n{clues}", again.clues)
        });
        if twice.model == board.model {
            board.differing(&twice).iter().for_each(|(name, _)| note(name));
        }
    }
}

/// The JSON of f-puzzles or SudokuPad, plain and packed: both are the same puzzle, whose data its model takes.
pub fn link(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some(plain) = import(&text) else { return note("not recognised") };
    let packed = pack(&text);
    for link in
        [format!("https://www.f-puzzles.com/?load={packed}"), format!("https://sudokupad.app/scl{packed}")]
    {
        let Some(unpacked) = import(&link) else { panic!("{link} is not recognised") };
        match (&plain, &unpacked) {
            (Ok(plain), Ok(unpacked)) => assert_eq!(plain, unpacked, "{link}"),
            (Err(_), Err(_)) => {}
            _ => panic!("{plain:?} as JSON, {unpacked:?} as {link}"),
        }
    }
    if let Ok(imported) = plain {
        let _ = board_with(imported.genre, &imported.clues);
    }
}

/// LZ-string's base64 form: codes of the longest known words, as its reader builds its dictionary.
pub fn pack(text: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut bits: Vec<bool> = Vec::new();
    let put = |bits: &mut Vec<bool>, number: usize, count: u32| {
        bits.extend((0..count).map(|i| number >> i & 1 == 1))
    };
    let mut words: HashMap<Vec<u16>, usize> = HashMap::new();
    let (mut next, mut width, mut at) = (3, 2, 0);
    let mut before: Option<Vec<u16>> = None;
    while at < units.len() {
        let mut length = 1;
        while at + length < units.len() && words.contains_key(&units[at..=at + length]) {
            length += 1;
        }
        let word = units[at..at + length].to_vec();
        match words.get(&word) {
            Some(code) => put(&mut bits, *code, width),
            None => {
                let wide = word[0] > 0xff;
                put(&mut bits, usize::from(wide), width);
                put(&mut bits, usize::from(word[0]), if wide { 16 } else { 8 });
                words.insert(word.clone(), next);
                next += 1;
            }
        }
        if let Some(mut longer) = before.take() {
            longer.push(word[0]);
            words.entry(longer).or_insert(next);
            next += 1;
        }
        before = Some(word);
        at += length;
        width = width.max(usize::BITS - next.leading_zeros());
    }
    put(&mut bits, 2, width);
    let code =
        |six: &[bool]| six.iter().enumerate().map(|(at, bit)| usize::from(*bit) << (5 - at)).sum::<usize>();
    bits.chunks(6).map(|six| char::from(ALPHABET[code(six)])).collect()
}
