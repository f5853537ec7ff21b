//! Links without a puzzle in a supported format: the fault names the kind of link.

use super::{Fault, Imported, Importer, fault};

pub(super) const IMPORTER: Importer =
    Importer { name: "link", about: "a link to another program", recognise, convert };

struct Site {
    /// Each of its links contains one of these.
    marks: &'static [&'static str],
    about: &'static str,
    help: &'static str,
}

const SITES: &[Site] = &[
    Site {
        marks: &["penpa", "m=edit&", "m=solve&"],
        about: "a link of penpa-edit holds a drawing that does not say what its signs mean; it is not read",
        help: "draw the puzzle at puzz.link, or write its clues as a data file",
    },
    Site {
        marks: &["sudokupad", "f-puzzles", "crackingthecryptic", "tinyurl", "bit.ly"],
        about: "a short link: the puzzle itself is at the site",
        help: "open it; its long form holds the puzzle, behind `?load=`, `fpuz` or `scl`",
    },
];

fn recognise(text: &str, _file_name: &str) -> bool {
    let text = text.trim();
    let link = ["https://", "http://", "m=edit&", "m=solve&"].iter().any(|start| text.starts_with(start));
    link && !text.contains(char::is_whitespace)
}

fn convert(text: &str) -> Result<Imported, Fault> {
    let at = text.len() - text.trim_start().len()..text.trim_end().len();
    let site = SITES.iter().find(|site| site.marks.iter().any(|mark| text.contains(mark)));
    let (about, help) = site.map_or(
        (
            "a link to a site whose puzzles are not read",
            "read are links of puzz.link, f-puzzles, SudokuPad and Simon Tatham's collection",
        ),
        |site| (site.about, site.help),
    );
    Err(Fault { help: Some(help.into()), ..fault(about, at, "this link") })
}
