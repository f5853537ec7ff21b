//! `grammar/rebus.ebnf` against the parser: names, and sentences made from it.

use crate::dice::Dice;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A right-hand side.
#[derive(Debug)]
enum Rhs {
    Token(String),
    Production(String),
    /// Said in words.
    Words,
    Sequence(Vec<Rhs>),
    Choice(Vec<Rhs>),
    Optional(Box<Rhs>),
    Repeated(Box<Rhs>),
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn grammar() -> BTreeMap<String, Rhs> {
    let text = read("grammar/rebus.ebnf");
    let mut tokens = tokens(&text);
    tokens.reverse();
    let mut productions = BTreeMap::new();
    while let Some(name) = tokens.pop() {
        assert_eq!(tokens.pop().as_deref(), Some("="), "after {name}");
        let rhs = choice(&mut tokens);
        assert_eq!(tokens.pop().as_deref(), Some(";"), "at the end of {name}");
        assert!(productions.insert(name.clone(), rhs).is_none(), "{name} stands twice");
    }
    productions
}

fn tokens(mut text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    loop {
        text = text.trim_start();
        let Some(c) = text.chars().next() else { return tokens };
        let length = match c {
            '(' if text.starts_with("(*") => {
                text = &text[text.find("*)").unwrap() + 2..];
                continue;
            }
            '"' | '?' => text[1..].find(c).unwrap() + 2,
            c if c.is_alphabetic() => text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap(),
            _ => 1,
        };
        tokens.push(text[..length].to_string());
        text = &text[length..];
    }
}

fn choice(tokens: &mut Vec<String>) -> Rhs {
    let mut all = vec![sequence(tokens)];
    while tokens.last().is_some_and(|token| token == "|") {
        tokens.pop();
        all.push(sequence(tokens));
    }
    if all.len() == 1 { all.remove(0) } else { Rhs::Choice(all) }
}

fn sequence(tokens: &mut Vec<String>) -> Rhs {
    let mut all = Vec::new();
    while let Some(token) = tokens.pop() {
        all.push(match token.as_str() {
            "(" => inside(tokens, ")"),
            "[" => Rhs::Optional(Box::new(inside(tokens, "]"))),
            "{" => Rhs::Repeated(Box::new(inside(tokens, "}"))),
            "|" | ";" | ")" | "]" | "}" => {
                tokens.push(token);
                break;
            }
            token if token.starts_with('"') => Rhs::Token(token.trim_matches('"').to_string()),
            token if token.starts_with('?') => Rhs::Words,
            _ => Rhs::Production(token),
        });
    }
    Rhs::Sequence(all)
}

fn inside(tokens: &mut Vec<String>, close: &str) -> Rhs {
    let rhs = choice(tokens);
    assert_eq!(tokens.pop().as_deref(), Some(close));
    rhs
}

#[test]
fn productions_are_parser_functions() {
    let productions: BTreeSet<String> = grammar().into_keys().collect();
    let mut functions = BTreeSet::from(["file".to_string()]);
    assert!(read("src/syntax/recover.rs").contains("pub fn parse_file("), "`file` is `parse_file`");
    for room in ["items", "expr", "primary", "gens", "text", "tokens"] {
        for line in read(&format!("src/syntax/{room}.rs")).lines() {
            // A parser function takes a place and nothing else.
            let line = line.trim_start().trim_start_matches("pub(super) ");
            if let Some((name, _)) =
                line.strip_prefix("fn ").and_then(|line| line.split_once("(i: In) -> R<"))
            {
                functions.insert(name.to_string());
            }
        }
    }
    assert_eq!(productions, functions);
}

struct Writer<'g> {
    grammar: &'g BTreeMap<String, Rhs>,
    /// How deep the shallowest sentence of a production is.
    heights: BTreeMap<&'g str, u32>,
    dice: Dice,
    out: String,
}

impl<'g> Writer<'g> {
    fn new(grammar: &'g BTreeMap<String, Rhs>, seed: u64) -> Writer<'g> {
        let mut heights = BTreeMap::new();
        while heights.len() < grammar.len() {
            let known = heights.len();
            for (name, rhs) in grammar {
                if let Some(height) = height(rhs, &heights) {
                    heights.entry(name.as_str()).or_insert(height + 1);
                }
            }
            assert!(heights.len() > known, "a production without sentences");
        }
        Writer { grammar, heights, dice: Dice::new(seed), out: String::new() }
    }

    fn below(&mut self, n: usize) -> usize {
        self.dice.below(n)
    }

    fn production(&mut self, name: &str, depth: u32) {
        let samples: &[&str] = match name {
            "name" => &["a", "b", "x1", "clue", "größe", "_p", "box", "r", "std", "inside", "nota"],
            "integer" => &["0", "1", "42", "007", "9223372036854775807"],
            "plain" => &["\"sudoku.rebus\"", "\"♞\"", "\"\"", "\"{{}}\"", "r\"\\\""],
            "raw" => &["r\"\"", "r\"1*(0+(11|1111){2,3})\\d\""],
            "picture" => &["\"\"\"\n1 . 2\n\"\"\"", "\"\"\"\"\"\"", "\"\"\"a\"\"\"", "\"\"\"\n\n{#\n\"\"\""],
            "text" if self.below(2) == 0 || depth == 0 => &["\"\"", "\"a\\n\\t\\\"\\\\ {{3}}\"", "\"# ä\""],
            "text" => {
                // A hole with a number alone is a fault, so there are brackets; nothing may follow its brace.
                self.out.push_str("\"<{(");
                self.production("expr", depth.saturating_sub(1));
                return self.token(")}> \"");
            }
            _ => return self.rhs(&self.grammar[name], depth.saturating_sub(1)),
        };
        let k = self.below(samples.len());
        self.token(samples[k]);
    }

    fn token(&mut self, token: &str) {
        let between = [" ", " ", " ", " ", "\n", "\t", " # note\n", "\r\n"];
        let k = self.below(between.len());
        self.out.push_str(token);
        self.out.push_str(between[k]);
    }

    fn rhs(&mut self, rhs: &'g Rhs, depth: u32) {
        match rhs {
            Rhs::Token(token) => self.token(token),
            Rhs::Production(name) => self.production(name, depth),
            Rhs::Words => panic!("a sample is missing"),
            Rhs::Sequence(all) => all.iter().for_each(|rhs| self.rhs(rhs, depth)),
            Rhs::Choice(all) => {
                let height = |rhs| height(rhs, &self.heights).unwrap();
                let least = all.iter().map(height).min().unwrap();
                let fits: Vec<&Rhs> =
                    all.iter().filter(|rhs| height(rhs) <= depth || height(rhs) == least).collect();
                let k = self.below(fits.len());
                self.rhs(fits[k], depth);
            }
            Rhs::Optional(rhs) => {
                if depth > 0 && self.below(3) == 0 {
                    self.rhs(rhs, depth);
                }
            }
            Rhs::Repeated(rhs) => {
                while depth > 0 && self.below(4) == 0 {
                    self.rhs(rhs, depth);
                }
            }
        }
    }
}

fn height(rhs: &Rhs, heights: &BTreeMap<&str, u32>) -> Option<u32> {
    match rhs {
        Rhs::Token(_) | Rhs::Words | Rhs::Optional(_) | Rhs::Repeated(_) => Some(0),
        Rhs::Production(name) => heights.get(name.as_str()).copied(),
        Rhs::Sequence(all) => all.iter().map(|rhs| height(rhs, heights)).try_fold(0, |a, b| Some(a.max(b?))),
        Rhs::Choice(all) => all.iter().filter_map(|rhs| height(rhs, heights)).min(),
    }
}

#[test]
fn sentences_of_the_grammar_are_read() {
    let grammar = grammar();
    let mut length = 0;
    for seed in 1..=2_000u64 {
        let mut writer = Writer::new(&grammar, seed);
        let items = 1 + writer.below(3);
        for _ in 0..items {
            writer.production("item", 16 + seed as u32 % 20);
        }
        length += writer.out.len();
        let tree = super::parse(&writer.out);
        assert_eq!(tree.items.len(), items, "{}", writer.out);
        super::same_after_printing(&tree);
        if seed % 4 == 0 {
            super::format::same_after_formatting(&writer.out);
        }
    }
    assert!(length > 100_000, "only {length} bytes");
}
