//! Where the parts of an input are, whether it is valid or not.

use crate::reader::Slices;

/// The parts of an input by the regular expression of RFC 2396, Appendix B, without blanks and
/// control characters around it. All of them are slices of the input.
pub(super) struct Shape<'a> {
    pub(super) input: &'a str,
    /// Without blanks and control characters around it.
    pub(super) trimmed: &'a str,
    pub(super) scheme: Option<&'a str>,
    /// What follows the scheme.
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

    /// The offset of a part in the input.
    pub(super) fn offset(&self, part: &str) -> usize {
        let offset = (part.as_ptr() as usize).checked_sub(self.input.as_ptr() as usize);
        offset.filter(|at| *at <= self.input.len()).unwrap_or(0)
    }

    /// The offset of the host, or of what some readers may take for one.
    pub(super) fn host_offset(&self) -> usize {
        match self.host {
            "" => self.offset(self.authority.unwrap_or(self.rest)),
            host => self.offset(host),
        }
    }

    /// Whether it has this scheme, in any case.
    pub(super) fn is(&self, scheme: &str) -> bool {
        self.scheme
            .is_some_and(|text| text.eq_ignore_ascii_case(scheme))
    }

    /// Whether it has one of these schemes, in any case.
    pub(super) fn is_one_of(&self, schemes: &[&str]) -> bool {
        schemes.iter().any(|scheme| self.is(scheme))
    }
}
