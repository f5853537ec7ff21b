//! Many instances: in order, several at a time, taken up again; what fails spoils its line.
#![cfg(unix)]

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Has a solution for `n` from 1 to 6.
const MODEL: &str = "param n\nvar x[4] : 1..9\nrule: x[1] < x[2]\nrule: x[2] < x[3]\nrule: x[3] < x[4]\nrule: x[1] = n\nshow x\n";

fn rebus(folder: &TempDir, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    command.current_dir(folder.path()).args(args).stdin(Stdio::null()).output().expect("rebus runs")
}

fn stage(values: impl Iterator<Item = i64>) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let lines: String = values.map(|value| format!("{value}\n")).collect();
    fs::write(folder.path().join("m.rebus"), MODEL).expect("a file");
    fs::write(folder.path().join("values.txt"), lines).expect("a file");
    folder
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect("a file")
}

fn lines(folder: &TempDir, name: &str) -> Vec<Value> {
    read(folder, name).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn column<'l>(lines: &'l [Value], name: &str) -> Vec<&'l str> {
    lines.iter().map(|line| line[name].as_str().unwrap_or("")).collect()
}

#[test]
fn the_answers_do_not_depend_on_the_number_of_jobs() {
    let folder = stage((0..700).map(|at| at % 10));
    let solved = |further: &[&str]| {
        let args = [&["solve", "m.rebus", "--each", "n=values.txt", "-f", "json"], further].concat();
        let output = rebus(&folder, &args);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let one = solved(&["--jobs", "1"]);
    assert_eq!(solved(&["--jobs", "5"]), one);
    assert_eq!(solved(&["--results", "r.jsonl"]), one);
    // a line an instance, in their order
    assert_eq!(one.lines().count(), 700);
    let lines = lines(&folder, "r.jsonl");
    let places: Vec<String> = (1..=700).map(|line| format!("values.txt, line {line}")).collect();
    assert_eq!(column(&lines, "instance"), places);
    for (at, line) in lines.iter().enumerate() {
        let status = if (1..=6).contains(&(at % 10)) { "satisfiable" } else { "unsatisfiable" };
        assert_eq!(line["status"], status, "{line}");
        assert_eq!((&line["solver"], line["version"].is_string()), (&"embedded".into(), true));
        assert!(line["variables"].as_u64() > Some(0) && line["clauses"].as_u64() > Some(0), "{line}");
    }
}

#[test]
fn a_fault_spoils_its_line_alone() {
    let folder = stage([1, 2].into_iter());
    fs::write(folder.path().join("values.txt"), "1\nnonsense\n3\n").expect("a file");
    let args = ["solve", "m.rebus", "--each", "n=values.txt", "--results", "r.jsonl"];
    let output = rebus(&folder, &args);
    assert_eq!(output.status.code(), Some(1));
    let first = lines(&folder, "r.jsonl");
    assert_eq!(column(&first, "status"), ["satisfiable", "failed", "satisfiable"]);
    assert!(first[1]["error"].is_string());
    let table = String::from_utf8(output.stderr).expect("text");
    assert!(table.contains("satisfiable            2"), "{table}");
    // what failed is tried again, what is done is not
    fs::write(folder.path().join("values.txt"), "1\n2\n3\n").expect("a file");
    let output = rebus(&folder, &args);
    assert_eq!(output.status.code(), Some(0));
    let second = lines(&folder, "r.jsonl");
    assert_eq!(column(&second, "status"), ["satisfiable"; 3]);
    assert_eq!((&second[0], &second[2]), (&first[0], &first[2]));
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("2 of them from an earlier run"), "{said}");
}

#[test]
fn a_run_is_taken_up_where_it_was_cut_off() {
    let folder = stage(1..=6);
    let args = ["solve", "m.rebus", "--each", "n=values.txt", "--results", "r.jsonl"];
    assert_eq!(rebus(&folder, &args).status.code(), Some(0));
    let whole = read(&folder, "r.jsonl");
    // the second line is missing, the fourth cut off
    let kept: Vec<&str> = whole.lines().collect();
    let cut = format!("{}\n{}\n{}", kept[0], kept[2], &kept[3][..20]);
    fs::write(folder.path().join("r.jsonl"), cut).expect("a file");
    let output = rebus(&folder, &args);
    assert_eq!(output.status.code(), Some(0));
    let again = lines(&folder, "r.jsonl");
    let places: Vec<String> = (1..=6).map(|line| format!("values.txt, line {line}")).collect();
    assert_eq!(column(&again, "instance"), places);
    assert_eq!(read(&folder, "r.jsonl").lines().next(), Some(kept[0]));
    assert_eq!(read(&folder, "r.jsonl").lines().nth(2), Some(kept[2]));
    // four were solved: each prints a drawing, and blank lines stand between
    assert_eq!(String::from_utf8(output.stdout).expect("text").split("\n\n").count(), 4);
    // a changed model, or an option, makes all of them new
    fs::write(folder.path().join("m.rebus"), format!("{MODEL}rule: x[4] < 9\n")).expect("a file");
    let output = rebus(&folder, &args);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(column(&lines(&folder, "r.jsonl"), "status")[5], "unsatisfiable");
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let folder = stage(1..=2);
    fs::write(folder.path().join("r.jsonl"), "my diary\n").expect("a file");
    let args = ["solve", "m.rebus", "--each", "n=values.txt", "--results", "r.jsonl"];
    assert_eq!(rebus(&folder, &args).status.code(), Some(2));
    assert_eq!(read(&folder, "r.jsonl"), "my diary\n");
}

#[test]
fn a_folder_of_formulas() {
    let folder = TempDir::new().expect("a folder");
    fs::create_dir(folder.path().join("in")).expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("in/a.cnf", "c comment\np cnf 2 2\n1 0\n-1 2 0\n");
    write("in/b.cnf", "p cnf 1 2\n1 0\n-1 0\n");
    write("in/c.cnf", "p cnf 1 1\n1 0\n");
    write("in/readme.txt", "no formula");
    // it counts its runs, and dies of the third formula
    write(
        "fake",
        "#!/bin/sh\necho x >> runs\ncase $1 in *c.cnf) kill -SEGV $$ ;; *b.cnf) echo 's UNSATISFIABLE' ;; *) echo 's SATISFIABLE'; echo 'v 1 2 0' ;; esac\n",
    );
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path().join("fake"), mode).expect("ours");
    let args = ["run", "./fake {in}", "in", "--jobs", "2", "--results", "r.jsonl", "-o", "answers"];
    let output = rebus(&folder, &args);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let first = lines(&folder, "r.jsonl");
    assert_eq!(column(&first, "instance"), ["in/a.cnf", "in/b.cnf", "in/c.cnf"]);
    assert_eq!(column(&first, "status"), ["satisfiable", "unsatisfiable", "failed"]);
    assert_eq!((&first[0]["variables"], &first[0]["clauses"]), (&2.into(), &2.into()));
    assert!(column(&first, "error")[2].contains("signal 11"));
    assert!(read(&folder, "answers/a.cnf.answer").ends_with("s SATISFIABLE\nv 1 2 0\n"));
    assert!(!folder.path().join("answers/c.cnf.answer").exists());
    // again: only what failed, and the formula that changed
    write("in/b.cnf", "p cnf 2 2\n1 0\n-1 0\n");
    rebus(&folder, &args);
    assert_eq!(read(&folder, "runs").lines().count(), 5);
    assert_eq!(column(&lines(&folder, "r.jsonl"), "status"), ["satisfiable", "unsatisfiable", "failed"]);
    // without a file the lines go to standard output
    let output = rebus(&folder, &["run", "./fake {in}", "in/a.cnf", "in/b.cnf"]);
    assert_eq!(String::from_utf8(output.stdout).expect("text").lines().count(), 2);
}

/// So many; `REBUS_KILLS=20 REBUS_LINES=100000` tries more.
fn wanted(variable: &str, otherwise: u32) -> u32 {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(otherwise)
}

/// Whenever a run is killed, all is printed in the end: once, or what may be there twice is named.
#[test]
fn a_killed_run_loses_nothing() {
    // every value is on so many lines
    let often = wanted("REBUS_LINES", 1000) / VALUES;
    const VALUES: u32 = 1000;
    let lines_wanted = VALUES * often;
    let value = |line: u32| (line - 1) % VALUES + 1;
    for (jobs, form) in [("1", "text"), ("3", "text"), ("2", "json"), ("2", "csv")] {
        let folder = stage((1..=lines_wanted).map(|line| value(line).into()));
        fs::write(folder.path().join("m.rebus"), "param n : int\nvar x : 1..1000\nrule: x = n\nshow x\n")
            .expect("a file");
        let mut doubtful = Vec::new();
        let mut told = String::new();
        let mut kills = 0;
        for run in 0.. {
            let out = fs::File::options()
                .append(true)
                .create(true)
                .open(folder.path().join("out"))
                .expect("a file");
            let mut child = Command::new(env!("CARGO_BIN_EXE_rebus"))
                .current_dir(folder.path())
                .args(["solve", "m.rebus", "--each", "n=values.txt", "--results", "r.jsonl"])
                .args(["--jobs", jobs, "-f", form])
                .stdout(out)
                .stderr(Stdio::piped())
                .spawn()
                .expect("rebus runs");
            if run < wanted("REBUS_KILLS", 5) {
                // when something is printed, and a moment later
                let before = read(&folder, "out").len();
                while read(&folder, "out").len() == before && child.try_wait().expect("ours").is_none() {
                    std::thread::sleep(Duration::from_micros(200));
                }
                std::thread::sleep(Duration::from_micros(u64::from(run * run * 31337 % (5 * lines_wanted))));
                let _ = child.kill();
            }
            let output = child.wait_with_output().expect("it ends");
            let said = String::from_utf8(output.stderr).expect("text");
            doubtful.extend(said.lines().filter_map(|line| {
                let (_, place) = line.split_once("an earlier run may have printed `values.txt, line ")?;
                place.split_once('`')?.0.parse::<u32>().ok()
            }));
            told = read(&folder, "out");
            if output.status.success() {
                break;
            }
            kills += 1;
        }
        assert!(kills > 1, "nothing was killed");
        let mut times = vec![0; VALUES as usize + 1];
        for line in told.lines() {
            let number = match form {
                "json" => {
                    serde_json::from_str::<Value>(line).ok().and_then(|line| line["values"]["x"].as_i64())
                }
                _ => line.parse().ok(),
            };
            if let Some(number) = number {
                times[number as usize] += 1;
            }
        }
        for number in 1..=VALUES {
            let found = times[number as usize];
            let most = often + doubtful.iter().filter(|line| value(**line) == number).count() as u32;
            assert!(
                (often..=most).contains(&found),
                "{form}: {number} is there {found} times, may be {most} times"
            );
        }
        assert_eq!(lines(&folder, "r.jsonl").len(), lines_wanted as usize);
        println!("{form}: {lines_wanted} lines, {kills} kills, {} lines may be there twice", doubtful.len());
    }
}

/// A picture is written when all is found: what was killed before it has no results.
#[test]
fn a_picture_comes_before_its_results() {
    let folder = stage(1..=200);
    let args = ["solve", "m.rebus", "--each", "n=values.txt", "--results", "r.jsonl", "-f", "svg"];
    let output = Command::new("sh")
        .current_dir(folder.path())
        .args(["-c", "exec \"$0\" \"$@\" >/dev/full", env!("CARGO_BIN_EXE_rebus")])
        .args(args)
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(read(&folder, "r.jsonl"), "");
    assert_eq!(rebus(&folder, &args).status.code(), Some(0));
    assert_eq!(lines(&folder, "r.jsonl").len(), 200);
}
