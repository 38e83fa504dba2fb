//! `uri schemes`: lists the known schemes, or describes one.

use crate::columns::columns;
use crate::exit::{Exit, Stop};
use crate::help::SHARED;
use crate::json;
use crate::mask::mask;
use crate::options::Suggest;
use crate::output::WithResult;
use crate::safe::{safe, width, wrap};
use crate::screen::say;
use crate::stdout::colored;
use crate::style::{DIM, ERROR, HEADING, unstyled};
use crate::suggest::did_you_mean;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use urikit_access::Policy;
use urikit_schemes::{Denotes, Facts, SchemeRegistry, Userinfo, all_known, find};

/// List the known schemes, or describe one
///
/// The table lists each scheme with its default port, the kind of resource that its URLs denote (an
/// object, a service or a name), its registration status, and the documents that define it. Schemes
/// in bold are those whose URLs the other subcommands interpret. --print0 is not supported; --json
/// prints one line per scheme.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri schemes
  uri schemes gopher
  uri schemes --json | jq -r 'select(.port == 210).name'

Exit status:
  0  the scheme is known
  1  the scheme is unknown
  2  usage error")]
pub(crate) struct Arguments {
    /// Describe this scheme; case does not matter
    #[arg(value_name = "NAME", value_parser = Suggest(all_names), hide_possible_values = true)]
    name: Option<String>,

    /// Print JSON lines, one object per scheme
    #[arg(long, help_heading = SHARED)]
    json: bool,

    /// Print no messages; the exit status still reports errors
    #[arg(short, long, help_heading = SHARED)]
    quiet: bool,
}

/// Prints the table, or the page of one scheme.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Stop> {
    let registry = SchemeRegistry::new();
    let (known, is_table) = match &arguments.name {
        None => (sorted(), true),
        Some(name) => match registry.facts(name.strip_suffix(':').unwrap_or(name)) {
            Some(facts) => (vec![facts], false),
            None => return Ok(unknown(name, arguments.quiet)),
        },
    };
    let mut out = colored();
    if arguments.json {
        let is_terminal = io::stdout().is_terminal();
        let mut lines = Vec::new();
        let widths = Widths::new(&known, usize::MAX);
        for facts in &known {
            let mut text = String::new();
            if is_table {
                widths.row(&mut text, facts);
            } else {
                page(&mut text, *facts, usize::MAX);
            }
            let text = unstyled(&text);
            let record = SchemeRecord::new(facts);
            let record = WithResult::new(&record, Some(text.as_bytes()));
            json::line(&mut lines, &record, is_terminal)?;
        }
        out.write_all(&lines)?;
    } else {
        let columns = columns(std::io::stdout()).unwrap_or(usize::MAX);
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

/// Returns the names of all known schemes.
fn all_names() -> Vec<&'static str> {
    sorted().into_iter().map(|facts| facts.name).collect()
}

/// Returns all known schemes, sorted by name.
fn sorted() -> Vec<Facts<'static>> {
    let mut known: Vec<_> = all_known().collect();
    known.sort_by_key(|facts| facts.name);
    known
}

/// Reports that the scheme is unknown.
fn unknown(name: &str, quiet: bool) -> Exit {
    if !quiet {
        // The argument may be a complete reference with a password.
        let shown = mask(name, false);
        let shown = safe(&shown);
        let near = did_you_mean(name, all_names());
        say!("{ERROR}uri:{ERROR:#} no known scheme \"{shown}\"{near} (see uri schemes)");
    }
    Exit::No
}

/// Returns true if `uri fetch` fetches URLs of the scheme without a gateway.
fn is_fetched(facts: Facts<'_>) -> bool {
    let client = crate::protocols::client(Policy::new());
    client.schemes().any(|scheme| scheme == facts.name)
}

/// Returns true if the other subcommands interpret URLs of the scheme.
fn is_read(facts: Facts<'_>) -> bool {
    find(facts.name).is_some()
}

/// Returns the first four cells of a scheme's row.
fn cells(facts: &Facts<'_>) -> [String; 4] {
    let port = facts.port.map_or(String::new(), |port| port.to_string());
    [
        facts.name.to_owned(),
        port,
        facts.denotes.to_string(),
        facts.status.to_string(),
    ]
}

/// The headings of the first four cells.
const HEADINGS: [&str; 4] = ["NAME", "PORT", "KIND", "STATUS"];

/// Writes one row per scheme. If the documents do not fit into a column, they follow on the next
/// line, after the status.
fn table(out: &mut String, known: &[Facts<'_>], columns: usize) {
    let widths = Widths::new(known, columns);
    widths.cells(out, HEADINGS, HEADING);
    out.push_str(if widths.is_beside {
        "  DOCUMENTS\n"
    } else {
        "\n  STATUS; DOCUMENTS\n"
    });
    for facts in known {
        widths.row(out, facts);
    }
}

/// The widths of the columns of a table.
struct Widths {
    /// The width of the table.
    columns: usize,
    cells: [usize; 4],
    /// The width of the first four columns with the spaces after them.
    left: usize,
    /// True if the documents are beside the other cells.
    is_beside: bool,
}

impl Widths {
    fn new(known: &[Facts<'_>], columns: usize) -> Self {
        const NARROWEST: usize = 20;
        let mut widths = HEADINGS.map(str::len);
        for facts in known {
            for (column, cell) in widths.iter_mut().zip(cells(facts)) {
                *column = (*column).max(width(&cell));
            }
        }
        let left = widths.iter().map(|width| width + 2).sum();
        Self {
            columns,
            cells: widths,
            left,
            is_beside: columns >= left + NARROWEST,
        }
    }

    /// Writes the first cells of a row.
    fn cells(&self, out: &mut String, cells: [&str; 4], style: anstyle::Style) {
        let is_beside = self.is_beside;
        let shown = if is_beside { 4 } else { 3 };
        for (at, (cell, width)) in cells.into_iter().zip(self.cells).take(shown).enumerate() {
            let fill = width - cell.len().min(width);
            let _ = match at {
                0 => write!(out, "{style}{cell}{style:#}{:fill$}", ""),
                1 => write!(out, "  {cell:>width$}"),
                _ if at + 1 == shown && !is_beside => write!(out, "  {cell}"),
                _ => write!(out, "  {cell:width$}"),
            };
        }
    }

    /// Writes the row of a scheme.
    fn row(&self, out: &mut String, facts: &Facts<'_>) {
        let cells = cells(facts);
        let style = if is_read(*facts) {
            HEADING
        } else {
            anstyle::Style::new()
        };
        self.cells(out, cells.each_ref().map(String::as_str), style);
        let mut texts = facts.specifications.join("; ");
        let mut indent = self.left;
        if self.is_beside {
            out.push_str("  ");
        } else {
            texts = format!("{}; {texts}", facts.status);
            indent = 2;
            out.push_str("\n  ");
        }
        for (at, line) in wrap(&texts, self.columns.saturating_sub(indent))
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

/// Writes the page of one scheme.
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
        Userinfo::UserAndPassword => "a user and a password",
        _ => facts.userinfo.as_str(),
    };
    let denotes = match facts.denotes {
        Denotes::Object => "an object that a client fetches",
        Denotes::Service => "a service that a person uses",
        Denotes::Name => "a name, not a location",
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
        ("interpreted", yes(is_read(facts))),
        ("fetched", yes(is_fetched(facts))),
    ];
    let mut key = "documents";
    for text in facts.specifications {
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

/// A scheme as `--json` prints it.
#[derive(serde::Serialize)]
struct SchemeRecord<'a> {
    name: &'a str,
    title: &'a str,
    status: &'a str,
    port: Option<u16>,
    userinfo: &'a str,
    hierarchical: bool,
    denotes: &'a str,
    texts: &'a [&'a str],
    read: bool,
    fetched: bool,
}

impl<'a> SchemeRecord<'a> {
    fn new(facts: &Facts<'a>) -> Self {
        Self {
            name: facts.name,
            title: facts.title,
            status: facts.status.as_str(),
            port: facts.port,
            userinfo: facts.userinfo.as_str(),
            hierarchical: facts.is_hierarchical,
            denotes: facts.denotes.as_str(),
            texts: facts.specifications,
            read: is_read(*facts),
            fetched: is_fetched(*facts),
        }
    }
}
