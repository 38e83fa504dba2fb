//! `uri extract`: finds references in text, HTML, mail and Markdown.
//!
//! ```text
//! sources (files) → pool of workers: read (a file), print (its references) → collect, in order
//! ```

mod choice;
mod collect;
mod judge;
mod places;
mod print;
mod read;
mod results;
mod sources;

use crate::exit::{Exit, Stop};
use crate::options::{Print0, Reporting, Suggest, Where};
use crate::run::pool;
use crate::screen::say;
use crate::standard;
use crate::style::ERROR;
use crate::usage;
use choice::{As, Kinds};
use clap::ValueHint;
use collect::Collector;
use judge::Judge;
use places::Places;
use print::Printer;
use read::Reader;
use results::Wanted;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use urikit::Standard;
use urikit::op::Layer;
use urikit_extract::document::Extractor;
use urikit_extract::{Finder, Kind};
use urikit_schemes::all_known;

/// Find references in text, HTML, mail and Markdown
///
/// Prints one reference per line. A relative reference is resolved if its document or --base gives
/// a base. Whitespace and line ends are removed from wrapped references (<URL:…> and <…>), as the
/// RFCs require. A link that is not valid is printed as its author wrote it, and reported; --json
/// has what browsers make of it. Folders are searched in order of their names, without hidden entries and without
/// following symbolic links. The exit status is 1 if nothing is found.
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "\
Examples:
  uri extract rfc1738.txt
  uri extract -nH --scheme ftp --scheme gopher archive/
  uri extract --json --base https://example.org/page index.html
  curl -s https://example.org/ | uri extract --as html --base https://example.org/ --unique
  uri extract --in a@href --rel nofollow --in syntax=image site/
  uri extract --where '!host=*.example.org' --where scheme=http* site/
  uri extract --kinds all notes.txt      # includes www.example.org and mail addresses

Exit status:
  0  a reference was found
  1  none was found, or with --strict, one is not valid
  2  usage error
  3  a file cannot be read",
    mut_arg("quiet", |arg| arg.help("Print nothing: the exit status is the answer").long_help(None::<&str>)),
)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Arguments {
    /// Files and folders, `-` for standard input, which is also the default
    #[arg(value_name = "PATH", value_hint = ValueHint::FilePath)]
    paths: Vec<PathBuf>,

    /// The format of the files; `auto` decides by name and content
    #[arg(long = "as", value_name = "FORMAT", value_enum, default_value_t = As::Auto)]
    format: As,

    /// What to find, separated by commas: wrapped, bare, link (in markup); abbreviated and
    /// address, which are guesses; or all
    #[arg(
        long,
        value_name = "LIST",
        value_enum,
        value_delimiter = ',',
        default_value = "wrapped,bare,link"
    )]
    kinds: Vec<Kinds>,

    /// Print only references with this scheme; may be repeated
    #[arg(
        long,
        value_name = "NAME",
        value_parser = Suggest(all_schemes),
        hide_possible_values = true
    )]
    scheme: Vec<String>,

    /// The base URI of files that do not define one
    #[arg(long, value_name = "URI")]
    base: Option<OsString>,

    /// The standard under which references are valid: RFC 3986 by default, or RFC 3987 for one with
    /// characters beyond US-ASCII
    ///
    /// Which links are found, and where they end, does not depend on it.
    #[arg(long, value_name = "NAME", value_enum, ignore_case = true)]
    standard: Option<standard::Reader>,

    /// Exit with status 1 if a reference that is found is not valid
    #[arg(long)]
    strict: bool,

    /// Print each reference only once
    #[arg(long)]
    unique: bool,

    /// Print the line number before each reference
    #[arg(short = 'n', long)]
    line_number: bool,

    /// Print the file name before each reference
    #[arg(short = 'H', long)]
    with_filename: bool,

    /// Print only the number of references in each file that has any
    #[arg(short, long, conflicts_with = "json")]
    count: bool,

    /// Search hidden files and folders too
    #[arg(long)]
    hidden: bool,

    /// Refuse mail and Markdown longer than this; text and HTML have no limit
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20)]
    max_document: usize,

    #[command(flatten)]
    places: Places,

    #[command(flatten)]
    filters: Where,

    #[command(flatten)]
    print0: Print0,

    #[command(flatten)]
    reporting: Reporting,

    /// Use at most N threads, 0 for one per core
    ///
    /// Results keep the order of the files, whatever the number.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    jobs: usize,
}

/// The names of all known schemes.
fn all_schemes() -> Vec<&'static str> {
    all_known().map(|facts| facts.name).collect()
}

/// How many results of one file may wait for their turn.
const WAITING: usize = 16;

/// Prints the references of all files.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let reporting = arguments.reporting;
    let mut paths = arguments.paths;
    if paths.is_empty() {
        if io::stdin().is_terminal() {
            return Ok(usage::no_files("extract"));
        }
        paths.push(PathBuf::from("-"));
    }
    let wants = |kind| arguments.kinds.iter().any(|kinds| kinds.contains(kind));
    let finder = Finder::new()
        .abbreviated(wants(Kind::Abbreviated))
        .addresses(wants(Kind::Address));
    let mut extractor = Extractor::new()
        .finder(finder)
        .max_document_length(arguments.max_document);
    extractor = if arguments.line_number
        || reporting.json
        || arguments.standard == Some(standard::Reader::Whatwg)
    {
        extractor.positions(true)
    } else if reporting.quiet {
        extractor
    } else {
        extractor.positions_of_invalid()
    };
    if let Some(standard::Reader::Rfc(standard)) = arguments.standard {
        extractor = extractor.standard(standard);
    }
    if let Some(base) = arguments.base {
        extractor = match with_base(extractor, &base, reporting.show_secrets) {
            Ok(extractor) => extractor,
            Err(exit) => return Ok(exit),
        };
    }
    let reader = Reader {
        extractor,
        format: arguments.format.format(),
        wanted: Wanted {
            kinds: arguments.kinds,
            schemes: arguments.scheme,
            places: arguments.places,
            // IRIs in documents are IRIs; every URI is one.
            filters: arguments.filters.filters(
                arguments
                    .standard
                    .unwrap_or(standard::Reader::Rfc(Standard::Rfc3987)),
            ),
            unique: arguments.unique,
            judge: Judge {
                reader: arguments.standard,
            },
            if_invalid: if arguments.strict {
                Exit::No
            } else {
                Exit::Good
            },
            reporter: reporting.reporter(),
            printer: Printer {
                json: reporting.json,
                lines: arguments.line_number,
                names: arguments.with_filename,
                counts_only: arguments.count || reporting.quiet,
                end: arguments.print0.end(),
                terminal: io::stdout().is_terminal(),
            },
        },
        reporter: reporting.reporter(),
    };
    let names =
        arguments.with_filename || paths.len() > 1 || paths.iter().any(|path| path.is_dir());
    let mut collector = Collector::new(
        (arguments.count && !reporting.quiet).then_some(names),
        arguments.print0.end(),
        arguments.unique,
        reporting.quiet,
    );
    pool::ordered(
        sources::sources(paths, arguments.hidden),
        pool::threads(arguments.jobs),
        WAITING,
        move |source, sink| reader.read(source, sink),
        |found| collector.take(found),
    )?;
    Ok(collector.finish()?)
}

/// Sets the base, or reports what is wrong with it.
fn with_base(extractor: Extractor, base: &OsString, show_secrets: bool) -> Result<Extractor, Exit> {
    let text = base.to_string_lossy();
    extractor.base(Layer::Retrieval, &text).map_err(|error| {
        let shown = crate::mask::mask(&text, show_secrets);
        let shown = crate::safe::safe(&shown);
        say!("{ERROR}uri: --base{ERROR:#}: {error}\n  {shown}");
        Exit::Usage
    })
}
