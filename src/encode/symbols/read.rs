//! Reads symbol maps, from a map file or from the comment lines of a formula.
//!
//! In: untrusted bytes. Out: a complete and consistent map, or a diagnostic with the line. Memory is proportional to
//! the bytes read, never to a number in the input.

use super::domain::Domain;
use super::embed::{CONTINUED, carried};
use super::fields::{unfield, unline};
use super::rules;
use super::write::{VERSION, write};
use super::{Block, Encoding, Lit, Role, Symbol, SymbolMap, Target, Text, WordLiteral};
use crate::certify;
use crate::diag::{Code, Diagnostic};
use crate::files::read_fault;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

const TITLE: &str = "rebus map ";

/// Reads a map; messages use `name`.
pub fn read(name: &str, text: &str) -> Result<SymbolMap, Diagnostic> {
    load(name, &mut text.as_bytes(), u64::MAX)
}

/// Reads a map, or a formula with a map in its comment lines. A line and the map are each at most `limit` bytes.
pub fn load(name: &str, source: &mut dyn BufRead, limit: u64) -> Result<SymbolMap, Diagnostic> {
    let mut lines = Source { name, source, limit, held: 0, number: 0, start: Vec::new() };
    let mut parser = Parser::new();
    let Some(first) = lines.next()? else { return Err(lines.foreign()) };
    if first.starts_with(TITLE) {
        let mut line = Some(first);
        while let Some(text) = line {
            if let Some(map) = parser.line(&text).map_err(|fault| lines.fault(&fault))? {
                return match lines.next()? {
                    None => Ok(map),
                    Some(_) => Err(lines.fault("something follows the end of the map")),
                };
            }
            line = lines.next()?;
        }
        return Err(lines.truncated());
    }
    embedded(first, &mut lines, parser)
}

/// Reads the map from the comment lines of a formula.
fn embedded(first: String, lines: &mut Source, mut parser: Parser) -> Result<SymbolMap, Diagnostic> {
    // the last line, which may continue; and the prefix of all lines of the map
    let mut pending: Option<String> = None;
    let mut prefix = String::new();
    let mut line = Some(first);
    while let Some(text) = line {
        match (carried(&text), &mut pending) {
            (Some((start, title)), None) if title.starts_with(TITLE) => {
                (prefix, pending) = (start.to_owned(), Some(title.to_owned()));
            }
            (Some((start, part)), Some(whole)) if start == prefix => {
                lines.hold(part.len())?;
                match part.strip_prefix(CONTINUED) {
                    Some(rest) => whole.push_str(rest),
                    None => {
                        let whole = std::mem::replace(whole, part.to_owned());
                        let done = parser.line(&whole);
                        if let Some(map) = done.map_err(|fault| lines.fault_before(&fault))? {
                            return Ok(map);
                        }
                    }
                }
            }
            (_, None) => lines.held = 0,
            _ => (),
        }
        line = lines.next()?;
    }
    let Some(whole) = pending else { return Err(lines.foreign()) };
    match parser.line(&whole).map_err(|fault| lines.fault(&fault))? {
        Some(map) => Ok(map),
        None => Err(lines.truncated()),
    }
}

/// The kind of a file, guessed from its start; for messages about a wrong kind of file.
pub fn kind(start: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(start);
    let lines = || text.lines().map(str::trim_end);
    let any = |starts: &[&str]| lines().any(|line| starts.iter().any(|start| line.starts_with(start)));
    let solver = |line: &str| line == "s" || line == "v" || line.starts_with("s ") || line.starts_with("v ");
    let hard = |line: &str| {
        line.strip_prefix("h ")
            .is_some_and(|rest| rest.split(' ').all(|lit| lit == "0" || literal(lit).is_some()))
    };
    match () {
        () if text.trim().is_empty() => "an empty file",
        () if text.starts_with(TITLE) => "a symbol map",
        () if any(&["p cnf"]) => "a CNF formula",
        () if any(&["p wcnf"]) || lines().any(hard) => "a WCNF formula",
        () if any(&["* #variable"]) => "an OPB formula",
        () if lines().any(solver) => "a solver's output",
        () if any(&["var ", "rule ", "param ", "rule:"]) => "a model",
        () => "another kind of file",
    }
}

/// The lines of a file, with numbers and a size limit.
struct Source<'a> {
    name: &'a str,
    source: &'a mut dyn BufRead,
    limit: u64,
    held: u64,
    number: u64,
    /// The first bytes, to recognize other kinds of files.
    start: Vec<u8>,
}

impl Source<'_> {
    fn next(&mut self) -> Result<Option<String>, Diagnostic> {
        let mut bytes = Vec::new();
        let mut bounded = self.source.take(self.limit.saturating_add(1));
        if let Err(error) = bounded.read_until(b'\n', &mut bytes) {
            return Err(read_fault(self.name, &error));
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        self.hold(bytes.len())?;
        self.number += 1;
        if self.start.len() < 4096 {
            self.start.extend(&bytes[..bytes.len().min(4096)]);
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        // carriage returns in texts are escaped, so one at the end comes from a conversion of the file
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        String::from_utf8(bytes).map(Some).map_err(|_| match self.start.starts_with(TITLE.as_bytes()) {
            true => self.fault("the line is not UTF-8 text"),
            false => self.foreign(),
        })
    }

    fn hold(&mut self, bytes: usize) -> Result<(), Diagnostic> {
        self.held = self.held.saturating_add(bytes as u64);
        if self.held <= self.limit {
            return Ok(());
        }
        let message =
            format!("the symbol map in `{}` holds more than {} bytes, the limit", self.name, self.limit);
        Err(Diagnostic::error(Code::LimitExceeded, message))
    }

    fn fault(&self, what: &str) -> Diagnostic {
        self.fault_at(self.number, what)
    }

    fn fault_before(&self, what: &str) -> Diagnostic {
        self.fault_at(self.number.saturating_sub(1), what)
    }

    fn fault_at(&self, number: u64, what: &str) -> Diagnostic {
        let message = format!("symbol map `{}`, line {number}: {what}", self.name);
        Diagnostic::error(Code::MapMismatch, message)
    }

    fn truncated(&self) -> Diagnostic {
        self.fault("the map ends here, without its `end` line: it is incomplete")
    }

    fn foreign(&self) -> Diagnostic {
        let kind = kind(&self.start);
        let message = format!("`{}` is no symbol map but {kind}", self.name);
        let diagnostic = Diagnostic::error(Code::MapMismatch, message);
        match kind {
            "a CNF formula" | "a WCNF formula" | "an OPB formula" => diagnostic
                .help("give the map that was written beside it; a formula itself serves if it was compiled with --embed-map"),
            _ => diagnostic,
        }
    }
}

/// Parses a map line by line.
struct Parser {
    map: SymbolMap,
    hash: Xxh3,
    count: u64,
    /// The hash of each line.
    lines: Vec<u64>,
    /// The last domain; the next variable often has the same.
    shared: Arc<Domain>,
    bool: Arc<Domain>,
    /// The last literal of the variables so far.
    named: Lit,
    /// Does the last line belong to a text that may continue?
    open: bool,
}

type Fault = String;

impl Parser {
    fn new() -> Parser {
        let map = SymbolMap {
            tool: String::new(),
            target: Target::Cnf,
            dialect: String::new(),
            digest: 0,
            variables: 0,
            clauses: 0,
            exact: false,
            symbols: Vec::new(),
            blocks: Vec::new(),
            answer: Vec::new(),
            word_literals: Vec::new(),
            graphs: Vec::new(),
            texts: Vec::new(),
        };
        Parser {
            map,
            hash: Xxh3::new(),
            count: 0,
            lines: Vec::new(),
            shared: Arc::new(Domain::default()),
            bool: Arc::new(Domain::bool()),
            named: 0,
            open: false,
        }
    }

    /// Parses a line; the last line returns the map.
    fn line(&mut self, line: &str) -> Result<Option<SymbolMap>, Fault> {
        self.count += 1;
        if let Some(rest) = line.strip_prefix("end ")
            && self.count > HEADER
        {
            return self.end(rest).map(Some);
        }
        self.hash.update(line.as_bytes());
        self.hash.update(b"\n");
        self.lines.push(xxh3_64(line.as_bytes()));
        if self.count <= HEADER {
            self.header(line)?
        } else {
            self.body(line)?
        }
        Ok(None)
    }

    fn header(&mut self, line: &str) -> Result<(), Fault> {
        let keys = ["rebus map", "tool", "target", "dialect", "digest", "variables", "clauses", "models"];
        let key = keys[(self.count - 1) as usize];
        let expected = || format!("`{key} …` was expected");
        let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(' ')).ok_or_else(expected)?;
        let wrong = || format!("`{value}` is no value of `{key}`");
        let map = &mut self.map;
        match key {
            "rebus map" if value == VERSION => (),
            "rebus map" => {
                return Err(format!(
                    "this is a map of version {value}; this version of rebus reads version {VERSION}"
                ));
            }
            "tool" => map.tool = unfield(value).ok_or_else(wrong)?,
            "target" => {
                map.target =
                    Target::ALL.into_iter().find(|target| target.name() == value).ok_or_else(wrong)?;
            }
            "dialect" => map.dialect = unfield(value).ok_or_else(wrong)?,
            "digest" => {
                let digits = value.len() == 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
                map.digest =
                    digits.then(|| u128::from_str_radix(value, 16).ok()).flatten().ok_or_else(wrong)?;
            }
            "variables" => map.variables = number(value).ok_or_else(wrong)?,
            "clauses" => map.clauses = number(value).ok_or_else(wrong)?,
            _ => {
                map.exact = match value {
                    "= solutions" => true,
                    "> solutions" => false,
                    _ => return Err(wrong()),
                };
            }
        }
        Ok(())
    }

    fn body(&mut self, line: &str) -> Result<(), Fault> {
        let text_goes_on = std::mem::take(&mut self.open);
        if let Some(text) = self.map.texts.last_mut().filter(|_| text_goes_on) {
            if let Some(part) = unline(line) {
                text.text.push_str(&part);
                text.text.push('\n');
                self.open = true;
                return Ok(());
            }
            if line == "\\ no newline at the end" && !text.text.is_empty() {
                text.text.pop();
                return Ok(());
            }
        }
        let fields: Vec<&str> = line.split(' ').collect();
        match fields[..] {
            ["var", name, kind, literals, ref values @ ..] => {
                let name = text_of(name)?;
                let symbol = self.symbol(name, kind, literals, values)?;
                self.map.symbols.push(symbol);
            }
            ["aux", literals, flag, label] => {
                let (first, last) = self.literals(literals)?;
                let determined = match flag {
                    "determined" => true,
                    "free" => false,
                    _ => return Err(format!("`{flag}` is neither `determined` nor `free`")),
                };
                self.map.blocks.push(Block { first, last, determined, label: text_of(label)? });
            }
            ["answer", literals] => {
                let run = self.literals(literals)?;
                self.map.answer.push(run);
            }
            ["on", lit, ref words @ ..] => {
                let lit =
                    literal(lit).filter(|lit| *lit > 0).ok_or_else(|| format!("`{lit}` is no literal"))?;
                let plain =
                    |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic());
                if let Some(word) = words.iter().find(|word| !plain(word)) {
                    return Err(format!("`{word}` is no word of an option"));
                }
                let words = words.iter().map(|word| (*word).to_owned()).collect();
                self.map.word_literals.push(WordLiteral { lit, words });
            }
            ["text", role, path] => {
                let known = Role::ALL.into_iter().find(|known| known.name() == role);
                let role = known.ok_or_else(|| format!("`{role}` is no role of a text"))?;
                self.map.texts.push(Text { role, path: text_of(path)?, text: String::new() });
                self.open = true;
            }
            ["graph" | "edge" | "want", ..] => {
                certify::text::read_line(line, &mut self.map.graphs)?;
            }
            _ => return Err("the line is damaged: nothing of a map looks like this".to_owned()),
        }
        Ok(())
    }

    /// A run of literals of this formula.
    fn literals(&self, text: &str) -> Result<(Lit, Lit), Fault> {
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (literal(first), literal(last)),
            None => (literal(text), literal(text)),
        };
        let (Some(first), Some(last)) = (first, last) else {
            return Err(format!("`{text}` are no literals"));
        };
        let known = |lit: Lit| u64::from(lit.unsigned_abs()) <= self.map.variables;
        if !known(first) || !known(last) {
            return Err(format!("`{text}` is more than the {} variables of the formula", self.map.variables));
        }
        let ascending = first == last || (0 < first && first < last);
        if ascending { Ok((first, last)) } else { Err(format!("`{text}` is no run of literals")) }
    }

    fn symbol(&mut self, name: String, kind: &str, literals: &str, values: &[&str]) -> Result<Symbol, Fault> {
        let (first, count) = match literals {
            "-" => (0, 0),
            _ => {
                let (first, last) = self.literals(literals)?;
                if first < 0 {
                    return Err(format!("`{literals}` is no run of literals"));
                }
                (first, last.abs_diff(first) + 1)
            }
        };
        if count > 0 {
            // overlapping runs could make decoding quadratic
            if first <= self.named {
                return Err(format!(
                    "the literals of `{name}` do not follow those of the variable before it"
                ));
            }
            self.named = first.saturating_add_unsigned(count - 1);
        }
        let domain = if kind == "bool" { self.bool.clone() } else { self.domain(values)? };
        let size = domain.size();
        let encoding = match kind {
            "bool" if count == 1 && values.is_empty() => Encoding::Bool(first),
            "direct" if count == size => Encoding::Direct { first, size },
            "order" if count == size.saturating_sub(1) => Encoding::Order { first, size },
            "binary" if count < 32 && u64::from(size) <= 1 << count => {
                Encoding::Binary { first, bits: count, size }
            }
            "bool" | "direct" | "order" | "binary" => {
                return Err(format!("{count} literals do not tell {size} values apart as `{kind}`"));
            }
            _ => return Err(format!("`{kind}` is no encoding")),
        };
        Ok(Symbol { name, domain, encoding })
    }

    fn domain(&mut self, values: &[&str]) -> Result<Arc<Domain>, Fault> {
        let mut domain = Domain::default();
        for value in values {
            match run(value) {
                Some((first, last)) => {
                    domain.push_run(first, last).ok_or_else(|| format!("`{value}` is no run of values"))?;
                }
                None => domain.push(&text_of(value)?),
            }
        }
        if *self.shared != domain {
            self.shared = Arc::new(domain);
        }
        Ok(self.shared.clone())
    }

    fn end(&mut self, rest: &str) -> Result<SymbolMap, Fault> {
        let (lines, check) = rest.split_once(' ').unwrap_or((rest, ""));
        match number(lines) {
            Some(lines) if lines == self.count => (),
            Some(lines) => {
                return Err(format!("the map has {} lines, but had {lines} when it was written", self.count));
            }
            None => return Err("the line is damaged: `end` and the number of lines was expected".to_owned()),
        }
        if check != format!("{:016x}", self.hash.digest()) {
            return Err("the map was changed or damaged: its lines do not add up to its check sum".to_owned());
        }
        let Parser { map, lines, .. } = std::mem::replace(self, Parser::new());
        if let Some(fault) = rules::fault(&map) {
            return Err(format!("the map does not follow its format: {fault}"));
        }
        // the text of a map is canonical: writing the map again must give the same lines
        let mut other = Differs { lines: &lines, number: 0, found: None };
        let _ = write(&map, &mut other);
        match other.found {
            None => Ok(map),
            Some((number, expected)) => {
                Err(format!("the map does not follow its format: line {number} should be `{expected}`"))
            }
        }
    }
}

/// A writer that finds the first differing line. Precondition: each write is a whole line or its end.
struct Differs<'l> {
    lines: &'l [u64],
    number: usize,
    found: Option<(usize, String)>,
}

impl Write for Differs<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // the end of the line before
        if line == b"\n" {
            return Ok(1);
        }
        let text = line;
        // the last line was checked already
        if self.lines.get(self.number).is_some_and(|known| *known != xxh3_64(text)) {
            let text = String::from_utf8_lossy(text).chars().take(MOST_SHOWN).collect();
            self.found = Some((self.number + 1, text));
            return Err(io::Error::other("enough is known"));
        }
        self.number += 1;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The most characters of a line in a message.
const MOST_SHOWN: usize = 80;

/// The number of lines before the first symbol.
const HEADER: u64 = 8;

fn text_of(field: &str) -> Result<String, Fault> {
    let text = if field.is_empty() { None } else { unfield(field) };
    text.ok_or_else(|| format!("`{field}` is damaged: a text without blanks was expected"))
}

/// Digits only: no sign, no blank.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn literal(text: &str) -> Option<Lit> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    number(digits)?;
    text.parse().ok().filter(|lit| *lit != 0)
}

/// `a..b`
pub(super) fn run(text: &str) -> Option<(i64, i64)> {
    let (first, last) = text.split_once("..")?;
    Some((first.parse().ok()?, last.parse().ok()?))
}
