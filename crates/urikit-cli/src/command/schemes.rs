//! `uri schemes`: lists the known schemes, or describes one.

use crate::columns::columns;
use crate::exit::{Exit, Stop};
use crate::help::SHARED;
use crate::options::Suggest;
use crate::safe::safe;
use crate::screen::say;
use crate::stdout::colored;
use crate::style::{ERROR, unstyled};
use crate::suggest::did_you_mean;
use std::io::{self, IsTerminal as _, Write as _};
use urikit_report::json;
use urikit_report::mask::mask;
use urikit_report::record::WithResult;
use urikit_report::schemes::{SchemeRecord, find_facts, sorted};
use urikit_report::text::schemes::{Widths, page, table};

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
    let (known, is_table) = match &arguments.name {
        None => (sorted(), true),
        Some(name) => match find_facts(name) {
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
