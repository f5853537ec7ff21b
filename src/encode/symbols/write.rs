//! Writes symbol maps as text.

use super::domain::{Domain, Part};
use super::fields::{field, line};
use super::{Encoding, Lit, Symbol, SymbolMap, WordLiteral};
use std::io::{self, Write};
use xxhash_rust::xxh3::Xxh3;

/// The version of the format.
pub(super) const VERSION: &str = "1";
/// Runs of more numbers than this are written `a..b`.
const LISTED: u64 = 256;

/// Writes a map.
pub fn write(map: &SymbolMap, sink: &mut dyn Write) -> io::Result<()> {
    let mut lines = Lines { sink, hash: Xxh3::new(), count: 0 };
    lines.put(&format!("rebus map {VERSION}"))?;
    lines.put(&format!("tool {}", field(&map.tool).replace("%20", " ")))?;
    lines.put(&format!("target {}", map.target.name()))?;
    lines.put(&format!("dialect {}", field(&map.dialect)))?;
    lines.put(&format!("digest {:032x}", map.digest))?;
    lines.put(&format!("variables {}", map.variables))?;
    lines.put(&format!("clauses {}", map.clauses))?;
    lines.put(if map.exact { "models = solutions" } else { "models > solutions" })?;
    for symbol in &map.symbols {
        lines.put(&symbol_line(symbol))?;
    }
    for block in &map.blocks {
        let flag = if block.determined { "determined" } else { "free" };
        lines.put(&format!("aux {} {flag} {}", range(block.first, block.last), field(&block.label)))?;
    }
    for (first, last) in &map.answer {
        lines.put(&format!("answer {}", range(*first, *last)))?;
    }
    for WordLiteral { lit, words } in &map.word_literals {
        lines.put(format!("on {lit} {}", words.join(" ")).trim_end())?;
    }
    for graph in &map.graphs {
        graph.to_string().lines().try_for_each(|line| lines.put(line))?;
    }
    for text in &map.texts {
        lines.put(&format!("text {} {}", text.role.name(), field(&text.path)))?;
        for part in text.text.split_terminator('\n') {
            lines.put(&line(part))?;
        }
        if !text.text.is_empty() && !text.text.ends_with('\n') {
            lines.put("\\ no newline at the end")?;
        }
    }
    let (number, check) = (lines.count + 1, lines.hash.digest());
    lines.put(&format!("end {number} {check:016x}"))
}

/// A writer that counts and hashes lines.
struct Lines<'a> {
    sink: &'a mut dyn Write,
    hash: Xxh3,
    count: u64,
}

impl Lines<'_> {
    fn put(&mut self, line: &str) -> io::Result<()> {
        self.count += 1;
        for part in [line, "\n"] {
            self.hash.update(part.as_bytes());
            self.sink.write_all(part.as_bytes())?;
        }
        Ok(())
    }
}

fn range(first: Lit, last: Lit) -> String {
    if first == last { first.to_string() } else { format!("{first}..{last}") }
}

fn symbol_line(symbol: &Symbol) -> String {
    let (first, count) = symbol.encoding.literals();
    let literals = match count {
        0 => "-".to_owned(),
        count => range(first, first.saturating_add_unsigned(count - 1)),
    };
    let name = field(&symbol.name);
    let kind = match symbol.encoding {
        // the values of a boolean are implicit
        Encoding::Bool(_) => return format!("var {name} bool {literals}"),
        Encoding::Direct { .. } => "direct",
        Encoding::Order { .. } => "order",
        Encoding::Binary { .. } => "binary",
    };
    let mut line = format!("var {name} {kind} {literals}");
    values(&symbol.domain, &mut line);
    line
}

fn values(domain: &Domain, line: &mut String) {
    for part in domain.parts() {
        match part {
            Part::Text(text) => {
                line.push(' ');
                // a text that looks like a run is escaped
                let text = field(text);
                line.push_str(&if super::read::run(&text).is_some() {
                    text.replacen('.', "%2E", 1)
                } else {
                    text
                });
            }
            Part::Run(first, last) if last.abs_diff(*first) < LISTED => {
                for value in *first..=*last {
                    line.push(' ');
                    line.push_str(itoa::Buffer::new().format(value));
                }
            }
            Part::Run(first, last) => line.push_str(&format!(" {first}..{last}")),
        }
    }
}
