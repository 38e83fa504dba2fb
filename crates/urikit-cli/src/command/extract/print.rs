//! One reference as text or JSON.

use super::context::Piece;
use super::judge::Judged;
use super::places::AsJson;
use crate::json;
use crate::record::Object;
use crate::safe::safe;
use serde::ser::{Serialize, Serializer};
use std::io::Write as _;
use urikit_extract::Kind;
use urikit_extract::document::Found;

/// How references are printed.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate option
pub(super) struct Printer {
    pub(super) json: bool,
    /// With the line number.
    pub(super) lines: bool,
    /// And with the column.
    pub(super) columns: bool,
    /// With the file name.
    pub(super) names: bool,
    /// Whether the file name ends in NUL.
    pub(super) null: bool,
    /// Only counts are printed, and no references.
    pub(super) counts_only: bool,
    /// The byte that ends a reference.
    pub(super) end: u8,
    /// Whether the output is a terminal, which must not act on it.
    pub(super) terminal: bool,
}

/// How much is printed of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Detail {
    All,
    /// In JSON, without the list of what a repair changed.
    NoChanges,
}

impl Printer {
    /// Appends a reference.
    pub(super) fn print(
        self,
        reference: &Found<'_>,
        judged: &Judged,
        name: &str,
        detail: Detail,
        out: &mut Vec<u8>,
    ) {
        if self.counts_only {
            return;
        }
        if self.json {
            let record = Record {
                reference,
                judged,
                name,
                detail,
            };
            // Writing to memory does not fail.
            let _ = json::line(out, &record, self.terminal);
            return;
        }
        self.name(name, b':', out);
        if let Some(place) = reference.position().filter(|_| self.lines) {
            let _ = write!(out, "{}:", place.line);
            if self.columns {
                let _ = write!(out, "{}:", place.column);
            }
        }
        if reference.kind() == Kind::Defanged {
            self.text(reference.text(), out);
            out.push(b'\t');
        }
        self.text(judged.target.as_deref().unwrap_or(reference.uri()), out);
        out.push(self.end);
    }

    /// Appends a context line, or what is between two groups of them.
    pub(super) fn context(self, piece: &Piece<'_>, name: &str, out: &mut Vec<u8>) {
        match piece {
            Piece::Gap => out.extend_from_slice(b"--\n"),
            Piece::Line(number, text, is_cut) => {
                self.name(name, b'-', out);
                let _ = write!(out, "{number}-");
                if self.terminal {
                    self.text(&String::from_utf8_lossy(text), out);
                } else {
                    out.extend_from_slice(text);
                }
                if *is_cut {
                    out.extend_from_slice("…".as_bytes());
                }
                out.push(b'\n');
            }
            Piece::Reference(printed) => out.extend_from_slice(printed),
        }
    }

    fn name(self, name: &str, after: u8, out: &mut Vec<u8>) {
        if self.names {
            self.text(name, out);
            out.push(if self.null { b'\0' } else { after });
        }
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
    reference: &'a Found<'a>,
    judged: &'a Judged,
    name: &'a str,
    detail: Detail,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reference = self.reference;
        let range = reference.range();
        let position = reference.position();
        let mut object = Object::new(serializer)?;
        object.field("source", self.name)?;
        object.field("line", &position.map(|position| position.line))?;
        object.field("column", &position.map(|position| position.column))?;
        object.field("start", &range.start)?;
        object.field("end", &range.end)?;
        object.field("kind", reference.kind().as_str())?;
        object.field("text", reference.text())?;
        object.field("uri", reference.uri())?;
        object.field("target", &self.judged.target)?;
        object.field("alternative", &reference.alternative())?;
        object.field("part", &reference.part())?;
        object.field("place", &AsJson(reference.place()))?;
        let failure = self.judged.failure.as_ref();
        object.field("valid", &failure.is_none())?;
        object.error(failure)?;
        let repaired = self.judged.repaired.as_ref();
        match repaired.filter(|_| self.detail != Detail::All) {
            Some(repaired) => object.repaired(Some(&repaired.without_changes()))?,
            None => object.repaired(repaired)?,
        }
        object.field("cut", &reference.is_cut())?;
        object.end()
    }
}
