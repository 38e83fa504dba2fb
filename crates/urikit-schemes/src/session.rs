//! `telnet`, `rlogin` and `tn3270`: interactive services.
//!
//! ```text
//! telnetaddress = t e l n e t : / / login         RFC 1630
//! telneturl     = "telnet://" login [ "/" ]       RFC 1738, 5
//! ```
//!
//! User and password "are advisory only: clients accessing a telnet URL merely advise the user" of
//! them (RFC 1738, 3.8; RFC 4248, 2, which has the same form and no grammar). They are never sent.
//!
//! RFC 1630 has the three schemes under one heading and a production only for `telnet`, which is
//! used for all three. It defines no port for them; 23 is from RFC 1738, for `telnet`. RFC 1738
//! has no production for the other two: there and later they follow telnet's, with the optional
//! slash after the host, since RFC 1630 describes the three together.

use super::builtin::{Builtin, builtin};
use super::shape::{Server, Shape, is_scheme};
use super::{Edition, Facts, ReadError, facts};
use urikit::component::{Encoded, Host};
use urikit::grammar::{Rule, rfc1630};
use urikit::{AnyRef, Standard};
#[cfg(feature = "alloc")]
use {
    super::{
        Details,
        build::{BuildError, ServerParts, UrlText, data, uri},
    },
    urikit::{AnyRefBuf, UriBuf},
};

const TELNET_FACTS: Facts<'static> = facts("telnet");

const RLOGIN_FACTS: Facts<'static> = facts("rlogin");

const TN3270_FACTS: Facts<'static> = facts("tn3270");

pub(super) static TELNET: Builtin = builtin!(TELNET_FACTS, Session);
pub(super) static RLOGIN: Builtin = builtin!(RLOGIN_FACTS, Session);
pub(super) static TN3270: Builtin = builtin!(TN3270_FACTS, Session);

const RFC1630: &str = "RFC 1630, Telnet, rlogin, tn3270";
const RFC1738: &str = "RFC 1738, 3.8";
const RFC4248: &str = "RFC 4248, 2";

const TELNETURL: Rule = Rule::new("telneturl", RFC1738);
const TELNET_URL: Rule = Rule::new("telnet URL", RFC4248);

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
    scheme: &'static str,
    has_port: bool,
    specification: &'static str,
}

impl<'a> Session<'a> {
    /// Reads a reference as a telnet, rlogin or tn3270 URL, by the edition of its standard.
    ///
    /// # Errors
    ///
    /// If the reference is none of these.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a telnet, rlogin or tn3270 URL by the specifications of `edition`,
    /// which say the same.
    ///
    /// # Errors
    ///
    /// If the reference is none of these.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let is_rfc1630 = reference.standard() == Standard::Rfc1630;
        let (facts, production, specification) = if is_scheme(reference, RLOGIN_FACTS.name) {
            (RLOGIN_FACTS, rfc1630::RLOGINADDRESS, RFC1630)
        } else if is_scheme(reference, TN3270_FACTS.name) {
            (TN3270_FACTS, rfc1630::TN3270ADDRESS, RFC1630)
        } else {
            match edition {
                Edition::Original if is_rfc1630 => (TELNET_FACTS, rfc1630::TELNETADDRESS, RFC1630),
                Edition::Original => (TELNET_FACTS, TELNETURL, RFC1738),
                Edition::Successor => (TELNET_FACTS, TELNET_URL, RFC4248),
            }
        };
        let shape = Shape::new(reference, edition, facts.name, production)?;
        let server = shape.server(&facts)?;
        if let Some(path) = shape.url_path()
            && !path.is_empty()
        {
            let offset = shape.offset(path.as_str());
            return Err(shape.mismatch(offset, "nothing after the host but one `/`"));
        }
        shape.no_query("no query")?;
        Ok(Self {
            server,
            scheme: facts.name,
            has_port: reference.port().is_some_and(|port| !port.is_empty()),
            specification,
        })
    }

    /// The scheme, in lower case: `telnet`, `rlogin` or `tn3270`.
    pub const fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// The host.
    pub fn host(&self) -> Host<'a> {
        self.server.host()
    }

    /// The port: 23 for a telnet URL without one; `None` for an rlogin or tn3270 URL without one,
    /// and for a port above 65535.
    pub fn port(&self) -> Option<u16> {
        self.server.port()
    }

    /// Whether the URL has a port, even one above 65535, for which [`port`](Self::port) is `None`.
    pub const fn has_port(&self) -> bool {
        self.has_port
    }

    /// The user name, as written. Clients show it and do not send it.
    pub fn user(&self) -> Option<Encoded<'a>> {
        self.server.user()
    }

    /// The password, as written. Clients show it and do not send it.
    pub fn password(&self) -> Option<Encoded<'a>> {
        self.server.password()
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        self.specification
    }
}

#[cfg(feature = "alloc")]
impl<'a> Session<'a> {
    /// All of its meaning as named values, for display or as JSON: none, since the server is in
    /// the authority.
    pub fn details(&self) -> Details<'a> {
        Details::new(self.scheme, self.specification())
    }

    /// Starts a telnet URL for a host: a name or an address, written as in a URL.
    pub const fn telnet(host: &'a str) -> SessionBuilder<'a> {
        SessionBuilder::new(TELNET_FACTS.name, host)
    }

    /// Starts an rlogin URL.
    pub const fn rlogin(host: &'a str) -> SessionBuilder<'a> {
        SessionBuilder::new(RLOGIN_FACTS.name, host)
    }

    /// Starts a tn3270 URL.
    pub const fn tn3270(host: &'a str) -> SessionBuilder<'a> {
        SessionBuilder::new(TN3270_FACTS.name, host)
    }
}

/// Builds a telnet, rlogin or tn3270 URL from parts, which are octets. The URL has no final slash,
/// since RFC 1630 does not allow one.
///
/// A control character in the user or the password is allowed, since neither is ever sent.
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
impl<'a> SessionBuilder<'a> {
    const fn new(scheme: &'static str, host: &'a str) -> Self {
        Self {
            scheme,
            server: ServerParts::new(host),
        }
    }

    /// Sets the port; without it, 23 for telnet.
    #[must_use]
    pub const fn port(mut self, port: u16) -> Self {
        self.server.port = Some(port);
        self
    }

    /// Sets the user. RFC 1630 does not allow escapes there.
    #[must_use]
    pub fn user<T: AsRef<[u8]> + ?Sized>(mut self, user: &'a T) -> Self {
        self.server.user = Some(data(user));
        self
    }

    /// Sets the password, which needs a user. It is visible to everyone who sees the URL.
    #[must_use]
    pub fn password<T: AsRef<[u8]> + ?Sized>(mut self, password: &'a T) -> Self {
        self.server.password = Some(data(password));
        self
    }

    /// Builds the URL as a URI of RFC 3986 that is also valid under RFC 1738.
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
        let mut text = UrlText::new(self.scheme, standard);
        text.server(&self.server);
        text.finish(|url| {
            let read = Session::read(url).map_err(BuildError::Scheme)?;
            self.server.check(&read.server)
        })
    }
}
