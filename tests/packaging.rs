//! What is put into packages: completions, manual pages, `make install`, the crate's list of files, licences of others.
//!
//! A program that only checks (mandoc, man, zsh, fish) is asked where it is here.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const REBUS: &str = env!("CARGO_BIN_EXE_rebus");
const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];
/// Crates of Cargo.lock that no build has: what would want them is switched off.
const NEVER_BUILT: [&str; 2] = ["aho-corasick", "cxxbridge-cmd"];

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

fn ran(program: &str, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    let mut command = Command::new(program);
    command.args(args).current_dir(root("")).stdin(Stdio::null());
    command.output().unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// What a program prints that must succeed.
fn said(program: &str, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let output = ran(program, args);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {}\n{told}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn is_here(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The commands that `rebus --help` lists.
fn commands() -> Vec<String> {
    let help = said(REBUS, ["--help"]);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names.filter(|name| *name != "help").map(String::from).collect();
    assert!(names.len() > 10, "{names:?}");
    names
}

/// The completions of what is typed, as bash finds them.
fn completed(script: &Path, typed: &[&str]) -> BTreeSet<String> {
    let (program, last) = (typed[0], typed[typed.len() - 1]);
    let before = typed[typed.len().saturating_sub(2)];
    let words: Vec<String> = typed.iter().map(|word| format!("'{word}'")).collect();
    let line = format!(
        "source {}; COMP_WORDS=({}); COMP_CWORD={}; _rebus {program} '{last}' '{before}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.join(" "),
        typed.len() - 1
    );
    said("bash", ["-euc", &line]).lines().map(String::from).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let folder = TempDir::new().expect("a folder");
    let script = folder.path().join("rebus.bash");
    fs::write(&script, said(REBUS, ["completions", "bash"])).expect("a file");
    said("bash", [OsStr::new("-n"), script.as_os_str()]);
    let set = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<String>>();
    assert_eq!(completed(&script, &["rebus", "so"]), set(&["solve", "solvers"]));
    assert_eq!(completed(&script, &["rebus", "solve", "--max-c"]), set(&["--max-cpu", "--max-clauses"]));
    assert_eq!(completed(&script, &["rebus", "completions", "f"]), set(&["fish"]));
    let formats = set(&["text", "json", "csv", "svg", "html"]);
    assert_eq!(completed(&script, &["rebus", "solve", "--format", ""]), formats);
    let all = completed(&script, &["rebus", ""]);
    let mut known = commands();
    known.extend(["help", "-h", "-V", "--color", "--help", "--version"].map(String::from));
    assert_eq!(all, known.into_iter().collect());
}

#[test]
fn every_shell_gets_a_script_that_it_can_read() {
    let folder = TempDir::new().expect("a folder");
    for shell in SHELLS {
        let script = said(REBUS, ["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        let path = folder.path().join(shell);
        fs::write(&path, &script).expect("a file");
        let check = match shell {
            "bash" | "zsh" => "-n",
            "fish" => "--no-execute",
            _ => continue,
        };
        if is_here(shell) {
            said(shell, [OsStr::new(check), path.as_os_str()]);
        }
    }
    let refused = ran(REBUS, ["completions", "cmd"]);
    let told = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2));
    assert!(SHELLS.iter().all(|shell| told.contains(shell)), "{told}");
}

/// The words of a text, with nothing of how it is laid out; options with their hyphens too.
fn words(text: &str) -> BTreeSet<String> {
    let options = text.split_whitespace().filter(|word| word.starts_with("--"));
    let options = options.map(|word| word.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned());
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).chain(options).collect()
}

#[test]
fn the_manual_has_a_page_a_command_that_says_all_that_help_says() {
    let folder = TempDir::new().expect("a folder");
    assert_eq!(said(REBUS, [OsStr::new("man"), folder.path().as_os_str()]), "");
    let mut pages: Vec<(String, Vec<String>)> = vec![("rebus.1".into(), vec!["--help".into()])];
    pages.extend(
        commands().into_iter().map(|command| (format!("rebus-{command}.1"), vec![command, "--help".into()])),
    );
    let written: BTreeSet<String> = files(folder.path()).into_iter().collect();
    assert_eq!(written, pages.iter().map(|(name, _)| name.clone()).collect());
    for (name, help) in pages {
        let path = folder.path().join(&name);
        let page = read(&path);
        let title = name.trim_end_matches(".1").replace('-', "\\-");
        assert!(page.contains(&format!("\n.SH NAME\n{title} \\- ")), "{name}");
        let plain = page
            .replace("\\-", "-")
            .replace("\\*(Aq", "'")
            .replace("\\fI", "")
            .replace("\\fB", "")
            .replace("\\fR", "");
        let known = words(&plain);
        // the command `help`, headings, and what a manual says otherwise
        let help = said(REBUS, &help)
            .lines()
            .filter(|line| !line.starts_with("  help "))
            .collect::<Vec<_>>()
            .join("\n");
        let other =
            ["usage", "arguments", "commands", "command", "possible", "default", "values", "exit", "codes"];
        let missing =
            words(&help).into_iter().filter(|word| !known.contains(word) && !other.contains(&word.as_str()));
        assert_eq!(missing.collect::<Vec<String>>(), [""; 0], "{name}");
        readable(&path);
    }
    let again = ran(REBUS, ["man", "no/such/folder"]);
    assert_eq!(again.status.code(), Some(1), "{}", String::from_utf8_lossy(&again.stderr));
}

#[test]
fn the_page_of_the_checker_of_cuts_shows_its_usage() {
    let usage = ran(env!("CARGO_BIN_EXE_rebus-check-cuts"), [""; 0]);
    let usage = String::from_utf8(usage.stderr).expect("UTF-8");
    let path = root("packaging/rebus-check-cuts.1");
    let page = read(&path).replace("\\-", "-");
    let synopsis =
        page.split("\n.SH ").find_map(|section| section.strip_prefix("SYNOPSIS\n")).expect("a synopsis");
    let plain: Vec<&str> = synopsis.split_whitespace().filter(|word| !word.starts_with('.')).collect();
    assert_eq!(usage.trim().replace('[', "[ ").replace(']', " ]"), format!("usage: {}", plain.join(" ")));
    readable(&path);
}

/// Is a page one to those who show it?
fn readable(page: &Path) {
    if is_here("mandoc") {
        let lint = ["-T", "lint", "-W", "error"].map(OsStr::new);
        said("mandoc", lint.into_iter().chain([page.as_os_str()]));
    }
    if is_here("groff") {
        let args = ["-man", "-Tutf8", "-K", "utf8", "-ww"].map(OsStr::new);
        let shown = ran("groff", args.into_iter().chain([page.as_os_str()]));
        assert_eq!(String::from_utf8_lossy(&shown.stderr), "", "{}", page.display());
        assert!(shown.status.success(), "{}", page.display());
    }
}

/// The files below a folder, by their paths in it, sorted.
fn files(folder: &Path) -> Vec<String> {
    fn walk(folder: &Path, top: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, top, found);
            } else {
                found.push(path.strip_prefix(top).expect("inside").display().to_string());
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, folder, &mut found);
    found.sort();
    found
}

/// `make` with the program that is tested, into a folder.
fn make(folder: &Path, args: &[&str]) {
    let built = Path::new(REBUS).parent().expect("a folder");
    let mut variables = vec![format!("BUILT={}", built.display())];
    variables.push(format!("MAN={}", folder.join("man").display()));
    variables.push(format!("COMPLETIONS={}", folder.join("completions").display()));
    variables.push(format!("DESTDIR={}", folder.join("a root").display()));
    said(
        "make",
        ["-s"].iter().map(ToString::to_string).chain(variables).chain(args.iter().map(ToString::to_string)),
    );
}

/// Where the Debian package puts things: what `assets` of Cargo.toml says, patterns as they are.
fn assets() -> BTreeSet<String> {
    let manifest: toml::Table = read(root("Cargo.toml")).parse().expect("TOML");
    let list = manifest["package"]["metadata"]["deb"]["assets"].as_array().expect("a list");
    let text = |value: &toml::Value| value.as_str().expect("a text").to_owned();
    list.iter()
        .map(|asset| format!("{}{}", text(&asset[1]), text(&asset[0]).rsplit('/').next().unwrap_or_default()))
        .collect()
}

#[test]
fn make_installs_what_a_package_has_and_takes_it_away() {
    let folder = TempDir::new().expect("a folder");
    let (top, prefix) = (folder.path().join("a root"), "PREFIX=/usr");
    make(folder.path(), &["install", prefix, "ZSHDIR=/usr/share/zsh/vendor-completions"]);
    let installed = files(&top);
    let pages: Vec<&String> = installed.iter().filter(|path| path.ends_with(".1")).collect();
    assert_eq!(pages.len(), commands().len() + 2, "{pages:?}");
    let one =
        |path: &String| if path.ends_with(".1") { "usr/share/man/man1/*.1".into() } else { path.clone() };
    assert_eq!(installed.iter().map(one).collect::<BTreeSet<String>>(), assets());
    let version = said(top.join("usr/bin/rebus").to_str().expect("UTF-8"), ["--version"]);
    assert_eq!(version, format!("rebus {}\n", env!("CARGO_PKG_VERSION")));

    // another package's page stays
    let other = top.join("usr/share/man/man1/rebus-of-others.1");
    fs::write(&other, "").expect("a file");
    make(folder.path(), &["uninstall", prefix, "ZSHDIR=/usr/share/zsh/vendor-completions"]);
    assert_eq!(files(&top), ["usr/share/man/man1/rebus-of-others.1"]);

    // nothing there is nothing to complain of
    make(folder.path(), &["uninstall"]);
    make(folder.path(), &["install"]);
    let installed = files(&top);
    assert!(installed.contains(&"usr/local/bin/rebus".to_owned()), "{installed:?}");
    assert!(installed.contains(&"usr/local/share/zsh/site-functions/_rebus".to_owned()), "{installed:?}");
    make(folder.path(), &["uninstall"]);
    assert_eq!(files(&top), ["usr/share/man/man1/rebus-of-others.1"]);
}

/// Name and version of every crate in Cargo.lock, and of every one in THIRD-PARTY.md.
#[test]
fn the_licences_of_others_are_those_of_the_crates_built() {
    let lock: toml::Table = read(root("Cargo.lock")).parse().expect("TOML");
    let packages = lock["package"].as_array().expect("packages");
    let text = |value: &toml::Value| value.as_str().expect("a text").to_owned();
    let locked = packages.iter().map(|package| (text(&package["name"]), text(&package["version"])));
    let locked = locked.filter(|(name, _)| name != "rebus" && !NEVER_BUILT.contains(&name.as_str()));
    let page = read(root("THIRD-PARTY.md"));
    let rows = page.lines().filter(|line| line.starts_with("| ")).skip(2);
    let cells = rows.map(|row| row.split(" | ").map(|cell| cell.trim_matches(['|', ' ']).to_owned()));
    let told = cells.filter_map(|mut cells| Some((cells.next()?, cells.next()?)));
    let (locked, told): (BTreeSet<_>, BTreeSet<_>) =
        (locked.collect(), told.filter(|(name, _)| name != "rebus").collect());
    let old: Vec<_> = told.symmetric_difference(&locked).collect();
    assert!(old.is_empty(), "THIRD-PARTY.md is out of date, `make licences` writes it anew: {old:?}");
    // the engine is C++ inside of a crate
    assert!(page.contains("Armin Biere"), "the licence of CaDiCaL");
}

#[test]
fn the_crate_holds_what_builds_it_and_no_data_of_tests() {
    let list = said(env!("CARGO"), ["package", "--list", "--allow-dirty", "--offline"]);
    let packed: BTreeSet<&str> = list.lines().collect();
    let wanted = |folder: &str, suffixes: &[&str]| {
        let all = files(&root(folder)).into_iter().map(|path| format!("{folder}/{path}"));
        let all = all.filter(|path| {
            suffixes.is_empty()
                || path.matches('/').count() == 2 && suffixes.iter().any(|suffix| path.ends_with(suffix))
        });
        all.filter(|path| !packed.contains(path.as_str())).collect::<Vec<String>>()
    };
    assert_eq!(wanted("src", &[]), [""; 0]);
    assert_eq!(wanted("examples", &[".rebus", ".clues"]), [""; 0]);
    assert_eq!(wanted("packaging", &[]), [""; 0]);
    for path in ["Cargo.lock", "build.rs", "LICENSE", "THIRD-PARTY.md", "README.md", "grammar/language.md"] {
        assert!(packed.contains(path), "{path}");
    }
    let stray = packed
        .iter()
        .filter(|path| ["tests/", "benches/", "fuzz/", ".ci/"].iter().any(|start| path.starts_with(start)));
    assert_eq!(stray.count(), 0, "{list}");
}
