//! Do all readers read the same?

mod part;
mod plain;
mod sides;

pub use part::{Part, Parts};
pub use sides::Side;

use crate::compare::{same_host, same_path, same_port, same_scheme, same_userinfo};
use crate::reader::{Outcome, Reader, VOTERS};
use crate::reading::Reading;
use crate::rejection::Rejection;

/// What one reader says.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Voice<'a> {
    /// The reader's name.
    pub reader: &'static str,
    /// Its reading, or why it rejects the input.
    pub outcome: Outcome<'a>,
}

/// What several readers say about one input, and whether it is the same.
///
/// See [`agree`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agreement<'a> {
    voices: Vec<Voice<'a>>,
    disputed: Parts,
    paths_differ: bool,
}

/// Whether readers agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<'v, 'a> {
    /// All readers that accept the input name the same scheme, userinfo, host and port. The
    /// reading is that of the first of them; `None` if all reject the input.
    Unanimous(Option<&'v Reading<'a>>),
    /// They differ in these parts.
    Disputed(Parts),
}

/// Asks [`VOTERS`]: RFC 3986, the WHATWG URL Standard, and parsers in use.
///
/// They agree if those that accept the input name the same scheme, userinfo, host and port. Hosts
/// are compared in lower case and without brackets, addresses by value; default ports are filled
/// in; empty is equal to absent.
///
/// A reader that rejects the input is not counted, since it names no other host. The two
/// standards are an exception: where one of `rfc3986` and `whatwg` accepts the input and the other
/// rejects it, that is a dispute. It is none if the input is a relative reference, which `whatwg`
/// rejects only because there is no base. Where `java-net-uri` has a null host, its authority is
/// not compared.
///
/// ```
/// use urikit_audit::{Part, agree};
/// assert!(agree("HTTP://EXAMPLE.com:80/").is_unanimous());
///
/// let agreement = agree("http://good.example\\@evil.example/");
/// assert!(agreement.disputed().contains(Part::Host));
/// let hosts: Vec<_> = agreement.sides(Part::Host).into_iter().map(|side| side.value).collect();
/// assert_eq!(hosts, ["good.example", "evil.example"]);
/// ```
pub fn agree(input: &str) -> Agreement<'_> {
    match plain::voices(input) {
        Some(voices) => Agreement::of(voices),
        None => agree_with(input, &VOTERS),
    }
}

/// Asks these readers, by the rules of [`agree`].
pub fn agree_with<'a>(input: &'a str, readers: &[&dyn Reader]) -> Agreement<'a> {
    let mut voices = Vec::with_capacity(readers.len());
    voices.extend(readers.iter().map(|reader| Voice {
        reader: reader.name(),
        outcome: reader.read(input),
    }));
    Agreement::of(voices)
}

impl<'a> Agreement<'a> {
    fn of(voices: Vec<Voice<'a>>) -> Self {
        let mut disputed = Parts::NONE;
        let mut paths_differ = false;
        let mut readings = voices
            .iter()
            .filter_map(|voice| voice.outcome.as_ref().ok());
        if let Some(first) = readings.clone().find(|reading| !reading.has_null_host) {
            for reading in readings.clone().filter(|reading| !reading.has_null_host) {
                let parts = [
                    (Part::Host, same_host(first, reading)),
                    (Part::Port, same_port(first, reading)),
                    (Part::Userinfo, same_userinfo(first, reading)),
                ];
                for (part, _) in parts.into_iter().filter(|(_, is_same)| !is_same) {
                    disputed = disputed.with(part);
                }
            }
        }
        if let Some(first) = readings.next() {
            for reading in readings {
                if !same_scheme(first, reading) {
                    disputed = disputed.with(Part::Scheme);
                }
                paths_differ = paths_differ || !same_path(first, reading);
            }
        }
        let mut agreement = Self {
            voices,
            disputed,
            paths_differ,
        };
        if agreement.standards_differ() {
            agreement.disputed = disputed.with(Part::Validity);
        }
        agreement
    }

    /// Whether one of today's two standards rejects what the other accepts.
    fn standards_differ(&self) -> bool {
        let rfc = self.outcome("rfc3986");
        let whatwg = self.outcome("whatwg");
        match (rfc, whatwg) {
            (Some(Ok(reading)), Some(Err(rejection))) => {
                let is_relative = reading.scheme.is_none()
                    && *rejection == Rejection::Whatwg(url::ParseError::RelativeUrlWithoutBase);
                !is_relative
            }
            (Some(Err(_)), Some(Ok(_))) => true,
            _ => false,
        }
    }

    /// Whether no part is disputed.
    pub fn is_unanimous(&self) -> bool {
        self.disputed == Parts::NONE
    }

    /// Whether readers agree, and on what.
    pub fn verdict(&self) -> Verdict<'_, 'a> {
        if self.is_unanimous() {
            Verdict::Unanimous(self.reading())
        } else {
            Verdict::Disputed(self.disputed)
        }
    }

    /// The parts about which readers differ.
    pub const fn disputed(&self) -> Parts {
        self.disputed
    }

    /// Whether paths differ after normalization, which is not a dispute.
    pub const fn paths_differ(&self) -> bool {
        self.paths_differ
    }

    /// The first reading; the only one, up to details of writing, if readers agree.
    pub fn reading(&self) -> Option<&Reading<'a>> {
        self.readings().next().map(|(_, reading)| reading)
    }

    /// The readers that accept the input, and their readings.
    pub fn readings(&self) -> impl Iterator<Item = (&'static str, &Reading<'a>)> {
        self.voices
            .iter()
            .filter_map(|voice| Some((voice.reader, voice.outcome.as_ref().ok()?)))
    }

    /// What each reader says, in the order in which they were asked.
    pub fn voices(&self) -> &[Voice<'a>] {
        &self.voices
    }

    /// What the reader of this name says; `None` if it was not asked.
    pub fn outcome(&self, reader: &str) -> Option<&Outcome<'a>> {
        let voice = self.voices.iter().find(|voice| voice.reader == reader)?;
        Some(&voice.outcome)
    }
}
