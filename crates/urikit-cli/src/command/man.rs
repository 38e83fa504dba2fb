//! `uri man`: generates manual pages in roff.

use crate::exit::{Exit, Stop};
use crate::help::{after, is_shared, sections};
use crate::safe::wrap;
use crate::stdout::stdout;
use crate::usage::no_subcommand;
use clap::{Arg, ArgAction, Command};
use std::fmt::Write as _;
use std::io::Write as _;

/// Print the manual page of `uri`, or of a subcommand, in roff
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri man | man -l -
  uri man parse > ~/.local/share/man/man1/uri-parse.1

Files:
  ~/.local/share/man/man1/    where `man` looks for a user's pages")]
pub(crate) struct Arguments {
    /// Print the page of this subcommand [default: the page of `uri`]
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Option<String>,
}

/// Prints the page of `command`, or of one of its subcommands.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> Result<Exit, Stop> {
    command.build(); // adds full names and global options to the subcommands
    let page = match &arguments.subcommand {
        None => page_of(&command, None),
        Some(name) => {
            let Some(subcommand) = command.find_subcommand(name) else {
                return Err(Stop::usage("man", no_subcommand(&command, name)));
            };
            page_of(subcommand, Some(&command))
        }
    };
    let mut out = stdout();
    out.write_all(page.as_bytes())?;
    out.flush()?;
    Ok(Exit::Good)
}

/// The date shown on manual pages.
const DATE: &str = "2026-11-01";

/// The environment variables that apply to all subcommands.
const ENVIRONMENT: [&str; 3] = [
    "  NO_COLOR        if set, disables colours unless --color is given",
    "  CLICOLOR_FORCE  if set, uses colours even if the output is not a terminal",
    "  COLUMNS         the width of pages, instead of the terminal's",
];

/// Returns the page of a command, or of a subcommand of `parent`.
fn page_of(command: &Command, parent: Option<&Command>) -> String {
    let name = match parent {
        Some(parent) => format!("{}-{}", parent.get_name(), command.get_name()),
        None => command.get_name().to_owned(),
    };
    let version = env!("CARGO_PKG_VERSION");
    let mut page = Roff::default();
    page.title(&name, DATE, version);
    // Readers copy the examples, so words are not hyphenated and spaces are not stretched.
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

/// Writes a section of arguments, unless it would be empty.
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

/// Returns the names and the value of an argument.
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

/// Returns the name of an argument's value.
fn value(arg: &Arg) -> String {
    match arg.get_value_names() {
        Some(names) => names.join(" "),
        None => arg.get_id().as_str().to_uppercase(),
    }
}

/// Writes the sections that follow the options.
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

/// The approximate length in bytes at which lines of roff are broken. No line may exceed 80 bytes.
const WIDTH: usize = 70;

/// A page under construction that uses the macros of man(7).
#[derive(Default)]
struct Roff(String);

impl Roff {
    /// Writes a macro with its arguments.
    fn control(&mut self, name: &str, arguments: &[&str]) {
        let _ = write!(self.0, ".{name}");
        for argument in arguments {
            let _ = write!(self.0, " \"{}\"", escaped(argument));
        }
        self.0.push('\n');
    }

    /// Writes the title line. The date is in ISO 8601 format.
    fn title(&mut self, name: &str, date: &str, version: &str) {
        let name = escaped(&name.to_uppercase());
        self.raw(&format!(
            ".TH \"{name}\" 1 \"{date}\" \"uri {version}\" \"User Commands\""
        ));
    }

    /// Begins a section.
    fn section(&mut self, title: &str) {
        self.control("SH", &[&title.to_uppercase()]);
    }

    /// Writes a line that is already escaped.
    fn raw(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// Writes a filled paragraph.
    fn text(&mut self, text: &str) {
        for line in wrap(&escaped(text), WIDTH) {
            self.line(&line);
        }
    }

    /// Writes paragraphs that are separated by empty lines. `macro_name` precedes each paragraph
    /// except the first.
    fn paragraphs(&mut self, text: &str, macro_name: &str) {
        let paragraphs = text.split("\n\n").map(|text| text.replace('\n', " "));
        for (number, paragraph) in paragraphs
            .filter(|text| !text.trim().is_empty())
            .enumerate()
        {
            if number > 0 {
                self.control(macro_name, &[]);
            }
            self.text(paragraph.trim());
        }
    }

    /// Writes lines that are neither filled nor hyphenated.
    fn verbatim(&mut self, lines: &[&str]) {
        self.raw(".nf");
        for line in lines {
            let mut source = String::new();
            for c in line.chars() {
                let last = source.len() - source.rfind('\n').map_or(0, |at| at + 1);
                if last > WIDTH {
                    source.push_str("\\\n");
                }
                source.push_str(&escaped(c.encode_utf8(&mut [0; 4])));
            }
            self.line(&source);
        }
        self.raw(".fi");
    }

    /// Writes an escaped line, and prevents roff from reading it as a macro.
    fn line(&mut self, line: &str) {
        if line.starts_with(['.', '\'']) {
            self.0.push_str("\\&");
        }
        self.raw(line);
    }

    fn finish(self) -> String {
        self.0
    }
}

/// Escapes the special characters of roff. Pages show these characters as plain ASCII, so examples
/// can be copied.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\e"),
            '-' => out.push_str("\\-"),
            '\'' => out.push_str("\\(aq"),
            '`' => out.push_str("\\(ga"),
            '^' => out.push_str("\\(ha"),
            '~' => out.push_str("\\(ti"),
            '"' => out.push_str("\\(dq"),
            c if c.is_ascii() => out.push(c),
            c => {
                let _ = write!(out, "\\[u{:04X}]", u32::from(c));
            }
        }
    }
    out
}
