//! The attributes of what was fetched, as lines and as JSON.

use crate::input::Given;
use crate::json;
use crate::output::Output;
use crate::record::Object;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use urikit_access::{Class, Error, Event, Response};

/// Prints the known attributes as `key<TAB>value` lines.
pub(super) fn print(meta: &Response, output: Output, out: &mut Vec<u8>) -> io::Result<()> {
    let known = &meta.metadata;
    let size = known.size.map(|size| size.to_string());
    let modified = known.modified.map(|date| date.to_string());
    let rows = [
        ("uri", Some(&meta.uri)),
        (
            "final_uri",
            (meta.final_uri != meta.uri).then_some(&meta.final_uri),
        ),
        ("fragment", meta.fragment.as_ref()),
        ("media_type", known.media_type.as_ref()),
        ("size", size.as_ref()),
        ("modified", modified.as_ref()),
    ];
    for (key, value) in rows {
        if let Some(value) = value {
            line(key, value, output.clone(), out)?;
        }
    }
    for (key, value) in &known.attributes {
        for part in value.lines() {
            line(key, part, output.clone(), out)?;
        }
    }
    Ok(())
}

fn line(key: &str, value: &str, output: Output, out: &mut Vec<u8>) -> io::Result<()> {
    output.text(out, key)?;
    out.push(b'\t');
    output.line(out, value)
}

/// Where `--meta` writes.
pub(super) enum MetaFile {
    /// To standard output.
    Output,
    /// To a file.
    File { path: PathBuf, file: Mutex<File> },
}

impl MetaFile {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::Output);
        }
        let file = Mutex::new(File::create(path)?);
        let path = path.to_owned();
        Ok(Self::File { path, file })
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Output => "standard output".to_owned(),
            Self::File { path, .. } => path.to_string_lossy().into_owned(),
        }
    }

    /// Writes a record; `out` is for standard output.
    pub(super) fn write(
        &self,
        record: &Record<'_>,
        output: Output,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Self::File { file, .. } = self else {
            // With --json, the record is printed anyway.
            return if output.json {
                Ok(())
            } else {
                output.record(out, record)
            };
        };
        let mut text = Vec::new();
        json::line(&mut text, record, false)?;
        file.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .write_all(&text)
    }
}

/// The result for a reference, as JSON. The keys and their order are a public interface.
pub(super) struct Record<'a> {
    outcome: Outcome<'a>,
    given: Given<'a>,
}

enum Outcome<'a> {
    /// It was fetched.
    Done(&'a Response),
    /// It could not be fetched.
    Failed(&'a str, &'a Error),
}

impl<'a> Record<'a> {
    pub(super) const fn new(
        uri: &'a str,
        fetched: Result<&'a Response, &'a Error>,
        given: Given<'a>,
    ) -> Self {
        let outcome = match fetched {
            Ok(meta) => Outcome::Done(meta),
            Err(error) => Outcome::Failed(uri, error),
        };
        Self { outcome, given }
    }
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        let meta = match &self.outcome {
            Outcome::Done(meta) => Some(*meta),
            Outcome::Failed(..) => None,
        };
        let known = meta.map(|meta| &meta.metadata);
        match &self.outcome {
            Outcome::Done(meta) => object.field("uri", &meta.uri)?,
            Outcome::Failed(uri, _) => object.field("uri", uri)?,
        }
        object.input(self.given)?;
        let valid = match &self.outcome {
            Outcome::Done(_) => true,
            Outcome::Failed(_, error) => error.class() != Class::Invalid,
        };
        object.field("valid", &valid)?;
        object.field("final_uri", &meta.map(|meta| &meta.final_uri))?;
        object.field("fragment", &meta.and_then(|meta| meta.fragment.as_ref()))?;
        object.field("scheme", &meta.map(|meta| &meta.scheme))?;
        object.field(
            "media_type",
            &known.and_then(|known| known.media_type.as_ref()),
        )?;
        object.field("size", &known.and_then(|known| known.size))?;
        let modified = known.and_then(|known| known.modified);
        object.field("modified", &modified.map(|date| date.to_string()))?;
        object.field("received", &meta.map(|meta| meta.received))?;
        let attributes = known.map(|known| Attributes(&known.attributes));
        object.field("attributes", &attributes)?;
        let events = match &self.outcome {
            Outcome::Done(meta) => &meta.events[..],
            Outcome::Failed(_, error) => error.events(),
        };
        let steps: Vec<String> = events.iter().map(Event::to_string).collect();
        object.field("steps", &steps)?;
        match &self.outcome {
            Outcome::Done(_) => object.error(None)?,
            Outcome::Failed(_, error) => object.access_error("error", Some(error))?,
        }
        object.end()
    }
}

/// Attributes as a list of pairs: an object would lose repeated names, or the order.
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
