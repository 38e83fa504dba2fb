//! Prints usage errors, and suggests corrections.

use crate::closed::check_output;
use crate::exit::Exit;
use crate::filter::field_of;
use crate::report::io_message;
use crate::safe::{is_safe, safe};
use crate::screen::say;
use crate::style::ERROR;
use crate::suggest::{self, did_you_mean};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::io::{self, Write as _};
use std::ops::Range;
use urikit_report::mask::{MASK, Masked, mask};

/// Prints a usage error, or the requested help or version.
pub(crate) fn report(mut error: clap::Error, root: fn() -> clap::Command) -> Exit {
    if matches!(
        error.kind(),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        say!("{ERROR}uri:{ERROR:#} no subcommand. {TRY}");
        return Exit::Usage;
    }
    if let Some(reference) = reference_for_subcommand(&error) {
        let shown = mask(reference, false);
        let shown = safe(&shown);
        say!(
            "{ERROR}uri:{ERROR:#} `{shown}` is not a subcommand. Did you mean\n\n  \
             uri explain '{shown}'\n\nSee `uri --help` for all subcommands."
        );
        return Exit::Usage;
    }
    if error.exit_code() == 0 {
        return print(&error);
    }
    if let Some(message) = unknown_name(&error, root) {
        say!("{ERROR}uri:{ERROR:#} {message}");
        return Exit::Usage;
    }
    hide_value(&mut error);
    // The message quotes the command line, which may contain a password.
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let hidden = masked(text);
    if hidden == text && text.chars().all(|c| c == '\n' || is_safe(c)) {
        let styled = error.render().ansi().to_string();
        say!("{}", styled.replacen("error:", "uri:", 1));
    } else {
        let lines: Vec<_> = hidden.lines().map(safe).collect();
        say!("{ERROR}uri:{ERROR:#} {}", lines.join("\n"));
    }
    Exit::Usage
}

/// Returns the message about an unknown option or subcommand, with advice.
fn unknown_name(error: &clap::Error, root: fn() -> clap::Command) -> Option<String> {
    let given = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(name.as_str()),
        _ => None,
    };
    if error.kind() == ErrorKind::InvalidSubcommand {
        let name = given(ContextKind::InvalidSubcommand)?;
        return Some(no_subcommand(&root(), name));
    }
    // A value after `=` may be a password.
    let option = given(ContextKind::InvalidArg)?;
    let option = option.split_once('=').map_or(option, |(option, _)| option);
    if error.kind() != ErrorKind::UnknownArgument || !option.starts_with('-') {
        return None;
    }
    let usage = error.get(ContextKind::Usage)?.to_string();
    let words = usage.split_whitespace();
    let mut words = words.skip_while(|word| *word != "uri").skip(1);
    let name = words.next().filter(|word| !word.starts_with(['[', '<']))?;
    let advice = if option == "--print0" {
        Some("it does not print a list of results".to_owned())
    } else {
        suggest::option(&root(), name, option)
    };
    let advice = advice.map_or(String::new(), |advice| format!(": {advice}"));
    let option = safe(option);
    Some(format!(
        "`uri {name}` has no option `{option}`{advice}\n\nSee `uri {name} --help`."
    ))
}

/// Returns the message about an unknown subcommand.
pub(crate) fn no_subcommand(root: &clap::Command, name: &str) -> String {
    if cfg!(not(feature = "serve")) && name == "serve" {
        return crate::missing::built_without("`uri serve`", "serve");
    }
    if root.find_subcommand(name).is_some() {
        // Only `uri help NAME NAME` gets here with a name that exists.
        return "`uri help` takes one subcommand".to_owned();
    }
    let names = root.get_subcommands().map(clap::Command::get_name);
    let near = did_you_mean(name, names);
    let shown = mask(name, false);
    let shown = safe(&shown);
    format!("no subcommand \"{shown}\"{near} (see uri --help)")
}

/// Masks the pattern of a `--where` condition, which may be a password. The error message needs
/// only the field, because only the field can be wrong.
fn hide_value(error: &mut clap::Error) {
    let is_condition = matches!(
        error.get(ContextKind::InvalidArg),
        Some(ContextValue::String(name)) if name.starts_with("--where")
    );
    if let (true, Some(ContextValue::String(value))) =
        (is_condition, error.get(ContextKind::InvalidValue))
    {
        let (field, rest) = field_of(value);
        let Some(operator) = rest.chars().next() else {
            return;
        };
        let shown = format!("{field}{operator}{MASK}");
        error.insert(ContextKind::InvalidValue, ContextValue::String(shown));
    }
}

/// The advice for a command line without a subcommand.
const TRY: &str = "Try one of these:

  uri explain 'https://example.org/a?b=c#d'    # describes a reference
  uri parse 'https://example.org/a?b=c#d'      # prints its components
  uri resolve --base https://example.org/a/b ../c
  uri extract notes.txt                        # finds references in files
  uri fetch --plan ftp://example.org/file      # shows what a client would send

See `uri --help` for all subcommands.";

/// Prints the requested help or version on standard output.
fn print(requested: &clap::Error) -> Exit {
    let printed = check_output().and_then(|()| requested.print());
    match printed.and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            say!("uri: standard output: {}", io_message(&error));
            Exit::Io
        }
        _ => Exit::Good,
    }
}

/// Reports that a subcommand was given no references and standard input is a terminal.
pub(crate) fn no_input(subcommand: &str) -> Exit {
    nothing_to_read(
        subcommand,
        "references, a file of references, or lines on standard input",
        ["http://example.org/", "-f FILE"],
    )
}

/// Reports that a subcommand was given no files and standard input is a terminal.
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
    say!(
        "{ERROR}uri:{ERROR:#} nothing to read. Give {inputs}:\n\n  \
         uri {subcommand} {first}\n  \
         uri {subcommand} {second}\n  \
         COMMAND | uri {subcommand}\n\n\
         See `uri {name} --help`."
    );
    Exit::Usage
}

/// Returns the unknown subcommand if it looks like a reference.
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

/// Masks the passwords in a message that quotes the command line: those in the arguments, in the
/// gateways set in the environment, and in anything else that looks like a reference.
fn masked(text: &str) -> String {
    let arguments = std::env::args_os().skip(1);
    let gateways = std::env::var_os("URI_GATEWAYS");
    let given = arguments.chain(gateways);
    let given = given.map(|text| text.to_string_lossy().into_owned());
    masked_with(text, given)
}

/// Masks the passwords of these arguments and of every reference in `text`.
fn masked_with(text: &str, given: impl Iterator<Item = String>) -> String {
    let mut text = text.to_owned();
    for argument in given.filter(|argument| argument.contains('@')) {
        hide(&mut text, &argument);
        // An argument may contain a reference (`wais=http:/…`) or a login (`x:/user:…`).
        for part in argument.split(['=', '/', ' ', '{', '}']) {
            hide(&mut text, part);
        }
    }
    // A colon in the message itself must not look like the start of a password, so each word is
    // masked separately.
    let words = text.split_inclusive([' ', '\n']);
    words.map(|word| mask(word, false)).collect()
}

/// Masks the passwords of `argument` in `text`.
fn hide(text: &mut String, argument: &str) {
    for Range { start, end } in Masked::new(argument, false).secrets() {
        let before = argument
            .get(..start)
            .and_then(|text| text.chars().next_back());
        let after = argument.get(end..).and_then(|text| text.chars().next());
        let (Some(secret), Some(before), Some(after)) = (argument.get(start..end), before, after)
        else {
            continue;
        };
        // The delimiters are part of the pattern, because a short password may occur in any word.
        let from = format!("{before}{secret}{after}");
        *text = text.replace(&from, &format!("{before}{MASK}{after}"));
    }
}

#[cfg(test)]
mod tests {
    use super::masked_with;

    #[test]
    fn only_the_password_is_masked() {
        for (argument, message, shown) in [
            ("u:secret@h", "found 'u:secret@h'", "found 'u:***@h'"),
            (
                "!a=u:e@h",
                "value '!a=u:e@h' here",
                "value '!a=u:***@h' here",
            ),
            (
                "x=y:/u:s@h/",
                "the gateway `x=y:/u:s@h/`",
                "the gateway `x=y:/u:***@h/`",
            ),
            (
                "http://u:a\nb@h",
                "found\n'http://u:a\nb@h'\n",
                "found\n'http://u:***@h'\n",
            ),
            (
                "http://h/",
                "found 'http://h/' x:y",
                "found 'http://h/' x:y",
            ),
        ] {
            assert_eq!(
                masked_with(message, [argument.to_owned()].into_iter()),
                shown
            );
        }
    }
}
