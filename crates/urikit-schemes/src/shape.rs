//! Reads the parts that URLs of all schemes share: the server, the path and the query.
//!
//! Under RFC 1630 and RFC 1738 the parser has already checked the URL against the production of
//! its scheme, so the checks in this module always pass. Under the other standards only the
//! generic syntax was checked, and this module checks the components against the scheme's
//! specification. The standard decides which characters are allowed.

use super::error::{Mismatch, ReadError};
use super::{Edition, Facts, Userinfo, known};
use urikit::component::{Authority, Encoded, Host};
use urikit::grammar::Rule;
use urikit::{AnyRef, Standard};

/// A scheme: its facts, and one specification for each edition.
#[derive(Clone, Copy)]
pub(super) struct Definition {
    pub(super) facts: Facts<'static>,
    /// The specification for references parsed under RFC 1630.
    rfc1630: Specification,
    original: Specification,
    successor: Specification,
}

/// A production, which errors cite, and the section that defines the meaning of the URLs.
#[derive(Clone, Copy)]
struct Specification {
    production: Rule,
    section: &'static str,
}

impl Definition {
    /// Defines a scheme that is in the core's table. This specification applies to all editions
    /// unless other methods set a different one.
    #[allow(clippy::panic)] // a compile error, because all definitions are constants
    pub(super) const fn new(name: &str, production: Rule, section: &'static str) -> Self {
        let Some(facts) = known(name) else {
            panic!("expected the name of a known scheme")
        };
        let specification = Specification {
            production,
            section,
        };
        Self {
            facts,
            rfc1630: specification,
            original: specification,
            successor: specification,
        }
    }

    /// Sets the specification for references parsed under RFC 1630.
    pub(super) const fn rfc1630(mut self, production: Rule, section: &'static str) -> Self {
        self.rfc1630 = Specification {
            production,
            section,
        };
        self
    }

    /// Sets the specification of the successor.
    pub(super) const fn successor(mut self, production: Rule, section: &'static str) -> Self {
        self.successor = Specification {
            production,
            section,
        };
        self
    }
}

/// The scheme and the specification used to read a URL.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadBy {
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))] // for `details`
    pub(super) scheme: &'static str,
    /// The RFC and the section that the URL follows.
    pub(super) section: &'static str,
}

/// A reference that is being read as a URL of one scheme.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) reference: AnyRef<'a>,
    pub(super) edition: Edition,
    pub(super) facts: Facts<'static>,
    specification: Specification,
}

/// The server of a URL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Server<'a> {
    authority: Authority<'a>,
    default_port: Option<u16>,
}

impl<'a> Shape<'a> {
    /// Begins to read a reference. Fails if the reference has a different scheme, or if the caller
    /// asks for the original edition and the reference was parsed only with the generic
    /// production.
    pub(super) fn new(
        reference: AnyRef<'a>,
        edition: Edition,
        definition: &Definition,
    ) -> Result<Self, ReadError> {
        Self::named(reference, edition, definition.facts.name, definition)
    }

    /// Begins to read a reference whose scheme has the given name instead of the name in the
    /// facts.
    pub(super) fn named(
        reference: AnyRef<'a>,
        edition: Edition,
        name: &str,
        definition: &Definition,
    ) -> Result<Self, ReadError> {
        if !is_scheme(reference, name) {
            return Err(ReadError::OtherScheme);
        }
        // A successor may allow URLs that the first specification does not allow. For a successor,
        // the checks of the individual components are sufficient.
        if reference.is_generic() && edition == Edition::Original {
            return Err(ReadError::Generic);
        }
        let specification = match edition {
            Edition::Successor => definition.successor,
            Edition::Original if reference.standard() == Standard::Rfc1630 => definition.rfc1630,
            Edition::Original => definition.original,
        };
        Ok(Self {
            reference,
            edition,
            facts: definition.facts,
            specification,
        })
    }

    /// Returns the name of the scheme and the section that defines it. Each parsed URL stores both.
    pub(super) const fn read_by(&self) -> ReadBy {
        ReadBy {
            scheme: self.facts.name,
            section: self.specification.section,
        }
    }

    /// Returns true if RFC 1630 is both the standard of the reference and the specification.
    pub(super) fn is_by_rfc1630(&self) -> bool {
        self.edition == Edition::Original && self.is_rfc1630()
    }

    /// Returns true if the reference was parsed under RFC 1630.
    pub(super) fn is_rfc1630(&self) -> bool {
        self.reference.standard() == Standard::Rfc1630
    }

    /// Returns everything from the scheme's colon to the fragment, as written.
    pub(super) fn scheme_part(&self) -> Encoded<'a> {
        let text = self.reference.as_str();
        let start = self.reference.scheme().map_or(0, |scheme| scheme.len() + 1);
        let fragment = self.reference.fragment();
        let end = text.len() - fragment.map_or(0, |fragment| fragment.len() + 1);
        Encoded::assume_valid(text.get(start..end).unwrap_or_default())
    }

    /// Returns the offset of a part of the reference, in bytes.
    pub(super) fn offset(&self, part: &str) -> usize {
        let start = self.reference.as_str().as_ptr().addr();
        part.as_ptr().addr().saturating_sub(start)
    }

    /// Creates an error: the scheme's production expects something else at `offset`.
    pub(super) fn mismatch(&self, offset: usize, expected: &'static str) -> ReadError {
        self.mismatch_in(offset, expected, self.specification.production)
    }

    /// Creates an error: `production` expects something else at `offset`.
    pub(super) fn mismatch_in(
        &self,
        offset: usize,
        expected: &'static str,
        production: Rule,
    ) -> ReadError {
        ReadError::Mismatch(Mismatch::new(
            self.reference.as_str(),
            offset,
            expected,
            production,
        ))
    }

    /// Reads the server: an authority whose host is not empty, with a userinfo if the scheme allows
    /// one.
    pub(super) fn server(&self) -> Result<Server<'a>, ReadError> {
        let start = self.offset(self.scheme_part().as_str());
        let Some(authority) = self.reference.authority() else {
            return Err(self.mismatch(start, "`//` and a host"));
        };
        if authority.userinfo().is_some() && self.facts.userinfo == Userinfo::None {
            return Err(self.mismatch(start + 2, "a host (the scheme does not allow a userinfo)"));
        }
        if let Some(password) = authority.password()
            && self.facts.userinfo == Userinfo::User
        {
            let colon = self.offset(password.as_str()) - 1;
            return Err(self.mismatch(colon, "`@` (the scheme does not allow a password)"));
        }
        let host = authority.host();
        if host.as_str().is_empty() || authority.is_registry_based() {
            return Err(self.mismatch(self.offset(host.as_str()), "a host"));
        }
        Ok(Server {
            authority,
            default_port: self.facts.port,
        })
    }

    /// Reads an optional server, with any userinfo. The server's host may be empty.
    pub(super) fn optional_server(&self) -> Result<Option<Server<'a>>, ReadError> {
        match self.reference.authority() {
            Some(authority) if authority.is_registry_based() => {
                let host = authority.host();
                Err(self.mismatch(self.offset(host.as_str()), "a host"))
            }
            authority => Ok(authority.map(|authority| Server {
                authority,
                default_port: self.facts.port,
            })),
        }
    }

    /// Returns everything from the authority, or from the scheme's colon if there is no authority,
    /// to the fragment, as written.
    pub(super) fn after_authority(&self) -> Encoded<'a> {
        let part = self.scheme_part();
        let length = self.reference.authority();
        let length = length.map_or(0, |authority| authority.as_str().len() + 2);
        Encoded::assume_valid(part.as_str().get(length..).unwrap_or_default())
    }

    /// Rejects a query. `expected` explains how to write a `?` that is data.
    pub(super) fn no_query(&self, expected: &'static str) -> Result<(), ReadError> {
        match self.reference.query() {
            Some(query) => Err(self.mismatch(self.offset(query.as_str()) - 1, expected)),
            None => Ok(()),
        }
    }

    /// Fails if the reference has an authority.
    pub(super) fn no_authority(&self, expected: &'static str) -> Result<(), ReadError> {
        let start = self.offset(self.scheme_part().as_str());
        match self.reference.authority() {
            Some(_) => Err(self.mismatch(start, expected)),
            None => Ok(()),
        }
    }

    /// Returns the path without its first slash, which is not part of the url-path under RFC 1738,
    /// 3.1. RFC 1808's params belong to the path. Returns `None` if the path has no slash.
    pub(super) fn url_path(&self) -> Option<Encoded<'a>> {
        let path = self.reference.path().as_str();
        let start = self.offset(path);
        let end = match self.reference.params() {
            Some(params) => self.offset(params.as_str()) + params.len(),
            None => start + path.len(),
        };
        let text = self.reference.as_str().get(start..end).unwrap_or_default();
        text.strip_prefix('/').map(Encoded::assume_valid)
    }
}

impl<'a> Server<'a> {
    pub(super) fn host(&self) -> Host<'a> {
        self.authority.host()
    }

    pub(super) fn user(&self) -> Option<Encoded<'a>> {
        self.authority.user()
    }

    pub(super) fn password(&self) -> Option<Encoded<'a>> {
        self.authority.password()
    }

    /// Returns the port, or the scheme's default if the URL has none. Returns `None` if the port
    /// is above 65535, or if the URL has no port and the scheme has no default.
    pub(super) fn port(&self) -> Option<u16> {
        match self.authority.port() {
            None | Some("") => self.default_port,
            Some(_) => self.authority.port_number(),
        }
    }
}

/// Returns true if the reference has that scheme. Case matters only under RFC 1630, whose
/// productions are literal ("Single letters stand for single letters").
pub(super) fn is_scheme(reference: AnyRef<'_>, name: &str) -> bool {
    reference.scheme().is_some_and(|scheme| {
        if reference.standard() == Standard::Rfc1630 {
            scheme == name
        } else {
            scheme.eq_ignore_ascii_case(name)
        }
    })
}

/// A decoded octet, for schemes in which an escape and its character have the same meaning.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) octet: u8,
    /// The offset of the first byte that represents the octet in the text as written.
    pub(super) start: usize,
    /// The offset just after the last byte that represents the octet.
    pub(super) end: usize,
}

/// Decodes a part octet by octet.
pub(super) fn units(part: Encoded<'_>) -> Units<'_> {
    Units { part, at: 0 }
}

/// The iterator that [`units`] returns.
#[derive(Clone)]
pub(super) struct Units<'a> {
    part: Encoded<'a>,
    at: usize,
}

impl<'a> Units<'a> {
    /// Returns the part that is not yet decoded, as written.
    fn rest(&self) -> Encoded<'a> {
        Encoded::assume_valid(self.part.as_str().get(self.at..).unwrap_or_default())
    }
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let start = self.at;
        let written = self.part.as_str().as_bytes().get(start..)?;
        let first = *written.first()?;
        let (octet, length) = match first {
            b'%' => (self.rest().decode().octets().next()?, 3),
            octet => (octet, 1),
        };
        self.at = start + length;
        Some(Unit {
            octet,
            start,
            end: self.at,
        })
    }
}

/// Splits a part at the first `octet`, escaped or not. The octet must be US-ASCII.
pub(super) fn split_at_octet(part: Encoded<'_>, octet: u8) -> Option<(Encoded<'_>, Encoded<'_>)> {
    let unit = units(part).find(|unit| unit.octet == octet)?;
    let text = part.as_str();
    let (before, after) = (text.get(..unit.start)?, text.get(unit.end..)?);
    Some((Encoded::assume_valid(before), Encoded::assume_valid(after)))
}

/// Removes the given US-ASCII octets, escaped or not, from the beginning of a part. Returns `None`
/// if the part does not begin with them.
pub(super) fn strip_octets<'a>(part: Encoded<'a>, octets: &[u8]) -> Option<Encoded<'a>> {
    let mut units = units(part);
    for octet in octets {
        if units.next()?.octet != *octet {
            return None;
        }
    }
    Some(units.rest())
}

/// Defines the methods that the URL types of all schemes have. The type must have a `read_by`
/// field, a `read_as` method, and a `values` method that adds the parts to the details.
macro_rules! reading {
    ($reading:ident, $url:literal, $(#[$details:meta])+ details) => {
        impl<'a> $reading<'a> {
            #[doc = concat!("Reads a reference as ", $url, ".")]
            ///
            /// The standard of the reference determines the edition ([`Edition::of`]).
            ///
            /// # Errors
            ///
            #[doc = concat!("Fails if the reference is not ", $url, " under that edition.")]
            pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
                let reference = reference.into();
                Self::read_as(reference, Edition::of(reference.standard()))
            }

            /// Returns the RFC and the section used to read the URL, such as `RFC 1738, 3.2`.
            pub const fn specification(&self) -> &'static str {
                self.read_by.section
            }

            $(#[$details])+
            #[cfg(feature = "alloc")]
            pub fn details(&self) -> $crate::Details<'a> {
                let details = $crate::Details::new(self.read_by.scheme, self.read_by.section);
                self.values(details)
            }
        }
    };
}
pub(super) use reading;

/// Defines the `host` and `port` methods for the URL type of a scheme with a server. The type has a
/// `server` field.
macro_rules! host_and_port {
    ($reading:ident, $port:literal) => {
        impl<'a> $reading<'a> {
            /// Returns the host, as written.
            pub fn host(&self) -> Host<'a> {
                self.server.host()
            }

            #[doc = concat!("Returns the port. If the URL has no port, this is ", $port, ".")]
            ///
            /// Returns `None` for a port above 65535.
            pub fn port(&self) -> Option<u16> {
                self.server.port()
            }
        }
    };
}
pub(super) use host_and_port;

/// Defines the `user` and `password` methods for the URL type of a scheme. The type must have a
/// `server` field, which may be optional.
macro_rules! user_and_password {
    ($reading:ident, $(#[$user:meta])+ user, $(#[$password:meta])+ password) => {
        impl<'a> $reading<'a> {
            $(#[$user])+
            pub fn user(&self) -> Option<Encoded<'a>> {
                Option::from(self.server).and_then(|server: Server<'a>| server.user())
            }

            $(#[$password])+
            pub fn password(&self) -> Option<Encoded<'a>> {
                Option::from(self.server).and_then(|server: Server<'a>| server.password())
            }
        }
    };
}
pub(super) use user_and_password;
