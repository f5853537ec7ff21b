//! Other people's puzzles in and out: every puzzle of the corpora imports, comes back as it was, and has the recorded solution.

mod answers;
mod harness;

use answers::{Puzzle, answer};
use harness::{board, import, solutions};
use rebus::import::EXPORTERS;

fn data(path: &str) -> String {
    let path = format!("{}/tests/data/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

const PROGRAMS: &[&str] = &[
    "bridges", "dominosa", "filling", "galaxies", "keen", "lightup", "loopy", "magnets", "map", "mines",
    "mosaic", "net", "palisade", "pattern", "pearl", "range", "rect", "signpost", "singles", "slant", "solo",
    "tents", "towers", "tracks", "undead", "unequal", "unruly",
];

/// Line, game ID, solution.
fn puzzles(program: &str) -> Vec<(usize, String, String)> {
    let (ids, found) =
        (data(&format!("tatham/{program}.txt")), data(&format!("tatham/{program}.solutions.txt")));
    let pairs = ids.lines().zip(found.lines());
    pairs.zip(1..).map(|((id, solution), line)| (line, id.to_owned(), solution.to_owned())).collect()
}

fn export(form: &str, genre: &str, clues: &str) -> Result<String, String> {
    let board = board(genre, clues).map_err(|faults| format!("{faults:?}"))?;
    let exporter = EXPORTERS.iter().find(|exporter| exporter.name == form).expect("a form");
    (exporter.write)(&board)
}

#[test]
fn game_ids_come_back_as_they_were() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for program in PROGRAMS {
        for (line, id, _) in puzzles(program) {
            let id = format!("{program}:{id}");
            let imported = match import(&id) {
                Ok(imported) => imported,
                Err(fault) => {
                    wrong.push(format!("{program} {line}: {fault:?}"));
                    continue;
                }
            };
            match export("tatham", imported.genre, &imported.clues) {
                // its data do not hold the mines
                Err(_) if *program == "mines" => count += 1,
                Ok(back) if back == id => count += 1,
                other => wrong.push(format!("{program} {line}: {id}\n{other:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, 27 * 15);
}

/// Solves a puzzle and compares with the recorded solution.
fn solves(program: &str, id: &str, solution: &str) -> Result<(), String> {
    let imported = import(&format!("{program}:{id}")).map_err(|fault| format!("{fault:?}"))?;
    let most = if program == "mines" { 1 } else { 2 };
    let found = solutions(imported.genre, &imported.clues, most).map_err(|faults| format!("{faults:?}"))?;
    if found.len() != 1 {
        return Err(format!("{} solutions", found.len()));
    }
    let expected = answer(program, &Puzzle::of(id), solution);
    for (var, key, value) in &found[0] {
        if let Some(recorded) = expected(var, key)
            && recorded != *value
        {
            return Err(format!("{var}{key:?} is {value}, recorded {recorded}"));
        }
    }
    Ok(())
}

#[test]
fn recorded_solutions() {
    let mut wrong = Vec::new();
    for program in PROGRAMS {
        let start = std::time::Instant::now();
        for (line, id, solution) in puzzles(program) {
            if let Err(why) = solves(program, &id, &solution) {
                wrong.push(format!("{program} {line}: {}", &why[..why.len().min(200)]));
            }
        }
        eprintln!("{program} {:?}", start.elapsed());
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
