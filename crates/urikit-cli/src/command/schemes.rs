//! `uri schemes`: the schemes that are known, as a table, and all about one of them.

use crate::columns::columns;
use crate::exit::Exit;
use crate::json;
use crate::mask::mask;
use crate::safe::{safe, width, wrap};
use crate::style::{DIM, ERROR, HEADING};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use urikit::scheme::{Denotes, Facts, SchemeRegistry, Userinfo, all_known, find};

/// List the schemes that are known, or tell about one
///
/// A row for each scheme: its name, its default port, whether its URLs are for an object, a service or a
/// name, how it stands with the registries, and the texts that say so. A name in bold is read: the
/// other commands know what its URLs mean.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri schemes
  uri schemes gopher
  uri schemes --json | jq -r 'select(.port == 210).name'

Exit status:
  0  the scheme is known
  1  it is not
  2  the command line makes no sense")]
pub(crate) struct Arguments {
    /// The scheme, in either case
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Print one JSON object for each scheme, on a line of its own
    #[arg(long)]
    json: bool,

    /// Print no error messages; the exit status tells
    #[arg(short, long)]
    quiet: bool,
}

/// Prints what is known.
pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let registry = SchemeRegistry::new();
    let (known, is_table) = match &arguments.name {
        None => (sorted(), true),
        Some(name) => match registry.facts(name.strip_suffix(':').unwrap_or(name)) {
            Some(facts) => (vec![facts], false),
            None => return Ok(unknown(name, arguments.quiet)),
        },
    };
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    if arguments.json {
        let is_terminal = io::stdout().is_terminal();
        let mut lines = Vec::new();
        for facts in known {
            json::line(&mut lines, &Record(facts), is_terminal)?;
        }
        out.write_all(&lines)?;
    } else {
        let columns = columns().unwrap_or(usize::MAX);
        let mut text = String::new();
        if is_table {
            table(&mut text, &known, columns);
        } else {
            for facts in known {
                page(&mut text, facts, columns);
            }
        }
        out.write_all(text.as_bytes())?;
    }
    out.flush()?;
    Ok(Exit::Good)
}

/// All that is known, by name.
fn sorted() -> Vec<Facts<'static>> {
    let mut known: Vec<_> = all_known().collect();
    known.sort_by_key(|facts| facts.name);
    known
}

/// Says that there is no such scheme.
fn unknown(name: &str, quiet: bool) -> Exit {
    if !quiet {
        // It may be a whole reference, with a password.
        let shown = mask(name, false);
        let shown = safe(&shown);
        anstream::eprintln!(
            "{ERROR}uri:{ERROR:#} no scheme `{shown}` is known. See `uri schemes` for all."
        );
    }
    Exit::No
}

/// Whether `uri fetch` follows its URLs without a gateway.
fn is_fetched(facts: Facts<'_>) -> bool {
    let protocols = urikit_access::protocol::all();
    protocols
        .iter()
        .any(|protocol| protocol.schemes().contains(&facts.name))
}

/// Whether the other commands know what its URLs mean.
fn is_read(facts: Facts<'_>) -> bool {
    find(facts.name).is_some()
}

/// What stands before the texts in a row of the table.
fn cells(facts: &Facts<'_>) -> [String; 4] {
    let port = facts.port.map_or(String::new(), |port| port.to_string());
    [
        facts.name.to_owned(),
        port,
        facts.denotes.to_string(),
        facts.status.to_string(),
    ]
}

/// One row for each scheme. Where there is no room for the texts in a column of their own, they stand below,
/// behind the status.
fn table(out: &mut String, known: &[Facts<'_>], columns: usize) {
    const NARROWEST: usize = 20;
    let mut widths = ["NAME", "PORT", "KIND", "STATUS"].map(str::len);
    for facts in known {
        for (column, cell) in widths.iter_mut().zip(cells(facts)) {
            *column = (*column).max(width(&cell));
        }
    }
    let left: usize = widths.iter().map(|width| width + 2).sum();
    let is_beside = columns >= left + NARROWEST;
    let row = |out: &mut String, cells: [&str; 4], style: anstyle::Style| {
        let shown = if is_beside { 4 } else { 3 };
        for (at, (cell, width)) in cells.into_iter().zip(widths).take(shown).enumerate() {
            let fill = width - cell.len().min(width);
            let _ = match at {
                0 => write!(out, "{style}{cell}{style:#}{:fill$}", ""),
                1 => write!(out, "  {cell:>width$}"),
                _ if at + 1 == shown && !is_beside => write!(out, "  {cell}"),
                _ => write!(out, "  {cell:width$}"),
            };
        }
    };
    row(out, ["NAME", "PORT", "KIND", "STATUS"], HEADING);
    out.push_str(if is_beside {
        "  TEXTS\n"
    } else {
        "\n  STATUS; TEXTS\n"
    });
    for facts in known {
        let cells = cells(facts);
        let style = if is_read(*facts) {
            HEADING
        } else {
            anstyle::Style::new()
        };
        row(out, cells.each_ref().map(String::as_str), style);
        let mut texts = facts.texts.join("; ");
        let mut indent = left;
        if is_beside {
            out.push_str("  ");
        } else {
            texts = format!("{}; {texts}", facts.status);
            indent = 2;
            out.push_str("\n  ");
        }
        for (at, line) in wrap(&texts, columns.saturating_sub(indent))
            .iter()
            .enumerate()
        {
            if at > 0 {
                let _ = write!(out, "{:indent$}", "");
            }
            let _ = writeln!(out, "{DIM}{line}{DIM:#}");
        }
    }
}

/// Everything about one scheme.
fn page(out: &mut String, facts: Facts<'_>, columns: usize) {
    let heading = match facts.title {
        "" => facts.name.to_owned(),
        title => format!("{}: {title}", facts.name),
    };
    for line in wrap(&heading, columns) {
        let _ = writeln!(out, "{HEADING}{line}{HEADING:#}");
    }
    let userinfo = match facts.userinfo {
        Userinfo::None => "none",
        Userinfo::User => "a user",
        Userinfo::UserAndPassword => "a user, and a password",
        _ => facts.userinfo.as_str(),
    };
    let denotes = match facts.denotes {
        Denotes::Object => "an object, which a client fetches",
        Denotes::Service => "a service, which a person uses",
        Denotes::Name => "a name, wherever the thing is",
        _ => facts.denotes.as_str(),
    };
    let yes = |is| if is { "yes" } else { "no" };
    let port = facts
        .port
        .map_or(String::from("none"), |port| port.to_string());
    let mut rows = vec![
        ("status", facts.status.as_str()),
        ("port", &port),
        ("userinfo", userinfo),
        ("hierarchical", yes(facts.is_hierarchical)),
        ("denotes", denotes),
        ("read", yes(is_read(facts))),
        ("fetched", yes(is_fetched(facts))),
    ];
    let mut key = "texts";
    for text in facts.texts {
        rows.push((key, text));
        key = "";
    }
    let indent = 2 + "hierarchical".len() + 2;
    for (key, value) in rows {
        let mut key = key;
        for line in wrap(value, columns.saturating_sub(indent)) {
            let _ = writeln!(out, "  {DIM}{key:12}{DIM:#}  {line}");
            key = "";
        }
    }
}

/// A scheme as `--json` prints it. The keys and their order are a public interface.
struct Record<'a>(Facts<'a>);

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(facts) = self;
        let mut object = serializer.serialize_struct("Scheme", 10)?;
        object.serialize_field("name", facts.name)?;
        object.serialize_field("title", facts.title)?;
        object.serialize_field("status", facts.status.as_str())?;
        object.serialize_field("port", &facts.port)?;
        object.serialize_field("userinfo", facts.userinfo.as_str())?;
        object.serialize_field("hierarchical", &facts.is_hierarchical)?;
        object.serialize_field("denotes", facts.denotes.as_str())?;
        object.serialize_field("texts", facts.texts)?;
        object.serialize_field("read", &is_read(*facts))?;
        object.serialize_field("fetched", &is_fetched(*facts))?;
        object.end()
    }
}
