//! How a reference is printed. The keys of the JSON form are a public interface.

use crate::json;
use crate::reading::{Error, Failure};
use crate::safe::safe;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use std::io::Write as _;
use urikit_extract::document::Reference;

/// What is printed of each reference.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is an option of its own
pub(super) struct Printer {
    pub(super) json: bool,
    /// Its line.
    pub(super) lines: bool,
    /// Its file.
    pub(super) names: bool,
    /// Nothing but how many there are.
    pub(super) counts_only: bool,
    /// Whether the output is a terminal, which must not be made to do anything.
    pub(super) terminal: bool,
}

impl Printer {
    /// Appends a reference.
    pub(super) fn print(
        self,
        reference: &Reference<'_>,
        target: Option<&str>,
        name: &str,
        out: &mut Vec<u8>,
    ) {
        if self.counts_only {
            return;
        }
        if self.json {
            let record = Record {
                reference,
                target,
                name,
            };
            // Writing to memory does not fail.
            let _ = json::line(out, &record, self.terminal);
            return;
        }
        if self.names {
            self.text(name, out);
            out.push(b':');
        }
        if let Some(place) = reference.position().filter(|_| self.lines) {
            let _ = write!(out, "{}:", place.line);
        }
        self.text(target.unwrap_or(reference.uri()), out);
        out.push(b'\n');
    }

    fn text(self, text: &str, out: &mut Vec<u8>) {
        if self.terminal {
            out.extend_from_slice(safe(text).as_bytes());
        } else {
            out.extend_from_slice(text.as_bytes());
        }
    }
}

struct Record<'a> {
    reference: &'a Reference<'a>,
    target: Option<&'a str>,
    name: &'a str,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reference = self.reference;
        let range = reference.range();
        let place = reference.position();
        let mut object = serializer.serialize_struct("Reference", 12)?;
        object.serialize_field("source", self.name)?;
        object.serialize_field("line", &place.map(|place| place.line))?;
        object.serialize_field("column", &place.map(|place| place.column))?;
        object.serialize_field("start", &range.start)?;
        object.serialize_field("end", &range.end)?;
        object.serialize_field("kind", reference.kind().as_str())?;
        object.serialize_field("text", reference.text())?;
        object.serialize_field("uri", reference.uri())?;
        object.serialize_field("target", &self.target)?;
        object.serialize_field("alternative", &reference.alternative())?;
        object.serialize_field("part", &reference.part())?;
        let error = reference.reference().err();
        object.serialize_field("error", &error.map(|error| Error(Failure::Rfc(error))))?;
        object.end()
    }
}
