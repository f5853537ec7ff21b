//! Items: the elements of a file.
//!
//! In: a place at an item's first word. Out: an [`Item`]. Every function here is a production of
//! `grammar/rebus.ebnf`.

use super::ast::{
    Declared, Dimension, Domain, DomainKind, Expr, ImportPath, Item, ItemKind, Member, Name, Sense,
};
use super::expr::{expr, range};
use super::gens::{Binding, binds, pattern};
use super::input::{In, R};
use super::text::{label, plain};
use super::tokens::{close, is_reserved, name, parts, symbol};
use super::wants::Want;
use nom::Parser;
use nom::combinator::map;
use nom::sequence::{preceded, terminated};

/// One item.
pub(super) fn item(i: In) -> R<Item> {
    let start = i.at();
    let word = i.word();
    let body = match word {
        "param" => param,
        "let" => let_item,
        "def" => def_item,
        "enum" => enum_item,
        "var" => var_item,
        "rule" => rule,
        "minimize" | "maximize" => objective,
        "answer" => answer,
        "show" => show,
        "import" => import,
        _ if starts_assignment(i) => assignment,
        _ => return i.want(Want::Item),
    };
    let (i, kind) = body(i)?;
    Ok((i, Item { span: i.span_from(start), kind }))
}

/// Does an item start here?
pub(super) fn starts_item(i: In) -> bool {
    super::tokens::ITEM_WORDS.contains(&i.word()) || starts_assignment(i)
}

/// Is `name =` here?
fn starts_assignment(i: In) -> bool {
    let word = i.word();
    if word.is_empty() || is_reserved(word) || word == "_" {
        return false;
    }
    let behind = i.eat(word.len());
    behind.starts("=") && !matches!(behind.second(), Some(b'=' | b'>'))
}

/// Skips the keyword of the item.
fn behind_word(i: In) -> In {
    i.eat(i.word().len())
}

/// `one, one, …`
fn several<'s, T>(i: In<'s>, one: impl Fn(In<'s>) -> R<'s, T>) -> R<'s, Vec<T>> {
    let (mut i, first) = one(i)?;
    let mut all = vec![first];
    while i.first() == Some(b',') {
        let (rest, next) = one(i.eat(1))?;
        all.push(next);
        i = rest;
    }
    i.note(Want::Comma);
    Ok((i, all))
}

/// `param a, b[n] : D = v`
pub(super) fn param(i: In) -> R<ItemKind> {
    let (i, names) = several(behind_word(i), declared)?;
    let (i, domain) = match i.first() {
        Some(b':') => map(domain, Some).parse(i.eat(1))?,
        _ => {
            i.note(Want::DomainColon);
            (i, None)
        }
    };
    let (i, default) = match i.first() {
        Some(b'=') => map(value, Some).parse(i)?,
        _ => {
            i.note(Want::Equal);
            (i, None)
        }
    };
    Ok((i, ItemKind::Param { names, domain, default }))
}

/// `= e`
pub(super) fn value(i: In) -> R<Expr> {
    preceded(symbol(Want::Equal), expr).parse(i)
}

/// `let name = e`
pub(super) fn let_item(i: In) -> R<ItemKind> {
    map((name, value), |(name, value)| ItemKind::Let { name, value }).parse(behind_word(i))
}

/// `def name(p, q) = e`
pub(super) fn def_item(i: In) -> R<ItemKind> {
    let (i, name) = name(behind_word(i))?;
    let open = i.at();
    let (i, _) = symbol(Want::Open)(i)?;
    let (i, params) = parts(i, open, Want::Close, Vec::new(), pattern)?;
    let (i, body) = value(i)?;
    Ok((i, ItemKind::Def { name, params, body }))
}

/// `enum Name { a "x", b }`
pub(super) fn enum_item(i: In) -> R<ItemKind> {
    let (i, name) = name(behind_word(i))?;
    let open = i.at();
    let (i, _) = symbol(Want::Brace)(i)?;
    let (i, members) = parts(i, open, Want::CloseBrace, Vec::new(), member)?;
    Ok((i, ItemKind::Enum { name, members }))
}

/// `name "glyph"`
pub(super) fn member(i: In) -> R<Member> {
    let (i, name) = name(i)?;
    if i.first() == Some(b'"') || i.starts("r\"") {
        return map(plain, |glyph| Member { name: name.clone(), glyph: Some(glyph) }).parse(i);
    }
    i.note(Want::Plain);
    Ok((i, Member { name, glyph: None }))
}

/// `var a, b[n] : D`
pub(super) fn var_item(i: In) -> R<ItemKind> {
    let (i, names) = several(behind_word(i), declared)?;
    let (i, domain) = preceded(symbol(Want::DomainColon), domain).parse(i)?;
    if i.first() == Some(b'=') && !i.starts("==") {
        let help = "a variable is found by solving; fix it with a rule, such as `rule: x = 3`";
        return i.fault(1, "a variable has no value of its own", help);
    }
    Ok((i, ItemKind::Var { names, domain }))
}

/// `name[n, p in S]`
pub(super) fn declared(i: In) -> R<Declared> {
    let (i, name) = name(i)?;
    if i.first() != Some(b'[') {
        i.note(Want::Index);
        return Ok((i, Declared { name, index: Vec::new() }));
    }
    let open = i.at();
    let (i, first) = dimension(i.eat(1))?;
    let (i, index) = match i.first() {
        Some(b',') => parts(i.eat(1), open, Want::CloseIndex, vec![first], dimension)?,
        _ => {
            i.note(Want::Comma);
            close(open, Want::CloseIndex)(i).map(|(i, _)| (i, vec![first]))?
        }
    };
    Ok((i, Declared { name, index }))
}

/// `n`, `0..n`, `p in S`
pub(super) fn dimension(i: In) -> R<Dimension> {
    if binds(i) == Some(Binding::In) {
        let pattern = map(terminated(pattern, super::tokens::keyword(Want::In)), Some);
        return map((pattern, expr), |(pattern, keys)| Dimension { pattern, keys }).parse(i);
    }
    map(expr, |keys| Dimension { pattern: None, keys }).parse(i)
}

/// `bool`, `int`, `text`, `word`, `list` or allowed values, then `?`.
pub(super) fn domain(i: In) -> R<Domain> {
    let start = i.at();
    let (i, kind) = match named_domain(i) {
        Some(found) => found,
        None => {
            i.note(Want::Domain);
            map(range, DomainKind::Values).parse(i)?
        }
    };
    let (i, optional) = if i.first() == Some(b'?') { (i.eat(1), true) } else { (i, false) };
    if !optional {
        i.note(Want::Optional);
    }
    if i.starts("++") {
        let help = "put the whole domain in brackets, as in `(1..9 ++ [\"#\"])?`";
        return i.fault(2, "a domain ends before `++`", help);
    }
    Ok((i, Domain { span: i.span_from(start), kind, optional }))
}

fn named_domain(i: In) -> Option<(In, DomainKind)> {
    let word = i.word();
    let kind = match word {
        "bool" => DomainKind::Bool,
        "int" => DomainKind::Int,
        "text" => DomainKind::Text,
        "word" => DomainKind::Word,
        "list" => DomainKind::List,
        _ => return None,
    };
    let behind = i.eat(word.len());
    // `text(x)` or `list[1]` would be an expression with a name of the model.
    (!matches!(behind.first(), Some(b'(' | b'['))).then_some((behind, kind))
}

/// `rule "label": e`
pub(super) fn rule(i: In) -> R<ItemKind> {
    let i = behind_word(i);
    let (i, label) = if i.first() == Some(b'"') || i.starts("r\"") {
        map(label, Some).parse(i)?
    } else {
        i.note(Want::Label);
        (i, None)
    };
    let (i, body) = preceded(symbol(Want::RuleColon), expr).parse(i)?;
    Ok((i, ItemKind::Rule { label, body }))
}

/// `minimize e`, `maximize e`
pub(super) fn objective(i: In) -> R<ItemKind> {
    let sense = if i.word() == "minimize" { Sense::Minimize } else { Sense::Maximize };
    map(expr, |value| ItemKind::Objective { sense, value }).parse(behind_word(i))
}

/// `answer e, …`
pub(super) fn answer(i: In) -> R<ItemKind> {
    map(|i| several(i, expr), ItemKind::Answer).parse(behind_word(i))
}

/// `show e`
pub(super) fn show(i: In) -> R<ItemKind> {
    map(expr, ItemKind::Show).parse(behind_word(i))
}

/// `import "file"`, `import std.name`
pub(super) fn import(i: In) -> R<ItemKind> {
    let i = behind_word(i);
    if i.first() == Some(b'"') || i.starts("r\"") {
        let path = |(path, span)| ItemKind::Import(ImportPath::File { path, span });
        return map(plain, path).parse(i);
    }
    if !i.at_word("std") {
        return i.want(Want::ImportPath);
    }
    let path = |name: Name| ItemKind::Import(ImportPath::Std { name });
    map(preceded(symbol(Want::Dot), name), path).parse(i.eat(3))
}

/// `name = e`
pub(super) fn assignment(i: In) -> R<ItemKind> {
    map((name, value), |(name, value)| ItemKind::Assign { name, value }).parse(i)
}
