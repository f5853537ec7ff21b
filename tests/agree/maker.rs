//! A model in the making: declarations, arrays as graphs, and a planted assignment that most rules are made to keep.

use super::expr::{Ask, Env, Expr, Graph};
use super::graph::Net;
use super::model::{Model, Rule, Variable};
use super::value::{Key, Value, domain, listed};
use crate::dice::Dice;
use std::rc::Rc;

/// Values that may be tried of one model.
pub const MOST_TRIED: usize = 40_000;

pub struct Maker {
    pub dice: Dice,
    pub model: Model,
    /// A value for every variable: a solution of the rules so far where one was looked for and found.
    pub planted: Vec<Value>,
}

/// An array as it is written, and as a graph.
#[derive(Clone)]
pub struct Array {
    pub text: String,
    pub keys: Rc<[Key]>,
    pub entries: Vec<Expr>,
    pub net: Rc<Net>,
    /// The name of the list of edges, where the keys do not say what hangs together.
    pub links: Option<Rc<str>>,
    /// Are true entries walls, and does what has none between it hang together?
    pub walls: bool,
}

impl Array {
    /// What is asked, and how it is written: `name(array, further, links)`.
    pub fn ask(&self, name: &str, further: &str, ask: Ask) -> Expr {
        let mut text = format!("{name}({}", self.text);
        let links = self.links.as_deref().unwrap_or_default();
        for part in [further, links].into_iter().filter(|part| !part.is_empty()) {
            text += ", ";
            text += part;
        }
        text.push(')');
        Expr::Graph(Rc::new(Graph { text, net: self.net.clone(), entries: self.entries.clone(), ask }))
    }

    pub fn area(&self, at: Expr) -> Expr {
        match self.walls {
            true => self.ask("region", &at.to_string(), Ask::Region(at)),
            false => self.ask("area", &at.to_string(), Ask::Area(at)),
        }
    }

    pub fn area_at(&self, point: usize) -> Expr {
        self.area(Expr::Known(self.net.points[point]))
    }
}

impl Maker {
    pub fn new(seed: u64) -> Maker {
        Maker { dice: Dice::new(seed), model: Model::default(), planted: Vec::new() }
    }

    fn add(&mut self, name: String, domain: &Rc<[Value]>) -> Expr {
        let name: Rc<str> = name.into();
        self.planted.push(self.dice.pick(domain));
        self.model.vars.push(Variable { name: name.clone(), domain: domain.clone() });
        Expr::Var(self.model.vars.len() - 1, name)
    }

    /// `var name : domain`
    pub fn variable(&mut self, name: &str, values: &[Value]) -> Expr {
        self.model.head.push(format!("var {name} : {}", domain(values)));
        self.add(name.to_owned(), &values.into())
    }

    /// `var name[index] : domain`, where the index has these keys.
    pub fn array(&mut self, name: &str, index: &str, keys: &[Key], net: Net, values: &[Value]) -> Array {
        self.model.head.push(format!("var {name}[{index}] : {}", domain(values)));
        let values: Rc<[Value]> = values.into();
        let entries = keys.iter().map(|key| self.add(format!("{name}[{}]", key.index()), &values)).collect();
        Array {
            text: name.to_owned(),
            keys: keys.into(),
            entries,
            net: Rc::new(net),
            links: None,
            walls: false,
        }
    }

    /// `let name = text`
    pub fn name(&mut self, name: &str, text: &str) {
        self.model.head.push(format!("let {name} = {text}"));
    }

    /// A name of its own for something written, or not.
    pub fn maybe_named(&mut self, mut array: Array) -> Array {
        if self.dice.coin() {
            let name = format!("w{}", self.model.head.len());
            self.name(&name, &array.text);
            array.text = name;
        }
        array
    }

    pub fn rule(&mut self, what: Expr) {
        self.model.rules.push(Rule::of(what));
    }

    pub fn env(&self) -> Env<'_> {
        Env { values: &self.planted, param: self.model.param() }
    }

    /// What a number is in the planted assignment; 1 where it is undefined.
    pub fn planted_number(&self, what: &Expr) -> i64 {
        what.value(self.env()).and_then(Value::number).unwrap_or(1)
    }

    /// The condition, or most of the time what of it the planted assignment keeps.
    pub fn kept(&mut self, what: Expr) -> Expr {
        if what.holds(self.env()) || self.dice.one_in(4) { what } else { what.not() }
    }

    /// Plants a solution of the rules so far, if there is one and it is found soon.
    pub fn plant(&mut self) {
        let found = self.model.solutions(self.model.param(), MOST_TRIED / 4);
        let Some(found) = found.filter(|found| !found.all.is_empty()) else { return };
        let at = self.dice.below(found.all.len());
        self.planted = found.all.into_iter().nth(at).expect("as many");
    }

    /// An array of conditions about one of values or booleans, one a key, made in one of the ways that models make them.
    pub fn view(&mut self, array: &Array) -> Array {
        let booleans = self.is_boolean(array);
        let keys = format!("p in keys({})", array.text);
        let name = &array.text.clone();
        let changed = |text: String, change: &dyn Fn(&Expr) -> Expr| Array {
            text,
            entries: array.entries.iter().map(change).collect(),
            ..array.clone()
        };
        let view = match self.dice.below(6) {
            0 | 1 if booleans => return array.clone(),
            2 if booleans => changed(format!("where({name}, false)"), &|entry| entry.clone().not()),
            _ if booleans && self.dice.one_in(3) => {
                let mut parts = Vec::with_capacity(array.entries.len());
                for entry in &array.entries {
                    parts.push(match self.dice.below(6) {
                        0 => Expr::Known(Value::Bool(true)),
                        1 => Expr::infix(
                            "or",
                            entry.clone(),
                            self.dice.pick(&array.entries.iter().collect::<Vec<_>>()).clone(),
                        ),
                        2 => entry.clone().not(),
                        _ => entry.clone(),
                    });
                }
                let items = array.keys.iter().zip(&parts).map(|(key, part)| format!("{key}: {part}"));
                Array { text: format!("{{{}}}", listed(items)), entries: parts, ..array.clone() }
            }
            _ if booleans => {
                changed(format!("{{p: not {name}[p] for {keys}}}"), &|entry| entry.clone().not())
            }
            at => {
                let domain = self.domain_of(array);
                let value = self.dice.pick(&domain);
                let same = |entry: &Expr| Expr::infix("=", entry.clone(), Expr::Known(value));
                match (at, value) {
                    (0, Value::Int(_)) => {
                        changed(format!("{{p: {name}[p] <= {value} for {keys}}}"), &|entry| {
                            Expr::infix("<=", entry.clone(), Expr::Known(value))
                        })
                    }
                    (1, _) => {
                        changed(format!("{{p: {name}[p] != {value} for {keys}}}"), &|entry| same(entry).not())
                    }
                    _ => changed(format!("where({name}, {value})"), &same),
                }
            }
        };
        self.maybe_named(view)
    }

    pub fn domain_of(&self, array: &Array) -> Rc<[Value]> {
        match &array.entries[0] {
            Expr::Var(at, _) => self.model.vars[*at].domain.clone(),
            _ => [Value::Bool(false), Value::Bool(true)].into(),
        }
    }

    pub fn is_boolean(&self, array: &Array) -> bool {
        matches!(self.domain_of(array)[..], [Value::Bool(false), Value::Bool(true)])
    }
}
