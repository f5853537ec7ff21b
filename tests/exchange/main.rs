//! Other people's puzzles in and out: every puzzle of the corpora imports, comes back as it was, and has the recorded solution.

mod answers;
mod commands;
#[path = "../common/dice.rs"]
mod dice;
mod harness;
mod sudokus;

use answers::{Puzzle, answer};
use dice::Dice;
use harness::{board, broken, granted, import, solutions, verify};
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

#[test]
fn nonograms_come_back_as_they_were() {
    for name in ["nonogram-2", "nonogram-duck"] {
        let clues = std::fs::read_to_string(format!("examples/nonogram/{name}.clues")).unwrap();
        let once = board("nonogram", &clues).unwrap();
        let back = export("non", "nonogram", &clues).unwrap();
        assert_eq!(board("nonogram", &import(&back).unwrap().clues).unwrap(), once);
    }
    let untold = "across = [[1], []]\ndown = [[\"?\"], [\"*\"]]\n";
    assert!(export("non", "nonogram", untold).unwrap_err().contains("no run that is not told"));
}

/// Solves a puzzle and compares with the recorded solution.
fn solves(program: &str, id: &str, solution: &str) -> Result<(), String> {
    let imported = import(&format!("{program}:{id}")).map_err(|fault| format!("{fault:?}"))?;
    let expected = answer(program, &Puzzle::of(id), solution);
    if program == "mines" {
        // more is known only while playing on
        let broken =
            broken(imported.genre, &imported.clues, &expected).map_err(|faults| format!("{faults:?}"))?;
        return if broken.is_empty() { Ok(()) } else { Err(broken.join("; ")) };
    }
    let found = solutions(imported.genre, &imported.clues, 2).map_err(|faults| format!("{faults:?}"))?;
    if found.len() != 1 {
        return Err(format!("{} solutions", found.len()));
    }
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
        for (line, id, solution) in puzzles(program) {
            if let Err(why) = solves(program, &id, &solution) {
                wrong.push(format!("{program} {line}: {}", &why[..why.len().min(200)]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Bodies of URLs, with where they stand.
fn urls() -> Vec<(String, String)> {
    let rows =
        |path: &str| data(path).lines().map(|line| line.split('\t').map(String::from).collect()).collect();
    let (others, own): (Vec<Vec<String>>, Vec<Vec<String>>) =
        (rows("puzzlink/urls.tsv"), rows("pzpr/urls.tsv"));
    let others = others.into_iter().zip(1..).map(|(row, line)| (format!("puzzlink {line}"), row[2].clone()));
    let own = own.into_iter().zip(1..);
    let own = own.map(|(row, line)| (format!("pzpr {line}"), format!("{}/{}", row[0], row[1])));
    others.chain(own).collect()
}

/// Boards of the catalogue's genres that no model holds all the same.
const OTHER_VARIANTS: &[&str] = &[
    "battleship/2/5/m7hai89g/2/22u/22u",
    "battleship/7/7/ti5s1i5g3g4g5i2s5i/5/31s/31s/31s/31s/33bk",
    "fivecells/6/6/72b1i0f2b1i3a",
    "fivecells/6/6/72f21b31c1b3e3i",
];

/// What is imported is in the form of `rebus fmt`.
#[test]
fn imports_are_in_their_form() {
    let mut texts: Vec<String> = urls().into_iter().map(|(_, url)| url).collect();
    for program in PROGRAMS {
        texts.extend(puzzles(program).into_iter().map(|(_, id, _)| format!("{program}:{id}")));
    }
    texts.extend(
        ["pzpr/solved.tsv", "pzpr/invalid.tsv"]
            .iter()
            .flat_map(|file| boards(file).into_iter().map(|(_, row)| row.last().unwrap().clone())),
    );
    texts.extend([data("f-puzzles.json"), data("f-puzzles.link")]);
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/nonogram")).unwrap() {
        texts.push(std::fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    let (mut count, mut wrong) = (0, Vec::new());
    for text in texts.iter().filter(|text| rebus::import::recognise(text, "text").is_some()) {
        let Ok(imported) = import(text) else { continue };
        let file = rebus::diag::Sources::default().add("clues", &imported.clues);
        count += 1;
        if rebus::syntax::format_file(file, &imported.clues).as_deref() != Ok(&*imported.clues) {
            wrong.push(imported.clues);
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 500, "{count}");
}

#[test]
fn urls_come_back_as_they_were() {
    let mut wrong = Vec::new();
    // those whose body is the very same again; the others say what goes without saying
    let (mut ours, mut same, mut others) = (0, 0, 0);
    for (place, url) in urls() {
        let imported = match import(&url) {
            Ok(imported) => imported,
            Err(fault) if fault.message.contains("it is not in the catalogue") => {
                let kind = fault.message.split('`').nth(1).unwrap();
                let named = format!("puzz.link's genre `{kind}` is ");
                assert!(url.contains(kind) && fault.message.starts_with(&named), "{}", fault.message);
                others += 1;
                continue;
            }
            Err(_) if OTHER_VARIANTS.contains(&url.as_str()) => continue,
            Err(fault) => {
                wrong.push(format!("{place}: {url}: {fault:?}"));
                continue;
            }
        };
        let once = board(imported.genre, &imported.clues);
        let back = export("puzzlink", imported.genre, &imported.clues);
        let twice = back.as_ref().map_err(Clone::clone).and_then(|back| {
            let again = import(back).map_err(|fault| format!("{fault:?}"))?;
            board(again.genre, &again.clues).map_err(|faults| format!("{faults:?}"))
        });
        match (once, twice) {
            (Ok(once), Ok(twice)) if once == twice => {
                ours += 1;
                same += usize::from(back.is_ok_and(|back| back.ends_with(&url)));
            }
            (once, twice) => wrong.push(format!("{place}: {url}\n{back:?}\n{once:?}\n{twice:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!((ours, same, others), (120, 101, 276));
}

/// Boards of the site's tests with several solutions: they show what a genre's URL may hold, and were not made to be solved.
const SEVERAL: &[&str] = &["puzzlink 34", "puzzlink 41", "puzzlink 126"];

/// The site's puzzles are read as it means them: they have a solution, and just one.
#[test]
fn urls_have_one_solution() {
    let mut wrong = Vec::new();
    for (place, url) in urls() {
        let Ok(imported) = import(&url) else { continue };
        let clues = imported.clues + granted(&place);
        let found = solutions(imported.genre, &clues, 2).map(|found| found.len());
        let expected = if SEVERAL.contains(&place.as_str()) { 2 } else { 1 };
        if found.as_ref().ok() != Some(&expected) {
            wrong.push(format!("{place}: {url}: {found:?} solutions, {expected} expected"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Genre and board file of each line that the catalogue has a model for, with where it stands.
fn boards(file: &str) -> Vec<(String, Vec<String>)> {
    let rows = data(file);
    let rows = rows
        .lines()
        .zip(1..)
        .map(|(row, line)| (format!("{file} {line}"), row.split('\t').map(String::from).collect::<Vec<_>>()));
    let known = |row: &Vec<String>| rebus::catalogue::model(&row[0]).is_some();
    rows.filter(|(_, row)| known(row)).collect()
}

#[test]
fn boards_that_the_site_accepts() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (place, row) in boards("pzpr/solved.tsv") {
        let imported = match import(&row[1]) {
            Ok(imported) => imported,
            Err(fault) => {
                wrong.push(format!("{place}: {} {fault:?}", row[0]));
                continue;
            }
        };
        match verify(imported.genre, &imported.clues, imported.answer.as_deref().unwrap()) {
            Ok((broken, missing)) if broken.is_empty() && missing.is_empty() => count += 1,
            Ok(found) => wrong.push(format!("{place}: {} {found:?}", row[0])),
            Err(faults) => wrong.push(format!("{place}: {} {faults:?}", row[0])),
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, 36);
}

#[test]
fn boards_that_the_site_refuses() {
    let mut told = String::new();
    for (_, row) in boards("pzpr/invalid.tsv") {
        let verdict = match import(&row[2]) {
            Err(fault) => fault.message,
            Ok(imported) => {
                match verify(imported.genre, &imported.clues, imported.answer.as_deref().unwrap()) {
                    Ok((broken, missing)) if broken.is_empty() && !missing.is_empty() => "incomplete".into(),
                    Ok((broken, _)) => broken.join("; "),
                    Err(faults) => faults[0].message.clone(),
                }
            }
        };
        told.push_str(&format!("{} {}: {verdict}\n", row[0], row[1]));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/exchange/refused.txt");
    if std::env::var_os("REBUS_BLESS").is_some() {
        std::fs::write(path, &told).unwrap();
    }
    assert_eq!(told, std::fs::read_to_string(path).unwrap());
}

/// Texts of every format, damaged at random: a fault is told, nothing panics.
#[test]
fn damaged_texts() {
    let mut texts: Vec<String> = urls().into_iter().map(|(_, url)| url).collect();
    for program in PROGRAMS {
        texts.extend(puzzles(program).into_iter().take(12).map(|(_, id, _)| format!("{program}:{id}")));
    }
    texts.extend(boards("pzpr/solved.tsv").into_iter().map(|(_, row)| row[1].clone()));
    texts.extend(boards("pzpr/invalid.tsv").into_iter().map(|(_, row)| row[2].clone()));
    texts.extend([data("f-puzzles.json"), data("f-puzzles.link")]);
    let mut dice = Dice::new(1);
    let mut random = |below: usize| dice.below(below);
    let others: Vec<char> = "0159afgzAZ-+=%.*_/:,# \n\"é".chars().collect();
    let (mut read, mut refused) = (0, 0);
    for text in texts {
        for _ in 0..20 {
            let mut chars: Vec<char> = text.chars().collect();
            for _ in 0..1 + random(3) {
                let at = random(chars.len());
                match random(3) {
                    0 => drop(chars.remove(at)),
                    1 => chars[at] = others[random(others.len())],
                    _ => chars.truncate(at),
                }
                if chars.is_empty() {
                    break;
                }
            }
            let damaged: String = chars.into_iter().collect();
            let mut sources = rebus::diag::Sources::default();
            let file = sources.add("text", &damaged);
            match rebus::import::recognise(&damaged, "text").map(|importer| importer.convert(&damaged, file))
            {
                Some(Ok(_)) => read += 1,
                Some(Err(fault)) => {
                    refused += 1;
                    rebus::diag::render(&fault, &sources, false);
                }
                None => {}
            }
        }
    }
    assert!(read > 300 && refused > 5000, "{read} {refused}");
}
