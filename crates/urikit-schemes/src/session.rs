//! `telnet`, `rlogin` and `tn3270`: interactive services.
//!
//! ```text
//! telnetaddress = t e l n e t : / / login         RFC 1630
//! telneturl     = "telnet://" login [ "/" ]       RFC 1738, 5
//! ```
//!
//! The user and the password "are advisory only: clients accessing a telnet URL merely advise the
//! user" of them (RFC 1738, 3.8; RFC 4248, 2, which defines the same form without a grammar).
//! Clients never send the user or the password.
//!
//! RFC 1630 describes the three schemes under one heading, but has a production only for `telnet`.
//! This module uses telnet's production for all three schemes. RFC 1630 defines no port for these
//! schemes; port 23 for `telnet` comes from RFC 1738. RFC 1738 has no production for `rlogin` or
//! `tn3270`. Under RFC 1738 and later standards, both schemes follow telnet's production with the
//! optional slash after the host, because RFC 1630 describes all three schemes together.

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Server, Shape, is_scheme, reading, user_and_password};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1630};
#[cfg(feature = "alloc")]
use {
    super::Details,
    super::build::{
        BuildError, Parts, ServerParts, UrlText, build_methods, set_port, set_user_and_password,
    },
    urikit::Standard,
};

const RFC1630: &str = "RFC 1630, Telnet, rlogin, tn3270";

const TELNET_DEFINITION: Definition = Definition::new(
    "telnet",
    Rule::new("telneturl", "RFC 1738, 3.8"),
    "RFC 1738, 3.8",
)
.rfc1630(rfc1630::TELNETADDRESS, RFC1630)
.successor(Rule::new("telnet URL", "RFC 4248, 2"), "RFC 4248, 2");

const RLOGIN_DEFINITION: Definition = Definition::new("rlogin", rfc1630::RLOGINADDRESS, RFC1630);

const TN3270_DEFINITION: Definition = Definition::new("tn3270", rfc1630::TN3270ADDRESS, RFC1630);

pub(super) static TELNET: Builtin = builtin!(TELNET_DEFINITION, Session);
pub(super) static RLOGIN: Builtin = builtin!(RLOGIN_DEFINITION, Session);
pub(super) static TN3270: Builtin = builtin!(TN3270_DEFINITION, Session);

/// A telnet, rlogin or tn3270 URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Session;
/// let url = Uri::parse("telnet://192.0.2.16:80/")?; // RFC 3986, 1.1.2
/// let session = Session::read(url)?;
/// assert_eq!((session.host().as_str(), session.port()), ("192.0.2.16", Some(80)));
/// assert!(session.user().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Session<'a> {
    server: Server<'a>,
    has_port: bool,
    read_by: ReadBy,
}

reading!(
    Session,
    "a telnet, rlogin or tn3270 URL",
    /// Returns the parts of the URL as named values, for display or for JSON. The list is empty,
    /// because the authority contains the server.
    details
);
user_and_password!(
    Session,
    /// Returns the user name, as written. Clients show the name to the user and do not send it (RFC
    /// 1738, 3.8).
    user,
    /// Returns the password, as written. Clients show the password to the user and do not send it
    /// (RFC 1738, 3.8).
    password
);

impl<'a> Session<'a> {
    /// Reads a reference as a telnet, rlogin or tn3270 URL. The syntax is the same in both
    /// [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference has a different scheme or does not follow the syntax.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let definition = if is_scheme(reference, RLOGIN_DEFINITION.facts.name) {
            &RLOGIN_DEFINITION
        } else if is_scheme(reference, TN3270_DEFINITION.facts.name) {
            &TN3270_DEFINITION
        } else {
            &TELNET_DEFINITION
        };
        let shape = Shape::new(reference, edition, definition)?;
        let server = shape.server()?;
        if let Some(path) = shape.url_path()
            && !path.is_empty()
        {
            let offset = shape.offset(path.as_str());
            return Err(shape.mismatch(offset, "the end (after the host, only one `/` is allowed)"));
        }
        shape.no_query("no query")?;
        Ok(Self {
            server,
            has_port: reference.port().is_some_and(|port| !port.is_empty()),
            read_by: shape.read_by(),
        })
    }

    /// Returns the scheme in lower case: `telnet`, `rlogin` or `tn3270`.
    pub const fn scheme(&self) -> &'static str {
        self.read_by.scheme
    }

    /// Returns the host, as written.
    pub fn host(&self) -> Host<'a> {
        self.server.host()
    }

    /// Returns the port. If the URL has no port, the result is 23 for telnet, and `None` for
    /// rlogin and tn3270, which have no default. The result is also `None` for a port above 65535.
    pub fn port(&self) -> Option<u16> {
        self.server.port()
    }

    #[cfg(feature = "alloc")]
    #[allow(clippy::unused_self)] // other schemes have values
    const fn values(&self, details: Details<'a>) -> Details<'a> {
        details
    }

    /// Returns true if the URL has a port, even one above 65535, for which [`port`](Self::port) is
    /// `None`.
    pub const fn has_port(&self) -> bool {
        self.has_port
    }
}

#[cfg(feature = "alloc")]
impl<'a> Session<'a> {
    /// Starts building a telnet URL with a host: a name or an address, written as in a URL.
    pub const fn telnet(host: &'a str) -> SessionBuilder<'a> {
        SessionBuilder::new(&TELNET_DEFINITION, host)
    }

    /// Starts building an rlogin URL.
    pub const fn rlogin(host: &'a str) -> SessionBuilder<'a> {
        SessionBuilder::new(&RLOGIN_DEFINITION, host)
    }

    /// Starts building a tn3270 URL.
    pub const fn tn3270(host: &'a str) -> SessionBuilder<'a> {
        SessionBuilder::new(&TN3270_DEFINITION, host)
    }
}

/// Builds a telnet, rlogin or tn3270 URL from parts that are passed as octets. The URL has no
/// trailing slash, because RFC 1630 does not allow one.
///
/// The user and the password may contain control characters, because clients never send them.
///
/// ```
/// use urikit_schemes::Session;
/// let url = Session::telnet("melvyl.ucop.edu").user("a:b").build()?;
/// assert_eq!(url.as_str(), "telnet://a%3Ab@melvyl.ucop.edu"); // RFC 1738, 3.1: `:` is encoded
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct SessionBuilder<'a> {
    scheme: &'static str,
    server: ServerParts<'a>,
}

#[cfg(feature = "alloc")]
set_user_and_password!(
    SessionBuilder,
    /// Sets the user. RFC 1630 does not allow escapes in the user or the password.
    user,
    /// Sets the password, which requires a user. Anyone who sees the URL can read the password.
    password
);
#[cfg(feature = "alloc")]
set_port!(SessionBuilder, server, "23 for telnet");

#[cfg(feature = "alloc")]
impl<'a> SessionBuilder<'a> {
    const fn new(definition: &Definition, host: &'a str) -> Self {
        Self {
            scheme: definition.facts.name,
            server: ServerParts::new(host),
        }
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    SessionBuilder,
    /// Builds the URL as an RFC 3986 URI that is also valid under RFC 1738.
    build,
    /// Fails if the parts do not form a URL of the scheme, for example if the host is not valid.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for SessionBuilder<'_> {
    fn scheme(&self) -> &'static str {
        self.scheme
    }

    fn write(&self, text: &mut UrlText) {
        text.server(&self.server);
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        self.server.check(&Session::read(url)?.server)
    }
}
