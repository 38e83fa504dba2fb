//! Usage errors, and what may have been meant.

use crate::exit::Exit;
use crate::mask::mask;
use crate::report::io_message;
use crate::safe::{is_safe, safe};
use crate::style::ERROR;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::borrow::Cow;
use std::io::{self, Write as _};

/// Prints a usage error, or the requested help or version.
pub(crate) fn report(error: &clap::Error) -> Exit {
    if matches!(
        error.kind(),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        anstream::eprintln!("{ERROR}uri:{ERROR:#} expected a subcommand. {TRY}");
        return Exit::Usage;
    }
    if let Some(reference) = reference_for_subcommand(error) {
        let shown = mask(reference, false);
        let shown = safe(&shown);
        anstream::eprintln!(
            "{ERROR}uri:{ERROR:#} expected a subcommand, but found `{shown}`. Did you mean\n\n  \
             uri explain '{shown}'\n\nSee `uri --help` for all subcommands."
        );
        return Exit::Usage;
    }
    if error.exit_code() == 0 {
        return print(error);
    }
    // The message quotes the command line, which may hold a reference with a password. Like all
    // messages, it begins with the name of the program.
    let text = error.to_string().replacen("error:", "uri:", 1);
    let masked: Vec<_> = text.lines().map(|line| mask(line, false)).collect();
    let is_unmasked = masked.iter().all(|line| matches!(line, Cow::Borrowed(_)));
    if is_unmasked && text.chars().all(|c| c == '\n' || is_safe(c)) {
        let styled = error.render().ansi().to_string();
        anstream::eprint!("{}", styled.replacen("error:", "uri:", 1));
    } else {
        let lines: Vec<_> = masked.iter().map(|line| safe(line)).collect();
        anstream::eprintln!("{}", lines.join("\n"));
    }
    Exit::Usage
}

/// What to do without a subcommand.
const TRY: &str = "Try one of these:

  uri explain 'https://example.org/a?b=c#d'    # a page about a reference
  uri parse 'https://example.org/a?b=c#d'      # its components
  uri resolve --base https://example.org/a/b ../c
  uri extract notes.txt                        # references in files
  uri fetch --plan ftp://example.org/file      # what would be sent

See `uri --help` for all subcommands.";

/// Prints the help or version on standard output.
fn print(requested: &clap::Error) -> Exit {
    match requested.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            anstream::eprintln!("uri: standard output: {}", io_message(&error));
            Exit::Io
        }
        _ => Exit::Good,
    }
}

/// Reports that a subcommand for references has none: standard input is a terminal.
pub(crate) fn no_input(subcommand: &str) -> Exit {
    nothing_to_read(
        subcommand,
        "references, a file of them, or lines on standard input",
        ["http://example.org/", "-f FILE"],
    )
}

/// Reports that a subcommand for files has none: standard input is a terminal.
pub(crate) fn no_files(subcommand: &str) -> Exit {
    nothing_to_read(
        subcommand,
        "files or folders, or text on standard input",
        ["FILE", "FOLDER"],
    )
}

fn nothing_to_read(subcommand: &str, inputs: &str, examples: [&str; 2]) -> Exit {
    let [first, second] = examples;
    let name = subcommand.split(' ').next().unwrap_or(subcommand);
    anstream::eprintln!(
        "{ERROR}uri:{ERROR:#} nothing to read. Give {inputs}:\n\n  \
         uri {subcommand} {first}\n  \
         uri {subcommand} {second}\n  \
         COMMAND | uri {subcommand}\n\n\
         See `uri {name} --help`."
    );
    Exit::Usage
}

/// What was given in the place of a subcommand, if it looks like a reference.
fn reference_for_subcommand(error: &clap::Error) -> Option<&str> {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(text)))
            if text.contains([':', '/', '.', '#', '?']) =>
        {
            Some(text)
        }
        _ => None,
    }
}
