//! Escapes texts as fields without blanks and as lines without control characters, and reverses this.

/// Control characters and invisible characters, which must not reach a terminal.
pub(super) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn push_hex(c: char, field: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        field.push_str(&format!("%{byte:02X}"));
    }
}

/// A text as a field: `, ` becomes `,`; blanks, other commas, `%` and unsafe characters become the hexadecimal digits
/// of their bytes; the empty text becomes `%`.
pub(super) fn field(text: &str) -> String {
    if text.is_empty() {
        return "%".to_owned();
    }
    let mut field = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ',' if chars.next_if_eq(&' ').is_some() => field.push(','),
            ',' | '%' => push_hex(c, &mut field),
            c if c.is_whitespace() => push_hex(c, &mut field),
            c if is_unsafe(c) => push_hex(c, &mut field),
            c => field.push(c),
        }
    }
    field
}

/// The text of a field.
pub(super) fn unfield(field: &str) -> Option<String> {
    if field == "%" { Some(String::new()) } else { unhex(&field.replace(',', ", ")) }
}

/// A line of a text as a line of a map: `| ` and the line. If the line has unsafe characters: `! ` and the line with
/// these and `%` in hexadecimal.
pub(super) fn line(text: &str) -> String {
    if text.is_empty() {
        return "|".to_owned();
    }
    // a tab is harmless, and common in data
    let escaped = |c: char| c != '\t' && is_unsafe(c);
    if !text.contains(escaped) {
        return format!("| {text}");
    }
    let mut line = "! ".to_owned();
    for c in text.chars() {
        if c == '%' || escaped(c) { push_hex(c, &mut line) } else { line.push(c) }
    }
    line
}

/// The text of a map line, if it is a line of a text.
pub(super) fn unline(line: &str) -> Option<String> {
    match line.as_bytes() {
        [b'|'] => Some(String::new()),
        [b'|', b' ', ..] => Some(line[2..].to_owned()),
        [b'!', b' ', ..] => unhex(&line[2..]),
        _ => None,
    }
}

fn unhex(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push((digit(digits[0])? * 16 + digit(digits[1])?) as u8);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}
