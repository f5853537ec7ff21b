//! Values: conversions, queries on data, strings.

use super::Builtin;
use crate::diag::Code;
use crate::eval::{Eval, Res, Value, error, undefined, unknown};
use crate::model::Bool;
use crate::shared::Span;

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "abs",
        signature: "abs(k)",
        doc: "The absolute value.",
        example: ("abs(-3)", "3"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| match eval.to_num(&args[0], span)? {
            crate::eval::Num::Known(i) => match i.checked_abs() {
                Some(i) => Ok(Value::Int(i)),
                None => eval.overflow(span),
            },
            crate::eval::Num::Unknown(term) => match eval.model.arena.abs(term) {
                Ok(term) => Ok(eval.number(term)),
                Err(_) => eval.overflow(span),
            },
        },
    },
    Builtin {
        name: "chars",
        signature: "chars(text)",
        doc: "The characters of a string, a list of strings.",
        example: ("chars(\"abc\")", "[a, b, c]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let text = string(&args[0], span)?;
            eval.gone_through(text.len())?;
            Ok(Value::list(text.chars().map(|c| Value::text(c.encode_utf8(&mut [0; 4]))).collect()))
        },
    },
    Builtin {
        name: "get",
        signature: "get(a, k, otherwise)",
        doc: "`a[k]` where there is such an entry, `otherwise` where not.",
        example: ("get({1: \"a\"}, 2, \"none such\")", "none such"),
        returns_bool: false,
        arity: (3, 3),
        run: |eval, args, span| {
            let (base, key) = (&args[0], &args[1]);
            if !key.is_known() {
                return unknown(span, "the key of `get` must be known before solving");
            }
            let exists = match base {
                Value::Map(map) => map.keys.contains(key),
                Value::List(list) | Value::Tuple(list) => {
                    matches!(key, Value::Int(i) if (1..=list.len() as i64).contains(i))
                }
                other => {
                    return error(
                        Code::TypeMismatch,
                        span,
                        format!("`get` is from an array or list, not {}", other.kind()),
                    );
                }
            };
            if exists {
                return eval.entry_at(base, key, span);
            }
            if let Value::Map(map) = base {
                eval.one_shaped(key, &map.keys.list, span)?;
            }
            Ok(args[2].clone())
        },
    },
    Builtin {
        name: "given",
        signature: "given(v)",
        doc: "Is the value not `none`?",
        example: ("given(none)", "false"),
        returns_bool: true,
        arity: (1, 1),
        run: |eval, args, span| {
            let none = eval.equal(&args[0], &Value::None, span)?;
            Ok(Value::truth(!none))
        },
    },
    Builtin {
        name: "givens",
        signature: "givens(a)",
        doc: "The pairs (key, value) of an array whose value is not `none`.",
        example: ("givens({1: none, 2: \"x\"})", "[(2, x)]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let mut pairs = Vec::new();
            each_pair(eval, &args[0], span, |key, value| match value {
                Value::None => Ok(()),
                Value::Choice(choice) if choice.arms.iter().any(|arm| matches!(arm.1, Value::None)) => {
                    unknown(span, "which entries are given must be known before solving")
                }
                value => {
                    pairs.push(Value::pair(key, value.clone()));
                    Ok(())
                }
            })?;
            Ok(Value::list(pairs))
        },
    },
    Builtin {
        name: "int",
        signature: "int(v)",
        doc: "A number from a boolean (1 or 0), a string or a number.",
        example: ("int(\"12\") + int(true)", "13"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| match &args[0] {
            Value::Str(text) => match text.trim().parse::<i64>() {
                Ok(i) => Ok(Value::Int(i)),
                Err(_) => error(Code::BadArgument, span, format!("`{text}` is no number")),
            },
            value => Ok(eval.to_num(value, span)?.value()),
        },
    },
    Builtin {
        name: "items",
        signature: "items(a)",
        doc: "The pairs (key, value) of an array.",
        example: ("items({\"a\": 1})", "[(a, 1)]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let mut pairs = Vec::new();
            each_pair(eval, &args[0], span, |key, value| {
                pairs.push(Value::pair(key, value.clone()));
                Ok(())
            })?;
            Ok(Value::list(pairs))
        },
    },
    Builtin {
        name: "join",
        signature: "join(texts, between)",
        doc: "The strings in one, with another between two.",
        example: ("join([\"a\", \"b\"], \"+\")", "a+b"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let between = string(&args[1], span)?;
            let list = eval.to_list(&args[0], span)?;
            if !list.iter().all(Value::is_known) {
                return unknown(span, "a text must be known before solving");
            }
            Ok(Value::Str(eval.joined(&list, between)?.into()))
        },
    },
    Builtin {
        name: "keys",
        signature: "keys(a)",
        doc: "The keys of an array, in order.",
        example: ("keys({\"a\": 1, \"b\": 2})", "[a, b]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| match &args[0] {
            Value::Map(map) => Ok(Value::List(map.keys.list.clone())),
            Value::List(list) | Value::Tuple(list) => {
                eval.gone_through(list.len())?;
                Ok(Value::list((1..=list.len() as i64).map(Value::Int).collect()))
            }
            other => error(Code::TypeMismatch, span, format!("`keys` is of an array, not {}", other.kind())),
        },
    },
    Builtin {
        name: "len",
        signature: "len(v)",
        doc: "The number of entries of a list, tuple or array, of characters of a string.",
        example: ("len(\"abc\") + len([1, 2])", "5"),
        returns_bool: false,
        arity: (1, 1),
        run: |_, args, span| {
            let n = match &args[0] {
                Value::List(list) | Value::Tuple(list) => list.len(),
                Value::Map(map) => map.values.len(),
                Value::Str(text) => text.chars().count(),
                Value::None => return undefined(Code::TypeMismatch, span, "none has no length"),
                other => return error(Code::TypeMismatch, span, format!("{} has no length", other.kind())),
            };
            Ok(Value::Int(n as i64))
        },
    },
    Builtin {
        name: "split",
        signature: "split(text, between)",
        doc: "The parts of a string between the separators.",
        example: ("split(\"3,1\", \",\")", "[3, 1]"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let (text, between) = (string(&args[0], span)?, string(&args[1], span)?);
            if between.is_empty() {
                return error(
                    Code::BadArgument,
                    span,
                    "the separator of `split` is empty; `chars` takes a string apart",
                );
            }
            eval.gone_through(text.len() + text.matches(between).count())?;
            Ok(Value::list(text.split(between).map(Value::text).collect()))
        },
    },
    Builtin {
        name: "text",
        signature: "text(v)",
        doc: "A known value as a string; a member by its glyph.",
        example: ("text(12)", "12"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            if !args[0].is_known() {
                return unknown(span, "a text must be known before solving");
            }
            Ok(Value::Str(eval.text(&args[0])?.into()))
        },
    },
    Builtin {
        name: "values",
        signature: "values(a)",
        doc: "The values of an array, in the order of its keys.",
        example: ("values({\"a\": 1, \"b\": 2})", "[1, 2]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| Ok(Value::List(eval.to_list(&args[0], span)?)),
    },
    Builtin {
        name: "where",
        signature: "where(a, v)",
        doc: "The boolean array that is true where `a` has the value.",
        example: ("where({1: \"x\", 2: \"y\"}, \"y\")", "{1: false, 2: true}"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let Value::Map(map) = &args[0] else {
                return error(
                    Code::TypeMismatch,
                    span,
                    format!("`where` is of an array, not {}", args[0].kind()),
                );
            };
            eval.gone_through(map.values.len())?;
            let mut values = Vec::with_capacity(map.values.len());
            for value in &map.values {
                let same: Bool = eval.boolean(|eval| eval.equal(value, &args[1], span))?;
                values.push(Value::truth(same));
            }
            Ok(Value::Map(std::rc::Rc::new(crate::eval::Map::new(map.keys.clone(), values))))
        },
    },
];

pub(super) fn string(value: &Value, span: Span) -> Res<&str> {
    match value {
        Value::Str(text) => Ok(text),
        other => {
            error(Code::TypeMismatch, span, format!("a string is wanted here, this is {}", other.kind()))
        }
    }
}

fn each_pair(
    eval: &Eval<'_>,
    value: &Value,
    span: Span,
    mut each: impl FnMut(Value, &Value) -> Res<()>,
) -> Res<()> {
    match value {
        Value::Map(map) => eval.gone_through(map.values.len())?,
        Value::List(list) | Value::Tuple(list) => eval.gone_through(list.len())?,
        _ => {}
    }
    match value {
        Value::Map(map) => map.iter().try_for_each(|(key, value)| each(key.clone(), value)),
        Value::List(list) | Value::Tuple(list) => {
            list.iter().enumerate().try_for_each(|(at, value)| each(Value::Int(at as i64 + 1), value))
        }
        other => {
            error(Code::TypeMismatch, span, format!("an array is wanted here, this is {}", other.kind()))
        }
    }
}
