//! Rules that an answer violates; the answer may be partial.

use super::Fault;
use crate::encode::cnf::{Options, encode, encode_switched};
use crate::model::{Asserted, Bool, Domain, Looked, Model, VarId};
use crate::shared::Budget;
use crate::solve::embedded::{Cutting, EngineAnswer, SatEngine};

/// The rules, at most `most`, as positions in [`Model::rules`], that cannot hold with these domain positions of the
/// variables together with all of `beside`, for any values of the variables without a position. Each rule is tested
/// alone: together they may rule out more. `engine` makes new engines.
pub fn broken(
    model: &mut Model,
    positions: &[Option<u32>],
    beside: &[Bool],
    most: usize,
    options: Options,
    engine: &dyn Fn() -> Box<dyn SatEngine>,
    budget: &Budget,
) -> Result<Vec<usize>, Fault> {
    let filled: Vec<u32> = positions.iter().map(|position| position.unwrap_or(0)).collect();
    let mut asked = Asked { positions, beside: known(model, positions), options, budget };
    asked.beside.extend(beside);
    let (mut broken, mut plain, mut graphs) = (Vec::new(), Vec::new(), Vec::new());
    for (at, rule) in model.rules.iter().enumerate() {
        budget.check().map_err(Fault::Stop)?;
        let vars = model.touched(rule.what);
        let open = vars.iter().any(|var| positions[var.0 as usize].is_none());
        match open {
            true if model.arena.graph_below(rule.what, &mut Looked::default()).is_some() => graphs.push(at),
            true => plain.push(at),
            false => {
                if !model.under(&filled, budget).holds(rule.what).map_err(Fault::Stop)? {
                    broken.push(at);
                }
            }
        }
    }
    if !plain.is_empty() && broken.len() < most {
        broken.extend(asked.together(model, &plain, &mut *engine())?);
    }
    for rule in graphs {
        if broken.len() < most && !asked.alone(model, rule, &mut *engine())? {
            broken.push(rule);
        }
    }
    broken.sort_unstable();
    broken.truncate(most);
    Ok(broken)
}

/// The conditions that variables have these positions.
fn known(model: &mut Model, positions: &[Option<u32>]) -> Vec<Bool> {
    let known = (0..).zip(positions).filter_map(|(var, position)| Some((VarId(var), (*position)?)));
    known
        .map(|(var, position)| match model.domain(var) {
            Domain::Bool if position == 0 => !model.arena.var_bool(var),
            Domain::Bool => model.arena.var_bool(var),
            _ => model.arena.is(var, position),
        })
        .collect()
}

/// The partial solution.
struct Asked<'a> {
    positions: &'a [Option<u32>],
    beside: Vec<Bool>,
    options: Options,
    budget: &'a Budget,
}

impl Asked<'_> {
    /// The rules that cannot hold, tested with one engine.
    fn together(
        &self,
        model: &Model,
        rules: &[usize],
        engine: &mut dyn SatEngine,
    ) -> Result<Vec<usize>, Fault> {
        let terms: Vec<Bool> = rules.iter().map(|rule| model.rules[*rule].what).collect();
        let (mut encoder, selectors) =
            encode_switched(model, &terms, self.options.whole(), self.budget, engine)?;
        let mut ctx = encoder.with(model, engine, self.budget);
        for term in &self.beside {
            ctx.assert(*term)?;
        }
        let mut found = Vec::new();
        for (rule, selector) in rules.iter().zip(selectors) {
            if !can(engine.solve(&[selector], self.budget))? {
                found.push(*rule);
            }
        }
        Ok(found)
    }

    /// Can the rule hold? Graph constraints are encoded by cuts, which cannot be switched off.
    fn alone(&self, model: &mut Model, rule: usize, engine: &mut dyn SatEngine) -> Result<bool, Fault> {
        let instance = model.rules[rule].instance;
        let terms = [model.rules[rule].what];
        let terms = terms.iter().chain(&self.beside).map(|what| Asserted { what: *what, instance });
        let posted = std::mem::replace(&mut model.rules, terms.collect());
        let allows = |var: VarId, at| self.positions[var.0 as usize].is_none_or(|known| known == at);
        let options = self.options.lazily();
        let encoded = encode(model, &allows, options, self.budget, engine, &|_| String::new());
        model.rules = posted;
        let (_, emission) = encoded?;
        can(Cutting::new(engine, &emission.lazy).solve(&[], self.budget))
    }
}

fn can(answer: EngineAnswer) -> Result<bool, Fault> {
    match answer {
        EngineAnswer::Sat => Ok(true),
        EngineAnswer::Unsat => Ok(false),
        EngineAnswer::Unknown(stop) => Err(Fault::Stop(stop)),
    }
}
