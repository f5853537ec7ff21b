//! Aggregates over a list or a bare comprehension.

use super::Builtin;
use crate::diag::Code;
use crate::eval::{Eval, Num, Res, Sum, Value, error, undefined};
use crate::model::Bool;
use crate::shared::Span;
use std::borrow::Cow;

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "all",
        signature: "all(list)",
        doc: "Are all entries true? Of nothing: true.",
        example: ("all(k > 0 for k in [1, 2])", "true"),
        returns_bool: true,
        arity: (1, 1),
        run: |eval, args, span| {
            let parts = booleans(eval, &args[0], span)?;
            Ok(Value::truth(eval.model.arena.and(parts)))
        },
    },
    Builtin {
        name: "any",
        signature: "any(list)",
        doc: "Is at least one entry true? Of nothing: false.",
        example: ("any(k > 1 for k in [1, 2])", "true"),
        returns_bool: true,
        arity: (1, 1),
        run: |eval, args, span| {
            let parts = booleans(eval, &args[0], span)?;
            Ok(Value::truth(eval.model.arena.or(parts)))
        },
    },
    Builtin {
        name: "count",
        signature: "count(list)",
        doc: "How many entries are true.",
        example: ("count(k > 1 for k in [1, 2, 3])", "2"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let mut sum = Sum::default();
            for item in eval.to_list(&args[0], span)?.iter() {
                let truth = match item {
                    Value::Bool(_) | Value::Truth(_) => item.clone(),
                    item => Value::truth(eval.to_bool(item, span)?),
                };
                eval.add_to(&mut sum, 1, &truth, span)?;
            }
            eval.sum_value(sum, span)
        },
    },
    Builtin {
        name: "distinct",
        signature: "distinct(list)",
        doc: "Are all entries different?",
        example: ("distinct([3, 1, 2])", "true"),
        returns_bool: true,
        arity: (1, 1),
        run: distinct,
    },
    Builtin {
        name: "first",
        signature: "first(list)",
        doc: "The first entry; of nothing an error.",
        example: ("first(k for k in 1..9 if k * k > 10)", "4"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| match entries(eval, &args[0], span)?.first() {
            Some(value) => Ok(value.clone()),
            None => undefined(Code::BadArgument, span, "`first` of nothing"),
        },
    },
    Builtin {
        name: "last",
        signature: "last(list)",
        doc: "The last entry; of nothing an error.",
        example: ("last([3, 1, 2])", "2"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| match entries(eval, &args[0], span)?.last() {
            Some(value) => Ok(value.clone()),
            None => undefined(Code::BadArgument, span, "`last` of nothing"),
        },
    },
    Builtin {
        name: "max",
        signature: "max(list)",
        doc: "The largest number; of nothing an error. Also `max(a, b, …)`.",
        example: ("max([3, 1, 2])", "3"),
        returns_bool: false,
        arity: (1, usize::MAX),
        run: |eval, args, span| extreme(eval, args, span, true),
    },
    Builtin {
        name: "min",
        signature: "min(list)",
        doc: "The smallest number; of nothing an error. Also `min(a, b, …)`.",
        example: ("min([3, 1, 2])", "1"),
        returns_bool: false,
        arity: (1, usize::MAX),
        run: |eval, args, span| extreme(eval, args, span, false),
    },
    Builtin {
        name: "product",
        signature: "product(list)",
        doc: "The product of the numbers; of nothing 1.",
        example: ("product([2, 3, 4])", "24"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let mut product = Value::Int(1);
            for item in eval.to_list(&args[0], span)?.iter() {
                product = eval.mul(&product, item, span)?;
            }
            Ok(product)
        },
    },
    Builtin {
        name: "sum",
        signature: "sum(list)",
        doc: "The sum of the numbers; booleans count 0 and 1; of nothing 0. Tuples add like vectors.",
        example: ("sum(k * k for k in 1..3)", "14"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let list = eval.to_list(&args[0], span)?;
            if let Some(Value::Tuple(_)) = list.first() {
                let mut total = list[0].clone();
                for item in &list[1..] {
                    total = eval.add(&total, item, false, span)?;
                }
                return Ok(total);
            }
            let mut sum = Sum::default();
            for item in list.iter() {
                eval.add_to(&mut sum, 1, item, span)?;
            }
            eval.sum_value(sum, span)
        },
    },
    Builtin {
        name: "xor",
        signature: "xor(list)",
        doc: "Is an odd number of entries true?",
        example: ("xor([true, true, true])", "true"),
        returns_bool: true,
        arity: (1, 1),
        run: |eval, args, span| {
            let mut odd = Bool::FALSE;
            for part in booleans(eval, &args[0], span)? {
                odd = eval.model.arena.xor(odd, part);
            }
            Ok(Value::truth(odd))
        },
    },
];

/// The entries, copied only if necessary.
fn entries<'v>(eval: &mut Eval<'_>, value: &'v Value, span: Span) -> Res<Cow<'v, [Value]>> {
    Ok(match value {
        Value::List(list) | Value::Tuple(list) => Cow::Borrowed(list),
        Value::Map(map) => Cow::Borrowed(&map.values),
        value => Cow::Owned(eval.to_list(value, span)?.to_vec()),
    })
}

/// The entries as boolean terms.
pub(super) fn booleans(eval: &mut Eval<'_>, value: &Value, span: Span) -> Res<Vec<Bool>> {
    eval.to_list(value, span)?.iter().map(|item| eval.to_bool(item, span)).collect()
}

fn extreme(eval: &mut Eval<'_>, args: &[Value], span: Span, largest: bool) -> Res<Value> {
    let list = if args.len() > 1 { args.into() } else { eval.to_list(&args[0], span)? };
    let name = if largest { "max" } else { "min" };
    let mut known: Option<i64> = None;
    let mut unknown = Vec::new();
    for item in list.iter() {
        let boolean = |value: &Value| matches!(value, Value::Bool(_) | Value::Truth(_));
        let boolean = match item {
            Value::Choice(choice) => choice.arms.iter().any(|arm| boolean(&arm.1)),
            item => boolean(item),
        };
        if boolean {
            return error(Code::TypeMismatch, span, format!("`{name}` is of numbers, booleans have none"));
        }
        match eval.to_num(item, span)? {
            Num::Known(i) => {
                known = Some(known.map_or(i, |best| if largest { best.max(i) } else { best.min(i) }))
            }
            Num::Unknown(term) => unknown.push(term),
        }
    }
    if unknown.is_empty() {
        return match known {
            Some(best) => Ok(Value::Int(best)),
            None => undefined(Code::BadArgument, span, format!("`{name}` of nothing")),
        };
    }
    if let Some(best) = known {
        unknown.push(eval.model.arena.constant(best));
    }
    let term = if largest { eval.model.arena.max(&unknown) } else { eval.model.arena.min(&unknown) };
    Ok(eval.number(term))
}

fn distinct(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    let list = eval.to_list(&args[0], span)?;
    if list.iter().all(|item| matches!(item, Value::Int(_) | Value::Number(_))) {
        let mut terms = Vec::with_capacity(list.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for item in list.iter() {
            if let Value::Int(i) = item
                && !seen.insert(*i)
            {
                return Ok(Value::Bool(false));
            }
            let num = eval.to_num(item, span)?;
            terms.push(eval.int_term(num));
        }
        if terms.iter().all(|term| eval.model.arena.as_const(*term).is_some()) {
            return Ok(Value::Bool(true));
        }
        return Ok(Value::truth(eval.model.arena.distinct(&terms)));
    }
    if list.len() > 8
        && let Some(keys) = eval.hashed(&list)?
    {
        return Ok(Value::Bool(keys.repeated().is_none()));
    }
    for (i, a) in list.iter().enumerate() {
        for b in list[i + 1..].iter().filter(|b| !(a.is_known() && b.is_known())) {
            eval.walked(1)?;
            eval.comparable(a, b, span)?;
        }
    }
    if let Some(term) = distinct_choices(eval, &list, span)? {
        return Ok(Value::truth(term));
    }
    let mut parts = Vec::new();
    for (i, a) in list.iter().enumerate() {
        for b in &list[i + 1..] {
            eval.walked(1)?;
            match eval.equal(a, b, span)? {
                Bool::TRUE => return Ok(Value::Bool(false)),
                same => parts.push(!same),
            }
        }
    }
    Ok(Value::truth(eval.model.arena.and(parts)))
}

/// `distinct` for choices among known values: each value at most once (exactly once if there are as many
/// values as entries).
fn distinct_choices(eval: &mut Eval<'_>, list: &[Value], span: Span) -> Res<Option<Bool>> {
    let mut by_value: Vec<(Value, Vec<Bool>)> = Vec::new();
    for item in list {
        let arms: Vec<(Bool, Value)> = match item {
            Value::Choice(choice) if choice.arms.iter().all(|arm| arm.1.is_known()) => choice.arms.clone(),
            item if item.is_known() => vec![(Bool::TRUE, item.clone())],
            _ => return Ok(None),
        };
        for (cond, value) in arms {
            eval.walked(by_value.len() as u64)?;
            match by_value.iter_mut().find(|(known, _)| *known == value) {
                Some((_, conds)) => conds.push(cond),
                None => by_value.push((value, vec![cond])),
            }
        }
    }
    let exactly = by_value.len() == list.len();
    let mut parts = Vec::new();
    for (_, conds) in by_value {
        let mut sum = Sum::default();
        for cond in conds {
            eval.add_to(&mut sum, 1, &Value::truth(cond), span)?;
        }
        let total = eval.sum_value(sum, span)?;
        parts.push(if exactly {
            eval.equal(&total, &Value::Int(1), span)?
        } else {
            eval.less(&total, &Value::Int(1), false, span)?
        });
    }
    Ok(Some(eval.model.arena.and(parts)))
}
