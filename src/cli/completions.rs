//! `rebus completions`: a script with which a shell completes commands, options and their values.

use super::{Cli, Outcome};
use crate::files;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use std::io::Write;

/// Print a script with which a shell completes what is typed
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus completions bash > rebus.bash         belongs in ~/.local/share/bash-completion/completions
  rebus completions zsh > _rebus              belongs in a folder that $fpath names
  rebus completions fish > rebus.fish         belongs in ~/.config/fish/completions
  rebus completions elvish > rebus.elv        in rc.elv: eval (slurp < rebus.elv)
  rebus completions powershell > rebus.ps1    in $PROFILE: . ./rebus.ps1

Open a new shell afterwards.")]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub fn run(args: &Args) -> Outcome {
    let program = Cli::command();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let mut shown = Command::new("rebus")
        .version(env!("CARGO_PKG_VERSION"))
        .args(program.get_arguments())
        .subcommands(commands);
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut shown, "rebus", &mut script);
    files::Stdout.write_all(&script)?;
    Ok(0)
}
