//! Text → [`ast`].

pub mod ast;
