//! `uri extract`: finds references in documents of many formats, and in archives.
//!
//! ```text
//! files → pool of workers: read a file, format its references → collector: write in order
//! ```

mod context;
mod options;
mod output;
mod read;
mod results;
mod summary;

use crate::exit::{Exit, Stop};
use crate::files::OutputFile;
use crate::filter::Filters;
use crate::options::{Print0, Reporting, Suggest, Where};
use crate::report::Reporter;
use crate::run::pool;
use crate::screen::say;
use crate::standard;
use crate::stdout::stdout;
use crate::style::ERROR;
use crate::suggest::did_you_mean;
use crate::usage;
use crate::walk::{self, Source, Walking};
use clap::ValueHint;
use clap::builder::TypedValueParser as _;
use context::Around;
use options::{As, Detect, Kinds, Places, Reads, Shown, charset};
use output::{Collector, Hasher, Printer, Totals};
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use urikit::op::Layer;
use urikit::{Standard, UriRef};
use urikit_domains::List;
use urikit_extract::container::Limits;
use urikit_extract::document::Extractor;
use urikit_extract::{Finder, Kind};
use urikit_report::Reader;
use urikit_report::extract::Judge;
use urikit_schemes::all_known;

/// Find references in documents and archives
///
/// Prints one reference per line. Relative references are resolved if the document or --base
/// provides a base. As the RFCs require, whitespace and line breaks are removed from wrapped
/// references (<URL:…> and <…>). Invalid links are printed as written. For each file and reason,
/// one line on stderr reports the invalid links (-v explains each link). For an invalid link,
/// --json adds the form that browsers would use. Files in folders are read in name order; hidden
/// files are skipped, and symbolic links are not followed. The exit status is 1 if nothing is
/// found.
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
  uri extract --defang mail.eml
  uri extract --base https://example.org/ public/   # public/a/b.html is …/a/b.html
  uri extract -H book.epub report.pdf pages.tar.gz   # book.epub!/text/1.xhtml:https://…

Exit status:
  0  a reference was found
  1  no reference was found, or with --strict, a reference is not valid
  2  usage error
  3  a file is damaged or cannot be read, or a limit was exceeded",
    mut_arg("quiet", |arg| {
        arg.help("Print nothing; only set the exit status").long_help(None::<&str>)
    }),
)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Arguments {
    /// Files and folders; `-` is standard input, the default
    #[arg(value_name = "PATH", value_hint = ValueHint::FilePath)]
    paths: Vec<PathBuf>,

    /// Format of the files; `auto` detects it from names and contents
    #[arg(long = "as", value_name = "FORMAT", value_enum, default_value_t = As::Auto)]
    format: As,

    /// Kinds of references to find, separated by commas: wrapped, bare, link (in markup),
    /// abbreviated and address (the last two are guesses), all (of these), defanged (as with
    /// --refang)
    #[arg(
        long,
        value_name = "LIST",
        value_enum,
        value_delimiter = ',',
        default_value = "wrapped,bare,link"
    )]
    kinds: Vec<Kinds>,

    /// Also find defanged indicators: hxxp://a[.]example, a(dot)example, jo[@]a.example
    ///
    /// Each indicator is printed as written and, after a tab, in its refanged form. Without this
    /// option, such indicators are omitted, and never reported as other kinds.
    #[arg(long)]
    refang: bool,

    /// Print references so that no program turns them into links: hxxp://a[.]example/
    ///
    /// With --json, the keys `defanged` and `result` contain this form; the other keys contain the
    /// exact text.
    #[arg(long, conflicts_with_all = ["after_context", "before_context", "context"])]
    defang: bool,

    /// Also print links with placeholders: https://api-{env}.a.example/%s, http://${HOST}/
    ///
    /// Without this option, these links are omitted. --json marks such links as `template`.
    /// Templates are never treated as valid or repaired.
    #[arg(long)]
    templates: bool,

    /// Find links in text by these rules: urikit, or uts58 (Unicode's UTS #58)
    ///
    /// Every program that follows UTS #58 ends a link at the same place. UTS #58 finds only mail
    /// addresses, and links to hosts under a top-level domain. Wrapped or defanged links and
    /// `http://localhost/` are not found. Both sets of rules find the same references in markup.
    #[arg(
        long,
        value_name = "RULES",
        value_enum,
        default_value = "urikit",
        hide_possible_values = true,
        hide_default_value = true
    )]
    detect: Detect,

    /// Print only references with this scheme; may be repeated
    #[arg(
        long,
        value_name = "NAME",
        value_parser = Suggest(all_schemes).try_map(scheme),
        hide_possible_values = true
    )]
    scheme: Vec<String>,

    /// Also find links in the scripts, JSON, comments and unknown attributes of HTML pages; some
    /// are guesses
    #[arg(long)]
    deep: bool,

    /// Charset of the files, overriding their declarations; ignored for mail, whose parts declare
    /// their own
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    charset: Option<String>,

    /// Base URI of files that do not define one
    ///
    /// If an argument is a folder, the base of each file in it is this URI joined with the file's
    /// path in the folder. HTML may define a base anywhere in its first MiB, so links from a pipe
    /// are printed only after the first MiB or at the end of the input.
    #[arg(long, value_name = "URI")]
    base: Option<OsString>,

    /// Standard that decides whether a reference is valid [default: RFC 3986, or RFC 3987 for
    /// references with non-ASCII characters]
    ///
    /// This option changes neither which links are found nor where they end.
    #[arg(long, value_name = "NAME", value_parser = standard::parser(), ignore_case = true)]
    standard: Option<Reader>,

    /// Exit with status 1 if a reference is not valid
    #[arg(long)]
    strict: bool,

    /// Print each reference only once
    #[arg(long)]
    unique: bool,

    /// Report each reference that is not valid or is cut off, and explain why
    ///
    /// Without this option, each file gets one line per reason, with the number of references and
    /// the position of the first one.
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    shown: Shown,

    #[command(flatten)]
    walking: Walking,

    /// Maximum size of documents that must be buffered (XML, mail, archives from standard input, …)
    /// and of blocks in Markdown; text, CSV and HTML are streamed
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20)]
    max_document: usize,

    /// Maximum size of the unpacked content of one file, including nested archives; after the first
    /// 64 MiB, it is also limited to 200 times the file's size
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
    /// Results always appear in the order of the files.
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    jobs: usize,
}

/// Returns the names of all known schemes.
fn all_schemes() -> Vec<&'static str> {
    all_known().map(|facts| facts.name).collect()
}

/// Checks the value of `--scheme`.
fn scheme(name: String) -> Result<String, String> {
    let text = format!("{name}:");
    let is_scheme = UriRef::parse(&text).is_ok_and(|parsed| parsed.scheme() == Some(&name));
    if is_scheme {
        return Ok(name);
    }
    let near = did_you_mean(&name, all_schemes());
    Err(format!(
        "a scheme consists of letters, digits, `+`, `-` and `.`{near}"
    ))
}

/// The minimum value of the limits for waiting results, for files found in advance, and for files
/// read ahead of their turn. If this value is 16, small files take 1.4 times the processor time,
/// because the threads sleep and wake more often.
const WAITING: usize = 64;

/// The number of results per thread that may wait. At least [`WAITING`] results may wait in total.
const WAITING_PER_THREAD: usize = 16;

/// The time for which results are gathered before they are written, if several files are read.
/// With a single file, which may be a pipe, results are written at once: the program at the other
/// end may be waiting for them.
const GATHERING: Duration = Duration::from_millis(1);

/// The settings of a run, shared by the workers and the collector.
struct Settings {
    extractor: Extractor,
    output_file: OutputFile,
    /// The base of the folders given as arguments.
    base: Option<String>,
    /// The parser for all files; `None` if it depends on the name and content of each file.
    format: Option<Reads>,
    limits: Limits,
    kinds: Vec<Kinds>,
    schemes: Vec<String>,
    places: Places,
    filters: Option<Filters>,
    judge: Judge,
    /// The hasher that detects duplicates, or `None` if duplicates are printed too.
    unique: Option<Hasher>,
    /// The exit status for a reference that is not valid.
    if_invalid: Exit,
    /// True if each reference that is not valid gets a separate message.
    is_verbose: bool,
    /// True if only the first reference in each file is needed.
    only_first: bool,
    /// The number of context lines around references.
    around: Option<Around>,
    totals: Option<Totals>,
    printer: Printer,
    reporter: Reporter,
}

/// Prints the references in all files.
pub(crate) fn run(mut arguments: Arguments) -> Result<Exit, Stop> {
    if arguments.walking.type_list {
        stdout().write_all(walk::type_list().as_bytes())?;
        return Ok(Exit::Good);
    }
    let is_defanged = arguments.refang || arguments.kinds.contains(&Kinds::Defanged);
    if arguments.detect == Detect::Uts58 && is_defanged {
        return Err(Stop::usage(
            "extract",
            "UTS #58 does not find defanged links",
        ));
    }
    let walker = arguments.walking.walker("extract")?;
    let mut paths = std::mem::take(&mut arguments.paths);
    let lists = std::mem::take(&mut arguments.walking.files_from);
    if paths.is_empty() && lists.is_empty() {
        if io::stdin().is_terminal() {
            return Ok(usage::no_files("extract"));
        }
        paths.push(PathBuf::from("-"));
    }
    let several = paths.len() > 1 || paths.iter().any(|path| path.is_dir()) || !lists.is_empty();
    let end_of_names = if arguments.shown.null { b'\0' } else { b'\n' };
    let jobs = arguments.jobs;
    let settings = match arguments.settings(several, OutputFile::find()?) {
        Ok(settings) => Arc::new(settings),
        Err(exit) => return Ok(exit),
    };
    let sources = walk::sources(paths, lists, end_of_names, walker);
    Ok(in_order(sources, several, jobs, settings)?)
}

impl Arguments {
    /// Converts the arguments. `several` is true if more than one file is read.
    ///
    /// # Errors
    ///
    /// Reports an invalid base, and returns the exit status.
    fn settings(mut self, several: bool, output_file: OutputFile) -> Result<Settings, Exit> {
        if self.refang {
            self.kinds.push(Kinds::Defanged);
        }
        let (shown, reporting) = (self.shown, self.reporting);
        // Documents may contain IRIs, and every URI is an IRI.
        let reader = Reader::Rfc(Standard::Rfc3987);
        Ok(Settings {
            extractor: self.extractor()?,
            output_file,
            base: self
                .base
                .as_ref()
                .map(|base| base.to_string_lossy().into_owned()),
            format: self.format.reads(),
            limits: Limits::default().max_unpacked(self.max_unpacked),
            kinds: self.kinds,
            schemes: self.scheme,
            places: self.places,
            filters: self
                .filters
                .filters(self.standard.unwrap_or(reader), List::default()),
            judge: Judge {
                reader: self.standard,
            },
            unique: self.unique.then(Hasher::default),
            if_invalid: if self.strict { Exit::No } else { Exit::Good },
            is_verbose: self.verbose,
            only_first: shown.only_first() && !self.unique,
            around: shown.around(),
            totals: shown.totals(several, reporting.quiet),
            printer: shown
                .printer(several, self.print0.end(), reporting)
                .defang(self.defang),
            reporter: reporting.reporter(),
        })
    }

    /// Creates the extractor.
    fn extractor(&self) -> Result<Extractor, Exit> {
        let wants = |kind| self.kinds.iter().any(|kinds| kinds.contains(kind));
        let finder = Finder::new()
            .abbreviated(wants(Kind::Abbreviated))
            .addresses(wants(Kind::Address))
            .refang(wants(Kind::Defanged))
            .templates(self.templates)
            .detection(self.detect.rules());
        let mut extractor = Extractor::new()
            .finder(finder)
            .max_document_length(self.max_document)
            .deep(self.deep);
        if let Some(label) = &self.charset {
            extractor = extractor.clone().charset(label).unwrap_or(extractor);
        }
        let needs_positions =
            self.shown.has_lines() || self.reporting.json || self.standard == Some(Reader::Whatwg);
        // Positions take time to compute, so they are computed only if they are printed.
        extractor = match () {
            () if needs_positions => extractor.positions(true),
            () if self.reporting.quiet => extractor,
            () => extractor.positions_of_invalid(),
        };
        if let Some(Reader::Rfc(standard)) = self.standard {
            extractor = extractor.standard(standard);
        }
        match &self.base {
            Some(base) => with_base(extractor, base, self.reporting.show_secrets),
            None => Ok(extractor),
        }
    }
}

/// Reads several files at the same time, and writes their references in the order of the files.
/// `several` is false if there is only one.
fn in_order(
    sources: impl Iterator<Item = Source> + Send + 'static,
    several: bool,
    jobs: usize,
    settings: Arc<Settings>,
) -> io::Result<Exit> {
    let threads = pool::threads(jobs);
    let limits = pool::Limits {
        threads,
        tasks: threads.saturating_mul(2).max(WAITING),
        results: threads.saturating_mul(WAITING_PER_THREAD).max(WAITING),
        gathering: if several { GATHERING } else { Duration::ZERO },
    };
    let mut collector = Collector::new(Arc::clone(&settings));
    pool::ordered(
        pool::ahead(sources, threads.max(WAITING)),
        limits,
        move |source, sink| settings.read(source, sink),
        |turn| collector.take(turn),
    )?;
    collector.finish()
}

/// Sets the base. Reports an invalid base, and returns the exit status.
fn with_base(extractor: Extractor, base: &OsString, show_secrets: bool) -> Result<Extractor, Exit> {
    let text = base.to_string_lossy();
    extractor.base(Layer::Retrieval, &text).map_err(|error| {
        let shown = urikit_report::mask::mask(&text, show_secrets);
        let shown = crate::safe::safe(&shown);
        say!("{ERROR}uri: --base{ERROR:#}: {error}\n  {shown}");
        Exit::Usage
    })
}
