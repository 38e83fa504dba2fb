//! Writes plans, attributes and outcomes as lines and as JSON. The JSON keys and their order are a
//! public interface.

use super::destination::Saved;
use super::recursive::Moved;
use crate::columns::columns;
use crate::input::Given;
use crate::output::Output;
use crate::screen::wrapped;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use urikit_access::{Class, Error, ErrorKind, Event, Hop, Plan, Response};
use urikit_report::json;
use urikit_report::mask::mask;
use urikit_report::record::{ErrorRecord, InputKeys, Steps, WithResult};

/// Returns the text of a record's key `result` without the final line ending, or `None` if plain
/// output is empty.
pub(super) fn result(plain: &[u8]) -> Option<&[u8]> {
    plain.strip_suffix(b"\n")
}

/// The indentation of continuation lines in a plan: the width of the first column.
const INDENT: usize = "connect  ".len();

/// Prints a plan, one line per step, or the policy's refusal. Lines are wrapped on a terminal.
/// Secrets are masked unless `--show-secrets` is given.
pub(super) fn print_plan(plan: &Result<Plan, Error>, output: &Output, out: &mut Vec<u8>) {
    let columns = columns(io::stdout()).filter(|_| output.terminal && !output.json);
    let lines: Vec<_> = match plan {
        Ok(plan) if output.reporter.show_secrets => plan
            .steps()
            .iter()
            .map(|step| step.unmasked().to_string())
            .collect(),
        Ok(plan) => plan.steps().iter().map(ToString::to_string).collect(),
        Err(error) => match error.kind() {
            ErrorKind::Refused(refusal) => vec![format!("refused: {refusal}")],
            _ => Vec::new(),
        },
    };
    for line in lines {
        match columns {
            Some(columns) => out.extend(wrapped(&line, INDENT, columns).as_bytes()),
            None => out.extend(line.as_bytes()),
        }
        out.push(b'\n');
    }
}

/// Prints a URL, and a line for each redirect with its status and target, as `key<TAB>value`.
/// Passwords in URLs are masked unless `--show-secrets` is given.
pub(super) fn print_hops(
    uri: &str,
    hops: &[Hop],
    output: &Output,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let shown = |url: &str| mask(url, output.reporter.show_secrets).into_owned();
    print_pair("uri", &shown(uri), output, out)?;
    for hop in hops {
        let status = hop.status_text();
        if let Some(location) = &hop.location {
            let space = if status.is_empty() { "" } else { " " };
            let text = format!("{status}{space}to {}", shown(location));
            print_pair("redirect", &text, output, out)?;
        }
    }
    let status = hops.last().map(Hop::status_text).unwrap_or_default();
    if status.is_empty() {
        return Ok(());
    }
    print_pair("status", &status, output, out)
}

fn print_pair(key: &str, value: &str, output: &Output, out: &mut Vec<u8>) -> io::Result<()> {
    output.text(out, key)?;
    out.push(b'\t');
    output.line(out, value)
}

/// Prints the redirects, the status and the known attributes as `key<TAB>value` lines.
pub(super) fn print_attributes(
    response: &Response,
    output: &Output,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    print_hops(&response.uri, &response.hops, output, out)?;
    let shown = |url: &str| mask(url, output.reporter.show_secrets).into_owned();
    let metadata = &response.metadata;
    let size = metadata.size.map(|size| size.to_string());
    let modified = metadata.modified.map(|date| date.to_string());
    let is_redirected = response.final_uri != response.uri;
    let final_uri = is_redirected.then(|| shown(&response.final_uri));
    let rows = [
        ("final_uri", final_uri.as_ref()),
        ("fragment", response.fragment.as_ref()),
        ("media_type", metadata.media_type.as_ref()),
        ("size", size.as_ref()),
        ("modified", modified.as_ref()),
    ];
    for (key, value) in rows {
        if let Some(value) = value {
            print_pair(key, value, output, out)?;
        }
    }
    for (key, value) in &metadata.attributes {
        for part in value.lines() {
            print_pair(key, part, output, out)?;
        }
    }
    Ok(())
}

/// The destination of `--meta`.
pub(super) enum MetaFile {
    Stdout,
    File { path: PathBuf, file: Mutex<File> },
}

impl MetaFile {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        let file = Mutex::new(File::create(path)?);
        let path = path.to_owned();
        Ok(Self::File { path, file })
    }

    /// Returns the name of the destination, for messages.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdout => "standard output".to_owned(),
            Self::File { path, .. } => path.to_string_lossy().into_owned(),
        }
    }

    /// Writes a record with its result to the file, or appends it to `out` for standard output.
    pub(super) fn write(
        &self,
        record: &FetchRecord<'_>,
        result: Option<&[u8]>,
        output: &Output,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        match self {
            // With --json, the record is always printed.
            Self::Stdout if output.json => Ok(()),
            Self::Stdout => output.record_with(out, record, result),
            Self::File { file, .. } => {
                let mut text = Vec::new();
                json::line(&mut text, &WithResult::new(record, result), false)?;
                file.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .write_all(&text)
            }
        }
    }
}

/// A plan as `--json` prints it. Secrets are not masked, because JSON output is exact.
#[derive(serde::Serialize)]
pub(super) struct PlanRecord<'a> {
    uri: &'a str,
    #[serde(flatten)]
    input: InputKeys<'a>,
    valid: bool,
    plan: Option<Steps<'a>>,
    error: Option<ErrorRecord>,
}

impl<'a> PlanRecord<'a> {
    pub(super) fn new(uri: &'a str, plan: Result<&'a Plan, &Error>, given: Given<'a>) -> Self {
        let error = plan.err();
        Self {
            uri,
            input: given.into(),
            valid: is_valid(error),
            plan: plan.ok().map(Steps),
            error: error.map(ErrorRecord::from),
        }
    }
}

/// The outcome for a reference as `--json` prints it.
#[derive(serde::Serialize)]
pub(super) struct FetchRecord<'a> {
    uri: &'a str,
    #[serde(flatten)]
    input: InputKeys<'a>,
    valid: bool,
    final_uri: Option<&'a str>,
    fragment: Option<&'a str>,
    scheme: Option<&'a str>,
    status: Option<u16>,
    reason: Option<&'a str>,
    media_type: Option<&'a str>,
    size: Option<u64>,
    modified: Option<String>,
    received: Option<u64>,
    file: Option<Cow<'a, str>>,
    renamed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moved: Vec<MovedRecord<'a>>,
    attributes: Option<Vec<Attribute<'a>>>,
    hops: Vec<HopRecord<'a>>,
    steps: Vec<String>,
    error: Option<ErrorRecord>,
}

impl<'a> FetchRecord<'a> {
    /// Describes an outcome. `uri` is the reference to report if there is no response.
    pub(super) fn new(
        uri: &'a str,
        fetched: Result<&'a Response, &'a Error>,
        given: Given<'a>,
    ) -> Self {
        let (response, error) = (fetched.ok(), fetched.err());
        let metadata = response.map(|response| &response.metadata);
        let events = fetched.map_or_else(Error::events, |response| &response.events);
        let hops = fetched.map_or_else(Error::hops, |response| &response.hops);
        let last = hops.last();
        Self {
            uri: response.map_or(uri, |response| &response.uri),
            input: given.into(),
            valid: is_valid(error),
            final_uri: response.map(|response| &*response.final_uri),
            fragment: response.and_then(|response| response.fragment.as_deref()),
            scheme: response.map(|response| &*response.scheme),
            status: last.and_then(|hop| hop.status),
            reason: last.and_then(|hop| hop.reason.as_deref()),
            media_type: metadata.and_then(|metadata| metadata.media_type.as_deref()),
            size: metadata.and_then(|metadata| metadata.size),
            modified: metadata.and_then(|metadata| Some(metadata.modified?.to_string())),
            received: response.map(|response| response.received),
            file: None,
            renamed: false,
            moved: Vec::new(),
            attributes: metadata.map(|metadata| Attribute::all(&metadata.attributes)),
            hops: hops.iter().map(HopRecord::new).collect(),
            steps: texts(events),
            error: error.map(ErrorRecord::from),
        }
    }

    /// Adds the file where the body was saved, and the files that were moved to make room for it.
    pub(super) fn saved(mut self, file: Option<&'a Saved>, moved: &'a [Moved]) -> Self {
        self.file = file.map(|file| file.path.to_string_lossy());
        self.renamed = file.is_some_and(|file| file.is_renamed);
        self.moved = moved.iter().map(MovedRecord::from).collect();
        self
    }
}

/// A file that was moved because a folder needed its name.
#[derive(serde::Serialize)]
struct MovedRecord<'a> {
    from: Cow<'a, str>,
    to: Cow<'a, str>,
}

impl<'a> From<&'a Moved> for MovedRecord<'a> {
    fn from(moved: &'a Moved) -> Self {
        Self {
            from: moved.from.to_string_lossy(),
            to: moved.to.to_string_lossy(),
        }
    }
}

/// Returns false if the reference is invalid.
pub(super) fn is_valid(error: Option<&Error>) -> bool {
    error.is_none_or(|error| error.class() != Class::Invalid)
}

/// Returns the events as text, for `steps`.
pub(super) fn texts(events: &[Event]) -> Vec<String> {
    events.iter().map(Event::to_string).collect()
}

/// One response.
#[derive(serde::Serialize)]
struct HopRecord<'a> {
    uri: &'a str,
    status: Option<u16>,
    location: Option<&'a str>,
    attributes: Vec<Attribute<'a>>,
    seconds: f64,
}

impl<'a> HopRecord<'a> {
    fn new(hop: &'a Hop) -> Self {
        Self {
            uri: &hop.uri,
            status: hop.status,
            location: hop.location.as_deref(),
            attributes: Attribute::all(&hop.attributes),
            // Microseconds are precise enough.
            seconds: (hop.time.as_secs_f64() * 1e6).round() / 1e6,
        }
    }
}

/// One attribute. A list of attributes preserves their order and repeated names.
#[derive(serde::Serialize)]
struct Attribute<'a> {
    name: &'a str,
    value: &'a str,
}

impl<'a> Attribute<'a> {
    fn all(attributes: &'a [(String, String)]) -> Vec<Self> {
        let attributes = attributes.iter();
        attributes
            .map(|(name, value)| Self { name, value })
            .collect()
    }
}
