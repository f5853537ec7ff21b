//! The one form of a text: what it keeps, what it looks like, that it is one.

use super::{catalogue, parse, shape};
use rebus::diag::{Sources, render};
use rebus::syntax::format_file;

#[track_caller]
fn format(text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("text", text);
    format_file(id, text).unwrap_or_else(|faults| {
        let shown: Vec<String> = faults.iter().map(|fault| render(fault, &sources, false)).collect();
        panic!("{text}\n{}", shown.join("\n"))
    })
}

/// The comments of a text whose strings and pictures hold none, in order.
fn notes(text: &str) -> usize {
    text.matches("# note").count()
}

#[track_caller]
pub fn same_after_formatting(text: &str) {
    let formatted = format(text);
    assert_eq!(shape(&parse(text)), shape(&parse(&formatted)), "{text}\n---\n{formatted}");
    assert_eq!(notes(text), notes(&formatted), "{text}\n---\n{formatted}");
    let again = format(&formatted);
    assert_eq!(formatted, again, "{text}\n---\n{formatted}\n---\n{again}");
}

#[test]
fn the_catalogue_is_in_its_form() {
    for (path, text) in catalogue() {
        assert_eq!(format(&text), text, "{}", path.display());
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{}: {widest:?} columns", path.display());
    }
}

/// Line ends where blanks are, one after the other: the form is the same.
#[test]
fn the_form_depends_on_the_tokens() {
    let (mut places, mut blank) = (0, 0);
    for (path, text) in catalogue() {
        // pictures, strings with blanks, comments and tables do depend on them
        let items = text.split("\n\n").filter(|part| !part.contains("\"\"\"") && !part.contains("  "));
        for part in items.filter(|part| !part.contains(['#', '+'])) {
            let wanted = format(part);
            for (at, _) in part.match_indices(' ').filter(|(at, _)| part[..*at].matches('"').count() % 2 == 0)
            {
                blank += 1;
                if blank % 11 == 0 {
                    let broken = format!("{}\n{}", &part[..at], &part[at..]);
                    assert_eq!(format(&broken), wanted, "{}\n{broken}", path.display());
                    places += 1;
                }
            }
        }
    }
    assert!(places > 100, "{places}");
}

#[test]
fn comments_stay_where_they_were() {
    same(
        "# first\n\n\n\n# second\nparam  n=3#three\nlet a=[1,#one\n2,\n# two and a half\n3 # three\n]# list\n# last",
        "# first

# second
param n = 3                                    #three
let a = [1,                                    #one
         2,
         # two and a half
         3                                     # three
  ]                                            # list
# last
",
    );
}

#[track_caller]
fn same(text: &str, wanted: &str) {
    same_after_formatting(text);
    assert_eq!(format(text), wanted);
}

#[test]
fn long_things_are_broken_where_they_are_loosest() {
    let long = "a".repeat(40);
    same(
        &format!("rule \"x\": for p in S if p > 3: {long} and {long} or {long} and p"),
        &format!("rule \"x\": for p in S if p > 3:\n  {long} and {long}\n  or {long} and p\n"),
    );
    same(&format!("let x = f({long}, [{long}, 1,],)"), &format!("let x = f({long}, [{long}, 1])\n"));
    same(
        &format!("let x = if {long} then {long} else if {long} then 1 else 2"),
        &format!("let x = if {long} then {long}\n  else if {long} then 1 else 2\n"),
    );
    same("t = [\n 1,   22,\n 333, 4]\nu = [1,\n2]", "t = [\n  1,   22,\n  333, 4]\nu = [1, 2]\n");
}

#[test]
fn operators_have_the_room_that_the_models_give_them() {
    same(
        "let a = 1 .. n+1 ++ [x*2+1, 2 * n+1, v[ .. k-1 ], v[1 ..k - 1], - - y]",
        "let a = 1..n+1 ++ [x * 2 + 1, 2*n + 1, v[..k - 1], v[1..k-1], --y]\n",
    );
}

#[test]
fn line_ends_and_pictures_stay() {
    same(
        "\u{feff}a  =  1\r\nb = \"\"\"\r\n  . #  \r\n\"\"\"\r\n",
        "a = 1\r\nb = \"\"\"\r\n  . #  \r\n\"\"\"\r\n",
    );
    same("", "");
    same("\n\n# only\n\n", "# only\n");
}

/// Trees too deep to be compared by `shape`; the formatter compares what it reads back itself.
#[test]
fn deep_and_long_texts_are_formatted() {
    let texts = [
        format!("let a = {}1{}", "(".repeat(1_500), ")".repeat(1_500)),
        format!("let a = {}1", "1 + ".repeat(20_000)),
        format!("let a = {}1", "a -> ".repeat(5_000)),
        format!("a = [{}1]", "[1, 2], ".repeat(20_000)),
        format!("let a = {}0", "if a then b else ".repeat(3_000)),
        format!("let a = b{}", "[1]".repeat(5_000)),
    ];
    for text in texts {
        let formatted = format(&text);
        assert!(format(&formatted) == formatted);
    }
}
