//! The parts that `uri fetch`, recursive copies and `uri send` share: logins, prompts, and reports
//! of what happened.

use super::login::Logins;
use super::prompt::{NoticesOnly, TerminalPrompt};
use crate::exit::Exit;
use crate::input::{Input, Source};
use crate::output::Output;
use crate::report::{Reporter, io_message};
use crate::safe::safe;
use crate::screen::message;
use crate::style::{DIM, ERROR};
use indicatif::MultiProgress;
use serde::Serialize;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use urikit::{AnyRef, Standard};
use urikit_access::policy::{AddressKind, Refusal};
use urikit_access::{Class, Credentials, Error, ErrorKind, Event, Hop, Observer, Prompt};
use urikit_report::mask::mask;

/// Provides logins and prompts, and reports the results, for every transfer of a run.
#[allow(clippy::struct_excessive_bools)] // independent options
pub(super) struct Transfer {
    pub(super) output: Output,
    pub(super) logins: Logins,
    /// `-v`: report every step.
    pub(super) verbose: bool,
    /// True if messages about several references may be interleaved. Each message then gets a
    /// number.
    pub(super) has_numbers: bool,
    /// The progress bars, which are hidden while messages are printed.
    pub(super) bars: MultiProgress,
    /// True if standard error is a terminal that shows redirects and progress.
    pub(super) shows_notices: bool,
    /// True if the user can answer questions.
    pub(super) is_interactive: bool,
    /// True if the references come from several lists.
    pub(super) has_lists: bool,
    /// True if the command has the `--guess` option, which advice may recommend.
    pub(super) has_guess: bool,
}

/// The subject of a message about a transfer.
#[derive(Clone, Copy)]
pub(super) enum Subject<'a> {
    Input(Input<'a>),
    /// A file to send, or the word `URL` if the error is in the URL.
    File(&'a str),
}

impl Transfer {
    /// Returns the login for the server of a reference.
    pub(super) fn login(&self, reference: AnyRef<'_>) -> Option<Credentials> {
        self.logins.find(reference)
    }

    /// Returns a prompt for one transfer. Dropping the prompt restores the terminal, so drop it
    /// before anything else is written.
    pub(super) fn prompt(&self) -> Box<dyn Prompt> {
        if self.is_interactive {
            Box::new(TerminalPrompt::default())
        } else {
            let quiet = self.output.reporter.quiet;
            Box::new(NoticesOnly { quiet })
        }
    }

    /// Returns true if progress is shown on standard error.
    pub(super) const fn shows_progress(&self) -> bool {
        self.shows_notices && !self.output.reporter.quiet
    }

    /// Prints the record of a transfer with its result, with `--json`.
    pub(super) fn record(
        &self,
        record: &impl Serialize,
        result: Option<&[u8]>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        if self.output.json {
            self.output.record_with(out, record, result)?;
        }
        Ok(())
    }

    /// Returns the observer that prints each step as it happens, with `-v`.
    pub(super) fn observer(&self, subject: Subject<'_>) -> Option<Arc<dyn Observer>> {
        let is_wanted = self.verbose && !self.output.reporter.quiet;
        is_wanted.then(|| {
            let (prefix, bars) = (self.prefix(subject), self.bars.clone());
            Arc::new(LiveSteps {
                prefix,
                reporter: self.output.reporter,
                bars,
            }) as Arc<dyn Observer>
        })
    }

    /// With `-v`, prints the messages immediately. The number of the reference precedes each line.
    pub(super) fn show(&self, subject: Subject<'_>, messages: &mut String) {
        if self.verbose && !messages.is_empty() {
            let prefix = self.prefix(subject);
            let lines = messages.lines().map(|line| format!("{prefix}{line}\n"));
            let text: String = lines.collect();
            self.bars.suspend(|| message(&text));
            messages.clear();
        }
    }

    /// Returns the number of a reference as a prefix for messages, if they need one.
    fn prefix(&self, subject: Subject<'_>) -> String {
        match subject {
            Subject::Input(input) if self.has_numbers => format!("[{}] ", input.index + 1),
            _ => String::new(),
        }
    }

    /// Reports the steps of a transfer that the user must know about. With `-v`, all steps have
    /// already been reported.
    pub(super) fn steps(&self, subject: Subject<'_>, steps: &[Event], messages: &mut String) {
        if self.verbose {
            return;
        }
        for step in steps {
            // A user wants to see redirects, but programs expect nothing on stderr after success.
            let is_notice = matches!(step, Event::Redirected { .. }) && self.shows_notices;
            if is_notice && !self.output.reporter.quiet {
                let _ = writeln!(messages, "{}", dimmed(step, self.output.reporter));
            } else if is_important(step) && !self.output.json {
                self.say(subject, &step.to_string(), "", messages);
            }
        }
    }

    /// Reports an error with advice, except with `--json`. Returns the exit status.
    pub(super) fn failed(
        &self,
        subject: Subject<'_>,
        error: &Error,
        messages: &mut String,
    ) -> Exit {
        if !self.output.json {
            let advice = self.advice(error);
            match (subject, is_denied(error)) {
                (Subject::Input(input), true) => self.denied(input, error, &advice, messages),
                _ => self.say(subject, &summary(error), &advice, messages),
            }
        }
        exit_status(error)
    }

    /// Reports the status of a response that refuses the request. `-v` shows the exchange.
    fn denied(&self, input: Input<'_>, error: &Error, advice: &str, messages: &mut String) {
        let Reporter {
            quiet,
            show_secrets,
            ..
        } = self.output.reporter;
        if quiet {
            return;
        }
        let urls: Vec<_> = error
            .hops()
            .iter()
            .map(|hop| mask(&hop.uri, show_secrets).into_owned())
            .collect();
        let urls = urls.join(" → ");
        let number = input.number;
        let place = match input.source {
            Source::Arguments => format!("argument {number}"),
            source if self.has_lists => format!("line {number} of {}", source.name()),
            _ => format!("line {number}"),
        };
        let style = self.output.reporter.style(ERROR);
        let text = format!("{}  {urls}  ({place})", summary(error));
        let _ = writeln!(messages, "{style}uri:{style:#} {}", safe(&text));
        if !advice.is_empty() {
            let _ = writeln!(messages, "  {advice}");
        }
    }

    /// Reports a file that cannot be read or written.
    pub(super) fn file_failed(&self, name: &str, error: &io::Error, messages: &mut String) -> Exit {
        messages.push_str(&self.output.reporter.about(name, &io_message(error)));
        Exit::Io
    }

    /// Adds a message, and the advice on the next line unless the advice is empty.
    pub(super) fn say(
        &self,
        subject: Subject<'_>,
        text: &str,
        advice: &str,
        messages: &mut String,
    ) {
        if self.output.reporter.quiet {
            return;
        }
        let style = self.output.reporter.style(ERROR);
        let place = match subject {
            Subject::Input(input) => self.output.reporter.place(input),
            Subject::File(name) => safe(name).into_owned(),
        };
        let _ = writeln!(messages, "{style}uri: {place}{style:#}: {}", safe(text));
        if !advice.is_empty() {
            let _ = writeln!(messages, "  {advice}");
        }
    }

    /// Adds a note about a successful transfer, except with `--json`.
    pub(super) fn note(&self, subject: Subject<'_>, text: &str, messages: &mut String) {
        if !self.output.json {
            self.say(subject, text, "", messages);
        }
    }

    /// Adds a hint about a success that may really be a failure: many gopher servers send their
    /// error message as the body of an item whose type does not exist.
    pub(super) fn hint(&self, subject: Subject<'_>, url: &str, messages: &mut String) {
        if let Some(hint) = gopher_hint(url, |letter| GOPHER_TYPES.contains(&letter)) {
            self.note(subject, &hint, messages);
        }
    }

    /// Returns advice about an option that may help; empty if there is none.
    pub(super) fn advice(&self, error: &Error) -> String {
        match error.kind() {
            // No option allows other special addresses, such as link-local ones.
            ErrorKind::Refused(Refusal::Address {
                kind: AddressKind::Loopback | AddressKind::Private,
                ..
            }) => "--allow-private permits connections to this machine and private networks"
                .to_owned(),
            ErrorKind::Refused(Refusal::Redirect { to, .. }) => {
                format!("add +{to} to --proto-redir to allow this redirect")
            }
            ErrorKind::Refused(Refusal::Port { port } | Refusal::DatagramPort { port })
                if *port != 0 =>
            {
                format!("--allow-port {port} allows this port")
            }
            ErrorKind::Refused(Refusal::Bytes { .. }) => {
                "--max-filesize BYTES raises the limit".to_owned()
            }
            ErrorKind::Untrusted(_) => {
                "--cacert FILE trusts this certificate, or the CA that signed it".to_owned()
            }
            ErrorKind::NoPassword => "-u USER:PASSWORD sets the password".to_owned(),
            ErrorKind::NoProtocol { scheme } => {
                format!("--gateway {scheme}=URL sets a server that fetches these URLs")
            }
            ErrorKind::Relative if self.has_guess => {
                "write the complete URL, such as http://example.org/, or use --guess".to_owned()
            }
            ErrorKind::Relative => "write the complete URL, such as http://example.org/".to_owned(),
            // With -u, the login would go to the server of the URL.
            ErrorKind::ProxyLogin { .. } => {
                "put the login in the proxy's URL (-x, or the environment): USER:PASSWORD@"
                    .to_owned()
            }
            ErrorKind::Local(error) if error.kind() == io::ErrorKind::InvalidData => {
                "-o FILE writes the body to a file, and -o - to the terminal".to_owned()
            }
            ErrorKind::NoRanges => "omit -r to fetch the complete body".to_owned(),
            ErrorKind::LoginRequired if wants_digest(error) => {
                "--digest logs in with the method the server requires, using the user and \
                 password given with -u"
                    .to_owned()
            }
            ErrorKind::LoginRequired if matches!(error.status(), Some(60..=69)) => {
                "--cert FILE presents a client certificate".to_owned()
            }
            ErrorKind::CannotResume => "omit -C to transfer the complete file".to_owned(),
            ErrorKind::LongerThere { .. } => "omit -C to replace it".to_owned(),
            kind if kind.is_denial() => {
                let url = error.hops().last().map(|hop| &*hop.uri);
                let hint = url.and_then(|url| gopher_hint(url, |_| false));
                hint.unwrap_or_default()
            }
            _ => String::new(),
        }
    }
}

/// Prints steps on standard error as they happen.
struct LiveSteps {
    prefix: String,
    reporter: Reporter,
    bars: MultiProgress,
}

impl Observer for LiveSteps {
    fn event(&self, event: &Event) {
        let text = format!("{}{}", self.prefix, dimmed(event, self.reporter));
        self.bars.suspend(|| message(&text));
    }
}

fn dimmed(step: &Event, reporter: Reporter) -> String {
    let dim = reporter.style(DIM);
    format!("{dim}{}{dim:#}", safe(&step.to_string()))
}

/// Returns true for steps that make the transfer less secure or less efficient than requested.
/// These steps are reported even without `-v`.
const fn is_important(step: &Event) -> bool {
    matches!(
        step,
        Event::Downgraded | Event::StartedOver | Event::Unverified(_)
    )
}

/// The letters that are in use as Gopher item types.
const GOPHER_TYPES: &[u8] = b"IMPTXcdeghiprs";

/// Returns the URL that the user may have meant by a gopher URL such as `gopher://h/about`. The
/// first letter of the path is the type of the item (RFC 4266, 2.1), and is rarely followed by a
/// letter.
fn gopher_hint(url: &str, is_type: impl Fn(u8) -> bool) -> Option<String> {
    let uri = Standard::Rfc3986.parse(url).ok()?;
    let is_gopher = uri.scheme()?.eq_ignore_ascii_case("gopher");
    let (authority, path) = (uri.authority()?, uri.path().as_str());
    let is_word = match path.as_bytes() {
        [b'/', first, second, ..] => {
            first.is_ascii_alphabetic() && !is_type(*first) && second.is_ascii_alphabetic()
        }
        _ => false,
    };
    let url = format!("gopher://{}/0{path}", authority.as_str());
    (is_gopher && is_word).then(|| {
        format!(
            "the item type precedes the selector; for a text file: {}",
            safe(&mask(&url, false))
        )
    })
}

/// Returns true if the server accepts only Digest (RFC 9110, 11.6.1).
fn wants_digest(error: &Error) -> bool {
    let Some(hop) = error.hops().last() else {
        return false;
    };
    let mut schemes = hop
        .values("WWW-Authenticate")
        .flat_map(challenges)
        .peekable();
    hop.status == Some(401)
        && schemes.peek().is_some()
        && schemes.all(|scheme| scheme.eq_ignore_ascii_case("Digest"))
}

/// Returns the schemes of the challenges in a field. A comma also separates the parameters of one
/// challenge, but only a scheme is followed by a space with no `=` before it.
fn challenges(field: &str) -> impl Iterator<Item = &str> {
    let parts = field.split(',').map(str::trim);
    parts.filter_map(|part| {
        let word = part.split(' ').next().unwrap_or_default();
        let is_scheme = !word.is_empty() && !word.contains(['=', '"']);
        is_scheme.then_some(word)
    })
}

/// Returns true if the status of the last response means that the request was refused.
fn is_denied(error: &Error) -> bool {
    error.kind().is_denial() && error.status().is_some()
}

/// Describes an error in one line: the status of a response that refuses the request, or else the
/// error.
pub(super) fn summary(error: &Error) -> String {
    let status = |hop: &Hop| is_denied(error).then(|| hop.status_text());
    let special = |hop: &Hop| status(hop).or_else(|| without_tls(error, &hop.uri));
    let last = error.hops().last();
    last.and_then(special).unwrap_or_else(|| error.to_string())
}

/// Describes the failure of an `https` URL whose server does not speak TLS.
fn without_tls(error: &Error, url: &str) -> Option<String> {
    let url = Standard::Rfc3986.parse(url).ok()?;
    let is_https = url.scheme()?.eq_ignore_ascii_case("https");
    if !is_https || !matches!(error.kind(), ErrorKind::NoTls) {
        return None;
    }
    let port = url.port().map(|port| format!(":{port}"));
    let (host, port) = (url.host()?.as_str(), port.unwrap_or_default());
    Some(format!("{host}{port} does not speak TLS (is it http?)"))
}

/// Returns the exit status for an error.
pub(super) fn exit_status(error: &Error) -> Exit {
    match error.class() {
        Class::Invalid => Exit::No,
        Class::Local => Exit::Io,
        Class::Refused => Exit::Refused,
        Class::Failed => Exit::Failed,
    }
}
