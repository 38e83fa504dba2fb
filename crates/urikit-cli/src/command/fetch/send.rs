//! `uri send`: sends files over the protocol of a URL's scheme.

use super::body::{Bar, Body, Target};
use super::list::{ListFormat, ListStyle};
use super::options::AccessOptions;
use super::records::{is_valid, print_plan, result, texts};
use super::save_cookies;
use super::transfer::{Subject, Transfer};
use crate::closed::stdin;
use crate::exit::{Exit, Stop};
use crate::files::read_all;
use crate::options::Reporting;
use crate::output::Output;
use crate::screen::message;
use crate::stdout::stdout;
use clap::ValueHint;
use indicatif::MultiProgress;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::percent::encode_with;
use urikit::{AnyRef, Standard};
use urikit_access::{
    Client, Error, ErrorKind, Event, FileId, Mode, Plan, Request, Upload, Uploaded,
};
use urikit_report::Reader;
use urikit_report::record::{ErrorRecord, Steps};

/// Send files: upload by ftp or http, post articles, mail attachments
///
/// The scheme of the URL determines the protocol. ftp, ftps and file store the file, replacing an
/// existing one. http and https send the file with PUT, or with the method given by -X, and print
/// the response. news, snews and nntp post the article in the file to the group. mailto sends the
/// message in the URL through the server given by --smtp, with the files as attachments, and prints
/// the message with the names and sizes of the attachments. With --json, neither responses nor
/// messages are printed.
///
/// If the URL ends in a slash, the name of the file is appended.
///
/// Connections to this machine or to private networks require --allow-private. Connections to ports
/// of other protocols require --allow-port.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri send report.pdf ftp://myname@host.dom/incoming/
  uri send --temporary large.iso ftp://myname@host.dom/pub/large.iso
  uri send -C - large.iso ftp://myname@host.dom/pub/large.iso     # resumes a transfer
  date | uri send -a - ftp://myname@host.dom/log.txt
  uri send -u me:secret report.pdf https://dav.example.org/papers/
  uri send -X POST -H 'Content-Type: application/json' - https://api.example.org/items < item.json
  uri send --plan a.txt b.txt ftps://host.dom/pub/                # shows what would be sent
  uri send article.txt news:comp.test --news-server news.example.org
  uri send report.pdf 'mailto:tim@example.org?subject=Report' --smtp mail.example.org:587 \\
      --mail-from me@example.org -u me

Exit status:
  0  success
  1  a reference is invalid
  2  usage error
  3  a file cannot be read or written
  4  the policy refuses access
  5  the network, the protocol or the server failed

Environment:
  NNTPSERVER    the news server for URLs without one
  http_proxy, https_proxy, all_proxy, no_proxy
                proxies; all but http_proxy also in upper case")]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Arguments {
    /// The files to send (`-` is standard input), followed by the destination URL
    #[arg(required = true, num_args = 2.., value_names = ["FILE", "URL"],
          value_hint = ValueHint::FilePath)]
    operands: Vec<OsString>,

    /// ftp, file: append to the existing file
    #[arg(short, long, conflicts_with_all = ["continue_at", "temporary"])]
    append: bool,

    /// ftp, file: resume an earlier transfer (`-`), sending only the rest of the file
    #[arg(short = 'C', long, value_name = "-", value_parser = ["-"])]
    continue_at: Option<String>,

    /// ftp, file: write to NAME.part, and rename it once it is complete
    #[arg(long)]
    temporary: bool,

    /// Print what would be done and sent, without connecting
    #[arg(long)]
    plan: bool,

    /// Print each step on standard error as it happens: `>` marks sent data, `<` received
    /// data
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    access: AccessOptions,

    #[command(flatten)]
    reporting: Reporting,
}

/// The options of `uri send` for each file.
struct Settings {
    url: String,
    mode: Mode,
    resumes: bool,
    /// `-m`: the time limit for each file.
    max_time: Duration,
    temporary: bool,
    /// `--plan`: nothing is sent.
    plans: bool,
}

/// Carries out `uri send`.
struct Sender {
    settings: Settings,
    transfer: Transfer,
    client: Client,
}

/// A source to send: a file, or standard input.
struct Source {
    /// The name as given on the command line.
    given: String,
    /// The last segment of the path; `None` for standard input.
    name: Option<OsString>,
    size: Option<u64>,
    /// `None` if the operating system provides no file identifiers.
    id: Option<FileId>,
    reader: SourceReader,
}

/// Reads a file, waiting for data until the deadline: a FIFO may never get a writer, and terminal
/// input may never end.
struct SourceReader {
    file: File,
    deadline: Option<Instant>,
}

/// Sends each file.
pub(crate) fn run(mut arguments: Arguments) -> Result<Exit, Stop> {
    let usage = |message: &str| Stop::usage("send", message);
    let failed = |message: String| Stop::usage("send", message);
    let Some(url) = arguments.operands.pop() else {
        return Err(usage("expected files and a URL"));
    };
    let mut files = arguments.operands;
    let reads_stdin = files.iter().any(|file| file == "-");
    let reporter = arguments.reporting.reporter();
    let transfer = Transfer {
        output: Output {
            reader: Reader::Rfc(Standard::Rfc3986),
            json: arguments.reporting.json,
            sheet: None,
            end: b'\n',
            terminal: io::stdout().is_terminal(),
            reporter,
        },
        logins: arguments.access.login.logins().map_err(failed)?,
        verbose: arguments.verbose,
        shows_notices: io::stderr().is_terminal(),
        is_interactive: !reads_stdin && io::stdin().is_terminal() && io::stderr().is_terminal(),
        has_lists: false,
        has_guess: false,
        has_numbers: false,
        bars: MultiProgress::new(),
    };
    let cookies = arguments.access.http.cookies().map_err(failed)?;
    let http = arguments.access.http.http(&cookies).map_err(failed)?;
    let mut sender = Sender {
        settings: Settings {
            url: url.to_string_lossy().into_owned(),
            mode: if arguments.append {
                Mode::Append
            } else {
                Mode::Replace
            },
            resumes: arguments.continue_at.is_some(),
            max_time: arguments.access.max_time,
            temporary: arguments.temporary,
            plans: arguments.plan,
        },
        transfer,
        client: arguments.access.sender(http).map_err(failed)?,
    };
    let url = sender.settings.url.clone();
    let reference = match Standard::Rfc3986.parse(&url) {
        Ok(reference) => reference,
        Err(error) => return sender.invalid(None, &url, error),
    };
    if files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(usage("standard input can be sent only once"));
    }
    if is(reference, &["mailto"]) && files.len() > 1 {
        // All files become attachments of one message, which is sent when the last file is
        // processed.
        let mut mailto = arguments.access.mailto();
        for file in files.drain(..files.len() - 1) {
            match attachment(&file, sender.settings.max_time) {
                Ok((name, content)) => mailto = mailto.attach(name, content),
                Err(error) => return Ok(sender.unreadable(&file, &error)),
            }
        }
        sender.client = sender.client.protocol(mailto);
    }
    let appends_names = appends_names(reference);
    if appends_names && reads_stdin {
        return Err(usage(
            "standard input has no name: add a file name to the URL",
        ));
    }
    if files.len() > 1 && !appends_names {
        return Err(usage("to send several files, the URL must end in a slash"));
    }
    let mut worst = Exit::Good;
    for file in files {
        let exit = match Source::open(&file, sender.settings.max_time) {
            Ok(source) => {
                let url = match &source.name {
                    Some(name) if appends_names => format!("{url}{}", escaped(name)),
                    _ => url.clone(),
                };
                sender.send(source, &url)?
            }
            Err(error) => sender.unreadable(&file, &error),
        };
        worst = worst.max(exit);
    }
    Ok(worst.max(save_cookies(&arguments.access.http, &cookies, reporter)))
}

impl Sender {
    fn send(&mut self, mut source: Source, url: &str) -> Result<Exit, Stop> {
        let reference = match Standard::Rfc3986.parse(url) {
            Ok(reference) => reference,
            Err(error) => return self.invalid(Some(&source.given), url, error),
        };
        let mut request = Request::new(reference);
        let login = self.transfer.login(reference);
        let observer = self.transfer.observer(Subject::File(&source.given));
        request.credentials = login.as_ref();
        request.observer = observer.as_ref();
        let mut upload = Upload::of(request)
            .mode(self.settings.mode)
            .resume(self.settings.resumes)
            .via_temporary(self.settings.temporary)
            .size(source.size);
        upload.file = source.id;
        let name = source.name.as_ref().map(|name| name.to_string_lossy());
        if let Some(name) = &name {
            upload = upload.name(name);
        }
        let file = Some(source.given.as_str());
        if self.settings.plans {
            let planned = self.client.plan_upload(&upload);
            let mut plain = Vec::new();
            print_plan(&planned, &self.transfer.output, &mut plain);
            if !self.transfer.output.json {
                stdout().write_all(&plain)?;
            }
            return self.report(file, url, &planned.map(Done::Plan), result(&plain));
        }
        let Output { json, terminal, .. } = self.transfer.output;
        let target = if json {
            Target::Discard
        } else {
            Target::Stdout { is_explicit: false }
        };
        let list = ListStyle {
            format: ListFormat::Text,
            end: b'\n',
        };
        let mut response = Body::new(target, terminal, list, Bar::new(false, &self.transfer.bars));
        let mut prompt = self.transfer.prompt();
        let reader = &mut source.reader;
        let sent = self
            .client
            .upload(&upload, &mut *prompt, reader, &mut response);
        // Restore the terminal before anything else is written.
        drop(prompt);
        response.end(sent.is_ok())?;
        self.report(file, url, &sent.map(Done::Sent), None)
    }

    /// Reports that the URL is invalid.
    fn invalid(
        &self,
        file: Option<&str>,
        url: &str,
        error: urikit::ParseError,
    ) -> Result<Exit, Stop> {
        let error = Error::new(ErrorKind::Invalid(error));
        self.report(file, url, &Err(error), None)
    }

    /// Reports the outcome for one file, or for all files if `file` is `None`.
    fn report(
        &self,
        file: Option<&str>,
        url: &str,
        done: &Result<Done, Error>,
        result: Option<&[u8]>,
    ) -> Result<Exit, Stop> {
        let mut out = Vec::new();
        let record = SendRecord::new(file, url, done);
        self.transfer.record(&record, result, &mut out)?;
        stdout().write_all(&out)?;
        let subject = Subject::File(file.unwrap_or("URL"));
        let mut messages = String::new();
        self.transfer.steps(subject, steps_of(done), &mut messages);
        let exit = match done {
            Ok(_) => Exit::Good,
            Err(error) => self.transfer.failed(subject, error, &mut messages),
        };
        message(&messages);
        Ok(exit)
    }

    fn unreadable(&self, file: &OsStr, error: &io::Error) -> Exit {
        let mut messages = String::new();
        let name = file.to_string_lossy();
        let exit = self.transfer.file_failed(&name, error, &mut messages);
        message(&messages);
        exit
    }
}

impl Source {
    /// Opens a file, or standard input for `-`. Opening a FIFO does not wait for its writer.
    fn open(given: &OsStr, max_time: Duration) -> io::Result<Self> {
        let is_stdin = given == "-";
        let path = Path::new(if is_stdin {
            OsStr::new("/dev/stdin")
        } else {
            given
        });
        let file = if is_stdin {
            File::from(stdin()?.as_fd().try_clone_to_owned()?)
        } else {
            let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
            OpenOptions::new()
                .read(true)
                .custom_flags(flags)
                .open(path)?
        };
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let name = path.file_name().filter(|_| !is_stdin);
        let has_size = metadata.is_file() && !is_stdin;
        Ok(Self {
            given: given.to_string_lossy().into_owned(),
            name: name.map(OsStr::to_owned),
            size: has_size.then_some(metadata.len()),
            id: metadata.is_file().then(|| FileId::of(&metadata)),
            reader: SourceReader {
                file,
                deadline: Instant::now().checked_add(max_time),
            },
        })
    }
}

impl Read for SourceReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.deadline.map(|deadline| {
                let left = deadline.saturating_duration_since(Instant::now());
                Timespec::try_from(left).unwrap_or(Timespec {
                    tv_sec: i64::MAX,
                    tv_nsec: 0,
                })
            });
            let mut ready = [PollFd::new(&self.file, PollFlags::IN)];
            match poll(&mut ready, left.as_ref()) {
                Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
                Err(rustix::io::Errno::INTR) => continue,
                result => drop(result?),
            }
            match self.file.read(buffer) {
                // Another process has already read the data.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// The maximum size of an attachment, in bytes. Messages are composed in memory.
const MAX_ATTACHMENT: u64 = 256 << 20;

/// Returns the name and the content of an attachment.
fn attachment(file: &OsStr, max_time: Duration) -> io::Result<(String, Vec<u8>)> {
    let source = Source::open(file, max_time)?;
    let content = read_all(source.reader, MAX_ATTACHMENT)?;
    let name = source.name.unwrap_or_else(|| "standard input".into());
    Ok((name.to_string_lossy().into_owned(), content))
}

fn is(reference: AnyRef<'_>, schemes: &[&str]) -> bool {
    let scheme = reference.scheme().unwrap_or_default();
    schemes.iter().any(|name| name.eq_ignore_ascii_case(scheme))
}

/// Returns true if file names are appended to the URL.
fn appends_names(reference: AnyRef<'_>) -> bool {
    is(reference, &["ftp", "ftps", "file", "http", "https"])
        && reference.path().as_str().ends_with('/')
        && reference.query().is_none()
        && reference.fragment().is_none()
}

/// Escapes all characters of a name except unreserved ones, for use as a path segment.
fn escaped(name: &OsStr) -> String {
    encode_with(name.as_encoded_bytes(), UNRESERVED.set()).to_string()
}

enum Done {
    Plan(Plan),
    Sent(Uploaded),
}

/// Returns the steps of a transfer. A plan has no recorded steps.
fn steps_of(done: &Result<Done, Error>) -> &[Event] {
    match done {
        Ok(Done::Plan(_)) => &[],
        Ok(Done::Sent(sent)) => &sent.events,
        Err(error) => error.events(),
    }
}

/// The outcome for a file as `--json` prints it. The keys and their order are a public interface.
#[derive(serde::Serialize)]
struct SendRecord<'a> {
    file: Option<&'a str>,
    uri: &'a str,
    valid: bool,
    #[serde(flatten)]
    outcome: OutcomeKeys<'a>,
    error: Option<ErrorRecord>,
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum OutcomeKeys<'a> {
    Plan {
        plan: Steps<'a>,
    },
    Sent {
        scheme: Option<&'a str>,
        offset: Option<u64>,
        sent: Option<u64>,
        steps: Vec<String>,
    },
}

impl<'a> SendRecord<'a> {
    fn new(file: Option<&'a str>, uri: &'a str, done: &'a Result<Done, Error>) -> Self {
        let error = done.as_ref().err();
        let outcome = match done {
            Ok(Done::Plan(plan)) => OutcomeKeys::Plan { plan: Steps(plan) },
            Ok(Done::Sent(sent)) => OutcomeKeys::Sent {
                scheme: Some(&sent.scheme),
                offset: Some(sent.offset),
                sent: Some(sent.sent),
                steps: texts(steps_of(done)),
            },
            Err(_) => OutcomeKeys::Sent {
                scheme: None,
                offset: None,
                sent: None,
                steps: texts(steps_of(done)),
            },
        };
        Self {
            file,
            uri,
            valid: is_valid(error),
            outcome,
            error: error.map(ErrorRecord::from),
        }
    }
}
