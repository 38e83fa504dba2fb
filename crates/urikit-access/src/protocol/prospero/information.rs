//! What a server says of an object: its attributes, or where it is.

use super::object::Object;
use super::text::{Attribute, Lines, Link, Record, Unreadable, Word};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::policy::Refusal;
use crate::protocol::digits::number;
use crate::protocol::time;
use crate::sink::Metadata;
use jiff::Timestamp;

/// How many attributes an object or a link may have.
pub(super) const MAX_ATTRIBUTES: usize = 10_000;

/// The attribute that stands for `FORWARDED` where all attributes are asked for.
const FORWARDING_POINTER: &[u8] = b"FORWARDING-POINTER";

/// An answer about an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Information<'a> {
    /// Its attributes.
    Attributes(Vec<Attribute<'a>>),
    /// It is elsewhere.
    Moved(Object),
    /// A failure: the line.
    Failed(&'a [u8]),
}

impl<'a> Information<'a> {
    /// Reads an answer to `GET-OBJECT-INFO`.
    pub(super) fn read(answer: &'a [u8], context: &Context<'_>) -> Result<Self> {
        let (mut attributes, mut is_answer, mut failure) = (Vec::new(), false, None);
        for line in Lines::new(answer) {
            context.received(line);
            match Record::read(line).map_err(|error| unreadable(error, line))? {
                Record::Attribute(attribute) if attributes.len() < MAX_ATTRIBUTES => {
                    attributes.push(attribute);
                }
                Record::Attribute(_) => return Err(too_many()),
                Record::Forwarded(place) => return moved(Object::at(&place), line),
                Record::Failure(line) => failure = failure.or(Some(line)),
                Record::NoneFound => is_answer = true,
                _ => {}
            }
        }
        // An object that is here may have such a pointer to itself among other attributes. One that
        // is not may be a failure too.
        let is_pointer = |attribute: &Attribute<'_>| *attribute.name == *FORWARDING_POINTER;
        if attributes.iter().all(is_pointer)
            && let Some(link) = attributes.first().and_then(Link::of_attribute)
        {
            return moved(Object::at(&link.place), answer);
        }
        if let Some(line) = failure {
            return Ok(Self::Failed(line));
        }
        if attributes.is_empty() && !is_answer {
            let expected = Error::new(ErrorKind::Protocol("an answer about the object"));
            return Err(expected.received(answer));
        }
        Ok(Self::Attributes(attributes))
    }
}

fn moved<'a>(object: Option<Object>, line: &[u8]) -> Result<Information<'a>> {
    let expected = Error::new(ErrorKind::Protocol(
        "a host of the Internet and a name in ASCII",
    ));
    object
        .map(Information::Moved)
        .ok_or_else(|| expected.received(line))
}

/// What is known of an object by its attributes.
pub(super) fn metadata(attributes: &[Attribute<'_>]) -> Metadata {
    let mut metadata = Metadata::default();
    for attribute in attributes {
        metadata.size = metadata.size.or(size(attribute));
        metadata.modified = metadata.modified.or(modified(attribute));
        let name = String::from_utf8_lossy(&attribute.name).into_owned();
        let value = String::from_utf8_lossy(&shown(&attribute.value)).into_owned();
        metadata.attributes.push((name, value));
    }
    metadata
}

/// The size in octets: `4 bytes`.
pub(super) fn size(attribute: &Attribute<'_>) -> Option<u64> {
    let value = only(attribute, b"SIZE")?;
    number(value.strip_suffix(b" bytes").unwrap_or(value))
}

/// When it was last modified: `19941201120000Z`.
pub(super) fn modified(attribute: &Attribute<'_>) -> Option<Timestamp> {
    time::read(only(attribute, b"LAST-MODIFIED")?.strip_suffix(b"Z")?)
}

/// The only word of the value, if the attribute has this name. Some servers write it as several.
fn only<'v>(attribute: &'v Attribute<'_>, name: &[u8]) -> Option<&'v [u8]> {
    let value = attribute
        .value
        .first()
        .filter(|_| *attribute.name == *name)?;
    Some(value)
}

/// The words of a value, as they are displayed.
pub(super) fn shown(value: &[Word<'_>]) -> Vec<u8> {
    let shown = |word: &Word<'_>| {
        if word.is_empty() {
            b"''".to_vec()
        } else {
            word.to_vec()
        }
    };
    let words: Vec<_> = value.iter().map(shown).collect();
    words.join(&b' ')
}

/// The server refused the request in this line.
pub(super) fn denied(line: &[u8]) -> Error {
    let is_word = |word: &[u8]| line.split(u8::is_ascii_whitespace).any(|it| it == word);
    let kind = if is_word(b"NOT-FOUND") {
        ErrorKind::NotFound
    } else if is_word(b"NOT-AUTHORIZED") {
        ErrorKind::Forbidden
    } else {
        ErrorKind::server(None, line)
    };
    Error::new(kind).received(line)
}

pub(super) fn too_many() -> Error {
    let max = u64::try_from(MAX_ATTRIBUTES).unwrap_or(u64::MAX);
    Refusal::Items { max }.into()
}

pub(super) fn unreadable(error: Unreadable, line: &[u8]) -> Error {
    Error::new(ErrorKind::Protocol(match error {
        Unreadable::Unclosed => "an apostrophe at the end of a quoted word",
        Unreadable::TooMany => "a line of at most 4096 words",
    }))
    .received(line)
}
