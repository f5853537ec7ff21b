//! Semantic checks of a map with a correct check sum, in case it was not written by rebus.
//!
//! In: a parsed map. Out: the first violation of `grammar/formats.md`. The reader itself checks that the lines have the
//! canonical form.

use super::domain::Part;
use super::{Encoding, SymbolMap, Target};
use crate::encode::Lit;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The first violation.
pub(super) fn fault(map: &SymbolMap) -> Option<String> {
    dialect(map)
        .or_else(|| symbols(map))
        .or_else(|| auxiliaries(map))
        .or_else(|| answer(map))
        .or_else(|| option_words(map))
}

fn dialect(map: &SymbolMap) -> Option<String> {
    let known: &[&str] = match map.target {
        Target::Cnf => &["dimacs"],
        Target::Wcnf => &["2022", "old"],
        Target::Opb => &["linear"],
        Target::Xcc => &["dlx1", "dlx2", "dlx3", "miniexact"],
    };
    let unknown = !known.contains(&map.dialect.as_str());
    unknown.then(|| format!("`{}` is no dialect of `{}`", map.dialect, map.target.name()))
}

fn symbols(map: &SymbolMap) -> Option<String> {
    let mut names = FxHashSet::default();
    let mut next = 1;
    let mut checked = None;
    for symbol in &map.symbols {
        let name = &symbol.name;
        if !names.insert(name.as_str()) {
            return Some(format!("`{name}` is there twice"));
        }
        let (first, count) = symbol.encoding.literals();
        if count > 0 && first != next {
            return Some(format!("the literals of `{name}` start at {first}, and {next} was expected"));
        }
        next += count as Lit;
        if let Encoding::Binary { bits, size, .. } = symbol.encoding
            && size.checked_sub(1).map_or(0, |most| u32::BITS - most.leading_zeros()) != bits
        {
            return Some(format!("`{name}` has {bits} bits for {size} values"));
        }
        // most variables share a domain: check it once
        let domain = Arc::as_ptr(&symbol.domain);
        if checked != Some(domain) {
            checked = Some(domain);
            if let Some(value) = repeated(symbol.domain.parts()) {
                return Some(format!("`{name}` has the value {value} twice"));
            }
        }
    }
    None
}

/// A value that occurs twice.
fn repeated(parts: &[Part]) -> Option<String> {
    let mut texts = FxHashSet::default();
    let mut runs = Vec::new();
    for part in parts {
        match part {
            Part::Text(text) if !texts.insert(text) => return Some(format!("`{text}`")),
            Part::Text(_) => {}
            Part::Run(first, last) => runs.push((*first, *last)),
        }
    }
    runs.sort_unstable();
    runs.windows(2).find(|pair| pair[1].0 <= pair[0].1).map(|pair| pair[1].0.to_string())
}

fn auxiliaries(map: &SymbolMap) -> Option<String> {
    let mut last =
        map.symbols.iter().map(|symbol| symbol.encoding.literals()).rfind(|literals| literals.1 > 0);
    for block in &map.blocks {
        let before = last.map_or(0, |(first, count)| first + count as Lit - 1);
        if block.first <= before {
            return Some(format!(
                "the auxiliary {} is not behind {before}, the literal before it",
                block.first
            ));
        }
        last = Some((block.first, block.last.abs_diff(block.first) + 1));
    }
    None
}

fn answer(map: &SymbolMap) -> Option<String> {
    let mut before = 0;
    for (first, last) in &map.answer {
        if first.unsigned_abs() <= before {
            return Some(format!(
                "the literal {first} of the answer is not behind {before}, the one before it"
            ));
        }
        before = last.unsigned_abs();
    }
    None
}

fn option_words(map: &SymbolMap) -> Option<String> {
    if map.target != Target::Xcc && !map.word_literals.is_empty() {
        return Some(format!("`on` is for exact covers, and this is a map of `{}`", map.target.name()));
    }
    let beyond = map.word_literals.iter().find(|told| u64::from(told.lit.unsigned_abs()) > map.variables);
    beyond.map(|told| format!("`{}` is more than the {} variables of the formula", told.lit, map.variables))
}
