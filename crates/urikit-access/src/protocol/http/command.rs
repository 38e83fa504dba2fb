//! The lines in the head of a request (RFC 9112, 2.1 and 3).

use crate::command::{Argument, Command as Sent, Secret, Wire};
use crate::error::UrlError;
use std::ops::Range;
use urikit::component::password_in;

/// A line in the head of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// The request line, which consists of a method and a target.
    Request(Method, Target),
    /// A header field.
    Field(Field, Argument),
    /// The name and the value of a header field that the caller set.
    Custom(Argument, Argument),
    /// A header field that the caller set, with a name that marks the value as secret, such as
    /// `X-Api-Key`.
    CustomSecret(Argument, Secret),
    /// `Authorization`, using the "Basic" scheme (RFC 7617), with the credentials in base64.
    Authorization(Secret),
    /// `Authorization`, using the "Digest" scheme (RFC 7616), with its parameters.
    Digest(Secret),
    /// `Proxy-Authorization`, using the "Basic" scheme (RFC 7617), with the credentials in base64.
    ProxyAuthorization(Secret),
    /// `Cookie` (RFC 6265, 4.2).
    Cookie(Secret),
    /// The empty line that ends the head.
    End,
}

/// The method of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Method {
    /// `GET`.
    Get,
    /// `HEAD`.
    Head,
    /// `POST`.
    Post,
    /// `PUT`.
    Put,
    /// `CONNECT`, which is sent to a proxy.
    Connect,
    /// Another method that the caller set.
    Other(Argument),
}

/// The name of a header field that the client sets.
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
    /// `Content-Type`.
    ContentType,
    /// `Content-Length`.
    ContentLength,
    /// `Transfer-Encoding`.
    TransferEncoding,
    /// `Upgrade`.
    Upgrade,
    /// `Sec-WebSocket-Version` (RFC 6455, 4.1).
    WebSocketVersion,
}

/// The target of a request, which is a path and a query or, for a proxy, the complete URI. A
/// password in the URI is secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    before: Argument,
    secret: Option<Secret>,
    after: Argument,
}

impl Command {
    /// Returns a header field. Fails if the value contains a control character.
    pub(crate) fn field(field: Field, value: &str, part: &'static str) -> Result<Self, UrlError> {
        Ok(Self::Field(field, Argument::new(value.bytes(), part)?))
    }
}

impl Method {
    /// Returns the method with this name.
    pub(super) fn custom(name: &str) -> Result<Self, UrlError> {
        Ok(match name {
            "GET" => Self::Get,
            "POST" => Self::Post,
            "PUT" => Self::Put,
            _ => Self::Other(Argument::new(name.bytes(), "method")?),
        })
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Connect => "CONNECT",
            Self::Other(_) => "request",
        }
    }

    /// Returns the method in hyper's form. hyper uses the method to decide whether the response
    /// has a body.
    pub(super) fn to_http(&self) -> http::Method {
        match self {
            Self::Get => http::Method::GET,
            Self::Head => http::Method::HEAD,
            Self::Post => http::Method::POST,
            Self::Put => http::Method::PUT,
            Self::Connect => http::Method::CONNECT,
            Self::Other(name) => {
                http::Method::from_bytes(name.octets()).unwrap_or(http::Method::GET)
            }
        }
    }
}

impl Field {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Host => "Host",
            Self::UserAgent => "User-Agent",
            Self::Accept => "Accept",
            Self::AcceptEncoding => "Accept-Encoding",
            Self::Connection => "Connection",
            Self::Range => "Range",
            Self::IfRange => "If-Range",
            Self::ContentType => "Content-Type",
            Self::ContentLength => "Content-Length",
            Self::TransferEncoding => "Transfer-Encoding",
            Self::Upgrade => "Upgrade",
            Self::WebSocketVersion => "Sec-WebSocket-Version",
        }
    }
}

impl Target {
    /// Creates a target from the text to send.
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

/// Finds the password in a URI that is sent to a proxy, or appended to a gateway's prefix.
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
            Self::Custom(..) | Self::CustomSecret(..) => "field",
            Self::Authorization(_) | Self::Digest(_) => "Authorization",
            Self::ProxyAuthorization(_) => "Proxy-Authorization",
            Self::Cookie(_) => "Cookie",
            Self::End => "end of the head",
        }
    }

    fn write(&self, wire: &mut Wire) {
        match self {
            Self::Request(method, target) => {
                match method {
                    Method::Other(name) => wire.argument(name),
                    known => wire.word(known.name()),
                };
                wire.word(" ").argument(&target.before);
                if let Some(secret) = &target.secret {
                    wire.secret(secret);
                }
                wire.argument(&target.after).word(" HTTP/1.1")
            }
            Self::Field(field, value) => wire.word(field.name()).word(": ").argument(value),
            Self::Custom(name, value) => wire.argument(name).word(": ").argument(value),
            Self::CustomSecret(name, value) => wire.argument(name).word(": ").secret(value),
            Self::Authorization(credentials) => {
                wire.word("Authorization: Basic ").secret(credentials)
            }
            Self::Digest(answer) => wire.word("Authorization: Digest ").secret(answer),
            Self::ProxyAuthorization(credentials) => {
                wire.word("Proxy-Authorization: Basic ").secret(credentials)
            }
            Self::Cookie(cookies) => wire.word("Cookie: ").secret(cookies),
            Self::End => wire,
        };
    }
}
