//! Fetches or plans each reference.

use super::bar::Bar;
use super::body::Body;
use super::list::{ListFormat, Printer};
use super::meta::{self, MetaFile, Record};
use super::netrc::Netrc;
use super::options::Options;
use super::partial::Resume;
use super::person::{AtTerminal, Teller};
use super::place::{Opened, Places};
use super::receiving::Receiving;
use super::recursive::Tree;
use super::{failure, plan};
use crate::exit::Exit;
use crate::input::Input;
use crate::output::{Output, Printed, Spill};
use crate::reading::Failure;
use crate::run::Work;
use crate::style::{DIM, ERROR, on_stderr};
use indicatif::MultiProgress;
use std::fmt::Write as _;
use std::io;
use std::sync::{Mutex, PoisonError};
use urikit::{AnyRef, ParseError, Standard};
use urikit_access::protocol::Http;
use urikit_access::{
    ByteRange, Client, Credentials, Error, ErrorKind, Event, Prompt, Request, Response, Wanted,
};

/// What to do with each reference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Plan,
    Attributes,
    Body,
}

#[allow(clippy::struct_excessive_bools)] // independent options
pub(super) struct Fetch {
    pub(super) output: Output,
    pub(super) standard: Standard,
    pub(super) mode: Mode,
    pub(super) wants_attributes: bool,
    pub(super) place: Places,
    /// With --recursive.
    pub(super) tree: Option<Tree>,
    pub(super) resume: Option<Resume>,
    pub(super) list: ListFormat,
    /// The byte that ends a reference in a list.
    pub(super) end: u8,
    pub(super) meta: Option<MetaFile>,
    pub(super) verbose: bool,
    /// Whether standard error is a terminal, without -s.
    pub(super) shows_notices: bool,
    pub(super) is_interactive: bool,
    pub(super) credentials: Option<Credentials>,
    pub(super) netrc: Netrc,
    pub(super) range: Option<ByteRange>,
    pub(super) http: Http,
    /// The progress bars of transfers at the same time.
    pub(super) bars: MultiProgress,
    /// Clients that no worker is using, with their connections.
    pub(super) clients: Mutex<Vec<Client>>,
    pub(super) options: Options,
    pub(super) receiving: Receiving,
}

impl Work for Fetch {
    /// Each waits for a server most of the time.
    fn is_slow(&self) -> bool {
        self.mode != Mode::Plan
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let reference = match self.standard.parse_bytes(input.bytes) {
            Ok(reference) => reference,
            Err(error) => {
                if self.output.json {
                    to.rejected.add(Failure::Rfc(error).reason());
                    self.invalid(input, error, &mut to.out)?;
                } else {
                    self.output.invalid(input, &Failure::Rfc(error), to);
                }
                return Ok(Exit::No);
            }
        };
        let Printed {
            out,
            messages,
            spill,
            ..
        } = to;
        let mut client = self.client();
        let exit = match self.mode {
            Mode::Plan => self.plan(&client, input, reference, out, messages),
            _ if self.tree.is_some() => self.copy(&mut client, input, reference, out, messages),
            Mode::Body | Mode::Attributes => {
                let spill = spill.as_ref();
                self.fetch(&mut client, input, reference, (out, messages, spill))
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
    /// An idle client, or a new one. Its options were checked when the first client was built.
    fn client(&self) -> Client {
        let idle = self
            .clients
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let new = || self.options.fetcher(&self.receiving, self.http.clone());
        idle.or_else(|| new().ok()).unwrap_or_else(|| {
            crate::protocols::client(self.receiving.policy(self.options.policy()))
        })
    }

    /// Writes the record of an invalid reference.
    fn invalid(&self, input: Input<'_>, error: ParseError, out: &mut Vec<u8>) -> io::Result<()> {
        let (uri, error) = (input.to_text(), Error::new(ErrorKind::Invalid(error)));
        if self.mode == Mode::Plan {
            let record = plan::Record::new(&uri, Err(&error), input.given);
            return self.output.record(out, &record);
        }
        let record = Record::new(&uri, Err(&error), input.given);
        self.output.record(out, &record)
    }

    /// The login of `--user`, or else that of `.netrc` for the host.
    pub(super) fn login(&self, reference: AnyRef<'_>) -> Option<Credentials> {
        let in_netrc = || self.netrc.find_for(reference);
        self.credentials.clone().or_else(in_netrc)
    }

    pub(super) fn request<'a>(
        &'a self,
        reference: AnyRef<'a>,
        login: Option<&'a Credentials>,
    ) -> Request<'a> {
        let mut request = Request::new(reference);
        request.credentials = login;
        request.range = self.range;
        if self.wants_attributes {
            request.wanted = Wanted::Metadata;
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
        let login = self.login(reference);
        let mut request = self.request(reference, login.as_ref());
        if let Some(Resume::At(bytes)) = self.resume {
            request.resume = bytes;
        }
        let plan = client.plan(&request);
        if self.output.json {
            let record = plan::Record::new(reference.as_str(), plan.as_ref(), input.given);
            self.output.record(out, &record)?;
        } else if let Ok(plan) = &plan {
            if input.index > 0 {
                out.push(b'\n');
            }
            plan::print(plan, self.output, out);
        }
        Ok(match &plan {
            Ok(_) => Exit::Good,
            Err(error) => {
                self.failed(input, error, messages);
                failure::exit(error)
            }
        })
    }

    fn fetch(
        &self,
        client: &mut Client,
        input: Input<'_>,
        reference: AnyRef<'_>,
        (out, messages, spill): (&mut Vec<u8>, &mut String, Option<&Spill>),
    ) -> io::Result<Exit> {
        let place = if self.mode == Mode::Attributes {
            None
        } else {
            match self.place.choose(reference) {
                Ok(place) => Some(place),
                Err((path, error)) => return Ok(self.not_opened(&path, &error, messages)),
            }
        };
        let mut attempts = self.receiving.retry.attempts();
        let mut resume = self.resume;
        loop {
            let opened = match &place {
                None => Ok(Opened::Nothing),
                Some(place) => place.open(reference, resume),
            };
            let opened = match opened {
                Ok(opened) => opened,
                Err((path, error)) => return Ok(self.not_opened(&path, &error, messages)),
            };
            let (fetched, has_output) =
                self.attempt(client, input, reference, opened, (messages, spill))?;
            let wait = fetched
                .as_ref()
                .err()
                .and_then(|error| attempts.after(error));
            // What standard output has received cannot be taken back.
            let Some(wait) = wait.filter(|_| !has_output) else {
                return self.done(input, reference.as_str(), &fetched, out, messages);
            };
            if let Err(error) = &fetched {
                let what = format!("{error}; trying again in {} s", wait.as_secs_f64());
                self.say(input, &what, "", messages);
            }
            std::thread::sleep(wait);
            if self.place.has_files() && self.range.is_none() {
                resume = Some(Resume::Partial);
            }
        }
    }

    fn not_opened(&self, path: &str, error: &io::Error, messages: &mut String) -> Exit {
        let message = crate::report::io_message(error);
        messages.push_str(&self.output.reporter.about(path, &message));
        Exit::Io
    }

    /// Fetches once. Also returns whether something was written to standard output.
    fn attempt(
        &self,
        client: &mut Client,
        input: Input<'_>,
        reference: AnyRef<'_>,
        opened: Opened,
        (messages, spill): (&mut String, Option<&Spill>),
    ) -> io::Result<(Result<Response, Error>, bool)> {
        let login = self.login(reference);
        let mut request = self.request(reference, login.as_ref());
        let (resume, validator) = opened.resumed(self.resume);
        request.resume = resume;
        request.validator = validator.as_deref();
        if let Some(note) = opened.note() {
            self.say(input, note, "", messages);
        }
        let printer = |terminal| Printer::new(self.list, self.end, terminal);
        let bar = Bar::new(
            self.shows_notices && !self.output.reporter.quiet,
            spill.map(|_| {
                (
                    &self.bars,
                    crate::safe::safe(reference.as_str()).into_owned(),
                )
            }),
        );
        let mut body = Body::new(opened, printer, self.output, (bar, spill));
        let mut no_prompt = Teller(self.output.reporter.quiet);
        let mut person = AtTerminal::default();
        let asked: &mut dyn Prompt = if self.is_interactive {
            &mut person
        } else {
            &mut no_prompt
        };
        let fetched = client.fetch(&request, asked, &mut body);
        // This restores the terminal before anything else is written.
        drop(person);
        let has_output = body.has_output();
        let ended = body.end(fetched.is_ok());
        let fetched = match ended {
            Ok(()) => fetched,
            // A closed pipe ends the program silently.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(error),
            Err(error) => fetched.and(Err(Error::new(ErrorKind::Local(error)))),
        };
        if let Err(error) = &fetched
            && let ErrorKind::Local(local) = error.kind()
            && local.kind() == io::ErrorKind::BrokenPipe
        {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok((fetched, has_output))
    }

    /// Prints the attributes, or reports what went wrong.
    fn done(
        &self,
        input: Input<'_>,
        uri: &str,
        fetched: &Result<Response, Error>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let exit = self.recorded(input, uri, fetched, out, messages)?;
        Ok(match fetched {
            Ok(_) => exit,
            Err(error) => {
                self.failed(input, error, messages);
                exit.max(failure::exit(error))
            }
        })
    }

    /// Prints the events and the attributes.
    pub(super) fn recorded(
        &self,
        input: Input<'_>,
        uri: &str,
        fetched: &Result<Response, Error>,
        out: &mut Vec<u8>,
        messages: &mut String,
    ) -> io::Result<Exit> {
        let events = fetched
            .as_ref()
            .map_or_else(Error::events, |response| &response.events);
        for event in events {
            // A person may want to know where a redirect leads; a program does not.
            let is_notice = matches!(event, Event::Redirected { .. }) && self.shows_notices;
            if (self.verbose || is_notice) && !self.output.reporter.quiet {
                let dim = on_stderr(DIM);
                let text = event.to_string();
                let _ = writeln!(messages, "{dim}{}{dim:#}", crate::safe::safe(&text));
            } else if is_always_shown(event) && !self.output.json {
                self.say(input, &event.to_string(), "", messages);
            }
        }
        let record = Record::new(uri, fetched.as_ref(), input.given);
        let mut worst = Exit::Good;
        if let Some(file) = &self.meta
            && let Err(error) = file.write(&record, self.output, out)
        {
            let message = crate::report::io_message(&error);
            messages.push_str(&self.output.reporter.about(&file.name(), &message));
            worst = Exit::Io;
        }
        if self.output.json {
            self.output.record(out, &record)?;
        } else if let (Mode::Attributes, Ok(meta)) = (self.mode, fetched) {
            if input.index > 0 {
                out.push(b'\n');
            }
            meta::print(meta, self.output, out)?;
        }
        Ok(worst)
    }

    /// Reports the error, and the option that may help.
    fn failed(&self, input: Input<'_>, error: &Error, messages: &mut String) {
        if !self.output.json {
            self.say(input, &error.to_string(), &failure::advice(error), messages);
        }
    }

    pub(super) fn say(&self, input: Input<'_>, what: &str, advice: &str, messages: &mut String) {
        if self.output.reporter.quiet {
            return;
        }
        let style = on_stderr(ERROR);
        let place = self.output.reporter.place(input);
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

/// Whether it is reported even without `--verbose` and a terminal.
const fn is_always_shown(event: &Event) -> bool {
    matches!(
        event,
        Event::Downgraded | Event::StartedOver | Event::Unverified(_)
    )
}
