//! Fetches, plans or copies each reference.

use super::body::{Bar, Body, Target};
use super::destination::{Destination, PathError, Place, Saved};
use super::list::ListStyle;
use super::options::{Attempts, RetryOptions};
use super::partial::Resume;
use super::records::{
    FetchRecord, MetaFile, PlanRecord, print_attributes, print_hops, print_plan, result,
};
use super::recursive::{self, Copied, Moved, Tree};
use super::transfer::{Subject, Transfer, exit_status, summary};
use super::write_out::{Ended, Template};
use crate::exit::Exit;
use crate::input::Input;
use crate::output::{Later, Printed};
use crate::run::Work;
use crate::safe::safe;
use crate::stdout::final_error;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use urikit::{AnyRef, ParseError, Standard};
use urikit_access::{
    ByteRange, Client, Credentials, Error, ErrorBodies, ErrorKind, Request, Response, Wanted,
};
use urikit_report::mask::mask;
use urikit_report::reading::Failure;

/// The options of `uri fetch` for each reference.
#[allow(clippy::struct_excessive_bools)] // independent options
pub(super) struct Settings {
    pub(super) standard: Standard,
    /// `--plan`: fetch nothing.
    pub(super) plans: bool,
    /// With `-I`, fetch only the attributes.
    pub(super) wanted: Wanted,
    pub(super) range: Option<ByteRange>,
    pub(super) resume: Option<Resume>,
    pub(super) list: ListStyle,
    /// `-i`: write the head of each response before the body.
    pub(super) with_heads: bool,
    /// `--no-location`: do not follow redirects.
    pub(super) takes_redirects: bool,
    /// `--fail-with-body`.
    pub(super) with_error_bodies: bool,
    /// `-w`.
    pub(super) write_out: Option<Template>,
    /// `--recursive`, with its options.
    pub(super) tree: Option<Tree>,
}

/// Carries out `uri fetch`.
pub(super) struct Fetch {
    pub(super) settings: Settings,
    pub(super) transfer: Transfer,
    pub(super) client: Client,
    pub(super) retry: RetryOptions,
    pub(super) destination: Destination,
    pub(super) meta: Option<MetaFile>,
}

/// A transfer that is waiting for its next attempt.
struct Waiting {
    place: Place,
    attempts: Attempts,
    resume: Option<Resume>,
}

/// The outcome of one attempt to fetch a reference.
struct Attempt {
    fetched: Result<Response, Error>,
    /// True if anything was written to standard output, which cannot be undone.
    wrote_output: bool,
    /// The number of body bytes received so far.
    bytes: u64,
    time: Duration,
    /// The path of a file whose name the server chose.
    chosen: Option<PathBuf>,
    /// True if the file is complete. The file may contain the body of an error response.
    is_saved: bool,
}

impl Work for Fetch {
    /// Fetching spends most of its time waiting for servers.
    fn is_slow(&self) -> bool {
        !self.settings.plans
    }

    /// False for bodies that go to standard output, because one body may produce several results.
    fn may_repeat(&self) -> bool {
        self.destination.has_files() || self.settings.wanted == Wanted::Metadata
    }

    fn host(&self, input: Input<'_>) -> String {
        let reference = self.settings.standard.parse_bytes(input.bytes).ok();
        reference.map(host_of).unwrap_or_default()
    }

    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let exit = self.work(input, to);
        self.transfer.show(Subject::Input(input), &mut to.messages);
        exit
    }
}

impl Fetch {
    fn work(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit> {
        let reference = match self.settings.standard.parse_bytes(input.bytes) {
            Ok(reference) => reference,
            Err(error) => return self.invalid(input, error, to),
        };
        if self.settings.plans {
            self.plan(input, reference, to)
        } else if let Some(tree) = &self.settings.tree {
            self.copy(tree, input, reference, to)
        } else {
            self.fetch(input, reference, to)
        }
    }

    /// Reports an invalid reference.
    fn invalid(&self, input: Input<'_>, error: ParseError, to: &mut Printed) -> io::Result<Exit> {
        let output = &self.transfer.output;
        let failure = Failure::Rfc(error);
        if !output.json {
            output.invalid(input, &failure, to);
            return Ok(Exit::No);
        }
        to.rejected.add(failure.reason());
        let (uri, given) = (&*input.to_text(), input.given);
        let error = Error::new(ErrorKind::Invalid(error));
        if self.settings.plans {
            let plan = Err(&error);
            let record = PlanRecord::new(uri, plan, given);
            output.record_with(&mut to.out, &record, None)?;
        } else {
            let fetched = Err(&error);
            let record = FetchRecord::new(uri, fetched, given);
            output.record_with(&mut to.out, &record, None)?;
        }
        Ok(Exit::No)
    }

    fn request<'a>(&'a self, reference: AnyRef<'a>, login: Option<&'a Credentials>) -> Request<'a> {
        let mut request = Request::new(reference);
        request.credentials = login;
        request.range = self.settings.range;
        request.wanted = self.settings.wanted;
        request.takes_redirects = self.settings.takes_redirects;
        request
    }

    fn plan(&self, input: Input<'_>, reference: AnyRef<'_>, to: &mut Printed) -> io::Result<Exit> {
        let login = self.transfer.login(reference);
        let mut request = self.request(reference, login.as_ref());
        if let Some(Resume::At(bytes)) = self.settings.resume {
            request.resume = bytes;
        }
        let plan = self.client.plan(&request);
        let record = PlanRecord::new(reference.as_str(), plan.as_ref(), input.given);
        let mut text = Vec::new();
        print_plan(&plan, &self.transfer.output, &mut text);
        self.transfer.record(&record, result(&text), &mut to.out)?;
        if !self.transfer.output.json {
            separate(input, to);
            to.out.append(&mut text);
        }
        Ok(match &plan {
            Ok(_) => Exit::Good,
            Err(error) => {
                let subject = Subject::Input(input);
                self.transfer.failed(subject, error, &mut to.messages)
            }
        })
    }

    fn fetch(&self, input: Input<'_>, reference: AnyRef<'_>, to: &mut Printed) -> io::Result<Exit> {
        let mut waiting = match self.begin(reference, to) {
            Ok(waiting) => waiting,
            Err(error) => return Ok(self.not_opened(&error, to)),
        };
        loop {
            let Waiting {
                place,
                attempts,
                resume,
            } = &mut waiting;
            let target = match place.open(reference, *resume, to.spill.as_ref()) {
                Ok(target) => target,
                Err(error) => return Ok(self.not_opened(&error, to)),
            };
            let bodies = match (self.settings.with_error_bodies, attempts.is_last()) {
                (false, _) => ErrorBodies::None,
                (true, false) => ErrorBodies::Final,
                (true, true) => ErrorBodies::All,
            };
            let attempt = self.attempt(input, reference, target, bodies, to)?;
            let error = attempt.fetched.as_ref().err();
            let delay = error.and_then(|error| attempts.delay_after(error));
            let (Some(error), Some(delay), false) = (error, delay, attempt.wrote_output) else {
                return self.ended(input, reference, place, &attempt, to);
            };
            let seconds = delay.as_secs_f64();
            let text = format!("{}; trying again in {seconds} s", summary(error));
            let subject = Subject::Input(input);
            self.transfer.say(subject, &text, "", &mut to.messages);
            self.transfer.show(subject, &mut to.messages);
            let may_resume = self.settings.range.is_none() && !self.settings.with_heads;
            if self.destination.has_files() && may_resume {
                *resume = Some(Resume::Partial);
            }
            if to.spill.is_some() && Work::may_repeat(self) {
                // Other references to this server wait only if the server asked for the delay.
                let asks = error.retry_after().is_some();
                let last = error.hops().last().filter(|_| asks);
                let url = last.and_then(|hop| Standard::Rfc3986.parse(&hop.uri).ok());
                to.later = Some(Later {
                    delay,
                    pauses: url.map(host_of).filter(|host| !host.is_empty()),
                    state: Box::new(waiting),
                });
                return Ok(Exit::Good);
            }
            std::thread::sleep(delay);
        }
    }

    /// Starts a transfer, or continues one that was waiting for its next attempt.
    fn begin(&self, reference: AnyRef<'_>, to: &mut Printed) -> Result<Waiting, PathError> {
        let waiting = to
            .later
            .take()
            .and_then(|later| later.state.downcast().ok());
        if let Some(waiting) = waiting {
            return Ok(*waiting);
        }
        let place = if self.settings.wanted == Wanted::Metadata {
            Place::Nowhere
        } else {
            self.destination.choose(reference)?
        };
        Ok(Waiting {
            place,
            attempts: self.retry.attempts(),
            resume: self.settings.resume,
        })
    }

    fn not_opened(&self, error: &PathError, to: &mut Printed) -> Exit {
        let PathError { path, error } = error;
        self.transfer.file_failed(path, error, &mut to.messages)
    }

    /// Fetches once.
    fn attempt(
        &self,
        input: Input<'_>,
        reference: AnyRef<'_>,
        target: Target,
        bodies: ErrorBodies,
        to: &mut Printed,
    ) -> io::Result<Attempt> {
        let login = self.transfer.login(reference);
        let mut request = self.request(reference, login.as_ref());
        let (resume, validator) = target.resumed(self.settings.resume);
        request.resume = resume;
        request.validator = validator.as_deref();
        request.error_bodies = bodies;
        if let Some(note) = target.note() {
            let subject = Subject::Input(input);
            self.transfer.say(subject, note, "", &mut to.messages);
            self.transfer.show(subject, &mut to.messages);
        }
        let mut bar = Bar::new(self.transfer.shows_progress(), &self.transfer.bars);
        if to.spill.is_some() {
            bar = bar.labelled(&safe(reference.as_str()));
        }
        let observer = self.transfer.observer(Subject::Input(input));
        request.observer = observer.as_ref();
        let terminal = self.transfer.output.terminal;
        let body = Body::new(target, terminal, self.settings.list, bar);
        let mut body = body.with_heads(self.settings.with_heads);
        let begun = Instant::now();
        let mut prompt = self.transfer.prompt();
        let fetched = self.client.fetch(&request, &mut *prompt, &mut body);
        // Restore the terminal before anything else is written.
        drop(prompt);
        let chosen = body.chosen();
        let (wrote_output, bytes, time) = (body.wrote_output(), body.received(), begun.elapsed());
        // A response that reports an error also has a complete body.
        let is_denial = fetched
            .as_ref()
            .is_err_and(|error| error.kind().is_denial());
        let is_complete = fetched.is_ok() || body.is_error() && is_denial;
        let mut is_saved = is_complete;
        let fetched = match body.end(is_complete) {
            Ok(()) => fetched,
            Err(error) if final_error(&error).is_some() => return Err(error),
            Err(error) => {
                is_saved = false;
                fetched.and_then(|response| {
                    let error = Error::new(ErrorKind::Local(error));
                    Err(error.with_history(response.events, response.hops))
                })
            }
        };
        if let Err(error) = &fetched
            && let ErrorKind::Local(local) = error.kind()
            && let Some(last) = final_error(local)
        {
            return Err(last);
        }
        Ok(Attempt {
            fetched,
            wrote_output,
            bytes,
            time,
            chosen,
            is_saved,
        })
    }

    /// Reports the last attempt, and prints the template given by `-w`.
    fn ended(
        &self,
        input: Input<'_>,
        reference: AnyRef<'_>,
        place: &Place,
        attempt: &Attempt,
        to: &mut Printed,
    ) -> io::Result<Exit> {
        let saved = place.saved(attempt.chosen.clone());
        let file = saved.as_ref().filter(|_| attempt.is_saved);
        let exit = self.report(input, reference.as_str(), &attempt.fetched, file, to)?;
        if let Some(file) = file
            && (file.is_renamed || attempt.chosen.is_some())
        {
            let messages = &mut to.messages;
            self.transfer
                .note(Subject::Input(input), &saved_as(file), messages);
        }
        if let Some(template) = &self.settings.write_out {
            let ended = Ended {
                uri: reference.as_str(),
                fetched: attempt.fetched.as_ref(),
                bytes: attempt.bytes,
                time: attempt.time,
                file: saved.map(|file| file.path),
                index: input.index,
                status: exit as u8,
            };
            template.print(&ended, &self.transfer.output, &mut to.out)?;
        }
        Ok(exit)
    }

    /// Copies the reference and everything under it.
    fn copy(
        &self,
        tree: &Tree,
        input: Input<'_>,
        reference: AnyRef<'_>,
        to: &mut Printed,
    ) -> io::Result<Exit> {
        let login = self.transfer.login(reference);
        let mut request = self.request(reference, login.as_ref());
        let observer = self.transfer.observer(Subject::Input(input));
        request.observer = observer.as_ref();
        let mut prompt = self.transfer.prompt();
        let mut worst = Exit::Good;
        let summary = recursive::copy(tree, &request, &self.client, &mut *prompt, &mut |copied| {
            worst = worst.max(self.copied(input, &copied, to)?);
            Ok(())
        })?;
        let (subject, text) = (Subject::Input(input), summary.to_string());
        self.transfer.note(subject, &text, &mut to.messages);
        Ok(worst)
    }

    /// Reports the result for one URL of a recursive copy.
    fn copied(&self, input: Input<'_>, copied: &Copied<'_>, to: &mut Printed) -> io::Result<Exit> {
        let saved = (copied.file, copied.moved.as_slice());
        let mut exit = self.print(input, copied.url, copied.response, saved, to)?;
        let mut notes = Vec::new();
        match (&copied.note, copied.response) {
            (Some(note), _) => notes.push((note.clone(), String::new())),
            (None, Err(error)) => {
                notes.push((summary(error), self.transfer.advice(error)));
                exit = exit.max(exit_status(error));
            }
            (None, Ok(_)) => {}
        }
        for Moved { from, to } in &copied.moved {
            let (from, to) = (from.display(), to.display());
            let text = format!("moved {from} to {to}, because a folder needs the name");
            notes.push((text, String::new()));
        }
        let is_new = |file: &&Saved| file.is_renamed && !copied.is_unchanged;
        if let Some(file) = copied.file.filter(is_new) {
            notes.push((saved_as(file), String::new()));
        }
        if !self.transfer.output.json {
            let url = mask(copied.url, self.transfer.output.reporter.show_secrets);
            let subject = Subject::Input(input);
            for (text, advice) in notes {
                let text = format!("{url}: {text}");
                self.transfer.say(subject, &text, &advice, &mut to.messages);
            }
            self.transfer.show(subject, &mut to.messages);
        }
        Ok(exit)
    }

    /// Prints the outcome, and reports an error.
    fn report(
        &self,
        input: Input<'_>,
        uri: &str,
        fetched: &Result<Response, Error>,
        file: Option<&Saved>,
        to: &mut Printed,
    ) -> io::Result<Exit> {
        let exit = self.print(input, uri, fetched, (file, &[]), to)?;
        Ok(match fetched {
            Ok(response) => {
                let subject = Subject::Input(input);
                let messages = &mut to.messages;
                self.transfer.hint(subject, &response.final_uri, messages);
                exit
            }
            Err(error) => {
                let subject = Subject::Input(input);
                exit.max(self.transfer.failed(subject, error, &mut to.messages))
            }
        })
    }

    /// Prints steps, records and attributes.
    fn print(
        &self,
        input: Input<'_>,
        uri: &str,
        fetched: &Result<Response, Error>,
        (file, moved): (Option<&Saved>, &[Moved]),
        to: &mut Printed,
    ) -> io::Result<Exit> {
        let Transfer { output, .. } = &self.transfer;
        let steps = fetched
            .as_ref()
            .map_or_else(Error::events, |response| &response.events);
        let subject = Subject::Input(input);
        self.transfer.steps(subject, steps, &mut to.messages);
        let mut exit = Exit::Good;
        let mut plain = Vec::new();
        if self.settings.wanted == Wanted::Metadata {
            match fetched {
                Ok(response) => print_attributes(response, output, &mut plain)?,
                Err(error) if error.status().is_some() => {
                    print_hops(uri, error.hops(), output, &mut plain)?;
                }
                Err(_) => {}
            }
        }
        // Making a record takes longer than receiving a small body, so a record is made only if it
        // is needed.
        if self.meta.is_some() || output.json {
            let record = FetchRecord::new(uri, fetched.as_ref(), input.given).saved(file, moved);
            if let Some(file) = &self.meta
                && let Err(error) = file.write(&record, result(&plain), output, &mut to.out)
            {
                let messages = &mut to.messages;
                exit = self.transfer.file_failed(&file.name(), &error, messages);
            }
            self.transfer.record(&record, result(&plain), &mut to.out)?;
        }
        if self.settings.wanted == Wanted::Metadata && !output.json {
            separate(input, to);
            to.out.append(&mut plain);
        }
        Ok(exit)
    }
}

/// Returns the host and the port of a reference; empty if it has no host.
fn host_of(reference: AnyRef<'_>) -> String {
    let Some(host) = reference.host() else {
        return String::new();
    };
    let (host, port) = (host.as_str(), reference.port().unwrap_or_default());
    format!("{}:{port}", host.to_ascii_lowercase())
}

/// Reports the name of a file if it differs from the name in the URL.
fn saved_as(file: &Saved) -> String {
    format!("saved as {}", file.path.display())
}

/// Prints an empty line before each block of lines except the first.
fn separate(input: Input<'_>, to: &mut Printed) {
    if input.index > 0 {
        to.out.push(b'\n');
    }
}
