//! The `uri` command: parses, checks, compares and fetches references as each standard defines
//! them.
//!
//! The modules form layers. Each module uses only those below it:
//!
//! ```text
//! main                                     runs a subcommand, reports its error
//! cli                                      the command line: help, completions and man pages
//! command/*                                one file or folder per subcommand
//! options, usage, help                     shared options, usage errors, help
//! output, run                              prints results in order, on one thread or many
//! report                                   errors as messages
//! filter                                   selects references (--where)
//! sheet                                    results as CSV and Parquet
//! fields                                   components by name, for templates and filters
//! input, walk, files, rejected, safe, …    inputs, folders, files of options, streams
//! ```

// The comments on options are help texts, in which brackets mark optional parts.
#![allow(rustdoc::broken_intra_doc_links)]

mod cli;
mod closed;
mod columns;
mod command;
mod exit;
mod fields;
mod files;
mod filter;
mod help;
mod input;
mod missing;
mod options;
mod output;
mod progress;
mod rejected;
mod report;
mod run;
mod safe;
mod screen;
mod sheet;
mod standard;
mod stdout;
mod style;
mod suggest;
mod usage;
mod walk;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use cli::{Cli, Command};
use exit::{Exit, OfInput, Stop};
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = command::fetch::without_fail(std::env::args_os().collect(), Cli::command);
    let arguments = match command::check::with_config(arguments, Cli::command) {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            // Laying out the help takes time, so the help is laid out only when it is printed.
            let arranged = cli::with_help().try_get_matches_from(&arguments);
            return usage::report(arranged.err().unwrap_or(error), Cli::command).into();
        }
        Err(error) => return usage::report(error, Cli::command).into(),
    };
    let color = match cli.color {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    };
    color.write_global();
    if let Some(bytes) = cli.max_output {
        stdout::limit(bytes);
    }
    match run(cli.command) {
        Ok(exit) => exit,
        Err(Stop::Usage {
            subcommand,
            message,
        }) => usage::report(cli::conflict(subcommand, message), Cli::command),
        // The program that reads the pipe, such as `head`, has closed it, which is not an error.
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Good,
        Err(Stop::Output(error)) if error.get_ref().is_some_and(|it| it.is::<OfInput>()) => {
            anstream::eprintln!("uri: {}", safe::safe(&error.to_string()));
            Exit::Io
        }
        Err(Stop::Output(error)) => {
            anstream::eprintln!("uri: standard output: {}", report::io_message(&error));
            Exit::Io
        }
    }
    .into()
}

fn run(command: Command) -> Result<Exit, Stop> {
    match command {
        Command::Parse(arguments) => command::parse::run(arguments),
        Command::Resolve(arguments) => command::resolve::run(arguments),
        Command::Relativize(arguments) => command::relativize::run(arguments),
        Command::Encode(arguments) => command::encode::run(arguments),
        Command::Decode(arguments) => command::decode::run(arguments),
        Command::Explain(arguments) => command::explain::run(arguments),
        Command::Normalize(arguments) => command::normalize::run(arguments),
        Command::Compare(arguments) => command::compare::run(arguments),
        Command::Check(arguments) => command::check::run(*arguments),
        Command::Audit(arguments) => command::audit::run(arguments),
        Command::Edit(arguments) => command::edit::run(arguments),
        Command::Extract(arguments) => command::extract::run(arguments),
        Command::Fetch(arguments) => command::fetch::run(*arguments),
        Command::Send(arguments) => command::send::run(*arguments),
        Command::Get(arguments) => command::get::run(arguments),
        Command::Schemes(arguments) => command::schemes::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => command::serve::run(arguments),
        Command::JsonSchema(arguments) => command::json_schema::run(&arguments),
        Command::Completions(arguments) => command::completions::run(&arguments, Cli::command()),
        Command::Man(arguments) => command::man::run(&arguments, Cli::command()),
    }
}
