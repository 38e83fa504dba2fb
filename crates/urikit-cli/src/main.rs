//! The command `uri`: references read, checked and explained as each standard reads them.
//!
//! ```text
//! cli (definitions) → command/* ← reading (one reader, one input)
//!                        ↓
//!       input → run → standard output, report → standard error
//! ```
//!
//! `cli` defines the command line, and [`command`] has one file for each subcommand. [`input`] brings
//! references, [`run`] has a command work on each of them, `reading` is what one standard makes of
//! one of them, and `report` tells people what is wrong with it.

mod answers;
mod cli;
mod columns;
mod command;
mod edition;
mod escape;
mod exit;
mod input;
mod json;
mod mask;
mod progress;
mod reading;
mod report;
mod run;
mod safe;
mod separator;
mod standard;
mod style;
mod usage;

use clap::Parser as _;
use cli::{Cli, Command};
use exit::Exit;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage::report(&error).into(),
    };
    let color = match cli.color {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    };
    color.write_global();
    let outcome = match cli.command {
        Command::Parse(arguments) => command::parse::run(arguments),
        Command::Resolve(arguments) => command::resolve::run(arguments),
        Command::Relativize(arguments) => command::relativize::run(arguments),
        Command::Encode(arguments) => command::encode::run(arguments),
        Command::Decode(arguments) => command::decode::run(arguments),
        Command::Explain(arguments) => command::explain::run(arguments),
        Command::Normalize(arguments) => command::normalize::run(arguments),
        Command::Compare(arguments) => command::compare::run(&arguments),
        Command::Edit(arguments) => command::edit::run(arguments),
        Command::Extract(arguments) => command::extract::run(arguments),
        Command::Fetch(arguments) => command::fetch::run(*arguments),
        Command::Get(arguments) => command::get::run(arguments),
        Command::Schemes(arguments) => command::schemes::run(&arguments),
        Command::Completions(arguments) => command::completions::run(&arguments),
        Command::Man(arguments) => command::man::run(&arguments),
    };
    match outcome {
        Ok(exit) => exit,
        // Whoever read the results has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Good,
        Err(error) => {
            anstream::eprintln!("uri: standard output: {}", report::io_message(&error));
            Exit::Io
        }
    }
    .into()
}
