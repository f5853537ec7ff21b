//! A gigabyte of comments passes through in constant memory. Alone in its file, so that the peak is its own.

use rebus::encode::Target;
use rebus::shared::Budget;
use rebus::solve::Verdict;
use rebus::solve::find::Places;
use rebus::solve::solver_run::{Extras, solve_file};
use rebus::solve::table::Solver;
use std::fs;

#[test]
fn a_gigabyte_of_comments() {
    let folder = tempfile::TempDir::new().unwrap();
    let formula = folder.path().join("in.cnf");
    fs::write(&formula, "p cnf 1 1\n1 0\n").unwrap();
    let script = "yes 'c comment' | head -c 1G; head -c 100M /dev/zero | tr '\\0' x; echo; \
                  echo 's SATISFIABLE'; echo 'v 1 0'";
    let solver = Solver::typed(&format!("/bin/sh -c \"{script}\" {{in}}"), Target::Cnf).unwrap();
    let run =
        solve_file(&solver, &Places::default(), &formula, Extras::default(), &Budget::unlimited()).unwrap();
    assert!(matches!(run.verdict, Verdict::Satisfiable { .. }), "{:?}", run.verdict);
    if let Ok(status) = fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
        let kilobytes: u64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(kilobytes < 64 << 10, "{peak}");
    }
}
