//! Solutions as SVG and HTML: what is told apart, that nobody's text becomes markup, and that a browser opens a page.

use rebus::render::{Block, Drawing, Entry, Key, Known, Note, Shown, page, svg};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn rebus(args: &[&str]) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let run = Command::new(env!("CARGO_BIN_EXE_rebus")).args(args).current_dir(examples).output().unwrap();
    assert!(run.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8(run.stdout).unwrap();
    well_formed(&text);
    text
}

/// Every element is closed in its turn, attributes are quoted, and nothing but five entities is used.
#[track_caller]
fn well_formed(text: &str) {
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let between = &rest[..start];
        assert!(!between.contains('>') || open.last() == Some(&"style"), "{between}");
        for entity in between.split('&').skip(1) {
            assert!(
                ["amp;", "lt;", "gt;", "quot;"].iter().any(|known| entity.starts_with(known)),
                "&{entity}"
            );
        }
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split_whitespace().next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{tag}"),
            None if tag.ends_with('/') || name == "meta" || name.starts_with('!') => {}
            None => open.push(name),
        }
        rest = &rest[end + 1..];
    }
    assert_eq!(open, [] as [&str; 0]);
}

fn grid(rows: &[&[&str]]) -> Drawing {
    let rows = (1..).zip(rows);
    let entry = |text: &str| Entry { text: text.to_owned(), number: false };
    Drawing::Grid(
        rows.flat_map(|(r, row)| (1..).zip(*row).map(move |(c, text)| ((r, c), entry(text)))).collect(),
    )
}

/// One solution of which nothing is known.
fn drawn(drawings: &[Drawing]) -> String {
    let shown = Known::default().shown(&[drawings]);
    let text = svg(&shown[0], "it", "a <title> & \"more\"\u{1b}", true);
    well_formed(&text);
    text
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn given_entries_are_told_from_found_ones() {
    let clue = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let picture = rebus(&["solve", "sudoku", "-D", &format!("clue={clue}"), "-f", "svg"]);
    let body = picture.split("</style>").nth(1).unwrap();
    assert_eq!(count(body, "<text class=\"given\""), clue.replace('.', "").len());
    assert_eq!(count(body, "<text"), 81);
    assert!(body.contains("<path class=\"box\""));
    assert_eq!(count(&picture, "role=\"img\""), 1);
    assert!(picture.contains("6 7 2 | 1 9 5 | 3 4 8\n"), "the drawing as text describes it");
}

#[test]
fn clues_outside_have_no_grid() {
    let picture = rebus(&["solve", "skyscrapers", "skyscrapers-1.clues", "-f", "svg"]);
    assert_eq!(count(&picture, "<text class=\"outside\""), 20, "four sides of five");
    // cells from 1 to 5, in a picture that has a column more on each side
    assert!(
        picture.contains("<path class=\"rim\" d=\"M46 46H246M46 246H246M46 46V246M246 46V246\"/>"),
        "{picture}"
    );
}

#[test]
fn shapes_stand_for_signs() {
    let picture = drawn(&[grid(&[&["o", "x", "#", "."], &["o2", "x4", "·", "#"]])]);
    assert_eq!(count(&picture, "<circle class=\"ring\""), 2);
    assert_eq!(count(&picture, "<circle class=\"disc\""), 2);
    assert_eq!(count(&picture, "<rect class=\"shade\""), 2);
    assert_eq!(count(&picture, "<circle class=\"point\""), 1);
    assert_eq!(count(&picture, "<text"), 2);
    let picture = drawn(&[grid(&[&["^", "v", "x", "┏"], &["/", "\\", "◤", "*"]])]);
    assert_eq!(count(&picture, "<polygon"), 4);
    assert_eq!(count(&picture, "<path class=\"ink\""), 3);
    assert_eq!(count(&picture, "<text"), 0);
    assert!(drawn(&[grid(&[&["~"]])]).contains("<path class=\"slash\" d=\"M18 26q"));
    let ships = drawn(&[grid(&[&["<", ">", "o"], &["^2", "<0", "v1"]])]);
    assert_eq!((count(&ships, "<circle class=\"solid\""), count(&ships, "<path class=\"ink thin\"")), (1, 3));
    assert!(ships.contains("M77 54H55M60 50"), "an arrow to the left: {ships}");
    let words = drawn(&[grid(&[&["v", "x", "ox", "♞²"]])]);
    assert_eq!((count(&words, "<text"), count(&words, "<tspan")), (4, 1));
    assert!(words.contains(">2</tspan>"));
}

fn noted(inner: Drawing, notes: &[(Key, Key, &str)]) -> Drawing {
    let notes = notes.iter().map(|(p, q, text)| (*p, *q, Note::Text((*text).to_owned()))).collect();
    Drawing::Noted { inner: Box::new(inner), notes }
}

#[test]
fn clues_stand_where_their_keys_say() {
    let cell = |key: Key, text| (key, key, text);
    let beside = [cell((1, 0), "2 1"), cell((0, 2), "3 4"), cell((2, 3), "5"), cell((3, 1), "6")];
    let picture = drawn(&[noted(grid(&[&["#", "."], &[".", "#"]]), &beside)]);
    // two characters of 11 and a blank, and a gap of 8 left of the board; two lines of 20 above it
    assert!(
        picture.contains("<path class=\"rim\" d=\"M47 54H127M47 134H127M47 54V134M127 54V134\"/>"),
        "{picture}"
    );
    assert_eq!(count(&picture, "<text class=\"outside\""), 5, "clues of columns stand on lines of their own");
    assert!(picture.contains("text-anchor=\"end\" x=\"39\"") && picture.contains("y=\"26\">3<"), "{picture}");

    let within = [cell((1, 1), "7"), cell((1, 2), "8"), cell((2, 1), "4"), cell((2, 2), "12\\3")];
    let picture = drawn(&[noted(grid(&[&["#", "5"], &["4", "#"]]), &within)]);
    assert!(
        picture.contains("<text class=\"given\" font-size=\"18\" text-anchor=\"middle\" x=\"26\""),
        "{picture}"
    );
    assert!(
        picture.contains("<text class=\"given\" font-size=\"11\" text-anchor=\"start\" x=\"49\""),
        "small beside another"
    );
    assert_eq!((count(&picture, ">4</text>"), count(&picture, "class=\"slash\"")), (1, 1));
    assert!(picture.contains(">12</text>") && picture.contains(">3</text>") && !picture.contains("12\\3<"));

    let right = ((1, 1), (1, 2));
    for (text, part) in [
        ("<", "<path class=\"ink thin given\""),
        ("o", "<circle class=\"ring given\" cx=\"46\" cy=\"26\""),
        ("x", "<circle class=\"disc given\" cx=\"46\" cy=\"26\""),
        ("|", "<path class=\"frame\" d=\"M6 6H86M6 46H86M6 6V46M46 6V46M86 6V46\"/>"),
        ("5", ">5</text>"),
    ] {
        let picture = drawn(&[noted(grid(&[&["1", "2"]]), &[(right.0, right.1, text)])]);
        assert!(picture.contains(part), "{text}: {picture}");
    }
    // on the upper left corner of the board, which makes room for it
    let picture = drawn(&[noted(grid(&[&["1", "2"]]), &[((0, 0), (1, 1), "3")])]);
    assert!(picture.contains("<circle class=\"ring given thin\" cx=\"15\" cy=\"15\""), "{picture}");
}

#[test]
fn a_clue_from_afar_is_left_out() {
    let board = || grid(&[&["1", "2"], &["3", "4"]]);
    let (low, high) = (i64::MIN, i64::MAX);
    let far = [(low, low), (high, high), (1, high), (low, 1), (0, 0), (4, 1), (1, -1)];
    let notes: Vec<(Key, Key, &str)> =
        far.iter().flat_map(|p| far.iter().flat_map(move |q| [(*p, *q, "9"), (*p, *q, "|")])).collect();
    assert_eq!(drawn(&[noted(board(), &notes)]), drawn(&[board()]));
}

#[test]
fn what_a_clue_says_is_given() {
    let circles = noted(grid(&[&["#", "."]]), &[((1, 1), (1, 1), "x"), ((1, 2), (1, 2), "o")]);
    let picture = drawn(&[circles]);
    assert!(picture.contains("<rect class=\"shade\"") && picture.contains("<circle class=\"disc given\""));
    let numbers = noted(grid(&[&["#3", "5", "6"]]), &[((1, 1), (1, 1), "3"), ((1, 2), (1, 2), "5")]);
    let picture = drawn(&[numbers]);
    assert_eq!((count(&picture, "<text class=\"given\""), count(&picture, "<text font-size")), (2, 1));
    assert!(picture.contains("<rect class=\"shade\""), "the shade is found");
}

#[test]
fn grounds_of_one_colour() {
    let tints = [((1, 1), 0), ((1, 2), 9), ((1, 3), 0), ((7, 7), 2)];
    let notes = tints.iter().map(|(cell, tint)| (*cell, *cell, Note::Tint(*tint))).collect();
    let picture = drawn(&[Drawing::Noted { inner: Box::new(grid(&[&["1", "2", "1"]])), notes }]);
    let ground = |tint: &str| count(&picture, &format!("<rect class=\"tint-{tint}\""));
    assert_eq!((ground("0"), ground("1"), ground("2")), (2, 1, 0), "{picture}");
    let map = rebus(&["solve", "map-colouring", "map-colouring-1.clues", "-f", "svg"]);
    assert_eq!(count(&map, "<rect class=\"tint-"), 36);
}

#[test]
fn a_clue_stands_where_nothing_is_known() {
    let picture = drawn(&[noted(grid(&[&["·", "·"]]), &[((1, 1), (1, 1), "3")])]);
    assert_eq!((count(&picture, ">3</text>"), count(&picture, "<circle class=\"point\"")), (1, 1));
}

#[test]
fn bridges_reach_their_islands() {
    let island = |column| ((1, column), (1, column), "o");
    let picture = drawn(&[noted(grid(&[&["1", "─", "1"]]), &[island(1), island(3)])]);
    assert!(picture.contains("d=\"M66 26L92 26M66 26L40 26\""), "{picture}");
}

#[test]
fn long_lists_and_lines_are_broken() {
    let picture = drawn(&[grid(&[&["1,1,2,2", "."]])]);
    assert!(picture.contains(">1,1</text>") && picture.contains(">2,2</text>"), "{picture}");
    assert!(picture.contains("viewBox=\"0 0 92 52\""), "square cells");
    let capitals = drawn(&[grid(&[&["WWWWWWWW", "a"]])]);
    assert!(capitals.contains("viewBox=\"0 0 272 52\""), "15 a capital, and 10: {capitals}");
    let text = "word ".repeat(40) + &"x".repeat(200);
    let picture = drawn(&[Drawing::Text(text)]);
    assert_eq!(count(&picture, "<text"), 3 + 3, "{picture}");
    assert!(picture.contains("viewBox=\"0 0 812 "), "{picture}");
}

#[test]
fn lines_go_round_cells_or_through_them() {
    let square: Vec<(Key, Key, Option<bool>)> = vec![
        ((1, 1), (1, 2), Some(true)),
        ((1, 1), (2, 1), Some(true)),
        ((1, 2), (2, 2), None),
        ((2, 1), (2, 2), Some(false)),
    ];
    let round = Drawing::Looped { inner: Box::new(grid(&[&["3"]])), edges: square.clone() };
    let picture = drawn(&[round]);
    assert!(picture.contains("<path class=\"line\" d=\"M6 6H46M6 6V46\"/>"), "{picture}");
    assert!(picture.contains("<path class=\"maybe\" d=\"M46 6V46\"/>"), "{picture}");
    assert!(!picture.contains("<path class=\"grid\""), "points, no grid");
    assert_eq!(count(&picture, "<circle class=\"point\""), 4);
    let through = Drawing::Looped { inner: Box::new(grid(&[&["1", "."], &[".", "2"]])), edges: square };
    let picture = drawn(&[through]);
    assert!(picture.contains("<path class=\"line\" d=\"M26 26H66M26 26V66\"/>"), "{picture}");
    assert!(picture.contains("<path class=\"grid\"") && picture.contains("<g class=\"passed\">"));
}

#[test]
fn regions_in_boxes_are_cages() {
    let regions = vec![((1, 1), 0), ((1, 2), 1)];
    let boxed = Drawing::Boxed { inner: Box::new(grid(&[&["1", "2"]])), height: 1, width: 1 };
    let framed =
        |inner| Drawing::Framed { inner: Box::new(inner), regions: regions.clone(), walls: Vec::new() };
    assert!(drawn(&[framed(boxed)]).contains("<path class=\"cage\""));
    let alone = drawn(&[framed(grid(&[&["1", "2"]]))]);
    assert!(alone.contains("<path class=\"frame\"") && !alone.contains("<path class=\"cage\""));
}

#[test]
fn texts_are_escaped() {
    let hostile = "</svg><script>\"&\u{1}\u{202e}\u{ffff}";
    let picture = drawn(&[
        grid(&[&[hostile]]),
        Drawing::Text(format!("{hostile}\nsecond")),
        Drawing::Table(vec![(hostile.into(), Entry { text: hostile.into(), number: false })]),
    ]);
    assert!(
        !picture.contains("<script") && !picture.contains(['\u{1}', '\u{202e}', '\u{ffff}']),
        "{picture}"
    );
    let (first, second) = ([Drawing::Text(hostile.into())], [grid(&[&["&"]])]);
    let shown: Vec<Shown> = Known::default().shown(&[&first, &second]);
    let figures = shown.into_iter().map(|shown| (hostile.to_owned(), shown)).collect();
    let differences = Block::Differences(vec![hostile.to_owned()]);
    let page = page(hostile, &[Block::Text(hostile.to_owned()), Block::Figures(figures), differences]);
    well_formed(&page);
    assert!(!page.contains("<script"));
}

#[test]
fn a_page_marks_where_solutions_differ() {
    let page = rebus(&["solve", "row", "--all", "-f", "html"]);
    assert_eq!((count(&page, "<figure>"), count(&page, "<rect class=\"marked\"")), (2, 4));
    assert!(page.contains("in <code>x[1]</code>, <code>x[3]</code>."), "{page}");
    let one = rebus(&["solve", "row", "--limit", "1", "-f", "html"]);
    assert!(!one.contains("<rect class=\"marked\"") && !one.contains("They differ"));
    let below = rebus(&["solve", "row", "--all", "-f", "svg"]);
    assert_eq!((count(&below, "<svg"), count(&below, "<rect class=\"marked\"")), (1, 4));
}

#[test]
fn loops_and_walls_are_marked_where_they_differ() {
    let corners = |drawn: [bool; 2]| {
        let edges = vec![((1, 1), (1, 2), Some(drawn[0])), ((1, 1), (2, 1), Some(drawn[1]))];
        [Drawing::Looped { inner: Box::new(grid(&[&["3"]])), edges }]
    };
    let (a, b) = (corners([true, true]), corners([true, false]));
    let picture = svg(&Known::default().shown(&[&a, &b])[1], "it", "", true);
    assert!(picture.contains("<path class=\"marked-line\" d=\"M6 6V46\"/>"), "{picture}");
    let through = |drawn: bool| {
        let edges = vec![((1, 1), (1, 2), Some(drawn)), ((1, 1), (2, 1), None)];
        [Drawing::Looped { inner: Box::new(grid(&[&["3", "2"], &[".", "."]])), edges }]
    };
    let (a, b) = (through(true), through(false));
    let picture = svg(&Known::default().shown(&[&a, &b])[0], "it", "", true);
    assert!(picture.contains("<path class=\"marked-line\" d=\"M26 26H66\"/>"), "{picture}");
    let framed = |second: u32| {
        let regions = vec![((1, 1), 0), ((1, 2), second), ((1, 3), 1)];
        [Drawing::Framed { inner: Box::new(grid(&[&["3", "2", "1"]])), regions, walls: Vec::new() }]
    };
    let (a, b) = (framed(0), framed(1));
    let picture = svg(&Known::default().shown(&[&a, &b])[0], "it", "", true);
    assert!(picture.contains("<path class=\"marked-line\" d=\"M46 6V46M86 6V46\"/>"), "{picture}");
}

/// Only what the data say is given: a value that a rule alone forces is found.
#[test]
fn forced_values_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("m.rebus");
    let text = "param clue[2, 2] : (1..2)? = \"\"\"\n1.\n..\n\"\"\"\nvar x[2, 2] : 1..2\nrule: x[2, 2] = 1\n\
                rule: for (p, k) in givens(clue): x[p] = k\nrule: for r in 1..2: distinct(x[r, *])\nshow x\n";
    fs::write(&model, text).unwrap();
    let picture = rebus(&["solve", model.to_str().unwrap(), "-f", "svg"]);
    assert_eq!((count(&picture, "<text class=\"given\""), count(&picture, "<text ")), (1, 4), "{picture}");
}

#[test]
fn clashes_and_what_is_shared_are_drawn() {
    let clash = rebus(&["explain", "row", "-D", "clue=.33.", "-f", "svg"]);
    assert!(clash.contains("these 3 cannot hold together") && clash.contains("clue at 2"), "{clash}");
    assert_eq!(count(&clash, "<rect class=\"marked\""), 4);
    let page = rebus(&["explain", "row", "-D", "clue=.33.", "-f", "html"]);
    assert!(page.contains("None of them can be spared.") && count(&page, "<figure>") == 1, "{page}");
    let shared = rebus(&["deduce", "row", "-f", "html"]);
    assert!(shared.contains("2 of 4 determined") && count(&shared, "<figure>") == 1, "{shared}");
    assert_eq!(count(&shared, "<circle class=\"point\""), 2);
}

#[test]
fn many_instances_stand_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join("boards");
    fs::write(&boards, "1...\n.33.\n...1\n").unwrap();
    let each = format!("clue={}", boards.display());
    let page = rebus(&["solve", "row", "--each", &each, "-f", "html"]);
    assert_eq!((count(&page, "<figure>"), count(&page, "2: unsatisfiable")), (2, 1), "{page}");
    assert!(page.contains("boards, line 3</figcaption>"), "{page}");
    let below = rebus(&["solve", "row", "--each", &each, "-f", "svg"]);
    assert_eq!(count(&below, "<svg"), 1);
}

#[test]
fn no_solution_is_said() {
    let none = ["solve", "row", "-D", "clue=[1, 1, none, none]", "-f"];
    for form in ["svg", "html"] {
        assert!(rebus(&[&none[..], &[form]].concat()).contains("unsatisfiable"));
    }
}

/// A browser opens the page: it finds the parts and draws more than its ground.
#[test]
fn a_browser_opens_a_page() {
    let there =
        Command::new("chromium").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if there.is_err() {
        assert!(
            std::env::var_os("REBUS_REQUIRE_SOLVERS").is_none_or(|value| value != "1"),
            "chromium is missing"
        );
        println!("skipped, not found: chromium");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    fs::write(&path, rebus(&["solve", "row", "--all", "-f", "html"])).unwrap();
    let browse = |what: &str| {
        let home = format!("--user-data-dir={}", folder.path().join("profile").display());
        let address = format!("file://{}", path.display());
        let run = Command::new("chromium")
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--window-size=600,400",
            ])
            .args([&home, what, &address])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    let dom = browse("--dump-dom");
    assert_eq!(
        (count(&dom, "<figcaption>"), count(&dom, "</svg>"), count(&dom, "</text>")),
        (2, 2, 8),
        "{dom}"
    );
    browse("--screenshot=page.png");
    let picture = fs::read(folder.path().join("page.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 3_000, "{} bytes", picture.len());
}
