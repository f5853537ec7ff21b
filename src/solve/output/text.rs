//! Helpers for the text of solver output.

use crate::encode::Lit;

/// `-3`, or `-x3` as pseudo-Boolean solvers have it.
pub(super) fn literal(token: &[u8]) -> Option<Lit> {
    let (sign, name) = match token {
        b"0" => return Some(0),
        [b'-', name @ ..] => (-1, name),
        name => (1, name),
    };
    let digits = name.strip_prefix(b"x").unwrap_or(name);
    let plain = matches!(digits, [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit));
    if !plain {
        return None;
    }
    // so the least `i32`, which has no negation, is rejected
    std::str::from_utf8(digits).ok()?.parse().ok().map(|variable: Lit| sign * variable)
}

pub(super) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The first line with text of an error output.
pub(super) fn first_line(bytes: &[u8]) -> String {
    lossy(bytes).lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("").to_owned()
}
