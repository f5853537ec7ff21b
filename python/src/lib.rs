//! The module `rebus._rebus`: puzzles for Python. The package `rebus` around it (`python/rebus`) is what people import.
//!
//! In: texts and numbers. Out: tuples, lists and dictionaries of plain values. Every question runs in a thread of its own, which
//! loads its puzzle from texts: the interpreter goes on meanwhile, and Ctrl-C ends the question.

mod ask;
mod plain;
mod spec;

use ask::{Running, ask};
use plain::{Answer, value_to_py};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rebus::{Explanation, Form, Judgement, Picture, Puzzle, Reason, Target, Uniqueness, Why};
use spec::Spec;
use std::sync::Arc;

/// A puzzle that was described, not loaded yet.
#[pyclass(frozen)]
struct Core {
    spec: Arc<Spec>,
}

type Reasons = Vec<(String, String, Vec<String>, Vec<String>)>;

fn reasons(list: Vec<Reason>) -> Reasons {
    list.into_iter().map(|one| (one.label, one.place, one.data, one.entries)).collect()
}

fn target(name: &str) -> PyResult<Target> {
    Ok(match name {
        "cnf" => Target::Cnf,
        "opb" => Target::Opb,
        "wcnf" => Target::Wcnf,
        "xcc" => Target::Xcc,
        _ => {
            return Err(PyValueError::new_err(format!(
                "`{name}` is no kind of formula: cnf, opb, wcnf, xcc"
            )));
        }
    })
}

#[pymethods]
impl Core {
    #[new]
    #[pyo3(signature = (model, is_text, values, data, without, timeout, seed, exact_cover, solver, encodings))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        model: String,
        is_text: bool,
        values: Vec<(String, String)>,
        data: Vec<(String, String)>,
        without: Vec<String>,
        timeout: Option<f64>,
        seed: u32,
        exact_cover: bool,
        solver: Option<String>,
        encodings: Vec<(String, String)>,
    ) -> PyResult<Core> {
        let encodings = spec::encodings(&encodings).map_err(PyValueError::new_err)?;
        let spec =
            Spec { model, is_text, values, data, without, timeout, seed, exact_cover, solver, encodings };
        Ok(Core { spec: Arc::new(spec) })
    }

    /// Warnings, and whether there is an objective.
    fn check(&self, py: Python<'_>) -> PyResult<(Vec<String>, bool)> {
        ask(py, &self.spec, |puzzle| {
            let checked = puzzle.check()?;
            let warnings = checked.warnings.iter().map(|fault| fault.message.clone()).collect();
            Ok((warnings, checked.objective))
        })
    }

    fn solve(&self, py: Python<'_>) -> PyResult<Option<Answer>> {
        ask(py, &self.spec, |puzzle| Ok(puzzle.solve()?.map(|solution| Answer::of(&solution))))
    }

    fn solutions(&self, py: Python<'_>) -> PyResult<Running> {
        Running::start(py, &self.spec)
    }

    /// `none`, `unique` or `several`; the solutions; the entries in which two differ.
    fn unique(&self, py: Python<'_>) -> PyResult<(&'static str, Vec<Answer>, Vec<String>)> {
        ask(py, &self.spec, |puzzle| {
            Ok(match puzzle.unique()? {
                Uniqueness::None => ("none", Vec::new(), Vec::new()),
                Uniqueness::Unique(one) => ("unique", vec![Answer::of(&one)], Vec::new()),
                Uniqueness::Several(one, other) => {
                    let differ = one.differs_from(&other);
                    ("several", vec![Answer::of(&one), Answer::of(&other)], differ)
                }
            })
        })
    }

    /// The number as text, is it complete, is it exact.
    #[pyo3(signature = (limit=None))]
    fn count(&self, py: Python<'_>, limit: Option<u64>) -> PyResult<(String, bool, bool)> {
        ask(py, &self.spec, move |puzzle| {
            let count = puzzle.count(limit)?;
            Ok((count.number, count.complete, count.exact))
        })
    }

    fn optimum(&self, py: Python<'_>) -> PyResult<Option<(Answer, bool)>> {
        ask(py, &self.spec, |puzzle| {
            Ok(puzzle.optimum()?.map(|best| (Answer::of(&best.solution), best.proven)))
        })
    }

    /// What all solutions share: values, what is open with what is possible, drawn as text and SVG, is it complete.
    fn deduce(&self, py: Python<'_>) -> PyResult<Option<Py<PyDict>>> {
        let found = ask(py, &self.spec, |puzzle| {
            Ok(puzzle.deduce()?.map(|known| {
                let drawn = (known.draw(Form::Text), known.draw(Form::Svg));
                let open: Vec<_> = known.open.into_iter().map(|entry| (entry.name, entry.possible)).collect();
                (known.fixed, open, drawn, known.complete)
            }))
        })?;
        let Some((fixed, open, (text, svg), complete)) = found else { return Ok(None) };
        let dict = PyDict::new(py);
        let known = PyDict::new(py);
        for (name, value) in &fixed {
            known.set_item(name, value_to_py(py, value)?)?;
        }
        let left = PyDict::new(py);
        for (name, possible) in &open {
            let list = possible
                .as_ref()
                .map(|list| list.iter().map(|one| value_to_py(py, one)).collect::<PyResult<Vec<_>>>());
            left.set_item(name, list.transpose()?)?;
        }
        dict.set_item("fixed", known)?;
        dict.set_item("open", left)?;
        dict.set_item("text", text)?;
        dict.set_item("svg", svg)?;
        dict.set_item("complete", complete)?;
        Ok(Some(dict.unbind()))
    }

    /// `impossible` with rules, `unique` with the solution, or `several` with two.
    fn explain(&self, py: Python<'_>) -> PyResult<(&'static str, Reasons, Vec<Answer>)> {
        ask(py, &self.spec, |puzzle| {
            Ok(match puzzle.explain()? {
                Explanation::Impossible(conflict) => ("impossible", reasons(conflict.reasons), Vec::new()),
                Explanation::Unique(one) => ("unique", Vec::new(), vec![Answer::of(&one)]),
                Explanation::Several { first, second, .. } => {
                    ("several", Vec::new(), vec![Answer::of(&first), Answer::of(&second)])
                }
            })
        })
    }

    /// `forced` with its value and the rules, `open` with two values, `impossible` with rules.
    fn why(&self, py: Python<'_>, expression: String) -> PyResult<(&'static str, Vec<Py<PyAny>>, Reasons)> {
        let (kind, values, rules) = ask(py, &self.spec, move |puzzle| {
            Ok(match puzzle.why(&expression)? {
                Why::Forced(value, conflict) => ("forced", vec![value], reasons(conflict.reasons)),
                Why::Open(one, other) => ("open", vec![one, other], Vec::new()),
                Why::Impossible(conflict) => ("impossible", Vec::new(), reasons(conflict.reasons)),
            })
        })?;
        let values = values.iter().map(|value| value_to_py(py, value)).collect::<PyResult<_>>()?;
        Ok((kind, values, rules))
    }

    /// `correct` with the objective, `broken` with rules, `unlike`, `incomplete` with what is missing.
    fn verify(
        &self,
        py: Python<'_>,
        answer: String,
    ) -> PyResult<(&'static str, Option<i64>, Reasons, Vec<String>)> {
        ask(py, &self.spec, move |puzzle| {
            Ok(match puzzle.verify(&answer)? {
                Judgement::Correct(cost) => ("correct", cost, Vec::new(), Vec::new()),
                Judgement::Broken(rules) => ("broken", None, reasons(rules), Vec::new()),
                Judgement::Incomplete(names) => ("incomplete", None, Vec::new(), names),
                _ => ("unlike", None, Vec::new(), Vec::new()),
            })
        })
    }

    fn clauses(&self, py: Python<'_>) -> PyResult<Vec<Vec<i32>>> {
        ask(py, &self.spec, Puzzle::clauses)
    }

    /// Text, map, variables, rows.
    fn formula(&self, py: Python<'_>, kind: &str) -> PyResult<(String, String, u32, u64)> {
        let kind = target(kind)?;
        ask(py, &self.spec, move |puzzle| {
            let formula = puzzle.formula(kind)?;
            Ok((formula.text, formula.map, formula.variables, formula.rows))
        })
    }

    /// The puzzle as given: text and SVG.
    fn draw(&self, py: Python<'_>) -> PyResult<(String, String)> {
        ask(py, &self.spec, |puzzle| Ok((puzzle.draw(Form::Text)?, puzzle.draw(Form::Svg)?)))
    }

    /// A solution as SVG, by the positions of its values.
    fn picture(&self, py: Python<'_>, positions: Vec<u32>) -> PyResult<String> {
        ask(py, &self.spec, move |puzzle| {
            let positions: Vec<Option<u32>> = positions.into_iter().map(Some).collect();
            Ok(puzzle.attempt(&positions)?.svg)
        })
    }
}

/// The solutions that a solver's output holds, and whether they are all.
#[pyfunction]
fn decode(py: Python<'_>, map: String, output: String) -> PyResult<(Vec<Answer>, bool)> {
    ask::call(py, move || {
        let decoded = rebus::decode(&map, &output)?;
        Ok((decoded.solutions.iter().map(Answer::of).collect(), decoded.complete))
    })
}

/// Models of the catalogue: name, meaning, other names, text, boards with their texts.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn catalogue()
-> Vec<(&'static str, String, Vec<&'static str>, &'static str, Vec<(&'static str, &'static str)>)> {
    rebus::catalogue()
        .into_iter()
        .map(|one| (one.name, one.about, one.aliases, one.text, one.boards))
        .collect()
}

/// The style sheet of the pictures.
#[pyfunction]
fn style() -> &'static str {
    Picture::style()
}

#[pymodule]
fn _rebus(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Core>()?;
    module.add_class::<Answer>()?;
    module.add_class::<Running>()?;
    module.add_function(wrap_pyfunction!(decode, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue, module)?)?;
    module.add_function(wrap_pyfunction!(style, module)?)
}
