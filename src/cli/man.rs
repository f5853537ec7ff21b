//! `rebus man`: the help of every command as manual pages, for packagers. Hidden from `--help`.

use super::{Cli, Outcome};
use crate::files::{Output, commit_in_order};
use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::io;
use std::path::PathBuf;

/// Write the manual pages: rebus.1 and one a command
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus man .        rebus.1, rebus-solve.1, …")]
pub struct Args {
    /// A folder that is there
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub fn run(args: &Args) -> Outcome {
    let mut program = Cli::command().disable_help_subcommand(true);
    // adds the global options, and the full name, to each command
    program.build();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let mut pages = Vec::new();
    for command in commands.chain([&program]) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let mut page = Output::create(&args.folder.join(format!("{name}.1")))?;
        write(command, &mut page)?;
        pages.push(page);
    }
    commit_in_order(pages)?;
    Ok(0)
}

fn write(command: &clap::Command, page: &mut Output) -> io::Result<()> {
    let man = Man::new(command.clone());
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut title = Roff::default();
    // no date: the same bytes every day
    title.control("TH", [name, "1", "\"\"", concat!("rebus ", env!("CARGO_PKG_VERSION")), "Logic puzzles"]);
    title.to_writer(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    let mut other = "rebus";
    if command.has_subcommands() {
        man.render_subcommands_section(page)?;
        other = "rebus\\-check\\-cuts";
    }
    let mut roff = Roff::default();
    after_help(&command.get_after_help().map(ToString::to_string).unwrap_or_default(), &mut roff);
    roff.control("SH", ["SEE ALSO"]).control("BR", [other, "(1)"]);
    roff.to_writer(page)
}

/// The text below the options: examples line by line, then notes and exit codes.
fn after_help(text: &str, roff: &mut Roff) {
    let (examples, notes) = match text.strip_prefix("EXAMPLES:\n") {
        Some(text) => text.split_once("\n\n").unwrap_or((text, "")),
        None => ("", text),
    };
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in examples.lines() {
            roff.text([roman(line.trim_start())]);
        }
        roff.control("fi", []);
    }
    let (notes, exits) = notes.split_once("Exit codes:").unwrap_or((notes, ""));
    for (title, text) in [("NOTES", notes), ("EXIT STATUS", exits)] {
        if !text.is_empty() {
            roff.control("SH", [title]);
            for line in text.trim().lines() {
                match line {
                    "" => roff.control("PP", []),
                    _ => roff.text([roman(line)]),
                };
            }
        }
    }
}
