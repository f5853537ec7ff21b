//! The syntax tree as text.
//!
//! In: a tree. Out: canonical text that reads back to the same tree, places apart: one line an item, brackets only
//! where the grammar wants them. Comments and line breaks are not in the tree; a formatter that keeps them works on
//! the text with the places of the items, and prints the expressions with [`print_expr`].

use super::ast::{
    Args, BinaryOp, CompareOp, Declared, Domain, DomainKind, Expr, ExprKind, File, Gen, ImportPath,
    IndexPart, Item, ItemKind, Pattern, PatternKind, Sense, Text, TextPart,
};
use super::depth::with_stack;
use std::fmt::Write;

/// A file in canonical form, one line an item.
pub fn print_file(file: &File) -> String {
    let mut out = String::new();
    for item in &file.items {
        print_item(&mut out, item);
        out.push('\n');
    }
    out
}

/// An expression as a model writes it, with no more brackets than it needs.
pub fn print_expr(value: &Expr) -> String {
    let mut out = String::new();
    expr(&mut out, value, Level::Open, true);
    out
}

fn print_item(out: &mut String, item: &Item) {
    match &item.kind {
        ItemKind::Param { names, domain, default } => {
            out.push_str("param ");
            separated(out, names, declared);
            if let Some(domain) = domain {
                out.push_str(" : ");
                print_domain(out, domain);
            }
            if let Some(default) = default {
                equals(out, default);
            }
        }
        ItemKind::Let { name, value } => {
            let _ = write!(out, "let {}", name.text);
            equals(out, value);
        }
        ItemKind::Def { name, params, body } => {
            let _ = write!(out, "def {}(", name.text);
            separated(out, params, pattern);
            out.push(')');
            equals(out, body);
        }
        ItemKind::Enum { name, members } => {
            let _ = write!(out, "enum {} {{ ", name.text);
            separated(out, members, |out, member| {
                out.push_str(&member.name.text);
                if let Some((glyph, _)) = &member.glyph {
                    out.push_str(" \"");
                    literal(out, glyph);
                    out.push('"');
                }
            });
            out.push_str(" }");
        }
        ItemKind::Var { names, domain } => {
            out.push_str("var ");
            separated(out, names, declared);
            out.push_str(" : ");
            print_domain(out, domain);
        }
        ItemKind::Rule { label, body } => {
            out.push_str("rule");
            if let Some(label) = label {
                out.push(' ');
                text(out, label);
            }
            out.push_str(": ");
            open(out, body);
        }
        ItemKind::Objective { sense, value } => {
            out.push_str(if *sense == Sense::Minimize { "minimize " } else { "maximize " });
            open(out, value);
        }
        ItemKind::Answer(values) => {
            out.push_str("answer ");
            separated(out, values, open);
        }
        ItemKind::Show(value) => {
            out.push_str("show ");
            open(out, value);
        }
        ItemKind::Import(ImportPath::File { path, .. }) => {
            out.push_str("import \"");
            literal(out, path);
            out.push('"');
        }
        ItemKind::Import(ImportPath::Std { name }) => {
            let _ = write!(out, "import std.{}", name.text);
        }
        ItemKind::Assign { name, value } => {
            out.push_str(&name.text);
            equals(out, value);
        }
    }
}

fn equals(out: &mut String, value: &Expr) {
    out.push_str(" = ");
    open(out, value);
}

fn separated<T>(out: &mut String, parts: &[T], print: impl Fn(&mut String, &T)) {
    for (k, part) in parts.iter().enumerate() {
        if k > 0 {
            out.push_str(", ");
        }
        print(out, part);
    }
}

fn declared(out: &mut String, declared: &Declared) {
    out.push_str(&declared.name.text);
    if declared.index.is_empty() {
        return;
    }
    out.push('[');
    separated(out, &declared.index, |out, dimension| {
        if let Some(p) = &dimension.pattern {
            pattern(out, p);
            out.push_str(" in ");
            open(out, &dimension.keys);
        } else {
            unlike_a_generator(out, &dimension.keys);
        }
    });
    out.push(']');
}

fn print_domain(out: &mut String, domain: &Domain) {
    match &domain.kind {
        DomainKind::Bool => out.push_str("bool"),
        DomainKind::Int => out.push_str("int"),
        DomainKind::Text => out.push_str("text"),
        DomainKind::Word => out.push_str("word"),
        DomainKind::List => out.push_str("list"),
        DomainKind::Values(values) => {
            let reserved = ["bool", "int", "text", "word", "list"];
            let name = matches!(&*values.kind, ExprKind::Name(name) if reserved.contains(&&**name));
            let operation = matches!(&*values.kind, ExprKind::Binary { .. });
            if name || domain.optional && operation {
                bracketed(out, values);
            } else {
                expr(out, values, Level::Range, true);
            }
        }
    }
    if domain.optional {
        out.push('?');
    }
}

fn pattern(out: &mut String, p: &Pattern) {
    match &p.kind {
        PatternKind::Ignore => out.push('_'),
        PatternKind::Name(name) => out.push_str(name),
        PatternKind::Tuple(parts) => {
            out.push('(');
            with_stack(|| separated(out, parts, pattern));
            out.push(')');
        }
    }
}

/// How tight an expression binds, loosest first: the ladder of the grammar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// `for`, `if`
    Open,
    Iff,
    Implies,
    Disjunction,
    Conjunction,
    Negation,
    Comparison,
    Concatenation,
    Range,
    Sum,
    Product,
    Unary,
    Postfix,
}

impl Level {
    fn tighter(self) -> Level {
        match self {
            Level::Open => Level::Iff,
            Level::Iff => Level::Implies,
            Level::Implies => Level::Disjunction,
            Level::Disjunction => Level::Conjunction,
            Level::Conjunction => Level::Negation,
            Level::Negation => Level::Comparison,
            Level::Comparison => Level::Concatenation,
            Level::Concatenation => Level::Range,
            Level::Range => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Unary,
            Level::Unary | Level::Postfix => Level::Postfix,
        }
    }
}

fn binary(op: BinaryOp) -> (Level, &'static str) {
    match op {
        BinaryOp::Iff => (Level::Iff, " <-> "),
        BinaryOp::Implies => (Level::Implies, " -> "),
        BinaryOp::Or => (Level::Disjunction, " or "),
        BinaryOp::Xor => (Level::Disjunction, " xor "),
        BinaryOp::And => (Level::Conjunction, " and "),
        BinaryOp::Concat => (Level::Concatenation, " ++ "),
        BinaryOp::Range => (Level::Range, ".."),
        BinaryOp::Add => (Level::Sum, " + "),
        BinaryOp::Sub => (Level::Sum, " - "),
        BinaryOp::Mul => (Level::Product, " * "),
        BinaryOp::Div => (Level::Product, " / "),
        BinaryOp::Mod => (Level::Product, " % "),
    }
}

fn level(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::For { .. } | ExprKind::If { .. } => Level::Open,
        ExprKind::Binary { op, .. } => binary(*op).0,
        ExprKind::Not(_) => Level::Negation,
        ExprKind::Compare { .. } => Level::Comparison,
        ExprKind::Negate(_) => Level::Unary,
        ExprKind::Int(value) if *value < 0 => Level::Unary,
        _ => Level::Postfix,
    }
}

/// An expression that nothing can be taken from: in brackets of some kind, or at the end of an item.
fn open(out: &mut String, value: &Expr) {
    expr(out, value, Level::Open, true);
}

fn bracketed(out: &mut String, value: &Expr) {
    out.push('(');
    open(out, value);
    out.push(')');
}

/// An expression in a place that takes what binds at least as tight as `min`. `end`: no operator follows that a
/// `for`, `if` or `not` at the end of this expression would take.
fn expr(out: &mut String, value: &Expr, min: Level, end: bool) {
    let level = level(&value.kind);
    if level < min || level == Level::Open && !end {
        return bracketed(out, value);
    }
    with_stack(|| unbracketed(out, value, end));
}

/// The operand behind a logical operator or a comparison: a `for`, `if` or `not` may stand there as the last one.
fn last_operand(out: &mut String, value: &Expr, min: Level, end: bool) {
    let min = match &*value.kind {
        ExprKind::For { .. } | ExprKind::If { .. } => Level::Open,
        ExprKind::Not(_) => min.min(Level::Negation),
        _ => min,
    };
    expr(out, value, min, end);
}

fn unbracketed(out: &mut String, value: &Expr, end: bool) {
    match &*value.kind {
        ExprKind::Int(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::None => out.push_str("none"),
        ExprKind::Text(value) => text(out, value),
        ExprKind::Raw(value) => {
            let _ = write!(out, "r\"{value}\"");
        }
        ExprKind::Picture { text, .. } => {
            let _ = write!(out, "\"\"\"\n{text}\n\"\"\"");
        }
        ExprKind::Name(name) => out.push_str(name),
        ExprKind::Tuple(parts) => {
            out.push('(');
            separated(out, parts, open);
            out.push(')');
        }
        ExprKind::List(parts) => {
            out.push('[');
            separated(out, parts, open);
            out.push(']');
        }
        ExprKind::Numbers(numbers) => {
            out.push('[');
            separated(out, numbers, |out, number| {
                let _ = write!(out, "{}", number.value);
            });
            out.push(']');
        }
        ExprKind::Map(entries) => {
            out.push('{');
            separated(out, entries, |out, (key, value)| entry(out, key, value));
            out.push('}');
        }
        ExprKind::ListFor { value, gens } => {
            out.push('[');
            open(out, value);
            out.push_str(" for ");
            print_gens(out, gens);
            out.push(']');
        }
        ExprKind::MapFor { key, value, gens } => {
            out.push('{');
            entry(out, key, value);
            out.push_str(" for ");
            print_gens(out, gens);
            out.push('}');
        }
        ExprKind::For { gens, body } => {
            out.push_str("for ");
            print_gens(out, gens);
            out.push_str(": ");
            open(out, body);
        }
        ExprKind::If { .. } => conditional(out, value),
        ExprKind::Not(operand) => {
            out.push_str("not ");
            last_operand(out, operand, Level::Negation, end);
        }
        ExprKind::Negate(operand) => negation(out, operand),
        ExprKind::Binary { op, left, right } => operation(out, *op, left, right, end),
        ExprKind::Compare { first, rest } => {
            expr(out, first, Level::Concatenation, false);
            for (k, (op, operand)) in rest.iter().enumerate() {
                out.push_str(compare(*op));
                if k + 1 == rest.len() {
                    last_operand(out, operand, Level::Concatenation, end);
                } else {
                    expr(out, operand, Level::Concatenation, false);
                }
            }
        }
        ExprKind::Call { name, args } => {
            out.push_str(&name.text);
            out.push('(');
            arguments(out, args);
            out.push(')');
        }
        ExprKind::Index { base, index } => {
            expr(out, base, Level::Postfix, false);
            out.push('[');
            separated(out, index, index_part);
            out.push(']');
        }
    }
}

/// `else if` chains are as long as somebody's table: a loop.
fn conditional(out: &mut String, mut value: &Expr) {
    while let ExprKind::If { cond, then, other } = &*value.kind {
        out.push_str("if ");
        open(out, cond);
        out.push_str(" then ");
        open(out, then);
        out.push_str(" else ");
        value = other;
    }
    open(out, value);
}

fn negation(out: &mut String, operand: &Expr) {
    out.push('-');
    // `-5` of the tree's `Int(-5)` would read as two signs, and the least number as one token.
    match &*operand.kind {
        ExprKind::Int(value) if *value < 0 => bracketed(out, operand),
        _ => expr(out, operand, Level::Unary, false),
    }
}

fn operation(out: &mut String, op: BinaryOp, left: &Expr, right: &Expr, end: bool) {
    let (level, sign) = binary(op);
    let (left_min, right_min) = match op {
        BinaryOp::Implies => (level.tighter(), level),
        BinaryOp::Range => (level.tighter(), level.tighter()),
        _ => (level, level.tighter()),
    };
    expr(out, left, left_min, false);
    out.push_str(sign);
    match level < Level::Negation {
        true => last_operand(out, right, right_min, end),
        false => expr(out, right, right_min, end),
    }
}

fn compare(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => " = ",
        CompareOp::Ne => " != ",
        CompareOp::Lt => " < ",
        CompareOp::Le => " <= ",
        CompareOp::Gt => " > ",
        CompareOp::Ge => " >= ",
        CompareOp::In => " in ",
    }
}

fn entry(out: &mut String, key: &Expr, value: &Expr) {
    open(out, key);
    out.push_str(": ");
    open(out, value);
}

fn arguments(out: &mut String, args: &Args) {
    match args {
        Args::List(args) => separated(out, args, open),
        Args::For { value, gens, more } => {
            open(out, value);
            out.push_str(" for ");
            print_gens(out, gens);
            for (k, argument) in more.iter().enumerate() {
                out.push_str(", ");
                match k {
                    0 => unlike_a_generator(out, argument),
                    _ => open(out, argument),
                }
            }
        }
    }
}

/// An expression where `x in y`, `x = y` and `if …` would read as a generator.
fn unlike_a_generator(out: &mut String, value: &Expr) {
    match level(&value.kind) {
        Level::Iff | Level::Implies | Level::Disjunction | Level::Conjunction | Level::Comparison => {
            bracketed(out, value);
        }
        _ => open(out, value),
    }
}

fn print_gens(out: &mut String, gens: &[Gen]) {
    for (k, g) in gens.iter().enumerate() {
        match g {
            Gen::If(_) => out.push(' '),
            _ if k > 0 => out.push_str(", "),
            _ => {}
        }
        match g {
            Gen::In { pattern: p, list } => {
                pattern(out, p);
                out.push_str(" in ");
                open(out, list);
            }
            Gen::Let { pattern: p, value } => {
                pattern(out, p);
                equals(out, value);
            }
            Gen::If(condition) => {
                out.push_str("if ");
                open(out, condition);
            }
        }
    }
}

fn index_part(out: &mut String, part: &IndexPart) {
    match part {
        IndexPart::All(_) => out.push('*'),
        IndexPart::At(key) if matches!(*key.kind, ExprKind::Binary { op: BinaryOp::Range, .. }) => {
            bracketed(out, key);
        }
        IndexPart::At(key) => open(out, key),
        IndexPart::Part { from, to, .. } => {
            if let Some(from) = from {
                expr(out, from, Level::Sum, false);
            }
            out.push_str("..");
            if let Some(to) = to {
                expr(out, to, Level::Sum, false);
            }
        }
    }
}

fn text(out: &mut String, text: &Text) {
    out.push('"');
    for part in &text.parts {
        match part {
            TextPart::Literal(part) => literal(out, part),
            TextPart::Value(value) => {
                out.push('{');
                let start = out.len();
                match &*value.kind {
                    ExprKind::Int(_) => bracketed(out, value),
                    _ => open(out, value),
                }
                // `{{` would be a brace of the text.
                if out[start..].starts_with('{') {
                    out.insert(start, ' ');
                }
                out.push('}');
            }
        }
    }
    out.push('"');
}

fn literal(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '{' => out.push_str("{{"),
            '}' => out.push_str("}}"),
            c => out.push(c),
        }
    }
}
