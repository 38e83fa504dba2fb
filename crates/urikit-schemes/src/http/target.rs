//! The path and the query in HTTP, and in the WebSocket Protocol, whose opening handshake is an
//! HTTP request.

use super::super::ReadError;
#[cfg(feature = "alloc")]
use super::super::build::{BuildError, Data, ServerParts, UNRESERVED, UrlText, are, unchanged};
use super::super::shape::{Server, Shape};
#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
use urikit::Standard;
use urikit::component::Encoded;
#[cfg(feature = "alloc")]
use urikit::component::Host;
#[cfg(feature = "alloc")]
use urikit::grammar::{ByteSet, rfc3986};
#[cfg(feature = "alloc")]
use urikit::octet::escape;
#[cfg(feature = "alloc")]
use urikit::percent::Place;

/// Reads the server, which the scheme requires.
///
/// RFC 1630 allows hosts only in the schemes that it defines. RFC 1630's generic production, which
/// newer schemes use, has no host.
pub(in super::super) fn server<'a>(shape: &Shape<'a>) -> Result<Server<'a>, ReadError> {
    let reference = shape.reference;
    if reference.standard() == Standard::Rfc1630 && reference.authority().is_none() {
        let start = shape.offset(shape.scheme_part().as_str());
        let expected = "a host, which RFC 1630 allows only in its own schemes";
        return Err(shape.mismatch(start, expected));
    }
    shape.server()
}

/// The path and the query that a client requests from a server.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Target<'a> {
    #[cfg(feature = "alloc")]
    host_port: &'a str,
    path: Encoded<'a>,
    query: Option<Encoded<'a>>,
}

impl<'a> Target<'a> {
    /// Splits the text between the authority and the fragment at the first `?`. For schemes that
    /// RFC 1738 does not define, the RFC 1738 parser leaves the query in the path.
    pub(in super::super) fn new(shape: &Shape<'a>) -> Self {
        let part = shape.scheme_part().as_str();
        let path = shape.reference.path().as_str();
        let start = shape.offset(path).saturating_sub(shape.offset(part));
        let rest = Encoded::assume_valid(part.get(start..).unwrap_or_default());
        let (path, query) = match rest.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (rest, None),
        };
        Self {
            #[cfg(feature = "alloc")]
            host_port: host_port(shape),
            path,
            query,
        }
    }

    /// Rejects a query without a path before it.
    pub(super) fn needs_path(&self, shape: &Shape<'a>) -> Result<(), ReadError> {
        match self.query {
            Some(query) if self.path.is_empty() => {
                Err(shape.mismatch(shape.offset(query.as_str()) - 1, "`/` before the query"))
            }
            _ => Ok(()),
        }
    }

    pub(in super::super) const fn path(&self) -> Encoded<'a> {
        self.path
    }

    pub(in super::super) const fn query(&self) -> Option<Encoded<'a>> {
        self.query
    }
}

/// The authority without its userinfo.
#[cfg(feature = "alloc")]
fn host_port<'a>(shape: &Shape<'a>) -> &'a str {
    let Some(authority) = shape.reference.authority() else {
        return "";
    };
    let start = shape.offset(authority.host().as_str()) - shape.offset(authority.as_str());
    authority.as_str().get(start..).unwrap_or_default()
}

/// The characters that an HTTP request target may contain. Other characters are escaped, "as must
/// other disallowed characters" (RFC 1630, HTTP). Examples of escaped characters are the non-ASCII
/// characters of IRIs, RFC 1630's quotation mark and RFC 2732's brackets.
#[cfg(feature = "alloc")]
const SENT: ByteSet = rfc3986::QUERY.set().or(ByteSet::of(b"%"));

/// The characters that a `Host` field may contain: `uri-host [ ":" port ]` (RFC 9110, 7.2).
#[cfg(feature = "alloc")]
const SENT_HOST: ByteSet = rfc3986::REG_NAME.set().or(ByteSet::of(b"%[]:"));

#[cfg(feature = "alloc")]
impl Target<'_> {
    /// Returns the path and the query in origin form (RFC 7230, 5.3.1), with a slash for an empty
    /// path.
    pub(in super::super) fn origin_form(&self, has_empty_query: bool) -> String {
        let mut text = String::new();
        if self.path.is_empty() {
            text.push('/');
        }
        push_escaped(&mut text, self.path.as_str(), &SENT);
        if let Some(query) = self.query
            && (has_empty_query || !query.is_empty())
        {
            text.push('?');
            push_escaped(&mut text, query.as_str(), &SENT);
        }
        text
    }

    /// Returns the value of the `Host` field: "identical to that authority component, excluding any
    /// userinfo" (RFC 7230, 5.4).
    pub(in super::super) fn host_field(&self) -> String {
        let mut text = String::new();
        push_escaped(&mut text, self.host_port, &SENT_HOST);
        text
    }
}

/// Returns a host as clients send it. Escapes the characters that HTTP does not allow in a host.
#[cfg(feature = "alloc")]
pub(in super::super) fn sent_host(host: Host<'_>) -> String {
    let mut text = String::new();
    push_escaped(&mut text, host.as_str(), &SENT_HOST);
    text
}

/// Appends a part as written. Escapes the characters that are not in the set.
#[cfg(feature = "alloc")]
fn push_escaped(to: &mut String, text: &str, set: &ByteSet) {
    to.reserve(text.len());
    for octet in text.bytes() {
        if set.contains(octet) {
            to.push(char::from(octet));
        } else {
            to.push_str(escape(octet));
        }
    }
}

/// The characters that stay unescaped in a segment: those allowed in RFC 1738's `hsegment`, except
/// `;`, which section 3.3 reserves.
#[cfg(feature = "alloc")]
const SEGMENT: ByteSet = UNRESERVED.or(ByteSet::of(b":@&="));

/// The characters that stay unescaped in a query: those that stay unescaped in a segment, except
/// `+`, which is a space in RFC 1630 and in forms.
#[cfg(feature = "alloc")]
const QUERY: ByteSet = SEGMENT.without(ByteSet::of(b"+"));

/// The server, path and query of a URL that is being built.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub(in super::super) struct TargetParts<'a> {
    pub(in super::super) server: ServerParts<'a>,
    pub(in super::super) segments: Vec<Data<'a>>,
    /// The words that form the query. Only RFC 1630 allows more than one word.
    pub(in super::super) query: Option<Vec<Data<'a>>>,
}

#[cfg(feature = "alloc")]
impl<'a> TargetParts<'a> {
    pub(in super::super) const fn new(host: &'a str) -> Self {
        Self {
            server: ServerParts::new(host),
            segments: Vec::new(),
            query: None,
        }
    }

    /// Appends the server, the path and the query. The path is never empty, because RFC 1738
    /// requires a path before a query.
    pub(in super::super) fn write(&self, text: &mut UrlText) {
        text.server(&self.server);
        if self.segments.is_empty() {
            text.push("/");
        }
        for segment in &self.segments {
            text.push("/");
            text.escape(segment, Place::Path, &SEGMENT);
        }
        for (index, word) in self.query.iter().flatten().enumerate() {
            text.push(if index == 0 { "?" } else { "+" });
            text.escape(word, Place::Query, &QUERY);
        }
    }

    /// Checks that parsing yields the same server and path.
    pub(in super::super) fn check(
        &self,
        path: Encoded<'_>,
        server: &Server<'_>,
    ) -> Result<(), BuildError> {
        self.server.check(server)?;
        let is_path = if self.segments.is_empty() {
            path == "/"
        } else {
            are(path.split('/').skip(1), &self.segments)
        };
        unchanged("path", is_path)
    }

    /// Checks that parsing the query yields the same words.
    pub(in super::super) fn check_query<'q>(
        &self,
        words: impl Iterator<Item = Encoded<'q>>,
    ) -> Result<(), BuildError> {
        let given = self.query.as_deref().unwrap_or_default();
        unchanged("query", are(words, given))
    }
}
