//! Expressions as documents.
//!
//! In: an expression and a place before its first token. Out: a node with everything up to the place after
//! its last token. The tree gives the sequence of tokens, the text their form: the author's grouping brackets
//! stay.

use super::cursor::Cursor;
use super::doc::{Id, Node, WIDTH};
use crate::shared::{Span, with_stack};
use crate::syntax::ast::{Args, BinaryOp, Expr, ExprKind, Gen, IndexPart, Number, Pattern, PatternKind};
use crate::syntax::printer::{Level, binary, compare};

/// The blanks around operators.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Room {
    Wide,
    /// An end of a range: `0..n+1`.
    Tight,
}

/// Makes the node of one part of a list.
type Part<'c, 's> = dyn FnMut(&mut Cursor<'s>, usize) -> Id + 'c;

impl<'s> Cursor<'s> {
    pub fn expr(&mut self, value: &Expr) -> Id {
        self.expr_in(value, Room::Wide)
    }

    /// An expression with this spacing of operators.
    pub fn expr_in(&mut self, value: &Expr, room: Room) -> Id {
        with_stack(|| {
            if self.is_grouped(value.span) {
                return self.grouped(|c| c.expr(value));
            }
            self.ungrouped(value, room)
        })
    }

    /// Does a grouping bracket follow, which the tree does not have?
    pub fn is_grouped(&self, span: Span) -> bool {
        self.starts("(") && self.next() < span.start as usize
    }

    fn grouped(&mut self, inner: impl FnOnce(&mut Cursor<'s>) -> Id) -> Id {
        let open = self.token("(");
        let inner = inner(self);
        let inner = self.docs.add(Node::Hang(inner));
        let close = self.token(")");
        let whole = self.docs.seq([open, inner, close]);
        self.docs.add(Node::Group(whole))
    }

    fn ungrouped(&mut self, value: &Expr, room: Room) -> Id {
        match &*value.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Text(_)
            | ExprKind::Raw(_)
            | ExprKind::Picture { .. }
            | ExprKind::Name(_) => self.span(value.span),
            ExprKind::Tuple(parts) => self.brackets("(", ")", parts.len(), &mut |c, k| c.expr(&parts[k])),
            ExprKind::List(parts) => self.listed("[", "]", parts.len(), &mut |c, k| c.expr(&parts[k])),
            ExprKind::Numbers(numbers) => {
                self.listed("[", "]", numbers.len(), &mut |c, k| c.number(&numbers[k], value.span))
            }
            ExprKind::Map(entries) => {
                self.listed("{", "}", entries.len(), &mut |c, k| c.entry(&entries[k].0, &entries[k].1))
            }
            ExprKind::ListFor { value, gens } => self.collected("[", "]", gens, |c| c.expr(value)),
            ExprKind::MapFor { key, value, gens } => self.collected("{", "}", gens, |c| c.entry(key, value)),
            ExprKind::For { gens, body } => {
                let head = self.for_head(gens);
                let body = self.expr(body);
                let line = self.docs.add(Node::Line);
                let body = self.docs.seq([line, body]);
                let body = self.docs.add(Node::Nest(body));
                let whole = self.docs.seq([head, body]);
                self.docs.add(Node::Group(whole))
            }
            ExprKind::If { .. } => self.conditional(value),
            ExprKind::Not(operand) => {
                let not = self.token("not");
                let operand = self.expr(operand);
                self.spaced(not, operand)
            }
            ExprKind::Negate(operand) => {
                let sign = self.token("-");
                let operand = self.expr_in(operand, room);
                self.docs.seq([sign, operand])
            }
            ExprKind::Binary { op: BinaryOp::Implies, .. } => self.implications(value),
            ExprKind::Binary { op, .. } => self.chain(value, *op, room),
            ExprKind::Compare { first, rest } => {
                let mut parts = vec![self.operand(first, Room::Wide)];
                for (op, operand) in rest {
                    let sign = self.token(compare(*op).trim());
                    let operand = self.operand(operand, Room::Wide);
                    parts.push(self.spaced(sign, operand));
                }
                self.docs.add(Node::Fill(parts))
            }
            ExprKind::Call { name, args } => {
                let name = self.span(name.span);
                let args = self.arguments(args);
                self.docs.seq([name, args])
            }
            ExprKind::Index { .. } => self.indexed(value),
        }
    }

    /// `a b`
    fn spaced(&mut self, a: Id, b: Id) -> Id {
        let blank = self.docs.text(" ");
        self.docs.seq([a, blank, b])
    }

    /// An operand; its next lines are indented.
    fn operand(&mut self, value: &Expr, room: Room) -> Id {
        let operand = self.expr_in(value, room);
        self.docs.add(Node::Nest(operand))
    }

    fn number(&mut self, number: &Number, list: Span) -> Id {
        let span = Span { start: number.start, end: number.end, ..list };
        if self.is_grouped(span) {
            return self.grouped(|c| c.number(number, list));
        }
        if !self.starts("-") {
            return self.span(span);
        }
        let sign = self.token("-");
        let digits = self.span(span);
        self.docs.seq([sign, digits])
    }

    /// A chain of operators of one level. They lean to the left, as deep as the chain is long.
    fn chain(&mut self, value: &Expr, op: BinaryOp, room: Room) -> Id {
        let level = binary(op).0;
        let mut rest = Vec::new();
        let mut first = value;
        while let ExprKind::Binary { op, left, right } = &*first.kind
            && binary(*op).0 == level
            && !self.is_grouped(first.span)
        {
            rest.push((*op, right));
            first = left;
        }
        // The brackets of the first operand belong to no other.
        let room = match level {
            Level::Range => Room::Tight,
            Level::Sum | Level::Product => room,
            _ => Room::Wide,
        };
        let narrow = |operand: &Expr| match &*operand.kind {
            ExprKind::Binary { op: BinaryOp::Mul, left, right }
                if level == Level::Sum
                    && matches!(*left.kind, ExprKind::Int(_))
                    && matches!(*right.kind, ExprKind::Name(_)) =>
            {
                Room::Tight
            }
            _ => room,
        };
        let mut parts = vec![self.operand(first, narrow(first))];
        for (op, operand) in rest.into_iter().rev() {
            let sign = self.token(binary(op).1.trim());
            let operand = self.operand(operand, narrow(operand));
            if room == Room::Tight {
                parts.extend([sign, operand]);
            } else {
                parts.push(self.spaced(sign, operand));
            }
        }
        match room {
            Room::Tight => self.docs.seq(parts),
            Room::Wide => self.docs.add(Node::Fill(parts)),
        }
    }

    /// `a -> b -> c` leans to the right.
    fn implications(&mut self, mut value: &Expr) -> Id {
        let mut parts = Vec::new();
        let mut arrow = None;
        loop {
            let next = match &*value.kind {
                ExprKind::Binary { op: BinaryOp::Implies, left, right } if !self.is_grouped(value.span) => {
                    Some((left, right))
                }
                _ => None,
            };
            let operand = self.operand(next.map_or(value, |(left, _)| left), Room::Wide);
            parts.push(match arrow {
                Some(arrow) => self.spaced(arrow, operand),
                None => operand,
            });
            let Some((_, right)) = next else { break };
            arrow = Some(self.token("->"));
            value = right;
        }
        self.docs.add(Node::Fill(parts))
    }

    /// `if c then a else if d then b else e`, in a loop: there may be thousands of them.
    fn conditional(&mut self, mut value: &Expr) -> Id {
        let mut parts = Vec::new();
        let mut leading = None;
        while let ExprKind::If { cond, then, other } = &*value.kind
            && !self.is_grouped(value.span)
        {
            let word = self.token("if");
            let word = leading.map_or(word, |leading| self.spaced(leading, word));
            let cond = self.operand(cond, Room::Wide);
            let cond = self.spaced(word, cond);
            let word = self.token("then");
            let then = self.operand(then, Room::Wide);
            let then = self.spaced(word, then);
            let part = self.docs.add(Node::Fill(vec![cond, then]));
            parts.push(self.docs.add(Node::Nest(part)));
            leading = Some(self.token("else"));
            value = other;
        }
        let last = self.operand(value, Room::Wide);
        parts.push(leading.map_or(last, |leading| self.spaced(leading, last)));
        self.docs.add(Node::Fill(parts))
    }

    /// `a[i][j]…`, in a loop.
    fn indexed(&mut self, value: &Expr) -> Id {
        let mut indices = Vec::new();
        let mut base = value;
        while let ExprKind::Index { base: inner, index } = &*base.kind
            && !self.is_grouped(base.span)
        {
            indices.push(index);
            base = inner;
        }
        let mut parts = vec![self.expr(base)];
        for index in indices.into_iter().rev() {
            parts.push(self.brackets("[", "]", index.len(), &mut |c, k| c.index_part(&index[k])));
        }
        self.docs.seq(parts)
    }

    fn index_part(&mut self, part: &IndexPart) -> Id {
        match part {
            IndexPart::At(key) => self.expr(key),
            IndexPart::All(_) => self.token("*"),
            IndexPart::Part { from, to, .. } => {
                let mut parts = Vec::new();
                parts.extend(from.as_ref().map(|from| self.expr_in(from, Room::Tight)));
                parts.push(self.token(".."));
                // `..k - 1` has one end and stays wide; the ends of `i..k-1` are tight
                let room = if from.is_some() { Room::Tight } else { Room::Wide };
                parts.extend(to.as_ref().map(|to| self.expr_in(to, room)));
                self.docs.seq(parts)
            }
        }
    }

    fn arguments(&mut self, args: &Args) -> Id {
        match args {
            Args::List(args) => self.brackets("(", ")", args.len(), &mut |c, k| c.expr(&args[k])),
            Args::For { value, gens, more } => {
                let open = self.token("(");
                let value = self.expr(value);
                let mut parts = self.for_gens(gens);
                if let Some(last) = parts.pop() {
                    let comma = if more.is_empty() { self.drop(",") } else { self.token(",") };
                    parts.push(self.docs.seq([last, comma]));
                }
                parts.extend(self.parts(")", more.len(), &mut |c, k| c.expr(&more[k])));
                let parts = self.led(value, parts);
                self.closed(open, parts, ")")
            }
        }
    }

    fn entry(&mut self, key: &Expr, value: &Expr) -> Id {
        let key = self.expr(key);
        let colon = self.token(":");
        let value = self.expr(value);
        let colon = self.docs.seq([key, colon]);
        self.spaced(colon, value)
    }

    /// `[value for gens]`
    fn collected(
        &mut self,
        open: &str,
        close: &str,
        gens: &[Gen],
        value: impl FnOnce(&mut Cursor<'s>) -> Id,
    ) -> Id {
        let open = self.token(open);
        let value = value(self);
        let gens = self.for_gens(gens);
        let parts = self.led(value, gens);
        self.closed(open, parts, close)
    }

    /// A value and its generators. After a long value they start on their own line, unless everything fits on
    /// one.
    fn led(&mut self, value: Id, mut gens: Vec<Id>) -> Vec<Id> {
        let value = self.docs.add(Node::Nest(value));
        if self.docs.flat_width(value).is_some_and(|width| width <= WIDTH / 3) {
            gens.insert(0, value);
            return gens;
        }
        let line = self.docs.add(Node::Line);
        let gens = self.docs.add(Node::Fill(gens));
        vec![self.docs.seq([value, line, gens])]
    }

    /// `for g, g if c`, one part for each generator.
    fn for_gens(&mut self, gens: &[Gen]) -> Vec<Id> {
        let word = self.token("for");
        let mut parts = self.gens(gens);
        if let Some(first) = parts.first_mut() {
            *first = self.spaced(word, *first);
        }
        parts
    }

    /// `for gens:`
    fn for_head(&mut self, gens: &[Gen]) -> Id {
        let word = self.token("for");
        let gens = self.gens(gens);
        let gens = self.docs.add(Node::Fill(gens));
        let gens = self.docs.add(Node::Hang(gens));
        let colon = self.token(":");
        let gens = self.docs.seq([gens, colon]);
        self.spaced(word, gens)
    }

    /// Generators and guards, with the commas between them.
    pub fn gens(&mut self, gens: &[Gen]) -> Vec<Id> {
        let mut parts = Vec::new();
        for (k, one) in gens.iter().enumerate() {
            let part = match one {
                Gen::In { pattern, list } => self.bound(pattern, "in", list),
                Gen::Let { pattern, value } => self.bound(pattern, "=", value),
                Gen::If(condition) => {
                    let word = self.token("if");
                    let condition = self.expr(condition);
                    self.spaced(word, condition)
                }
            };
            let part = self.docs.add(Node::Nest(part));
            // A guard needs no comma before it.
            let comma = match gens.get(k + 1) {
                Some(Gen::If(_)) => self.drop(","),
                Some(_) => self.token(","),
                None => self.docs.seq([]),
            };
            parts.push(self.docs.seq([part, comma]));
        }
        parts
    }

    fn bound(&mut self, pattern: &Pattern, word: &str, value: &Expr) -> Id {
        let pattern = self.pattern(pattern);
        let word = self.token(word);
        let value = self.expr(value);
        let value = self.spaced(word, value);
        self.spaced(pattern, value)
    }

    pub fn pattern(&mut self, pattern: &Pattern) -> Id {
        with_stack(|| {
            if self.is_grouped(pattern.span) {
                return self.grouped(|c| c.pattern(pattern));
            }
            match &pattern.kind {
                PatternKind::Ignore | PatternKind::Name(_) => self.span(pattern.span),
                PatternKind::Tuple(parts) => {
                    let tuple = self.brackets("(", ")", parts.len(), &mut |c, k| c.pattern(&parts[k]));
                    self.docs.add(Node::Flat(tuple))
                }
            }
        })
    }

    /// `(part, part)`
    pub fn brackets(&mut self, open: &str, close: &str, n: usize, part: &mut Part<'_, 's>) -> Id {
        let open = self.token(open);
        let parts = self.parts(close, n, part);
        self.closed(open, parts, close)
    }

    /// Parts with the commas between them; a trailing comma is dropped.
    pub fn parts(&mut self, close: &str, n: usize, part: &mut Part<'_, 's>) -> Vec<Id> {
        let mut parts = Vec::with_capacity(n);
        for k in 0..n {
            let node = part(self, k);
            let node = self.docs.add(Node::Nest(node));
            let comma = match k + 1 < n {
                true => self.token(","),
                false => self.drop(","),
            };
            parts.push(self.docs.seq([node, comma]));
        }
        self.lost |= !self.starts(close);
        parts
    }

    fn closed(&mut self, open: Id, parts: Vec<Id>, close: &str) -> Id {
        let inner = self.docs.add(Node::Fill(parts));
        let inner = self.docs.add(Node::Hang(inner));
        let close = self.token(close);
        let whole = self.docs.seq([open, inner, close]);
        self.docs.add(Node::Group(whole))
    }

    /// `[part, part]`: if its bracket is far to the right, the parts go below. A table stays a table.
    fn listed(&mut self, open: &str, close: &str, n: usize, part: &mut Part<'_, 's>) -> Id {
        let open = self.token(open);
        let mut breaks = Vec::new();
        let mut columns = false;
        let below = self.between().contains('\n');
        let mut watched = |c: &mut Cursor<'s>, k: usize| {
            let blanks = c.between();
            if blanks.contains('\n') {
                breaks.push(k);
            } else {
                columns |= k > 0 && blanks.len() > 1;
            }
            part(c, k)
        };
        let parts = self.parts(close, n, &mut watched);
        let table = if below && columns { self.table(&parts, &breaks) } else { None };
        let inner = table.unwrap_or_else(|| {
            let inner = self.docs.add(Node::Fill(parts));
            self.docs.add(Node::Block(inner))
        });
        let close = self.token(close);
        let whole = self.docs.seq([open, inner, close]);
        self.docs.add(Node::Group(whole))
    }

    /// The rows of the source with aligned columns. `None` if something does not fit on one line.
    fn table(&mut self, parts: &[Id], breaks: &[usize]) -> Option<Id> {
        let ends = breaks.iter().skip(1).copied().chain([parts.len()]);
        let rows: Vec<&[Id]> = breaks.iter().zip(ends).map(|(start, end)| &parts[*start..end]).collect();
        let mut widths: Vec<usize> = Vec::new();
        for row in &rows {
            for (column, part) in row.iter().enumerate() {
                let width = self.docs.flat_width(*part)?;
                if column == widths.len() {
                    widths.push(0);
                }
                // Nothing follows the last column.
                if column + 1 < row.len() {
                    widths[column] = widths[column].max(width + 1);
                }
            }
        }
        let mut set = Vec::new();
        let mut columns = false;
        for (k, row) in rows.iter().enumerate() {
            if k > 0 {
                set.push(self.docs.add(Node::Hard));
            }
            let mut at = 0;
            for (column, part) in row.iter().enumerate() {
                let width = self.docs.flat_width(*part)?;
                set.push(*part);
                if column + 1 < row.len() {
                    let blanks = widths[column] - width;
                    columns |= blanks > 1;
                    set.push(self.docs.blanks(blanks));
                    at += widths[column];
                } else if at + width > WIDTH - 8 {
                    return None;
                }
            }
        }
        // A table whose blanks do not distinguish it from a list would not be a table the next time.
        if !columns {
            return None;
        }
        let rows = self.docs.seq(set);
        Some(self.docs.add(Node::Below(rows)))
    }
}
