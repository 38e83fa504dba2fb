//! Filling a field from a reference.

use super::field::{Field, Unfilled};
use super::how::{Decode, How};
use super::spelling::{absent_port, write_url};
use super::subject::Subject;
use super::what::What;
use std::borrow::Cow;
use std::io::Write as _;
use urikit::AnyRef;
use urikit::component::{Encoded, Host, Pair, Pairs, Segment};
use urikit::op::default_port;
use urikit::op::iri::NotADomainName;

impl Field {
    /// Appends the field's text; returns whether the component is there.
    ///
    /// # Errors
    ///
    /// If what a modifier requires is not so; `out` may then have a part of it.
    pub(crate) fn fill(&self, subject: &Subject<'_>, out: &mut Vec<u8>) -> Result<bool, Unfilled> {
        let start = out.len();
        let reference = if self.how.normal {
            subject.normal()
        } else {
            subject.written
        };
        if let What::Surt(profile) = self.what {
            let key = profile.surt(reference.as_str());
            let key = key.map_err(|error| Unfilled::Key(self.name.clone(), error))?;
            out.extend_from_slice(key.as_bytes());
            self.how.lower_case(out, start);
            return Ok(true);
        }
        let not_a_name = |error| Unfilled::Host(self.name.clone(), error);
        let found = self.part(reference, subject, out).map_err(not_a_name)?;
        if found.is_none() && self.how.must {
            out.truncate(start);
            return Err(Unfilled::Missing(self.name.clone()));
        }
        self.how.lower_case(out, start);
        let filled = out.get(start..).unwrap_or_default();
        if self.how.strict && filled.iter().any(u8::is_ascii_control) {
            return Err(Unfilled::Control(self.name.clone()));
        }
        Ok(found.is_some())
    }

    /// Appends the part; `None` if it is absent.
    fn part(
        &self,
        reference: AnyRef<'_>,
        subject: &Subject<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<()>, NotADomainName> {
        let how = self.how;
        let text = |text: Encoded<'_>, out: &mut Vec<u8>| how.text(text, out);
        let pairs = || pairs(reference, subject.separator);
        Ok(match &self.what {
            What::Scheme => reference
                .scheme()
                .map(|text| out.extend_from_slice(text.as_bytes())),
            What::Url => {
                let port = how.default.then(|| absent_port(reference)).flatten();
                write_url(reference, how.spelling, port, out)?;
                Some(())
            }
            What::Authority => reference
                .authority()
                .map(|authority| out.extend_from_slice(authority.as_str().as_bytes())),
            What::Userinfo => reference.userinfo().map(|it| text(it, out)),
            What::User => reference.user().map(|it| text(it, out)),
            What::Password => reference.password().map(|it| text(it, out)),
            What::Host => match reference.host() {
                Some(host) => Some(how.host(host, out)?),
                None => None,
            },
            What::Domain(part) => part
                .of(reference, subject.domains, how.private)
                .map(|part| text(urikit::internal::encoded(part), out)),
            What::Surt(_) => None,
            What::Port => how.port(reference, out),
            What::Origin => reference
                .origin()
                .ok()
                .and_then(|origin| write!(out, "{origin}").ok()),
            What::Path => {
                text(reference.path().encoded(), out);
                Some(())
            }
            What::Segments => {
                let segments = reference.path().segments().map(Segment::encoded);
                how.list(segments, out)
            }
            What::Segment(number) => segment(reference, *number).map(|it| text(it, out)),
            What::File => file(reference).map(|it| text(it, out)),
            What::Ext => file(reference).and_then(|it| how.ext(it, out)),
            What::Params => reference.params().map(|it| text(it, out)),
            What::Query => reference.query().map(|it| text(it, out)),
            What::Pair(name) => {
                let pair = pairs().find(|pair| how.is_named(pair.name(), name));
                pair.map(|pair| {
                    if let Some(value) = pair.value() {
                        text(value, out);
                    }
                })
            }
            What::Pairs(name) => {
                let pairs = pairs().filter(|pair| how.is_named(pair.name(), name));
                how.list(pairs.filter_map(Pair::value), out)
            }
            What::Fragment => reference.fragment().map(|it| text(it, out)),
        })
    }
}

impl How {
    fn text(self, text: Encoded<'_>, out: &mut Vec<u8>) {
        match self.decode {
            Decode::Not => out.extend_from_slice(text.as_str().as_bytes()),
            Decode::Escapes => out.extend(text.decode()),
            Decode::Form => out.extend(text.decode().form().octets()),
        }
    }

    fn host(self, host: Host<'_>, out: &mut Vec<u8>) -> Result<(), NotADomainName> {
        match self.spelling.of(host)? {
            Cow::Borrowed(_) => self.text(host.encoded(), out),
            // A converted name has no escapes.
            Cow::Owned(name) => out.extend_from_slice(name.as_bytes()),
        }
        Ok(())
    }

    fn list<'a>(self, list: impl Iterator<Item = Encoded<'a>>, out: &mut Vec<u8>) -> Option<()> {
        let mut any = None;
        for text in list {
            if any.is_some() {
                out.push(b' ');
            }
            any = Some(());
            self.text(text, out);
        }
        any
    }

    fn port(self, reference: AnyRef<'_>, out: &mut Vec<u8>) -> Option<()> {
        if let Some(port) = reference.port() {
            out.extend_from_slice(port.as_bytes());
            return Some(());
        }
        let default = reference.scheme().and_then(default_port)?;
        if !self.default {
            return None;
        }
        write!(out, "{default}").ok()
    }

    /// What follows the last dot of a name that has something on both sides of it.
    fn ext(self, name: Encoded<'_>, out: &mut Vec<u8>) -> Option<()> {
        let start = out.len();
        self.text(name, out);
        let name = out.get(start..)?;
        let dot = name.iter().rposition(|byte| *byte == b'.').unwrap_or(0);
        if dot == 0 || dot + 1 == name.len() {
            out.truncate(start);
            return None;
        }
        out.drain(start..=start + dot);
        Some(())
    }

    /// Names are compared decoded; with `form`, a `+` in the written name is a space.
    fn is_named(self, written: Encoded<'_>, name: &str) -> bool {
        if self.decode == Decode::Form {
            written.decode().form() == *name
        } else {
            written.decode().octets().eq(name.bytes())
        }
    }
}

/// The pairs of the query, if there is one.
fn pairs(reference: AnyRef<'_>, separator: char) -> impl Iterator<Item = Pair<'_>> {
    let query = reference.query().into_iter();
    query.flat_map(move |query| -> Pairs<'_> { query.pairs(separator) })
}

/// The segment of this number, from 1, or from the end if it is negative.
fn segment(reference: AnyRef<'_>, number: isize) -> Option<Encoded<'_>> {
    let mut segments = reference.path().segments().map(Segment::encoded);
    let count = number.unsigned_abs().checked_sub(1)?;
    if number > 0 {
        segments.nth(count)
    } else {
        segments.nth_back(count)
    }
}

/// The last segment of a path of segments, unless it is empty.
fn file(reference: AnyRef<'_>) -> Option<Encoded<'_>> {
    let path = reference.path();
    let is_opaque = reference.scheme().is_some() && !path.is_absolute();
    let last = path.segments().next_back().map(Segment::encoded)?;
    (!is_opaque && !last.is_empty()).then_some(last)
}
