//! `uri fetch`: fetches what a reference identifies, by the protocol of its scheme.
//!
//! ```text
//! options (policy, gateways, protocols) → urikit-access → body (stdout or partial file), list
//!                                              ↕
//!                                            person
//! ```

mod bar;
mod body;
mod copying;
mod each;
mod failure;
mod http;
mod kept;
mod list;
mod meta;
mod name;
mod netrc;
mod options;
mod partial;
mod person;
mod place;
mod plan;
#[cfg(unix)]
mod raw;
mod receiving;
mod recursive;
mod retry;
pub(crate) mod send;
mod units;

use crate::exit::{Exit, Stop};
use crate::options::{Common, Selection};
use crate::report::Reporter;
use crate::screen::say;
use crate::sheet::Column;
use crate::standard::Reader;
use clap::ValueHint;
use each::{Fetch, Mode};
use http::DataOptions;
use indicatif::MultiProgress;
use list::ListFormat;
use meta::MetaFile;
use options::Options;
use partial::Resume;
use place::Places;
use receiving::Receiving;
use recursive::Tree;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use urikit_access::ByteRange;
use urikit_access::protocol::http::Cookies;

/// Fetch what references identify: files, directories, menus, articles, mail
///
/// The scheme determines the protocol; `uri schemes` lists the schemes. A directory, menu, news
/// group or search is printed as a list. Fragments are never sent.
///
/// Connections to this machine or to private networks require --allow-private, and connections to
/// ports of other protocols require --allow-port, as do datagrams (prospero) to any port but 1525
/// and 191. Redirects lead from http and https to these two, and from other schemes to themselves,
/// unless --proto-redir says otherwise; they are never
/// followed to a file, a mail message or a terminal session.
///
/// References are fetched one at a time, or N with -j N. Bodies on standard output keep the order of
/// the references.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri fetch ftp://ftp.example.org/pub/README
  uri fetch --plan 'ftp://myname@host.dom/%2Fetc/motd;type=a'    # what would be sent
  uri fetch -I gopher://gopher.example.org/0/about.txt           # size, type, date
  uri fetch -o mirror/ -f urls.txt
  uri fetch -C - -O http://example.org/large.iso                 # resume a transfer
  uri fetch --recursive --level 2 -o mirror/ ftp://ftp.example.org/pub/
  uri fetch --news-server news.example.org news:comp.infosystems.www
  uri fetch 'wais://wais.example/db?words'                       # a search, as a list
  uri fetch --gateway urn=http://gateway.example/get?uri= urn:isbn:0451450523

Exit status:
  0  success
  1  a reference is invalid
  2  usage error
  3  a file cannot be read or written
  4  the policy refuses access
  5  the network, the protocol or the server failed

Environment:
  URI_GATEWAYS  gateways in the form of --gateway, separated by spaces
  NNTPSERVER    the news server for URLs without one
  http_proxy, https_proxy, all_proxy, no_proxy
                proxies; those but the first also in upper case
  TERM          the terminal's type, for telnet

Files:
  NAME.part     the partial file of -o and -O, until NAME is complete

Not supported:
  versions      HTTP/2 and HTTP/3
  requests      multipart forms (curl's -F), several ranges, trailers; uploads are `uri send`
  logins        NTLM, Negotiate, and Digest to a proxy
  responses     caches, HSTS, deflate, multipart/byteranges
  proxies       https and SOCKS4, and datagrams (prospero) through any proxy")]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Arguments {
    /// Write the body to FILE, or into FOLDER/ under the name in the URL
    #[arg(short, long, value_name = "FILE", conflicts_with = "remote_name", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Write the body to a file in the current folder, under the name in the URL
    #[arg(short = 'O', long)]
    remote_name: bool,

    /// Resume an earlier transfer at the end of the partial file (`-`), or at byte N; start over if
    /// that may be of another version
    #[arg(short = 'C', long, value_name = "-|N")]
    continue_at: Option<Resume>,

    /// http: fetch a part of the body: from byte FIRST, counted from 0, to byte LAST; or the last
    /// LENGTH bytes
    #[arg(short, long, value_name = "FIRST-[LAST]|-LENGTH", allow_hyphen_values = true,
          conflicts_with_all = ["continue_at", "head"])]
    range: Option<ByteRange>,
    /// Copy the files below the URL, and the links of its pages, into the folder of -o, or the current
    /// one (ftp, gopher, http)
    ///
    /// Below is what has the same scheme, host and port, and a path that begins with that of the URL up
    /// to its last slash, without `..`. Redirects to other places are not followed, except that of
    /// the URL itself: what is below the place that it leads to is copied then.
    ///
    /// The files have the names in the URLs. The page of a folder is its index.html, also that of a
    /// URL `n` if there is `n/m`; if two URLs have one name, `.1` is appended to that of the later one.
    #[arg(long, conflicts_with_all = ["remote_name", "continue_at", "head", "plan", "list"])]
    recursive: bool,

    /// With --recursive, follow at most N links from the URL
    #[arg(long, value_name = "N", default_value_t = 5, requires = "recursive")]
    level: usize,

    /// With --recursive, make the links in HTML lead to the copies, and all others absolute
    #[arg(long, requires = "recursive")]
    convert_links: bool,

    /// Print the attributes (size, type, date), not the body
    #[arg(short = 'I', long, conflicts_with_all = ["request", "data", "data_raw", "data_binary"])]
    head: bool,

    /// Print what would be done and sent, without connecting
    #[arg(long, conflicts_with_all = ["output", "remote_name", "meta"])]
    plan: bool,

    /// The format of lists
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormat::Text)]
    list: ListFormat,

    /// With --list references, they end in NUL instead of a line end, as for `xargs -0`
    #[arg(long)]
    print0: bool,

    /// Write one JSON object per reference to FILE: its attributes, and what was done; `-` is
    /// standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    meta: Option<PathBuf>,

    /// Show neither progress nor messages, as -q does
    #[arg(short, long)]
    silent: bool,

    /// With -s, still report errors
    #[arg(short = 'S', long)]
    show_error: bool,

    /// Accepted as curl's: redirects are always followed
    #[arg(short = 'L', long)]
    location: bool,

    /// Print each step on standard error: `>` is sent, `<` is received
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    options: Options,

    #[command(flatten)]
    receiving: Receiving,

    #[command(flatten)]
    data: DataOptions,

    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    common: Common,
}

/// The columns of a table of plans.
const PLAN: [Column; 6] = [
    Column::text("input"),
    Column::text("uri"),
    Column::flag("valid"),
    Column::text("error"),
    Column::text("plan"),
    Column::text("repaired"),
];

/// The columns of a table of attributes.
const COLUMNS: [Column; 11] = [
    Column::text("input"),
    Column::text("uri"),
    Column::flag("valid"),
    Column::text("error"),
    Column::text("final_uri"),
    Column::text("fragment"),
    Column::text("scheme"),
    Column::text("media_type"),
    Column::number("size"),
    Column::text("modified"),
    Column::text("repaired"),
];

/// Fetches each input.
pub(crate) fn run(mut arguments: Arguments) -> Result<Exit, Stop> {
    let columns = if arguments.plan {
        &PLAN[..]
    } else {
        &COLUMNS[..]
    };
    arguments.common.print_records("fetch", columns)?;
    let place = Places::new(
        arguments.output.clone(),
        arguments.remote_name || arguments.recursive,
    );
    let folder = arguments.output.clone().unwrap_or_else(|| ".".into());
    if let Some(message) = contradiction(&arguments, &place) {
        return Err(Stop::usage("fetch", message));
    }
    let mut common = arguments.common;
    common.reporting.quiet |= arguments.silent && !arguments.show_error;
    let Reader::Rfc(standard) = common.standard else {
        return Err(Stop::usage(
            "fetch",
            "`uri fetch` uses what is written, but whatwg repairs it first: choose an RFC",
        ));
    };
    if !arguments.plan {
        // Without -j, one at a time.
        common.jobs = common.jobs.max(1);
    }
    let tree = arguments.recursive.then(|| Tree {
        folder,
        level: arguments.level,
        converts: arguments.convert_links,
        max: arguments.receiving.max_items(),
    });
    let usage = |message: String| Stop::usage("fetch", message);
    let credentials = arguments.options.credentials().map_err(usage)?;
    let netrc = arguments.options.netrc().map_err(usage)?;
    let cookies = arguments.options.http.cookies().map_err(usage)?;
    let cookie_jar = arguments.options.http.cookie_jar();
    let mut http = arguments.options.http.http(&cookies).map_err(usage)?;
    if let Some(data) = arguments.data.data().map_err(usage)? {
        http = http.data(data);
    }
    // Building the first client checks the options.
    let (options, receiving) = (&arguments.options, &arguments.receiving);
    let client = options.fetcher(receiving, http.clone()).map_err(usage)?;
    let reporter = common.reporting.reporter();
    let meta = match arguments.meta.map(|path| open_meta(&path, reporter)) {
        None => None,
        Some(Some(file)) => Some(file),
        Some(None) => return Ok(Exit::Io),
    };
    let is_interactive =
        common.jobs <= 1 && io::stdin().is_terminal() && io::stderr().is_terminal();
    if is_interactive || arguments.continue_at.is_some() {
        // Only one question can be asked at a time, and with -C each name must go to the reference
        // whose partial file has it.
        common.jobs = 1;
    }
    if arguments.selection.has_filters() {
        // Which plan is the first is only known in order.
        common.jobs = 1;
    }
    let work = Fetch {
        output: common.output(),
        standard,
        mode: match (arguments.plan, arguments.head) {
            (true, _) => Mode::Plan,
            (_, true) => Mode::Attributes,
            _ => Mode::Body,
        },
        wants_attributes: arguments.head,
        place,
        tree,
        resume: arguments.continue_at,
        list: arguments.list,
        end: if arguments.print0 { b'\0' } else { b'\n' },
        meta,
        verbose: arguments.verbose,
        shows_notices: !arguments.silent && io::stderr().is_terminal(),
        is_interactive,
        credentials,
        netrc,
        range: arguments.range,
        http,
        bars: MultiProgress::new(),
        clients: Mutex::new(vec![client]),
        options: arguments.options,
        receiving: arguments.receiving,
    };
    let exit = common.run("fetch", arguments.selection, work)?;
    Ok(exit.max(write_cookies(&cookies, cookie_jar.as_deref(), reporter)))
}

/// Writes cookies where the option says, and reports an error.
fn write_cookies(cookies: &Cookies, to: Option<&Path>, reporter: Reporter) -> Exit {
    let Some(path) = to else {
        return Exit::Good;
    };
    let Err(error) = http::write_cookies(cookies, path) else {
        return Exit::Good;
    };
    let message = crate::report::io_message(&error);
    say!("{}", reporter.about(&path.to_string_lossy(), &message));
    Exit::Io
}

/// Why these options make no sense together, if they do not.
fn contradiction(arguments: &Arguments, place: &Places) -> Option<&'static str> {
    let common = &arguments.common;
    let prints_body = !arguments.plan && !arguments.head && !place.has_files();
    let is_one_file = place.has_files() && !place.takes_several();
    if common.sheet.is_some() && arguments.meta.as_deref() == Some(Path::new("-")) {
        Some("--meta - and a table cannot both go to standard output")
    } else if arguments.print0 && (arguments.list != ListFormat::References || arguments.plan) {
        Some("--print0 ends references in lists with NUL: add --list references, without --plan")
    } else if prints_body && common.reporting.json {
        Some("--json prints the attributes: add -o or -O for the body, or --head or --plan")
    } else if arguments.recursive && !place.takes_several() {
        Some("--recursive writes to -o FOLDER/ (with the slash)")
    } else if is_one_file && !arguments.plan && !arguments.head && common.references.len() > 1 {
        Some("several references require -O, or -o FOLDER/ (with the slash)")
    } else if arguments.continue_at == Some(Resume::Partial) && !place.has_files() {
        Some("-C - resumes a file: add -o or -O")
    } else {
        None
    }
}

/// Opens the file for attributes, or reports what is wrong with it.
fn open_meta(path: &std::path::Path, reporter: Reporter) -> Option<MetaFile> {
    match MetaFile::create(path) {
        Ok(file) => Some(file),
        Err(error) => {
            let (name, message) = (path.to_string_lossy(), crate::report::io_message(&error));
            say!("{}", reporter.about(&name, &message));
            None
        }
    }
}
