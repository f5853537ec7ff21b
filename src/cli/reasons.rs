//! Rules that clash, or that an answer breaks, told: each with its label, its place and the entries it speaks of, and all of these drawn.

use super::Failure;
use super::show::Printer;
use crate::diag::{Diagnostic, Sources};
use crate::eval::{Eval, Named};
use crate::model::{Looked, VarId};
use crate::render::{Data, Drawing, Marks, marked};
use crate::shared::harmless;

/// Names told of one list.
const MOST_NAMES: usize = 12;
/// Rules told as text.
const MOST_RULES: usize = 60;

struct Reason {
    label: String,
    /// `file:line:column` of the rule.
    place: String,
    /// The same of the data it reads.
    data: Vec<String>,
    /// Names of variables.
    entries: Vec<String>,
}

impl Reason {
    fn of(named: Named, entries: Vec<String>, sources: &Sources) -> Reason {
        Reason {
            label: if named.label.is_empty() { "a rule without label".into() } else { named.label },
            place: sources.place(named.span),
            data: named.data.iter().map(|place| sources.place(*place)).collect(),
            entries,
        }
    }
}

/// Rules, ready to be printed.
pub struct Reasons {
    reasons: Vec<Reason>,
    /// The puzzle with what is known of it, what the rules speak of marked.
    drawn: Marked,
}

/// Drawings, each of which shows some of the marks.
#[derive(Default)]
pub struct Marked {
    pub drawings: Vec<Drawing>,
    pub marks: Marks,
}

impl Reasons {
    /// Of rules at these places of the ground model, drawn with the variables at `positions`. `beside`: variables that are
    /// marked too.
    pub fn of(
        rules: &[usize],
        beside: &[VarId],
        positions: &[Option<u32>],
        eval: &mut Eval<'_>,
        sources: &Sources,
    ) -> Result<Reasons, Diagnostic> {
        let mut touched: Vec<VarId> = beside.to_vec();
        // a whole graph is no place to look at, unless there is no other
        let mut graphs: Vec<VarId> = Vec::new();
        let mut reasons = Vec::with_capacity(rules.len());
        for rule in rules {
            let rule = eval.model.rules[*rule];
            let vars = eval.model.touched(rule.what);
            let entries = vars.iter().map(|var| eval.var_name(*var)).collect();
            reasons.push(Reason::of(eval.instance(rule.instance), entries, sources));
            match eval.model.arena.graph_below(rule.what, &mut Looked::default()) {
                Some(_) => graphs.extend(vars),
                None => touched.extend(vars),
            }
        }
        let touched = if touched.is_empty() { graphs } else { touched };
        let marks = eval.marks(&touched);
        Ok(Reasons { reasons, drawn: drawn(eval, positions, marks)? })
    }

    /// Of rules of which only the name is known.
    pub fn named(rules: Vec<Named>, sources: &Sources) -> Reasons {
        let reasons = rules.into_iter().map(|rule| Reason::of(rule, Vec::new(), sources));
        Reasons { reasons: reasons.collect(), drawn: Marked::default() }
    }

    pub fn len(&self) -> usize {
        self.reasons.len()
    }

    /// A line a rule, with its entries where the drawing does not show them or `entries` asks for them; then the drawing.
    pub fn print(&self, printer: &mut Printer, entries: bool) -> Result<(), Failure> {
        let width = self.reasons.iter().map(|reason| reason.label.chars().count()).max().unwrap_or(0).min(40);
        for reason in self.reasons.iter().take(MOST_RULES) {
            let mut places = vec![reason.place.clone()];
            places.extend(reason.data.iter().cloned());
            let line = format!("  {:<width$}  {}", reason.label, places.join(", "));
            printer.remark(&harmless(&line, &[]))?;
            if (entries || self.drawn.drawings.is_empty()) && !reason.entries.is_empty() {
                printer.remark(&format!("    {}", shortened(&reason.entries)))?;
            }
        }
        if self.reasons.len() > MOST_RULES {
            printer.remark(&format!("  and {} more", self.reasons.len() - MOST_RULES))?;
        }
        if !self.drawn.drawings.is_empty() {
            printer.gap()?;
            printer.marked(&self.drawn)?;
        }
        Ok(())
    }

    /// For other programs.
    pub fn data(&self) -> Data {
        let texts = |list: &[String]| Data::List(list.iter().cloned().map(Data::Text).collect());
        let rules = self.reasons.iter().map(|reason| {
            Data::Object(vec![
                ("label".into(), Data::Text(reason.label.clone())),
                ("place".into(), Data::Text(reason.place.clone())),
                ("data".into(), texts(&reason.data)),
                ("entries".into(), texts(&reason.entries)),
            ])
        });
        Data::List(rules.collect())
    }
}

/// The drawings that show something of `marks`, with the variables at `positions`.
pub fn drawn(eval: &mut Eval<'_>, positions: &[Option<u32>], marks: Marks) -> Result<Marked, Diagnostic> {
    let mut drawings = eval.drawn_with(positions)?;
    drawings.retain(|drawing| marked(drawing, &marks).is_some());
    Ok(Marked { drawings, marks })
}

/// The first of some names, and how many more there are.
pub fn shortened(names: &[String]) -> String {
    let mut text = names.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > MOST_NAMES {
        text.push_str(&format!(" and {} more", names.len() - MOST_NAMES));
    }
    text
}
