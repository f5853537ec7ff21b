//! Command templates: split into arguments without a shell, and filled with paths.
//!
//! In: a command that a user typed, or an argument of a table entry; and paths, which need not be valid text. Out:
//! arguments. Inserted paths are not expanded again.

#[cfg(feature = "process")]
use std::ffi::{OsStr, OsString};
#[cfg(feature = "process")]
use std::path::Path;

/// The placeholder names in an argument. `{}` and braces around anything but lower-case letters are literal text.
pub fn placeholders(arg: &str) -> impl Iterator<Item = &str> {
    arg.split('{').skip(1).filter_map(|rest| {
        let (name, _) = rest.split_once('}')?;
        (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(name)
    })
}

/// Puts paths, which need not be valid text, into an argument.
#[cfg(feature = "process")]
pub fn fill(arg: &str, values: &[(&str, &Path)]) -> OsString {
    let mut filled = OsString::new();
    let mut rest = arg;
    while let Some((at, name, path)) = values
        .iter()
        .filter_map(|(name, path)| Some((rest.find(name)?, name, path)))
        .min_by_key(|found| found.0)
    {
        filled.push(&rest[..at]);
        filled.push::<&OsStr>(path.as_ref());
        rest = &rest[at + name.len()..];
    }
    filled.push(rest);
    filled
}

/// Splits a command into words.
pub fn split(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or("a quote is not closed")? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or("a quote is not closed")? {
                        '"' => break,
                        '\\' => match chars.next().ok_or("a quote is not closed")? {
                            c @ ('"' | '\\') => word.push(c),
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next().ok_or("it ends with `\\`")?),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_would() {
        assert_eq!(
            split(r#"a 'b c' "d \"e\" \n" f\ g ''"#),
            Ok(["a", "b c", r#"d "e" \n"#, "f g", ""].map(str::to_owned).to_vec())
        );
        assert_eq!(split("a $HOME;b `c`").unwrap(), ["a", "$HOME;b", "`c`"]);
        assert!(split("a 'b").is_err() && split("a \"b").is_err() && split("a \\").is_err());
    }

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        let filled = fill("-i={in},{out}", &[("{in}", Path::new("a{out}")), ("{out}", Path::new("b{in}"))]);
        assert_eq!(filled, "-i=a{out},b{in}");
        assert_eq!(placeholders("{in}{}{In}{out").collect::<Vec<_>>(), ["in"]);
    }
}
