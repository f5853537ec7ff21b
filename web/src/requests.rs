//! Requests: what the page may ask, and a puzzle from its texts.

use crate::answers;
use crate::say;
use rebus::{Builder, Error, Puzzle};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::time::Duration;

/// A puzzle as the page holds it.
#[derive(Deserialize, Debug)]
pub struct Texts {
    /// The name of its model in the catalogue, if it is from there.
    #[serde(default)]
    pub genre: Option<String>,
    pub model: String,
    #[serde(default)]
    pub data: String,
    /// Labels of rules that are left out.
    #[serde(default)]
    pub without: Vec<String>,
    #[serde(default)]
    pub seed: u32,
    /// Seconds for a question; none is no limit.
    #[serde(default)]
    pub seconds: Option<f64>,
}

/// A question about a puzzle.
#[derive(Deserialize, Debug)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub enum Question {
    /// Faults, the picture as given, parameters and variables.
    Open,
    /// New texts of parameters' entries: the data with them.
    Enter {
        changes: Vec<(String, usize, String)>,
    },
    /// The first solution; `next` of a request without a puzzle is the next one.
    Solve,
    Unique,
    Deduce,
    Explain,
    Why {
        expression: String,
    },
    Count {
        limit: Option<u64>,
    },
    /// The picture of an attempt.
    Attempt {
        positions: Vec<Option<u32>>,
    },
    Judge {
        positions: Vec<Option<u32>>,
    },
    Verify {
        answer: String,
    },
    Formula {
        target: String,
        annotated: bool,
    },
    Export {
        form: String,
    },
}

/// A request without a puzzle.
#[derive(Deserialize, Debug)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Other {
    /// The catalogue, the names of the language, the style of pictures.
    About,
    /// The texts of a model of the catalogue and of a board.
    Catalogue {
        genre: String,
        board: Option<String>,
    },
    Next,
    Import {
        text: String,
        name: String,
    },
    Format {
        text: String,
    },
    Decode {
        map: String,
        output: String,
    },
}

impl Texts {
    pub fn places(&self) -> say::Texts<'_> {
        say::Texts { model: &self.model, data: &self.data }
    }

    /// Are the data an object of JSON?
    pub fn is_json(&self) -> bool {
        self.data.trim_start().starts_with('{')
    }

    pub fn load(&self) -> Result<Puzzle, Error> {
        let shipped = self.genre.as_ref().is_some_and(|genre| {
            rebus::catalogue().iter().any(|model| model.name == genre && model.text == self.model)
        });
        let mut builder: Builder = match &self.genre {
            Some(genre) if shipped => Puzzle::builder(genre),
            _ => {
                let builder = Puzzle::from_text(&self.model);
                rebus::catalogue().iter().fold(builder, |builder, model| {
                    builder.import(&format!("{}.rebus", model.name), model.text)
                })
            }
        };
        if !self.data.trim().is_empty() {
            builder = builder.data(if self.is_json() { "data.json" } else { "data" }, &self.data);
        }
        for label in &self.without {
            builder = builder.without(label);
        }
        if let Some(seconds) = self.seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0) {
            builder = builder.timeout(Duration::from_secs_f64(seconds.min(1e9)));
        }
        builder.incomplete().seed(self.seed).on_progress(crate::told).load()
    }
}

/// The answer to a request, both in JSON. A request that is none gets a fault.
pub fn answered(request: &[u8]) -> String {
    let answer = match serde_json::from_slice::<Json>(request) {
        Ok(request) => dispatched(request),
        Err(error) => json!({ "internal": format!("the request is no JSON: {error}") }),
    };
    answer.to_string()
}

fn dispatched(mut request: Json) -> Json {
    let wrong =
        |error: serde_json::Error| json!({ "internal": format!("the request is not known: {error}") });
    let texts = request.get_mut("puzzle").map(Json::take);
    match texts {
        Some(texts) => {
            match (serde_json::from_value::<Texts>(texts), serde_json::from_value::<Question>(request)) {
                (Ok(texts), Ok(question)) => answers::about(&texts, question)
                    .unwrap_or_else(|error| say::error(&error, &texts.places())),
                (Err(error), _) | (_, Err(error)) => wrong(error),
            }
        }
        None => match serde_json::from_value::<Other>(request) {
            Ok(other) => other_answer(other),
            Err(error) => wrong(error),
        },
    }
}

fn other_answer(request: Other) -> Json {
    let nowhere = say::Texts { model: "", data: "" };
    let answer = match request {
        Other::About => Ok(answers::about_all()),
        Other::Catalogue { genre, board } => Ok(answers::shipped(&genre, board.as_deref())),
        Other::Next => answers::next(),
        Other::Import { text, name } => answers::import(&text, &name),
        Other::Format { text } => {
            let places = say::Texts { model: &text, data: &text };
            return match rebus::format(&text) {
                Ok(text) => json!({ "text": text }),
                Err(error) => say::error(&error, &places),
            };
        }
        Other::Decode { map, output } => answers::decode(&map, &output),
    };
    answer.unwrap_or_else(|error| say::error(&error, &nowhere))
}
