//! What strangers may send us, and what each of it tries: to read or run what it should not, to be obeyed by a terminal or a
//! browser, to take all memory or time. Imports, damaged files and solvers that misbehave are in `inputs`, `files`, `torture`.
#![cfg(target_os = "linux")]

mod bounds;
mod limits;
mod maps;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

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
    // it serves the page to this machine alone; tests/web.rs says what
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/web.rs");
    let text = fs::read_to_string(&page).expect("a text");
    assert!(
        text.contains("Ipv4Addr::LOCALHOST") && !text.contains("UNSPECIFIED") && !text.contains("connect(")
    );
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|suffix| suffix == "rs") && path != page {
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
    ends(&Desk::new().run(&["solve", "https://example.invalid/model.rebus"]), 1, "are not read");
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
            command.arg("--check-proof=drat-trim");
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
