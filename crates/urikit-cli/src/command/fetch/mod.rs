//! `uri fetch`: what a reference names, by the protocol of its scheme.
//!
//! ```text
//! options (policy, gateways, protocols) → urikit-access → body (stdout, or a partial file) or listing
//!                                              ↕
//!                                            person
//! ```

mod bar;
mod body;
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

use crate::answers::Answers;
use crate::cli::Common;
use crate::exit::Exit;
use crate::input::Input;
use crate::reading::Failure;
use crate::run::Work;
use crate::standard::Reader;
use crate::style::{DIM, ERROR, on_stderr};
use crate::usage;
use body::{Body, Taken};
use list::ListFormat;
use meta::{MetaFile, Record};
use options::Options;
use person::AtTerminal;
use place::{Places, Resume};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use urikit::{AnyRef, Standard};
use urikit_access::policy::Refusal;
use urikit_access::{
    Class, Client, Credentials, Error, ErrorKind, Meta, Nobody, Person, Request, Wanted,
};

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
pub(crate) fn run(arguments: Arguments) -> io::Result<Exit> {
    let mut common = arguments.common;
    let Reader::Rfc(standard) = common.standard else {
        return Ok(usage::conflict(
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
        return Ok(usage::conflict(
            "fetch",
            "--json prints what is known; -o or -O says where the body goes, or ask for --head or --plan",
        ));
    }
    if !place.takes_several() && !arguments.plan && !arguments.head && common.references.len() > 1 {
        return Ok(usage::conflict(
            "fetch",
            "several references need -O, or -o FOLDER/ with a slash",
        ));
    }
    if arguments.continue_at == Some(Resume::Partial) && !place.has_files() {
        return Ok(usage::conflict(
            "fetch",
            "-C - goes on with a file, which -o or -O names",
        ));
    }
    let credentials = match arguments.options.credentials() {
        Ok(credentials) => credentials,
        Err(message) => return Ok(usage::conflict("fetch", &message)),
    };
    // The first client shows whether the options make sense.
    let client = match arguments.options.client() {
        Ok(client) => client,
        Err(message) => return Ok(usage::conflict("fetch", &message)),
    };
    let reporter = common.answers().reporter;
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
        answers: common.answers(),
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

/// What is done with each reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Plan,
    Attributes,
    Body,
}

struct Fetch {
    answers: Answers,
    standard: Standard,
    does: Does,
    wants_attributes: bool,
    place: Places,
    resume: Option<Resume>,
    list: ListFormat,
    meta: Option<MetaFile>,
    verbose: bool,
    is_asked: bool,
    credentials: Option<Credentials>,
    /// Clients that no worker uses now, with their connections.
    clients: Mutex<Vec<Client>>,
    options: Options,
}

impl Work for Fetch {
    fn input(
        &self,
        input: Input<'_>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let reference = match self.standard.parse_bytes(input.bytes) {
            Ok(reference) => reference,
            Err(error) => {
                let failure = Failure::Rfc(error);
                if self.answers.json {
                    self.answers
                        .record(out, &Record::invalid(input.bytes, &failure.summary()))?;
                } else {
                    self.answers.invalid(input, &failure, messages);
                }
                return Ok(Exit::No);
            }
        };
        let mut client = self.client();
        let exit = match self.does {
            Does::Plan => self.plan(&client, input, reference, out, messages),
            Does::Body | Does::Attributes => {
                self.fetch(&mut client, input, reference, out, messages)
            }
        };
        self.clients
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(client);
        exit
    }
}

impl Fetch {
    /// A client that nobody uses; the options of the first one made sense, and so do these.
    fn client(&self) -> Client {
        let idle = self
            .clients
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        idle.or_else(|| self.options.client().ok())
            .unwrap_or_else(|| Client::new(self.options.policy()))
    }

    fn request<'a>(&'a self, reference: AnyRef<'a>) -> Request<'a> {
        let mut request = Request::new(reference);
        request.credentials = self.credentials.as_ref();
        if self.wants_attributes {
            request.wanted = Wanted::Attributes;
        }
        request
    }

    fn plan(
        &self,
        client: &Client,
        input: Input<'_>,
        reference: AnyRef<'_>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let mut request = self.request(reference);
        if let Some(Resume::At(bytes)) = self.resume {
            request.resume = bytes;
        }
        let plan = client.plan(&request);
        if self.answers.json {
            self.answers
                .record(out, &plan::Record::new(reference.as_str(), plan.as_ref()))?;
        } else if let Ok(plan) = &plan {
            if input.index > 0 {
                out.push(b'\n');
            }
            plan::print(plan, self.answers.reporter.show_secrets, out)?;
        }
        Ok(match &plan {
            Ok(_) => Exit::Good,
            Err(error) => {
                self.failed(input, error, messages);
                exit(error)
            }
        })
    }

    fn fetch(
        &self,
        client: &mut Client,
        input: Input<'_>,
        reference: AnyRef<'_>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let mut request = self.request(reference);
        let prints_body = self.does == Does::Body && !self.place.has_files();
        if prints_body && input.index > 0 {
            let what = "several references need -O, or -o FOLDER/ with a slash";
            self.say(input, what, "", messages);
            return Ok(Exit::Usage);
        }
        let taken = if self.does == Does::Attributes {
            Ok(Taken::Nothing)
        } else {
            self.place.take(reference, self.resume)
        };
        let taken = match taken {
            Ok(taken) => taken,
            Err((path, error)) => {
                messages.push_str(
                    &self
                        .answers
                        .reporter
                        .about(&path, &crate::report::io_message(&error)),
                );
                return Ok(Exit::Io);
            }
        };
        request.resume = taken.offset(self.resume);
        let mut body = Body::new(taken, self.list, self.answers);
        let mut nobody = Nobody;
        let mut person = AtTerminal::default();
        let asked: &mut dyn Person = if self.is_asked {
            &mut person
        } else {
            &mut nobody
        };
        let fetched = client.fetch(&request, asked, &mut body);
        // The terminal is as it was before anything else is written.
        drop(person);
        let ended = body.end(fetched.is_ok());
        let fetched = match ended {
            Ok(()) => fetched,
            // A closed pipe is nobody's loss, and the program's way to end.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(error),
            Err(error) => fetched.and(Err(Error::new(ErrorKind::Local(error)))),
        };
        if let Err(error) = &fetched
            && let ErrorKind::Local(local) = error.kind()
            && local.kind() == io::ErrorKind::BrokenPipe
        {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.done(input, reference.as_str(), &fetched, out, messages)
    }

    /// Prints what is known, and what went wrong.
    fn done(
        &self,
        input: Input<'_>,
        uri: &str,
        fetched: &Result<Meta, Error>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let steps = fetched
            .as_ref()
            .map_or_else(Error::steps, |meta| &meta.steps);
        for step in steps {
            if self.verbose && !self.answers.reporter.quiet {
                let dim = on_stderr(DIM);
                let _ = writeln!(messages, "{dim}{}{dim:#}", crate::safe::safe(step));
            } else if step.starts_with("led on") && !self.answers.json {
                self.say(input, step, "", messages);
            }
        }
        let record = Record::new(uri, fetched.as_ref());
        let mut worst = Exit::Good;
        if let Some(file) = &self.meta
            && let Err(error) = file.write(&record)
        {
            let message = crate::report::io_message(&error);
            messages.push_str(&self.answers.reporter.about(&file.name(), &message));
            worst = Exit::Io;
        }
        if self.answers.json {
            self.answers.record(out, &record)?;
        } else if let (Does::Attributes, Ok(meta)) = (self.does, fetched) {
            if input.index > 0 {
                out.push(b'\n');
            }
            meta::print(meta, self.answers, out)?;
        }
        Ok(match fetched {
            Ok(_) => worst,
            Err(error) => {
                self.failed(input, error, messages);
                worst.max(exit(error))
            }
        })
    }

    /// Tells why, and what would help.
    fn failed(&self, input: Input<'_>, error: &Error, messages: &mut String) {
        if !self.answers.json {
            self.say(input, &error.to_string(), &advice(error), messages);
        }
    }

    fn say(&self, input: Input<'_>, what: &str, advice: &str, messages: &mut String) {
        if self.answers.reporter.quiet {
            return;
        }
        let style = on_stderr(ERROR);
        let place = self.answers.reporter.place(input);
        let _ = writeln!(
            messages,
            "{style}uri: {place}{style:#}: {}",
            crate::safe::safe(what)
        );
        if !advice.is_empty() {
            let _ = writeln!(messages, "  {advice}");
        }
    }
}

/// What would help.
fn advice(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Refused(Refusal::Address { .. }) => {
            "--allow-private allows this machine and private networks".to_owned()
        }
        ErrorKind::Refused(Refusal::Port { port }) if *port != 0 => {
            format!("--allow-port {port} allows it")
        }
        ErrorKind::Refused(Refusal::Bytes { .. }) => "--max-filesize BYTES allows more".to_owned(),
        ErrorKind::NoPassword => "-u USER:PASSWORD gives one".to_owned(),
        ErrorKind::NoProtocol { scheme } => {
            format!("--gateway {scheme}=URL names a server that gives what such URLs name")
        }
        ErrorKind::Relative => "write it in full, such as http://example.org/".to_owned(),
        ErrorKind::NoResuming => "without -C, the whole is fetched".to_owned(),
        _ => String::new(),
    }
}

/// The exit status of an error.
fn exit(error: &Error) -> Exit {
    match error.class() {
        Class::Invalid => Exit::No,
        Class::Local => Exit::Io,
        Class::Refused => Exit::Refused,
        Class::Failed => Exit::Failed,
    }
}
