//! Lists of entries as short texts: the codes in the game IDs of Simon Tatham's collection.
//!
//! The rules are those of the programs' readers; entries are those of `codes`.

use super::codes::{Code, Entries, base36, cannot, number, run, with_runs};
use super::reader::{Read, Reader};

/// Adds a run of empty entries before an entry.
fn skip(entries: &mut Entries, run: usize, length: usize, reader: &Reader<'_>) -> Read<()> {
    if entries.entries.len() + run > length {
        return Err(reader.here("these are more entries than the board has"));
    }
    entries.skip(run);
    Ok(())
}

/// Characters, and a to z for 1 to 26 empty entries.
pub(super) const CHARACTERS: Code =
    Code {
        read: |reader, length| characters(reader, length)?.all(reader),
        write: |entries| {
            with_runs(entries, 'a', |entry| {
                if entry.chars().count() == 1 { Ok(entry.to_owned()) } else { cannot(entry) }
            })
        },
    };

/// The same, but the entries after the last character have no code.
pub(super) const TO_THE_LAST: Code = Code {
    read: |reader, length| Ok(characters(reader, length)?.filled()),
    write: |entries| {
        let last = entries.iter().rposition(|entry| !entry.is_empty()).map_or(0, |last| last + 1);
        (CHARACTERS.write)(&entries[..last])
    },
};

fn characters(reader: &mut Reader<'_>, length: usize) -> Read<Entries> {
    let mut entries = Entries::new(length);
    while entries.are_missing() {
        if let Some(run) = run(reader, 'a') {
            skip(&mut entries, run, length, reader)?;
            continue;
        }
        let Some(c) = reader.peek().filter(|c| c.is_ascii_digit() || c.is_ascii_uppercase()) else { break };
        reader.next();
        entries.push(c);
    }
    Ok(entries)
}

/// Decimal numbers, `_` between adjacent ones, and a to z for 1 to 26 empty entries.
pub(super) const DECIMALS: Code = Code {
    read: |reader, length| {
        let mut entries = Entries::new(length);
        while entries.are_missing() && reader.peek().is_some_and(|c| c != ',') {
            match run(reader, 'a') {
                Some(run) => skip(&mut entries, run, length, reader)?,
                None => {
                    reader.eat('_');
                    entries.push(reader.number()?.to_string());
                }
            }
        }
        entries.all(reader)
    },
    write: |entries| {
        let text = with_runs(entries, 'a', |entry| Ok(format!("_{}", number(entry)?)))?;
        // `_` is allowed between numbers only
        let mut kept = String::new();
        for c in text.chars() {
            if c != '_' || kept.ends_with(|c: char| c.is_ascii_digit()) {
                kept.push(c);
            }
        }
        Ok(kept)
    },
};

/// a to y: 0 to 24 empty entries, then a dot; z: 25 empty entries. The entries after the last dot have no
/// code.
pub(super) const DOTS: Code = Code {
    read: |reader, length| {
        let mut entries = Entries::new(length);
        while let Some(c) = reader.peek().filter(|c| c.is_ascii_alphabetic()) {
            let run = c.to_ascii_lowercase() as usize - 'a' as usize;
            skip(&mut entries, run + usize::from(run < 25), length, reader)?;
            if run < 25
                && let Some(last) = entries.entries.last_mut()
            {
                *last = "o".into();
            }
            reader.next();
        }
        Ok(entries.filled())
    },
    write: |entries| {
        let mut text = String::new();
        after_runs(entries, None, |run, _| {
            text.extend(std::iter::repeat_n('z', run / 25).chain([base36(10 + run % 25)]));
        });
        Ok(text)
    },
};

/// `_`, a to y: 0 to 25 empty entries, then a tree; z: 25 empty entries. The last tree is past the end of the
/// board.
pub(super) const TREES: Code = Code {
    read: |reader, length| {
        let mut entries = Entries::new(length + 1);
        while let Some(c) = reader.peek().filter(|c| matches!(c, '_' | 'a'..='z')) {
            let run = if c == '_' { 0 } else { c as usize - 'a' as usize + 1 };
            skip(&mut entries, run.min(25), length + 1, reader)?;
            if run < 26 {
                entries.push("1");
            }
            reader.next();
        }
        let mut entries = entries.all(reader)?;
        entries.pop();
        Ok(entries)
    },
    write: |entries| {
        let mut text = String::new();
        after_runs(entries, Some("1"), |mut run, _| {
            // a run of 25 is `y`
            while run > 25 {
                text.push('z');
                run -= 25;
            }
            text.push(if run == 0 { '_' } else { base36(9 + run) });
        });
        Ok(text)
    },
};

/// a, b, …: this number of empty entries, from 0, then 0, or 1 if the letter is a capital; z: 25 empty
/// entries. The last letter points past the end of the board.
pub(super) const BITS: Code = Code {
    read: |reader, length| {
        let mut entries = Entries::new(length + 1);
        while let Some(c) = reader.peek().filter(char::is_ascii_alphabetic) {
            let run = c.to_ascii_lowercase() as usize - 'a' as usize;
            skip(&mut entries, run + usize::from(run < 25), length + 1, reader)?;
            if run < 25
                && let Some(last) = entries.entries.last_mut()
            {
                *last = if c.is_ascii_uppercase() { "1".into() } else { "0".into() };
            }
            reader.next();
        }
        let mut entries = entries.all(reader)?;
        entries.pop();
        Ok(entries)
    },
    write: |entries| {
        let mut text = String::new();
        after_runs(entries, Some("0"), |run, entry| {
            let letters = std::iter::repeat_n('z', run / 25).chain([base36(10 + run % 25)]);
            text.extend(letters.map(|c| if entry == "1" { c.to_ascii_uppercase() } else { c }));
        });
        Ok(text)
    },
};

/// Calls `each` with every non-empty entry, and `last` at the end, together with the number of empty entries
/// before it.
fn after_runs(entries: &[String], last: Option<&str>, mut each: impl FnMut(usize, &str)) {
    let mut run = 0;
    for entry in entries.iter().map(String::as_str).chain(last) {
        if entry.is_empty() {
            run += 1;
        } else {
            each(run, entry);
            run = 0;
        }
    }
}

/// Numbers with `/` between them; an empty entry has no text.
pub(super) const SLASHES: Code =
    Code { read: |reader, length| separated(reader, length, '/'), write: |entries| Ok(entries.join("/")) };

/// `,` and a number for each entry.
pub(super) const COMMAS: Code = Code {
    read: |reader, length| {
        reader.expect(',')?;
        separated(reader, length, ',')
    },
    write: |entries| Ok(format!(",{}", entries.join(","))),
};

fn separated(reader: &mut Reader<'_>, length: usize, mark: char) -> Read<Vec<String>> {
    let mut entries = Entries::new(length);
    for i in 0..length {
        if i > 0 {
            reader.expect(mark)?;
        }
        let given = reader.peek().is_some_and(|c| c.is_ascii_digit());
        entries.push(if given { reader.number()?.to_string() } else { String::new() });
    }
    entries.all(reader)
}
