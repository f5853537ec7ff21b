//! Model, imports, data and single values → a program.
//!
//! Records every text with its role, for symbol maps and dependency files.

use super::failure::Faulty;
use crate::catalogue;
use crate::diag::{Code, Diagnostic, Severity, Sources};
use crate::encode::symbols::{Role, Text};
use crate::eval::{Input, Later, Loader, Program, Without};
use crate::files;
use crate::import::{self, Imported};
use crate::shared::{FileId, nearest};
use std::path::{Path, PathBuf};

/// Upper bound on the bytes of a symbol map.
pub const MOST_READ: u64 = 1 << 30;

/// Upper bound on the bytes of a model, an import, data or an answer: the parsed form takes fifty times as much
/// memory.
pub const MOST_TEXT: u64 = 16 << 20;

/// Upper bound on the bytes of all imports, and of all texts in a map: their number is untrusted.
const MOST_TEXTS: usize = 4 * MOST_TEXT as usize;
/// Upper bound on the files that a model may import.
const MOST_IMPORTS: usize = 1 << 10;

/// Boards named in a message.
const NAMED_BOARDS: usize = 3;

/// The source of a model.
#[derive(Clone, Debug)]
pub enum ModelSource {
    /// A path (with `/` or a suffix), a name of the catalogue, a puzzle in a format of another program.
    Named(String),
    /// The text itself, with the texts it may import, by import name.
    Text { name: String, text: String, imports: Vec<(String, String)> },
}

/// The source of data.
#[derive(Clone, Debug)]
pub enum DataSource {
    File(PathBuf),
    Text { name: String, text: String },
}

/// A model and its inputs.
#[derive(Clone, Debug)]
pub struct Texts {
    pub model: ModelSource,
    pub data: Vec<DataSource>,
    /// `NAME=VALUE`, `NAME=@FILE`.
    pub defines: Vec<String>,
    /// Labels of rules to drop.
    pub without: Vec<String>,
}

/// A program, and its texts.
pub struct Loaded {
    pub sources: Sources,
    pub program: Program,
    /// The name of its model in the catalogue, if it is from there.
    pub genre: Option<&'static str>,
    pub without: Without,
    /// All texts of the program, in order of reading.
    pub texts: Vec<Text>,
    /// The files among them.
    pub files: Vec<PathBuf>,
}

fn plain(fault: Diagnostic) -> Faulty {
    Faulty { sources: Sources::default(), faults: vec![fault] }
}

/// The place of a model, for its imports.
enum Home {
    Folder(PathBuf),
    /// The name in the catalogue.
    Catalogue(&'static str),
    /// These texts, from a symbol map or a caller.
    Texts(Vec<Text>),
}

struct Imports<'a> {
    home: &'a Home,
    texts: &'a mut Vec<Text>,
    files: &'a mut Vec<PathBuf>,
}

impl Loader for Imports<'_> {
    fn import(&mut self, from: &str, path: &str) -> Result<(String, String), Diagnostic> {
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        // relative to the model's folder, as in a symbol map
        let key = match self.home {
            Home::Folder(folder) => beside.strip_prefix(folder).unwrap_or(&beside),
            Home::Texts(_) => &beside,
            Home::Catalogue(_) => Path::new(path),
        };
        let key = key.display().to_string();
        let (name, text) = match self.home {
            Home::Catalogue(name) => {
                let folder = catalogue::model(name).map_or("", |model| model.folder());
                let full = format!("{folder}/{path}");
                let text = catalogue::file(&full).ok_or_else(|| {
                    Diagnostic::error(Code::ImportNotAllowed, format!("the catalogue has no `{full}`"))
                })?;
                (full, text.to_string())
            }
            Home::Folder(folder) => {
                let found = files::contained(folder, &key)?;
                let text = files::read_text(&found, MOST_TEXT)?;
                // the path relative to the current folder, as for the model
                self.files.push(beside.clone());
                (beside.display().to_string(), text)
            }
            Home::Texts(texts) => {
                let text = texts
                    .iter()
                    .find(|text| text.role == Role::Import && text.path == key)
                    .ok_or_else(|| {
                        Diagnostic::error(Code::MapMismatch, format!("there is no text `{key}` to import"))
                    })?;
                (key.clone(), text.text.clone())
            }
        };
        let imports = || self.texts.iter().filter(|text| text.role == Role::Import);
        if !imports().any(|known| known.path == key) {
            let bytes = imports().map(|text| text.text.len()).sum::<usize>() + text.len();
            if imports().count() >= MOST_IMPORTS || bytes > MOST_TEXTS {
                let message = format!(
                    "more than {MOST_IMPORTS} imports, or {MOST_TEXTS} bytes of them, are over the limit"
                );
                return Err(Diagnostic::error(Code::LimitExceeded, message));
            }
            self.texts.push(Text { role: Role::Import, path: key, text: text.clone() });
        }
        Ok((name, text))
    }
}

/// Loads a model with its data.
pub fn load(names: &Texts) -> Result<Loaded, Faulty> {
    load_later(names, Later::NONE)
}

/// Loads a model with its data; the parameters `later` may have no value.
pub fn load_later(names: &Texts, later: Later<'_>) -> Result<Loaded, Faulty> {
    let mut reading = Reading::default();
    let (home, model) = match reading.model(&names.model) {
        Ok(found) => found,
        Err(fault) => return Err(Faulty { sources: reading.sources, faults: vec![fault] }),
    };
    let mut faults = Vec::new();
    // puzzles of other models
    let mut others = Vec::new();
    for data in &names.data {
        match reading.data(data, &home) {
            Ok(genre) => others.extend(genre),
            Err(fault) => faults.push(fault),
        }
    }
    faults.extend(names.defines.iter().filter_map(|define| reading.define(define).err()));
    for label in &names.without {
        reading.texts.push(Text { role: Role::Without, path: "label".into(), text: label.clone() });
    }
    if !faults.is_empty() {
        return Err(Faulty { sources: reading.sources, faults });
    }
    let genre = match &home {
        Home::Catalogue(name) => Some(*name),
        _ => None,
    };
    let without = Without { labels: names.without.clone() };
    // a puzzle of another model that has the same parameters is welcome
    let loaded = reading.finish(home, model, later, without).map_err(|mut faulty| {
        let wrong = |code| faulty.faults.iter().position(|fault| fault.code == code);
        let data_are_missing = names.data.is_empty().then(|| wrong(Code::MissingParameter)).flatten();
        if let Some(at) = data_are_missing
            && let Some(help) = genre.and_then(boards_of)
        {
            faulty.faults[at].help.push(help);
        }
        if let Some(first) = faulty.faults.first_mut() {
            first.notes.extend(others);
            first.help.extend(data_as_model(&names.model));
        }
        faulty
    })?;
    Ok(Loaded { genre, ..loaded })
}

/// Texts that have been read so far.
#[derive(Default)]
struct Reading {
    sources: Sources,
    inputs: Vec<Input>,
    /// For symbol maps.
    texts: Vec<Text>,
    /// For dependency files.
    files: Vec<PathBuf>,
}

impl Reading {
    /// Where the model stands, and its text.
    fn model(&mut self, source: &ModelSource) -> Result<(Home, FileId), Diagnostic> {
        let (home, name, text, clues) = match source {
            ModelSource::Text { name, text, imports } => {
                let import = |(path, text): &(String, String)| Text {
                    role: Role::Import,
                    path: path.clone(),
                    text: text.clone(),
                };
                let home = Home::Texts(imports.iter().map(import).collect());
                (home, name.clone(), text.clone(), None)
            }
            ModelSource::Named(model) => {
                let puzzle = given_puzzle(model, &mut self.sources).transpose()?;
                let genre = puzzle.as_ref().map_or(model.as_str(), |puzzle| puzzle.genre);
                let (home, name, text) = model_text(genre, &mut self.files)?;
                (home, name, text, puzzle)
            }
        };
        let file = self.sources.add(&name, &text);
        self.texts.push(Text { role: Role::Model, path: base_name(&name), text });
        if let Some(Imported { genre, clues, .. }) = clues {
            let path = format!("{genre}.clues");
            self.inputs.push(Input::Data(self.sources.add(&path, &clues)));
            self.texts.push(Text { role: Role::Data, path, text: clues });
        }
        Ok((home, file))
    }

    /// Reads data; a note if they are a puzzle of some model.
    fn data(&mut self, source: &DataSource, home: &Home) -> Result<Option<String>, Diagnostic> {
        let (name, text) = match source {
            DataSource::File(path) => {
                if let Some(puzzle) = path.to_str().and_then(|text| given_puzzle(text, &mut self.sources)) {
                    let Imported { genre, clues, .. } = puzzle?;
                    let path = format!("{genre}.clues");
                    self.inputs.push(Input::Data(self.sources.add(&path, &clues)));
                    self.texts.push(Text { role: Role::Data, path: path.clone(), text: clues });
                    return Ok(Some(format!("the link holds a puzzle of `{genre}`")));
                }
                data_text(path, home, &mut self.files)?
            }
            DataSource::Text { name, text } => (name.clone(), text.clone()),
        };
        let file = self.sources.add(&name, &text);
        let (input, text, genre) = data_input(&name, &text, file, &mut self.sources)?;
        self.inputs.push(input);
        self.texts.push(Text { role: Role::Data, path: base_name(&name), text });
        Ok(genre.map(|genre| format!("`{name}` holds a puzzle of `{genre}`")))
    }

    /// Reads `NAME=VALUE` or `NAME=@FILE`.
    fn define(&mut self, define: &str) -> Result<(), Diagnostic> {
        let (name, text) = define_text(define, &mut self.files)?;
        self.inputs.push(Input::Define(self.sources.add(format!("-D {name}"), &text)));
        self.texts.push(Text { role: Role::Define, path: name, text });
        Ok(())
    }

    /// Makes the program, with what it imports.
    fn finish(
        mut self,
        home: Home,
        model: FileId,
        later: Later<'_>,
        without: Without,
    ) -> Result<Loaded, Faulty> {
        let mut imports = Imports { home: &home, texts: &mut self.texts, files: &mut self.files };
        match Program::load_later(&mut self.sources, &mut imports, model, &self.inputs, later) {
            Ok(program) => {
                let Reading { sources, texts, files, .. } = self;
                Ok(Loaded { sources, program, genre: None, without, texts, files })
            }
            Err(faults) => Err(Faulty { sources: self.sources, faults }),
        }
    }
}

/// The last part of a path.
fn base_name(name: &str) -> String {
    Path::new(name).file_name().map_or(name.to_owned(), |base| base.to_string_lossy().into_owned())
}

/// Loads the program that a symbol map carries.
pub fn load_map(map_texts: Vec<Text>) -> Result<Loaded, Faulty> {
    let bytes = || map_texts.iter().map(|text| text.text.len());
    if bytes().any(|bytes| bytes as u64 > MOST_TEXT) || bytes().sum::<usize>() > MOST_TEXTS {
        let message = format!(
            "a text of the map has more than {MOST_TEXT} bytes, the limit, or all together more than {MOST_TEXTS}"
        );
        return Err(plain(Diagnostic::error(Code::LimitExceeded, message)));
    }
    let mut reading = Reading::default();
    let mut model = None;
    let mut without = Without::default();
    for text in &map_texts {
        let sources = &mut reading.sources;
        match text.role {
            Role::Model => model = Some(sources.add(&text.path, &text.text)),
            Role::Import => {}
            Role::Data => {
                let file = sources.add(&text.path, &text.text);
                reading.inputs.push(if is_json(&text.path) { Input::Json(file) } else { Input::Data(file) });
            }
            Role::Define => {
                let file = sources.add(format!("-D {}", text.path), &text.text);
                reading.inputs.push(Input::Define(file));
            }
            Role::Without => without.labels.push(text.text.clone()),
        }
    }
    let Some(model) = model else {
        return Err(plain(Diagnostic::error(Code::MapMismatch, "the map holds no model")));
    };
    reading.finish(Home::Texts(map_texts), model, Later::NONE, without)
}

/// The puzzle of a URL or a game ID in place of a model; an existing file of that name takes precedence.
fn given_puzzle(model: &str, sources: &mut Sources) -> Option<Result<Imported, Diagnostic>> {
    let importer = import::recognise_argument(model).filter(|_| !Path::new(model).exists())?;
    let file = sources.add(importer.name, model);
    Some(importer.convert(model, file))
}

fn model_text(model: &str, read: &mut Vec<PathBuf>) -> Result<(Home, String, String), Diagnostic> {
    let path = Path::new(model);
    if model == "-" || model.contains('/') || path.extension().is_some() {
        let text = files::read_text(path, MOST_TEXT)?;
        read.push(path.to_path_buf());
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        return Ok((Home::Folder(folder), model.to_string(), text));
    }
    if let Some(shipped) = catalogue::model(model) {
        return Ok((Home::Catalogue(shipped.name), shipped.path.to_string(), shipped.text.to_string()));
    }
    let mut fault =
        Diagnostic::error(Code::UnknownName, format!("there is no model `{model}` in the catalogue"));
    let names: Vec<&str> = catalogue::models().map(|model| model.name).collect();
    if let Some(near) = nearest(model, names.into_iter()) {
        fault = fault.help(format!("did you mean `{near}`?"));
    }
    Err(fault.help("`rebus models` lists them; a file is named with its suffix: `model.rebus`"))
}

fn data_text(path: &Path, home: &Home, read: &mut Vec<PathBuf>) -> Result<(String, String), Diagnostic> {
    let name = path.display().to_string();
    if !path.exists()
        && path != Path::new("-")
        && matches!(home, Home::Catalogue(_))
        && let Some((full, text)) = catalogue::board(&name)
    {
        return Ok((full.to_string(), text.to_string()));
    }
    let text = files::read_text(path, MOST_TEXT)?;
    read.push(path.to_path_buf());
    Ok((name, text))
}

/// The boards of a model, for a run without data.
fn boards_of(genre: &str) -> Option<String> {
    let boards: Vec<&str> = catalogue::model(genre)?.boards().collect();
    let names: Vec<&str> = boards.iter().map(|board| board.strip_suffix(".clues").unwrap_or(board)).collect();
    let first = names.first()?;
    let shown = names[..names.len().min(NAMED_BOARDS)].join(", ");
    let more = if names.len() > NAMED_BOARDS { ", …" } else { "" };
    Some(format!("or one of its boards, {shown}{more}: `rebus solve {genre} {first}`"))
}

/// A hint where data stand in place of a model.
fn data_as_model(source: &ModelSource) -> Option<String> {
    let ModelSource::Named(name) = source else { return None };
    let path = Path::new(name);
    path.extension().is_some_and(|suffix| suffix == "clues").then_some(())?;
    let stem = path.file_stem()?.to_str()?;
    let genre = stem.rsplit_once('-').map_or(stem, |(genre, _)| genre);
    let model = catalogue::model(genre).map_or("MODEL", |model| model.name);
    Some(format!("`{name}` looks like data; the model stands before it: `rebus solve {model} {name}`"))
}

/// Converts data from other formats first; then the model they belong to is known.
fn data_input(
    name: &str,
    text: &str,
    file: FileId,
    sources: &mut Sources,
) -> Result<(Input, String, Option<&'static str>), Diagnostic> {
    if let Some(importer) = import::recognise(text, name) {
        let imported = importer.convert(text, file)?;
        let file = sources.add(format!("{name} (imported)"), &imported.clues);
        return Ok((Input::Data(file), imported.clues, Some(imported.genre)));
    }
    if is_json(name) {
        return Ok((Input::Json(file), text.to_string(), None));
    }
    Ok((Input::Data(file), text.to_string(), None))
}

fn is_json(name: &str) -> bool {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    Path::new(name).extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("json"))
}

fn define_text(define: &str, read: &mut Vec<PathBuf>) -> Result<(String, String), Diagnostic> {
    let Some((name, value)) = define.split_once('=') else {
        return Err(Diagnostic::error(Code::Usage, format!("`-D {define}` says no value"))
            .help(format!("write `-D {define}=VALUE`, `-D {define}=@FILE` or `-D {define}=@-`")));
    };
    match value.strip_prefix('@') {
        Some(path) if !path.is_empty() => {
            let text = files::read_text(Path::new(path), MOST_TEXT)?;
            read.push(PathBuf::from(path));
            let text =
                text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
            Ok((name.trim().to_string(), text.to_string()))
        }
        _ => Ok((name.trim().to_string(), value.to_string())),
    }
}

/// Only errors stop a run.
pub fn has_errors(faults: &[Diagnostic]) -> bool {
    faults.iter().any(|fault| fault.severity == Severity::Error)
}
