//! Safe display of untrusted texts.

/// Replaces control characters, and those that change the direction of writing, by pictures, except for those
/// in `kept`. So no text of a file, a name or a solver can control the terminal.
pub fn harmless(text: &str, kept: &[char]) -> String {
    text.chars().map(|c| if kept.contains(&c) { c } else { shown(c) }).collect()
}

fn shown(c: char) -> char {
    match c {
        '\u{7f}' => '\u{2421}',
        c if c < ' ' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{80}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            '\u{fffd}'
        }
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn nothing_is_left_to_obey() {
        assert_eq!(
            harmless("a\u{1b}[31m\u{9b}\u{202e}\u{7f}\tz", &[]),
            "a\u{241b}[31m\u{fffd}\u{fffd}\u{2421}\u{2409}z"
        );
        assert_eq!(harmless("a\tb\n", &['\t', '\n']), "a\tb\n");
        assert_eq!(harmless("R\u{e4}tsel \u{65e5}", &[]), "R\u{e4}tsel \u{65e5}");
    }
}
