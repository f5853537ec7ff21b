//! Rules that clash, or that an answer violates: each with its label, its place and the entries it mentions, and a
//! drawing of all these entries.

use crate::diag::{Diagnostic, Sources};
use crate::eval::{Eval, Named};
use crate::model::{Looked, VarId};
use crate::render::{Drawing, Marks, marked};

/// A rule instance.
#[derive(Clone, Debug)]
pub struct Reason {
    pub label: String,
    /// `file:line:column` of the rule.
    pub place: String,
    /// The places of the data it reads.
    pub data: Vec<String>,
    /// Names of variables.
    pub entries: Vec<String>,
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

/// Rules, and the entries they mention.
#[derive(Clone, Debug)]
pub struct Reasons {
    pub reasons: Vec<Reason>,
    /// The puzzle with its known values, with the entries of the rules marked.
    pub drawn: Marked,
}

/// Drawings, each of which shows some of the marks.
#[derive(Clone, Debug, Default)]
pub struct Marked {
    pub drawings: Vec<Drawing>,
    pub marks: Marks,
}

impl Reasons {
    /// For the rules at these positions of the ground model, drawn with the variables at `positions`. `beside`:
    /// variables that are marked too.
    pub fn of(
        rules: &[usize],
        beside: &[VarId],
        positions: &[Option<u32>],
        eval: &mut Eval<'_>,
        sources: &Sources,
    ) -> Result<Reasons, Diagnostic> {
        let mut touched: Vec<VarId> = beside.to_vec();
        // a whole graph is not helpful as a mark, unless there is no other
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

    /// For rules of which only the name is known.
    pub fn named(rules: Vec<Named>, sources: &Sources) -> Reasons {
        let reasons = rules.into_iter().map(|rule| Reason::of(rule, Vec::new(), sources));
        Reasons { reasons: reasons.collect(), drawn: Marked::default() }
    }
}

/// The drawings that show one of `marks`, with the variables at `positions`.
pub fn drawn(eval: &mut Eval<'_>, positions: &[Option<u32>], marks: Marks) -> Result<Marked, Diagnostic> {
    let mut drawings = eval.drawn_with(positions)?;
    drawings.retain(|drawing| marked(drawing, &marks).is_some());
    Ok(Marked { drawings, marks })
}
