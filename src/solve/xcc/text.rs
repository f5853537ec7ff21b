//! The text format of Knuth's DLX programs, read one line at a time.
//!
//! In: bytes. Out: a [`Problem`], with warnings, or faults with their places. The first line that is not blank and
//! does not begin with `|` names the items: primary ones, then after a separate `|` secondary ones. Each further line
//! is an option. As in DLX3, `n|name` and `lo:hi|name` bound how often a primary item is covered. Beyond the original
//! format, names and colours may have any length, and the last line needs no newline. Bytes need not be UTF-8.

use super::problem::{Colour, Item, PLAIN, Problem, ProblemFault};
use crate::diag::{Code, Diagnostic, Sources};
use crate::shared::{Budget, Span, Stop};
use std::io::{BufRead, Read};
use std::ops::Range;

/// A longer line is not in this format.
const LONGEST_LINE: u64 = 1 << 28;
/// Upper bound on the faults and warnings shown.
const MOST_SHOWN: usize = 10;
/// Upper bound on the bytes of a line shown before and after a fault.
const SHOWN: usize = 1 << 12;
/// Memory of the engine for each entry, approximately.
const BYTES_PER_ENTRY: u64 = 48;

/// Why there is no problem.
#[derive(Debug)]
pub enum Unread {
    Faults(Vec<Diagnostic>),
    Stopped(Stop),
}

/// What is wrong with a line.
struct Fault {
    at: Range<usize>,
    code: Code,
    message: String,
    label: &'static str,
    help: &'static str,
}

/// C's `isspace`.
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads a problem. `name` is the input's name in messages; `sources` gets excerpts for them.
pub fn read(
    mut input: impl BufRead,
    name: &str,
    sources: &mut Sources,
    budget: &Budget,
) -> Result<(Problem, Vec<Diagnostic>), Unread> {
    let mut reader =
        Reader { name, sources, number: 0, faults: Vec::new(), warnings: Vec::new(), ignored: 0 };
    let mut problem = Problem::new();
    let mut line = Vec::new();
    let (mut entries, mut known) = (Vec::new(), false);
    loop {
        line.clear();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        match read {
            Ok(0) => break,
            Ok(read) if read as u64 == LONGEST_LINE => return Err(reader.stop(too_long(name))),
            Ok(_) => reader.number += 1,
            Err(error) => return Err(reader.stop(unreadable(name, &error))),
        }
        let held = BYTES_PER_ENTRY * (problem.entries() + problem.items()) as u64;
        budget.step(line.len() as u64 / 8).and_then(|()| budget.hold(held)).map_err(Unread::Stopped)?;
        match line.iter().find(|byte| !is_blank(byte)) {
            None | Some(b'|') => continue,
            Some(_) if !known => {
                known = true;
                reader.items(&mut problem, &line);
                if !reader.faults.is_empty() {
                    // Every option would be reported.
                    return Err(Unread::Faults(reader.faults));
                }
            }
            Some(_) => reader.option(&mut problem, &line, &mut entries),
        }
        if reader.faults.len() == MOST_SHOWN {
            return Err(Unread::Faults(reader.faults));
        }
    }
    if !known {
        let message = format!("`{name}` has no items: it is empty, or has only blank lines and comments");
        let fault = Diagnostic::error(Code::Syntax, message)
            .help("the first line names the items; a line that begins with `|` is a comment");
        return Err(reader.stop(fault));
    }
    reader.end(problem)
}

fn too_long(name: &str) -> Diagnostic {
    Diagnostic::error(Code::LimitExceeded, format!("a line of `{name}` has more than {LONGEST_LINE} bytes"))
}

fn unreadable(name: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(Code::UnreadableFile, format!("`{name}` cannot be read: {error}"))
}

struct Reader<'a> {
    name: &'a str,
    sources: &'a mut Sources,
    /// The line number, from 1.
    number: usize,
    faults: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Options without a primary item.
    ignored: usize,
}

impl Reader<'_> {
    fn items(&mut self, problem: &mut Problem, line: &[u8]) {
        let mut secondary = false;
        let mut at = 0;
        while let Some(skipped) = line[at..].iter().position(|byte| !is_blank(byte)) {
            at += skipped;
            if line[at] == b'|' {
                if secondary {
                    self.fault(
                        line,
                        Fault {
                            at: at..at + 1,
                            code: Code::Syntax,
                            message: "a second `|` in the line of items".to_owned(),
                            label: "secondary items began before",
                            help: "one `|` parts the primary items from the secondary ones",
                        },
                    );
                }
                secondary = true;
                at += 1;
                continue;
            }
            let end = line[at..].iter().position(is_blank).map_or(line.len(), |length| at + length);
            if let Err(fault) = item(problem, &line[at..end], at, secondary) {
                self.fault(line, fault);
            }
            if self.faults.len() == MOST_SHOWN {
                return;
            }
            at = end;
        }
    }

    fn option(&mut self, problem: &mut Problem, line: &[u8], entries: &mut Vec<(Item, Colour)>) {
        entries.clear();
        let result = words(line).try_for_each(|at| {
            entries.push(entry(problem, &line[at.clone()], at.start)?);
            Ok(())
        });
        let fault = match result {
            Err(fault) => fault,
            Ok(()) => {
                let Err(fault) = problem.option(entries) else { return };
                let word = |at: usize| words(line).nth(at).unwrap_or(0..0);
                let whole = words(line).next().map_or(0, |at| at.start)..line.trim_ascii_end().len();
                let (at, label, help) = match fault {
                    ProblemFault::NoPrimary => return self.ignore(line, whole),
                    ProblemFault::Repeated { at } => {
                        (word(at), "a second time", "an option covers an item once")
                    }
                    ProblemFault::ColouredPrimary { at } => (
                        word(at),
                        "a primary item",
                        "drop the colour, or name the item behind the `|` of the first line",
                    ),
                    _ => (whole, "", "split the problem"),
                };
                let code =
                    if fault == ProblemFault::TooLarge { Code::LimitExceeded } else { Code::BadArgument };
                Fault { at, code, message: fault.to_string(), label, help }
            }
        };
        self.fault(line, fault);
    }

    /// Counts an option without a primary item, which has no effect.
    fn ignore(&mut self, line: &[u8], at: Range<usize>) {
        self.ignored += 1;
        if self.warnings.len() < MOST_SHOWN {
            let warning = Diagnostic::warning(Code::Syntax, "option ignored (no primary items)");
            let span = self.excerpt(line, at);
            self.warnings.push(warning.at(span, ""));
        }
    }

    fn fault(&mut self, line: &[u8], fault: Fault) {
        let span = self.excerpt(line, fault.at);
        self.faults.push(Diagnostic::error(fault.code, fault.message).at(span, fault.label).help(fault.help));
    }

    /// Registers an excerpt of this line for a message; returns the span in it.
    fn excerpt(&mut self, line: &[u8], at: Range<usize>) -> Span {
        let line = &line[..line.len().min(at.end + SHOWN)];
        let before = lossy(&line[..at.start]);
        let there = lossy(&line[at.clone()]);
        let (start, end) = (before.len(), before.len() + there.len());
        let text = before + &there + lossy(&line[at.end..]).trim_end();
        let file = self.sources.add_excerpt(self.name, text, self.number);
        Span::new(file, start, end)
    }

    fn stop(mut self, fault: Diagnostic) -> Unread {
        self.faults.push(fault);
        Unread::Faults(self.faults)
    }

    fn end(mut self, problem: Problem) -> Result<(Problem, Vec<Diagnostic>), Unread> {
        if !self.faults.is_empty() {
            return Err(Unread::Faults(self.faults));
        }
        if self.ignored > self.warnings.len() {
            let more = format!("{} options without a primary item were ignored in all", self.ignored);
            self.warnings.push(Diagnostic::warning(Code::Syntax, more));
        }
        Ok((problem, self.warnings))
    }
}

/// The words of a line, as ranges.
fn words(line: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].iter().position(|byte| !is_blank(byte))?;
        at = line[start..].iter().position(is_blank).map_or(line.len(), |length| start + length);
        Some(start..at)
    })
}

/// Declares an item from a word of the first line; `start` is the word's position.
fn item(problem: &mut Problem, word: &[u8], start: usize, secondary: bool) -> Result<(), Fault> {
    let fault = |at: Range<usize>, message: String, label, help| Fault {
        at: start + at.start..start + at.end,
        code: Code::Syntax,
        message,
        label,
        help,
    };
    let bar = word.iter().position(|byte| *byte == b'|');
    let name_at = bar.map_or(0, |bar| bar + 1)..word.len();
    let name = &word[name_at.clone()];
    if let Some(at) = name.iter().position(|byte| matches!(byte, b':' | b'|')) {
        let at = name_at.start + at;
        let digits = word[..at].iter().all(u8::is_ascii_digit);
        let (message, help) = match word[at] {
            b':' if bar.is_none() && digits => (
                "a lower bound without an upper one",
                "bounds are written `2:3|name`, or `3|name` for just 3",
            ),
            b':' => ("`:` in the name of an item", "colours are given in options"),
            _ => ("`|` in the name of an item", "before secondary items, `|` stands behind a blank"),
        };
        return Err(fault(at..at + 1, message.to_owned(), "", help));
    }
    let Some(bar) = bar else {
        return declare(problem, name, secondary, (1, 1), start..start + word.len());
    };
    if secondary {
        return Err(fault(
            0..bar + 1,
            "a secondary item cannot have bounds".to_owned(),
            "",
            "name it before the `|`, with the bounds `0:1|name` if it may be left uncovered",
        ));
    }
    if name.is_empty() {
        return Err(fault(
            0..word.len(),
            "bounds without the name of an item".to_owned(),
            "",
            "the name follows without a blank: `2:3|name`",
        ));
    }
    let colon = word[..bar].iter().position(|byte| *byte == b':');
    let number = |at: Range<usize>| match word[at.clone()].iter().all(u8::is_ascii_digit) && !at.is_empty() {
        // A number that overflows is above the number of options anyway.
        true => Ok(lossy(&word[at]).parse().unwrap_or(u32::MAX)),
        false => Err(fault(
            0..bar,
            format!("`{}` is no bound", lossy(&word[..bar])),
            "numbers were expected",
            "bounds are written `2:3|name`, or `3|name` for just 3; a `|` before secondary items stands behind a blank",
        )),
    };
    let hi = number(colon.map_or(0, |colon| colon + 1)..bar)?;
    let lo = colon.map_or(Ok(hi), |colon| number(0..colon))?;
    declare(problem, name, secondary, (lo, hi), start..start + word.len())
}

fn declare(
    problem: &mut Problem,
    name: &[u8],
    secondary: bool,
    (lo, hi): (u32, u32),
    at: Range<usize>,
) -> Result<(), Fault> {
    let result = if secondary { problem.secondary(name) } else { problem.primary(name, lo, hi) };
    let (code, help) = match result {
        Ok(_) => return Ok(()),
        Err(ProblemFault::DuplicateItem) => {
            (Code::DuplicateName, "names are case-sensitive; give it another")
        }
        Err(ProblemFault::UpperZero) => {
            (Code::BadArgument, "leave the item out, and every option that has it")
        }
        Err(ProblemFault::LowerAboveUpper) => (Code::BadArgument, "bounds are written `LOWER:UPPER|name`"),
        Err(_) => (Code::LimitExceeded, "split the problem"),
    };
    let message = match result {
        Err(ProblemFault::DuplicateItem) => format!("the item `{}` was named before", lossy(name)),
        Err(fault) => fault.to_string(),
        Ok(_) => String::new(),
    };
    Err(Fault { at, code, message, label: "", help })
}

/// An item and its colour, from a word of an option; `start` is the word's position.
fn entry(problem: &mut Problem, word: &[u8], start: usize) -> Result<(Item, Colour), Fault> {
    let at = start..start + word.len();
    let fault = |code, message: String, label, help| Fault { at: at.clone(), code, message, label, help };
    let colon = word.iter().position(|byte| *byte == b':');
    let name = &word[..colon.unwrap_or(word.len())];
    if name.is_empty() {
        let message = "a colour without an item".to_owned();
        return Err(fault(Code::Syntax, message, "", "the colour follows the item's name: `item:colour`"));
    }
    let Some(item) = problem.find(name) else {
        let help = match name.contains(&b'|') {
            true => "`|` parts items in the first line only; costs of options (dlx5) are not known here",
            false => "the first line must name every item",
        };
        let message = format!("no item is called `{}`", lossy(name));
        return Err(fault(Code::UnknownName, message, "", help));
    };
    let colour = match colon.map(|colon| &word[colon + 1..]) {
        None => PLAIN,
        Some(b"") => {
            let message = "a colour is missing behind `:`".to_owned();
            return Err(fault(Code::Syntax, message, "", "write `item:colour`, or the item alone"));
        }
        Some(colour) => problem.colour(colour),
    };
    Ok((item, colour))
}
