//! Puzzles of others on the command line.

use assert_cmd::Command;

/// Exit code, standard output, standard error.
fn rebus(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("rebus").unwrap().args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

const UNEQUAL: &str = "unequal:4:0,0,0,0,0U,0L,0,0,0,0,0,0,2,0L,0,0U,";

#[test]
fn a_puzzle_in_place_of_a_model() {
    let (code, out, _) = rebus(&["count", UNEQUAL]);
    assert_eq!((code, out.as_str()), (0, "1\n"));
    let (code, out, _) = rebus(&["solve", UNEQUAL]);
    assert_eq!((code, out.as_str()), (0, "1 2 4 3\n3 4 2 1\n4 1 3 2\n2 3 1 4\n"));
    let (code, out, _) = rebus(&["solve", "https://puzz.link/p?sudoku/4/4/g1k23k3g"]);
    assert_eq!((code, out.lines().count()), (0, 5));
    // a model's other name
    let (code, out, _) = rebus(&["solve", "solo", "sudoku-1"]);
    assert_eq!((code, out.lines().next()), (0, Some("5 3 4 | 6 7 8 | 9 1 2")));
}

#[test]
fn import_and_export() {
    let (code, out, _) = rebus(&["import", "mosaic:3x3:4a2b32b"]);
    assert_eq!((code, out.as_str()), (0, "clue = \"\"\"\n4 . 2\n. . 3\n2 . .\n\"\"\"\n"));
    let (code, out, _) = rebus(&["export", UNEQUAL, "--form", "tatham"]);
    assert_eq!((code, out), (0, format!("{UNEQUAL}\n")));
    let (code, out, _) = rebus(&["export", "sudoku", "sudoku-1", "--form", "lines"]);
    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
    assert_eq!((code, out.as_str()), (0, line));
    // nothing where there is no number, not a number that is not told
    let (code, out, _) = rebus(&["export", "slitherlink", "slitherlink-1", "--form", "puzzlink"]);
    assert_eq!((code, out.as_str()), (0, "https://puzz.link/p?slither/5/5/dldc3100di\n"));
    let (code, _, err) = rebus(&["export", "sudoku", "sudoku-variants-1", "--form", "lines"]);
    assert_ne!(code, 0);
    assert!(!err.is_empty());
    let (code, _, err) = rebus(&["export", "mosaic", "mosaic-1", "--form", "puzzlink"]);
    assert_eq!(code, 2);
    assert!(err.contains("puzz.link has no `mosaic`"), "{err}");
}

/// What a form has no sign for is refused; what it has no place for is named.
#[test]
fn exports_lose_nothing_without_a_word() {
    for (model, clue, form, why) in [
        ("hashi", "clue=2?\n..\n1.\n.1", "tatham", "no entry `?` for `clue`"),
        ("hashi", "clue=?.?\n...\n1.1", "tatham", "no entry `?` for `clue`"),
        ("lits", "room=aabb\nccbb\naadd\naadd", "puzzlink", "no room of several pieces"),
        ("lits", "room=abab\nabab\nabab\nabab", "puzzlink", "no room of several pieces"),
        ("magnets", "clue=..1.1\n.BBLR\n1BTTT\n.TBBB", "puzzlink", "half a domino"),
        ("magnets", "clue=....\n.RLR\n.LRT\n.LRB", "puzzlink", "half a domino"),
    ] {
        let (code, out, err) = rebus(&["export", model, "-D", clue, "--form", form]);
        assert_eq!((code, out.as_str()), (2, ""), "{model}: {err}");
        assert!(err.contains(why), "{model}: {err}");
    }
    for (model, board, lost) in
        [("minesweeper", "minesweeper-2", "mines"), ("fillomino", "fillomino-1", "top")]
    {
        let (code, out, err) = rebus(&["export", model, board, "--form", "puzzlink"]);
        assert!(code == 0 && out.starts_with("https://"), "{model}: {out}{err}");
        assert!(err.contains(&format!("`{lost}` is not told as it is")), "{model}: {err}");
    }
    let (code, _, err) = rebus(&["export", "sudoku", "sudoku-1", "--form", "puzzlink"]);
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
fn faults_have_a_place() {
    let (code, _, err) = rebus(&["solve", "https://puzz.link/p?tilecity/6/6/8a41dd1t0re00g300g"]);
    assert_eq!(code, 1);
    assert!(err.contains("puzz.link's genre `tilecity` is Tile City; it is not in the catalogue"), "{err}");
    let (_, _, err) = rebus(&["solve", "akari/9999/9999/a"]);
    assert!(err.contains("65536 cells at most"), "{err}");
    let (_, _, err) = rebus(&["solve", "lightup:3x3:xyz"]);
    assert!(err.contains("more entries than the board has"), "{err}");
    let (_, _, err) = rebus(&["solve", "twiddle:3x3n2:1,2"]);
    assert!(err.contains("played move by move"), "{err}");
}

#[test]
fn a_drawn_board_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let clues = "pzprv3/mines/2/2/1 . /. . /";
    let good = file("good.txt", &format!("{clues}. # /+ + /"));
    let bad = file("bad.txt", &format!("{clues}. # /# + /").replace('/', "\n"));
    assert_eq!(rebus(&["verify", "mines", &good, &good]), (0, "correct\n".into(), String::new()));
    let (code, out, _) = rebus(&["verify", "minesweeper", &good, &bad]);
    assert_eq!(code, 5);
    assert!(out.starts_with("wrong\n  clue at (1, 1)"), "{out}");
}

/// Boards of the catalogue by name, with the arguments that solve them and the drawing that is theirs.
fn drawings() -> Vec<(String, Vec<String>, String)> {
    let mut found = Vec::new();
    let examples = format!("{}/examples", env!("CARGO_MANIFEST_DIR"));
    for folder in std::fs::read_dir(examples).unwrap() {
        let Ok(files) = std::fs::read_dir(folder.unwrap().path()) else { continue };
        for path in files
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "solution"))
        {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let args = match path.with_extension("clues").exists() {
                true => vec![name.rsplit_once('-').unwrap().0.to_owned(), format!("{name}.clues")],
                false => vec![name.clone()],
            };
            found.push((name, args, path.to_str().unwrap().to_owned()));
        }
    }
    found.sort();
    found
}

#[test]
fn what_solve_draws_is_verified() {
    for (name, args, drawing) in drawings() {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (code, out, err) = rebus(&[&["verify"][..], &args, &[&drawing]].concat());
        assert_eq!((code, out.as_str()), (0, "correct\n"), "{name}: {err}");
    }
}

#[test]
fn drawings_with_faults_and_gaps() {
    let folder = tempfile::tempdir().unwrap();
    let file = |text: &str| {
        let path = folder.path().join("drawn.txt");
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let unequal = |text: &str, more: &[&str]| rebus(&[&["verify", UNEQUAL, &file(text)][..], more].concat());
    // frames and characters beside each other are read too
    assert_eq!(unequal("1 2 | 4 3\n3 4 | 2 1\n----+----\n4 1 | 3 2\n2 3 | 1 4\n", &[]).1, "correct\n");
    assert_eq!(unequal("1243\n3421\n4132\n2314", &[]).1, "correct\n");
    let (code, out, _) = unequal("1 2 4 3\n3 4 2 1\n4 1 3 2\n. 3 1 4\n", &[]);
    assert_eq!((code, out.as_str()), (5, "incomplete: x[4, 1] has no value\n"));
    let (code, out, _) = unequal("2 1 4 3\n3 4 2 1\n4 . 3 2\n2 3 1 4\n", &["-f", "json"]);
    let told: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &told["verdict"]), (5, &"wrong".into()));
    assert_eq!(told["rules"][0]["label"], "column 1", "{out}");
    assert_eq!(told["rules"][0]["entries"].as_array().unwrap().len(), 4);
    assert!(told["rules"][0]["place"].as_str().unwrap().starts_with("futoshiki/futoshiki.rebus:"));
    let (_, out, _) = unequal("1 1 4 3\n3 4 2 1\n4 1 3 2\n2 3 1 4\n", &[]);
    assert!(out.starts_with("wrong\n  row 1"), "{out}");
    assert!(
        out.contains("    x[1, 1], x[1, 2], x[1, 3], x[1, 4]\n") && out.contains("[1] [1] [4] [3]"),
        "{out}"
    );
    let (code, _, err) = unequal("1 2 4 3\n3 4 2 9\n4 1 3 2\n2 3 1 4\n", &[]);
    assert!(code == 1 && err.contains("`9` cannot stand here") && err.contains("drawn.txt:2:7"), "{err}");
    let (code, _, err) = unequal("1 2\n3 4\n", &[]);
    assert!(code == 1 && err.contains("4 rows of 4 entries"), "{err}");
}

/// A file in a folder that goes with the test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

/// Every line of a loop and every wall between regions to be found is read, in both styles: one that is wrong breaks rules.
#[test]
fn lines_of_drawings() {
    let folder = Folder::new();
    for (model, board, label) in [
        ("slitherlink", "slitherlink-1", "one loop"),
        ("slitherlink-inside", "slitherlink-inside-1", "one loop"),
        ("masyu", "masyu-1", "one loop"),
        ("yajilin", "yajilin-1", "one loop"),
        ("shingoki", "shingoki-1", "one loop"),
        ("simpleloop", "simpleloop-1", "one loop"),
        ("palisade", "palisade-1", "room"),
        ("fillomino", "fillomino-1", "no solution is drawn like this"),
    ] {
        for ascii in [&[][..], &["--ascii"]] {
            let (_, whole, _) = rebus(&[&["solve", model, board][..], ascii].concat());
            let drawn = folder.file("whole.txt", &whole);
            assert_eq!(rebus(&["verify", model, board, &drawn]).1, "correct\n", "{model}\n{whole}");
            // not the frame of the whole board, which says nothing
            let inside = whole.find('\n').unwrap();
            let line = if ascii.is_empty() { ["━━━", "───"] } else { ["-", "-"] };
            let at = line.iter().find_map(|line| Some((whole[inside..].find(line)? + inside, *line)));
            let (at, line) = at.unwrap();
            let changed =
                whole[..at].to_owned() + &" ".repeat(line.chars().count()) + &whole[at + line.len()..];
            let drawn = folder.file("changed.txt", &changed);
            let (code, out, err) = rebus(&["verify", model, board, &drawn]);
            assert!(
                code == 5 && out.starts_with("wrong") && out.contains(label),
                "{model}\n{changed}\n{out}{err}"
            );
        }
    }
    let (_, whole, _) = rebus(&["solve", "slitherlink", "slitherlink-1", "--ascii"]);
    // nothing drawn yet, and a line that nobody decided on
    let bare: String = whole.chars().map(|c| if matches!(c, '-' | '|') { ' ' } else { c }).collect();
    for text in [bare, whole.replacen('-', "?", 1)] {
        let (code, out, _) =
            rebus(&["verify", "slitherlink", "slitherlink-1", &folder.file("open.txt", &text)]);
        assert!(code == 5 && out.starts_with("incomplete: line["), "{out}");
    }
    let clues = folder.file("creek.clues", "clue = \"\"\"\n....\n.4..\n....\n....\n\"\"\"\n");
    let (code, out, _) = rebus(&["verify", "creek", &clues, &folder.file("wrong.txt", "#..\n.#.\n..#\n")]);
    assert!(code == 5 && out.starts_with("wrong\n") && out.contains("corner (2, 2)"), "{out}");
}

/// A drawing that tells no values is compared with those of the solutions.
#[test]
fn drawings_without_values() {
    let folder = Folder::new();
    let (_, whole, _) = rebus(&["solve", "stitches", "stitches-1"]);
    let drawn = folder.file("whole.txt", &whole);
    assert_eq!(rebus(&["verify", "stitches", "stitches-1", &drawn]).1, "correct\n");
    let drawn = folder.file("changed.txt", &whole.replacen('>', ".", 1));
    let found = rebus(&["verify", "stitches", "stitches-1", &drawn]);
    assert_eq!((found.0, found.1.as_str()), (5, "wrong: no solution is drawn like this\n"));
    let (code, out, _) = rebus(&["verify", "stitches", "stitches-1", &drawn, "-f", "json"]);
    assert_eq!((code, out.as_str()), (5, "{\"verdict\": \"wrong\"}\n"));
}

/// What a text was taken for, and what is wrong with it.
#[test]
fn broken_sources() {
    for (source, message, note) in [
        ("loopy:zz", "a number was expected: the board's width", "game ID of Simon Tatham's collection"),
        ("loopy:zz", " --> tatham:1:7", "for `slitherlink`"),
        ("loopy:10x10t0", "`:` was expected", "`PROGRAM:SIZE:DESCRIPTION`"),
        ("loopy:7x7q3:a", "`slitherlink` has no variant `q3`", "for `slitherlink`"),
        ("loopy:7x7t0#123", "this is a random seed", "its menu has the game ID"),
        ("lopy:5x5:abc", "`lopy` is no genre with game IDs", "did you mean `loopy`?"),
        ("twiddle:zz", "played move by move", "game ID of Simon Tatham's collection"),
        (
            "https://puzz.link/p?slithr/9/9/abc",
            "`slithr` is no genre of puzz.link",
            "did you mean `slither`?",
        ),
        (
            "https://puzz.link/p?tilecity/6/6/8a4",
            "Tile City; it is not in the catalogue",
            "`rebus models` lists",
        ),
        (
            "https://puzz.link/p?slither",
            "a number was expected: the board's width",
            "`TYPE/WIDTH/HEIGHT/BODY`",
        ),
        ("https://puzz.link/p?slither/abc", "a number was expected: the board's width", "for `slitherlink`"),
        ("https://puzz.link/p?", "the type of a puzzle was expected", "a puzz.link URL"),
        ("slither/10", "`/` was expected", "a puzz.link URL"),
        ("slither/5/5/3", "25 entries were expected, but there are 1", "for `slitherlink`"),
        ("lits/5/5/ab", "a digit of base 32 was expected", "for `lits`"),
        ("starbattle/5/5/x", "a number was expected: `stars`", "for `starbattle`"),
        ("yajilin/5/5/02zzz", "the 2 has no arrow: it counts nothing", "for `yajilin`"),
        (
            "https://swaroopg92.github.io/penpa-edit/#m=edit&p=7V",
            "a link of penpa-edit holds a drawing",
            "a link to",
        ),
        ("m=edit&p=7V", "a link of penpa-edit holds a drawing", "draw the puzzle at puzz.link"),
        (
            "https://sudokupad.app/abc",
            "a short link: the puzzle itself is at the site",
            "behind `?load=`, `fpuz` or `scl`",
        ),
        ("https://sudokupad.app/fpuzAA/A", "the link cannot be unpacked", " --> f-puzzles:1:27"),
        ("https://example.org/x", "a link to a site whose puzzles are not read", "read are links of"),
        ("slither/abc", "No such file", "in place of a file stand"),
    ] {
        let (code, out, err) = rebus(&["import", source]);
        assert!(
            code == 1 && out.is_empty() && err.contains(message) && err.contains(note),
            "{source}: {out}{err}"
        );
    }
    let (code, out, _) = rebus(&["import", "https://example.org/js/mosaic.html#3x3:4a2b32b"]);
    assert_eq!((code, out.lines().nth(1)), (0, Some("4 . 2")));
    let folder = Folder::new();
    for (name, text, message) in [
        (
            "b.txt",
            "pzprv3/aho/2/2/. . /. . /",
            "puzz.link's genre `aho` is Aho-ni-Narikire; it is not in the catalogue",
        ),
        ("b.txt", "pzprv3/sliter/2/2/. . /. . /", "did you mean `slither`?"),
        ("b.txt", "pzprv3/slither/2/2/. . /", "2 entries were expected, but there are 0"),
        ("b.json", "{\"grid\":[[{}\n", " --> "),
        ("b.xml", "<puzzle><clues type=\"rows\">", "`<clues>` is not closed"),
        ("b.non", "width 2\nheight 1\nrows\n2\ncolumns\n1\n", "width is 2, but `columns` lists 1"),
    ] {
        let (code, _, err) = rebus(&["import", &folder.file(name, text)]);
        assert!(code == 1 && err.contains(message), "{name}: {err}");
    }
    let sudoku = folder.file("s.txt", "sudoku/4/4/g1k23k3g");
    let (code, _, err) = rebus(&["solve", "yajilin", &sudoku]);
    assert!(code == 1 && err.contains("s.txt` holds a puzzle of `sudoku`"), "{err}");
    // newer files of the site, with and without a variant
    let cells = "pzprv3.1/slither/1/2/2 . /0 0 /0 0 0 /0 0 /0 0 /";
    assert_eq!(rebus(&["import", &folder.file("n.txt", cells)]).1, "clue = \"\"\"\n2 .\n\"\"\"\n");
    let (_, out, _) = rebus(&["import", &folder.file("f.txt", &cells.replace("/2 .", "/f/2 ."))]);
    assert_eq!(out, "full = true\nclue = \"\"\"\n2 .\n\"\"\"\n");
}

/// Cells at the ends of 64 bits have no neighbours beyond them.
#[test]
fn cells_at_the_ends_of_numbers() {
    let folder = Folder::new();
    let model = folder.file(
        "m.rebus",
        "let M = 9223372036854775807\nlet far = {(M, M): 1, (M, -M): 2, (1, 1): 3, (1, 2): 4}\nvar x[1..1, 1..2] : 1..2
let lists = diagonals(far) ++ boxes(far, (2, 2)) ++ windows(far, (1, 2)) ++ edges(far) ++ pieces(far)
rule \"lists\": len(lists) > 0\nshow framed(x, far)\n",
    );
    let (code, whole, _) = rebus(&["solve", &model]);
    assert_eq!(code, 0);
    assert_eq!(rebus(&["verify", &model, &folder.file("whole.txt", &whole)]).1, "correct\n");
    assert_eq!(rebus(&["solve", &model, "-f", "svg"]).0, 0);
    for call in ["edges(9223372036854775807, 1)", "border((9223372036854775807, 1))"] {
        let model = folder.file("m.rebus", &format!("show {call}\n"));
        let (code, _, err) = rebus(&["solve", &model]);
        assert!(code == 1 && err.contains("would leave 64 bits"), "{call}: {err}");
    }
}

/// Entries that are wider than what stands for unknown ones.
#[test]
fn walls_beside_wide_entries() {
    let folder = Folder::new();
    let wide =
        "var x[1..2, 1..2] : 9..11\nrule: x[1, *] = [9, 10]\nrule: x[2, *] = [11, 9]\nshow framed(x, x)\n";
    let model = folder.file("m.rebus", wide);
    for ascii in [&[][..], &["--ascii"]] {
        let (_, whole, _) = rebus(&[&["solve", &model][..], ascii].concat());
        assert_eq!(rebus(&["verify", &model, &folder.file("whole.txt", &whole)]).1, "correct\n", "{whole}");
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        lines[2] = lines[2].replace(['-', '─'], " ");
        let changed = lines.join("\n");
        let (code, out, _) = rebus(&["verify", &model, &folder.file("changed.txt", &changed)]);
        assert!(code == 5 && out.starts_with("wrong"), "{changed}\n{out}");
    }
}
