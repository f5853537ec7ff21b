//! Solutions as one HTML page.
//!
//! In: solutions as they are [`Shown`], and what to say of them. Out: a page that holds all it needs. Knows nothing of where
//! they came from.

use super::known::Shown;
use super::svg::{STYLE, svg, titled};
use std::fmt::Write;

const PAGE: &str = "\
:root{color-scheme:light dark}\
body{font-family:system-ui,sans-serif;margin:2rem;background:#fff;color:#111}\
main{display:flex;flex-wrap:wrap;gap:2rem;align-items:flex-start}\
figure{margin:0;max-width:100%}\
figcaption{margin-bottom:.5rem}\
mark{background:#ffe39b;color:inherit}\
@media (prefers-color-scheme:dark){body{background:#1b1d21;color:#eee}mark{background:#6b5413}}";

/// How many differences are listed.
const MOST: usize = 200;

/// A page of solutions. `status`: a sentence; `differ`: the names of the entries in which they differ.
pub fn page(title: &str, status: &str, shown: &[Shown], differ: &[String]) -> String {
    let heading = titled(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{heading}</title>\n\
         <style>{PAGE}{STYLE}</style>\n</head>\n<body>\n<h1>{heading}</h1>\n<p>{}</p>\n<main>\n",
        titled(status)
    );
    for (k, solution) in (1..).zip(shown) {
        let caption = if shown.len() == 1 { "Solution".to_owned() } else { format!("Solution {k}") };
        let drawn = svg(solution, &format!("solution-{k}"), &format!("{title}: {caption}"), false);
        let _ = write!(page, "<figure>\n<figcaption>{caption}</figcaption>\n{drawn}</figure>\n");
    }
    page.push_str("</main>\n");
    if !differ.is_empty() {
        let names: Vec<String> =
            differ.iter().take(MOST).map(|name| format!("<code>{}</code>", titled(name))).collect();
        let more = differ.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(
            page,
            "<p id=\"differences\"><mark>They differ</mark> in {}{more}.</p>",
            names.join(", ")
        );
    }
    page.push_str("</body>\n</html>\n");
    page
}
