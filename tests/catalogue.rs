//! Every model of the catalogue, solved as users solve it: its number of solutions, its drawing and its values.

#[path = "catalogue/boards.rs"]
mod boards;

use boards::{Board, boards, faults, rebus};
use rebus::render::plain;
use serde_json::Value;
use std::fs;

/// The files beside a board that say what its solution is.
fn expected(board: &Board, suffix: &str) -> Option<String> {
    let path = board.data.as_ref().unwrap_or(&board.model).with_extension(suffix);
    fs::read_to_string(path).ok()
}

fn lines(json: &str) -> Vec<Value> {
    json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// All solutions, which the engine lists that many answers are asked of, and the one that a run by itself finds.
fn solved(board: &Board) -> Vec<String> {
    let Some(drawing) = expected(board, "solution") else { return Vec::new() };
    let run = |more: &[&str]| rebus(&[&["solve"][..], &board.args(), more].concat());
    let mut wrong = Vec::new();
    let (code, out, err) = run(&["--ascii", "--unique"]);
    if (code, out.as_str()) != (0, &(plain(&drawing) + "unique\n")) {
        wrong.push(format!("exit code {code}, drawn\n{out}{err}instead of\n{drawing}"));
    }
    let (code, out, err) = run(&["-f", "json", "--all"]);
    let told = lines(&out);
    let [solution, status] = &told[..] else {
        return vec![format!("exit code {code}, not one solution\n{out}{err}")];
    };
    if code != 0 || status["complete"] != Value::Bool(true) {
        wrong.push(format!("exit code {code}: {status}"));
    }
    // the order of the placements of a shape is nobody's promise
    let values = expected(board, "json").map(|json| lines(&json).swap_remove(0));
    if values.is_some_and(|values| values != *solution) {
        wrong.push(format!("other values: {solution}"));
    }
    wrong
}

#[test]
fn solutions_drawings_and_values() {
    let boards = boards();
    let known = boards.iter().filter(|board| expected(board, "solution").is_some()).count();
    assert!(known > 100, "{known} boards have a solution");
    let wrong = faults(&boards, solved);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn known_counts() {
    for (args, expected) in [
        (&["row"][..], 2),
        (&["formula"], 1),
        (&["queens"], 92),
        (&["queens", "-D", "n=6"], 4),
        (&["queens", "-D", "n=10"], 724),
        (&["langford", "-D", "n=3"], 1),
        (&["langford", "-D", "n=7"], 26),
        (&["langford", "-D", "n=8"], 150),
        (&["magic-square", "-D", "n=3"], 8),
        (&["cryptarithm"], 1),
        (&["money"], 1),
        (&["futoshiki", "futoshiki-5"], 12),
        // 2, each turned and mirrored
        (&["pentomino", "-D", "h=3", "-D", "w=20"], 8),
    ] {
        let (code, out, err) = rebus(&[&["count"], args].concat());
        assert_eq!((code, out.trim()), (0, &*expected.to_string()), "{args:?}\n{err}");
    }
}
