//! Random models of many kinds, each made from a seed.

use super::expr::{Ask, Expr};
use super::maker::{Array, Maker};
use super::model::{Aim, Model};
use super::scalars::Leaves;
use super::value::Value;

const SWITCH: [Value; 2] = [Value::Bool(false), Value::Bool(true)];

/// What a model is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The size of one component, with roads that are known and detours.
    Town,
    /// Sizes and shapes of what is chosen of roads with names.
    Roads,
    /// A line along the edges of a board.
    Line,
    /// Walls that part a board, a map of roads, or a list of pairs into regions.
    Walls,
    /// Cells that hang together, on boards with holes.
    Cells,
    /// Labels of cells, and the areas of equal ones.
    Labels,
    /// Graphs by a list of pairs.
    Linked,
    /// No graphs: single variables of all kinds.
    Scalars,
    /// Sizes of components in conditions of all kinds.
    Mixed,
}

pub const KINDS: [Kind; 9] = [
    Kind::Scalars,
    Kind::Mixed,
    Kind::Town,
    Kind::Roads,
    Kind::Line,
    Kind::Walls,
    Kind::Cells,
    Kind::Labels,
    Kind::Linked,
];

/// The model of a seed.
pub fn model(seed: u64, kind: Option<Kind>) -> Model {
    let mut maker = Maker::new(seed);
    let drawn = maker.dice.pick(&KINDS);
    let kind = kind.unwrap_or(drawn);
    if maker.dice.one_in(4) {
        let first = maker.dice.range(0, 5);
        maker.model.params = vec![first, maker.dice.range(1, 4), maker.dice.range(0, 6)];
    }
    // numbers before the arrays or behind them: so they are numbered, and so they are decided
    let early = maker.dice.one_in(if kind == Kind::Town { 6 } else { 2 });
    if early {
        maker.number_variables();
    }
    match kind {
        Kind::Town => maker.town_model(),
        Kind::Roads => maker.roads_model(),
        Kind::Line => maker.line_model(),
        Kind::Walls => maker.walls_model(),
        Kind::Cells => maker.cells_model(),
        Kind::Labels => maker.labels_model(),
        Kind::Linked => maker.linked_model(),
        Kind::Scalars => maker.scalars_model(),
        Kind::Mixed => maker.mixed_model(),
    }
    maker.model
}

impl Maker {
    /// No number, one or two of them, with gaps or without.
    fn number_variables(&mut self) {
        for name in ["n", "m"] {
            if self.dice.one_in(3) {
                return;
            }
            let domains: [&[i64]; 6] =
                [&[0, 1, 2, 3], &[1, 2, 3, 4, 5], &[0, 2, 3, 5], &[4, 2, 6], &[1, 3], &[-1, 2, 5]];
            let domain: Vec<Value> = self.dice.pick(&domains).iter().map(|n| Value::Int(*n)).collect();
            self.variable(name, &domain);
        }
    }

    /// Numbers that come late, an aim, and what tells answers apart.
    fn finish(&mut self, array: &Array) {
        if self.dice.one_in(4) {
            let count = Expr::List("count", array.entries.clone());
            let what = match self.is_boolean(array) {
                true => count,
                false => array.area_at(0),
            };
            let what = match self.dice.below(3) {
                0 => Expr::infix("-", what, array.area_at(array.net.points.len() - 1)),
                1 => array.area_at(self.dice.below(array.net.points.len())),
                _ => what,
            };
            self.model.aim = Some(Aim { maximize: self.dice.coin(), what });
        }
    }

    fn several(&mut self, most: usize, mut what: impl FnMut(&mut Maker)) {
        for _ in 0..1 + self.dice.below(most) {
            what(self);
        }
    }

    fn late_numbers(&mut self) {
        if self.numbers().is_empty() {
            self.number_variables();
        }
    }

    fn roads_model(&mut self) {
        let most = if self.numbers().is_empty() { 11 } else { 9 };
        let roads = self.roads("road", most);
        self.late_numbers();
        let open = self.view(&roads);
        if self.dice.one_in(3) {
            self.whole_rule(&open);
            self.plant();
        }
        self.know_some(&roads);
        self.several(3, |maker| maker.size_rule(&open));
        if self.dice.one_in(4) {
            let other = self.view(&roads);
            self.size_rule(&other);
        }
        self.finish(&open);
    }

    /// A town round a point: a way is known, detours are not.
    fn town_model(&mut self) {
        let roads = if self.dice.one_in(3) { self.line_through("line", 11) } else { self.roads("road", 11) };
        let open = self.view(&roads);
        self.lay_out(&open);
        let way = self.know_way(&open);
        self.town_rule(&open, &way);
        if self.dice.one_in(4) {
            self.size_rule(&open);
        }
        self.finish(&open);
    }

    fn line_model(&mut self) {
        let line = match self.dice.below(4) {
            0 => self.line("line", 1, 2),
            1 => self.line("line", 1, 3),
            2 => self.line("line", 2, 2),
            _ => self.line_through("line", 11),
        };
        if line.entries.len() < 9 {
            self.late_numbers();
        }
        let seen = self.view(&line);
        self.maybe_spot(&line);
        self.several(2, |maker| maker.whole_rule(&seen));
        self.plant();
        if self.dice.coin() {
            self.know_some(&line);
        }
        if self.dice.coin() {
            self.several(2, |maker| maker.size_rule(&seen));
        }
        self.finish(&line);
    }

    fn walls_model(&mut self) {
        let line = match self.dice.below(6) {
            0 => self.line("line", 1, 2),
            1 => self.line("line", 1, 3),
            2 => self.line("line", 2, 2),
            3 => self.roads("road", 11),
            _ => self.line_through("line", 12),
        };
        if line.entries.len() < 9 {
            self.late_numbers();
        }
        let walls = Array { walls: true, ..self.view(&line) };
        self.maybe_spot(&line);
        if !self.dice.one_in(4) {
            let parted = walls.ask("partition", "", Ask::Partition);
            self.whole(parted);
            self.plant();
        }
        if self.dice.coin() {
            self.know_some(&line);
        }
        if self.dice.one_in(3) {
            self.regions_are_alike(&walls);
        }
        self.several(3, |maker| maker.size_rule(&walls));
        self.finish(&walls);
    }

    fn cells_model(&mut self) {
        let cells = self.board("b", 10, &SWITCH);
        if cells.entries.len() < 9 {
            self.late_numbers();
        }
        let seen = self.view(&cells);
        self.maybe_spot(&cells);
        match self.dice.below(4) {
            3 => {
                self.hangs_together(&cells);
                let other = self.equal_to(&cells, Value::Bool(false));
                self.hangs_together(&other);
            }
            0 => {
                self.several(2, |maker| maker.whole_rule(&seen));
                let other = self.view(&cells);
                self.whole_rule(&other);
                self.plant();
            }
            1 => self.several(2, |maker| maker.whole_rule(&seen)),
            _ => {}
        }
        if self.dice.coin() {
            self.know_some(&cells);
        }
        if self.dice.coin() {
            self.several(3, |maker| maker.size_rule(&seen));
        }
        self.finish(&cells);
    }

    fn labels_model(&mut self) {
        let labels: [&[Value]; 6] = [
            &[Value::Bool(true), Value::Bool(false), Value::None],
            &[Value::Int(1), Value::Int(2), Value::Int(3)],
            &[Value::Int(1), Value::Int(2), Value::Int(3), Value::Int(4)],
            &[Value::Int(1), Value::Int(3), Value::None],
            &[Value::Text("a"), Value::Text("b"), Value::None],
            &[Value::Pair(1, 1), Value::Pair(1, 2), Value::Pair(2, 2)],
        ];
        let labels = self.dice.pick(&labels);
        let most = if labels.len() == 3 { 8 } else { 6 };
        let array = self.board("l", most, labels);
        let all_numbers = labels.iter().all(|label| matches!(label, Value::Int(_)));
        if array.entries.len() <= 7 {
            self.late_numbers();
        }
        match self.dice.below(5) {
            0 if all_numbers => self.labels_are_sizes(&array),
            3 => {
                for value in labels.iter().filter(|value| **value != Value::None) {
                    let set = self.equal_to(&array, *value);
                    self.hangs_together(&set);
                }
            }
            1 => {
                let what = array.ask("divided", "", super::expr::Ask::Divided);
                self.whole(what);
            }
            2 => self.several(3, |maker| {
                let set = maker.view(&array);
                maker.whole_rule(&set);
            }),
            _ => {}
        }
        self.plant();
        if self.dice.one_in(3) {
            self.know_some(&array);
        }
        self.several(2, |maker| match maker.dice.below(4) {
            0 => maker.equals_rule(&array),
            1 => {
                let set = maker.view(&array);
                maker.size_rule(&set);
            }
            _ => maker.size_rule(&array),
        });
        self.finish(&array);
    }

    fn linked_model(&mut self) {
        let array = self.linked("on", 8, &SWITCH);
        self.maybe_spot(&array);
        self.late_numbers();
        let seen = self.view(&array);
        if self.dice.coin() {
            self.whole_rule(&seen);
            self.plant();
        }
        if self.dice.coin() {
            self.know_some(&array);
        }
        self.several(2, |maker| maker.size_rule(&seen));
        self.finish(&array);
    }

    fn scalars_model(&mut self) {
        self.scalar_variables(6);
        let leaves = Leaves::of(self);
        let depth = self.dice.pick(&[1, 2, 2, 3]);
        self.several(3, |maker| {
            let what = maker.condition(&leaves, depth);
            let what = maker.kept(what);
            maker.rule(what);
        });
        if self.dice.one_in(4) {
            let what = self.total(&leaves);
            self.model.aim = Some(Aim { maximize: self.dice.coin(), what });
        }
        if self.dice.one_in(4) {
            let answer = (0..self.model.vars.len()).filter(|_| self.dice.coin());
            self.model.answer = answer.collect();
        }
    }

    /// A number that always has a value.
    fn total(&mut self, leaves: &Leaves) -> Expr {
        let weighed = leaves.numbers.iter().chain(&leaves.truths);
        let weighed = weighed.map(|leaf| Expr::infix("*", Expr::int(self.dice.range(-2, 3)), leaf.clone()));
        let mut list: Vec<Expr> = weighed.collect();
        list.push(Expr::Call("int", vec![self.condition(leaves, 1)]));
        Expr::List("sum", list)
    }

    fn mixed_model(&mut self) {
        let array = match self.dice.below(3) {
            0 => self.board("c", 6, &SWITCH),
            1 => self.roads("road", 7),
            _ => self.linked("on", 6, &SWITCH),
        };
        self.scalar_variables(3);
        let seen = self.view(&array);
        if self.dice.one_in(3) {
            self.whole_rule(&seen);
            self.plant();
        }
        let mut leaves = Leaves::of(self);
        for _ in 0..3 {
            let area = seen.area_at(self.dice.below(seen.net.points.len()));
            leaves.numbers.push(area);
        }
        self.several(3, |maker| {
            let what = maker.condition(&leaves, 2);
            let what = maker.kept(what);
            maker.rule(what);
        });
        if self.dice.one_in(4) {
            let what = self.total(&leaves);
            self.model.aim = Some(Aim { maximize: self.dice.coin(), what });
        }
    }
}
