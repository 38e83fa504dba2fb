//! The lines in the head of a request (RFC 9112, 2.1 and 3).

use crate::command::{Argument, Command as Sent, Secret, Wire};
use crate::url_error::UrlError;
use std::ops::Range;
use urikit::component::password_in;

/// A line in the head of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// The request line: a method and a target.
    Request(Method, Target),
    /// A header field.
    Field(Field, Argument),
    /// `Authorization`, by the "Basic" scheme (RFC 7617): the credentials in base64.
    Authorization(Secret),
    /// The empty line that ends the head.
    End,
}

/// The method of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// `GET`.
    Get,
    /// `HEAD`.
    Head,
}

/// A header field that is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Field {
    /// `Host`.
    Host,
    /// `User-Agent`.
    UserAgent,
    /// `Accept`.
    Accept,
    /// `Accept-Encoding`.
    AcceptEncoding,
    /// `Connection`.
    Connection,
    /// `Range`.
    Range,
    /// `If-Range` (RFC 9110, 13.1.5).
    IfRange,
    /// `Upgrade`.
    Upgrade,
    /// `Sec-WebSocket-Version` (RFC 6455, 4.1).
    WebSocketVersion,
}

/// The target of a request: a path and a query, or the complete URI for a proxy. What may be a
/// password in it is secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    before: Argument,
    secret: Option<Secret>,
    after: Argument,
}

impl Command {
    /// A header field.
    pub(crate) fn field(field: Field, value: &str, part: &'static str) -> Result<Self, UrlError> {
        Ok(Self::Field(field, Argument::new(value.bytes(), part)?))
    }
}

impl Method {
    const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
        }
    }
}

impl Field {
    const fn name(self) -> &'static str {
        match self {
            Self::Host => "Host",
            Self::UserAgent => "User-Agent",
            Self::Accept => "Accept",
            Self::AcceptEncoding => "Accept-Encoding",
            Self::Connection => "Connection",
            Self::Range => "Range",
            Self::IfRange => "If-Range",
            Self::Upgrade => "Upgrade",
            Self::WebSocketVersion => "Sec-WebSocket-Version",
        }
    }
}

impl Target {
    /// Takes a target as it is sent.
    pub(crate) fn new(target: &str) -> Result<Self, UrlError> {
        let secret = secret_in(target).unwrap_or(target.len()..target.len());
        let part = |range: Range<usize>| target.get(range).unwrap_or_default().bytes();
        let (before, after) = (part(0..secret.start), part(secret.end..target.len()));
        let secret = (!secret.is_empty()).then(|| Secret::new(part(secret), "password"));
        Ok(Self {
            before: Argument::new(before, "path")?,
            secret: secret.transpose()?,
            after: Argument::new(after, "path")?,
        })
    }
}

/// The password in a URI that is sent to a proxy, or that is appended to the prefix of a gateway.
fn secret_in(target: &str) -> Option<Range<usize>> {
    let (before, rest) = target.split_once("//")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let secret = password_in(rest.get(..end)?.as_bytes())?;
    let start = before.len() + "//".len();
    Some(start + secret.start..start + secret.end)
}

impl Sent for Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Request(method, _) => method.name(),
            Self::Field(field, _) => field.name(),
            Self::Authorization(_) => "Authorization",
            Self::End => "end of the head",
        }
    }

    fn write(&self, wire: &mut Wire) {
        match self {
            Self::Request(method, target) => {
                wire.word(method.name()).word(" ").argument(&target.before);
                if let Some(secret) = &target.secret {
                    wire.secret(secret);
                }
                wire.argument(&target.after).word(" HTTP/1.1")
            }
            Self::Field(field, value) => wire.word(field.name()).word(": ").argument(value),
            Self::Authorization(credentials) => {
                wire.word("Authorization: Basic ").secret(credentials)
            }
            Self::End => wire,
        };
    }
}
