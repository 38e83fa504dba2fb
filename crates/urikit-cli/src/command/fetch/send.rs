//! `uri send`: sends files to what a reference identifies, by the protocol of its scheme.

use super::bar::Bar;
use super::body::Body;
use super::list::{ListFormat, Printer};
use super::netrc::Netrc;
use super::options::Options;
use super::person::{AtTerminal, Teller};
use super::place::Opened;
use super::{failure, plan, write_cookies};
use crate::exit::{Exit, Stop};
use crate::options::Reporting;
use crate::output::Output;
use crate::record::{Object, Steps};
use crate::report::io_message;
use crate::safe::safe;
use crate::screen::say;
use crate::standard::Reader;
use crate::style::{DIM, ERROR, on_stderr};
use clap::ValueHint;
use serde::Serialize;
use serde::ser::Serializer;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::path::Path;
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::percent::encode_with;
use urikit::{AnyRef, Standard};
use urikit_access::{
    Class, Client, Credentials, Error, ErrorKind, Event, Mode, Plan, Prompt, Request, Upload,
    Uploaded,
};

/// Send files: store them by ftp, http or here, post articles, mail attachments
///
/// The scheme of the URL determines the protocol: ftp, ftps and file store the file in place of what
/// is there; http and https send it by PUT, or by the method of -X, and print what the server
/// returns, except with --json; news, snews and nntp post the article in the file to the group;
/// mailto sends the message of the URL, with the files as attachments, through the server of --smtp, and
/// prints it with their names and sizes, except with --json.
/// To a URL that ends in a slash, the name of the file is appended.
///
/// Connections to this machine or to private networks require --allow-private, and connections to
/// ports of other protocols require --allow-port.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri send report.pdf ftp://myname@host.dom/incoming/
  uri send --temporary large.iso ftp://myname@host.dom/pub/large.iso
  uri send -C - large.iso ftp://myname@host.dom/pub/large.iso     # resume a transfer
  date | uri send -a - ftp://myname@host.dom/log.txt
  uri send -u me:secret report.pdf https://dav.example.org/papers/
  uri send -X POST -H 'Content-Type: application/json' - https://api.example.org/items < item.json
  uri send --plan a.txt b.txt ftps://host.dom/pub/                # what would be sent
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
                proxies; those but the first also in upper case")]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(crate) struct Arguments {
    /// Files, `-` for standard input; and at the end the URL to which they are sent
    #[arg(required = true, num_args = 2.., value_names = ["FILE", "URL"], value_hint = ValueHint::FilePath)]
    operands: Vec<OsString>,

    /// ftp, file: append to what is there
    #[arg(short, long, conflicts_with_all = ["continue_at", "temporary"])]
    append: bool,

    /// ftp, file: resume an earlier transfer: send only what is missing there (`-`)
    #[arg(short = 'C', long, value_name = "-", value_parser = ["-"])]
    continue_at: Option<String>,

    /// ftp, file: write to NAME.part, and rename it when it is complete
    #[arg(long)]
    temporary: bool,

    /// Print what would be done and sent, without connecting
    #[arg(long)]
    plan: bool,

    /// Print each step on standard error: `>` is sent, `<` is received
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    options: Options,

    #[command(flatten)]
    reporting: Reporting,
}

/// What is the same for all files.
struct Sending {
    upload: Settings,
    plans: bool,
    verbose: bool,
    output: Output,
    credentials: Option<Credentials>,
    netrc: Netrc,
}

#[derive(Clone, Copy)]
struct Settings {
    mode: Mode,
    resumes: bool,
    temporary: bool,
}

/// A file, or standard input.
struct Source {
    /// As written.
    shown: String,
    /// Its last segment; `None` for standard input.
    name: Option<OsString>,
    size: Option<u64>,
    reader: Box<dyn Read>,
}

/// Sends each file.
pub(crate) fn run(mut arguments: Arguments) -> Result<Exit, Stop> {
    let usage = |message: String| Stop::usage("send", message);
    let Some(url) = arguments.operands.pop() else {
        return Err(usage("expected files and a URL".to_owned()));
    };
    let credentials = arguments.options.credentials().map_err(usage)?;
    let netrc = arguments.options.netrc().map_err(usage)?;
    let cookies = arguments.options.http.cookies().map_err(usage)?;
    let http = arguments.options.http.http(&cookies).map_err(usage)?;
    let mut client = arguments.options.sender(http).map_err(usage)?;
    let output = Output {
        reader: Reader::Rfc(Standard::Rfc3986),
        json: arguments.reporting.json,
        sheet: None,
        end: b'\n',
        terminal: io::stdout().is_terminal(),
        reporter: arguments.reporting.reporter(),
    };
    let url = url.to_string_lossy().into_owned();
    let reference = match Standard::Rfc3986.parse(&url) {
        Ok(reference) => reference,
        Err(error) => {
            let error = Error::new(ErrorKind::Invalid(error));
            report(None, &url, &Err(error), output)?;
            return Ok(Exit::No);
        }
    };
    let mut files = arguments.operands;
    let reads_stdin = files.iter().filter(|file| *file == "-").count();
    if reads_stdin > 1 {
        return Err(usage("standard input can be sent only once".to_owned()));
    }
    if is(reference, &["mailto"]) && files.len() > 1 {
        // One message has all of them.
        let mut mailto = arguments.options.mailto();
        for file in files.drain(..files.len() - 1) {
            match attached(&file) {
                Ok((name, content)) => mailto = mailto.attach(name, content),
                Err(error) => return Ok(unreadable(&file, &error, output)),
            }
        }
        client = client.protocol(mailto);
    }
    let takes_names = takes_names(reference);
    if takes_names && reads_stdin > 0 {
        let what = "standard input has no name: the URL needs one";
        return Err(usage(what.to_owned()));
    }
    if files.len() > 1 && !takes_names {
        return Err(usage(
            "several files require a URL that ends in a slash".to_owned(),
        ));
    }
    let sending = Sending {
        upload: Settings {
            mode: if arguments.append {
                Mode::Append
            } else {
                Mode::Replace
            },
            resumes: arguments.continue_at.is_some(),
            temporary: arguments.temporary,
        },
        plans: arguments.plan,
        verbose: arguments.verbose,
        output: output.clone(),
        credentials,
        netrc,
    };
    let is_interactive =
        reads_stdin == 0 && io::stdin().is_terminal() && io::stderr().is_terminal();
    let mut worst = Exit::Good;
    for file in files {
        let source = match Source::open(&file) {
            Ok(source) => source,
            Err(error) => {
                worst = worst.max(unreadable(&file, &error, output.clone()));
                continue;
            }
        };
        let to = match &source.name {
            Some(name) if takes_names => format!("{url}{}", escaped(name)),
            _ => url.clone(),
        };
        let mut person = AtTerminal::default();
        let mut teller = Teller(output.reporter.quiet);
        let prompt: &mut dyn Prompt = if is_interactive {
            &mut person
        } else {
            &mut teller
        };
        worst = worst.max(sending.send(source, &to, &mut client, prompt)?);
    }
    let cookie_jar = arguments.options.http.cookie_jar();
    Ok(worst.max(write_cookies(
        &cookies,
        cookie_jar.as_deref(),
        output.reporter,
    )))
}

impl Sending {
    fn send(
        &self,
        mut source: Source,
        url: &str,
        client: &mut Client,
        prompt: &mut dyn Prompt,
    ) -> Result<Exit, Stop> {
        let name = source.name.as_ref().map(|name| name.to_string_lossy());
        let reference = match Standard::Rfc3986.parse(url) {
            Ok(reference) => reference,
            Err(error) => {
                let error = Error::new(ErrorKind::Invalid(error));
                report(Some(&source.shown), url, &Err(error), self.output.clone())?;
                return Ok(Exit::No);
            }
        };
        let mut request = Request::new(reference);
        let login = self.credentials.clone();
        let login = login.or_else(|| self.netrc.find_for(reference));
        request.credentials = login.as_ref();
        let mut upload = Upload::of(request)
            .mode(self.upload.mode)
            .resume(self.upload.resumes)
            .via_temporary(self.upload.temporary)
            .size(source.size);
        if let Some(name) = &name {
            upload = upload.name(name);
        }
        if self.plans {
            let planned = client.plan_upload(&upload);
            if let (Ok(plan), false) = (&planned, self.output.json) {
                let mut out = Vec::new();
                plan::print(plan, self.output.clone(), &mut out);
                io::stdout().write_all(&out)?;
            }
            return report(
                Some(&source.shown),
                url,
                &planned.map(Done::Plan),
                self.output.clone(),
            );
        }
        let opened = if self.output.json {
            Opened::Nothing
        } else {
            Opened::Output
        };
        let printer = |terminal| Printer::new(ListFormat::Text, b'\n', terminal);
        let bar = Bar::new(false, None);
        let mut reply = Body::new(opened, printer, self.output.clone(), (bar, None));
        let sent = client.upload(&upload, prompt, &mut source.reader, &mut reply);
        reply.end(sent.is_ok())?;
        let events = sent
            .as_ref()
            .map_or_else(Error::events, |sent| &sent.events);
        if self.verbose && !self.output.reporter.quiet {
            let dim = on_stderr(DIM);
            for event in events {
                say!("{dim}{}{dim:#}\n", safe(&event.to_string()));
            }
        }
        report(
            Some(&source.shown),
            url,
            &sent.map(Done::Sent),
            self.output.clone(),
        )
    }
}

impl Source {
    fn open(file: &OsStr) -> io::Result<Self> {
        if file == "-" {
            return Ok(Self {
                shown: "-".to_owned(),
                name: None,
                size: None,
                reader: Box::new(io::stdin().lock()),
            });
        }
        let path = Path::new(file);
        let reader = File::open(path)?;
        let stat = reader.metadata()?;
        if stat.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(Self {
            shown: file.to_string_lossy().into_owned(),
            name: path.file_name().map(OsStr::to_owned),
            size: stat.is_file().then_some(stat.len()),
            reader: Box::new(reader),
        })
    }
}

/// The name and the content of an attachment.
fn attached(file: &OsStr) -> io::Result<(String, Vec<u8>)> {
    let mut source = Source::open(file)?;
    let mut content = Vec::new();
    source.reader.read_to_end(&mut content)?;
    let name = source.name.unwrap_or_else(|| "standard input".into());
    Ok((name.to_string_lossy().into_owned(), content))
}

fn unreadable(file: &OsStr, error: &io::Error, output: Output) -> Exit {
    let name = file.to_string_lossy();
    say!("{}", output.reporter.about(&name, &io_message(error)));
    Exit::Io
}

fn is(reference: AnyRef<'_>, schemes: &[&str]) -> bool {
    let scheme = reference.scheme().unwrap_or_default();
    schemes.iter().any(|name| name.eq_ignore_ascii_case(scheme))
}

/// Whether the name of the file is appended.
fn takes_names(reference: AnyRef<'_>) -> bool {
    is(reference, &["ftp", "ftps", "file", "http", "https"])
        && reference.path().as_str().ends_with('/')
        && reference.query().is_none()
        && reference.fragment().is_none()
}

/// A name as a segment of a path, in which only unreserved characters are not escaped.
fn escaped(name: &OsStr) -> String {
    encode_with(name.as_encoded_bytes(), UNRESERVED.set()).to_string()
}

enum Done {
    Plan(Plan),
    Sent(Uploaded),
}

/// Reports what was done, or why not.
fn report(
    file: Option<&str>,
    uri: &str,
    done: &Result<Done, Error>,
    output: Output,
) -> Result<Exit, Stop> {
    if output.json {
        let mut out = Vec::new();
        output.record(&mut out, &Record { file, uri, done })?;
        io::stdout().write_all(&out)?;
    }
    let Err(error) = done else {
        return Ok(Exit::Good);
    };
    if !output.json && !output.reporter.quiet {
        let style = on_stderr(ERROR);
        let place = safe(file.unwrap_or("URL"));
        say!(
            "{style}uri: {place}{style:#}: {}\n",
            safe(&error.to_string())
        );
        let advice = failure::advice(error);
        if !advice.is_empty() {
            say!("  {advice}\n");
        }
    }
    Ok(failure::exit(error))
}

/// The result for a file, as JSON. The keys and their order are a public interface.
struct Record<'a> {
    file: Option<&'a str>,
    uri: &'a str,
    done: &'a Result<Done, Error>,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.field("file", &self.file)?;
        object.field("uri", self.uri)?;
        let error = self.done.as_ref().err();
        let valid = error.is_none_or(|error| error.class() != Class::Invalid);
        object.field("valid", &valid)?;
        if let Ok(Done::Plan(plan)) = self.done {
            object.field("plan", &Steps(plan))?;
        } else {
            let sent = match self.done {
                Ok(Done::Sent(sent)) => Some(sent),
                _ => None,
            };
            object.field("scheme", &sent.map(|sent| &sent.scheme))?;
            object.field("offset", &sent.map(|sent| sent.offset))?;
            object.field("sent", &sent.map(|sent| sent.sent))?;
            let events = match self.done {
                Ok(Done::Sent(sent)) => &sent.events[..],
                Err(error) => error.events(),
                Ok(Done::Plan(_)) => &[],
            };
            let steps: Vec<String> = events.iter().map(Event::to_string).collect();
            object.field("steps", &steps)?;
        }
        object.access_error("error", error)?;
        object.end()
    }
}
