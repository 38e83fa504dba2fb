//! The sections of a page.

use super::roff::{Roff, escaped};
use crate::help::{after, is_shared, sections};
use clap::{Arg, ArgAction, Command};

/// The month of this version; a page needs a date.
const DATE: &str = "2026-11-01";

/// What the pages of all subcommands say of the environment.
const ENVIRONMENT: [&str; 3] = [
    "  NO_COLOR        if set, no colours, unless --color says otherwise",
    "  CLICOLOR_FORCE  if set, colours also where the output is no terminal",
    "  COLUMNS         the width of pages, instead of the terminal's",
];

/// The page of a command; of a subcommand if `parent` has it.
pub(super) fn of(command: &Command, parent: Option<&Command>) -> String {
    let name = match parent {
        Some(parent) => format!("{}-{}", parent.get_name(), command.get_name()),
        None => command.get_name().to_owned(),
    };
    let version = env!("CARGO_PKG_VERSION");
    let mut page = Roff::default();
    page.title(&name, DATE, version);
    // Neither hyphens that cannot be copied, nor spaces stretched to fill a line.
    page.raw(".nh");
    page.raw(".ad l");
    page.section("Name");
    let about = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    let about = about.trim_end_matches('.');
    page.text(&format!("{name} - {about}"));
    page.section("Synopsis");
    synopsis(&mut page, command, parent);
    page.section("Description");
    let long = command.get_long_about().or(command.get_about());
    page.paragraphs(&long.map(ToString::to_string).unwrap_or_default(), "PP");
    if command.has_subcommands() {
        page.section("Subcommands");
        for subcommand in command
            .get_subcommands()
            .filter(|one| one.get_name() != "help")
        {
            page.raw(".TP");
            page.raw(&format!("\\fB{}\\fR", escaped(subcommand.get_name())));
            page.text(
                &subcommand
                    .get_about()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
            );
        }
    }
    let visible = || command.get_arguments().filter(|arg| !arg.is_hide_set());
    options(
        &mut page,
        "Arguments",
        visible().filter(|arg| arg.is_positional()),
    );
    let optional = || visible().filter(|arg| !arg.is_positional());
    options(
        &mut page,
        "Options",
        optional().filter(|arg| !is_shared(arg)),
    );
    options(
        &mut page,
        "Shared options",
        optional().filter(|arg| is_shared(arg)),
    );
    rest(&mut page, command);
    page.section("See also");
    if let Some(parent) = parent {
        page.raw(&format!("\\fB{}\\fR(1)", parent.get_name()));
    } else {
        let others = command.get_subcommands().map(Command::get_name);
        let others = others.filter(|other| *other != "help");
        let link = |other| format!("\\fB{}\\fR(1)", escaped(&format!("{name}-{other}")));
        page.raw(&others.map(link).collect::<Vec<_>>().join(",\n"));
    }
    page.finish()
}

fn synopsis(page: &mut Roff, command: &Command, parent: Option<&Command>) {
    let bin = match parent {
        Some(parent) => format!("{} {}", parent.get_name(), command.get_name()),
        None => command.get_name().to_owned(),
    };
    page.raw(&format!("\\fB{}\\fR", escaped(&bin)));
    page.raw("[\\fIoptions\\fR]");
    for arg in command
        .get_arguments()
        .filter(|arg| arg.is_required_set() && !arg.is_positional())
    {
        page.raw(&header(arg));
    }
    if command.has_subcommands() {
        page.raw("\\fIsubcommand\\fR");
    }
    for arg in command.get_positionals() {
        let name = format!("\\fI{}\\fR", escaped(&value(arg)));
        let many = if matches!(arg.get_action(), ArgAction::Append) {
            "..."
        } else {
            ""
        };
        if arg.is_required_set() {
            page.raw(&format!("{name}{many}"));
        } else {
            page.raw(&format!("[{name}]{many}"));
        }
    }
}

/// A section of arguments, if there are any.
fn options<'a>(page: &mut Roff, title: &str, args: impl Iterator<Item = &'a Arg>) {
    let mut args = args.peekable();
    if args.peek().is_none() {
        return;
    }
    page.section(title);
    for arg in args {
        page.raw(".TP");
        page.raw(&header(arg));
        let help = arg.get_long_help().or(arg.get_help());
        page.paragraphs(&help.map(ToString::to_string).unwrap_or_default(), "IP");
        if arg.is_hide_possible_values_set() || !arg.get_action().takes_values() {
            continue;
        }
        for value in arg.get_possible_values() {
            page.raw(".RS");
            page.raw(".TP");
            page.raw(&format!("\\fB{}\\fR", escaped(value.get_name())));
            page.text(
                &value
                    .get_help()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
            );
            page.raw(".RE");
        }
    }
}

/// How an argument is written.
fn header(arg: &Arg) -> String {
    let mut names = Vec::new();
    if let Some(short) = arg.get_short() {
        names.push(format!("\\fB\\-{short}\\fR"));
    }
    if let Some(long) = arg.get_long() {
        names.push(format!("\\fB\\-\\-{}\\fR", escaped(long)));
    }
    let names = names.join(", ");
    if !arg.is_positional() && !arg.get_action().takes_values() {
        return names;
    }
    let value = format!("\\fI{}\\fR", escaped(&value(arg)));
    if names.is_empty() {
        value
    } else {
        format!("{names} {value}")
    }
}

/// The name of an argument's value.
fn value(arg: &Arg) -> String {
    match arg.get_value_names() {
        Some(names) => names.join(" "),
        None => arg.get_id().as_str().to_uppercase(),
    }
}

/// The sections of the text after the options.
fn rest(page: &mut Roff, command: &Command) {
    let text = after(command);
    let sections = sections(&text);
    let is_known = |title: &str| sections.iter().any(|section| section.title == title);
    for section in &sections {
        page.section(section.title);
        page.verbatim(&section.lines);
        if section.title == "Environment" && !command.has_subcommands() {
            page.raw(".PP");
            page.verbatim(&ENVIRONMENT);
        }
    }
    if !is_known("Environment") {
        page.section("Environment");
        page.verbatim(&ENVIRONMENT);
    }
}
