//! `uri extract`: finds references in documents of many formats, and in archives of them.
//!
//! ```text
//! sources (files) → pool of workers: read (a file), print (its references) → collect, in order
//! ```

mod choice;
mod collect;
mod context;
mod judge;
mod notes;
mod places;
mod print;
mod read;
mod results;
mod shown;
mod sources;
mod unpack;
mod walk;

use crate::exit::{Exit, Stop};
use crate::options::{Print0, Reporting, Suggest, Where};
use crate::run::pool;
use crate::screen::say;
use crate::standard;
use crate::style::ERROR;
use crate::usage;
use choice::{As, Kinds, charset};
use clap::ValueHint;
use collect::{Collector, Settings};
use judge::Judge;
use places::Places;
use read::Reader;
use results::Wanted;
use shown::Shown;
use sources::Source;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use urikit::Standard;
use urikit::op::Layer;
use urikit_domains::List;
use urikit_extract::container::Limits;
use urikit_extract::document::Extractor;
use urikit_extract::{Finder, Kind};
use urikit_schemes::all_known;
use walk::Walking;

/// Find references in documents, and in archives of them
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
  uri extract --refang --kinds defanged report.txt
  uri extract -H book.epub report.pdf pages.tar.gz   # book.epub!/text/1.xhtml:https://…

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
    /// address, which are guesses; or all of these; defanged, as --refang
    #[arg(
        long,
        value_name = "LIST",
        value_enum,
        value_delimiter = ',',
        default_value = "wrapped,bare,link"
    )]
    kinds: Vec<Kinds>,

    /// Find defanged indicators too: hxxp://a[.]example, a(dot)example, jo[@]a.example
    ///
    /// They are printed as written and, after a tab, refanged. Without this they are left out, and
    /// never taken for other links.
    #[arg(long)]
    refang: bool,

    /// Print only references with this scheme; may be repeated
    #[arg(
        long,
        value_name = "NAME",
        value_parser = Suggest(all_schemes),
        hide_possible_values = true
    )]
    scheme: Vec<String>,

    /// Find links that HTML has for programs too: in scripts, JSON, comments and attributes of any
    /// name; some are guesses
    #[arg(long)]
    deep: bool,

    /// The charset of the files, also where they declare another; not of mail, whose parts have their
    /// own
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    charset: Option<String>,

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

    #[command(flatten)]
    shown: Shown,

    #[command(flatten)]
    walking: Walking,

    /// Refuse what has to be held in memory and is longer than this: most documents, messages of
    /// mailboxes, archives from standard input; text and HTML have no limit
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20)]
    max_document: usize,

    /// Unpack no more than this from a file, all its compressed files and archives together; nor
    /// more than 200 times the file, after the first 64 MiB
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 30)]
    max_unpacked: u64,

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

/// How many files may wait for their turn, and how many results for each thread.
const WAITING: usize = 16;

/// Prints the references of all files.
pub(crate) fn run(mut arguments: Arguments) -> Result<Exit, Stop> {
    let reporting = arguments.reporting;
    let (shown, walking) = (arguments.shown, arguments.walking);
    if walking.type_list {
        io::stdout().write_all(walk::type_list().as_bytes())?;
        return Ok(Exit::Good);
    }
    let walker = walking.walker()?;
    let mut paths = arguments.paths;
    if paths.is_empty() && walking.files_from.is_empty() {
        if io::stdin().is_terminal() {
            return Ok(usage::no_files("extract"));
        }
        paths.push(PathBuf::from("-"));
    }
    if arguments.refang {
        arguments.kinds.push(Kinds::Defanged);
    }
    let wants = |kind| arguments.kinds.iter().any(|kinds| kinds.contains(kind));
    let finder = Finder::new()
        .abbreviated(wants(Kind::Abbreviated))
        .addresses(wants(Kind::Address))
        .refang(wants(Kind::Defanged));
    let mut extractor = Extractor::new()
        .finder(finder)
        .max_document_length(arguments.max_document)
        .deep(arguments.deep);
    if let Some(label) = &arguments.charset {
        extractor = extractor.clone().charset(label).unwrap_or(extractor);
    }
    extractor = if shown.has_lines()
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
    let several =
        paths.len() > 1 || paths.iter().any(|path| path.is_dir()) || !walking.files_from.is_empty();
    let totals = shown.totals(several, reporting.quiet);
    let end = arguments.print0.end();
    let reader = Reader {
        extractor,
        format: arguments.format.reads(),
        limits: Limits::default().max_unpacked(arguments.max_unpacked),
        wanted: Wanted {
            kinds: arguments.kinds,
            schemes: arguments.scheme,
            places: arguments.places,
            // IRIs in documents are IRIs; every URI is one.
            filters: arguments.filters.filters(
                arguments
                    .standard
                    .unwrap_or(standard::Reader::Rfc(Standard::Rfc3987)),
                List::default(),
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
            printer: shown.printer(several, end, reporting),
            only_first: shown.only_first() && !arguments.unique,
            around: shown.around(),
        },
        reporter: reporting.reporter(),
    };
    let collector = Collector::new(Settings {
        totals,
        end,
        null: shown.null,
        unique: arguments.unique,
        has_groups: shown.around().is_some(),
        reporter: reporting.reporter(),
    });
    let end_of_names = if shown.null { b'\0' } else { b'\n' };
    let sources = sources::sources(paths, walking.files_from, end_of_names, walker);
    Ok(in_order(sources, arguments.jobs, reader, collector)?)
}

/// Reads all files, several at the same time, and writes what is found in their order.
fn in_order(
    sources: impl Iterator<Item = Source> + Send + 'static,
    jobs: usize,
    reader: Reader,
    mut collector: Collector,
) -> io::Result<Exit> {
    let threads = pool::threads(jobs);
    let limits = pool::Limits {
        threads,
        tasks: threads.saturating_mul(2).max(WAITING),
        results: threads.saturating_mul(WAITING),
    };
    pool::ordered(
        pool::ahead(sources, threads),
        limits,
        move |source, sink| reader.read(source, sink),
        |turn| collector.take(turn),
    )?;
    collector.finish()
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
