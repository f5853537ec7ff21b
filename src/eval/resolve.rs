//! Syntax tree → resolved tree: names become slots and numbers, chains become flat.
//!
//! There is one [`Resolver`] for each frame (an expression, a function, a rule). It collects faults and goes
//! on.

use super::ir::*;
use super::scope::{Meaning, Scope};
use super::value::Value;
use crate::builtins::{self, Builtin};
use crate::diag::{Code, Diagnostic};
use crate::shared::{Span, nearest};
use crate::syntax::ast::{self, Args, BinaryOp, Expr, ExprKind, IndexPart, Pattern, PatternKind, TextPart};
use crate::syntax::print_expr;
use std::rc::Rc;

/// Functions of other languages, and what is written here.
const FOREIGN_FUNCTIONS: &[(&str, &str)] = &[
    ("alldifferent", "write `distinct(list)`"),
    ("all_different", "write `distinct(list)`"),
    ("allDifferent", "write `distinct(list)`"),
    ("AllDifferent", "write `distinct(list)`"),
    ("Distinct", "write `distinct(list)`"),
    ("exactly", "write `count(list) = n`"),
    ("atleast", "write `count(list) >= n`"),
    ("at_least", "write `count(list) >= n`"),
    ("atmost", "write `count(list) <= n`"),
    ("at_most", "write `count(list) <= n`"),
    ("bool2int", "write `int(b)`; `count` and `sum` take booleans as they are"),
    ("forall", "write `for p in S: e`, or `all(e for p in S)`"),
    ("exists", "write `any(e for p in S)`"),
    ("element", "an entry is `list[i]`, also for an unknown `i`"),
    ("length", "write `len(list)`"),
    ("size", "write `len(list)`"),
    ("If", "write `if c then a else b`"),
    ("And", "write `a and b`, or `all(list)`"),
    ("Or", "write `a or b`, or `any(list)`"),
    ("Not", "write `not a`"),
];

pub struct Resolver<'a> {
    pub(super) scope: &'a Scope,
    std_scope: &'a Scope,
    pub(super) locals: Vec<(Rc<str>, u32)>,
    pub(super) slots: u32,
    pub faults: Vec<Diagnostic>,
    /// In a rule: all names that any of its conjuncts binds.
    pub(super) elsewhere: Vec<Rc<str>>,
    /// Globals this frame mentions.
    pub uses: Vec<GlobalId>,
    pub calls: Vec<DefId>,
}

impl<'a> Resolver<'a> {
    pub fn new(scope: &'a Scope, std_scope: &'a Scope) -> Resolver<'a> {
        Resolver {
            scope,
            std_scope,
            locals: Vec::new(),
            slots: 0,
            faults: Vec::new(),
            elsewhere: Vec::new(),
            uses: Vec::new(),
            calls: Vec::new(),
        }
    }

    pub fn body(&mut self, expr: &Expr) -> Body {
        let node = self.expr(expr);
        Body { slots: self.slots, node }
    }

    pub fn slots(&self) -> u32 {
        self.slots
    }

    fn slot(&mut self, name: &Rc<str>) -> u32 {
        self.slots += 1;
        self.locals.push((name.clone(), self.slots - 1));
        self.slots - 1
    }

    pub fn pattern(&mut self, pattern: &Pattern) -> Pat {
        match &pattern.kind {
            PatternKind::Ignore => Pat::Ignore,
            PatternKind::Name(name) => Pat::Slot(self.slot(name)),
            PatternKind::Tuple(parts) => {
                Pat::Tuple(parts.iter().map(|part| self.pattern(part)).collect(), pattern.span)
            }
        }
    }

    /// Drops the names bound since `mark` (slots stay).
    pub(super) fn leave(&mut self, mark: usize) {
        self.locals.truncate(mark);
    }

    pub(super) fn gens(&mut self, gens: &[ast::Gen]) -> Gens {
        gens.iter()
            .map(|generator| match generator {
                ast::Gen::In { pattern, list } => {
                    let list = self.expr(list);
                    Gen::In(self.pattern(pattern), list)
                }
                ast::Gen::Let { pattern, value } => {
                    let value = self.expr(value);
                    Gen::Let(self.pattern(pattern), value)
                }
                ast::Gen::If(cond) => Gen::If(self.expr(cond)),
            })
            .collect()
    }

    pub fn dims(&mut self, dims: &[ast::Dimension]) -> Vec<Dim> {
        let before = self.faults.len();
        let dims = dims
            .iter()
            .map(|dim| {
                let keys = self.expr(&dim.keys);
                Dim { pattern: dim.pattern.as_ref().map(|pattern| self.pattern(pattern)), keys }
            })
            .collect();
        for fault in &mut self.faults[before..] {
            if fault.code == Code::UnknownName && fault.help.is_empty() {
                fault.help.push(
                    "a size is a parameter of its own, such as `param h, w`; data tell its value".into(),
                );
            }
        }
        dims
    }

    pub fn domain(&mut self, domain: &ast::Domain) -> DomainIr {
        match &domain.kind {
            ast::DomainKind::Bool => DomainIr::Bool,
            ast::DomainKind::Int => DomainIr::Int,
            ast::DomainKind::Text => DomainIr::Text,
            ast::DomainKind::Word => DomainIr::Word,
            ast::DomainKind::List => DomainIr::List,
            ast::DomainKind::Values(expr) => DomainIr::Values(self.expr(expr)),
        }
    }

    pub(super) fn text(&mut self, text: &ast::Text, is_label: bool) -> Box<[TextNode]> {
        text.parts
            .iter()
            .map(|part| match part {
                TextPart::Literal(literal) => TextNode::Literal(literal.clone()),
                TextPart::Value(expr) => {
                    if is_label && self.bound_elsewhere(expr) {
                        return TextNode::Elsewhere;
                    }
                    TextNode::Value(self.expr(expr), print_expr(expr).into())
                }
            })
            .collect()
    }

    pub fn expr(&mut self, expr: &Expr) -> Node {
        let span = expr.span;
        let mark = self.locals.len();
        let kind = match &*expr.kind {
            ExprKind::Int(i) => Kind::Const(Value::Int(*i)),
            ExprKind::Bool(b) => Kind::Const(Value::Bool(*b)),
            ExprKind::None => Kind::Const(Value::None),
            ExprKind::Raw(text) | ExprKind::Picture { text, .. } => Kind::Const(Value::Str(text.clone())),
            ExprKind::Text(text) => match &text.parts[..] {
                [] => Kind::Const(Value::text("")),
                [TextPart::Literal(literal)] => Kind::Const(Value::Str(literal.clone())),
                _ => Kind::Text(self.text(text, false)),
            },
            ExprKind::Numbers(items) => {
                Kind::Const(Value::list(items.iter().map(|number| Value::Int(number.value)).collect()))
            }
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Tuple(parts) => constant(Kind::Tuple(self.list(parts))),
            ExprKind::List(parts) => constant(Kind::List(self.list(parts))),
            ExprKind::Map(pairs) => {
                Kind::Map(pairs.iter().map(|(key, value)| (self.expr(key), self.expr(value))).collect())
            }
            ExprKind::ListFor { value, gens } => {
                let gens = self.gens(gens);
                Kind::ListFor(Box::new((self.expr(value), gens)))
            }
            ExprKind::MapFor { key, value, gens } => {
                let gens = self.gens(gens);
                Kind::MapFor(Box::new((self.expr(key), self.expr(value), gens)))
            }
            ExprKind::For { gens, body } => {
                let gens = self.gens(gens);
                Kind::For(Box::new((gens, self.expr(body))))
            }
            ExprKind::If { cond, then, other } => {
                Kind::If(Box::new([self.expr(cond), self.expr(then), self.expr(other)]))
            }
            ExprKind::Not(inner) => Kind::Not(Box::new(self.expr(inner))),
            ExprKind::Negate(inner) => match self.expr(inner) {
                Node { kind: Kind::Const(Value::Int(i)), .. } if i != i64::MIN => Kind::Const(Value::Int(-i)),
                inner => Kind::Negate(Box::new(inner)),
            },
            ExprKind::Binary { op, left, right } => self.binary(expr, *op, left, right),
            ExprKind::Compare { first, rest } => {
                let first = self.expr(first);
                Kind::Compare(Box::new(first), rest.iter().map(|(op, e)| (*op, self.expr(e))).collect())
            }
            ExprKind::Call { name, args } => self.call(span, name, args),
            ExprKind::Index { base, index } => {
                let base = self.expr(base);
                let parts = index
                    .iter()
                    .map(|part| match part {
                        IndexPart::At(e) => Part::At(self.expr(e)),
                        IndexPart::All(_) => Part::All,
                        IndexPart::Part { from, to, .. } => Part::Slice(
                            from.as_ref().map(|e| self.expr(e)),
                            to.as_ref().map(|e| self.expr(e)),
                        ),
                    })
                    .collect();
                Kind::Index(Box::new(base), parts)
            }
        };
        self.leave(mark);
        Node { span, kind }
    }

    fn list(&mut self, parts: &[Expr]) -> Box<[Node]> {
        parts.iter().map(|part| self.expr(part)).collect()
    }

    fn binary(&mut self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr) -> Kind {
        let two = |this: &mut Self| Box::new((this.expr(left), this.expr(right)));
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Concat => {
                let parts = spine(expr, |other| other == op);
                let parts = parts.into_iter().map(|(_, part)| self.expr(part)).collect();
                match op {
                    BinaryOp::And => Kind::And(parts),
                    BinaryOp::Or => Kind::Or(parts),
                    _ => Kind::Concat(parts),
                }
            }
            BinaryOp::Add | BinaryOp::Sub => {
                let parts = spine(expr, |other| matches!(other, BinaryOp::Add | BinaryOp::Sub));
                Kind::Add(
                    parts.into_iter().map(|(op, part)| (op == BinaryOp::Sub, self.expr(part))).collect(),
                )
            }
            BinaryOp::Mul => Kind::Mul(two(self)),
            BinaryOp::Div => Kind::Div(two(self)),
            BinaryOp::Mod => Kind::Mod(two(self)),
            BinaryOp::Range => Kind::Range(two(self)),
            BinaryOp::Implies => Kind::Implies(two(self)),
            BinaryOp::Iff => Kind::Iff(two(self)),
            BinaryOp::Xor => Kind::Xor(two(self)),
        }
    }

    fn name(&mut self, name: &Rc<str>, span: Span) -> Kind {
        if let Some((_, slot)) = self.locals.iter().rev().find(|(local, _)| local == name) {
            return Kind::Local(*slot);
        }
        let found = self.scope.get(name).or_else(|| self.std_scope.get(name));
        match found.map(|named| &named.meaning) {
            Some(Meaning::Global(id)) => {
                self.uses.push(*id);
                Kind::Global(*id)
            }
            Some(Meaning::Const(value)) => Kind::Const(value.clone()),
            Some(Meaning::Def(_)) => {
                self.fault(
                    Diagnostic::error(Code::UnknownName, format!("`{name}` is a function"))
                        .at(span, "used as a value")
                        .help(format!("call it: `{name}(…)`")),
                );
                Kind::Const(Value::None)
            }
            None => {
                if let Some(constant) = builtins::constant(name) {
                    return Kind::Const(constant);
                }
                self.unknown_name(name, span, false);
                Kind::Const(Value::None)
            }
        }
    }

    fn call(&mut self, span: Span, name: &ast::Name, args: &Args) -> Kind {
        let def = [self.scope, self.std_scope].into_iter().find_map(|scope| match scope.get(&name.text) {
            Some(named) => match named.meaning {
                Meaning::Def(id) => Some(id),
                _ => None,
            },
            None => None,
        });
        match args {
            Args::List(list) => {
                let args = self.list(list);
                if let Some(id) = def {
                    self.calls.push(id);
                    return Kind::Call(id, args);
                }
                match builtins::find(&name.text) {
                    Some(builtin) => {
                        self.arity(builtin, args.len(), name, span);
                        Kind::Builtin(builtin, args)
                    }
                    None => {
                        self.unknown_name(&name.text, name.span, true);
                        Kind::Const(Value::None)
                    }
                }
            }
            Args::For { value, gens, more } => {
                let mark = self.locals.len();
                let gens = self.gens(gens);
                let value = self.expr(value);
                self.leave(mark);
                let more: Vec<Node> = more.iter().map(|e| self.expr(e)).collect();
                if let Some(id) = def {
                    self.calls.push(id);
                    let first = Node { span, kind: Kind::ListFor(Box::new((value, gens))) };
                    return Kind::Call(id, std::iter::once(first).chain(more).collect());
                }
                match builtins::find(&name.text) {
                    Some(builtin) => {
                        self.arity(builtin, 1 + more.len(), name, span);
                        Kind::BuiltinFor(builtin, Box::new((value, gens, more)))
                    }
                    None => {
                        self.unknown_name(&name.text, name.span, true);
                        Kind::Const(Value::None)
                    }
                }
            }
        }
    }

    fn arity(&mut self, builtin: &Builtin, given: usize, name: &ast::Name, span: Span) {
        let (least, most) = builtin.arity();
        if given < least || given > most {
            let wanted = match (least, most) {
                (a, b) if a == b => format!("{a} argument{}", if a == 1 { "" } else { "s" }),
                (a, usize::MAX) => format!("at least {a} argument{}", if a == 1 { "" } else { "s" }),
                (a, b) => format!("{a} to {b} arguments"),
            };
            self.fault(
                Diagnostic::error(
                    Code::ArgumentCount,
                    format!("`{}` takes {wanted}, {given} given", name.text),
                )
                .at(span, "")
                .help(format!("its form is `{}`", builtin.signature)),
            );
        }
    }

    fn unknown_name(&mut self, name: &str, span: Span, called: bool) {
        let mut fault = Diagnostic::error(
            Code::UnknownName,
            if called {
                format!("there is no function `{name}`")
            } else {
                format!("`{name}` is not defined")
            },
        )
        .at(span, "");
        let names = self.scope.names.iter().chain(&self.std_scope.names);
        let mut candidates: Vec<Rc<str>> = names
            .filter(|(_, named)| called == matches!(named.meaning, Meaning::Def(_)))
            .map(|(name, _)| name.clone())
            .collect();
        if called {
            candidates.extend(builtins::names().map(Rc::from));
        } else {
            candidates.extend(self.locals.iter().map(|(local, _)| local.clone()));
        }
        candidates.sort_unstable();
        let foreign = FOREIGN_FUNCTIONS.iter().find(|(other, _)| called && name == *other);
        if let Some((_, help)) = foreign {
            fault = fault.help(*help);
        } else if let Some(near) = nearest(name, candidates.iter().map(|candidate| &**candidate)) {
            fault = fault.help(format!("did you mean `{near}`?"));
        } else if called && self.scope.get(name).is_some() {
            fault = fault.help(format!("`{name}` is no function; an entry of an array is `{name}[…]`"));
        } else if !called && builtins::find(name).is_some() {
            fault = fault.help(format!("`{name}` is a built-in function; call it: `{name}(…)`"));
        }
        self.fault(fault);
    }

    fn fault(&mut self, fault: Diagnostic) {
        self.faults.push(fault);
    }
}

/// A tuple or list of constants is a constant.
fn constant(kind: Kind) -> Kind {
    let values = |parts: &[Node]| -> Option<Vec<Value>> {
        parts
            .iter()
            .map(|part| match &part.kind {
                Kind::Const(value) => Some(value.clone()),
                _ => None,
            })
            .collect()
    };
    match &kind {
        Kind::Tuple(parts) => values(parts).map(|list| Kind::Const(Value::tuple(list))).unwrap_or(kind),
        Kind::List(parts) => values(parts).map(|list| Kind::Const(Value::list(list))).unwrap_or(kind),
        _ => kind,
    }
}

/// The operands of a left-deep chain of operators accepted by `of`, each with the operator before it.
pub(super) fn spine(expr: &Expr, of: impl Fn(BinaryOp) -> bool) -> Vec<(BinaryOp, &Expr)> {
    let mut parts = Vec::new();
    let mut at = expr;
    let mut last = BinaryOp::Add;
    while let ExprKind::Binary { op, left, right } = &*at.kind {
        if !of(*op) {
            break;
        }
        parts.push((*op, right));
        last = *op;
        at = left;
    }
    parts.push((if last == BinaryOp::Sub { BinaryOp::Add } else { last }, at));
    parts.reverse();
    parts
}
