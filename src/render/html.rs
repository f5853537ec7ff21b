//! Text and drawings as one HTML page.
//!
//! In: drawings as they are [`Shown`], and text about them. Out: a self-contained page. Knows nothing of the origin
//! of drawings.

use super::known::Shown;
use super::svg::{STYLE, svg};
use super::text::titled;
use std::fmt::Write;

const PAGE: &str = "\
:root{color-scheme:light dark}\
body{font-family:system-ui,sans-serif;margin:2rem;background:#fff;color:#111}\
main{display:flex;flex-wrap:wrap;gap:2rem;align-items:flex-start}\
figure{margin:0;max-width:100%}\
figcaption{margin-bottom:.5rem}\
.lines{white-space:pre-wrap}\
mark{background:#ffe39b;color:inherit}\
@media (prefers-color-scheme:dark){body{background:#1b1d21;color:#eee}mark{background:#6b5413}}";

/// Upper bound on the differences listed.
const MOST: usize = 200;

/// A part of a page.
#[derive(Clone, Debug)]
pub enum Block {
    /// Lines of text.
    Text(String),
    /// Figures side by side, each with its caption.
    Figures(Vec<(String, Shown)>),
    /// Names of the entries in which solutions differ.
    Differences(Vec<String>),
}

/// A page of parts, one below the other.
pub fn page(title: &str, blocks: &[Block]) -> String {
    let heading = titled(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{heading}</title>\n\
         <style>{PAGE}{STYLE}</style>\n</head>\n<body>\n<h1>{heading}</h1>\n"
    );
    let mut number = 0;
    for block in blocks {
        match block {
            Block::Text(text) => {
                let lines: Vec<String> = text.lines().map(titled).collect();
                let _ = writeln!(page, "<p class=\"lines\">{}</p>", lines.join("\n"));
            }
            Block::Figures(figures) => {
                page.push_str("<main>\n");
                for (caption, shown) in figures {
                    number += 1;
                    let drawn =
                        svg(shown, &format!("drawing-{number}"), &format!("{title}: {caption}"), false);
                    let caption = match titled(caption) {
                        none if none.is_empty() => none,
                        caption => format!("<figcaption>{caption}</figcaption>\n"),
                    };
                    let _ = write!(page, "<figure>\n{caption}{drawn}</figure>\n");
                }
                page.push_str("</main>\n");
            }
            Block::Differences(names) => {
                let told = names.iter().take(MOST).map(|name| format!("<code>{}</code>", titled(name)));
                let told: Vec<String> = told.collect();
                let more = names.len().saturating_sub(MOST);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let _ = writeln!(
                    page,
                    "<p id=\"differences\"><mark>They differ</mark> in {}{more}.</p>",
                    told.join(", ")
                );
            }
        }
    }
    page.push_str("</body>\n</html>\n");
    page
}
