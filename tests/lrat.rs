//! The checker of LRAT proofs: what it accepts holds, whatever was done to the formula or to the proof.

#[path = "common/dice.rs"]
mod dice;

use dice::Dice;
use rebus::certify::lrat::{self, Fault};
use rebus::shared::Budget;
use rebus::solve::{Verdict, refute::refute};
use std::collections::BTreeMap;
use std::fs;
use tempfile::TempDir;

type Clause = Vec<i64>;

fn check(formula: &str, proof: &str) -> Result<(), Fault> {
    lrat::check(formula.as_bytes(), proof.as_bytes(), &mut || true)
}

fn dimacs(vars: i64, clauses: &[Clause]) -> String {
    let mut text = format!("c random\np cnf {vars} {}\n", clauses.len());
    clauses.iter().for_each(|clause| text += &(line(clause) + "\n"));
    text
}

fn line(numbers: &[i64]) -> String {
    numbers.iter().chain([&0]).map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// By trying every assignment.
fn has_model(vars: i64, clauses: &[Clause]) -> bool {
    (0..1_u32 << vars).any(|values| {
        let holds = |lit: &i64| (values >> (lit.abs() - 1) & 1 == 1) == (*lit > 0);
        clauses.iter().all(|clause| clause.iter().any(holds))
    })
}

/// Does a clause follow by unit propagation with all of these?
fn follows(clause: &[i64], known: &BTreeMap<i64, Clause>) -> bool {
    let mut holds: Vec<i64> = clause.iter().map(|lit| -lit).collect();
    loop {
        let before = holds.len();
        for clause in known.values() {
            let mut open: Clause = clause.iter().copied().filter(|lit| !holds.contains(&-lit)).collect();
            open.dedup();
            match open[..] {
                [] => return true,
                [unit] if !holds.contains(&unit) => holds.push(unit),
                _ => {}
            }
        }
        if holds.len() == before {
            return false;
        }
    }
}

/// Does every step up to the empty clause follow from those before, whatever clauses it names? `None`: the proof is not one.
fn holds(clauses: &[Clause], proof: &str) -> Option<bool> {
    let mut known: BTreeMap<i64, Clause> = (1..).zip(clauses.iter().cloned()).collect();
    for line in proof.lines() {
        if known.values().any(Vec::is_empty) {
            return Some(true);
        }
        let (id, rest) = line.split_once(' ')?;
        let numbers: Option<Vec<i64>> =
            rest.trim_start_matches("d ").split_whitespace().map(|word| word.parse().ok()).collect();
        let numbers = numbers?;
        if rest.starts_with("d ") {
            numbers.iter().for_each(|id| drop(known.remove(id)));
            continue;
        }
        let clause = numbers.split(|number| *number == 0).next()?.to_vec();
        if !follows(&clause, &known) {
            return Some(false);
        }
        known.insert(id.parse().ok()?, clause);
    }
    Some(known.values().any(Vec::is_empty))
}

fn random_formula(dice: &mut Dice) -> (i64, Vec<Clause>) {
    let vars = 4 + dice.below(7) as i64;
    let count = vars as usize * 5 + dice.below(30);
    let literal = |dice: &mut Dice| dice.range(1, vars) * if dice.coin() { 1 } else { -1 };
    let clauses = (0..count).map(|_| {
        let mut clause: Clause = (0..3).map(|_| literal(dice)).collect();
        clause.sort_unstable();
        clause.dedup();
        clause
    });
    (vars, clauses.filter(|clause: &Clause| clause.iter().all(|lit| !clause.contains(&-lit))).collect())
}

/// A proof by CaDiCaL, if the formula has no model.
fn proven(vars: i64, clauses: &[Clause], folder: &TempDir) -> Option<String> {
    let [formula, proof] = ["f.cnf", "p.lrat"].map(|name| folder.path().join(name));
    fs::write(&formula, dimacs(vars, clauses)).expect("written");
    let verdict = refute(&formula, Some(&proof), 0, &Budget::unlimited()).expect("an answer");
    assert_eq!(!has_model(vars, clauses), verdict == Verdict::Unsatisfiable, "{clauses:?}");
    (verdict == Verdict::Unsatisfiable).then(|| fs::read_to_string(&proof).expect("a proof"))
}

/// A proof by resolution of one clause after the other, with deletions: variable by variable, as Davis and Putnam have it.
fn resolved(vars: i64, clauses: &[Clause]) -> String {
    let mut known: Vec<(usize, Clause)> = (1..).zip(clauses.iter().cloned()).collect();
    let mut last = clauses.len();
    let mut proof = String::new();
    for var in 1..=vars {
        let (of_var, others): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|(_, clause)| clause.iter().any(|lit| lit.abs() == var));
        known = others;
        for (one, with) in of_var.iter().filter(|(_, clause)| clause.contains(&var)) {
            for (other, without) in of_var.iter().filter(|(_, clause)| clause.contains(&-var)) {
                let mut both: Clause =
                    with.iter().chain(without).copied().filter(|lit| lit.abs() != var).collect();
                both.sort_unstable();
                both.dedup();
                if both.iter().any(|lit| both.contains(&-lit))
                    || known.iter().any(|(_, old)| old.iter().all(|lit| both.contains(lit)))
                {
                    continue;
                }
                last += 1;
                proof += &format!("{last} {} {one} {other} 0\n", line(&both));
                known.push((last, both));
            }
        }
        let gone: Vec<String> = of_var.iter().map(|(id, _)| id.to_string()).collect();
        proof += &format!("{last} d {} 0\n", gone.join(" ")).replace("  ", " ");
    }
    proof
}

/// A number or a line changed, left out, put in or moved.
fn changed(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<Vec<String>> =
        text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    let at = dice.below(lines.len());
    let words = lines[at].len();
    let word = dice.below(words);
    match dice.below(8) {
        0 => drop(lines.remove(at)),
        1 => {
            let to = dice.below(lines.len());
            lines.swap(at, to);
        }
        2 => drop(lines[at].remove(word)),
        3 => {
            let other =
                lines[at][word].strip_prefix('-').map_or(format!("-{}", lines[at][word]), str::to_owned);
            lines[at][word] = other;
        }
        4 => lines[at][word] = dice.below(30).to_string(),
        5 => lines[at].insert(word, (1 + dice.below(9)).to_string()),
        6 => {
            let id = 1 + dice.below(40);
            lines.insert(at, ["1", "d", &id.to_string(), "0"].map(str::to_owned).to_vec());
        }
        _ => lines.truncate(at + 1),
    }
    lines.iter().map(|words| words.join(" ") + "\n").collect()
}

#[test]
fn what_is_accepted_holds() {
    let folder = TempDir::new().expect("a folder");
    let mut dice = Dice::new(5);
    let (mut proofs, mut accepted, mut rejected, mut with_model) = (0, 0, 0, 0);
    for number in 0..150 {
        let (vars, clauses) = random_formula(&mut dice);
        let formula = dimacs(vars, &clauses);
        let Some(proof) = proven(vars, &clauses, &folder) else {
            with_model += 1;
            let proof = resolved(vars, &clauses);
            assert_eq!(holds(&clauses, &proof), Some(false), "{formula}{proof}");
            assert!(check(&formula, &proof).is_err(), "{formula}{proof}");
            continue;
        };
        for proof in [proof, resolved(vars, &clauses)] {
            proofs += 1;
            assert_eq!(check(&formula, &proof), Ok(()), "{number}: {formula}{proof}");
            assert_eq!(holds(&clauses, &proof), Some(true), "{number}: {formula}{proof}");
            for _ in 0..20 {
                let other = changed(&proof, &mut dice);
                match check(&formula, &other) {
                    Ok(()) => {
                        accepted += 1;
                        assert_eq!(holds(&clauses, &other), Some(true), "{number}: {formula}{other}");
                    }
                    Err(_) => rejected += 1,
                }
            }
            // of another formula: a clause less, a literal more, a literal negated
            for at in 0..clauses.len() {
                let mut other = clauses.clone();
                match at % 3 {
                    0 => drop(other.remove(at)),
                    1 => other[at].push(dice.range(1, vars)),
                    _ => other[at][0] *= -1,
                }
                match check(&dimacs(vars, &other), &proof) {
                    Ok(()) => {
                        assert!(!has_model(vars, &other), "{number}: {other:?}\n{proof}");
                        assert_eq!(holds(&other, &proof), Some(true), "{number}: {other:?}\n{proof}");
                    }
                    Err(_) => rejected += 1,
                }
            }
        }
    }
    let told = format!("{proofs} {accepted} {rejected} {with_model}");
    assert!(proofs > 100 && accepted > 200 && rejected > 2000 && with_model > 10, "{told}");
}

/// What is wrong, and where.
#[test]
fn faults_are_told() {
    const FORMULA: &str = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
    assert_eq!(check(FORMULA, "5 2 0 1 2 0\n6 0 5 3 4 0\n"), Ok(()));
    assert_eq!(check(FORMULA, "c hello\n\n5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\nanything"), Ok(()));
    assert_eq!(check("p cnf 0 1\n0\n", ""), Ok(()));
    for (proof, words) in [
        ("", "the proof ends before the empty clause"),
        ("5 2 0 1 2 0\n", "the proof ends before the empty clause"),
        ("5 2 0 1 0\n6 0 5 3 4 0\n", "line 1 of the proof: the clause is not seen to follow"),
        ("5 0 1 2 3 4 0\n", "line 1 of the proof: clause 1 leaves more than one literal"),
        ("5 2 0 1 2 0\n6 0 5 7 4 0\n", "line 2 of the proof: there is no clause 7"),
        ("5 2 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", "line 3 of the proof: there is no clause 3"),
        ("5 d 9 0\n", "there is no clause 9"),
        ("5 2 0 1 2 0\n5 0 5 3 4 0\n", "there is a clause 5 already"),
        ("5 2 0 -1 2 0\n", "a step of RAT"),
        ("5 2 0 1 2\n", "literals, 0, numbers of clauses and 0 are expected"),
        ("5 2 0 1 2 0 0\n", "literals, 0, numbers of clauses and 0 are expected"),
        ("5 x 0 1 2 0\n", "`x` is no literal"),
        ("5 99999999999 0 1 2 0\n", "`99999999999` is no literal"),
        ("5 -2147483648 0 1 2 0\n", "`-2147483648` is no literal"),
        ("-5 2 0 1 2 0\n", "`-5` is no number"),
        ("a\u{17}", "is no number that is expected here"),
    ] {
        let fault = check(FORMULA, proof).expect_err(proof);
        assert!(fault.to_string().contains(words), "{proof}: {fault}");
    }
    for (formula, words) in [
        ("", "no header"),
        ("1 2 0\n", "line 1 of the formula: `p cnf VARIABLES CLAUSES` expected"),
        ("p cnf 2\n", "`p cnf VARIABLES CLAUSES` expected"),
        ("p wcnf 2 1\n1 0\n", "`p cnf VARIABLES CLAUSES` expected"),
        ("p cnf 2 1\n1 3 0\n", "there are 2 variables, `3` is none of them"),
        ("p cnf 2 1\n1 x 0\n", "`x` is no literal"),
        ("p cnf 2 2\n1 2 0\n", "the formula has 1 clauses, and says that it has 2"),
        ("p cnf 2 1\n1 0 0\n", "more than 1 clauses"),
        ("p cnf 2 1\n1 0 2\n", "the formula ends in a clause"),
    ] {
        let fault = check(formula, "1 0 0\n").expect_err(formula);
        assert!(matches!(fault, Fault::Unreadable(_)), "{formula}: {fault:?}");
        assert!(fault.to_string().contains(words), "{formula}: {fault}");
    }
    let not_text = lrat::check(FORMULA.as_bytes(), &b"5 \xff 0"[..], &mut || true);
    assert!(matches!(not_text, Err(Fault::Unreadable(_))));
    let long = "c\n".repeat(3000);
    assert_eq!(lrat::check(FORMULA.as_bytes(), long.as_bytes(), &mut || false), Err(Fault::Stopped));
}
