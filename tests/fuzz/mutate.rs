//! Texts changed: by the byte, the word, the line, and where a text is JSON, by its values.

use crate::dice::Dice;
use serde_json::{Map, Value};

/// What numbers become.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "9",
    "10",
    "16",
    "17",
    "36",
    "255",
    "256",
    "1000",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "1e3",
    "1.5",
    "00",
];
const SIGNS: &[u8] = b"()[]{}\"\\:=,.*-#0v\n/_+% ;|<>?!abzgjk19x~";

/// A text made of one, and of parts of `other`.
pub fn mutated(text: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = text.to_vec();
    if dice.coin()
        && let Ok(mut value) = serde_json::from_slice::<Value>(text)
    {
        let donor = serde_json::from_slice(other).unwrap_or(Value::Null);
        for _ in 0..1 + dice.below(3) {
            in_json(&mut value, &donor, dice);
        }
        bytes = value.to_string().into_bytes();
        if dice.coin() {
            return bytes;
        }
    }
    for _ in 0..1 + dice.below(4) {
        match dice.below(3) {
            0 => by_byte(&mut bytes, dice),
            1 => by_word(&mut bytes, other, dice),
            _ => by_line(&mut bytes, other, dice),
        }
    }
    bytes.truncate(1 << 16);
    bytes
}

fn by_byte(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(bytes.len() + 1);
    let end = bytes.len().min(at + 1 + dice.below(8));
    match dice.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.insert(at, dice.below(256) as u8),
        3 => {
            let part = bytes[at..end].to_vec();
            let to = dice.below(bytes.len() + 1);
            bytes.splice(to..to, part);
        }
        4 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
        5 if at < bytes.len() => bytes[at] = bytes[dice.below(bytes.len())],
        _ if at < bytes.len() => bytes[at] = dice.pick(SIGNS),
        _ => {}
    }
}

/// Where words are: numbers and names, and every other character by itself.
fn words(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut words: Vec<std::ops::Range<usize>> = Vec::new();
    let mut inside = false;
    for (at, byte) in bytes.iter().enumerate() {
        let part = byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        match words.last_mut() {
            Some(word) if inside && part => word.end = at + 1,
            _ => words.push(at..at + 1),
        }
        inside = part;
    }
    words
}

fn by_word(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let words_here = words(bytes);
    if words_here.is_empty() {
        return;
    }
    let at = words_here[dice.below(words_here.len())].clone();
    let word = bytes[at.clone()].to_vec();
    let new: Vec<u8> = match dice.below(6) {
        0 => Vec::new(),
        1 => [&*word, b" ", &*word].concat(),
        2 => bytes[words_here[dice.below(words_here.len())].clone()].to_vec(),
        3 if !other.is_empty() => {
            let there = words(other);
            other[there[dice.below(there.len())].clone()].to_vec()
        }
        4 => match std::str::from_utf8(&word).ok().and_then(|text| text.parse::<i64>().ok()) {
            Some(number) => number.wrapping_add(dice.range(-2, 2)).to_string().into_bytes(),
            None => word.iter().rev().copied().collect(),
        },
        _ => dice.pick(NUMBERS).as_bytes().to_vec(),
    };
    bytes.splice(at, new);
}

fn by_line(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let there: Vec<&[u8]> = other.split_inclusive(|byte| *byte == b'\n').collect();
    if lines.is_empty() {
        return;
    }
    let at = dice.below(lines.len());
    match dice.below(5) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[dice.below(lines.len())].clone()),
        2 => {
            let to = dice.below(lines.len());
            lines.swap(at, to);
        }
        3 if !there.is_empty() => lines.insert(at, there[dice.below(there.len())].to_vec()),
        _ if !there.is_empty() => lines[at] = there[dice.below(there.len())].to_vec(),
        _ => {}
    }
    *bytes = lines.concat();
}

/// A value somewhere inside.
fn inside<'v>(value: &'v mut Value, dice: &mut Dice) -> &'v mut Value {
    let deeper = match value {
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        _ => false,
    };
    if !deeper || dice.one_in(4) {
        return value;
    }
    match value {
        Value::Array(list) => {
            let at = dice.below(list.len());
            inside(&mut list[at], dice)
        }
        Value::Object(map) => {
            let at = dice.below(map.len());
            inside(map.values_mut().nth(at).expect("one of them"), dice)
        }
        _ => unreachable!("it is no list and no map"),
    }
}

fn in_json(value: &mut Value, other: &Value, dice: &mut Dice) {
    let mut donor = other.clone();
    let donor = inside(&mut donor, dice).clone();
    let place = inside(value, dice);
    let old = place.take();
    *place = match (old, dice.below(10)) {
        (_, 0) => Value::Null,
        (_, 1) => Value::Bool(dice.coin()),
        (_, 2) => serde_json::from_str(dice.pick(NUMBERS)).unwrap_or(Value::Null),
        (_, 3) => Value::String(
            dice.pick(&["", "R1C1", "R99C99", "r1c1,r2c2", "x", "1", "#", ".", "12\n34", "\u{7f}é"]).into(),
        ),
        (_, 4) => donor,
        (old, 5) => Value::Array(vec![old.clone(), old]),
        (Value::Array(mut list), 6 | 7) if !list.is_empty() => {
            list.remove(dice.below(list.len()));
            Value::Array(list)
        }
        (Value::Array(mut list), _) => {
            let again = list.get(dice.below(list.len())).cloned().unwrap_or(donor);
            list.insert(dice.below(list.len() + 1), again);
            Value::Array(list)
        }
        (Value::Object(map), 6 | 7) if !map.is_empty() => {
            let gone = dice.below(map.len());
            let kept = map.into_iter().enumerate().filter(|(at, _)| *at != gone);
            Value::Object(kept.map(|(_, member)| member).collect::<Map<_, _>>())
        }
        (Value::Object(mut map), _) => {
            if let Value::Object(donor) = donor {
                map.extend(donor);
            }
            Value::Object(map)
        }
        (Value::Number(number), _) => {
            Value::from(number.as_i64().unwrap_or(0).wrapping_add(dice.range(-2, 2)))
        }
        (Value::String(text), _) => {
            let mut bytes = text.into_bytes();
            by_word(&mut bytes, b"R1C1 R2C3 >9 <3", dice);
            Value::String(String::from_utf8_lossy(&bytes).into_owned())
        }
        (old, _) => old,
    };
}
