//! Maps IRIs to URIs and back (RFC 3987, 3.1 and 3.2).
//!
//! ```
//! use urikit::{Iri, Uri};
//! let iri = Iri::parse("http://www.example.org/red%09rosé#red")?; // RFC 3987, 3.1
//! assert_eq!(iri.to_uri(), "http://www.example.org/red%09ros%C3%A9#red");
//! let uri = Uri::parse("http://www.example.org/D%C3%BCrst")?; // RFC 3987, 3.2.1
//! assert_eq!(uri.to_iri(), "http://www.example.org/Dürst");
//! # Ok::<(), urikit::ParseError>(())
//! ```
//!
//! IRIs are Unicode here (3.1, step 1 c), so they are not normalized. The host is percent-encoded
//! like the other components; `to_uri_idna`, which needs the `idna` feature, converts the host to
//! its DNS name. Mapping back keeps Punycode; `Host::to_unicode` decodes it.
//!
//! Section 3.2 leaves open which escapes become characters (step 4). This module decodes all
//! characters that the component allows, except those that format bidirectional text (4.1) and
//! white space (6.1).

#[cfg(feature = "idna")]
mod idna;

#[cfg(feature = "idna")]
pub use idna::{NotADomainName, ToUriError};

use crate::grammar::Beyond;
use crate::grammar::rfc3986::UNRESERVED;
use crate::percent::{escape, escaped_char, escaped_octet, is_fit_for_iris};
use crate::{AnyRef, Iri, IriRef, Uri, UriRef};
#[cfg(feature = "alloc")]
use crate::{AnyRefBuf, IriBuf, IriRefBuf, Standard, UriBuf, UriRefBuf};
#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt::{self, Write};

/// A `Display` of the URI that an IRI maps to (RFC 3987, 3.1). Does not allocate.
#[derive(Clone, Copy, Debug)]
pub struct DisplayUri<'a> {
    iri: AnyRef<'a>,
}

impl fmt::Display for DisplayUri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_uri(self.iri.as_str(), f)
    }
}

/// A `Display` of an IRI that maps to a URI (RFC 3987, 3.2). Does not allocate.
#[derive(Clone, Copy, Debug)]
pub struct DisplayIri<'a> {
    uri: AnyRef<'a>,
}

impl fmt::Display for DisplayIri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_iri(self.uri, f)
    }
}

/// The methods of an IRI.
macro_rules! iri_methods {
    ($($T:ident $(<$generic:lifetime>)?, $lt:lifetime => $Uri:ident;)*) => {$(
        impl$(<$generic>)? $T$(<$generic>)? {
            /// Maps the IRI to a URI (RFC 3987, 3.1). Each non-ASCII character is percent-encoded
            /// as UTF-8. Everything else is left unchanged, including escapes.
            ///
            /// The host is percent-encoded as well, so the DNS cannot resolve it. With the `idna`
            /// feature, `to_uri_idna` returns a URI whose host can be resolved.
            ///
            /// ```
            /// use urikit::Iri;
            /// // RFC 3987, 3.1
            /// let iri = Iri::parse("http://example.com/\u{10300}\u{10301}\u{10302}")?;
            /// assert_eq!(iri.to_uri(), "http://example.com/%F0%90%8C%80%F0%90%8C%81%F0%90%8C%82");
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            ///
            /// # Panics
            ///
            /// Panics if the URI would be longer than [`MAX_LEN`](crate::MAX_LEN), 4 GiB.
            #[cfg(feature = "alloc")]
            #[allow(clippy::panic)] // as `Vec` panics on a capacity overflow
            pub fn to_uri(&self) -> $Uri {
                let mut out = String::new();
                self.to_uri_into(&mut out);
                match AnyRefBuf::from_string(out, Standard::Rfc3986) {
                    Ok(uri) => $Uri::from_any(uri),
                    Err(error) => panic!("{error}"),
                }
            }

            /// Maps the IRI to a URI and appends the URI to `out`.
            #[cfg(feature = "alloc")]
            pub fn to_uri_into(&self, out: &mut String) {
                // INVARIANT: writing to a string never fails.
                let _ = write_uri(self.as_str(), out);
            }

            /// Returns a value whose `Display` writes the URI that the IRI maps to. Does not
            /// allocate.
            pub fn display_uri(&self) -> DisplayUri<$lt> {
                DisplayUri { iri: self.any() }
            }
        }
    )*};
}

/// The methods of a URI.
macro_rules! uri_methods {
    ($($T:ident $(<$generic:lifetime>)?, $lt:lifetime => $Iri:ident;)*) => {$(
        impl$(<$generic>)? $T$(<$generic>)? {
            /// Returns an IRI that maps to this URI (RFC 3987, 3.2). Decodes the escapes of
            /// unreserved characters, and of characters that an IRI allows in that component. Keeps
            /// the escapes of reserved characters, of characters that an IRI does not allow, and of
            /// octets that are not UTF-8.
            ///
            /// Mapping the IRI back gives this URI, except for decoded unreserved characters and
            /// the case of hexadecimal digits.
            ///
            /// ```
            /// use urikit::Uri;
            /// // RFC 3987, 3.2.1
            /// let uri = Uri::parse("http://xn--99zt52a.example.org/%e2%80%ae")?;
            /// assert_eq!(uri.to_iri(), "http://xn--99zt52a.example.org/%E2%80%AE");
            /// # Ok::<(), urikit::ParseError>(())
            /// ```
            #[cfg(feature = "alloc")]
            pub fn to_iri(&self) -> $Iri {
                let mut out = String::new();
                self.to_iri_into(&mut out);
                // INVARIANT: the result is a valid IRI, and is not longer than the URI.
                let iri = AnyRefBuf::from_string(out, Standard::Rfc3987);
                $Iri::from_any(iri.unwrap_or_else(|_| self.any().to_owned()))
            }

            /// Appends an IRI that maps to this URI to `out`.
            #[cfg(feature = "alloc")]
            pub fn to_iri_into(&self, out: &mut String) {
                // INVARIANT: writing to a string never fails.
                let _ = write_iri(self.any(), out);
            }

            /// Returns a `Display` of an IRI that maps to this URI. Does not allocate.
            pub fn display_iri(&self) -> DisplayIri<$lt> {
                DisplayIri { uri: self.any() }
            }
        }
    )*};
}

iri_methods! {
    Iri<'a>, 'a => UriBuf;
    IriRef<'a>, 'a => UriRefBuf;
}

uri_methods! {
    Uri<'a>, 'a => IriBuf;
    UriRef<'a>, 'a => IriRefBuf;
}

#[cfg(feature = "alloc")]
iri_methods! {
    IriBuf, '_ => UriBuf;
    IriRefBuf, '_ => UriRefBuf;
}

#[cfg(feature = "alloc")]
uri_methods! {
    UriBuf, '_ => IriBuf;
    UriRefBuf, '_ => IriRefBuf;
}

/// RFC 3987, 3.1, step 2. The only non-ASCII characters of an IRI are `ucschar` and `iprivate`, so
/// all of them are escaped.
fn write_uri<W: Write>(iri: &str, out: &mut W) -> fmt::Result {
    let mut rest = iri;
    while !rest.is_empty() {
        let is_beyond = |c: char| !c.is_ascii();
        let (plain, after) = split_at(rest, rest.find(is_beyond));
        out.write_str(plain)?;
        let (beyond, after) = split_at(after, after.find(|c: char| c.is_ascii()));
        for octet in beyond.bytes() {
            out.write_str(escape(octet))?;
        }
        rest = after;
    }
    Ok(())
}

/// RFC 3987, 3.2. Only the query allows `iprivate`.
fn write_iri<W: Write>(uri: AnyRef<'_>, out: &mut W) -> fmt::Result {
    let text = uri.as_str();
    let after = |part: Option<crate::component::Encoded<'_>>| part.map_or(0, |part| part.len() + 1);
    let query_end = text.len() - after(uri.fragment());
    let (text, fragment) = split_at(text, Some(query_end));
    let (text, query) = split_at(text, Some(query_end - after(uri.query())));
    write_part(text, Beyond::Ucschar, out)?;
    write_part(query, Beyond::UcscharAndIprivate, out)?;
    write_part(fragment, Beyond::Ucschar, out)
}

fn write_part<W: Write>(part: &str, beyond: Beyond, out: &mut W) -> fmt::Result {
    let mut rest = part;
    loop {
        let (plain, escapes) = split_at(rest, rest.find('%'));
        out.write_str(plain)?;
        // Step 2: characters that a URI reserves or does not allow remain escaped.
        let Some(octet) = escaped_octet(escapes.as_bytes()) else {
            return Ok(());
        };
        let (c, length) = match escaped_char(escapes.as_bytes()) {
            Some((c, length)) => (Some(c), length),
            None => (None, 3),
        };
        let (written, after) = split_at(escapes, Some(length));
        match c {
            Some(c) if c.is_ascii() && !UNRESERVED.set().contains(octet) => {
                out.write_str(written)?;
            }
            Some(c) if c.is_ascii() || beyond.contains(c) && is_fit_for_iris(c) => {
                out.write_char(c)?;
            }
            // Steps 3 and 4: other octets and characters remain escaped.
            _ => written
                .bytes()
                .try_for_each(|byte| out.write_char(char::from(byte.to_ascii_uppercase())))?,
        }
        rest = after;
    }
}

/// Splits the text at `at`, or at the end if `at` is `None`.
fn split_at(text: &str, at: Option<usize>) -> (&str, &str) {
    let at = at.unwrap_or(text.len());
    // INVARIANT: `at` is at a character boundary.
    text.split_at_checked(at).unwrap_or((text, ""))
}
