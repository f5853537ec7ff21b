//! Exact covers as text: the format of Knuth's DLX programs, or that of miniexact.
//!
//! In: an [`Emission`]. Out: bytes. Every line ends in a line feed; the item line never starts with `|`; there is a
//! primary item, and every option has one; no upper bound is 0. A cover that exceeds the limits of the intended
//! program is an error before anything is written.

use super::cover::Cover;
use super::{Dialect, Emission, Options, encode};
use crate::encode::bytes::Bytes;
use crate::encode::cnf::{self, EncodeError};
use crate::encode::symbols::{WordLiteral, comment_lines};
use crate::encode::{EmitError, Formula, Given, Lit, Size, Target};
use crate::model::Instance;
use std::io::Write;

/// The limits of Knuth's programs as distributed.
struct Limits {
    items: usize,
    /// Items, options, and entries of options together.
    nodes: usize,
    /// Options of a solution.
    levels: usize,
    /// Bytes of a line.
    line: usize,
}

impl Dialect {
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Dlx1 => "dlx1",
            Dialect::Dlx2 => "dlx2",
            Dialect::Dlx3 => "dlx3",
            Dialect::Miniexact => "miniexact",
        }
    }

    /// The most options of a solution.
    pub fn levels(self) -> Option<usize> {
        self.limits().map(|limits| limits.levels)
    }

    fn limits(self) -> Option<Limits> {
        match self {
            Dialect::Dlx1 => Some(Limits { items: 100_000, nodes: 25_000_000, levels: 9_999, line: 900_002 }),
            Dialect::Dlx2 => Some(Limits { items: 100_000, nodes: 10_000_000, levels: 4_999, line: 900_002 }),
            Dialect::Dlx3 => Some(Limits { items: 10_000, nodes: 100_000_000, levels: 499, line: 90_002 }),
            Dialect::Miniexact => None,
        }
    }
}

/// miniexact does not detect the kind of problem, and with the wrong algorithm it finds too few solutions.
const MINIEXACT: &str =
    "| For miniexact -m, as Algorithm M alone knows multiplicities: miniexact -m -p -e FILE\n";

/// An exact cover, ready to be written.
pub struct Xcc {
    dialect: Dialect,
    emission: Emission,
    /// The emission in the form common to all targets.
    common: cnf::Emission,
}

impl Xcc {
    pub fn measure(given: &Given<'_>) -> Result<Xcc, EncodeError> {
        let options: Options = given.form.xcc;
        let emission = encode(given.model, given.allows, options, given.budget, given.labels)?;
        if given.form.fits
            && let Some(limits) = options.dialect.limits()
        {
            fits(&emission.cover, options.dialect.name(), &limits)?;
        }
        let common = cnf::Emission {
            variables: emission.last,
            named: emission.named,
            encodings: emission.encodings.clone(),
            answer: emission.answer.clone(),
            ..cnf::Emission::default()
        };
        Ok(Xcc { dialect: options.dialect, emission, common })
    }
}

fn fits(cover: &Cover, program: &str, limits: &Limits) -> Result<(), EncodeError> {
    let items = cover.items.iter().map(|item| item.name.as_str().len() + 12).sum::<usize>();
    // a blank and a colour each
    let length = |entry: &super::Entry| cover.items[entry.item as usize].name.as_str().len() + 3;
    let option = cover.options().map(|option| option.iter().map(length).sum::<usize>()).max();
    let longest = items.max(option.unwrap_or(0));
    let counts = [
        ("items", cover.items.len(), limits.items),
        ("nodes", cover.items.len() + cover.option_count() + cover.entry_count() + 2, limits.nodes),
        ("options in a solution", cover.least_options(), limits.levels),
        ("bytes in a line", longest, limits.line),
    ];
    match counts.into_iter().find(|(_, count, limit)| count > limit) {
        Some((what, count, limit)) => {
            Err(EncodeError::Unfit(format!("{program} holds {limit} {what}, and here are {count}")))
        }
        None => Ok(()),
    }
}

impl Formula for Xcc {
    fn target(&self) -> Target {
        Target::Xcc
    }

    fn dialect(&self) -> &str {
        self.dialect.name()
    }

    fn emission(&self) -> &cnf::Emission {
        &self.common
    }

    fn rows(&self) -> u64 {
        self.emission.cover.option_count() as u64
    }

    fn sizes(&self) -> Vec<Size> {
        self.emission.cover.sizes()
    }

    fn takes_clauses(&self) -> bool {
        false
    }

    fn word_literals(&self) -> Vec<WordLiteral> {
        let cover = &self.emission.cover;
        let word = |entry: &super::Entry| {
            let mut word = cover.items[entry.item as usize].name.to_string();
            if entry.colour != 0 {
                word.push(':');
                word.push(char::from(entry.colour));
            }
            word
        };
        let entry = |known: &super::Word| WordLiteral {
            lit: known.lit,
            words: known.entries.iter().map(word).collect(),
        };
        self.emission.words.iter().map(entry).collect()
    }

    fn write(
        &self,
        _given: &Given<'_>,
        preface: &str,
        label: Option<&dyn Fn(Instance) -> String>,
        _further: &[Vec<Lit>],
        out: &mut dyn Write,
    ) -> Result<(), EmitError> {
        let mut bytes = Bytes::new(out);
        let own = self.dialect == Dialect::Miniexact;
        bytes.text(preface);
        if own {
            bytes.text(MINIEXACT);
        }
        let cover = &self.emission.cover;
        write_items(cover, own, &mut bytes);
        let mut starts = self.emission.starts.iter().peekable();
        for (at, option) in cover.options().enumerate() {
            while let Some((_, instance)) = starts.next_if(|start| start.0 <= at) {
                // skip instances without options
                let shown = label.filter(|_| starts.peek().is_none_or(|next| next.0 > at));
                if let Some(label) = shown {
                    bytes.text(&comment_lines(Target::Xcc.comment(), &label(*instance)));
                }
            }
            for (place, entry) in option.iter().enumerate() {
                if place > 0 {
                    bytes.short(b" ");
                }
                bytes.short(cover.items[entry.item as usize].name.as_str().as_bytes());
                if entry.colour != 0 {
                    bytes.short(&[b':', entry.colour]);
                }
            }
            bytes.short(if own { b";\n" } else { b"\n" });
        }
        bytes.finish()?;
        Ok(())
    }
}

/// Writes the item lines.
fn write_items<W: Write>(cover: &Cover, own: bool, bytes: &mut Bytes<W>) {
    let mut line = String::from(if own { "<" } else { "" });
    for item in &cover.items {
        let Some((lo, hi)) = item.bounds else { continue };
        if !line.is_empty() {
            line.push(' ');
        }
        let name = item.name;
        line.push_str(&match (lo, hi) {
            (1, 1) => name.to_string(),
            (lo, hi) if own => format!("{name}:{lo};{hi}"),
            (lo, hi) if lo == hi => format!("{lo}|{name}"),
            (lo, hi) => format!("{lo}:{hi}|{name}"),
        });
    }
    line.push_str(if own { " >\n" } else { "" });
    let mut bar = if own { "[" } else { " |" };
    for item in cover.items.iter().filter(|item| item.bounds.is_none()) {
        line.push_str(bar);
        bar = "";
        line.push(' ');
        line.push_str(item.name.as_str());
    }
    line.push_str(match (own, bar.is_empty()) {
        (true, true) => " ]\n",
        (true, false) => "",
        (false, _) => "\n",
    });
    bytes.text(&line);
}
