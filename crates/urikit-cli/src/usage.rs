//! Command lines that make no sense, and what the person may have meant.

use crate::cli::Cli;
use crate::exit::Exit;
use crate::mask::mask;
use crate::report::io_message;
use crate::safe::{is_safe, safe};
use crate::style::ERROR;
use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::borrow::Cow;
use std::io::{self, Write as _};

/// Prints what is wrong, or the help or version that was asked for.
pub(crate) fn report(error: &clap::Error) -> Exit {
    if let Some(reference) = reference_for_subcommand(error) {
        let shown = mask(reference, false);
        let shown = safe(&shown);
        anstream::eprintln!(
            "{ERROR}uri:{ERROR:#} a subcommand comes first, and `{shown}` is none. Did you mean\n\n  \
             uri explain '{shown}'\n\nSee `uri --help` for all subcommands."
        );
        return Exit::Usage;
    }
    if error.exit_code() == 0 {
        return print(error);
    }
    // What a person typed is in the text, and may be a reference in the wrong place.
    let text = error.to_string();
    let masked: Vec<_> = text.lines().map(|line| mask(line, false)).collect();
    let is_as_typed = masked.iter().all(|line| matches!(line, Cow::Borrowed(_)));
    if is_as_typed && text.chars().all(|c| c == '\n' || is_safe(c)) {
        // Nobody is left to tell when standard error is closed.
        let _ = error.print();
    } else {
        let lines: Vec<_> = masked.iter().map(|line| safe(line)).collect();
        anstream::eprintln!("{}", lines.join("\n"));
    }
    Exit::Usage
}

/// Options of `subcommand` that make no sense together, or not under the standard.
pub(crate) fn conflict(subcommand: &str, message: &str) -> Exit {
    let mut command = Cli::command();
    command.build();
    let error = match command.find_subcommand_mut(subcommand) {
        Some(subcommand) => subcommand.error(ErrorKind::ArgumentConflict, message),
        None => command.error(ErrorKind::ArgumentConflict, message),
    };
    report(&error)
}

/// Prints the help or version to standard output.
fn print(asked: &clap::Error) -> Exit {
    match asked.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            anstream::eprintln!("uri: standard output: {}", io_message(&error));
            Exit::Io
        }
        // Output to a closed pipe is nobody's loss.
        _ => Exit::Good,
    }
}

/// There is nothing to read: standard input is a terminal.
pub(crate) fn no_input(subcommand: &str) -> Exit {
    anstream::eprintln!(
        "{ERROR}uri:{ERROR:#} nothing to read. Give references, a file, or lines on standard input:\n\n  \
         uri {subcommand} 'http://example.org/'\n  \
         uri {subcommand} -f FILE\n  \
         COMMAND | uri {subcommand}\n\n\
         See `uri {subcommand} --help`."
    );
    Exit::Usage
}

/// There is no file to read: standard input is a terminal.
pub(crate) fn no_files(subcommand: &str) -> Exit {
    anstream::eprintln!(
        "{ERROR}uri:{ERROR:#} nothing to read. Give files or folders, or text on standard input:\n\n  \
         uri {subcommand} FILE\n  \
         uri {subcommand} FOLDER\n  \
         COMMAND | uri {subcommand}\n\n\
         See `uri {subcommand} --help`."
    );
    Exit::Usage
}

/// What stands in the place of a subcommand, when it looks like a reference.
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
