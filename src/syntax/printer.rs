//! Prints the syntax tree as text.
//!
//! In: a tree. Out: canonical text that parses to the same tree up to spans: one line for each item, brackets
//! only where the grammar needs them. Comments and line breaks are not in the tree; `format` keeps them.

mod exprs;

use super::ast::{
    Declared, Domain, DomainKind, Expr, ExprKind, File, ImportPath, Item, ItemKind, Pattern, PatternKind,
    Sense,
};
use crate::shared::with_stack;
pub(super) use exprs::{Level, binary, compare};
use exprs::{bracketed, equals, expr, literal, open, separated, text, unlike_a_generator};
use std::fmt::Write;

/// A file in canonical form, one line for each item.
pub fn print_file(file: &File) -> String {
    let mut out = String::new();
    for item in &file.items {
        print_item(&mut out, item);
        out.push('\n');
    }
    out
}

/// An expression in model syntax, with no more brackets than it needs.
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
