//! `uri man`: manual pages in roff, generated from the command line's definition.

use crate::exit::{Exit, Stop};
use clap::Command;
use std::io::{self, Write as _};

/// Print the manual page of `uri`, or of a subcommand, in roff
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri man | man -l -
  uri man parse > ~/.local/share/man/man1/uri-parse.1")]
pub(crate) struct Arguments {
    /// The subcommand; without one, the page of `uri`
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Option<String>,
}

/// Prints the page of `command`, or of one of its subcommands.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> Result<Exit, Stop> {
    command.build(); // gives the subcommands their full names and the global options
    if let Some(name) = &arguments.subcommand {
        let Some(subcommand) = command.find_subcommand(name) else {
            let message = format!("there is no subcommand `{name}`");
            return Err(Stop::usage("man", message));
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
