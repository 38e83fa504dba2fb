//! `uri fetch` and `uri send`: fetch or send with the protocol of a reference's scheme.
//!
//! ```text
//! reference → Fetch::input (work): parse
//!           → Destination::choose, Place::open: the partial file, or standard output
//!           → Client::fetch: asks Transfer::prompt, writes into Body
//!           → Body::end: the file gets its final name
//!           → Transfer: steps, record, error with advice
//! ```
//!
//! `Arguments` are converted to `Settings`, which never change during the run. `Transfer` does the
//! work that `uri fetch`, its recursive copies and `uri send` share.

mod body;
mod clusters;
mod destination;
mod http;
mod list;
mod login;
mod names;
mod options;
mod partial;
mod prompt;
mod records;
mod recursive;
pub(crate) mod send;
mod transfer;
mod transport;
mod work;
mod write_out;

pub(crate) use clusters::without_fail;
pub(crate) use options::seconds;
pub(crate) use transport::TransportOptions;

use crate::exit::{Exit, Stop};
use crate::options::{Common, Selection};
use crate::report::{Reporter, io_message};
use crate::screen::say;
use crate::sheet::Column;
use clap::ValueHint;
use destination::Destination;
use http::{DataOptions, HttpOptions};
use indicatif::MultiProgress;
use list::{ListFormat, ListStyle};
use options::{AccessOptions, FetchOptions};
use partial::Resume;
use records::MetaFile;
use recursive::Tree;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use transfer::Transfer;
use urikit::Standard;
use urikit_access::protocol::http::Cookies;
use urikit_access::{ByteRange, Wanted};
use urikit_report::Reader;
use work::{Fetch, Settings};
use write_out::Template;

/// Fetch the resources that references identify: files, menus, articles, mail
///
/// The scheme determines the protocol; `uri schemes` lists the schemes. Directories, menus, news
/// groups and search results are printed as lists. Fragments are never sent.
///
/// Connections to this machine or to private networks require --allow-private. Connections to ports
/// of other protocols require --allow-port, and so do datagrams (prospero) to ports other than 1525
/// and 191. By default, http and https URLs may redirect to http and https, and URLs of another
/// scheme to the same scheme; --proto-redir changes this. Redirects to files, mail messages and
/// terminal sessions are never followed.
///
/// References are fetched one at a time, or N at a time with -j N. Standard output keeps the order
/// of the references.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("jobs", |arg| arg
        .default_value("1")
        .help("Fetch up to N references at a time, 0 for one per core; output keeps their order")
        .long_help(None::<&str>)),
    after_long_help = "\
Examples:
  uri fetch https://example.org/report.pdf -O
  uri fetch ftp://ftp.example.org/pub/README
  uri fetch --plan 'ftp://myname@host.dom/%2Fetc/motd;type=a'    # shows what would be sent
  uri fetch -I gopher://gopher.example.org/0/about.txt           # size, type, date
  uri fetch -o page -w '%{http_code} %{time_total}\\n' https://example.org/
  uri fetch -o mirror/ -f urls.txt
  uri fetch -C - -O http://example.org/large.iso                 # resumes a transfer
  uri fetch --recursive --depth 2 -o mirror/ ftp://ftp.example.org/pub/
  uri fetch 'gemini://gemini.example/search?words'
  uri fetch --news-server news.example.org news:comp.infosystems.www
  uri fetch 'wais://wais.example/db?words'                       # search results, as a list
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
  URI_ALLOW_HOSTS
                hosts in the form of --allow-host, separated by commas
  NNTPSERVER    the news server for URLs without one
  http_proxy, https_proxy, all_proxy, no_proxy
                proxies; all but http_proxy also in upper case
  TERM          the type of the terminal, for telnet
  XDG_STATE_HOME
                the folder for the certificates of Gemini servers

Files:
  NAME.part     the partial file of -o and -O, until NAME is complete
  ~/.local/state/urikit/known_hosts
                the certificates of Gemini servers (--known-hosts)

Not supported:
  versions      HTTP/2 and HTTP/3
  requests      multipart forms (curl's -F), several ranges, trailers; for uploads, see `uri send`
  logins        NTLM, Negotiate, and Digest to a proxy
  responses     caches, HSTS, deflate, multipart/byteranges
  proxies       https and SOCKS4, and datagrams (prospero) through any proxy"
)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Arguments {
    /// Write the body to FILE, or into FOLDER/ under the name in the URL; `-` is standard output,
    /// even if it is a terminal
    #[arg(short, long, value_name = "FILE", conflicts_with = "remote_name",
          value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Write the body to a file in the current folder, under the name in the URL
    ///
    /// As with -o FOLDER/, the name is made safe. If an earlier reference in the same run has the
    /// same name, a number is appended: `.1`, `.2` and so on. A message reports each changed name.
    #[arg(short = 'O', long)]
    remote_name: bool,

    /// With -O or -o FOLDER/, use the file name in the response (Content-Disposition), if any
    ///
    /// The name is made safe, and gets a number if a file with this name exists. No file is ever
    /// replaced.
    #[arg(short = 'J', long, conflicts_with_all = ["continue_at", "recursive", "head"])]
    remote_header_name: bool,

    /// Resume an earlier transfer at the end of the partial file (`-`) or at byte N if the file has
    /// not changed on the server; otherwise start over
    #[arg(short = 'C', long, value_name = "-|N")]
    continue_at: Option<Resume>,

    /// http: fetch only bytes FIRST to LAST of the body, counted from 0, or its last LENGTH bytes
    #[arg(short, long, value_name = "FIRST-[LAST]|-LENGTH", allow_hyphen_values = true,
          conflicts_with_all = ["continue_at", "head"])]
    range: Option<ByteRange>,

    /// Copy the URL, the files under it and the pages that it links to, into the -o folder or a
    /// folder named after the host (ftp, gopher, http)
    ///
    /// A URL is under the first one if it has the same scheme, host and port, and its path contains
    /// no `..` and begins with the path of the first URL up to the last slash. Redirects out of
    /// this scope are not followed. If the first URL is redirected, the scope moves to the new URL.
    ///
    /// File names are taken from the URLs. The page of a folder is saved as index.html. If
    /// both `n` and `n/m` exist, the page of `n` is saved as `n/index.html`. Names are made safe.
    /// If two URLs have the same name, the later one gets a number: `.1`, `.2` and so on. A name
    /// that begins with a dot gets an underscore in front. A message reports each changed name.
    ///
    /// The server chooses the names, and existing files with these names are replaced. So use an -o
    /// folder that contains nothing but copies. Without -o, the folder is HOST in the current
    /// folder, or HOST_PORT if the URL has a port other than the default. The copy ends with a
    /// summary on standard error, which includes the number of replaced files.
    #[arg(long, conflicts_with_all = ["remote_name", "continue_at", "head", "plan", "list"])]
    recursive: bool,

    /// With --recursive, follow at most N links from the URL
    #[arg(long, value_name = "N", default_value_t = 5, requires = "recursive")]
    depth: usize,

    /// With --recursive, make links in HTML and CSS point to the copies, and other links absolute
    #[arg(long, requires = "recursive")]
    convert_links: bool,

    /// With --recursive, skip files that have the same date and size as on the server
    ///
    /// Pages whose links were converted are always fetched again.
    #[arg(short = 'N', long, requires = "recursive")]
    timestamping: bool,

    /// Print the redirects, the status and the attributes (size, type, date) instead of the body
    #[arg(short = 'I', long, conflicts_with_all = ["request", "data", "data_raw", "data_binary"])]
    head: bool,

    /// http: write the head of each response, including redirects, before the body
    #[arg(short, long, alias = "show-headers",
          conflicts_with_all = ["head", "plan", "recursive", "continue_at"])]
    include: bool,

    /// After each transfer, print TEMPLATE, or the template in a file; `\n` and `\t` are escapes
    ///
    /// The variables are the same as in curl: %{content_type}, %{errormsg}, %{exitcode},
    /// %{filename_effective}, %{http_code} (000 without a status), %{http_version}, %{num_headers},
    /// %{num_redirects}, %{redirect_url}, %{remote_ip}, %{remote_port}, %{response_code},
    /// %{scheme}, %{size_download}, %{speed_download}, %{time_total}, %{url}, %{url_effective},
    /// %{urlnum}; and %header{NAME}, a field of the last response. An unknown name is an error.
    #[arg(short, long, value_name = "TEMPLATE|@FILE", conflicts_with_all = ["plan", "recursive"])]
    write_out: Option<String>,

    /// Print what would be done and sent, without connecting
    #[arg(long, conflicts_with_all = ["output", "remote_name", "meta"])]
    plan: bool,

    /// Print lists in this format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormat::Text)]
    list: ListFormat,

    /// With --list references, end each reference with NUL instead of a newline, as for `xargs -0`
    #[arg(long)]
    print0: bool,

    /// Write one JSON object per reference to FILE, with its attributes and the steps of the
    /// transfer; `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    meta: Option<PathBuf>,

    /// Show neither progress nor messages, as with -q
    #[arg(short, long)]
    silent: bool,

    /// With -s, still report errors
    #[arg(short = 'S', long)]
    show_error: bool,

    /// Has no effect, because redirects are followed by default; accepted for compatibility with
    /// curl
    #[arg(short = 'L', long, overrides_with = "no_location")]
    location: bool,

    /// Treat the first response as the result, even if it is a redirect
    #[arg(long, overrides_with = "location", conflicts_with = "recursive")]
    no_location: bool,

    /// Has no effect, because HTTP errors always count as failures; accepted for compatibility with
    /// curl, as is an `f` among other short options (-fsSL)
    #[arg(long)]
    fail: bool,

    /// http: also write the body of a response with the status 4xx or 5xx; the exit status is 5
    #[arg(long, conflicts_with_all = ["recursive", "head", "plan"])]
    fail_with_body: bool,

    /// Print each step on standard error as it happens: `>` marks sent data, `<` received data
    ///
    /// With -j above 1, each line begins with the number of the reference.
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    access: AccessOptions,

    #[command(flatten)]
    fetching: FetchOptions,

    #[command(flatten)]
    data: DataOptions,

    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    common: Common,
}

/// The columns for plans.
const PLAN: [Column; 6] = [
    Column::text("input"),
    Column::text("uri"),
    Column::flag("valid"),
    Column::text("error"),
    Column::text("plan"),
    Column::text("repaired"),
];

/// The columns for attributes.
const COLUMNS: [Column; 13] = [
    Column::text("input"),
    Column::text("uri"),
    Column::flag("valid"),
    Column::text("error"),
    Column::text("final_uri"),
    Column::text("fragment"),
    Column::text("scheme"),
    Column::number("status"),
    Column::text("reason"),
    Column::text("media_type"),
    Column::number("size"),
    Column::text("modified"),
    Column::text("repaired"),
];

/// Fetches each input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let columns = if arguments.plan {
        &PLAN[..]
    } else {
        &COLUMNS[..]
    };
    let destination = Destination::new(
        arguments.output.clone(),
        arguments.remote_name || arguments.recursive,
        arguments.remote_header_name,
    );
    let usage = |message: String| Stop::usage("fetch", message);
    if let Some(message) = contradiction(&arguments, &destination) {
        return Err(usage(message.to_owned()));
    }
    if let Some(url) = url_as_list(&arguments.common.files) {
        return Err(usage(format!(
            "-f FILE reads references from a file, and no file is named `{url}`; omit curl's -f \
             (fail on errors), which is the default here"
        )));
    }
    let Reader::Rfc(standard) = arguments.common.standard else {
        let message =
            "`uri fetch` requires an RFC as its standard: whatwg would change the URL first";
        return Err(usage(message.to_owned()));
    };
    let jobs = arguments.common.jobs;
    let is_interactive = jobs == 1 && io::stdin().is_terminal() && io::stderr().is_terminal();
    // References must be processed in order in three cases. The user can answer only one question
    // at a time. With -C, each reference must find its partial file by name, and the names depend
    // on the order. With filters, the plan that is printed first is known only if the references
    // are processed in order.
    let is_ordered =
        is_interactive || arguments.continue_at.is_some() || arguments.selection.has_filters();
    let has_lists = arguments.common.files.len() > 1;
    let run = arguments.common.records("fetch", columns)?;
    let is_quiet = arguments.silent && !arguments.show_error;
    let run = run.jobs(jobs).in_order(is_ordered).quiet(is_quiet);
    let settings = Settings {
        standard,
        plans: arguments.plan,
        wanted: if arguments.head {
            Wanted::Metadata
        } else {
            Wanted::Body
        },
        range: arguments.range,
        resume: arguments.continue_at,
        list: ListStyle {
            format: arguments.list,
            end: if arguments.print0 { b'\0' } else { b'\n' },
        },
        with_heads: arguments.include,
        takes_redirects: arguments.no_location,
        with_error_bodies: arguments.fail_with_body,
        write_out: template(arguments.write_out.as_deref())?,
        tree: arguments.recursive.then_some(Tree {
            folder: arguments.output,
            depth: arguments.depth,
            converts: arguments.convert_links,
            keeps_unchanged: arguments.timestamping,
            max: arguments.fetching.max_items,
        }),
    };
    let logins = arguments.access.login.logins().map_err(usage)?;
    let cookies = arguments.access.http.cookies().map_err(usage)?;
    let mut http = arguments.access.http.http(&cookies).map_err(usage)?;
    if let Some(data) = arguments.data.data().map_err(usage)? {
        http = http.data(data);
    }
    let jar = arguments.access.http.clone();
    let retry = arguments.fetching.retry;
    let client = arguments
        .access
        .fetcher(&arguments.fetching, http)
        .map_err(usage)?;
    let reporter = run.reporter();
    let meta = match arguments
        .meta
        .map(|path| meta_file(&path, reporter))
        .transpose()
    {
        Ok(meta) => meta,
        Err(exit) => return Ok(exit),
    };
    let work = Fetch {
        settings,
        transfer: Transfer {
            output: run.output.clone(),
            logins,
            verbose: arguments.verbose,
            shows_notices: !arguments.silent && io::stderr().is_terminal(),
            is_interactive,
            has_lists,
            has_guess: true,
            has_numbers: jobs != 1 && !is_ordered,
            bars: MultiProgress::new(),
        },
        client,
        retry,
        destination,
        meta,
    };
    let exit = run.run("fetch", arguments.selection, work)?;
    Ok(exit.max(save_cookies(&jar, &cookies, reporter)))
}

/// Creates the file of `--meta`, or reports the error.
fn meta_file(path: &Path, reporter: Reporter) -> Result<MetaFile, Exit> {
    MetaFile::create(path).map_err(|error| {
        let name = path.to_string_lossy();
        say!("{}", reporter.about(&name, &io_message(&error)));
        Exit::Io
    })
}

/// Parses the template of `-w`.
fn template(text: Option<&str>) -> Result<Option<Template>, Stop> {
    let template = text.map(Template::read).transpose();
    template.map_err(|message| Stop::usage("fetch", message))
}

/// Returns the first argument of `-f` that looks like a URL and is not an existing file.
fn url_as_list(files: &[PathBuf]) -> Option<String> {
    let mut missing = files.iter().filter(|path| !path.exists());
    missing.find_map(|path| {
        let text = path.to_str()?;
        let url = Standard::Rfc3986.parse(text).ok()?;
        (url.scheme().is_some() && url.authority().is_some()).then(|| text.to_owned())
    })
}

/// Saves cookies if an option requests it, and reports any error.
fn save_cookies(options: &HttpOptions, cookies: &Cookies, reporter: Reporter) -> Exit {
    match options.save_cookies(cookies) {
        Ok(()) => Exit::Good,
        Err((name, error)) => {
            say!("{}", reporter.about(&name, &io_message(&error)));
            Exit::Io
        }
    }
}

/// Returns a message if these options contradict each other.
fn contradiction(arguments: &Arguments, destination: &Destination) -> Option<&'static str> {
    let common = &arguments.common;
    let prints_body = !arguments.plan && !arguments.head && !destination.has_files();
    let is_one_file = destination.has_files() && !destination.takes_several();
    if common.wants_table() && arguments.meta.as_deref() == Some(Path::new("-")) {
        Some("--meta - and a table cannot both go to standard output")
    } else if common.wants_table() && arguments.write_out.is_some() {
        Some("-w and a table cannot both go to standard output")
    } else if arguments.print0 && (arguments.list != ListFormat::References || arguments.plan) {
        Some("--print0 requires --list references, without --plan")
    } else if prints_body && common.wants_records() {
        Some("--json prints the attributes: add -o or -O for the body, or --head or --plan")
    } else if arguments.recursive && !destination.takes_several() {
        Some("--recursive requires a folder: -o FOLDER/ (with the slash)")
    } else if is_one_file && !arguments.plan && !arguments.head && common.references.len() > 1 {
        Some("several references require -O, or -o FOLDER/ (with the slash)")
    } else if arguments.remote_header_name && !destination.takes_several() {
        Some("-J chooses the name of a file: add -O, or -o FOLDER/ (with the slash)")
    } else if arguments.continue_at == Some(Resume::Partial) && !destination.has_files() {
        Some("-C - resumes a download to a file, so it needs -o or -O")
    } else {
        None
    }
}
