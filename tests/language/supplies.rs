//! Where a parameter's value comes from, and the forms it may have: `-D`, data files, JSON, pictures in a line.

use super::{prints, run};

/// What `show "<…>"` prints between the signs.
#[track_caller]
fn told(files: &[(&str, &str)], args: &[&str]) -> String {
    let out = prints(files, &[&["solve", "m.rebus"], args].concat());
    let inside = out.split_once('<').and_then(|(_, rest)| rest.rsplit_once('>'));
    inside.unwrap_or_else(|| panic!("{out}")).0.to_string()
}

/// A parameter of this domain, given by `-D`.
#[track_caller]
fn defined(param: &str, value: &str, shown: &str, expected: &str) {
    let model = format!("param {param}\nshow \"<{{{shown}}}>\"");
    assert_eq!(told(&[("m.rebus", &model)], &["-D", value]), expected, "{param} {value}");
}

#[test]
fn later_sources_win() {
    let own = ("m.rebus", "param k = 1\nk = 2\nshow \"<{k}>\"");
    let without = ("m.rebus", "param k = 1\nshow \"<{k}>\"");
    let (a, b, c) = (("a.clues", "k = 3"), ("b.clues", "k = 4"), ("c.json", "{\"k\": 5}"));
    assert_eq!(told(&[without], &[]), "1");
    assert_eq!(told(&[own], &[]), "2");
    assert_eq!(told(&[own, a, b], &["a.clues"]), "3");
    assert_eq!(told(&[own, a, b], &["a.clues", "b.clues"]), "4");
    assert_eq!(told(&[own, a, b], &["b.clues", "a.clues"]), "3");
    assert_eq!(told(&[own, a, c], &["a.clues", "c.json"]), "5");
    assert_eq!(told(&[own, a, c], &["c.json", "a.clues"]), "3");
    // wherever it stands
    assert_eq!(told(&[own, a], &["-D", "k=6", "a.clues"]), "6");
    assert_eq!(told(&[own, a], &["-D", "k=6", "a.clues", "-D", "k=7"]), "7");
}

#[test]
fn a_default_may_be_an_expression_of_other_parameters() {
    let model = ("m.rebus", "param n = 3\nparam m = n * n\nshow \"<{m}>\"");
    assert_eq!(told(&[model], &[]), "9");
    assert_eq!(told(&[model], &["-D", "n=4"]), "16");
}

#[test]
fn a_definition_is_an_expression_raw_text_or_a_picture() {
    defined("n", "n=2 + 3", "n", "5");
    defined("n : 1..9", "n=-3 + 4", "n", "1");
    defined("n : int", "n=-3", "n", "-3");
    defined("b : bool", "b=true", "b", "true");
    defined("b : bool", "b=#", "b", "true");
    defined("t : text", "t=a \"b\" = c", "t", "a \"b\" = c");
    defined("t : word", "t=w>3", "t", "w>3");
    defined("t : [\"x\", \"y\"]", "t=y", "t", "y");
    defined("l : list", "l=[1, (2, 3)]", "l", "[1, (2, 3)]");
    defined("c[3] : 0..9", "c=[1, 2, 3]", "sum(c)", "6");
    defined("c[3] : 0..9", "c=1 2 3", "sum(c)", "6");
    defined("c[3] : 0..9", "c=123", "sum(c)", "6");
    defined("c[2, 2] : 0..9", "c=[[1, 2], [3, 4]]", "c[2, 1]", "3");
    defined("c[2, 2] : (1..9)?", "c={(1, 2): 7}", "c[1, 2] = 7 and c[1, 1] = none", "true");
    defined("c[2, 2] : 0..9", "c=\"1234\"", "c[2, 2]", "4");
    defined("c[2, 2] : 0..9", "c=12\n34", "c[2, 1]", "3");
    defined("w[2] : word", "w=ab c", "w[1]", "ab");
}

#[test]
fn a_definition_reads_a_file_or_standard_input() {
    let model = ("m.rebus", "param c[2, 2] : 0..9\nshow \"<{c[2, 1]}>\"");
    assert_eq!(told(&[model, ("c.txt", "12\n34\n")], &["-D", "c=@c.txt"]), "3");
    assert_eq!(told(&[model, ("c.txt", "12\r\n34\r\n")], &["-D", "c=@c.txt"]), "3");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.rebus"), model.1).expect("written");
    let mut command = assert_cmd::Command::cargo_bin("rebus").expect("built");
    command.current_dir(folder.path()).args(["solve", "m.rebus", "-D", "c=@-"]).write_stdin("56\n78\n");
    assert!(String::from_utf8_lossy(&command.output().expect("runs").stdout).contains("<7>"));
    let (_, err, code) = run(&[model], &["solve", "m.rebus", "-D", "c=@none.txt"]);
    assert!(code == 1 && err.contains("none.txt"), "{err}");
}

#[test]
fn a_definition_without_value_or_of_no_parameter_is_a_fault() {
    let model = ("m.rebus", "param n = 1\nshow n");
    let (_, err, code) = run(&[model], &["solve", "m.rebus", "-D", "n"]);
    assert!(code == 2 && err.contains("`-D n=VALUE`"), "{err}");
    let (_, err, code) = run(&[model], &["solve", "m.rebus", "-D", "m=1"]);
    assert!(code == 1 && err.contains("[unknown-parameter]"), "{err}");
    let (_, err, code) = run(&[model], &["solve", "m.rebus", "-D", "n="]);
    assert!(code == 1 && err.contains("-D n:1:1"), "{err}");
}

#[test]
fn json_lists_nest_for_several_dimensions() {
    let model = ("m.rebus", "param h, w\nparam c[h, w] : (0..9)?\nshow \"<{h} {w} {c[2, 1]} {c[1, 3]}>\"");
    let data = ("d.json", "{\"c\": [[1, 2, null], [4, 5, 6]]}");
    assert_eq!(told(&[model, data], &["d.json"]), "2 3 4 none");
    let ragged = ("d.json", "{\"c\": [[1, 2], [4, 5, 6]]}");
    let (_, err, code) = run(&[model, ragged], &["check", "m.rebus", "d.json"]);
    assert!(code == 1 && err.contains("3 entries, 2 expected"), "{err}");
    let flat = ("d.json", "{\"c\": [1, 2], \"h\": 1, \"w\": 2}");
    let (_, err, code) = run(&[model, flat], &["check", "m.rebus", "d.json"]);
    assert!(code == 1 && err.contains("[picture]"), "{err}");
}

#[test]
fn json_keys_are_the_texts_of_an_index() {
    let model = "enum Hue { red \"r\", blue }\nparam c[2, 2] : (1..9)?\nparam d[Hue] : int\nparam e[0..1] : word\n                 show \"<{c[1, 2]} {c[2, 2]} {d[red]} {d[blue]} {e[0]}>\"";
    let data = r#"{"c": {"(1, 2)": 5}, "d": {"red": -1, "blue": 2}, "e": {"0": "x", "1": "y"}}"#;
    assert_eq!(told(&[("m.rebus", model), ("d.json", data)], &["d.json"]), "5 none -1 2 x");
    let odd = r#"{"c": {"(1, 3)": 5}, "d": {"red": -1, "blue": 2}, "e": {"0": "x", "1": "y"}}"#;
    let (_, err, code) = run(&[("m.rebus", model), ("d.json", odd)], &["check", "m.rebus", "d.json"]);
    assert!(code == 1 && err.contains("`c` has no entry `(1, 3)`"), "{err}");
    let gap = r#"{"d": {"red": -1}, "c": {}, "e": ["x", "y"]}"#;
    let (_, err, code) = run(&[("m.rebus", model), ("d.json", gap)], &["check", "m.rebus", "d.json"]);
    assert!(code == 1 && err.contains("[outside-domain]") && err.contains("d[blue]"), "{err}");
}

#[test]
fn json_strings_are_pictures_members_and_texts() {
    let model = "enum Hue { red \"r\", blue }\nparam c[2, 2] : (1..9)?\nparam h, g : Hue\nparam t : text\nparam b : bool\n                 show \"<{c[2, 1]} {h = red} {g = red} {t} {b}>\"";
    let data = r#"{"c": "12\n3.", "h": "r", "g": "blue", "t": "a b", "b": true}"#;
    assert_eq!(told(&[("m.rebus", model), ("d.json", data)], &["d.json"]), "3 true false a b true");
}

#[test]
fn json_null_is_none_where_the_domain_allows_it() {
    let model = ("m.rebus", "param n : (1..9)?\nshow \"<{n = none}>\"");
    assert_eq!(told(&[model, ("d.json", "{\"n\": null}")], &["d.json"]), "true");
    let model = ("m.rebus", "param n : 1..9\nshow n");
    let (_, err, code) = run(&[model, ("d.json", "{\"n\": null}")], &["check", "m.rebus", "d.json"]);
    assert!(code == 1 && err.contains("[outside-domain]"), "{err}");
}

#[test]
fn a_board_may_be_one_line() {
    let model = ("m.rebus", "param n\nparam c[n, n] : (1..n)?\nshow \"<{n} {c[1, 1]} {c[9, 9]}>\"");
    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    assert_eq!(told(&[model], &["-D", &format!("c={line}")]), "9 5 9");
    let zeros = line.replace('.', "0");
    assert_eq!(told(&[model], &["-D", &format!("c={zeros}")]), "9 5 9");
    let words: Vec<String> = line.chars().map(String::from).collect();
    assert_eq!(told(&[model], &["-D", &format!("c={}", words.join(" "))]), "9 5 9");
    let data = format!("c = \"{line}\"");
    assert_eq!(told(&[model, ("d.clues", &data)], &["d.clues"]), "9 5 9");
    let json = format!("{{\"c\": \"{line}\"}}");
    assert_eq!(told(&[model, ("d.json", &json)], &["d.json"]), "9 5 9");
}
