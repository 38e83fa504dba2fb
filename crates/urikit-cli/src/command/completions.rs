//! `uri completions`: completion scripts, generated from the command line's definition.

use crate::exit::{Exit, Stop};
use clap::Command;
use clap_complete::Shell;
use std::io::{self, Write as _};

/// Print a script that makes your shell complete `uri` command lines
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri completions bash > ~/.local/share/bash-completion/completions/uri
  uri completions zsh > ~/.zfunc/_uri
  uri completions fish > ~/.config/fish/completions/uri.fish")]
pub(crate) struct Arguments {
    /// The shell to generate the script for
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Prints the script for `command`.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> Result<Exit, Stop> {
    // `generate` panics if it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "uri", &mut script);
    let mut out = io::stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Good)
}
