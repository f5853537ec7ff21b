//! The symbol map: written, read back, damaged, embedded, decoded.

use rebus::diag::{Code, Diagnostic};
use rebus::encode::symbols::{
    Block, Domain, Encoding, Role, Symbol, SymbolMap, Text, comment_lines, kind, load, read, runs, write,
};
use rebus::encode::{Lit, Target};
use std::sync::Arc;

fn symbol(name: &str, domain: Domain, encoding: Encoding) -> Symbol {
    Symbol { name: name.to_owned(), domain: Arc::new(domain), encoding }
}

fn text(role: Role, path: &str, text: &str) -> Text {
    Text { role, path: path.to_owned(), text: text.to_owned() }
}

fn example() -> SymbolMap {
    SymbolMap {
        tool: "rebus 0.1.0".into(),
        target: Target::Cnf,
        dialect: "dimacs".into(),
        digest: 0x99aa06d3014798d86001c324468d497f,
        variables: 40,
        clauses: 15,
        exact: true,
        symbols: vec![
            symbol("x[1, 1]", Domain::ints(1..=3), Encoding::Direct { first: 1, size: 3 }),
            symbol("x[1, 2]", Domain::ints(1..=3), Encoding::Direct { first: 4, size: 3 }),
            symbol("colour", Domain::new(["red", "dark blue"]), Encoding::Direct { first: 7, size: 2 }),
            symbol("open", Domain::bool(), Encoding::Bool(9)),
            symbol("row[-1]", Domain::ints([-3, 0, 7, 8]), Encoding::Order { first: 10, size: 4 }),
            symbol("n", Domain::ints(-1000..=1000), Encoding::Binary { first: 13, bits: 11, size: 2001 }),
            symbol("never", Domain::new([""; 0]), Encoding::Direct { first: 0, size: 0 }),
            symbol(
                "odd[\"a,b\", \u{1b}]",
                Domain::new(["", "%", "1..9", "a,b", "(1, 2)", "\u{a0}", "♞⁰"]),
                Encoding::Direct { first: 24, size: 7 },
            ),
        ],
        blocks: vec![
            Block { first: 31, last: 39, determined: true, label: "one open".into() },
            Block { first: 40, last: 40, determined: false, label: String::new() },
        ],
        answer: runs(&[1, 2, 3, 4, -6, 9]),
        word_literals: Vec::new(),
        graphs: Vec::new(),
        texts: vec![
            text(
                Role::Model,
                "dir with blank/small.rebus",
                "\u{feff}var x[1, 2] : 1..3\r\n\nrule: 5 % 2 = 1\n",
            ),
            text(Role::Import, "std.loops", ""),
            text(
                Role::Data,
                "a.clues",
                "| end 3\n! %41\n\\ no newline at the end\n\ttab\n\u{1b}[2J 100%\u{85}",
            ),
            text(Role::Data, "b.clues", "\n"),
            text(Role::Data, "c.clues", "\n "),
            text(Role::Define, "clue", "1 2 .\nend 7"),
            text(Role::Without, "row {r}", "row {r}"),
        ],
    }
}

fn written(map: &SymbolMap) -> String {
    let mut bytes = Vec::new();
    write(map, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[track_caller]
fn refused(result: Result<SymbolMap, Diagnostic>, part: &str) {
    let diagnostic = result.unwrap_err();
    assert_eq!(diagnostic.code, Code::MapMismatch, "{}", diagnostic.message);
    assert!(diagnostic.message.contains(part), "{}", diagnostic.message);
}

#[test]
fn maps_come_back() {
    let map = example();
    let text = written(&map);
    assert!(text == include_str!("symbols/example.map"), "{text}");
    assert_eq!(read("m", &text).unwrap(), map);
    assert_eq!(read("m", &text.replace('\n', "\r\n")).unwrap(), map);
    assert!(!text.bytes().any(|byte| byte < b' ' && byte != b'\n' && byte != b'\t'));
}

#[test]
fn damage_is_found() {
    let text = written(&example());
    for length in 0..text.len() - 1 {
        if text.is_char_boundary(length) {
            assert!(read("m", &text[..length]).is_err(), "cut at {length}");
        }
    }
    let map = example();
    for at in 0..text.len() {
        for flip in [1, 2, 4, 16, 32, 128] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= flip;
            let read = load("m", &mut bytes.as_slice(), 1 << 20);
            assert!(read.is_err() || read.as_ref().is_ok_and(|read| *read == map), "byte {at} ^ {flip}");
        }
    }
    let lines: Vec<&str> = text.lines().collect();
    for left_out in 0..lines.len() {
        let mut rest = lines.clone();
        rest.remove(left_out);
        assert!(read("m", &(rest.join("\n") + "\n")).is_err(), "without line {left_out}");
    }
}

#[test]
fn damage_is_told_with_its_line() {
    let text = written(&example());
    let with = |old: &str, new: &str| read("k.map", &text.replacen(old, new, 1));
    refused(with("rebus map 1", "rebus map 2"), "line 1: this is a map of version 2");
    refused(with("target cnf", "target cmf"), "`k.map`, line 3: `cmf` is no value of `target`");
    refused(with("digest 9", "digest "), "line 5: ");
    refused(with("variables 40", "variables 4 0"), "line 6: ");
    refused(with("direct 4..6", "direct 4..7"), "line 10: 4 literals do not tell 3 values apart as `direct`");
    refused(with("direct 4..6", "direct 4..6000"), "line 10: `4..6000` is more than the 40 variables");
    refused(with("direct 4..6", "direkt 4..6"), "line 10: `direkt` is no encoding");
    refused(with("\naux ", "\naxu "), "line 17: the line is damaged");
    refused(with("[1,2]", "[1,3]"), "do not add up to its check sum");
    refused(read("k.map", &text[..text.rfind("end ").unwrap()]), "line 46: the map ends here");
    refused(read("k.map", &(text.clone() + "more\n")), "something follows the end");
    let count = text.lines().count();
    let wrong = with(&format!("end {count} "), "end 7 ");
    refused(wrong, &format!("the map has {count} lines, but had 7 when it was written"));
}

#[test]
fn numbers_in_a_map_cost_nothing() {
    let head = "rebus map 1\ntool x\ntarget cnf\ndialect x\ndigest 00000000000000000000000000000000\n";
    let map = format!("{head}variables 2000000000\nclauses 0\nmodels = solutions\n");
    let large = format!("{map}var x direct 1..2000000000 1..2000000000\nanswer 1..2000000000\n");
    refused(read("m", &large), "without its `end` line");
    let larger = format!("{map}var x direct 1..2000000000 -9223372036854775808..9223372036854775807\n");
    refused(read("m", &larger), "line 9: ");
    let other = large.replace("direct 1..2000000000", "binary 1..31");
    refused(read("m", &other), "without its `end` line");

    let text = written(&example());
    let limited = load("m", &mut text.as_bytes(), 300).unwrap_err();
    assert_eq!(limited.code, Code::LimitExceeded);
    let long = load("m", &mut "x".repeat(1000).as_bytes(), 300).unwrap_err();
    assert_eq!(long.code, Code::LimitExceeded);
}

#[test]
fn other_files_are_called_what_they_are() {
    let cases = [
        ("", "an empty file"),
        ("c hello\np cnf 3 2\n1 2 0\n", "a CNF formula"),
        ("c hello\nh 1 2 0\n5 1 0\n", "a WCNF formula"),
        ("* #variable= 3 #constraint= 1\n+1 x1 >= 1 ;\n", "an OPB formula"),
        ("c kissat\ns SATISFIABLE\nv 1 -2 0\n", "a solver's output"),
        ("# Sudoku\nvar x[9, 9] : 1..9\n", "a model"),
        ("\u{0}\u{1}\u{2}", "another kind of file"),
    ];
    for (text, name) in cases {
        refused(read("f", text), &format!("`f` is no symbol map but {name}"));
        assert_eq!(kind(text.as_bytes()), name);
    }
    refused(load("f", &mut &b"\xff\xfe\0"[..], 100), "no symbol map but another kind of file");
    assert_eq!(kind(written(&example()).as_bytes()), "a symbol map");
}

#[test]
fn maps_travel_in_formulas() {
    let mut map = example();
    map.texts.push(text(Role::Data, "long", &"♞ lang, ".repeat(1000)));
    for target in Target::ALL {
        map.target = target;
        map.dialect = match target {
            Target::Cnf => "dimacs",
            Target::Wcnf => "2022",
            Target::Opb => "linear",
            Target::Xcc => "dlx2",
        }
        .into();
        let comments = comment_lines(target.comment(), &written(&map));
        let formula = format!("c other\n{comments}p cnf 3 1\n1 2 -3 0\n");
        assert_eq!(read("f", &formula).unwrap(), map);
        assert_eq!(read("f", &formula.replace('\n', "\r\n")).unwrap(), map);
        assert!(comments.lines().all(|line| line.len() < 1000 && line.starts_with(target.comment())));
        let cut = &comments[..comments.rfind(": end ").unwrap() - 2];
        refused(read("f", &format!("p cnf 3 1\n1 2 -3 0\n{cut}")), "without its `end` line");
        let last = format!("p cnf 3 1\n1 2 -3 0\n{}", comments.trim_end());
        assert_eq!(read("f", &last).unwrap(), map);
    }
}

#[test]
fn comment_lines_are_harmless() {
    let lines = comment_lines("c : ", "--elim=0\n\np show 1 0\r\n\u{1b}[2Jx\ty");
    assert_eq!(lines, "c : --elim=0\nc :\nc : p show 1 0\\u{d}\nc : \\u{1b}[2Jx\ty\n");
    let long = comment_lines("c : ", &"♞".repeat(1000));
    assert!(long.lines().all(|line| line.len() < 1000 && line.starts_with("c : ")));
    assert_eq!(long.matches('♞').count(), 1000);
    assert_eq!(comment_lines("c : ", ""), "");
}

fn positions(lits: &[Lit]) -> Result<Vec<u32>, String> {
    let mut map = example();
    map.symbols.truncate(6);
    map.positions(lits)
}

#[test]
fn literals_become_values() {
    // x[1, 1] = 2, x[1, 2] = 1, colour = dark blue, open, row[-1] = 0, n = 5 - 1000
    let model = [2, 4, 8, 9, 11, 12, 13, 15];
    assert_eq!(positions(&model).unwrap(), [1, 0, 1, 1, 1, 5]);
    let all: Vec<Lit> = (1..=40).map(|lit| if model.contains(&lit) { lit } else { -lit }).collect();
    assert_eq!(positions(&all).unwrap(), [1, 0, 1, 1, 1, 5]);
    assert_eq!(positions(&[1, 6, 7]).unwrap(), [0, 2, 0, 0, 3, 0]);
    assert_eq!(positions(&[3, 3, 6, 8, 1000, Lit::MAX, Lit::MIN + 2, Lit::MIN]).unwrap(), [2, 2, 1, 0, 3, 0]);

    let fault = |lits: &[Lit]| positions(lits).unwrap_err();
    assert_eq!(fault(&[1, 7]), "x[1, 2] has no value");
    assert_eq!(fault(&[1, 4, 7, 8]), "colour has two values, red and dark blue");
    assert_eq!(fault(&[1, 4, 7, 10]), "row[-1] is at most -3 but not below a greater value");
    assert_eq!(fault(&[1, 4, 7, 23, 22, 21, 20, 19, 18, 17]), "n has position 2032, but only 2001 values");
    assert_eq!(fault(&[1, 4, -4, 7]), "literal 4 is said to be both true and false");
    assert_eq!(example().positions(&[1, 4, 7]).unwrap_err(), "never has no value");
}

#[test]
fn the_documented_map_is_one() {
    let page = include_str!("../grammar/formats.md");
    let example = page
        .lines()
        .skip_while(|line| *line != "    rebus map 1")
        .map_while(|line| line.strip_prefix("    "));
    let map = read("formats.md", &(example.collect::<Vec<_>>().join("\n") + "\n")).unwrap();
    assert_eq!((map.symbols.len(), map.texts.len()), (4, 2));
}

/// The script of `grammar/formats.md` does what it says there.
#[test]
fn awk_reads_maps() {
    let page = include_str!("../grammar/formats.md");
    let script = page.split("```awk\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name)
    };
    let output = std::process::Command::new("awk")
        .arg("-f")
        .arg(file("values.awk", script))
        .arg(file("k.out", "c hello\ns SATISFIABLE\nv 2 4 8 9 -10\nv 30 0\n"))
        .arg(file("k.cnf.map", &written(&example())))
        .output()
        .unwrap();
    let expected = "x[1,1] 2\nx[1,2] 1\ncolour dark%20blue\nopen true\nodd[\"a%2Cb\",%1B] ♞⁰\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

/// Adds up the lines of a map anew, as somebody who edits one by hand may do.
fn added_up(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("end ")).collect();
    let whole = lines.join("\n") + "\n";
    let check = xxhash_rust::xxh3::xxh3_64(whole.as_bytes());
    format!("{whole}end {} {check:016x}\n", lines.len() + 1)
}

/// A right check sum makes no map of what does not follow its format.
#[test]
fn maps_edited_by_hand() {
    let text = written(&example());
    assert_eq!(added_up(&text), text);
    let edit = |old: &str, new: &str| {
        let edited = text.replacen(old, new, 1);
        assert_ne!(edited, text, "{old}");
        read("k.map", &added_up(&edited))
    };
    for (old, new, says) in [
        ("dialect dimacs", "dialect linear", "`linear` is no dialect of `cnf`"),
        ("target cnf", "target opb", "`dimacs` is no dialect of `opb`"),
        ("digest 99aa", "digest 99AA", "line 5 should be `digest 99aa"),
        ("variables 40", "variables 040", "line 6 should be `variables 40`"),
        ("variables 40", "variables 39", "`40` is more than the 39 variables"),
        ("clauses 15", "clauses +15", "no value of `clauses`"),
        ("x[1,2]", "x[1,1]", "`x[1, 1]` is there twice"),
        ("x[1,2]", "x[1,%32]", "line 10 should be `var x[1,2]"),
        ("direct 24..30", "direct 25..31", "start at 25, and 24 was expected"),
        ("direct 4..6 1 2 3", "direct 4..6 1 2 1", "has the value 1 twice"),
        ("direct 4..6 1 2 3", "direct 4..6 1..3", "line 10 should be `var x[1,2] direct 4..6 1 2 3`"),
        ("direct 4..6 1 2 3", "direct 04..6 1 2 3", "line 10 should be"),
        ("red dark%20blue", "red red", "has the value `red` twice"),
        ("red dark%20blue", "red dark%20blu%65", "line 11 should be"),
        ("-1000..1000", "-1000..-1", "has 11 bits for 1000 values"),
        ("bool 9", "bool 9..9", "line 12 should be `var open bool 9`"),
        ("aux 31..39", "aux 30..39", "the auxiliary 30 is not behind 30"),
        ("aux 31..39", "aux 31..40", "the auxiliary 40 is not behind 40"),
        ("aux 40 ", "aux -40 ", "is not behind"),
        ("answer 1..4", "answer 2..4\nanswer 1", "the literal 1 of the answer is not behind 4"),
        ("answer 1..4", "answer 1..41", "more than the 40 variables"),
        ("answer 1..4", "on 3 a\nanswer 1..4", "`on` is for exact covers"),
        ("text import", "text import ", "nothing of a map looks like this"),
        ("! ", "! %41", "should be"),
    ] {
        let refused_with = edit(old, new);
        refused(refused_with, says);
    }
    // in another order
    let mut lines: Vec<&str> = text.lines().collect();
    let aux = lines.iter().position(|line| line.starts_with("aux ")).expect("a line");
    let answer = lines.iter().position(|line| line.starts_with("answer ")).expect("a line");
    lines.swap(aux + 1, answer);
    refused(read("k.map", &added_up(&lines.join("\n"))), "should be `aux 40");
    let covers = include_str!("symbols/words.map");
    for (old, new, says) in [
        ("on 8 +8", "on 9 +8", "`9` is more than the 8 variables"),
        ("dialect dlx2", "dialect dlx4", "`dlx4` is no dialect of `xcc`"),
        ("on 1 +1", "on 01 +1", "line 13 should be `on 1 +1`"),
    ] {
        let edited = covers.replacen(old, new, 1);
        assert_ne!(edited, covers, "{old}");
        refused(read("k.map", &added_up(&edited)), says);
    }
}
