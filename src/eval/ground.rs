//! Grounds rules to instances in the model, and checks instances with variables bound.

use super::fault::{Fault, Res};
use super::ir::{Body, Conjunct, Kind, Node, Rule, TextNode};
use super::run::{Eval, Mode};
use super::value::Value;
use crate::diag::{Code, Diagnostic};
use crate::model::{Answer, Asserted, Bool, Instance, Objective};
use crate::shared::{FileId, Span};
use crate::syntax::ast::Sense;
use rustc_hash::FxHashMap;

/// A rule instance for messages: its expanded label and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub label: String,
    pub span: Span,
    /// Places of the data entries that the instance reads.
    pub data: Vec<Span>,
}

/// Rules dropped for one run (`--without`): a label as in the source, or the label of one instance as
/// printed.
#[derive(Clone, Debug, Default)]
pub struct Without {
    pub labels: Vec<String>,
}

/// The action on each instance of a rule.
enum Visit<'v> {
    /// Assert it in the model.
    Assert,
    /// Find the instance with this ordinal.
    Find(u32, &'v mut Option<Named>),
    /// Collect the labels of all instances, by ordinal.
    Name(&'v mut Vec<String>),
    /// With variables bound: collect the false instances, at most this many.
    Check(&'v mut Vec<Named>, usize),
}

struct Walk<'v> {
    rule: u32,
    ordinal: u32,
    visit: Visit<'v>,
    without: &'v Without,
    dropped: Vec<bool>,
    /// Has an instance of the rule been reported as false?
    warned: bool,
}

impl Eval<'_> {
    /// Grounds the rules with these numbers. Faults of several rules are reported together.
    pub fn ground_rules(
        &mut self,
        rules: impl IntoIterator<Item = usize>,
        without: &Without,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut faults = Vec::new();
        let posted = self.model.rules.len();
        for number in rules {
            if let Err(fault) = self.visit_rule(number, Visit::Assert, without) {
                let stop = matches!(*fault, Fault::Stop(_));
                let fault = fault.into_diagnostic();
                if !faults.contains(&fault) {
                    faults.push(fault);
                }
                if stop {
                    break;
                }
            }
        }
        if faults.is_empty() {
            faults = self.misplaced_in_rules(posted);
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// The first rule instances (at most `most`) that the assignment violates. All variables must be bound.
    pub fn check_rules(&mut self, without: &Without, most: usize) -> Result<Vec<Named>, Diagnostic> {
        let mut broken = Vec::new();
        for number in 0..self.program.rules.len() {
            if broken.len() < most {
                self.visit_rule(number, Visit::Check(&mut broken, most), without)
                    .map_err(|f| f.into_diagnostic())?;
            }
        }
        Ok(broken)
    }

    /// Label and place of an instance. The grounding must be unchanged since the instance was made.
    pub fn instance(&mut self, instance: Instance) -> Named {
        let number = instance.rule as usize;
        let Some(rule) = self.program.rules.get(number) else {
            debug_assert_eq!(instance, Instance::BOUND);
            let objective = self.program.objective.as_ref();
            let span = objective.map_or(Span::new(FileId(0), 0, 0), |(_, body)| body.node.span);
            return Named { label: "the best value of the objective".into(), span, data: Vec::new() };
        };
        let span = rule.span;
        let mut found = None;
        let mode = self.mode;
        let result = self.visit_rule(number, Visit::Find(instance.ordinal, &mut found), &Without::default());
        self.mode = mode;
        if result.is_err() {
            found = None;
        }
        found.unwrap_or(Named { label: self.program.rules[number].label.to_string(), span, data: Vec::new() })
    }

    /// The labels of all instances in the model, with one pass over each rule. The grounding must be
    /// unchanged since.
    pub fn labels(&mut self) -> FxHashMap<Instance, String> {
        let mut labels = FxHashMap::default();
        let instances: Vec<Instance> = self.model.rules.iter().map(|rule| rule.instance).collect();
        for instances in instances.chunk_by(|a, b| a.rule == b.rule) {
            let number = instances[0].rule as usize;
            if number >= self.program.rules.len() {
                labels.insert(Instance::BOUND, self.instance(Instance::BOUND).label);
                continue;
            }
            let mut names = Vec::new();
            // a label that cannot be evaluated is replaced by the label of the rule
            let _ = self.visit_rule(number, Visit::Name(&mut names), &Without::default());
            for instance in instances {
                let name = names.get(instance.ordinal as usize).cloned();
                let name = name.unwrap_or_else(|| self.program.rules[number].label.to_string());
                labels.insert(*instance, name);
            }
        }
        labels
    }

    /// Labels of `--without` that match neither a rule nor a ground instance.
    pub fn unknown_labels(&self, without: &Without) -> Vec<String> {
        let known = |label: &String| {
            self.program.rules.iter().any(|rule| *rule.label == **label) || self.labels_met.contains(label)
        };
        without.labels.iter().filter(|label| !known(label)).cloned().collect()
    }

    fn visit_rule(&mut self, number: usize, visit: Visit<'_>, without: &Without) -> Res<()> {
        let program = self.program;
        let rule: &Rule = &program.rules[number];
        if without.labels.iter().any(|label| !label.is_empty() && *label == *rule.label) {
            return Ok(());
        }
        let instance_labels =
            without.labels.iter().any(|label| program.rules.iter().all(|rule| &*rule.label != label));
        let mut walk = Walk {
            rule: number as u32,
            ordinal: 0,
            visit,
            without,
            dropped: if instance_labels { vec![false] } else { Vec::new() },
            warned: false,
        };
        let mark = self.pending_mark();
        let result =
            self.frame(rule.slots, |this| this.conjunct(&rule.body, rule.span, &mut walk).map(|_| ()));
        // the conditions under which the generators of the rule are defined
        let required = self.required_since(mark);
        match (result, &mut walk.visit) {
            (Ok(()), Visit::Assert) if !required.is_empty() => {
                let what = self.model.arena.and(required);
                let instance = Instance { rule: walk.rule, ordinal: walk.ordinal };
                self.model.rules.push(Asserted { what, instance });
                Ok(())
            }
            (Err(fault), Visit::Check(broken, _))
                if self.mode != Mode::Ground && matches!(*fault, Fault::Undefined(_)) =>
            {
                broken.push(Named { label: rule.label.to_string(), span: rule.span, data: Vec::new() });
                Ok(())
            }
            (result, _) => result,
        }
    }

    /// Visits the instances below a conjunct until the visitor needs no more.
    fn conjunct(&mut self, conjunct: &Conjunct, span: Span, walk: &mut Walk<'_>) -> Res<bool> {
        match conjunct {
            Conjunct::For(gens, body) => self.generate(gens, &mut |this| this.conjunct(body, span, walk)),
            Conjunct::And(parts) => {
                for part in parts {
                    if !self.conjunct(part, span, walk)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Conjunct::Implies(cond, body) => match self.eval_bool(cond)? {
                Bool::FALSE => Ok(true),
                Bool::TRUE => self.conjunct(body, span, walk),
                cond => self.implied(cond, body, span, walk),
            },
            Conjunct::Leaf { node, label } => {
                if let Visit::Find(wanted, _) = walk.visit
                    && walk.ordinal != wanted
                {
                    walk.ordinal += 1;
                    return Ok(true);
                }
                let what = match walk.visit {
                    Visit::Find(..) | Visit::Name(_) => Bool::TRUE,
                    _ => self.eval_bool(node)?,
                };
                let asserted = matches!(walk.visit, Visit::Assert);
                let before = self.model.rules.len();
                let goes_on = self.leaf(what, label, node.span, span, walk)?;
                if asserted && what == Bool::FALSE && before < self.model.rules.len() && !walk.warned {
                    walk.warned = true;
                    self.warn_of_false(node, label)?;
                }
                Ok(goes_on)
            }
        }
    }

    /// A rule that no answer fulfils is most often a slip; the values of a comparison say why.
    fn warn_of_false(&mut self, node: &Node, label: &[TextNode]) -> Res<()> {
        let label = self.label_nodes(label)?;
        let mut why = String::new();
        if let Kind::Compare(first, rest) = &node.kind
            && let [(_, second)] = &rest[..]
        {
            let (left, right) = (self.eval(first)?, self.eval(second)?);
            let sides: Vec<String> = [&left, &right]
                .iter()
                .filter(|side| side.is_known())
                .map(|side| self.literal_of(side))
                .collect();
            if let [left, right] = &sides[..] {
                why = format!("left is {left}, right is {right}");
            }
        }
        let name = if label.is_empty() { "this rule".to_owned() } else { format!("the rule `{label}`") };
        let message = format!("{name} is false for every answer: there is no solution");
        self.warnings.push(Diagnostic::warning(Code::FalseRule, message).at(node.span, why));
        Ok(())
    }

    /// Below an unknown condition, everything is one instance.
    fn implied(&mut self, cond: Bool, body: &Conjunct, span: Span, walk: &mut Walk<'_>) -> Res<bool> {
        let then = self.whole(body)?;
        let what = self.model.arena.implies(cond, then);
        let label = first_label(body);
        let at = walk.ordinal;
        if let Visit::Find(wanted, _) = walk.visit
            && at != wanted
        {
            walk.ordinal += 1;
            return Ok(true);
        }
        self.leaf(what, label, span, span, walk)
    }

    /// A whole conjunct as one boolean expression.
    fn whole(&mut self, body: &Conjunct) -> Res<Bool> {
        self.boolean(|this| {
            let mut parts = Vec::new();
            this.conjunction(body, &mut parts)?;
            Ok(this.model.arena.and(parts))
        })
    }

    fn conjunction(&mut self, conjunct: &Conjunct, parts: &mut Vec<Bool>) -> Res<()> {
        match conjunct {
            Conjunct::For(gens, body) => {
                self.generate(gens, &mut |this| this.conjunction(body, parts).map(|()| true))?;
            }
            Conjunct::And(list) => {
                for part in list {
                    self.conjunction(part, parts)?;
                }
            }
            Conjunct::Implies(cond, body) => {
                let cond = self.eval_bool(cond)?;
                if cond != Bool::FALSE {
                    let then = self.whole(body)?;
                    let implied = self.model.arena.implies(cond, then);
                    parts.push(implied);
                }
            }
            Conjunct::Leaf { node, .. } => parts.push(self.eval_bool(node)?),
        }
        Ok(())
    }

    fn leaf(
        &mut self,
        what: Bool,
        label: &[TextNode],
        at: Span,
        rule: Span,
        walk: &mut Walk<'_>,
    ) -> Res<bool> {
        let ordinal = walk.ordinal;
        walk.ordinal += 1;
        let dropped = !walk.dropped.is_empty() && {
            let text = self.label_nodes(label)?;
            let dropped = walk.without.labels.contains(&text);
            if dropped {
                self.labels_met.insert(text);
            }
            dropped
        };
        match &mut walk.visit {
            Visit::Assert => {
                if what != Bool::TRUE && !dropped {
                    let instance = Instance { rule: walk.rule, ordinal };
                    self.model.rules.push(Asserted { what, instance });
                    self.budget.step(1)?;
                    if self.model.rules.len().is_multiple_of(1024) {
                        self.budget.hold(self.model.arena.bytes())?;
                    }
                }
                Ok(true)
            }
            Visit::Name(names) => {
                let label = self.label_nodes(label)?;
                names.push(label);
                Ok(true)
            }
            Visit::Find(_, found) => {
                let label = self.label_nodes(label)?;
                let data = self.data_places(walk.rule as usize);
                **found = Some(Named { label, span: rule, data });
                Ok(false)
            }
            Visit::Check(broken, most) => {
                if what != Bool::TRUE && !dropped {
                    let label = self.label_nodes(label)?;
                    broken.push(Named {
                        label,
                        span: if at.file == rule.file { rule } else { at },
                        data: Vec::new(),
                    });
                }
                Ok(broken.len() < *most)
            }
        }
    }

    /// Places of the picture entries that the rule may read and whose keys are in the current frame.
    fn data_places(&self, rule: usize) -> Vec<Span> {
        let frame: Vec<Value> = self.stack[self.base..].to_vec();
        let mut found = Vec::new();
        let mut ids: Vec<_> = self.places.keys().copied().collect();
        ids.sort_unstable();
        for id in ids {
            if !self.program.rule_deps[rule].contains(&id) {
                continue;
            }
            let super::globals::Slot::Done(Value::Map(map)) = &self.globals[id.0 as usize] else { continue };
            let places = &self.places[&id];
            // `(p, k)` of `givens(clue)`: the value after the key is no key
            let mut entry = None;
            for value in &frame {
                if entry.take() == Some(value) {
                    continue;
                }
                if let Some(at) = map.keys.position(value)
                    && !matches!(map.values[at], Value::None)
                    && let Some(place) = places.get(at)
                {
                    entry = Some(&map.values[at]);
                    if !found.contains(place) {
                        found.push(*place);
                    }
                }
            }
        }
        found
    }

    // ---- objective and answer ----

    /// Adds the objective and the answer to the model.
    pub fn ground_outputs(&mut self) -> Result<(), Diagnostic> {
        let program = self.program;
        if let Some((sense, body)) = &program.objective {
            let value = self.output(body)?;
            let span = body.node.span;
            let num = self.to_num(&value, span).map_err(|fault| fault.into_diagnostic())?;
            let value = self.int_term(num);
            self.model.objective = Some(Objective { maximize: *sense == Sense::Maximize, value });
        }
        if let Some(bodies) = &program.answers {
            let mut answer = Vec::new();
            for body in bodies {
                let value = self.output(body)?;
                self.answers_of(&value, &mut answer);
            }
            self.model.answer = Some(answer);
        }
        self.misplaced_in_outputs()
    }

    fn output(&mut self, body: &Body) -> Result<Value, Diagnostic> {
        let mark = self.pending_mark();
        let value = self.body(body).and_then(|value| self.complete(&value));
        let value = value.map_err(|fault| fault.into_diagnostic())?;
        self.settle(mark, body.node.span).map_err(|fault| fault.into_diagnostic())?;
        Ok(value)
    }

    fn answers_of(&mut self, value: &Value, answer: &mut Vec<Answer>) {
        match value {
            Value::Truth(term) => answer.push(Answer::Bool(*term)),
            Value::Number(term) => answer.push(Answer::Int(*term)),
            Value::Choice(choice) => match choice.var {
                Some(var) => answer.push(Answer::Var(var)),
                None => {
                    let arms: Vec<(Bool, Value)> = choice.arms.clone();
                    for (cond, arm) in arms {
                        answer.push(Answer::Bool(cond));
                        self.answers_of(&arm, answer);
                    }
                }
            },
            Value::Tuple(items) | Value::List(items) => {
                items.iter().for_each(|item| self.answers_of(item, answer))
            }
            Value::Map(map) => map.values.iter().for_each(|item| self.answers_of(item, answer)),
            _ => {}
        }
    }

    /// The objective's value, evaluated with variables bound.
    pub fn objective_value(&mut self) -> Result<Option<i64>, Diagnostic> {
        debug_assert_eq!(self.mode, Mode::Bound);
        let program = self.program;
        let Some((_, body)) = &program.objective else { return Ok(None) };
        let value = self.output(body)?;
        match self.to_num(&value, body.node.span).map_err(|fault| fault.into_diagnostic())? {
            super::ops::Num::Known(value) => Ok(Some(value)),
            super::ops::Num::Unknown(_) => {
                Err(Diagnostic::error(Code::UnknownDependence, "the objective is not determined")
                    .at(body.node.span, ""))
            }
        }
    }
}

fn first_label(conjunct: &Conjunct) -> &[TextNode] {
    match conjunct {
        Conjunct::For(_, body) | Conjunct::Implies(_, body) => first_label(body),
        Conjunct::And(parts) => parts.first().map_or(&[], first_label),
        Conjunct::Leaf { label, .. } => label,
    }
}
