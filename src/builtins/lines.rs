//! Lines of cells: runs, words, visibility, order.

use super::Builtin;
use super::aggregates::booleans;
use super::regex::{self, Unfit};
use crate::diag::Code;
use crate::eval::{Eval, Res, Sum, Value, error, unknown};
use crate::model::{Block, Bool, Regular, Runs};
use crate::shared::Span;

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "increasing",
        signature: "increasing(list)",
        doc: "Is every entry less than the next?",
        example: ("increasing([1, 2, 4])", "true"),
        returns_bool: true,
        arity: (1, 1),
        run: |eval, args, span| {
            let list = eval.to_list(&args[0], span)?;
            let mut parts = Vec::new();
            for pair in list.windows(2) {
                parts.push(eval.less(&pair[0], &pair[1], true, span)?);
            }
            Ok(Value::truth(eval.model.arena.and(parts)))
        },
    },
    Builtin {
        name: "leading",
        signature: "leading(list)",
        doc: "How many entries are true before the first false one.",
        example: ("leading([true, true, false, true])", "2"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let mut sum = Sum::default();
            let mut so_far = Bool::TRUE;
            for part in booleans(eval, &args[0], span)? {
                so_far = eval.model.arena.and2(so_far, part);
                eval.add_to(&mut sum, 1, &Value::truth(so_far), span)?;
            }
            eval.sum_value(sum, span)
        },
    },
    Builtin {
        name: "lex_less",
        signature: "lex_less(a, b)",
        doc: "Does the list a come before b, by the first entry in which they differ? A list comes before its continuations.",
        example: ("lex_less([1, 2], [1, 3])", "true"),
        returns_bool: true,
        arity: (2, 2),
        run: |eval, args, span| {
            let (a, b) = (eval.to_list(&args[0], span)?, eval.to_list(&args[1], span)?);
            Ok(Value::truth(eval.lexicographic(&a, &b, true, span)?))
        },
    },
    Builtin {
        name: "matches",
        signature: "matches(list, regex)",
        doc: "Is the whole list a word of the regular expression? An entry is its one-character text: booleans `1` and `0`, none \
              `.`, 10 = `A`.",
        example: ("matches([false, true, true], r\"0*1+\")", "true"),
        returns_bool: true,
        arity: (2, 2),
        run: matches,
    },
    Builtin {
        name: "runs",
        signature: "runs(list, lengths)",
        doc: "Do the true entries form runs of these lengths, in this order? 0 is no run, `\"?\"` a run of unknown length, `\"*\"` any \
              runs or none.",
        example: ("runs([true, true, false, true], [2, 1])", "true"),
        returns_bool: true,
        arity: (2, 2),
        run: runs,
    },
];

fn runs(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    let cells = booleans(eval, &args[0], span)?;
    let mut blocks = Vec::new();
    for item in eval.to_list(&args[1], span)?.iter() {
        match item {
            Value::Int(0) => {}
            Value::Int(n) if *n > 0 => blocks.push(Block::Length(u32::try_from(*n).unwrap_or(u32::MAX))),
            Value::Str(text) if &**text == "?" => blocks.push(Block::AnyLength),
            // several in a row mean the same as one
            Value::Str(text) if &**text == "*" => {
                if blocks.last() != Some(&Block::AnyRuns) {
                    blocks.push(Block::AnyRuns);
                }
            }
            value if !value.is_known() => {
                return unknown(span, "the lengths of runs must be known before solving");
            }
            value => {
                let text = eval.literal_of(value);
                return error(
                    Code::BadArgument,
                    span,
                    format!("`{text}` is no length of a run: numbers from 0, \"?\" and \"*\" are"),
                );
            }
        }
    }
    let known = cells.iter().all(|cell| cell.as_constant().is_some());
    let runs = Runs { cells, blocks };
    if known {
        return Ok(Value::Bool(eval.model.under(&[], eval.budget).runs_hold(&runs)?));
    }
    Ok(Value::truth(eval.model.arena.runs(runs)))
}

fn matches(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    let list = eval.to_list(&args[0], span)?;
    let pattern = super::values::string(&args[1], span)?;
    let mut letters: Vec<Vec<(Bool, char)>> = Vec::with_capacity(list.len());
    for item in list.iter() {
        letters.push(letters_of(eval, item, span)?);
    }
    let mut alphabet: Vec<char> = letters.iter().flatten().map(|(_, c)| *c).collect();
    alphabet.sort_unstable();
    alphabet.dedup();
    let automaton = match regex::automaton(pattern, &alphabet, eval.budget) {
        Ok(automaton) => automaton,
        Err(Unfit::Pattern(message)) => return error(Code::BadArgument, span, message),
        Err(Unfit::Stop(stop)) => return Err(stop.into()),
    };
    let symbol = |c: &char| alphabet.binary_search(c).unwrap_or(0) as u32;
    let word: Vec<Vec<(Bool, u32)>> = letters
        .iter()
        .map(|position| position.iter().map(|(cond, c)| (*cond, symbol(c))).collect())
        .collect();
    let known = word.iter().all(|position| position.len() == 1);
    let regular = Regular { automaton, word };
    if known {
        return Ok(Value::Bool(eval.model.under(&[], eval.budget).regular_holds(&regular)?));
    }
    Ok(Value::truth(eval.model.arena.regular(regular)))
}

/// The possible letters of an entry, each with its condition.
fn letters_of(eval: &mut Eval<'_>, item: &Value, span: Span) -> Res<Vec<(Bool, char)>> {
    Ok(match item {
        Value::Truth(term) => vec![(*term, '1'), (!*term, '0')],
        Value::Number(term) => {
            let (lo, hi) = eval.model.arena.bounds(*term);
            if lo < 0 || hi > 35 {
                return error(
                    Code::BadArgument,
                    span,
                    format!("numbers from 0 to 35 have one letter, this may be {lo} to {hi}"),
                );
            }
            let mut letters = Vec::new();
            for i in lo..=hi {
                let cond = eval.equal(item, &Value::Int(i), span)?;
                if cond != Bool::FALSE {
                    letters.push((cond, letter(eval, &Value::Int(i), span)?));
                }
            }
            letters
        }
        Value::Choice(choice) => {
            let mut letters = Vec::new();
            for (cond, arm) in &choice.arms {
                letters.push((*cond, letter(eval, arm, span)?));
            }
            letters
        }
        known => vec![(Bool::TRUE, letter(eval, known, span)?)],
    })
}

fn letter(eval: &Eval<'_>, value: &Value, span: Span) -> Res<char> {
    let text = match value {
        Value::Bool(b) => if *b { "1" } else { "0" }.to_string(),
        Value::None => ".".into(),
        Value::Int(i @ 10..=35) => ((b'A' + (*i as u8 - 10)) as char).to_string(),
        value => eval.text_of(value),
    };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(c),
        _ => error(
            Code::BadArgument,
            span,
            format!("`matches` reads entries of one character, `{text}` is none"),
        ),
    }
}
