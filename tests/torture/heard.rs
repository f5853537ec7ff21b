//! A standard output that is full, closed, or that nobody reads.

use super::{ANSWER, Stage, ends, text};
use std::fs;

/// Every command tells what it found, or that it could not.
#[test]
fn nobody_hears_it() {
    let stage = Stage::new(ANSWER);
    fs::write(stage.path("m.rebus"), "var x : 1..2\nrule: x = 1\nshow x\n").expect("a file");
    fs::write(stage.path("form.rebus"), "var x:1..2\n").expect("a file");
    fs::write(stage.path("in.xcc"), "a\na\n").expect("a file");
    fs::write(stage.path("answer"), "s SATISFIABLE\nv 1 0\n").expect("a file");
    fs::write(stage.path("values"), "1\n1\n").expect("a file");
    fs::write(stage.path("each.rebus"), "param n : int\nvar x : 1..2\nrule: x = n\nshow x\n")
        .expect("a file");
    ends(&stage.rebus(&["compile", "m.rebus", "-o", "k.cnf"]), 0, "");
    let drawn = stage.rebus(&["solve", "m.rebus"]).stdout;
    fs::write(stage.path("drawn"), drawn).expect("a file");
    let sudoku = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    fs::write(stage.path("board.sdk"), format!("{sudoku}\n")).expect("a file");
    let commands = [
        "solve m.rebus",
        "solve m.rebus -f json",
        "solve m.rebus -f csv",
        "solve m.rebus -f svg",
        "solve m.rebus -f html",
        "solve m.rebus --unique",
        "solve m.rebus --solver 'cat answer'",
        "solve each.rebus --each n=values",
        "solve each.rebus --each n=values --results r.jsonl",
        "compile m.rebus -o - --no-map",
        "compile m.rebus -o /dev/stdout --no-map",
        "compile m.rebus -o - --to opb --no-map",
        "decode k.cnf.map answer",
        "decode k.cnf.map answer -f json",
        "count m.rebus",
        "count m.rebus -f json",
        "run kissat in.cnf",
        "run kissat in.cnf in.cnf",
        "sat in.cnf",
        "xcc in.xcc",
        "xcc in.xcc --count",
        "check m.rebus --estimate",
        "fmt - < form.rebus",
        "fmt --check form.rebus",
        "explain m.rebus",
        "explain m.rebus -f json",
        "deduce m.rebus",
        "deduce m.rebus -f json",
        "verify m.rebus drawn",
        "import board.sdk",
        &format!("export sudoku -D clue={sudoku} --form lines"),
        "solvers",
        "models",
        "models sudoku",
        "--help",
        "--version",
        "solve --help",
        "help",
        "help count",
    ];
    for command in commands {
        let heard = stage.shell(&format!("\"$REBUS\" {command}"));
        assert!(matches!(heard.status.code(), Some(0 | 5 | 10)), "{command}: {}", text(&heard.stderr));
        assert!(!heard.stdout.is_empty() || command.starts_with("verify"), "{command}");
        let _ = fs::remove_file(stage.path("r.jsonl"));
        if heard.stdout.is_empty() {
            continue;
        }
        for (unheard, why) in
            [("> /dev/full", "No space left"), (">&-", "it is closed"), (">&- <&-", "it is closed")]
        {
            if command.contains('<') && unheard.contains('<') {
                continue;
            }
            let output = stage.shell(&format!("\"$REBUS\" {command} {unheard}"));
            ends(&output, 1, &format!("` cannot be written: {why}"));
            assert_eq!(fs::read_to_string(stage.path("r.jsonl")).unwrap_or_default(), "", "{command}");
        }
        // what nobody wants to hear, and what somebody heard enough of
        for unheard in ["> /dev/null", "1<> /dev/null", "2>/dev/null | true"] {
            let output = stage.shell(&format!("\"$REBUS\" {command} {unheard}"));
            assert!(
                matches!(output.status.code(), Some(0 | 5 | 10)),
                "{command} {unheard}: {}",
                text(&output.stderr)
            );
        }
        let _ = fs::remove_file(stage.path("r.jsonl"));
    }
    // nothing is to be told
    for command in ["compile m.rebus -o k.cnf", "fmt m.rebus", "run kissat in.cnf -o answer2"] {
        ends(&stage.shell(&format!("\"$REBUS\" {command} >&-")), 0, "");
    }
    stage.nothing_is_left();
}
