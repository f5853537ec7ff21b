//! Seeded random conditions over two numbers, two booleans and a member of an enum.

use crate::dice::Dice;

pub const DECLARATIONS: &str =
    "enum E { u, v, w }\nvar x : 0..2\nvar y : [-1, 0, 2]\nvar a : bool\nvar b : bool\nvar e : E\n";

/// A boolean expression of at most this depth.
pub fn boolean(rng: &mut Dice, depth: u32) -> String {
    if depth == 0 {
        return rng.pick(&["a", "b", "e = u", "e != v", "x = 1", "y < 1", "true", "false"]).into();
    }
    let d = depth - 1;
    match rng.below(20) {
        0 => format!("(not {})", boolean(rng, d)),
        1 => format!("({} and {})", boolean(rng, d), boolean(rng, d)),
        2 => format!("({} or {})", boolean(rng, d), boolean(rng, d)),
        3 => format!("({} -> {})", boolean(rng, d), boolean(rng, d)),
        4 => format!("({} <-> {})", boolean(rng, d), boolean(rng, d)),
        5 => format!("({} xor {})", boolean(rng, d), boolean(rng, d)),
        6..10 => {
            let op = rng.pick(&["=", "!=", "<", "<=", ">", ">="]);
            format!("({} {op} {})", number(rng, d), number(rng, d))
        }
        10 => format!("({} <= {} < {})", number(rng, d), number(rng, d), number(rng, d)),
        11 => format!("({} in [{}, {}, 1])", number(rng, d), number(rng, d), number(rng, d)),
        12 => format!("distinct([{}, {}, {}])", number(rng, d), number(rng, d), number(rng, d)),
        13 => format!("(if {} then {} else {})", boolean(rng, d), boolean(rng, d), boolean(rng, d)),
        14 => format!("runs([{}, {}, {}], {})", boolean(rng, d), boolean(rng, d), boolean(rng, d), {
            rng.pick(&["[1]", "[1, 1]", "[2]", "[\"?\"]", "[\"*\", 1]", "[0]"])
        }),
        15 => format!(
            "matches([{}, {}], {})",
            boolean(rng, d),
            boolean(rng, d),
            rng.pick(&["\"1*0\"", "\"01|10\""])
        ),
        16 => format!("xor([{}, {}])", boolean(rng, d), boolean(rng, d)),
        17 => format!("[{}, {}][{}]", boolean(rng, d), boolean(rng, d), number(rng, d)),
        18 => {
            format!("(({}, {}) = ({}, {}))", number(rng, d), boolean(rng, d), number(rng, d), boolean(rng, d))
        }
        _ => format!("lex_less([{}, {}], [{}, 1])", number(rng, d), number(rng, d), number(rng, d)),
    }
}

/// A numeric expression of at most this depth.
pub fn number(rng: &mut Dice, depth: u32) -> String {
    if depth == 0 {
        return rng.pick(&["x", "y", "x", "y", "0", "1", "2", "-1"]).into();
    }
    let d = depth - 1;
    match rng.below(14) {
        0 => format!("({} + {})", number(rng, d), number(rng, d)),
        1 => format!("({} - {})", number(rng, d), number(rng, d)),
        2 => format!("({} * {})", number(rng, d), number(rng, d)),
        3 => format!("({} / {})", number(rng, d), rng.pick(&["x", "y", "2", "(x - y)", "-2"])),
        4 => format!("({} % {})", number(rng, d), rng.pick(&["x", "y", "3", "(x + y)", "-2"])),
        5 => format!("abs({})", number(rng, d)),
        6 => format!("min({}, {})", number(rng, d), number(rng, d)),
        7 => format!("max({}, {})", number(rng, d), number(rng, d)),
        8 => format!("count([{}, {}, {}])", boolean(rng, d), boolean(rng, d), boolean(rng, d)),
        9 => format!("(if {} then {} else {})", boolean(rng, d), number(rng, d), number(rng, d)),
        10 => format!(
            "[{}, {}, 2][{}]",
            number(rng, d),
            number(rng, d),
            rng.pick(&["x", "y", "x + 1", "y + 1"])
        ),
        11 => format!("{{u: {}, w: {}}}[e]", number(rng, d), number(rng, d)),
        12 => format!("leading([{}, {}])", boolean(rng, d), boolean(rng, d)),
        _ => format!("int({})", boolean(rng, d)),
    }
}
