//! Plans, attributes and outcomes, as lines and as JSON. The keys of JSON and their order are a
//! public interface.

use crate::columns::columns;
use crate::input::Given;
use crate::json;
use crate::output::Output;
use crate::record::{Object, Steps};
use crate::screen::wrapped;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use urikit_access::{Class, Error, ErrorKind, Event, Plan, Response};

/// The indentation of continued lines of a plan: the width of the first column.
const INDENT: usize = "connect  ".len();

/// Prints a plan, one line per step, or the policy's refusal. Lines are wrapped on a terminal.
/// Secrets are masked unless `--show-secrets` is given.
pub(super) fn print_plan(plan: &Result<Plan, Error>, output: &Output, out: &mut Vec<u8>) {
    let columns = columns(io::stdout()).filter(|_| output.terminal);
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

/// Prints the known attributes as `key<TAB>value` lines.
pub(super) fn print_attributes(
    response: &Response,
    output: &Output,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let metadata = &response.metadata;
    let size = metadata.size.map(|size| size.to_string());
    let modified = metadata.modified.map(|date| date.to_string());
    let is_redirected = response.final_uri != response.uri;
    let rows = [
        ("uri", Some(&response.uri)),
        ("final_uri", is_redirected.then_some(&response.final_uri)),
        ("fragment", response.fragment.as_ref()),
        ("media_type", metadata.media_type.as_ref()),
        ("size", size.as_ref()),
        ("modified", modified.as_ref()),
    ];
    let mut line = |key: &str, value: &str| {
        output.text(out, key)?;
        out.push(b'\t');
        output.line(out, value)
    };
    for (key, value) in rows {
        if let Some(value) = value {
            line(key, value)?;
        }
    }
    for (key, value) in &metadata.attributes {
        for part in value.lines() {
            line(key, part)?;
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

    /// Returns the name for messages.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdout => "standard output".to_owned(),
            Self::File { path, .. } => path.to_string_lossy().into_owned(),
        }
    }

    /// Writes a record, to `out` if the destination is standard output.
    pub(super) fn write(
        &self,
        record: &FetchRecord<'_>,
        output: &Output,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        match self {
            // --json prints the record anyway.
            Self::Stdout if output.json => Ok(()),
            Self::Stdout => output.record(out, record),
            Self::File { file, .. } => {
                let mut text = Vec::new();
                json::line(&mut text, record, false)?;
                file.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .write_all(&text)
            }
        }
    }
}

/// A plan as JSON. This is data, so secrets are not masked.
pub(super) struct PlanRecord<'a> {
    pub(super) uri: &'a str,
    pub(super) plan: Result<&'a Plan, &'a Error>,
    pub(super) given: Given<'a>,
}

impl Serialize for PlanRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.field("uri", self.uri)?;
        object.input(self.given)?;
        let error = self.plan.err();
        object.field("valid", &is_valid(error))?;
        object.field("plan", &self.plan.ok().map(Steps))?;
        object.access_error("error", error)?;
        object.end()
    }
}

/// The outcome for a reference, as JSON.
pub(super) struct FetchRecord<'a> {
    /// The reference, for errors.
    pub(super) uri: &'a str,
    pub(super) fetched: Result<&'a Response, &'a Error>,
    pub(super) given: Given<'a>,
}

impl Serialize for FetchRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (response, error) = (self.fetched.ok(), self.fetched.err());
        let metadata = response.map(|response| &response.metadata);
        let uri = response.map_or(self.uri, |response| &response.uri);
        let mut object = Object::new(serializer)?;
        object.field("uri", uri)?;
        object.input(self.given)?;
        object.field("valid", &is_valid(error))?;
        object.field("final_uri", &response.map(|response| &response.final_uri))?;
        let fragment = response.and_then(|response| response.fragment.as_ref());
        object.field("fragment", &fragment)?;
        object.field("scheme", &response.map(|response| &response.scheme))?;
        let media_type = metadata.and_then(|metadata| metadata.media_type.as_ref());
        object.field("media_type", &media_type)?;
        object.field("size", &metadata.and_then(|metadata| metadata.size))?;
        let modified = metadata.and_then(|metadata| metadata.modified);
        object.field("modified", &modified.map(|date| date.to_string()))?;
        object.field("received", &response.map(|response| response.received))?;
        let attributes = metadata.map(|metadata| Attributes(&metadata.attributes));
        object.field("attributes", &attributes)?;
        let events = self
            .fetched
            .map_or_else(Error::events, |response| &response.events);
        object.field("steps", &texts(events))?;
        object.access_error("error", error)?;
        object.end()
    }
}

/// Returns true unless the error is in the reference.
pub(super) fn is_valid(error: Option<&Error>) -> bool {
    error.is_none_or(|error| error.class() != Class::Invalid)
}

/// Returns the events as text, for `steps`.
pub(super) fn texts(events: &[Event]) -> Vec<String> {
    events.iter().map(Event::to_string).collect()
}

/// Attributes as a list of pairs. An object would lose repeated names, or their order.
struct Attributes<'a>(&'a [(String, String)]);

impl Serialize for Attributes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|(name, value)| Pair { name, value }))
    }
}

struct Pair<'a> {
    name: &'a str,
    value: &'a str,
}

impl Serialize for Pair<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("name", self.name)?;
        map.serialize_entry("value", self.value)?;
        map.end()
    }
}
