//! IRIs to URIs and back (RFC 3987, 3.1 and 3.2).
//!
//! ```
//! use urikit::{IriRef, UriRef};
//! let iri = IriRef::parse_as("http://www.example.org/red%09rosé#red")?; // RFC 3987, 3.1
//! assert_eq!(iri.as_uri().to_string(), "http://www.example.org/red%09ros%C3%A9#red");
//! let uri = UriRef::parse("http://www.example.org/D%C3%BCrst")?; // RFC 3987, 3.2.1
//! assert_eq!(uri.as_iri().to_string(), "http://www.example.org/Dürst");
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! An IRI comes here as Unicode (3.1, step 1 c), and so nothing is normalised. The host is
//! percent-encoded as all else; `UriRef::to_uri_idna`, behind the feature `idna`, writes it
//! as the DNS has it. Punycode stays in IRIs; `Host::to_unicode` gives the name that it stands for.
//!
//! Which characters are shown is a choice that 3.2 leaves (step 4): here, all that the component may
//! hold but those that format bidirectional text (4.1) and white space (6.1).

#[cfg(feature = "idna")]
mod idna;

#[cfg(feature = "idna")]
pub use idna::{NotADomainName, ToUriError};

use super::percent::{escape, escaped_char, escaped_octet, is_fit_for_iris};
use crate::grammar::Beyond;
use crate::grammar::rfc3986::UNRESERVED;
#[cfg(feature = "alloc")]
use crate::{ParseError, UriRefBuf};
use crate::{Rfc3986, Rfc3987, UriRef};
#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt::{self, Write};

/// The URI that an IRI maps to: `Display` writes it.
///
/// ```
/// use urikit::IriRef;
/// let iri = IriRef::parse_as("http://résumé.example.org")?; // RFC 3987, 3.1
/// assert_eq!(format!("<{}>", iri.as_uri()), "<http://r%C3%A9sum%C3%A9.example.org>");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AsUri<'a> {
    iri: UriRef<'a, Rfc3987>,
}

impl fmt::Display for AsUri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_uri(self.iri.as_str(), f)
    }
}

/// An IRI that maps to a URI: `Display` writes it.
///
/// ```
/// use urikit::UriRef;
/// let uri = UriRef::parse("http://www.example.org/D%FCrst")?; // RFC 3987, 3.2.1: no UTF-8
/// assert_eq!(format!("<{}>", uri.as_iri()), "<http://www.example.org/D%FCrst>");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AsIri<'a> {
    uri: UriRef<'a>,
}

impl fmt::Display for AsIri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_iri(self.uri, f)
    }
}

impl<'a> UriRef<'a, Rfc3987> {
    /// The URI that it maps to (RFC 3987, 3.1). Each character beyond US-ASCII becomes the escapes of
    /// its octets in UTF-8; all else stays, escapes too.
    pub const fn as_uri(self) -> AsUri<'a> {
        AsUri { iri: self }
    }

    /// The URI that it maps to.
    ///
    /// ```
    /// use urikit::IriRef;
    /// let iri = IriRef::parse_as("http://example.com/\u{10300}\u{10301}\u{10302}")?;
    /// let uri = iri.to_uri()?;
    /// assert_eq!(uri.as_str(), "http://example.com/%F0%90%8C%80%F0%90%8C%81%F0%90%8C%82");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A URI of more than [`MAX_LEN`](crate::MAX_LEN) bytes; there is no other.
    #[cfg(feature = "alloc")]
    pub fn to_uri(self) -> Result<UriRefBuf, ParseError> {
        let mut out = String::new();
        self.to_uri_into(&mut out);
        UriRefBuf::parse(out).map_err(|rejected| rejected.error())
    }

    /// The URI that it maps to, to the end of `out`.
    ///
    /// ```
    /// use urikit::IriRef;
    /// let mut out = String::from("Location: ");
    /// IriRef::parse_as("http://www.example.org/red%09rosé#red")?.to_uri_into(&mut out); // RFC 3987, 3.1
    /// assert_eq!(out, "Location: http://www.example.org/red%09ros%C3%A9#red");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn to_uri_into(self, out: &mut String) {
        // INVARIANT: writing to a string never fails.
        let _ = write_uri(self.as_str(), out);
    }
}

impl<'a> UriRef<'a> {
    /// An IRI that maps to this URI (RFC 3987, 3.2). Escapes of unreserved characters and of
    /// characters that an IRI may hold in that place become those characters; octets that are no
    /// UTF-8, reserved characters and what no IRI may hold stay escaped.
    ///
    /// It maps back to this URI, but for unreserved characters that were escaped and the case of
    /// hexadecimal digits.
    pub const fn as_iri(self) -> AsIri<'a> {
        AsIri { uri: self }
    }

    /// An IRI that maps to this URI.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let uri = UriRef::parse("http://xn--99zt52a.example.org/%e2%80%ae")?; // RFC 3987, 3.2.1
    /// assert_eq!(uri.to_iri()?.as_str(), "http://xn--99zt52a.example.org/%E2%80%AE");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// None: every URI has an IRI, which is not longer. It is parsed all the same.
    #[cfg(feature = "alloc")]
    pub fn to_iri(self) -> Result<UriRefBuf<Rfc3987>, ParseError> {
        let mut out = String::new();
        self.to_iri_into(&mut out);
        UriRefBuf::parse_as(out).map_err(|rejected| rejected.error())
    }

    /// An IRI that maps to this URI, to the end of `out`.
    ///
    /// ```
    /// use urikit::UriRef;
    /// let mut out = String::from("at ");
    /// UriRef::parse("http://www.example.org/D%C3%BCrst")?.to_iri_into(&mut out); // RFC 3987, 3.2.1
    /// assert_eq!(out, "at http://www.example.org/Dürst");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn to_iri_into(self, out: &mut String) {
        // INVARIANT: writing to a string never fails.
        let _ = write_iri(self, out);
    }
}

/// RFC 3987, 3.1, step 2, for each character in `ucschar` or `iprivate`: an IRI has no others beyond
/// US-ASCII.
fn write_uri<W: Write>(iri: &str, out: &mut W) -> fmt::Result {
    let mut rest = iri;
    while !rest.is_empty() {
        let is_beyond = |c: char| !c.is_ascii();
        let (plain, behind) = split_at(rest, rest.find(is_beyond));
        out.write_str(plain)?;
        let (beyond, behind) = split_at(behind, behind.find(|c: char| c.is_ascii()));
        for octet in beyond.bytes() {
            out.write_str(escape(octet))?;
        }
        rest = behind;
    }
    Ok(())
}

/// RFC 3987, 3.2. `iprivate` may stand in the query only.
fn write_iri<W: Write>(uri: UriRef<'_, Rfc3986>, out: &mut W) -> fmt::Result {
    let text = uri.as_str();
    let behind =
        |part: Option<crate::component::Encoded<'_>>| part.map_or(0, |part| part.len() + 1);
    let query_end = text.len() - behind(uri.fragment());
    let (text, fragment) = split_at(text, Some(query_end));
    let (text, query) = split_at(text, Some(query_end - behind(uri.query())));
    write_part(text, Beyond::Ucschar, out)?;
    write_part(query, Beyond::UcscharAndIprivate, out)?;
    write_part(fragment, Beyond::Ucschar, out)
}

fn write_part<W: Write>(part: &str, beyond: Beyond, out: &mut W) -> fmt::Result {
    let mut rest = part;
    loop {
        let (plain, escapes) = split_at(rest, rest.find('%'));
        out.write_str(plain)?;
        // Step 2: what a URI reserves or cannot have stays as it is.
        let Some(octet) = escaped_octet(escapes.as_bytes()) else {
            return Ok(());
        };
        let (c, length) = match escaped_char(escapes.as_bytes()) {
            Some((c, length)) => (Some(c), length),
            None => (None, 3),
        };
        let (written, behind) = split_at(escapes, Some(length));
        match c {
            Some(c) if c.is_ascii() && !UNRESERVED.set().contains(octet) => {
                out.write_str(written)?;
            }
            Some(c) if c.is_ascii() || beyond.contains(c) && is_fit_for_iris(c) => {
                out.write_char(c)?;
            }
            // Steps 3 and 4.
            _ => written
                .bytes()
                .try_for_each(|byte| out.write_char(char::from(byte.to_ascii_uppercase())))?,
        }
        rest = behind;
    }
}

/// What is before and behind `at`; all is before `None`.
fn split_at(text: &str, at: Option<usize>) -> (&str, &str) {
    let at = at.unwrap_or(text.len());
    // INVARIANT: `at` is where a delimiter or another character begins.
    text.split_at_checked(at).unwrap_or((text, ""))
}
