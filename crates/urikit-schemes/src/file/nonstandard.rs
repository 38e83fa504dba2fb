//! The nonstandard forms of RFC 8089, Appendix F, which the RFC does not recommend.
//!
//! ```text
//! auth-path     = [ file-auth ] path-absolute
//!               / [ file-auth ] file-absolute
//!               / unc-authority path-absolute
//! local-path    = [ drive-letter ] path-absolute
//!               / file-absolute
//! file-auth     = "localhost"
//!               / [ userinfo "@" ] host
//! unc-authority = 2*3"/" file-host
//! file-host     = inline-IP / IPv4address / reg-name
//! inline-IP     = "%5B" ( IPv6address / IPvFuture ) "%5D"
//! file-absolute = "/" drive-letter path-absolute
//! drive-letter  = ALPHA ":"
//!               / ALPHA "|"
//! ```
//!
//! RFC 3986 references cannot contain a `|`. RFC 8089 replaces the `|` with a colon
//! ([`update`](File::update)). In our interpretation, a `file-host` must not be empty, because an
//! empty host would not identify a machine.

use super::super::ReadError;
use super::super::shape::{Definition, Shape};
use super::{File, path};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String};
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit::grammar::{HEX_DIGITS, Rule, rfc3986};

const FILE_HIER_PART: Rule = Rule::new("file-hier-part", "RFC 8089, F");
const DRIVE_LETTER: Rule = Rule::new("drive-letter", "RFC 8089, F");
const UNC_AUTHORITY: Rule = Rule::new("unc-authority", "RFC 8089, F");

const NONSTANDARD: Definition = Definition::new("file", FILE_HIER_PART, "RFC 8089, F");

impl<'a> File<'a> {
    /// Reads a reference as a file URL according to RFC 8089's nonstandard rules (Appendix F),
    /// which include the standard rules.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::File;
    /// let url = Uri::parse("file:c:/path/to/file")?; // RFC 8089, E.2
    /// assert!(File::read(url).is_err());
    /// assert_eq!(File::read_nonstandard(url).unwrap().drive(), Some('c'));
    /// let url = Uri::parse("file:////host.example.com/path/to/file")?; // RFC 8089, E.3.2
    /// let file = File::read_nonstandard(url).unwrap();
    /// assert_eq!(file.host().unwrap(), "host.example.com");
    /// assert_eq!(file.path(), "/path/to/file");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a file URL even under the nonstandard rules.
    pub fn read_nonstandard(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        let edition = super::Edition::Successor;
        let shape = Shape::new(reference, edition, &NONSTANDARD)?;
        let part = shape.scheme_part();
        if reference.authority().is_none()
            && let [letter, b':', ..] = part.as_str().as_bytes()
            && letter.is_ascii_alphabetic()
        {
            return Self::with_drive(&shape, *letter);
        }
        let path = path(&shape)?;
        let is_unc = path.as_str().starts_with("//");
        if is_unc && reference.authority().is_some_and(|a| a.as_str().is_empty()) {
            return Self::with_unc(&shape, path);
        }
        if is_unc {
            let offset = shape.offset(path.as_str()) + 1;
            return Err(shape.mismatch(offset, "a segment that is not empty"));
        }
        Ok(Self::new(&shape, path))
    }

    /// Reads `drive-letter path-absolute`.
    fn with_drive(shape: &Shape<'a>, letter: u8) -> Result<Self, ReadError> {
        shape.no_query("no query (a `?` in a name is written `%3F`)")?;
        let part = shape.scheme_part().as_str();
        let path = part.get(2..).unwrap_or_default();
        let offset = shape.offset(path);
        if !path.starts_with('/') {
            return Err(shape.mismatch_in(offset, "`/`", DRIVE_LETTER));
        }
        if path.starts_with("//") {
            return Err(shape.mismatch(offset + 1, "a segment that is not empty"));
        }
        let mut file = Self::new(shape, Encoded::assume_valid(path));
        file.drive = Some(char::from(letter));
        Ok(file)
    }

    /// Reads `unc-authority path-absolute`. The given path begins with two slashes.
    fn with_unc(shape: &Shape<'a>, path: Encoded<'a>) -> Result<Self, ReadError> {
        let text = path.as_str();
        let rest = text.get(2..).unwrap_or_default();
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        let end = rest.find('/').unwrap_or(rest.len());
        let (host, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if !is_file_host(host) {
            return Err(shape.mismatch_in(shape.offset(rest), "a host", UNC_AUTHORITY));
        }
        if !path.starts_with('/') {
            return Err(shape.mismatch(shape.offset(rest) + end, "`/`"));
        }
        if path.starts_with("//") {
            let offset = shape.offset(path) + 1;
            return Err(shape.mismatch(offset, "a segment that is not empty"));
        }
        let mut file = Self::new(shape, Encoded::assume_valid(path));
        file.host = Some(Encoded::assume_valid(host));
        file.is_unc = true;
        Ok(file)
    }

    /// Replaces the vertical line after the drive letter of an old URL with a colon, as RFC 3986
    /// requires (RFC 8089, E.2.2). Returns all other text unchanged.
    ///
    /// ```
    /// use urikit_schemes::File;
    /// assert_eq!(File::update("file:///c|/path/to/file"), "file:///c:/path/to/file");
    /// assert_eq!(File::update("file:///a|b"), "file:///a|b");
    /// ```
    #[cfg(feature = "alloc")]
    pub fn update(text: &str) -> Cow<'_, str> {
        match vertical_line(text) {
            Some((before, after)) => {
                let mut updated = String::with_capacity(text.len());
                updated.push_str(before);
                updated.push(':');
                updated.push_str(after);
                Cow::Owned(updated)
            }
            None => Cow::Borrowed(text),
        }
    }
}

/// Splits an old URL at the vertical line after its drive letter.
#[cfg(feature = "alloc")]
fn vertical_line(text: &str) -> Option<(&str, &str)> {
    let scheme = text.get(..5)?;
    if !scheme.eq_ignore_ascii_case("file:") {
        return None;
    }
    let part = text.get(5..)?;
    let path = match part.strip_prefix("//") {
        Some(rest) => rest.get(rest.find('/')?..)?,
        None => part,
    };
    let path = path.strip_prefix('/').unwrap_or(path);
    let at = text.len() - path.len() + 1;
    match path.as_bytes() {
        // A path-absolute, which cannot begin with two slashes, must follow.
        [_, b'|', b'/', b'/', ..] => None,
        [letter, b'|', b'/', ..] if letter.is_ascii_alphabetic() => {
            Some((text.get(..at)?, text.get(at + 1..)?))
        }
        _ => None,
    }
}

/// Returns true if a segment of the path is a `file-host`.
fn is_file_host(host: &str) -> bool {
    if host.is_empty() {
        return false;
    }
    let is_reg_name = !host.contains([':', '@']);
    is_reg_name || inline_ip(host).is_some()
}

/// Returns the address between escaped brackets.
fn inline_ip(host: &str) -> Option<&str> {
    let (open, rest) = host.split_at_checked(3)?;
    let (address, close) = rest.split_at_checked(rest.len().checked_sub(3)?)?;
    if !open.eq_ignore_ascii_case("%5B") || !close.eq_ignore_ascii_case("%5D") {
        return None;
    }
    let is_address = match address.strip_prefix(['v', 'V']) {
        Some(future) => future.split_once('.').is_some_and(|(version, rest)| {
            let is_of = |text: &str, set: &urikit::grammar::ByteSet| {
                !text.is_empty() && text.bytes().all(|byte| set.contains(byte))
            };
            is_of(version, &HEX_DIGITS) && is_of(rest, rfc3986::IPVFUTURE.set())
        }),
        None => address.parse::<core::net::Ipv6Addr>().is_ok(),
    };
    is_address.then_some(address)
}
