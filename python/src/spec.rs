//! The description of a puzzle: texts and options, which any thread may load.

use rebus::{Encodings, Error, Puzzle};
use std::time::Duration;

pub struct Spec {
    /// A name of the catalogue, a path, a link of another program; or the text itself.
    pub model: String,
    pub is_text: bool,
    /// Values of parameters, as `-D` takes them.
    pub values: Vec<(String, String)>,
    /// Names and texts of data; a text that is empty is read from the file of that name.
    pub data: Vec<(String, String)>,
    pub without: Vec<String>,
    /// Seconds.
    pub timeout: Option<f64>,
    pub seed: u32,
    pub exact_cover: bool,
    pub solver: Option<String>,
    pub encodings: Encodings,
}

impl Spec {
    pub fn load(&self) -> Result<Puzzle, Error> {
        let mut builder = match self.is_text {
            true => Puzzle::from_text(&self.model),
            false => Puzzle::builder(&self.model),
        };
        for (name, value) in &self.values {
            builder = builder.value(name, value);
        }
        for (name, text) in &self.data {
            builder = if text.is_empty() { builder.data_file(name) } else { builder.data(name, text) };
        }
        for label in &self.without {
            builder = builder.without(label);
        }
        if let Some(limit) = self.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            builder = builder.timeout(limit);
        }
        if self.exact_cover {
            builder = builder.exact_cover();
        }
        if let Some(solver) = &self.solver {
            builder = builder.solver(solver);
        }
        builder.seed(self.seed).encodings(self.encodings).load()
    }
}

/// The encodings by kind of constraint and name: `amo`, `pairwise`.
pub fn encodings(named: &[(String, String)]) -> Result<Encodings, String> {
    let mut chosen = Encodings::default();
    for (kind, name) in named {
        match kind.as_str() {
            "int" => chosen.int = name.parse()?,
            "amo" => chosen.amo = name.parse()?,
            "card" => chosen.card = name.parse()?,
            "sum" => chosen.sum = name.parse()?,
            "line" => chosen.line = name.parse()?,
            "graph" => chosen.graph = name.parse()?,
            _ => return Err(format!("`{kind}` is none of int, amo, card, sum, line, graph")),
        }
    }
    Ok(chosen)
}
