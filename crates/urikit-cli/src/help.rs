//! Lays out the help: the options of a subcommand in full, then a short list of the shared options,
//! then sections such as examples and exit statuses.

use clap::builder::StyledStr;
use clap::{Arg, Command};
use std::fmt::Write as _;

/// The heading of the options that several subcommands share.
pub(crate) const SHARED: &str = "Shared options";

/// The exit statuses of subcommands that do not list their own.
const EXIT_STATUS: &str = "\
Exit status:
  0  success
  1  an input is invalid
  2  usage error
  3  a file cannot be read or written";

/// A section of a help text: a title line that ends in a colon, and the lines after it.
pub(crate) struct Section<'a> {
    pub(crate) title: &'a str,
    pub(crate) lines: Vec<&'a str>,
}

/// Splits the text after the options into sections.
pub(crate) fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for line in text.lines() {
        match line.strip_suffix(':') {
            Some(title) if !line.starts_with(' ') => sections.push(Section {
                title,
                lines: Vec::new(),
            }),
            _ => {
                if let Some(section) = sections.last_mut() {
                    section.lines.push(line);
                }
            }
        }
    }
    for section in &mut sections {
        while section.lines.last().is_some_and(|line| line.is_empty()) {
            section.lines.pop();
        }
    }
    sections
}

/// Returns the text after the options of a subcommand, including the exit statuses.
pub(crate) fn after(command: &Command) -> String {
    let own = command.get_after_long_help().map(ToString::to_string);
    let own = own.unwrap_or_default();
    if own.contains("Exit status:") {
        own
    } else {
        format!("{own}\n\n{EXIT_STATUS}").trim_start().to_owned()
    }
}

/// Returns the definition of the command line, with its help laid out for printing.
pub(crate) fn arranged(mut command: Command) -> Command {
    command.build(); // adds the global options to the subcommands
    let top = styled(&command, &after(&command));
    command.after_long_help(top).mut_subcommands(|subcommand| {
        if subcommand.get_name() == "help" {
            return subcommand;
        }
        let only_shared = |arg: Arg| {
            let is_hidden = !is_shared(&arg) || arg.is_hide_set();
            arg.hide(is_hidden)
        };
        let block = subcommand.clone().mut_args(only_shared);
        let block = block.help_template("{all-args}").render_help();
        let block = block.ansi().to_string();
        let after = styled(&subcommand, &after(&subcommand)).ansi().to_string();
        let name = subcommand.get_name();
        let see = format!("For details: uri man {name} | man -l -");
        let after = format!("{}\n\n{see}\n\n{after}", block.trim_end());
        subcommand
            .mut_args(|arg| {
                if is_shared(&arg) {
                    arg.hide_long_help(true)
                } else {
                    arg
                }
            })
            .after_long_help(StyledStr::from(after))
    })
}

/// The maximum width of help, in columns.
pub(crate) const MAX_WIDTH: usize = 100;

/// Returns true for a shared option.
pub(crate) fn is_shared(arg: &Arg) -> bool {
    arg.get_help_heading() == Some(SHARED)
}

/// Returns the text, with titles styled like the other headings.
fn styled(command: &Command, text: &str) -> StyledStr {
    let style = command.get_styles().get_header();
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        if line.ends_with(':') && !line.starts_with(' ') {
            let _ = write!(out, "{style}{line}{style:#}");
        } else {
            out.push_str(line);
        }
    }
    StyledStr::from(out)
}
