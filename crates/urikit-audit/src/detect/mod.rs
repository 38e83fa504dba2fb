//! Looks for potentially dangerous features of an input.

mod authority;
mod characters;
mod nested;

pub(crate) use nested::Nested;

use crate::agree::{Agreement, Part};
use crate::finding::{Code, Findings};
use crate::reader::Slices;

/// Returns the findings about an input. `agreement` contains the answers from the readers.
pub(crate) fn findings(input: &str, agreement: &Agreement<'_>) -> Findings {
    let shape = Shape::of(input);
    let mut found = Findings::default();
    find_disagreements(&shape, agreement, &mut found);
    characters::find_in_characters(&shape, &mut found);
    characters::find_in_escapes(&shape, &mut found);
    characters::find_in_scheme(&shape, &mut found);
    authority::find_in_authority(&shape, &mut found);
    authority::find_in_address(&shape, agreement, &mut found);
    authority::find_in_name(&shape, &mut found);
    authority::find_in_port(&shape, &mut found);
    characters::find_in_path(&shape, &mut found);
    found.sort();
    found
}

/// Returns the US-ASCII name for which the host of an input could be mistaken.
pub(crate) fn look_alike(input: &str) -> Option<String> {
    authority::look_alike(&Shape::of(input))
}

/// Returns whether a character is a space or control character that some programs remove from the
/// ends of a URL. Browsers and `urlsplit` remove only US-ASCII characters, and Python's `urlopen`
/// removes all spaces.
pub(crate) fn is_blank(c: char) -> bool {
    c <= ' ' || c.is_whitespace()
}

/// The components of an input according to RFC 3986, Appendix B, after surrounding spaces and
/// control characters have been removed. All components are slices of the input.
pub(super) struct Shape<'a> {
    pub(super) input: &'a str,
    /// The input without surrounding spaces and control characters.
    pub(super) trimmed: &'a str,
    pub(super) scheme: Option<&'a str>,
    /// The text after the scheme and its colon.
    pub(super) rest: &'a str,
    pub(super) authority: Option<&'a str>,
    pub(super) userinfo: Option<&'a str>,
    pub(super) host: &'a str,
    pub(super) port: Option<&'a str>,
    pub(super) path: &'a str,
}

impl<'a> Shape<'a> {
    pub(super) fn of(input: &'a str) -> Self {
        let trimmed = input.trim_matches(|c: char| c <= ' ');
        let slices = Slices::of(trimmed);
        let after = slices.scheme.map_or(0, |scheme| scheme.len() + 1);
        Self {
            input,
            trimmed,
            scheme: slices.scheme,
            rest: trimmed.get(after..).unwrap_or_default(),
            authority: slices.authority,
            userinfo: slices.userinfo,
            host: slices.host.unwrap_or_default(),
            port: slices.port,
            path: slices.path,
        }
    }

    /// Returns the offset of a component in the input.
    pub(super) fn offset(&self, part: &str) -> usize {
        let offset = (part.as_ptr() as usize).checked_sub(self.input.as_ptr() as usize);
        offset.filter(|at| *at <= self.input.len()).unwrap_or(0)
    }

    /// Returns the offset of the host, or of the text that some readers may take for the host.
    pub(super) fn host_offset(&self) -> usize {
        match self.host {
            "" => self.offset(self.authority.unwrap_or(self.rest)),
            host => self.offset(host),
        }
    }

    /// Returns whether the input has this scheme, ignoring case.
    pub(super) fn is(&self, scheme: &str) -> bool {
        self.scheme
            .is_some_and(|text| text.eq_ignore_ascii_case(scheme))
    }

    /// Returns whether the input has one of these schemes, ignoring case.
    pub(super) fn is_one_of(&self, schemes: &[&str]) -> bool {
        schemes.iter().any(|scheme| self.is(scheme))
    }
}

/// Finds disagreements between readers.
fn find_disagreements(shape: &Shape<'_>, agreement: &Agreement<'_>, found: &mut Findings) {
    let rfc = agreement
        .outcome("rfc3986")
        .and_then(|outcome| outcome.as_ref().err());
    let error = rfc.and_then(|rejection| rejection.offset()).unwrap_or(0);
    for part in agreement.disputed().iter() {
        let (code, offset) = match part {
            Part::Validity => (Code::ValidityDisagreement, error),
            Part::Scheme => (
                Code::SchemeDisagreement,
                shape.offset(shape.scheme.unwrap_or(shape.trimmed)),
            ),
            Part::Userinfo => (
                Code::UserinfoDisagreement,
                shape
                    .userinfo
                    .map_or(shape.host_offset(), |text| shape.offset(text)),
            ),
            Part::Host => (Code::HostDisagreement, shape.host_offset()),
            Part::Port => (
                Code::PortDisagreement,
                shape
                    .port
                    .map_or(shape.host_offset(), |text| shape.offset(text)),
            ),
        };
        found.add(code, offset);
    }
    if agreement.paths_differ() {
        found.add(Code::PathDisagreement, shape.offset(shape.path));
    }
    if agreement
        .readings()
        .any(|(_, reading)| reading.has_null_host)
    {
        found.add(Code::NullHost, shape.host_offset());
    }
    let is_rejected = |reader: &str| matches!(agreement.outcome(reader), Some(Err(_)));
    if is_rejected("rfc3986") && is_rejected("whatwg") {
        found.add(Code::Invalid, error);
    }
}
