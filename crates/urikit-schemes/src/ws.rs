//! `ws` and `wss`: a connection over the WebSocket Protocol.
//!
//! ```text
//! ws-URI  = "ws:" "//" host [ ":" port ] path [ "?" query ]      RFC 6455, 3
//! wss-URI = "wss:" "//" host [ ":" port ] path [ "?" query ]
//! path    = path-abempty
//! ```
//!
//! A WebSocket URL has no userinfo, and a fragment "MUST NOT be used on these URIs". RFC 6455
//! defines both schemes and builds on RFC 3986. A reference that was parsed under another standard
//! is also checked against RFC 6455.

use super::http::Target;
use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Server, Shape, host_and_port, is_scheme, reading};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::Rule;
#[cfg(feature = "alloc")]
use {
    super::Details,
    super::build::{BuildError, Parts, UrlText, build_methods, data, set_port},
    super::http::TargetParts,
    alloc::{string::String, vec},
    urikit::Standard,
};

const SECTION: &str = "RFC 6455, 3";

const WS_DEFINITION: Definition = Definition::new("ws", Rule::new("ws-URI", SECTION), SECTION);

const WSS_DEFINITION: Definition = Definition::new("wss", Rule::new("wss-URI", SECTION), SECTION);

pub(super) static WS: Builtin = builtin!(WS_DEFINITION, WebSocket);
pub(super) static WSS: Builtin = builtin!(WSS_DEFINITION, WebSocket);

/// A ws or wss URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::WebSocket;
/// let url = Uri::parse("wss://server.example.com/chat?")?;
/// let socket = WebSocket::read(url)?;
/// assert_eq!((socket.is_secure(), socket.port()), (true, Some(443)));
/// // RFC 6455, 3: a `?` only if the query is not empty.
/// assert_eq!(socket.resource_name(), "/chat");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WebSocket<'a> {
    server: Server<'a>,
    target: Target<'a>,
    is_secure: bool,
    read_by: ReadBy,
}

reading!(
    WebSocket,
    "a ws or wss URL",
    /// Returns the parts of the URL as named values, for display or for JSON: whether the
    /// connection is `secure`, and the `resource` that the client requests.
    details
);
host_and_port!(WebSocket, "80 for ws and 443 for wss");

impl<'a> WebSocket<'a> {
    /// Reads a reference as a ws or wss URL. The syntax is the same in both [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a ws or wss URL.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let is_secure = is_scheme(reference, WSS_DEFINITION.facts.name);
        let definition = if is_secure {
            &WSS_DEFINITION
        } else {
            &WS_DEFINITION
        };
        let shape = Shape::new(reference, edition, definition)?;
        let server = super::http::server(&shape)?;
        if let Some(fragment) = reference.fragment() {
            let expected = "no fragment (a `#` is written `%23`)";
            return Err(shape.mismatch(shape.offset(fragment.as_str()) - 1, expected));
        }
        Ok(Self {
            server,
            target: Target::new(&shape),
            is_secure,
            read_by: shape.read_by(),
        })
    }

    /// Returns true if the scheme is `wss`, which uses a secure connection.
    pub const fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// Returns the path as written, including its leading slash. The path may be empty.
    pub const fn path(&self) -> Encoded<'a> {
        self.target.path()
    }

    /// Returns the query, as written.
    pub const fn query(&self) -> Option<Encoded<'a>> {
        self.target.query()
    }
}

#[cfg(feature = "alloc")]
impl<'a> WebSocket<'a> {
    fn values(&self, details: Details<'a>) -> Details<'a> {
        details
            .with("secure", self.is_secure)
            .with("resource", self.resource_name())
    }

    /// Returns the resource name of the opening handshake (RFC 6455, 3): the path, or `/` if it is
    /// empty, and the query unless it is empty. Characters that HTTP does not allow are escaped.
    pub fn resource_name(&self) -> String {
        self.target.origin_form(false)
    }

    /// Returns the value of the `Host` field in the opening handshake (RFC 6455, 4.1): the host
    /// and the port as written. Characters that HTTP does not allow are escaped.
    pub fn host_field(&self) -> String {
        self.target.host_field()
    }

    /// Starts building a ws URL with a host: a name or an address, written as in a URL.
    pub const fn builder(host: &'a str) -> WebSocketBuilder<'a> {
        WebSocketBuilder {
            is_secure: false,
            target: TargetParts::new(host),
        }
    }
}

/// Builds a ws or wss URL from parts that are passed as octets.
///
/// ```
/// use urikit_schemes::WebSocket;
/// let chat = WebSocket::builder("server.example.com").secure().segment("chat");
/// let url = chat.query("room=#1").build()?;
/// assert_eq!(url.as_str(), "wss://server.example.com/chat?room=%231");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct WebSocketBuilder<'a> {
    is_secure: bool,
    target: TargetParts<'a>,
}

#[cfg(feature = "alloc")]
set_port!(WebSocketBuilder, target.server, "80 for ws and 443 for wss");

#[cfg(feature = "alloc")]
impl<'a> WebSocketBuilder<'a> {
    /// Uses the `wss` scheme instead of `ws`.
    #[must_use]
    pub const fn secure(mut self) -> Self {
        self.is_secure = true;
        self
    }

    /// Adds a segment, which may be empty, to the path. If no segment is added, the path is `/`.
    #[must_use]
    pub fn segment<T: AsRef<[u8]> + ?Sized>(mut self, segment: &'a T) -> Self {
        self.target.segments.push(data(segment));
        self
    }

    /// Sets the query.
    #[must_use]
    pub fn query<T: AsRef<[u8]> + ?Sized>(mut self, query: &'a T) -> Self {
        self.target.query = Some(vec![data(query)]);
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    WebSocketBuilder,
    /// Builds the URL as an RFC 3986 URI.
    build,
    /// Fails if the parts do not form a URL of the scheme, for example if the host is not valid.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for WebSocketBuilder<'_> {
    fn scheme(&self) -> &'static str {
        if self.is_secure { "wss" } else { "ws" }
    }

    fn write(&self, text: &mut UrlText) {
        self.target.write(text);
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = WebSocket::read(url)?;
        self.target.check(read.path(), &read.server)?;
        self.target.check_query(read.query().into_iter())
    }
}
