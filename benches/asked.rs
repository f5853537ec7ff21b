//! The arguments of a bench that runs for hours: `cargo test` runs it too, and gets nothing.

use clap::{Args, Parser};

#[derive(Parser, Debug)]
struct Line<A: Args> {
    #[command(flatten)]
    own: A,
    /// `cargo bench` adds this
    #[arg(long, hide = true)]
    bench: bool,
}

/// The arguments, if `cargo bench` runs this program.
pub fn asked<A: Args>() -> Option<A> {
    let line = Line::<A>::parse();
    if !line.bench {
        println!("only run by `cargo bench`");
    }
    line.bench.then_some(line.own)
}
