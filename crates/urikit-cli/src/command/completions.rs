//! `uri completions`: a script that completes command lines, from the definitions of the help.

use crate::cli::Cli;
use crate::exit::Exit;
use clap::CommandFactory as _;
use clap_complete::Shell;
use std::io::{self, Write as _};

/// Print a script that completes `uri` command lines in your shell
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri completions bash > ~/.local/share/bash-completion/completions/uri
  uri completions zsh > ~/.zfunc/_uri
  uri completions fish > ~/.config/fish/completions/uri.fish")]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    // `generate` panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "uri", &mut script);
    let mut out = io::stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Good)
}
