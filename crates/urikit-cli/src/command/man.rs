//! `uri man`: manual pages in roff, from the definitions of the help.

use crate::cli::Cli;
use crate::exit::Exit;
use crate::usage;
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use std::io::{self, Write as _};

/// Print a manual page in roff: that of `uri`, or of a subcommand
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri man | man -l -
  uri man parse > ~/.local/share/man/man1/uri-parse.1")]
pub(crate) struct Arguments {
    /// The subcommand
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Option<String>,
}

/// Prints the page.
pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let mut command = Cli::command();
    command.build(); // gives the subcommands their full names and the global options
    if let Some(name) = &arguments.subcommand {
        let Some(subcommand) = command.find_subcommand(name) else {
            let message = format!("there is no subcommand `{name}`");
            let error = command.error(ErrorKind::InvalidValue, message);
            return Ok(usage::report(&error));
        };
        command = subcommand.clone();
    }
    let mut roff = Vec::new();
    clap_mangen::Man::new(command).render(&mut roff)?;
    let mut out = io::stdout();
    out.write_all(&roff)?;
    out.flush()?;
    Ok(Exit::Good)
}
