//! Fills fields from references.

use super::{Decode, Field, Modifiers, Part, Unfilled};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::io::Write as _;
use urikit::component::{Encoded, Host, Pair, Pairs, Segment};
use urikit::op::iri::NotADomainName;
use urikit::op::{Level, default_port};
use urikit::{AnyRef, AnyRefBuf};
use urikit_domains::List;
use urikit_extract::defang;
use urikit_keys::Profile;

impl Field {
    /// Appends the text of the field. Returns `false` if the component is absent.
    ///
    /// # Errors
    ///
    /// Fails if a modifier cannot be applied. After an error, `out` may contain part of the text.
    pub(crate) fn fill(&self, subject: &Subject<'_>, out: &mut Vec<u8>) -> Result<bool, Unfilled> {
        let start = out.len();
        let reference = if self.modifiers.normal {
            subject.normal()
        } else {
            subject.written
        };
        if let Part::Surt(profile) = self.part {
            return self.key(profile, reference.as_str(), out).map(|()| true);
        }
        let not_a_name = |error| Unfilled::Host(self.name.clone(), error);
        let found = self.append(reference, subject, out).map_err(not_a_name)?;
        if found.is_none() && self.modifiers.must {
            out.truncate(start);
            return Err(Unfilled::Missing(self.name.clone()));
        }
        self.modifiers.lower_case(out, start);
        let filled = out.get(start..).unwrap_or_default();
        if self.modifiers.strict && filled.iter().any(u8::is_ascii_control) {
            return Err(Unfilled::Control(self.name.clone()));
        }
        if self.modifiers.defang {
            let defanged = defang(&String::from_utf8_lossy(filled));
            out.truncate(start);
            out.extend_from_slice(defanged.as_bytes());
        }
        Ok(found.is_some())
    }

    /// Returns true if the field can be filled from any text, because it is the key of a program
    /// that does not require a valid reference.
    pub(crate) const fn is_unparsed(&self) -> bool {
        matches!(self.part, Part::Surt(Profile::IaPython)) && !self.modifiers.normal
    }

    /// Appends the text of a field for which [`is_unparsed`](Self::is_unparsed) returns true.
    ///
    /// # Errors
    ///
    /// Fails if the program has no key for the text.
    pub(crate) fn fill_unparsed(&self, text: &str, out: &mut Vec<u8>) -> Result<(), Unfilled> {
        self.key(Profile::IaPython, text, out)
    }

    /// Appends the key of a string under a profile.
    fn key(&self, profile: Profile, text: &str, out: &mut Vec<u8>) -> Result<(), Unfilled> {
        let start = out.len();
        let key = profile.surt(text);
        let key = key.map_err(|error| Unfilled::Key(self.name.clone(), error))?;
        out.extend_from_slice(key.as_bytes());
        self.modifiers.lower_case(out, start);
        Ok(())
    }

    /// Returns the text between the braces.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names and values of the query's pairs, decoded and with the modifiers applied.
    pub(crate) fn pairs<'s>(
        &self,
        subject: &'s Subject<'_>,
    ) -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> + use<'s, '_> {
        let modifiers = Modifiers {
            decode: match self.modifiers.decode {
                Decode::Not => Decode::Escapes,
                chosen => chosen,
            },
            ..self.modifiers
        };
        pairs(subject.written, subject.separator).map(move |pair| {
            let (mut name, mut value) = (Vec::new(), Vec::new());
            modifiers.text(pair.name(), &mut name);
            if let Some(text) = pair.value() {
                modifiers.text(text, &mut value);
            }
            modifiers.lower_case(&mut value, 0);
            (name, value)
        })
    }

    /// Appends the part. Returns `None` if the part is absent.
    fn append(
        &self,
        reference: AnyRef<'_>,
        subject: &Subject<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<()>, NotADomainName> {
        let modifiers = self.modifiers;
        let text = |text: Encoded<'_>, out: &mut Vec<u8>| modifiers.text(text, out);
        let pairs = || pairs(reference, subject.separator);
        Ok(match &self.part {
            Part::Scheme => reference
                .scheme()
                .map(|text| out.extend_from_slice(text.as_bytes())),
            Part::Url => {
                let port = modifiers.default.then(|| absent_port(reference)).flatten();
                write_url(reference, modifiers.spelling, port, out)?;
                Some(())
            }
            Part::Authority => reference
                .authority()
                .map(|authority| out.extend_from_slice(authority.as_str().as_bytes())),
            Part::Userinfo => reference.userinfo().map(|it| text(it, out)),
            Part::User => reference.user().map(|it| text(it, out)),
            Part::Password => reference.password().map(|it| text(it, out)),
            Part::Host => match reference.host() {
                Some(host) => Some(modifiers.host(host, out)?),
                None => None,
            },
            Part::HostKind => reference
                .host_kind()
                .map(|kind| out.extend_from_slice(kind.as_str().as_bytes())),
            Part::Domain(part) => match reference.host() {
                Some(host) => {
                    let host = modifiers.spelling.of(host)?;
                    let part = part.of(&host, subject.domains, modifiers.private);
                    part.map(|part| text(Encoded::assume_valid(part), out))
                }
                None => None,
            },
            Part::Surt(_) => None,
            Part::Port => modifiers.port(reference, out),
            Part::Origin => reference
                .origin()
                .ok()
                .and_then(|origin| write!(out, "{origin}").ok()),
            Part::Path => {
                text(reference.path().encoded(), out);
                Some(())
            }
            Part::Segments => {
                let segments = reference.path().segments().map(Segment::encoded);
                modifiers.list(segments, out)
            }
            Part::Segment(number) => segment(reference, *number).map(|it| text(it, out)),
            Part::File => file(reference).map(|it| text(it, out)),
            Part::Ext => file(reference).and_then(|it| modifiers.ext(it, out)),
            Part::Params => reference.params().map(|it| text(it, out)),
            Part::Query => reference.query().map(|it| text(it, out)),
            Part::Pair(name) => {
                let pair = pairs().find(|pair| modifiers.is_named(pair.name(), name));
                pair.map(|pair| {
                    if let Some(value) = pair.value() {
                        text(value, out);
                    }
                })
            }
            Part::Pairs(name) => {
                let pairs = pairs().filter(|pair| modifiers.is_named(pair.name(), name));
                modifiers.list(pairs.filter_map(Pair::value), out)
            }
            Part::Fragment => reference.fragment().map(|it| text(it, out)),
        })
    }
}

impl Modifiers {
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
            // A converted name contains no escapes.
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

    /// Appends the text after the last dot of a name. The dot must be neither first nor last.
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

    /// Compares the decoded name. With `form`, a `+` in the written name is a space.
    fn is_named(self, written: Encoded<'_>, name: &str) -> bool {
        if self.decode == Decode::Form {
            written.decode().form() == *name
        } else {
            written.decode().octets().eq(name.bytes())
        }
    }
}

/// Returns the pairs of the query.
fn pairs(reference: AnyRef<'_>, separator: char) -> impl Iterator<Item = Pair<'_>> {
    let query = reference.query().into_iter();
    query.flat_map(move |query| -> Pairs<'_> { query.pairs(separator) })
}

/// Returns the segment with this number, counting from 1; negative numbers count from the end.
fn segment(reference: AnyRef<'_>, number: isize) -> Option<Encoded<'_>> {
    let mut segments = reference.path().segments().map(Segment::encoded);
    let count = number.unsigned_abs().checked_sub(1)?;
    if number > 0 {
        segments.nth(count)
    } else {
        segments.nth_back(count)
    }
}

/// Returns the last segment, unless it is empty or the path is opaque.
fn file(reference: AnyRef<'_>) -> Option<Encoded<'_>> {
    let path = reference.path();
    let is_opaque = reference.scheme().is_some() && !path.is_absolute();
    let last = path.segments().next_back().map(Segment::encoded)?;
    (!is_opaque && !last.is_empty()).then_some(last)
}

/// A reference, with the settings for filling fields from it. The normal form is computed on
/// demand.
pub(crate) struct Subject<'a> {
    pub(crate) written: AnyRef<'a>,
    normal: OnceCell<Option<AnyRefBuf>>,
    /// The character that separates pairs in the query.
    pub(super) separator: char,
    /// The Public Suffix List, which divides hosts into domains and suffixes.
    pub(super) domains: &'a List,
}

impl<'a> Subject<'a> {
    pub(crate) const fn new(written: AnyRef<'a>, separator: char, domains: &'a List) -> Self {
        Self {
            written,
            normal: OnceCell::new(),
            separator,
            domains,
        }
    }

    /// Returns the normal form with all levels applied.
    pub(crate) fn normal(&self) -> AnyRef<'_> {
        let normal = self.normal.get_or_init(|| {
            let mut text = String::with_capacity(self.written.as_str().len() + 1);
            self.written.normalize_into(Level::Scheme, &mut text);
            AnyRefBuf::from_string(text, self.written.standard()).ok()
        });
        // INVARIANT: a normal form is valid.
        normal.as_ref().map_or(self.written, |normal| normal.into())
    }
}

/// The spelling of an internationalized host.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Spelling {
    #[default]
    AsWritten,
    /// In ASCII, as in the DNS (A-labels).
    Puny,
    /// In Unicode (U-labels).
    Idn,
}

impl Spelling {
    /// Returns the host in this spelling, borrowed if the host is used as written.
    pub(super) fn of(self, host: Host<'_>) -> Result<Cow<'_, str>, NotADomainName> {
        match self {
            Self::AsWritten => Ok(Cow::Borrowed(host.as_str())),
            Self::Puny => host.to_ascii(),
            Self::Idn => host.to_unicode(),
        }
    }
}

/// Returns the default port if the reference has an authority without a port. A registry-based
/// authority (RFC 2396, 3.2.1) cannot have a port.
pub(super) fn absent_port(reference: AnyRef<'_>) -> Option<u16> {
    let authority = reference.authority()?;
    if authority.port().is_some() || authority.is_registry_based() {
        return None;
    }
    urikit::op::default_port(reference.scheme()?)
}

/// Writes the reference with its host in this spelling, followed by `port`.
pub(super) fn write_url(
    reference: AnyRef<'_>,
    spelling: Spelling,
    port: Option<u16>,
    out: &mut Vec<u8>,
) -> Result<(), NotADomainName> {
    let text = reference.as_str();
    let Some(host) = reference.host() else {
        out.extend_from_slice(text.as_bytes());
        return Ok(());
    };
    let spelled = spelling.of(host)?;
    let scheme = reference.scheme().map_or(0, |scheme| scheme.len() + 1);
    let userinfo = reference
        .userinfo()
        .map_or(0, |userinfo| userinfo.len() + 1);
    let (before, after) = text
        .split_at_checked(scheme + 2 + userinfo)
        .unwrap_or((text, ""));
    out.extend_from_slice(before.as_bytes());
    out.extend_from_slice(spelled.as_bytes());
    if let Some(port) = port {
        // Writing to memory does not fail.
        let _ = write!(out, ":{port}");
    }
    let after = after.get(host.as_str().len()..).unwrap_or_default();
    out.extend_from_slice(after.as_bytes());
    Ok(())
}
