//! Rules that clash, as text and as data.

use super::show::Printer;
use crate::render::Data;
use crate::run::{Failure, Reasons};
use crate::shared::harmless;

/// Upper bound on the names shown from one list.
const MOST_NAMES: usize = 12;
/// Upper bound on the rules shown as text.
const MOST_RULES: usize = 60;

/// Prints one line for each rule, with its entries if the drawing does not show them or `entries` is set; then the
/// drawing.
pub fn print(reasons: &Reasons, printer: &mut Printer, entries: bool) -> Result<(), Failure> {
    let Reasons { reasons, drawn } = reasons;
    let width = reasons.iter().map(|reason| reason.label.chars().count()).max().unwrap_or(0).min(40);
    for reason in reasons.iter().take(MOST_RULES) {
        let mut places = vec![reason.place.clone()];
        places.extend(reason.data.iter().cloned());
        let line = format!("  {:<width$}  {}", reason.label, places.join(", "));
        printer.remark(&harmless(&line, &[]))?;
        if (entries || drawn.drawings.is_empty()) && !reason.entries.is_empty() {
            printer.remark(&format!("    {}", shortened(&reason.entries)))?;
        }
    }
    if reasons.len() > MOST_RULES {
        printer.remark(&format!("  and {} more", reasons.len() - MOST_RULES))?;
    }
    if !drawn.drawings.is_empty() {
        printer.gap()?;
        printer.marked(drawn)?;
    }
    Ok(())
}

/// As data for JSON.
pub fn data(reasons: &Reasons) -> Data {
    let texts = |list: &[String]| Data::List(list.iter().cloned().map(Data::Text).collect());
    let rules = reasons.reasons.iter().map(|reason| {
        Data::Object(vec![
            ("label".into(), Data::Text(reason.label.clone())),
            ("place".into(), Data::Text(reason.place.clone())),
            ("data".into(), texts(&reason.data)),
            ("entries".into(), texts(&reason.entries)),
        ])
    });
    Data::List(rules.collect())
}

/// The first of some names, and the number of the others.
pub fn shortened(names: &[String]) -> String {
    let mut text = names.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > MOST_NAMES {
        text.push_str(&format!(" and {} more", names.len() - MOST_NAMES));
    }
    text
}
