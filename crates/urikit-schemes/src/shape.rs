//! What all schemes share when reading: whether a reference is a URL of the scheme, and which
//! parts it may have.
//!
//! Under RFC 1630 and RFC 1738 the parser has checked the URL by its scheme's own production, so
//! these checks always pass. Under the other standards only the generic syntax was checked, and
//! the components are compared here with what the scheme's specification requires. Which
//! characters are allowed is defined by the standard.

use super::error::{Mismatch, ReadError};
use super::{Edition, Facts, Userinfo};
use urikit::component::{Authority, Encoded, Host};
use urikit::grammar::Rule;
use urikit::internal::encoded;
use urikit::{AnyRef, Standard};

/// A reference of one scheme that is being read.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) reference: AnyRef<'a>,
    pub(super) edition: Edition,
    /// The scheme's own production, for errors.
    production: Rule,
}

/// The server that a URL names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Server<'a> {
    authority: Authority<'a>,
    default_port: Option<u16>,
}

impl<'a> Shape<'a> {
    /// The reference, if it has that scheme and was parsed by its production.
    pub(super) fn new(
        reference: AnyRef<'a>,
        edition: Edition,
        scheme: &str,
        production: Rule,
    ) -> Result<Self, ReadError> {
        if !is_scheme(reference, scheme) {
            return Err(ReadError::OtherScheme);
        }
        // The successor may allow what the scheme's first specification refuses: then only the
        // shape decides.
        if reference.is_generic() && edition == Edition::Original {
            return Err(ReadError::Generic);
        }
        Ok(Self {
            reference,
            edition,
            production,
        })
    }

    /// Whether it was parsed by RFC 1630's production.
    pub(super) fn is_rfc1630(&self) -> bool {
        self.reference.standard() == Standard::Rfc1630
    }

    /// Everything after the scheme's colon, up to the fragment; as written.
    pub(super) fn scheme_part(&self) -> Encoded<'a> {
        let text = self.reference.as_str();
        let start = self.reference.scheme().map_or(0, |scheme| scheme.len() + 1);
        let fragment = self.reference.fragment();
        let end = text.len() - fragment.map_or(0, |fragment| fragment.len() + 1);
        encoded(text.get(start..end).unwrap_or_default())
    }

    /// Where a part of the reference begins, in bytes.
    pub(super) fn offset(&self, part: &str) -> usize {
        let start = self.reference.as_str().as_ptr().addr();
        part.as_ptr().addr().saturating_sub(start)
    }

    /// An error: what the scheme's production expects at `offset`.
    pub(super) fn mismatch(&self, offset: usize, expected: &'static str) -> ReadError {
        self.mismatch_in(offset, expected, self.production)
    }

    /// An error: what another production expects at `offset`.
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

    /// The server: an authority whose host is not empty, with the userinfo that the scheme allows.
    pub(super) fn server(&self, facts: &Facts<'_>) -> Result<Server<'a>, ReadError> {
        let start = self.offset(self.scheme_part().as_str());
        let Some(authority) = self.reference.authority() else {
            return Err(self.mismatch(start, "`//` and a host"));
        };
        let userinfo = authority.userinfo();
        let user_start = start + 2;
        if userinfo.is_some() && facts.userinfo == Userinfo::None {
            return Err(self.mismatch(user_start, "a host, and no userinfo before it"));
        }
        if let Some(password) = authority.password()
            && facts.userinfo == Userinfo::User
        {
            let colon = self.offset(password.as_str()) - 1;
            return Err(self.mismatch(colon, "`@`, and no password before it"));
        }
        let host = authority.host();
        if host.as_str().is_empty() || authority.is_registry_based() {
            return Err(self.mismatch(self.offset(host.as_str()), "a host"));
        }
        Ok(Server {
            authority,
            default_port: facts.port,
        })
    }

    /// The authority as a server whose host may be empty, with any userinfo; `None` where there is
    /// no authority.
    pub(super) fn any_server(&self, facts: &Facts<'_>) -> Result<Option<Server<'a>>, ReadError> {
        match self.reference.authority() {
            Some(authority) if authority.is_registry_based() => {
                let host = authority.host();
                Err(self.mismatch(self.offset(host.as_str()), "a host"))
            }
            authority => Ok(authority.map(|authority| Server {
                authority,
                default_port: facts.port,
            })),
        }
    }

    /// Everything after the authority (after the scheme's colon if there is none), up to the
    /// fragment; as written.
    pub(super) fn behind_authority(&self) -> Encoded<'a> {
        let part = self.scheme_part();
        let length = self.reference.authority();
        let length = length.map_or(0, |authority| authority.as_str().len() + 2);
        encoded(part.as_str().get(length..).unwrap_or_default())
    }

    /// Refuses a query, with a hint about what to write instead.
    pub(super) fn no_query(&self, expected: &'static str) -> Result<(), ReadError> {
        match self.reference.query() {
            Some(query) => Err(self.mismatch(self.offset(query.as_str()) - 1, expected)),
            None => Ok(()),
        }
    }

    /// Refuses an authority.
    pub(super) fn no_authority(&self, expected: &'static str) -> Result<(), ReadError> {
        let start = self.offset(self.scheme_part().as_str());
        match self.reference.authority() {
            Some(_) => Err(self.mismatch(start, expected)),
            None => Ok(()),
        }
    }

    /// The path without its first slash, including RFC 1808's params; `None` if there is no slash.
    /// (RFC 1738, 3.1: the slash is not part of the url-path.)
    pub(super) fn url_path(&self) -> Option<Encoded<'a>> {
        let path = self.reference.path().as_str();
        let start = self.offset(path);
        let end = match self.reference.params() {
            Some(params) => self.offset(params.as_str()) + params.len(),
            None => start + path.len(),
        };
        let text = self.reference.as_str().get(start..end).unwrap_or_default();
        text.strip_prefix('/').map(encoded)
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

    /// The port as written, or the scheme's default; `None` if the one written is above 65535, or
    /// if there is neither.
    pub(super) fn port(&self) -> Option<u16> {
        match self.authority.port() {
            None | Some("") => self.default_port,
            Some(_) => self.authority.port_number(),
        }
    }
}

/// Whether the reference has that scheme: compared exactly under RFC 1630 ("Single letters stand
/// for single letters"), without case elsewhere.
pub(super) fn is_scheme(reference: AnyRef<'_>, name: &str) -> bool {
    reference.scheme().is_some_and(|scheme| {
        if reference.standard() == Standard::Rfc1630 {
            scheme == name
        } else {
            scheme.eq_ignore_ascii_case(name)
        }
    })
}
