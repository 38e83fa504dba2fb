//! `uri extract`: references out of text, HTML, mail and Markdown.
//!
//! ```text
//! sources (which files) → ordered (workers) → read (one file) → print (one reference) → output, in order
//! ```

mod ordered;
mod output;
mod print;
mod read;
mod sources;

use crate::exit::Exit;
use crate::report::Reporter;
use crate::style::ERROR;
use crate::usage;
use output::Output;
use print::Printer;
use read::Reader;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use urikit::op::Layer;
use urikit_extract::document::{Extractor, Format};
use urikit_extract::{Finder, Kind};

/// Find references in text, HTML, mail and Markdown
///
/// Prints one reference a line: resolved, where it is relative and its document or --base says against what. Wrapped
/// references (<URL:…> and <…>) are read as the RFCs have them: white space and line ends within are no part of them.
/// Folders are walked by name, without what is hidden; links in them are not followed. The status is 1 when nothing is
/// found.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri extract rfc1738.txt
  uri extract -nH --scheme ftp --scheme gopher archive/
  uri extract --json --base https://example.org/page index.html
  curl -s https://example.org/ | uri extract --as html --base https://example.org/ --unique
  uri extract --kinds all notes.txt      # also www.example.org and mail addresses")]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub(crate) struct Arguments {
    /// Files and folders, `-` for standard input, which is read when there is none
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// What the files are; `auto` looks at the name and the content
    #[arg(long = "as", value_name = "FORMAT", value_enum, default_value_t = As::Auto)]
    format: As,

    /// What to find, with commas: wrapped, bare, link (in markup); abbreviated and address are guesses; or all
    #[arg(
        long,
        value_name = "LIST",
        value_enum,
        value_delimiter = ',',
        default_value = "wrapped,bare,link"
    )]
    kinds: Vec<Kinds>,

    /// Print only references with this scheme; may be repeated
    #[arg(long, value_name = "NAME")]
    scheme: Vec<String>,

    /// The base URI of the files, unless they say otherwise
    #[arg(long, value_name = "URI")]
    base: Option<OsString>,

    /// Print each reference once
    #[arg(long)]
    unique: bool,

    /// Print the line before each reference
    #[arg(short = 'n', long)]
    line_number: bool,

    /// Print the file before each reference
    #[arg(short = 'H', long)]
    with_filename: bool,

    /// Print for each file how many references it has, where it has any
    #[arg(short, long, conflicts_with = "json")]
    count: bool,

    /// Read hidden files and folders too
    #[arg(long)]
    hidden: bool,

    /// Refuse mail and Markdown longer than this, in bytes; text and HTML of any size are read
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20)]
    max_document: usize,

    /// Print one JSON object for each reference, on a line of its own
    #[arg(long)]
    json: bool,

    /// Show passwords in messages
    #[arg(long)]
    show_secrets: bool,

    /// Work with N threads, 0 for one on each core; results keep the order of the files
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    jobs: usize,

    /// Print no messages; the exit status tells
    #[arg(short, long)]
    quiet: bool,
}

/// What `--as` takes.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum As {
    Auto,
    Text,
    Html,
    Mail,
    Markdown,
}

impl As {
    const fn format(self) -> Option<Format> {
        match self {
            Self::Auto => None,
            Self::Text => Some(Format::Text),
            Self::Html => Some(Format::Html),
            Self::Mail => Some(Format::Mail),
            Self::Markdown => Some(Format::Markdown),
        }
    }
}

/// What `--kinds` takes.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Kinds {
    Wrapped,
    Bare,
    Link,
    Abbreviated,
    Address,
    All,
}

impl Kinds {
    fn has(self, kind: Kind) -> bool {
        match self {
            Self::Wrapped => kind == Kind::Wrapped,
            Self::Bare => kind == Kind::Bare,
            Self::Link => kind == Kind::Link,
            Self::Abbreviated => kind == Kind::Abbreviated,
            Self::Address => kind == Kind::Address,
            Self::All => true,
        }
    }
}

/// More threads than this only cost memory.
const MAX_JOBS: usize = 256;

/// Prints the references of all files.
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let reporter = Reporter {
        quiet: arguments.quiet,
        show_secrets: arguments.show_secrets,
    };
    let mut paths = arguments.paths;
    if paths.is_empty() {
        if io::stdin().is_terminal() {
            return Ok(usage::no_files("extract"));
        }
        paths.push(PathBuf::from("-"));
    }
    let asks = |kind| arguments.kinds.iter().any(|kinds| kinds.has(kind));
    let finder = Finder::new()
        .abbreviated(asks(Kind::Abbreviated))
        .addresses(asks(Kind::Address));
    let mut extractor = Extractor::new()
        .finder(finder)
        .max_document_length(arguments.max_document)
        .positions(arguments.line_number || arguments.json);
    if let Some(base) = arguments.base {
        extractor = match with_base(extractor, &base, arguments.show_secrets) {
            Ok(extractor) => extractor,
            Err(exit) => return Ok(exit),
        };
    }
    let reader = Reader {
        extractor,
        format: arguments.format.format(),
        kinds: arguments.kinds,
        schemes: arguments.scheme,
        unique: arguments.unique,
        reporter,
        printer: Printer {
            json: arguments.json,
            lines: arguments.line_number,
            names: arguments.with_filename,
            counts_only: arguments.count,
            terminal: io::stdout().is_terminal(),
        },
    };
    let names =
        arguments.with_filename || paths.len() > 1 || paths.iter().any(|path| path.is_dir());
    let mut output = Output::new(
        arguments.count.then_some(names),
        arguments.unique,
        arguments.quiet,
    );
    let jobs = match arguments.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs.min(MAX_JOBS),
    };
    let sources = sources::sources(paths, arguments.hidden);
    ordered::ordered(
        sources,
        jobs,
        move |source, sink| reader.read(source, sink),
        |found| output.take(found),
    )?;
    output.finish()
}

/// Sets the base, or says what is wrong with it.
fn with_base(extractor: Extractor, base: &OsString, show_secrets: bool) -> Result<Extractor, Exit> {
    let text = base.to_string_lossy();
    extractor.base(Layer::Retrieval, &text).map_err(|error| {
        let shown = crate::mask::mask(&text, show_secrets);
        let shown = crate::safe::safe(&shown);
        anstream::eprintln!("{ERROR}uri: --base{ERROR:#}: {error}\n  {shown}");
        Exit::Usage
    })
}
