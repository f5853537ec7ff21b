//! Items as lines.
//!
//! In: an item and a place before it. Out: its text. Of several possible layouts, the one with the fewest
//! lines is taken; among equal ones, the first named here.

use super::cursor::Cursor;
use super::doc::{Id, Node};
use crate::syntax::ast::{
    Declared, Domain, DomainKind, Expr, ExprKind, Gen, ImportPath, Item, ItemKind, Sense,
};

/// The text of an item, without the line end after it.
pub fn item(c: &mut Cursor, item: &Item) -> String {
    let choices = match &item.kind {
        ItemKind::Param { names, domain, default } => {
            let head = declaration(c, "param", names, domain.as_ref());
            match default {
                Some(value) => valued(c, head, value),
                None => vec![head],
            }
        }
        ItemKind::Var { names, domain } => vec![declaration(c, "var", names, Some(domain))],
        ItemKind::Let { name, value } => {
            let head = [c.token("let"), c.docs.text(" "), c.span(name.span)];
            let head = c.docs.seq(head);
            valued(c, head, value)
        }
        ItemKind::Def { name, params, body } => {
            let head = [c.token("def"), c.docs.text(" "), c.span(name.span)];
            let params = c.brackets("(", ")", params.len(), &mut |c, k| c.pattern(&params[k]));
            let head = c.docs.seq([&head[..], &[params]].concat());
            valued(c, head, body)
        }
        ItemKind::Assign { name, value } => {
            let head = c.span(name.span);
            // data may be long: one layout is enough
            valued(c, head, value)[..1].to_vec()
        }
        ItemKind::Enum { name, members } => {
            let head = [c.token("enum"), c.docs.text(" "), c.span(name.span), c.docs.text(" "), c.token("{")];
            let members = c.parts("}", members.len(), &mut |c, k| {
                let name = c.span(members[k].name.span);
                match &members[k].glyph {
                    Some((_, span)) => {
                        let parts = [name, c.docs.text(" "), c.span(*span)];
                        c.docs.seq(parts)
                    }
                    None => name,
                }
            });
            let members = c.docs.add(Node::Fill(members));
            let members =
                [c.docs.text(" "), c.docs.add(Node::Align(members)), c.docs.text(" "), c.token("}")];
            vec![c.docs.seq([&head[..], &members].concat())]
        }
        ItemKind::Rule { label, body } => {
            let word = c.token("rule");
            let mut head = vec![word];
            if let Some(label) = label {
                head.extend([c.docs.text(" "), c.span(label.span)]);
            }
            head.push(c.token(":"));
            let head = c.docs.seq(head);
            rule(c, head, body)
        }
        ItemKind::Objective { sense, value } => {
            let word = c.token(if *sense == Sense::Minimize { "minimize" } else { "maximize" });
            behind(c, word, value)
        }
        ItemKind::Answer(values) => {
            let word = c.token("answer");
            let values = commas(c, values.len(), &mut |c, k| c.expr(&values[k]));
            let words = [word, c.docs.text(" "), values];
            vec![c.docs.seq(words)]
        }
        ItemKind::Show(value) => {
            let word = c.token("show");
            behind(c, word, value)
        }
        ItemKind::Import(ImportPath::File { span, .. }) => {
            let words = [c.token("import"), c.docs.text(" "), c.span(*span)];
            vec![c.docs.seq(words)]
        }
        ItemKind::Import(ImportPath::Std { name }) => {
            let words =
                [c.token("import"), c.docs.text(" "), c.token("std"), c.token("."), c.span(name.span)];
            vec![c.docs.seq(words)]
        }
    };
    let printed = choices.into_iter().map(|choice| c.docs.print(choice));
    printed.min_by_key(|(_, cost)| *cost).map(|(text, _)| text).unwrap_or_default()
}

/// `param a, b[n] : D`
fn declaration(c: &mut Cursor, word: &'static str, names: &[Declared], domain: Option<&Domain>) -> Id {
    let word = c.token(word);
    let names = commas(c, names.len(), &mut |c, k| declared(c, &names[k]));
    let mut parts = vec![word, c.docs.text(" "), names];
    if let Some(domain) = domain {
        parts.extend([c.docs.text(" "), c.token(":"), c.docs.text(" ")]);
        parts.push(match &domain.kind {
            DomainKind::Bool => c.token("bool"),
            DomainKind::Int => c.token("int"),
            DomainKind::Text => c.token("text"),
            DomainKind::Word => c.token("word"),
            DomainKind::List => c.token("list"),
            DomainKind::Values(values) => c.expr(values),
        });
        if domain.optional {
            parts.push(c.token("?"));
        }
    }
    let whole = c.docs.seq(parts);
    c.docs.add(Node::Nest(whole))
}

fn declared(c: &mut Cursor, declared: &Declared) -> Id {
    let name = c.span(declared.name.span);
    if declared.index.is_empty() {
        return name;
    }
    let index = c.brackets("[", "]", declared.index.len(), &mut |c, k| {
        let dimension = &declared.index[k];
        let Some(pattern) = &dimension.pattern else { return c.expr(&dimension.keys) };
        let parts = [c.pattern(pattern), c.docs.text(" "), c.token("in"), c.docs.text(" ")];
        let keys = c.expr(&dimension.keys);
        c.docs.seq([&parts[..], &[keys]].concat())
    });
    c.docs.seq([name, index])
}

/// `a, b, c` without brackets.
fn commas(c: &mut Cursor, n: usize, part: &mut dyn FnMut(&mut Cursor, usize) -> Id) -> Id {
    let mut parts = Vec::with_capacity(n);
    for k in 0..n {
        let one = part(c, k);
        let comma = if k + 1 < n { c.token(",") } else { c.docs.seq([]) };
        parts.push(c.docs.seq([one, comma]));
    }
    let parts = c.docs.add(Node::Fill(parts));
    c.docs.add(Node::Nest(parts))
}

/// `head = value`, with the value on the same line or below.
fn valued(c: &mut Cursor, head: Id, value: &Expr) -> Vec<Id> {
    let sign = [head, c.docs.text(" "), c.token("=")];
    let head = c.docs.seq(sign);
    behind(c, head, value)
}

/// `head value`, with the value on the same line or below.
fn behind(c: &mut Cursor, head: Id, value: &Expr) -> Vec<Id> {
    let value = c.expr(value);
    vec![beside(c, head, value), below(c, head, value)]
}

fn beside(c: &mut Cursor, head: Id, body: Id) -> Id {
    let body = [c.docs.text(" "), c.docs.add(Node::Nest(body))];
    c.docs.seq([&[head][..], &body].concat())
}

fn below(c: &mut Cursor, head: Id, body: Id) -> Id {
    let hard = c.docs.add(Node::Hard);
    let body = c.docs.seq([hard, body]);
    let body = c.docs.add(Node::Nest(body));
    c.docs.seq([head, body])
}

/// `rule "label": body`; a body `for gens: e` has more places to break.
fn rule(c: &mut Cursor, head: Id, body: &Expr) -> Vec<Id> {
    let (gens, body) = match &*body.kind {
        ExprKind::For { gens, body: inner } if !c.is_grouped(body.span) => (gens, inner),
        _ => {
            let body = c.expr(body);
            let on_one = c.docs.add(Node::Flat(body));
            return vec![beside(c, head, on_one), below(c, head, body), beside(c, head, body)];
        }
    };
    let word = c.token("for");
    let word = [word, c.docs.text(" ")];
    let word = c.docs.seq(word);
    let parts = c.gens(gens);
    let colon = c.token(":");
    let body = c.expr(body);
    let on_one = c.docs.add(Node::Flat(body));

    let guards = gens.iter().rev().take_while(|one| matches!(one, Gen::If(_))).count();
    let (sources, conditions) = parts.split_at(parts.len() - guards);
    let fill = |c: &mut Cursor, parts: &[Id]| c.docs.add(Node::Fill(parts.to_vec()));
    let flat = |c: &mut Cursor, parts: &[Id]| {
        let parts = fill(c, parts);
        c.docs.add(Node::Flat(parts))
    };
    let all = fill(c, &parts);
    let all = c.docs.add(Node::Hang(all));
    let all = c.docs.seq([word, all, colon]);
    let all_on_one = c.docs.add(Node::Flat(all));
    let sources = flat(c, sources);
    let sources = c.docs.seq([word, sources]);
    let mut choices = Vec::new();
    // all on one line
    let line = beside(c, head, all_on_one);
    choices.push(beside(c, line, on_one));
    // the body below
    choices.push(below(c, line, body));
    // all below the label
    let line = beside(c, all_on_one, on_one);
    choices.push(below(c, head, line));
    // the guard and the body below
    if guards > 0 {
        let conditions = flat(c, conditions);
        let conditions = c.docs.seq([conditions, colon]);
        let line = beside(c, conditions, on_one);
        let sources = beside(c, head, sources);
        choices.push(below(c, sources, line));
    }
    // the body after a list of several lines
    if gens.len() == 1 {
        let hung = beside(c, head, all);
        choices.push(beside(c, hung, on_one));
    }
    // label, generators and body, each indented further
    let stairs = below(c, all, body);
    choices.push(below(c, head, stairs));
    choices
}
