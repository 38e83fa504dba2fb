//! `ws` and `wss`: a connection by the WebSocket Protocol.
//!
//! ```text
//! ws-URI  = "ws:" "//" host [ ":" port ] path [ "?" query ]      RFC 6455, 3
//! wss-URI = "wss:" "//" host [ ":" port ] path [ "?" query ]
//! path    = path-abempty
//! ```
//!
//! There is no userinfo, and a fragment "MUST NOT be used on these URIs". RFC 6455 defines both
//! schemes and builds on RFC 3986; references of the other standards are checked against it too.

use super::builtin::{Builtin, builtin};
use super::http::Target;
use super::shape::{Server, Shape, is_scheme};
use super::{Edition, Facts, ReadError, facts};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::Rule;
#[cfg(feature = "alloc")]
use {
    super::{
        Details,
        build::{BuildError, data, uri},
        http::TargetParts,
    },
    alloc::{string::String, vec},
    urikit::{AnyRefBuf, Standard, UriBuf},
};

const WS_FACTS: Facts<'static> = facts("ws");

const WSS_FACTS: Facts<'static> = facts("wss");

pub(super) static WS: Builtin = builtin!(WS_FACTS, WebSocket);
pub(super) static WSS: Builtin = builtin!(WSS_FACTS, WebSocket);

const TEXT: &str = "RFC 6455, 3";
const WS_URI: Rule = Rule::new("ws-URI", TEXT);
const WSS_URI: Rule = Rule::new("wss-URI", TEXT);

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
}

impl<'a> WebSocket<'a> {
    /// Reads a reference as a ws or wss URL.
    ///
    /// # Errors
    ///
    /// If the reference is neither.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a ws or wss URL; both editions are the same.
    ///
    /// # Errors
    ///
    /// If the reference is neither.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let is_secure = is_scheme(reference, WSS_FACTS.name);
        let (facts, production) = if is_secure {
            (WSS_FACTS, WSS_URI)
        } else {
            (WS_FACTS, WS_URI)
        };
        let shape = Shape::new(reference, edition, facts.name, production)?;
        let server = super::http::server(&shape, &facts)?;
        if let Some(fragment) = reference.fragment() {
            let expected = "no fragment (a `#` is written `%23`)";
            return Err(shape.mismatch(shape.offset(fragment.as_str()) - 1, expected));
        }
        Ok(Self {
            server,
            target: Target::new(&shape),
            is_secure,
        })
    }

    /// Whether the connection is secure: `wss`.
    pub const fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// The host.
    pub fn host(&self) -> Host<'a> {
        self.server.host()
    }

    /// The port, by default 80 or 443; `None` for one above 65535.
    pub fn port(&self) -> Option<u16> {
        self.server.port()
    }

    /// The path, as written, with its first slash; it may be empty.
    pub const fn path(&self) -> Encoded<'a> {
        self.target.path()
    }

    /// The query, as written.
    pub const fn query(&self) -> Option<Encoded<'a>> {
        self.target.query()
    }

    /// The specification that it was read by, with the section.
    #[allow(clippy::unused_self)] // as all readings have it
    pub const fn specification(&self) -> &'static str {
        TEXT
    }
}

#[cfg(feature = "alloc")]
impl<'a> WebSocket<'a> {
    /// What a client asks for: the path, or `/` for an empty one, and the query, unless it is
    /// empty. Characters that HTTP does not allow are escaped.
    pub fn resource_name(&self) -> String {
        self.target.origin_form(false)
    }

    /// The value of the `Host` field in the opening handshake (RFC 6455, 4.1): host and port as
    /// written. Characters that HTTP does not allow are escaped.
    pub fn host_field(&self) -> String {
        self.target.host_field()
    }

    /// All of its meaning as named values, for display or as JSON: whether it is `secure`, and the
    /// `resource` that it asks for.
    pub fn details(&self) -> Details<'a> {
        Details::new(
            if self.is_secure { "wss" } else { "ws" },
            self.specification(),
        )
        .with("secure", self.is_secure)
        .with("resource", self.resource_name())
    }

    /// Starts a ws URL for a host: a name or an address, written as in a URL.
    pub const fn builder(host: &'a str) -> WebSocketBuilder<'a> {
        WebSocketBuilder {
            is_secure: false,
            target: TargetParts::new(host),
        }
    }
}

/// Builds a ws or wss URL from parts, which are octets.
///
/// ```
/// use urikit_schemes::WebSocket;
/// let url = WebSocket::builder("server.example.com").secure().segment("chat").query("room=#1").build()?;
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
impl<'a> WebSocketBuilder<'a> {
    /// Makes it a wss URL.
    #[must_use]
    pub const fn secure(mut self) -> Self {
        self.is_secure = true;
        self
    }

    /// Sets a port other than 80 or 443.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.target.server.port = Some(port);
        self
    }

    /// Adds a segment to the path, which may be empty. Without segments, the path is `/`.
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

    /// Builds the URL as a URI of RFC 3986.
    ///
    /// # Errors
    ///
    /// If the parts do not make a URL of the scheme, for example if the host is not valid.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URL as a reference of `standard`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let scheme = if self.is_secure { "wss" } else { "ws" };
        self.target.to_text(scheme, standard).finish(|url| {
            let read = WebSocket::read(url).map_err(BuildError::Scheme)?;
            self.target.check(read.path(), &read.server)?;
            self.target.check_query(read.query().into_iter())
        })
    }
}
