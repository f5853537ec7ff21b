//! Rules about graphs: what a whole one is, and how large its components are.

use super::expr::{Ask, Expr};
use super::maker::{Array, Maker};
use super::model::Rule;
use super::value::{Value, listed};

impl Maker {
    /// A number to compare the size of a component with; what it comes to in the planted assignment most of the time.
    fn size_for(&mut self, area: &Expr) -> Expr {
        let planted = self.planted_number(area);
        if self.dice.one_in(5) {
            let top = self.model.vars.len().min(7) as i64;
            return Expr::int(self.dice.range(0, top));
        }
        let mut sizes: Vec<Expr> = self.numbers();
        if !self.model.params.is_empty() {
            sizes.extend([Expr::Param, Expr::Param]);
        }
        if sizes.is_empty() || self.dice.coin() {
            return Expr::int(planted);
        }
        // a number that is known later, maybe some way off
        let number = self.dice.pick(&sizes.iter().collect::<Vec<_>>()).clone();
        let off = planted - self.planted_number(&number);
        match self.dice.below(4) {
            0 if off != 0 => Expr::infix("+", number, Expr::int(off)),
            1 => Expr::infix("+", number, Expr::int(1)),
            2 => Expr::infix("-", Expr::infix("*", Expr::int(2), number), Expr::int(1)),
            _ => number,
        }
    }

    /// Variables that are numbers by themselves.
    pub fn numbers(&self) -> Vec<Expr> {
        let number = |domain: &[Value]| domain.iter().all(|value| matches!(value, Value::Int(_)));
        let vars = self.model.vars.iter().enumerate();
        let single = vars.filter(|(_, var)| number(&var.domain) && !var.name.contains('['));
        single.map(|(at, var)| Expr::Var(at, var.name.clone())).collect()
    }

    /// Plants an assignment in which most of a graph is there.
    pub fn lay_out(&mut self, array: &Array) {
        let values = |expr: &Expr, found: &mut Vec<usize>| expr.variables(&mut |at| found.push(at));
        for entry in &array.entries {
            let mut vars = Vec::new();
            values(entry, &mut vars);
            let wanted = !self.dice.one_in(4);
            if let [var] = vars[..]
                && entry.holds(self.env()) != wanted
                && let Value::Bool(truth) = self.planted[var]
            {
                self.planted[var] = Value::Bool(!truth);
            }
        }
    }

    /// A way through a graph of edges is known to be there; the points on it.
    pub fn know_way(&mut self, array: &Array) -> Vec<usize> {
        let net = array.net.clone();
        let mut way = vec![self.dice.below(net.points.len())];
        let mut known = Vec::new();
        for _ in 0..2 + self.dice.below(3) {
            let at = way[way.len() - 1];
            let beside =
                |edge: &[usize; 2]| edge.iter().copied().find(|end| *end != at && edge.contains(&at));
            let on = net.edges.iter().enumerate().filter_map(|(edge, ends)| Some((edge, beside(ends)?)));
            let on: Vec<(usize, usize)> = on.filter(|(_, next)| !way.contains(next)).collect();
            if on.is_empty() {
                break;
            }
            let (edge, next) = self.dice.pick(&on);
            way.push(next);
            known.push(array.entries[edge].clone());
        }
        known.into_iter().for_each(|entry| self.rule(entry));
        way
    }

    /// The component of a point beside a way has about so many points more than the way.
    pub fn town_rule(&mut self, array: &Array, way: &[usize]) {
        let points = array.net.points.len();
        let beside: Vec<usize> = (0..points).filter(|point| !way.contains(point)).collect();
        let point = if beside.is_empty() { way[0] } else { self.dice.pick(&beside) };
        let area = array.area_at(point);
        let size = match self.dice.below(4) {
            0 => self.size_for(&area),
            1 => Expr::int(self.dice.range(way.len() as i64, points as i64)),
            _ => Expr::int(way.len() as i64 + self.dice.range(1, 3)),
        };
        self.rule(Expr::infix("=", area, size));
    }

    /// A rule about the size of one component or two.
    pub fn size_rule(&mut self, array: &Array) {
        let points = array.net.points.len();
        let area = match self.spot() {
            Some(spot) if self.dice.coin() => array.area(spot),
            _ => array.area_at(self.dice.below(points)),
        };
        let size = self.size_for(&area);
        let other = array.area_at(self.dice.below(points));
        let what = match self.dice.below(16) {
            0..6 => Expr::infix("=", area, size),
            6 => Expr::infix("!=", area, size),
            7 => Expr::infix(self.dice.pick(&["<=", ">=", "<"]), area, size),
            8 => Expr::infix("=", area, other),
            9 => {
                let sum = Expr::infix("+", area, other);
                let planted = self.planted_number(&sum);
                Expr::infix("=", sum, Expr::int(planted))
            }
            10 => Expr::infix("<", area, other),
            11 => {
                let planted = self.planted_number(&area);
                let list = [planted, self.dice.range(0, 6), self.dice.range(1, 4)].map(Expr::int);
                Expr::In(Box::new(area), list.to_vec())
            }
            12 => {
                let entry = array.entries[self.dice.below(array.entries.len())].clone();
                let entry = if self.is_boolean(array) { entry } else { Expr::Call("given", vec![entry]) };
                Expr::infix(self.dice.pick(&["or", "->", "<->"]), entry, Expr::infix("=", area, size))
            }
            13 => Expr::infix("=", Expr::infix("%", area, Expr::int(2)), Expr::int(1)),
            _ => return self.size_of_each(array),
        };
        let what = self.kept(what);
        self.rule(what);
    }

    /// A rule about the components of all points.
    fn size_of_each(&mut self, array: &Array) {
        let points: Vec<usize> = (0..array.net.points.len()).collect();
        let areas: Vec<Expr> = points.iter().map(|point| array.area_at(*point)).collect();
        let call = array.area(Expr::Var(usize::MAX, "p".into()));
        let list = listed(&array.net.points);
        let mut each = |op: &'static str, size: Expr| {
            let text = format!("for p in [{list}]: {call} {op} {size}");
            let parts = areas.iter().map(|area| Expr::infix(op, area.clone(), size.clone())).collect();
            self.model.rules.push(Rule { text, parts });
        };
        let most = areas.len() as i64;
        let size = (array.text.len() + array.entries.len()) as i64 % 3 + 1;
        match (array.net.over_edges, size) {
            (_, 1) => each("!=", Expr::int(2.min(most))),
            (_, 2) => each("<=", Expr::int(3)),
            _ => each("!=", Expr::int(1)),
        }
    }

    /// The regions of some points are as large as planted, those of all if they are as large as one another.
    pub fn regions_are_alike(&mut self, array: &Array) {
        let points = array.net.points.len();
        let one = self.dice.below(points);
        let size = self.planted_number(&array.area_at(one));
        let all = !self.dice.coin();
        for point in 0..points {
            let area = array.area_at(point);
            if all && self.planted_number(&area) == size || !all && self.dice.one_in(3) {
                let planted = self.planted_number(&area);
                self.rule(Expr::infix("=", area, Expr::int(planted)));
            }
        }
    }

    /// Each label is the size of the component of its cell.
    pub fn labels_are_sizes(&mut self, array: &Array) {
        let text = format!(
            "for p in keys({0}): {1} = {0}[p]",
            array.text,
            array.area(Expr::Var(usize::MAX, "p".into()))
        );
        let areas = (0..array.entries.len()).map(|point| array.area_at(point));
        let parts =
            areas.zip(&array.entries).map(|(area, label)| Expr::infix("=", area, label.clone())).collect();
        self.model.rules.push(Rule { text, parts });
    }

    /// The component of the cells that equal that of a point, told by what equals it.
    pub fn equals_rule(&mut self, array: &Array) {
        let point = self.dice.below(array.entries.len());
        let (own, key) = (&array.entries[point], array.net.points[point]);
        let name = &array.text;
        let entries = array.entries.iter().map(|entry| Expr::infix("=", entry.clone(), own.clone()));
        let equal = Array {
            text: format!("{{q: {name}[q] = {name}[{key}] for q in keys({name})}}"),
            entries: entries.collect(),
            ..array.clone()
        };
        let area = equal.area_at(point);
        let size = self.size_for(&area);
        let what = Expr::infix(self.dice.pick(&["=", "=", "<=", "!="]), area, size);
        let what = self.kept(what);
        self.rule(what);
    }

    /// A rule about a graph as a whole.
    pub fn whole_rule(&mut self, array: &Array) {
        let points = &array.net.points;
        let [p, q] = [0; 2].map(|_| points[self.dice.below(points.len())]);
        let what = match self.dice.below(if array.net.over_edges { 12 } else { 11 }) {
            0..3 => {
                self.so_many(array);
                array.ask("connected", "", Ask::Connected)
            }
            3 => array.ask("acyclic", "", Ask::Acyclic),
            4 | 5 => array.ask("tree", "", Ask::Tree),
            6 | 7 => {
                let mut roots: Vec<usize> = (0..points.len()).filter(|_| self.dice.one_in(3)).collect();
                if roots.is_empty() {
                    roots.push(self.dice.below(points.len()));
                }
                let list = format!("[{}]", listed(roots.iter().map(|at| points[*at])));
                array.ask("reaches", &list, Ask::Reaches(roots))
            }
            8 => array.ask("loop", "", Ask::Loop),
            9 if !array.net.over_edges => array.ask("divided", "", Ask::Divided),
            _ => {
                let mut ends = [p, q].map(Expr::Known);
                if let Some(spot) = self.spot() {
                    ends[0] = spot;
                }
                array.ask("path", &listed(&ends), Ask::Path(ends))
            }
        };
        self.whole(what);
    }

    /// A point that is to be found.
    pub fn maybe_spot(&mut self, array: &Array) {
        if self.dice.one_in(5) {
            let mut points = array.net.points.clone();
            self.dice.shuffle(&mut points);
            points.truncate(3);
            self.variable("spot", &points);
        }
    }

    fn spot(&self) -> Option<Expr> {
        let at = self.model.vars.iter().position(|var| &*var.name == "spot")?;
        Some(Expr::Var(at, "spot".into()))
    }

    /// The entries of one value, as a set.
    pub fn equal_to(&mut self, array: &Array, value: Value) -> Array {
        let same = |entry: &Expr| Expr::infix("=", entry.clone(), Expr::Known(value));
        let entries = array.entries.iter().map(same).collect();
        let set = Array { text: format!("where({}, {value})", array.text), entries, ..array.clone() };
        self.maybe_named(set)
    }

    /// So many entries hold, and one of them is known to.
    fn so_many(&mut self, array: &Array) {
        let holds: Vec<Option<Value>> = array.entries.iter().map(|entry| entry.value(self.env())).collect();
        let on = |value: &Option<Value>| *value == Some(Value::Bool(true));
        if !holds.iter().all(|value| matches!(value, Some(Value::Bool(_)))) || self.dice.one_in(3) {
            return;
        }
        let there: Vec<usize> = (0..holds.len()).filter(|at| on(&holds[*at])).collect();
        let more = i64::from(self.dice.one_in(4));
        let number = Expr::int((there.len() as i64 + more).max(1));
        let count = Expr::List("count", array.entries.clone());
        let op = self.dice.pick(&["=", "=", "<="]);
        self.rule(Expr::infix(op, count, number));
        if !there.is_empty() && !self.dice.one_in(4) {
            let known = self.dice.pick(&there);
            self.rule(array.entries[known].clone());
        }
    }

    /// A set is connected, maybe without rings.
    pub fn hangs_together(&mut self, set: &Array) {
        self.so_many(set);
        let what = match self.dice.one_in(5) {
            true => set.ask("tree", "", Ask::Tree),
            false => set.ask("connected", "", Ask::Connected),
        };
        self.whole(what);
    }

    /// A condition that may stand only where rules may: alone, or below what is known.
    pub fn whole(&mut self, what: Expr) {
        let (text, parts) = match self.dice.below(8) {
            0 => (format!("for i in 1..2: {what}"), vec![what]),
            1 => (format!("true -> {what}"), vec![what]),
            2 if !self.model.params.is_empty() => {
                let bound = self.dice.range(1, 4);
                let known = Expr::infix("<", Expr::Param, Expr::int(bound));
                (format!("{known} -> {what}"), vec![Expr::infix("->", known, what)])
            }
            3 => (format!("all([{what}, true])"), vec![what]),
            _ => (what.to_string(), vec![what]),
        };
        self.model.rules.push(Rule { text, parts });
    }

    /// Some entries are known by rules of their own.
    pub fn know_some(&mut self, array: &Array) {
        let one_in = self.dice.pick(&[2, 3, 4, 9]);
        let mut known: Vec<Expr> = Vec::new();
        for entry in &array.entries {
            let mut value = entry.value(self.env()).expect("a variable");
            if !self.dice.one_in(one_in) {
                continue;
            }
            if self.dice.one_in(12) {
                value = self.dice.pick(&self.domain_of(array));
            }
            known.push(match value {
                value if !self.is_boolean(array) => Expr::infix("=", entry.clone(), Expr::Known(value)),
                Value::Bool(true) => entry.clone(),
                _ => entry.clone().not(),
            });
        }
        if self.dice.coin() && !known.is_empty() {
            self.model.rules.push(Rule {
                text: known.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and "),
                parts: known,
            });
        } else {
            known.into_iter().for_each(|one| self.rule(one));
        }
    }
}
