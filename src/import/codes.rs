//! Lists of entries as short texts: the codes in the URLs of puzz.link.
//!
//! An entry is a text as in a picture of a data file, empty for no entry, `?` for a clue of unknown value.
//! Every code reads and writes; `read ∘ write` is the identity. The rules are those of pzpr,
//! `variety-common/Encode.js`.

use super::reader::{Read, Reader};
use std::fmt::Write as _;

/// One code.
pub(super) struct Code {
    /// Reads this number of entries.
    pub read: fn(&mut Reader<'_>, usize) -> Read<Vec<String>>,
    /// Writes the entries, or returns why they cannot be written.
    pub write: fn(&[String]) -> Result<String, String>,
}

/// Entries being read, at most `length`.
pub(super) struct Entries {
    pub entries: Vec<String>,
    length: usize,
}

impl Entries {
    pub fn new(length: usize) -> Entries {
        Entries { entries: Vec::new(), length }
    }

    pub fn are_missing(&self) -> bool {
        self.entries.len() < self.length
    }

    pub fn push(&mut self, entry: impl Into<String>) {
        if self.are_missing() {
            self.entries.push(entry.into());
        }
    }

    /// Adds `count` empty entries.
    pub fn skip(&mut self, count: usize) {
        (0..count).for_each(|_| self.push(""));
    }

    /// All entries; those that are missing at the end are empty.
    pub fn filled(mut self) -> Vec<String> {
        self.entries.resize(self.length, String::new());
        self.entries
    }

    /// All entries; if the text has none, all are empty.
    pub fn all_or_none(self, reader: &Reader<'_>) -> Read<Vec<String>> {
        if self.entries.is_empty() { Ok(self.filled()) } else { self.all(reader) }
    }

    /// All entries, or a fault if some are missing.
    pub fn all(self, reader: &Reader<'_>) -> Read<Vec<String>> {
        if self.are_missing() {
            let (found, length) = (self.entries.len(), self.length);
            return Err(reader.here(format!("{length} entries were expected, but there are {found}")));
        }
        Ok(self.entries)
    }
}

pub(super) fn cannot<T>(entry: &str) -> Result<T, String> {
    Err(format!("this form has nothing for the entry `{entry}`"))
}

pub(super) fn number(entry: &str) -> Result<usize, String> {
    entry.parse().or_else(|_| cannot(entry))
}

pub(super) fn base36(digit: usize) -> char {
    char::from_digit(digit as u32, 36).unwrap_or('0')
}

/// The next character as a run of empty entries: `first` stands for a run of one.
pub(super) fn run(reader: &mut Reader<'_>, first: char) -> Option<usize> {
    let c = reader.peek().filter(|c| (first..='z').contains(c))?;
    reader.next();
    Some(c as usize - first as usize + 1)
}

/// Writes entries one by one, and runs of empty entries as letters from `first` on.
pub(super) fn with_runs(
    entries: &[String],
    first: char,
    mut entry: impl FnMut(&str) -> Result<String, String>,
) -> Result<String, String> {
    let longest = 'z' as usize - first as usize + 1;
    let letter = |run: usize| char::from(first as u8 + run as u8 - 1);
    let mut text = String::new();
    let mut run = 0;
    for value in entries {
        if value.is_empty() {
            run += 1;
            if run == longest {
                text.push('z');
                run = 0;
            }
            continue;
        }
        if run > 0 {
            text.push(letter(run));
            run = 0;
        }
        text.push_str(&entry(value)?);
    }
    if run > 0 {
        text.push(letter(run));
    }
    Ok(text)
}

/// Reads what [`with_runs`] writes; `entry` reads everything except the runs.
pub(super) fn around_runs(
    reader: &mut Reader<'_>,
    length: usize,
    first: char,
    mut entry: impl FnMut(&mut Entries, &mut Reader<'_>) -> Read<()>,
) -> Read<Vec<String>> {
    let mut entries = Entries::new(length);
    while entries.are_missing() && !reader.is_done() {
        match run(reader, first) {
            Some(run) => entries.skip(run),
            None => entry(&mut entries, reader)?,
        }
    }
    entries.all_or_none(reader)
}

/// 0 to 4, `.` for `?`; 5 to 9 and a to e: the same with one or two empty entries after it; g to z: 1 to 20
/// empty entries.
pub(super) const FOUR: Code = Code {
    read: |reader, length| {
        around_runs(reader, length, 'g', |entries, reader| {
            if reader.eat('.') {
                entries.push("?");
            } else {
                let digit = reader.digit(15)?;
                entries.push((digit % 5).to_string());
                entries.skip(digit / 5);
            }
            Ok(())
        })
    },
    write: |entries| {
        let mut text = String::new();
        let mut at = 0;
        let mut run = 0;
        let none = |at: usize| entries.get(at).is_none_or(String::is_empty);
        while at < entries.len() {
            let piece = match entries[at].as_str() {
                "" => String::new(),
                "?" => ".".to_owned(),
                entry => {
                    let digit = number(entry)?;
                    if digit > 4 {
                        return cannot(entry);
                    }
                    let behind = usize::from(none(at + 1)) * (1 + usize::from(none(at + 2)));
                    at += behind;
                    base36(digit + 5 * behind).to_string()
                }
            };
            at += 1;
            run += usize::from(piece.is_empty());
            if run > 0 && (!piece.is_empty() || run == 20) {
                text.push(base36(run + 15));
                run = 0;
            }
            text.push_str(&piece);
        }
        if run > 0 {
            text.push(base36(run + 15));
        }
        Ok(text)
    },
};

/// The prefix of a number of several hexadecimal digits: the number of digits, and the offset added to them.
const PREFIXES: [(char, usize, usize); 7] = [
    ('-', 2, 0),
    ('+', 3, 0),
    ('=', 3, 4096),
    ('@', 3, 8192),
    ('%', 3, 8192),
    ('*', 4, 12240),
    ('$', 5, 77776),
];

fn read_number16(reader: &mut Reader<'_>) -> Read<String> {
    if reader.eat('.') {
        return Ok("?".into());
    }
    for (prefix, digits, offset) in PREFIXES {
        if reader.eat(prefix) {
            return Ok((reader.digits(digits, 16)? + offset).to_string());
        }
    }
    Ok(reader.digit(16)?.to_string())
}

fn write_number16(entry: &str) -> Result<String, String> {
    if entry == "?" {
        return Ok(".".into());
    }
    Ok(match number(entry)? {
        n @ 0..16 => format!("{n:x}"),
        n @ 16..256 => format!("-{n:x}"),
        n @ 256..4096 => format!("+{n:x}"),
        n @ 4096..8192 => format!("={:03x}", n - 4096),
        n @ 8192..12240 => format!("@{:03x}", n - 8192),
        n @ 12240..77776 => format!("*{:04x}", n - 12240),
        n if n < 77776 + (1 << 20) => format!("${:05x}", n - 77776),
        _ => return cannot(entry),
    })
}

/// Hexadecimal numbers, longer ones after a prefix; `.` for `?`; g to z: 1 to 20 empty entries.
pub(super) const NUMBER16: Code = Code {
    read: |reader, length| {
        let mut entries = Entries::new(length);
        while entries.are_missing() && !reader.is_done() && reader.peek() != Some('/') {
            match run(reader, 'g') {
                Some(run) => entries.skip(run),
                None => entries.push(read_number16(reader)?),
            }
        }
        entries.all_or_none(reader)
    },
    write: |entries| with_runs(entries, 'g', write_number16),
};

/// Three entries in a digit of base 27: empty, 1, 2.
pub(super) const CIRCLE: Code =
    Code { read: |reader, length| packed(reader, length, 27, 3), write: |entries| pack(entries, 27, 3) };

/// Five entries in a digit of base 32: empty, 1.
pub(super) const BINARY: Code =
    Code { read: |reader, length| packed(reader, length, 32, 2), write: |entries| pack(entries, 32, 2) };

/// The digits of base `small` in one digit of base `large`, the most significant first.
fn split_digit(mut digit: usize, large: usize, small: usize) -> Vec<usize> {
    let mut parts = Vec::new();
    let mut size = 1;
    while size < large {
        parts.push(digit % small);
        digit /= small;
        size *= small;
    }
    parts.reverse();
    parts
}

fn packed(reader: &mut Reader<'_>, length: usize, large: usize, small: usize) -> Read<Vec<String>> {
    let mut entries = Entries::new(length);
    while entries.are_missing() && !reader.is_done() {
        for part in split_digit(reader.digit(large as u32)?, large, small) {
            entries.push(if part == 0 { String::new() } else { part.to_string() });
        }
    }
    entries.all_or_none(reader)
}

fn pack(entries: &[String], large: usize, small: usize) -> Result<String, String> {
    let parts = split_digit(0, large, small).len();
    let mut text = String::new();
    for chunk in entries.chunks(parts) {
        let mut digit = 0;
        for i in 0..parts {
            let part = match chunk.get(i).map(String::as_str) {
                None | Some("") => 0,
                Some(entry) => number(entry)?,
            };
            if part >= small {
                return cannot(&chunk[i]);
            }
            digit = digit * small + part;
        }
        text.push(base36(digit));
    }
    Ok(text)
}

/// Directions by their number: none, up, down, left, right.
const WAYS: &str = ".^v<>";

fn read_arrow(reader: &mut Reader<'_>) -> Read<String> {
    let long = reader.eat('-');
    let start = reader.clone();
    let digit = reader.digit(10)?;
    let way = WAYS.chars().nth(if long { digit } else { digit % 5 });
    let way = way.ok_or_else(|| start.here("a direction is 0 to 4"))?;
    let number = match (long, digit) {
        (true, _) => reader.digits(3, 16)?.to_string(),
        (false, 5..) => reader.digits(2, 16)?.to_string(),
        (false, _) if reader.eat('.') => "?".to_owned(),
        (false, _) => reader.digit(16)?.to_string(),
    };
    if way == '.' && number != "?" {
        // pzpr: `anNoArrow`, no solution is accepted
        return Err(reader.since(&start, format!("the {number} has no arrow: it counts nothing")));
    }
    Ok(format!("{way}{number}"))
}

fn write_arrow(entry: &str) -> Result<String, String> {
    let way = entry.chars().next().and_then(|c| WAYS.find(c));
    let Some(way) = way else { return cannot(entry) };
    Ok(match &entry[1..] {
        "?" => format!("{way}."),
        n => match number(n)? {
            n @ 0..16 => format!("{way}{n:x}"),
            n @ 16..256 => format!("{}{n:x}", way + 5),
            n @ 256..4096 => format!("-{way}{n:x}"),
            _ => return cannot(entry),
        },
    })
}

/// A direction and a hexadecimal number: `>2`, `>?`, `.3` without direction; a to z: 1 to 26 empty entries.
pub(super) const ARROW16: Code = Code {
    read: |reader, length| {
        around_runs(reader, length, 'a', |entries, reader| {
            entries.push(read_arrow(reader)?);
            Ok(())
        })
    },
    write: |entries| with_runs(entries, 'a', write_arrow),
};

/// The colours of the cells of a castle: grey, white, black.
const COLOURS: &str = "gox";

/// A colour, then a direction and a number as in [`ARROW16`]: `o>2`, `x` without a number.
pub(super) const CASTLE: Code = Code {
    read: |reader, length| {
        around_runs(reader, length, 'a', |entries, reader| {
            let colour = COLOURS.chars().nth(reader.digit(3)?).unwrap_or('g');
            let arrow = read_arrow(reader)?;
            let arrow = if arrow.ends_with('?') { "" } else { &arrow };
            entries.push(format!("{colour}{arrow}"));
            Ok(())
        })
    },
    write: |entries| {
        with_runs(entries, 'a', |entry| {
            let colour = entry.chars().next().and_then(|c| COLOURS.find(c));
            let Some(colour) = colour else { return cannot(entry) };
            let arrow = if entry.len() > 1 { &entry[1..] } else { ".?" };
            Ok(format!("{colour}{}", write_arrow(arrow)?))
        })
    },
};

/// 0 to h: one object and this number of empty entries after it; i to z: 1 to 18 empty entries.
pub(super) const TREE: Code = Code {
    read: |reader, length| {
        let mut entries = Entries::new(length);
        while entries.are_missing() && !reader.is_done() {
            let digit = reader.digit(36)?;
            if digit < 18 {
                entries.push("1");
            }
            entries.skip(if digit < 18 { digit } else { digit - 17 });
        }
        entries.all_or_none(reader)
    },
    write: |entries| {
        let mut text = String::new();
        // the empty entries after an object, or alone
        let (mut object, mut run) = (false, 0);
        for entry in entries {
            if entry.is_empty() {
                run += 1;
                if run == if object { 17 } else { 18 } {
                    text.push(base36(run + if object { 0 } else { 17 }));
                    (object, run) = (false, 0);
                }
                continue;
            }
            if object {
                text.push(base36(run));
            } else if run > 0 {
                text.push(base36(run + 17));
            }
            (object, run) = (true, 0);
        }
        if object {
            text.push(base36(run));
        } else if run > 0 {
            text.push(base36(run + 17));
        }
        Ok(text)
    },
};

/// One digit of base 36 for each entry; `-` before two digits; `.` for an empty entry.
pub(super) const BASE36: Code = Code {
    read: |reader, length| {
        let mut entries = Entries::new(length);
        while entries.are_missing() && !reader.is_done() {
            if reader.eat('.') {
                entries.skip(1);
                continue;
            }
            let digits = if reader.eat('-') { 2 } else { 1 };
            entries.push(reader.digits(digits, 36)?.to_string());
        }
        entries.all(reader)
    },
    write: |entries| {
        let mut text = String::new();
        for entry in entries {
            if entry.is_empty() {
                text.push('.');
                continue;
            }
            let number = number(entry)?;
            match number {
                0..36 => text.push(base36(number)),
                36..1296 => text.extend(['-', base36(number / 36), base36(number % 36)]),
                _ => return cannot(entry),
            }
        }
        Ok(text)
    },
};

/// One digit for each entry, `.` for `?`; a to z: 1 to 26 empty entries.
pub(super) const NUMBER10: Code = Code {
    read: |reader, length| {
        around_runs(reader, length, 'a', |entries, reader| {
            entries.push(if reader.eat('.') { "?".into() } else { reader.digit(10)?.to_string() });
            Ok(())
        })
    },
    write: |entries| {
        with_runs(entries, 'a', |entry| match entry {
            "?" => Ok(".".into()),
            _ if entry.len() == 1 => Ok(number(entry)?.to_string()),
            _ => cannot(entry),
        })
    },
};

/// Points with a dot: a hexadecimal digit is a dot, black if odd, and half of it is the number of empty
/// entries after it; g to z: 1 to 20 empty entries.
pub(super) const DOTS: Code = Code {
    read: |reader, length| {
        around_runs(reader, length, 'g', |entries, reader| {
            let digit = reader.digit(16)?;
            entries.push("o");
            entries.skip(digit / 2);
            Ok(())
        })
    },
    write: |entries| {
        let mut text = String::new();
        let mut at = 0;
        while at < entries.len() {
            let run = entries[at..].iter().take_while(|entry| entry.is_empty()).count();
            if run > 0 {
                let letters = std::iter::repeat_n(20, run / 20).chain([run % 20]).filter(|run| *run > 0);
                text.extend(letters.map(|run| base36(run + 15)));
                at += run;
                continue;
            }
            // without a dot in reach, the digit covers seven points; pzpr does so at the end too
            let behind = entries[at + 1..].iter().take(7).position(|entry| !entry.is_empty()).unwrap_or(7);
            let _ = write!(text, "{:x}", 2 * behind);
            at += behind + 1;
        }
        Ok(text)
    },
};
