//! Answers and faults without borrowed parts, as they go from thread to thread and to Python.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rebus::{Error, Form, Severity, Solution, Value};

/// A solution.
#[pyclass(frozen, get_all)]
#[derive(Clone, Debug)]
pub struct Answer {
    pub objective: Option<i64>,
    /// As it is drawn in a terminal.
    pub text: String,
    /// The positions of its values in their domains.
    pub positions: Vec<u32>,
    values: Named,
}

#[derive(Clone, Debug)]
struct Named(Vec<(String, Value)>);

impl<'py> IntoPyObject<'py> for Named {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in &self.0 {
            dict.set_item(name, value_to_py(py, value)?)?;
        }
        Ok(dict)
    }
}

impl Answer {
    pub fn of(solution: &Solution) -> Answer {
        Answer {
            objective: solution.objective(),
            text: solution.draw(Form::Text),
            positions: solution.positions().to_vec(),
            values: Named(solution.values().to_vec()),
        }
    }
}

/// None, booleans, numbers and texts; lists; dictionaries whose keys are texts in the syntax of a model.
pub fn value_to_py(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    Ok(match value {
        Value::None => py.None(),
        Value::Bool(on) => on.into_pyobject(py)?.to_owned().into_any().unbind(),
        Value::Int(number) => number.into_pyobject(py)?.into_any().unbind(),
        Value::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
        Value::List(items) => {
            let items = items.iter().map(|item| value_to_py(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any().unbind()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (key, value) in fields {
                dict.set_item(key, value_to_py(py, value)?)?;
            }
            dict.into_any().unbind()
        }
    })
}

/// Why a question has no answer.
pub struct Failed {
    message: String,
    limit: bool,
    faults: Vec<Told>,
}

/// A fault: code, is it an error, message, places, notes, help.
type Told = (&'static str, bool, String, Vec<(String, usize, usize, String)>, Vec<String>, Vec<String>);

impl Failed {
    pub fn of(error: &Error) -> Failed {
        let told = |fault: &rebus::Fault| {
            let places = fault
                .places
                .iter()
                .map(|at| (at.source.clone(), at.line, at.column, at.label.clone()))
                .collect();
            let is_error = matches!(fault.severity, Severity::Error);
            (fault.code, is_error, fault.message.clone(), places, fault.notes.clone(), fault.help.clone())
        };
        let faults = error.faults().iter().map(told).collect();
        Failed { message: error.to_string(), limit: error.is_limit(), faults }
    }

    pub fn panic() -> Failed {
        let message = "rebus has failed; please report this with the model and its data".to_owned();
        Failed { message, limit: false, faults: Vec::new() }
    }

    /// An exception of the package.
    pub fn to_py(&self, py: Python<'_>) -> PyErr {
        let made = py
            .import("rebus.errors")
            .and_then(|module| module.getattr(if self.limit { "LimitError" } else { "RebusError" }))
            .and_then(|class| class.call1((self.message.clone(), self.faults.clone())));
        match made {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        }
    }
}
