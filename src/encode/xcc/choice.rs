//! Choices: variables and auxiliary variables, encoded by options; and the state of the encoder.
//!
//! In: the model and the domains after presolve. Out: an [`Encoder`], and terms as functions of choices ([`Column`]).
//!
//! A choice has one of two representations, or both. *Coloured*: a secondary item, which every option of a diagram
//! colours by the value. *Owned*: a primary item with one option per value; these options contain the items of
//! covering constraints. A boolean that covers items only if it is true needs no item: its option is chosen or not.

use super::cover::{COLOURS, Cover, Entry, ItemId, Names, brief, var_name};
use super::{Dialect, Options};
use crate::encode::cnf::EncodeError;
use crate::encode::{Labels, Lit};
use crate::model::{Atom, Bool, BoolNode, Cmp, Domain, Instance, Model, Term, Use, VarId};
use crate::shared::{Budget, Stop, with_stack};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A variable, or an auxiliary variable that the variables determine. Its *letters* number the possible values, from 0.
#[derive(Debug)]
pub(super) struct Choice {
    pub var: Option<VarId>,
    /// By letter: the position in the domain, for a variable.
    pub live: Vec<u32>,
    /// By letter: the value as a number.
    pub values: Rc<[i64]>,
    /// Letter 0 is false and 1 is true; false may have no option.
    pub boolean: bool,
    /// The secondary items whose colours encode the letter, as digits with the highest first; created on demand.
    pub colours: Vec<ItemId>,
    /// By letter: the items of covering constraints in its option; created on demand.
    pub attached: Vec<Vec<Entry>>,
    /// Does some diagram colour it in every path?
    pub covered: bool,
    /// The base name of its items.
    pub base: Rc<str>,
}

/// A term as a function of one choice.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub choice: usize,
    /// By letter.
    pub values: Rc<[i64]>,
}

/// The most variables in a scope.
const MOST_SCOPE: usize = 6;

/// The variables that a term depends on, ascending; `None` for more than [`MOST_SCOPE`].
type Scope = Option<Rc<[u32]>>;

pub(super) struct Encoder<'a> {
    pub model: &'a Model,
    pub options: Options,
    pub budget: &'a Budget,
    labels: &'a Labels<'a>,
    pub cover: Cover,
    pub names: Names,
    /// The variables, then one with a single letter for all constants, then auxiliaries.
    pub choices: Vec<Choice>,
    /// A value for every variable, for evaluation: a possible one, if there is any.
    pub now: Vec<u32>,
    pub contradiction: bool,
    pub columns: FxHashMap<Atom, Column>,
    scopes: FxHashMap<Atom, Scope>,
    /// Shared items of order; see `structure`.
    pub orders: FxHashMap<(usize, Vec<i64>), Rc<[ItemId]>>,
    pub instance: Option<Instance>,
    pub starts: Vec<(usize, Instance)>,
    /// The base name of the items of the current rule.
    pub base: Rc<str>,
    /// The clausal encoder for terms that are too large for a diagram; created on demand.
    pub clausal: Option<super::clauses::Clausal>,
    /// Literals that distinguish answers; see `answer`.
    pub answer: Vec<Lit>,
    pub answer_lits: Vec<super::answer::AnswerLits>,
    /// The highest number of a literal.
    pub last: u32,
}

impl<'a> Encoder<'a> {
    pub fn new(
        model: &'a Model,
        allows: &dyn Fn(VarId, u32) -> bool,
        options: Options,
        budget: &'a Budget,
        labels: &'a Labels<'a>,
    ) -> Encoder<'a> {
        let mut encoder = Encoder {
            model,
            options,
            budget,
            labels,
            cover: Cover::default(),
            names: Names::default(),
            choices: Vec::with_capacity(model.vars.len() + 1),
            now: Vec::with_capacity(model.vars.len()),
            contradiction: false,
            columns: FxHashMap::default(),
            scopes: FxHashMap::default(),
            orders: FxHashMap::default(),
            instance: None,
            starts: Vec::new(),
            base: "".into(),
            clausal: None,
            answer: Vec::new(),
            answer_lits: Vec::new(),
            last: 0,
        };
        for (at, domain) in model.vars.iter().enumerate() {
            let var = VarId(at as u32);
            let live: Vec<u32> = (0..domain.size() as u32).filter(|p| allows(var, *p)).collect();
            encoder.contradiction |= live.is_empty();
            encoder.now.push(live.first().copied().unwrap_or(0));
            let base = (labels.var)(var);
            encoder.choices.push(Choice {
                var: Some(var),
                values: numbers(domain, &live),
                live,
                boolean: *domain == Domain::Bool,
                colours: Vec::new(),
                attached: Vec::new(),
                covered: false,
                base: var_name(&base).into(),
            });
        }
        encoder.add_choice(Rc::new([0]));
        encoder
    }

    /// A new auxiliary variable with these values.
    pub fn add_choice(&mut self, values: Rc<[i64]>) -> usize {
        self.choices.push(Choice {
            var: None,
            live: (0..values.len() as u32).collect(),
            boolean: *values == [0, 1],
            values,
            colours: Vec::new(),
            attached: Vec::new(),
            covered: false,
            base: format!("{}'", self.base).into(),
        });
        self.choices.len() - 1
    }

    /// Starts a rule instance: the next items and options belong to it.
    pub fn begin(&mut self, instance: Instance) {
        self.instance = Some(instance);
        self.starts.push((self.cover.option_count(), instance));
        self.base = brief(&(self.labels.rule)(instance)).into();
    }

    pub fn step(&mut self, n: usize) -> Result<(), EncodeError> {
        self.budget.step(n as u64 + 1).map_err(EncodeError::Stop)?;
        let limit = self.budget.limits().clauses;
        if self.cover.option_count() as u64 > limit {
            return Err(EncodeError::Stop(Stop::Clauses { limit }));
        }
        let held = self.cover.entry_count() * 8 + self.cover.items.len() * 24;
        self.budget.hold(held as u64).map_err(EncodeError::Stop)
    }

    pub fn letters(&self, choice: usize) -> usize {
        self.choices[choice].live.len()
    }

    /// A new item, with the name `base` + `suffix` if that is valid and free.
    pub fn item(&mut self, base: &str, suffix: &str, bounds: Option<(u32, u32)>) -> ItemId {
        let name = self.names.take(&format!("{base}{suffix}"));
        self.cover.add_item(name, bounds)
    }

    // ---- scopes ----

    /// The variables with more than one possible value that a term depends on.
    pub fn scope(&mut self, atom: Atom) -> Scope {
        let key = positive(atom);
        if let Some(known) = self.scopes.get(&key) {
            return known.clone();
        }
        let mut parts = Vec::new();
        match key {
            Atom::Bool(term) => self.model.arena.operands(term, |part| parts.push(part)),
            Atom::Int(int) => match self.model.arena.int_node(int) {
                crate::model::IntNode::Var(var) => parts.push(Use::Literal(var)),
                _ => self.model.arena.int_operands(int, |part| parts.push(part)),
            },
        }
        let mut vars: Option<Vec<u32>> = Some(Vec::new());
        for part in parts {
            let below: Scope = match part {
                Use::Literal(var) if self.letters(var.0 as usize) == 1 => continue,
                Use::Literal(var) => Some(Rc::new([var.0])),
                Use::Bool(term) => with_stack(|| self.scope(Atom::Bool(term))),
                Use::Int(int) => with_stack(|| self.scope(Atom::Int(int))),
            };
            vars = vars.zip(below).map(|(mut vars, below)| {
                vars.extend_from_slice(&below);
                vars.sort_unstable();
                vars.dedup();
                vars
            });
            vars = vars.filter(|vars| vars.len() <= MOST_SCOPE);
            if vars.is_none() {
                break;
            }
        }
        let scope: Scope = vars.map(Into::into);
        self.scopes.insert(key, scope.clone());
        scope
    }

    /// The value of a term under `now`; 0 or 1 for a boolean.
    pub fn value_now(&self, atom: Atom) -> Result<i64, EncodeError> {
        let mut meaning = self.model.under(&self.now, self.budget);
        let value = match atom {
            Atom::Bool(term) => meaning.holds(term).map(i64::from),
            Atom::Int(int) => meaning.value(int),
        };
        value.map_err(EncodeError::Stop)
    }

    /// The values of a term for all letters of the one variable that it depends on.
    fn unary(&mut self, atom: Atom, var: usize) -> Result<Rc<[i64]>, EncodeError> {
        let old = self.now[var];
        let mut values = Vec::with_capacity(self.letters(var));
        for letter in 0..self.letters(var) {
            self.now[var] = self.choices[var].live[letter];
            values.push(self.value_now(atom)?);
        }
        self.now[var] = old;
        Ok(values.into())
    }

    /// Removes values that conditions on a single variable exclude, and fixes booleans in sums without slack. Must
    /// precede the encoding.
    pub fn narrow(&mut self, term: Bool) -> Result<(), EncodeError> {
        self.step(1)?;
        match self.scope(Atom::Bool(term)).as_deref() {
            Some([]) => self.contradiction |= self.value_now(Atom::Bool(term))? == 0,
            Some([var]) => {
                let var = *var as usize;
                let holds = self.unary(Atom::Bool(term), var)?;
                if holds.iter().all(|holds| *holds == 0) {
                    self.contradiction = true;
                    return Ok(());
                }
                let choice = &mut self.choices[var];
                let mut kept = holds.iter();
                choice.live.retain(|_| kept.next() == Some(&1));
                choice.values = numbers(&self.model.vars[var], &choice.live);
                self.now[var] = choice.live[0];
            }
            _ => match (self.model.arena.bool_node(term), term.is_negated()) {
                (BoolNode::And(parts), false) => {
                    for part in parts {
                        self.narrow(*part)?;
                    }
                }
                (BoolNode::Linear { terms, cmp, bound }, false) => {
                    self.narrow_sum(terms, i128::from(bound), 1)?;
                    if cmp == Cmp::Eq {
                        self.narrow_sum(terms, i128::from(bound), -1)?;
                    }
                }
                _ => {}
            },
        }
        Ok(())
    }

    /// If the least sum equals the bound (`sign` 1; the greatest sum for -1), fixes every boolean of the sum.
    fn narrow_sum(&mut self, terms: &[Term], bound: i128, sign: i128) -> Result<(), EncodeError> {
        let mut sum = 0;
        for term in terms {
            let (lo, hi) = self.ends(term.atom)?;
            let coef = sign * i128::from(term.coef);
            sum += (coef * i128::from(lo)).min(coef * i128::from(hi));
        }
        if sum != sign * bound {
            return Ok(());
        }
        for term in terms {
            if let Atom::Bool(part) = term.atom
                && self.scope(term.atom).is_some_and(|scope| scope.len() == 1)
                && self.ends(term.atom)? == (0, 1)
            {
                let wanted = sign * i128::from(term.coef) < 0;
                self.narrow(if wanted { part } else { !part })?;
            }
        }
        Ok(())
    }

    /// Bounds of a term: exact for at most one variable, otherwise from the arena.
    fn ends(&mut self, atom: Atom) -> Result<(i64, i64), EncodeError> {
        Ok(match self.scope(atom).as_deref() {
            Some([]) => (self.value_now(atom)?, self.value_now(atom)?),
            Some([var]) => {
                let values = self.unary(atom, *var as usize)?;
                let end = |f: fn(i64, i64) -> i64| values.iter().copied().reduce(f).unwrap_or(0);
                (end(i64::min), end(i64::max))
            }
            _ => self.model.arena.atom_bounds(atom),
        })
    }

    /// The total number of possible values of all choices.
    pub fn width(&self) -> usize {
        self.choices.iter().map(|choice| choice.live.len()).sum()
    }

    // ---- terms as columns ----

    pub fn constant(&self, value: i64) -> Column {
        Column { choice: self.model.vars.len(), values: Rc::new([value]) }
    }

    /// A term as a function of one choice: the only variable that it depends on, or an auxiliary variable.
    pub fn column(&mut self, atom: Atom) -> Result<Column, EncodeError> {
        let key = positive(atom);
        let column = match self.columns.get(&key) {
            Some(known) => known.clone(),
            None => {
                self.step(1)?;
                let new = match self.scope(key).as_deref() {
                    Some([]) => self.constant(self.value_now(key)?),
                    Some([var]) => {
                        let var = *var as usize;
                        Column { choice: var, values: self.unary(key, var)? }
                    }
                    Some(vars) if self.is_small(vars) => self.define_by_table(key, vars)?,
                    _ => with_stack(|| self.define(key))?,
                };
                self.columns.insert(key, new.clone());
                new
            }
        };
        Ok(if key == atom { column } else { map(&column, |value| 1 - value) })
    }

    /// Are there few enough assignments of these variables to tabulate a term?
    pub fn is_small(&self, vars: &[u32]) -> bool {
        let rows = vars.iter().try_fold(1usize, |n, var| n.checked_mul(self.letters(*var as usize)));
        rows.is_some_and(|rows| rows <= self.options.rows)
    }

    // ---- entries of options ----

    /// Adds the coloured entries for "`choice` has this letter"; nothing if it has only one letter.
    pub fn push_letter(
        &mut self,
        choice: usize,
        letter: usize,
        entries: &mut Vec<Entry>,
    ) -> Result<(), EncodeError> {
        let letters = self.letters(choice);
        if letters < 2 {
            return Ok(());
        }
        if self.choices[choice].colours.is_empty() {
            let base = self.choices[choice].base.clone();
            self.choices[choice].colours = self.coloured_items(&base, letters)?;
        }
        let Choice { colours, values, .. } = &self.choices[choice];
        let number = match (values[0], values[letters - 1]) {
            // small nonnegative values are their own colours
            (first, last) if first >= 0 && last < COLOURS.len() as i64 => values[letter] as usize,
            _ => letter,
        };
        digits(number, colours, entries);
        Ok(())
    }

    /// Secondary items whose colours distinguish `count` states.
    pub fn coloured_items(&mut self, base: &str, count: usize) -> Result<Vec<ItemId>, EncodeError> {
        self.need_colours()?;
        let mut items = Vec::new();
        let mut rest = count;
        while rest > 1 || items.is_empty() {
            items.push(self.item(base, if items.is_empty() { "" } else { "'" }, None));
            rest = rest.div_ceil(COLOURS.len());
        }
        Ok(items)
    }

    /// Fails if the dialect has no colours, which the current rule needs.
    pub fn need_colours(&self) -> Result<(), EncodeError> {
        if self.options.dialect != Dialect::Dlx1 {
            return Ok(());
        }
        let rule = match self.instance.map(self.labels.rule) {
            None => "the answer".to_owned(),
            Some(rule) if rule.is_empty() => "a rule".to_owned(),
            Some(rule) => format!("the rule `{rule}`"),
        };
        Err(EncodeError::Unfit(format!("dlx1 knows no colours, which {rule} needs")))
    }

    /// Adds an entry to the option of this letter.
    pub fn attach(&mut self, choice: usize, letter: usize, entry: Entry) {
        let letters = self.letters(choice);
        let attached = &mut self.choices[choice].attached;
        attached.resize(letters, Vec::new());
        if attached[letter].iter().all(|known| known.item != entry.item) {
            attached[letter].push(entry);
        }
    }
}

/// Adds a number as coloured entries: digits to the base 62, highest first.
pub(super) fn digits(number: usize, items: &[ItemId], entries: &mut Vec<Entry>) {
    let mut rest = number;
    let start = entries.len();
    for item in items.iter().rev() {
        entries.push(Entry { item: *item, colour: COLOURS[rest % COLOURS.len()] });
        rest /= COLOURS.len();
    }
    entries[start..].reverse();
}

pub(super) fn map(column: &Column, f: impl Fn(i64) -> i64) -> Column {
    Column { choice: column.choice, values: column.values.iter().map(|value| f(*value)).collect() }
}

fn positive(atom: Atom) -> Atom {
    match atom {
        Atom::Bool(term) => Atom::Bool(term.positive()),
        int => int,
    }
}

/// The values at these positions as numbers.
fn numbers(domain: &Domain, positions: &[u32]) -> Rc<[i64]> {
    match domain {
        Domain::Ints(values) => positions.iter().map(|position| values[*position as usize]).collect(),
        _ => positions.iter().map(|position| i64::from(*position)).collect(),
    }
}
