//! rebus: logic puzzles, compiled.
//!
//! | stage | room | in → out |
//! | --- | --- | --- |
//! | syntax | [`syntax`] | text → syntax tree |
//! | evaluation | [`eval`], [`builtins`] | tree + data → ground [`model`] |
//! | encoding | [`encode`] | model → formula + symbol map |
//! | solving | [`solve`] | formula → verdict |
//! | certifying | [`certify`] | graphs + learned clauses → which of them follow |
//! | decoding | [`decode`] | verdict + map → values → verified solution |
//! | explaining | [`why`] | model → rules that clash, what solutions share |
//! | drawing | [`render`] | drawing → text, JSON, CSV |

pub mod builtins;
pub mod catalogue;
pub mod certify;
pub mod cli;
pub mod decode;
pub mod diag;
pub mod encode;
pub mod eval;
pub mod files;
pub mod import;

pub mod model;
pub mod render;
pub mod shared;
pub mod solve;
pub mod syntax;
pub mod why;
