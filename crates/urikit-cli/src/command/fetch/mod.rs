//! `uri fetch`: what a reference names, by the protocol of its scheme.
//!
//! ```text
//! options (policy, gateways, protocols) → urikit-access → body (stdout, or a partial file) or listing
//!                                              ↕
//!                                            person
//! ```

mod bar;
mod body;
mod each;
mod failure;
mod list;
mod meta;
mod name;
mod options;
mod partial;
mod person;
mod place;
mod plan;
#[cfg(unix)]
mod raw;

use crate::exit::{Exit, Stop};
use crate::options::Common;
use crate::standard::Reader;
use each::{Does, Fetch};
use list::ListFormat;
use meta::MetaFile;
use options::Options;
use partial::Resume;
use place::Places;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Mutex;

/// Follow references to what they name: files, directories, menus, articles, mail
///
/// The protocol is that of the scheme; `uri schemes` lists the schemes. A directory, a menu or a news group is printed as a
/// list. A fragment is never sent.
///
/// Nothing is connected to in this machine or in a private network without --allow-private, and no port of another
/// protocol without --allow-port. What comes from the network never leads to a file, a mail or a session.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri fetch ftp://ftp.example.org/pub/README
  uri fetch --plan 'ftp://myname@host.dom/%2Fetc/motd;type=a'    # what would be sent
  uri fetch -I gopher://gopher.example.org/0/about.txt           # size, type, date
  uri fetch -o mirror/ -f urls.txt
  uri fetch -C - -O http://example.org/large.iso                 # go on where it ended
  uri fetch --news-server news.example.org news:comp.infosystems.www
  uri fetch --gateway wais=http://gateway.example/get?uri= wais://host/db

URI_GATEWAYS holds gateways as --gateway takes them, with spaces between.

Exit status:
  3  a file cannot be read or written
  4  the policy says no
  5  the network, the protocol or the server failed")]
#[allow(clippy::struct_excessive_bools)] // each is a flag of its own
pub(crate) struct Arguments {
    /// Write the body to FILE, or below FOLDER/ by the name in the URL
    #[arg(short, long, value_name = "FILE", conflicts_with = "remote_name")]
    output: Option<PathBuf>,

    /// Write the body to a file here, by the name in the URL
    #[arg(short = 'O', long)]
    remote_name: bool,

    /// Go on where an earlier transfer ended: at the end of the partial file (`-`), or at byte N
    #[arg(short = 'C', long, value_name = "-|N")]
    continue_at: Option<Resume>,

    /// Print what is known of it (size, type, date), and not the body
    #[arg(short = 'I', long)]
    head: bool,

    /// Print what would be done and sent, and connect to nothing
    #[arg(long, conflicts_with_all = ["output", "remote_name", "meta"])]
    plan: bool,

    /// How lists are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormat::Text)]
    list: ListFormat,

    /// Write one JSON object to FILE for each reference: what it was and what was done
    #[arg(long, value_name = "FILE")]
    meta: Option<PathBuf>,

    /// Print the steps on standard error: > is sent, < is received
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    options: Options,

    #[command(flatten)]
    common: Common,
}

/// Fetches every input.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let mut common = arguments.common;
    let Reader::Rfc(standard) = common.standard else {
        return Err(Stop::usage(
            "fetch",
            "`fetch` follows what is written, which `--standard whatwg` repairs first",
        ));
    };
    let place = Places::new(arguments.output, arguments.remote_name);
    let prints_body = !arguments.plan && !arguments.head && !place.has_files();
    if prints_body {
        // It goes straight to standard output, from the thread that has it.
        common.jobs = 1;
    }
    if prints_body && common.json {
        return Err(Stop::usage(
            "fetch",
            "--json prints what is known; -o or -O says where the body goes, or ask for --head or --plan",
        ));
    }
    if !place.takes_several() && !arguments.plan && !arguments.head && common.references.len() > 1 {
        return Err(Stop::usage(
            "fetch",
            "several references need -O, or -o FOLDER/ with a slash",
        ));
    }
    if arguments.continue_at == Some(Resume::Partial) && !place.has_files() {
        return Err(Stop::usage(
            "fetch",
            "-C - goes on with a file, which -o or -O names",
        ));
    }
    let credentials = match arguments.options.credentials() {
        Ok(credentials) => credentials,
        Err(message) => return Err(Stop::usage("fetch", message)),
    };
    // The first client shows whether the options make sense.
    let client = match arguments.options.client() {
        Ok(client) => client,
        Err(message) => return Err(Stop::usage("fetch", message)),
    };
    let reporter = common.reporter();
    let meta = match arguments
        .meta
        .map(|path| MetaFile::create(&path).map_err(|error| (path, error)))
    {
        None => None,
        Some(Ok(file)) => Some(file),
        Some(Err((path, error))) => {
            let name = path.to_string_lossy();
            anstream::eprint!(
                "{}",
                reporter.about(&name, &crate::report::io_message(&error))
            );
            return Ok(Exit::Io);
        }
    };
    let is_asked = common.jobs <= 1 && io::stdin().is_terminal() && io::stderr().is_terminal();
    if is_asked || arguments.continue_at.is_some() {
        // A person is asked one thing at a time, and a name belongs to the reference that has its partial file.
        common.jobs = 1;
    }
    let work = Fetch {
        output: common.output(),
        standard,
        does: match (arguments.plan, arguments.head) {
            (true, _) => Does::Plan,
            (_, true) => Does::Attributes,
            _ => Does::Body,
        },
        wants_attributes: arguments.head,
        place,
        resume: arguments.continue_at,
        list: arguments.list,
        meta,
        verbose: arguments.verbose,
        is_asked,
        credentials,
        clients: Mutex::new(vec![client]),
        options: arguments.options,
    };
    common.run("fetch", work)
}
