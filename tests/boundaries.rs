//! What strangers may send us, and what each of it tries: to read or run what it should not, to be obeyed by a terminal or a
//! browser, to take all memory or time. Imports, damaged files and solvers that misbehave are in `inputs`, `files`, `torture`.
#![cfg(target_os = "linux")]

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

const MODEL: &str =
    "param t : text\nvar x[3] : 1..3\nrule \"{t} {i}\": for i in 1..3: x[i] = i\nshow t\nshow x\n";
/// What a terminal would obey: escape sequences of 7 and 8 bits, a change of the direction of writing, a title, a bell.
const HOSTILE: &str =
    "\u{1b}[31m\u{9b}2J\u{202e}\u{1b}]0;title\u{7}\u{7f}</text></svg></title><script>alert(1)</script>";

struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(TempDir::new().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(self, name: &str, text: impl AsRef<[u8]>) -> Desk {
        fs::create_dir_all(self.path(name).parent().expect("a folder")).expect("a folder");
        fs::write(self.path(name), text).expect("a file");
        self
    }

    fn program(self, name: &str, script: &str) -> Desk {
        let desk = self.put(name, format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(desk.path(name), fs::Permissions::from_mode(0o755)).expect("ours");
        desk
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
        command.current_dir(self.0.path()).args(args).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("rebus runs")
    }

    /// With so many megabytes of address space.
    fn within(&self, megabytes: u32, args: &str) -> Output {
        let script = format!("ulimit -v {}; \"$REBUS\" {args}", megabytes << 10);
        let mut command = Command::new("bash");
        command.current_dir(self.0.path()).env("REBUS", env!("CARGO_BIN_EXE_rebus")).args(["-c", &script]);
        command.stdin(Stdio::null()).output().expect("bash runs")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a text")
    }
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

#[track_caller]
fn ends(output: &Output, code: i32, says: &str) {
    let told = told(output);
    let shown: String = told.chars().take(2000).collect();
    assert_eq!(output.status.code(), Some(code), "{shown}");
    assert!(told.contains(says), "{shown}");
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).expect("a vector takes all");
    packed.finish().expect("a vector takes all")
}

#[test]
fn data_names_no_file_and_no_variable_of_the_environment() {
    let secret = "root:x:0:0";
    let desk =
        Desk::new().put("m.rebus", "param t : text\nvar b : bool\nshow t\nshow b\n").put("secret", secret);
    let at = desk.path("secret").display().to_string();
    for text in
        [format!("@{at}"), "@secret".into(), "$HOME".into(), "$(cat secret)".into(), "`cat secret`".into()]
    {
        let quoted = format!("{text:?}");
        let desk = Desk::new().put("m.rebus", desk.read("m.rebus")).put("secret", secret);
        let desk =
            desk.put("d.clues", format!("t = {quoted}\n")).put("d.json", format!("{{\"t\": {quoted}}}"));
        let desk = desk.put("d.jsonl", format!("{{\"t\": {quoted}}}\n")).put("lines", format!("{text}\n"));
        for args in [&["d.clues"][..], &["d.json"], &["--each", "d.jsonl"], &["--each", "t=lines"]] {
            let output = desk.run(&[&["solve", "m.rebus"], args].concat());
            ends(&output, 0, &text);
            assert!(!told(&output).contains(secret), "{args:?}");
        }
    }
}

#[test]
fn nothing_here_knows_a_network() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|suffix| suffix == "rs") {
                files += 1;
                let text = fs::read_to_string(&path).expect("a text");
                let found = ["std::net", "TcpStream", "UdpSocket", "ToSocketAddrs"]
                    .iter()
                    .find(|way| text.contains(**way));
                assert_eq!(found, None, "{}", path.display());
            }
        }
    }
    assert!(files > 100);
    // a URL is text
    ends(&Desk::new().run(&["solve", "https://example.invalid/model.rebus"]), 1, "No such file");
}

/// Programs and tables that lie where a stranger's archive was unpacked.
#[test]
fn nothing_of_a_folder_is_run() {
    let block = |command: &str| {
        format!(
            "[[solver]]\nname = \"kissat\"\ncommand = \"{command}\"\nargs = [\"{{in}}\"]\nformat = \"cnf\"\noutput = \"competition\"\n"
        )
    };
    let mut desk = Desk::new().put("m/m.rebus", "var x : bool\nshow x\n");
    for folder in ["", "m/"] {
        desk = desk.program(&format!("{folder}kissat"), "touch ../evil evil; echo s UNSATISFIABLE");
        desk = desk.program(&format!("{folder}drat-trim"), "touch ../evil evil; echo s VERIFIED");
        for table in
            ["solvers.toml", "rebus/solvers.toml", ".config/rebus/solvers.toml", ".rebus/solvers.toml"]
        {
            desk = desk.put(&format!("{folder}{table}"), block("./kissat"));
        }
    }
    for (solver, check) in [(true, false), (false, true)] {
        let mut command = desk.command(&["solve", "m/m.rebus", "--all"]);
        if solver {
            command.args(["--solver", "kissat"]);
        }
        if check {
            command.arg("--check-proof");
        }
        command
            .env("PATH", ":.:m:./m")
            .env("REBUS_SOLVER_PATH", ".:m")
            .env("HOME", ".")
            .env("XDG_CONFIG_HOME", "");
        command.env_remove("VIRTUAL_ENV").env_remove("REBUS_SOLVER_KISSAT");
        ends(&command.output().expect("rebus runs"), 3, "error[solver-missing]");
    }
    // not even where the user's own table says so
    let output = desk.run(&["solvers", "--solvers", "m/solvers.toml"]);
    ends(&output, 1, "the path of the command is relative");
    assert!(!desk.path("evil").exists() && !desk.path("m/evil").exists());
}

/// A model names its imports, and make reads their names.
#[test]
fn a_make_rule_holds_names_alone() {
    for name in [";touch evil", "a\\nall:\\n\\ttouch evil", "a:b", "a=b", "a|b", "a%b"] {
        let file = name.replace("\\n", "\n").replace("\\t", "\t");
        let desk = Desk::new()
            .put("m.rebus", format!("import \"{name}\"\nvar x : bool\n"))
            .put(&file, "let n = 1\n");
        let output = desk.run(&["compile", "m.rebus", "-o", "k.cnf", "--deps", "k.d"]);
        ends(&output, 2, "cannot stand in a make rule");
        assert!(!desk.path("k.d").exists() && !desk.path("k.cnf").exists());
    }
    let desk = Desk::new().put("m.rebus", "import \"a $(touch evil) `touch evil`#b\"\nvar x : bool\n");
    let desk = desk
        .put("a $(touch evil) `touch evil`#b", "let n = 1\n")
        .put("Makefile", "include k.d\nk.cnf:\n\t@echo $(words $^)\n");
    ends(&desk.run(&["compile", "m.rebus", "-o", "k.cnf", "--deps", "k.d"]), 0, "");
    fs::remove_file(desk.path("k.cnf")).expect("it was written");
    let made = Command::new("make").current_dir(desk.0.path()).output();
    if let Ok(made) = made {
        assert!(made.status.success(), "{}", told(&made));
    }
    assert!(!desk.path("evil").exists());
}

/// Every command, with data that a terminal would obey and a name that it would, too.
#[test]
fn no_command_lets_a_terminal_obey() {
    let json = serde_json::json!({ "t": HOSTILE }).to_string();
    let name = "\u{1b}[31m\u{9b}m.rebus";
    let mut desk = Desk::new().put(name, MODEL).put("d.json", &json).put("each.jsonl", format!("{json}\n"));
    desk = desk.put("none.json", serde_json::json!({ "x": [1, 1, 1] }).to_string());
    desk = desk.put("\u{1b}[31mk.cnf", "p cnf 1 1\n1 0\n").put("\u{9b}bad.cnf", "p cnf \u{1b}[31m\n");
    desk = desk.put("clash.rebus", format!("{MODEL}rule \"{{t}} too\": x[1] = 2\n"));
    desk = desk.program(
        "fake",
        "printf '\\033[31ms \\233SAT\\n\\302\\233oops\\n'; printf '\\033[31m\\302\\233why\\n' >&2; exit 3",
    );
    desk = desk.put("covers.xcc", "a\na\n").program("covers", "printf '1:\\n a\\033[31m (1 of 1)\\n'");
    let fake = format!("{} {{in}}", desk.path("fake").display());
    let covers = format!("{} {{in}}", desk.path("covers").display());
    assert!(desk.run(&["compile", name, "d.json", "-o", "k.cnf"]).status.success());
    let runs: &[&[&str]] = &[
        &["solve", name, "d.json"],
        &["solve", name, "d.json", "--all", "-f", "json"],
        &["solve", name, "d.json", "-f", "csv"],
        &["solve", name, "d.json", "-f", "svg"],
        &["solve", name, "d.json", "-f", "html"],
        &["solve", name, "d.json", "--stats", "--unique"],
        &["solve", name, "--each", "each.jsonl", "--results", "r.jsonl"],
        &["solve", name, "d.json", "--solver", &fake],
        &["solve", "clash.rebus", "d.json"],
        &["explain", name, "d.json"],
        &["explain", "clash.rebus", "d.json"],
        &["explain", "clash.rebus", "d.json", "-f", "json"],
        &["explain", "clash.rebus", "d.json", "-f", "html"],
        &["check", "clash.rebus", "d.json"],
        &["check", name, "d.json", "--without", HOSTILE],
        &["deduce", name, "d.json"],
        &["deduce", name, "d.json", "-f", "json"],
        &["verify", name, "d.json", "none.json"],
        &["verify", name, "d.json", name],
        &["compile", name, "d.json", "-o", "-", "--no-map", "--annotate"],
        &["compile", name, "d.json", "-o", "-", "--embed-map"],
        &["compile", name, "d.json", "-o", "-", "--no-map", "--to", "xcc"],
        &["compile", name, "d.json", "-o", "-", "--no-map", "--to", "opb"],
        &["compile", name, "d.json", "-o", HOSTILE],
        &["decode", "k.cnf.map", "d.json"],
        &["decode", "k.cnf.map", "none.json", "--dialect", HOSTILE],
        &["fmt", "--check", name, "d.json"],
        &["import", "d.json"],
        &["import", HOSTILE],
        &["export", HOSTILE, "d.json", "--form", "lines"],
        &["sat", "\u{9b}bad.cnf"],
        &["xcc", "\u{9b}bad.cnf"],
        &["run", &fake, "\u{1b}[31mk.cnf"],
        &["run", &fake, "\u{1b}[31mk.cnf", "\u{9b}bad.cnf"],
        &["run", &covers, "covers.xcc"],
        &["solve", HOSTILE],
        &["solve", name, "-D", HOSTILE],
        &["solve", name, "d.json", "--solver", HOSTILE],
        &["solve", name, "d.json", "--solvers", HOSTILE, "--solver", "kissat"],
    ];
    for args in runs {
        let output = desk.run(args);
        for stream in [&output.stdout, &output.stderr] {
            // lines of CSV end so
            let text = String::from_utf8(stream.clone()).unwrap_or_else(|error| panic!("{args:?}: {error}"));
            let text = text.replace("\r\n", "\n");
            let obeyed =
                |c: &char| c.is_control() && !"\n\t".contains(*c) || matches!(*c, '\u{202a}'..='\u{202e}');
            assert_eq!(text.chars().find(obeyed), None, "{args:?}: {text:?}");
            if args.contains(&"svg") || args.contains(&"html") {
                assert!(!text.contains("<script"), "{args:?}: {text}");
            }
        }
    }
    // the kept result lines, too
    assert!(!desk.read("r.jsonl").contains(|c: char| c.is_control() && c != '\n'));
}

#[test]
fn what_is_packed_is_bounded() {
    let bomb = gz(&vec![b'#'; 100 << 20]);
    let desk = Desk::new().put("m.rebus.gz", &bomb).put("m.rebus", "var x : bool\n").put("k.map", &bomb);
    let desk = desk.put("n.rebus", "import \"m.rebus.gz\"\n").put("each.gz", gz(&vec![b'1'; 100 << 20]));
    ends(&desk.within(200, "check m.rebus.gz"), 4, "16777216 bytes");
    ends(&desk.within(200, "check n.rebus"), 4, "16777216 bytes");
    ends(&desk.within(200, "check m.rebus m.rebus.gz"), 4, "16777216 bytes");
    ends(&desk.within(200, "fmt m.rebus.gz"), 4, "16777216 bytes");
    ends(&desk.within(400, "decode k.map m.rebus --max-memory 1000"), 4, "bytes, the limit");
    // many of them
    let many: String = (0..9).map(|i| format!("import \"i{i}.rebus\"\n")).collect();
    let mut desk = desk.put("many.rebus", many);
    let comment = gz(&vec![b'\n'; 15 << 20]);
    for i in 0..9 {
        desk = desk.put(&format!("i{i}.rebus"), &comment);
    }
    ends(&desk.run(&["check", "many.rebus"]), 4, "bytes of them, are over the limit");
    // a formula that a solver wants unpacked
    let desk = desk.put("k.cnf.gz", gz(&[b"p cnf 1 1\n1 0\n".to_vec(), vec![b'\n'; 400 << 20]].concat()));
    let output = desk.run(&["run", "cat {in}", "k.cnf.gz", "--timeout", "0.01"]);
    ends(&output, 0, "s UNKNOWN");
}

#[test]
fn names_of_imports_do_not_multiply() {
    let names: String = (0..50_000).map(|i| format!("let n{i} = 1\n")).collect();
    let mut desk = Desk::new().put("i0.rebus", names).put("m.rebus", "import \"i199.rebus\"\nvar x : bool\n");
    for i in 1..200 {
        desk = desk.put(&format!("i{i}.rebus"), format!("import \"i{}.rebus\"\n", i - 1));
    }
    ends(&desk.within(2000, "check m.rebus"), 4, "names along, the limit");
}

#[test]
fn an_import_is_the_file_beside_its_importer() {
    let desk = Desk::new().put(
        "m.rebus",
        "import \"c.rebus\"\nimport \"sub/a.rebus\"\nvar x : 0..9\nrule: x = one + two\nshow x\n",
    );
    let desk = desk
        .put("c.rebus", "let one = 1\n")
        .put("sub/a.rebus", "import \"c.rebus\"\n")
        .put("sub/c.rebus", "let two = 2\n");
    ends(&desk.run(&["compile", "m.rebus", "-o", "k.cnf"]), 0, "");
    let desk = desk.put("out", "s SATISFIABLE\nv -1 -2 -3 4 0\n");
    ends(&desk.run(&["decode", "k.cnf.map", "out"]), 0, "3");
}

/// A map with other lines, its check sum made good.
fn forged(map: &str, change: impl Fn(&str) -> String) -> String {
    let lines: Vec<String> = map.lines().filter(|line| !line.starts_with("end ")).map(change).collect();
    let body: String = lines.iter().flat_map(|line| line.lines()).map(|line| format!("{line}\n")).collect();
    format!("{body}end {} {:016x}\n", body.lines().count() + 1, xxh3_64(body.as_bytes()))
}

#[test]
fn forged_maps_are_told() {
    let desk = Desk::new()
        .put("m.rebus", "var x[2] : 1..3\nvar s : { a, b }\nenum E { a, b }\nrule: x[1] < x[2]\nshow x\n");
    let desk =
        desk.put("m.rebus", "enum E { a, b }\nvar x[2] : 1..3\nvar s : E\nrule: x[1] < x[2]\nshow x\n");
    ends(&desk.run(&["compile", "m.rebus", "-o", "k.cnf"]), 0, "");
    let map = desk.read("k.cnf.map");
    let desk = desk.put("out", "s SATISFIABLE\nv 1 5 7 0\n").put("last", "s SATISFIABLE\nv 4 8 14 0\n");
    ends(&desk.run(&["decode", "k.cnf.map", "out"]), 0, "1 2");
    // domains larger, smaller, of another name, overlapping; variables too many, too few, of another encoding
    let wrong: [(&str, &str); 7] = [
        ("var x[1] direct 1..3 1 2 3", "var x[1] direct 1..4 1 2 3 4"),
        ("var x[2] direct 4..6 1 2 3", "var x[2] direct 4..5 1 2"),
        ("var x[2] direct 4..6 1 2 3", "var x[2] direct 3..5 1 2 3"),
        ("var x[1] direct 1..3 1 2 3", "var y direct 1..3 1 2 3"),
        ("var s direct 7..8 a b", ""),
        ("var s direct 7..8 a b", "var s direct 7..8 a b\nvar z bool 8"),
        ("var s direct 7..8 a b", "var s direct - "),
    ];
    for (old, new) in wrong {
        assert!(map.contains(old), "{old} is not in {map}");
        let forged = forged(&map, |line| if line == old { new.to_owned() } else { line.to_owned() });
        let desk =
            Desk::new().put("k.map", forged).put("out", desk.read("out")).put("last", desk.read("last"));
        for answer in ["out", "last"] {
            let output = desk.run(&["decode", "k.map", answer]);
            assert!(matches!(output.status.code(), Some(1 | 3)), "{new}: {}", told(&output));
        }
    }
    // another encoding of as many values is read as it says: the rules decide
    let order = forged(&map, |line| line.replace("var s direct 7..8 a b", "var s order 7 a b"));
    let desk = desk.put("k.map", order);
    ends(&desk.run(&["decode", "k.map", "out"]), 0, "1 2");
}

/// Maps whose reading would take all time or memory.
#[test]
fn maps_that_grow_are_stopped() {
    let head = |target: &str| {
        format!(
            "rebus map 1\ntool x\ntarget {target}\ndialect dlx2\ndigest {:032x}\nvariables 4000000\nclauses 1\nmodels = solutions\n",
            0
        )
    };
    let model = "text model m.rebus\n| var x : bool\n";
    // the same literals for each of many variables
    let same = (0..20_000).map(|_| "var x order 1..1000000 1..1000001\n").collect::<String>();
    let text = forged(&(head("cnf") + &same + model), str::to_owned);
    let all: String = (1..=1_000_000).map(|lit| format!("{lit} ")).collect();
    let desk = Desk::new().put("k.map", text).put("out", format!("s SATISFIABLE\nv {all}0\n"));
    ends(&desk.within(1000, "decode k.map out"), 1, "do not follow those of the variable before");
    // many words tell literals, and each option has all of them many times
    let on = (0..200_000).map(|i| format!("on {} a b{i}\n", i + 2)).collect::<String>();
    let options = format!(" a{}\n", " a b7".repeat(50)).repeat(20_000);
    let text = forged(&(head("xcc") + "var x bool 1\n" + &on + model), str::to_owned);
    let desk = Desk::new().put("k.map", text).put("out", format!("1:\n{options}"));
    ends(&desk.within(1000, "decode k.map out --timeout 1"), 4, "time limit");
    // a line that becomes very many words
    let text =
        forged(&(head("xcc") + "var x bool 1\non 1" + &" a".repeat(1 << 20) + "\n" + model), str::to_owned);
    let desk = Desk::new().put("k.map", text).put("out", "1:\n a\n");
    ends(&desk.within(1000, "decode k.map out --max-memory 32"), 4, "1048576 bytes, the limit");
    // a model in it that loops, or that asks for all memory
    for (model, limit) in [
        ("| var x : bool\n| rule: for i in 1..20000, j in 1..20000: x or i + j > 0\n", "--timeout 1"),
        (
            "| var x : bool\n| let a = [i + j for i in 1..10000, j in 1..10000]\n| rule: x or a[1] = 1\n| show a\n",
            "--timeout 2 --max-memory 100",
        ),
    ] {
        let text = forged(&(head("cnf") + "var x bool 1\ntext model m.rebus\n" + model), str::to_owned);
        let desk = Desk::new().put("k.map", text).put("out", "s SATISFIABLE\nv 1 0\n");
        ends(&desk.within(3000, &format!("decode k.map out {limit}")), 4, "limit-exceeded");
    }
}

#[test]
fn deep_and_long_texts_are_bounded() {
    let deep = 200_000;
    let nested = "[".repeat(deep) + &"]".repeat(deep);
    let desk = Desk::new().put("m.rebus", "param c[2] : int\nshow c\n");
    let desk =
        desk.put("d.json", format!("{{\"c\": {nested}}}")).put("d.jsonl", format!("{{\"c\": {nested}}}\n"));
    let desk = desk.put("d.clues", format!("c = {nested}\n")).put("lines", format!("{nested}\n"));
    let desk = desk.put("out", format!("{{\"Call\": {nested}, \"Result\": \"SATISFIABLE\"}}"));
    for args in [
        "check m.rebus d.json",
        "check m.rebus d.clues",
        "solve m.rebus --each d.jsonl",
        "solve m.rebus --each c=lines",
    ] {
        ends(&desk.within(2000, args), 1, "error[");
    }
    ends(&desk.run(&["import", "d.json"]), 1, "error[");
    let model = "var x : bool\nshow x\n";
    let desk = desk.put("x.rebus", model);
    ends(&desk.run(&["compile", "x.rebus", "-o", "k.cnf"]), 0, "");
    ends(&desk.run(&["decode", "k.cnf.map", "out", "--dialect", "clasp-json"]), 3, "error[solver-failed]");
    // what doubles with every line
    let doubled = |first: &str, next: &dyn Fn(u32) -> String| {
        let lines: String = (1..64).map(|i| format!("let a{i} = {}\n", next(i - 1))).collect();
        format!("let a0 = {first}\n{lines}show a63\n")
    };
    for model in [
        doubled("\"x\"", &|i| format!("\"{{a{i}}}{{a{i}}}\"")),
        doubled("[1]", &|i| format!("a{i} ++ a{i}")),
        doubled("[1]", &|i| format!("concat([a{i}, a{i}])")),
        doubled("[1]", &|i| format!("[x for x in a{i}, y in 1..2]")),
        "show 1..268435455\n".to_owned(),
    ] {
        let desk = Desk::new().put("m.rebus", &model);
        ends(&desk.within(3000, "solve m.rebus --max-memory 100"), 4, "error[limit-exceeded]");
    }
    // automata, ranges and powers that are short to write
    for model in [
        "var x[3] : 0..1\nrule: matches(x, r\"((0|1){900}){900}\")\n",
        "var x[3] : 0..1\nrule: matches(x, r\"(0|1)*0(0|1){60}\")\n",
        "var x[100000, 100000] : 0..1\n",
        "var x : 0..4000000000\n",
        "let a = [i * j for i in 1..100000, j in 1..100000]\nshow a[1]\n",
    ] {
        let desk = Desk::new().put("m.rebus", model);
        let output = desk.within(4000, "check m.rebus --timeout 5 --max-memory 200");
        assert!(matches!(output.status.code(), Some(0 | 1 | 4)), "{model}: {}", told(&output));
    }
}

#[test]
fn puzzles_of_others_are_bounded() {
    let mut puzzles = vec![
        "https://puzz.link/p?slither/99999/99999/".to_owned(),
        "https://puzz.link/p?nonogram/999999999999999999999/9/".to_owned(),
        format!("https://puzz.link/p?slither/300/300/{}", "z".repeat(100_000)),
        "100000x100000:a".to_owned(),
        "99999x99999n4:z".to_owned(),
        format!("pzprv3/slither/100000/100000/{}", ". ".repeat(9)),
        format!("https://f-puzzles.com/?load={}", "A".repeat(100_000)),
    ];
    puzzles.push(format!("9x9:{}", "z".repeat(1 << 20)));
    for puzzle in puzzles {
        let desk = Desk::new().put("puzzle", &puzzle);
        let output = desk.within(2000, "import puzzle");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {}", &puzzle[..40], told(&output));
    }
}

#[test]
fn nothing_read_is_written_over() {
    let desk = Desk::new()
        .put("m.rebus", "import \"i.rebus\"\nvar x : bool\nrule: x\nrule: not x\n")
        .put("i.rebus", "let n = 1\n");
    symlink("m.rebus", desk.path("link.cnf")).expect("a link");
    fs::hard_link(desk.path("i.rebus"), desk.path("hard.cnf")).expect("a link");
    let desk = desk.put("sub/keep", "").put("in.cnf", "p cnf 1 1\n1 0\n");
    let before = (desk.read("m.rebus"), desk.read("i.rebus"), desk.read("in.cnf"));
    for args in [
        &["compile", "m.rebus", "-o", "m.rebus", "--to", "cnf"][..],
        &["compile", "m.rebus", "-o", "sub/../m.rebus", "--to", "cnf"],
        &["compile", "m.rebus", "-o", "link.cnf"],
        &["compile", "m.rebus", "-o", "hard.cnf"],
        &["compile", "m.rebus", "-o", "k.cnf", "--map", "i.rebus"],
        &["compile", "m.rebus", "-o", "k.cnf", "--deps", "m.rebus"],
        &["compile", "m.rebus", "-o", "k.cnf", "--map", "./k.cnf"],
        &["solve", "m.rebus", "--proof", "i.rebus"],
        &["solve", "m.rebus", "--proof", "m.rebus"],
        &["run", "cat {in}", "in.cnf", "-o", "in.cnf"],
    ] {
        ends(&desk.run(args), 2, "is not written");
        assert_eq!((desk.read("m.rebus"), desk.read("i.rebus"), desk.read("in.cnf")), before, "{args:?}");
    }
    assert!(!desk.path("k.cnf").exists() && !desk.path("k.cnf.map").exists());
    // a link is written through, as everywhere
    symlink("there.cnf", desk.path("to.cnf")).expect("a link");
    ends(&desk.run(&["compile", "m.rebus", "-o", "to.cnf"]), 0, "");
    assert!(desk.path("there.cnf").is_file() && desk.path("to.cnf").is_symlink());
}

/// What the estimate says is what is written; what is over a limit leaves nothing.
#[test]
fn sizes_are_told_before_and_limits_hold() {
    for target in ["cnf", "wcnf", "opb", "xcc"] {
        let desk = Desk::new();
        let output = desk.run(&["check", "queens", "-D", "n=8", "--estimate", "--to", target]);
        ends(&output, 0, "bytes");
        let text = told(&output);
        let number = |key: &str| -> u64 {
            let line = text.lines().find(|line| line.trim_start().starts_with(key)).expect("a line");
            line.split_whitespace().last().and_then(|word| word.parse().ok()).expect("a number")
        };
        assert_eq!(fs::read_dir(desk.0.path()).expect("a folder").count(), 0);
        let file = format!("k.{target}");
        ends(&desk.run(&["compile", "queens", "-D", "n=8", "-o", &file]), 0, "");
        assert_eq!(fs::metadata(desk.path(&file)).expect("a file").len(), number("bytes"), "{target}");
        let most = (number("rows") - 1).to_string();
        for file in ["l.", "l.gz."] {
            let file = format!("{file}{target}");
            let output = desk.run(&["compile", "queens", "-D", "n=8", "-o", &file, "--max-clauses", &most]);
            ends(&output, 4, "give more with `--max-clauses`");
            let output = desk.run(&["compile", "queens", "-D", "n=200", "-o", &file, "--max-memory", "1"]);
            ends(&output, 4, "error[limit-exceeded]");
            let output = desk.run(&[
                "check",
                "queens",
                "-D",
                "n=200",
                "--estimate",
                "--to",
                target,
                "--max-memory",
                "1",
            ]);
            ends(&output, 4, "error[limit-exceeded]");
            assert!(!desk.path(&file).exists() && !desk.path(&format!("{file}.map")).exists());
        }
        assert_eq!(fs::read_dir(desk.0.path()).expect("a folder").count(), 2, "{target}");
    }
    // limits hold for every way to a formula
    let desk = Desk::new();
    for args in [
        "solve queens -D n=8",
        "count queens -D n=8 --to cnf",
        "solve queens -D n=8 --all --proof p",
        "explain queens -D n=8",
        "check queens -D n=8",
    ] {
        let args: Vec<&str> = args.split(' ').chain(["--max-clauses", "10"]).collect();
        ends(&desk.run(&args), 4, "give more with `--max-clauses`");
    }
    assert_eq!(fs::read_dir(desk.0.path()).expect("a folder").count(), 0);
}
