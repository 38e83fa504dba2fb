//! Building URNs from parts.

use super::super::Edition;
use super::super::build::{BuildError, Data, UNRESERVED, UrlText, data, uri};
use super::Urn;
use alloc::vec::Vec;
use urikit::component::Encoded;
use urikit::grammar::ByteSet;
use urikit::percent::Place;
use urikit::{AnyRef, AnyRefBuf, Standard, UriBuf};

/// RFC 2141's URN characters except the reserved ones.
const NSS: ByteSet = UNRESERVED.or(ByteSet::of(b":=@;"));
/// What is not escaped in an r-, q- or f-component.
const COMPONENT: ByteSet = UNRESERVED.or(ByteSet::of(b":@&=;/"));

/// Builds a URN from its parts.
///
/// A name is given as octets, and characters that RFC 2141 reserves or excludes are escaped. How
/// the names of a namespace become URNs is defined by the namespace (RFC 8141, 2.2); this is the
/// last step.
///
/// ```
/// use urikit_schemes::Urn;
/// let urn = Urn::builder("foo", "a123,456").build()?; // RFC 2141, 6
/// assert_eq!(urn.as_str(), "urn:foo:a123,456");
/// // RFC 8141, 2.2: its slashes are a choice
/// let urn = Urn::builder("example", "1").below("406").below("47452").below("2").build()?;
/// assert_eq!(urn.as_str(), "urn:example:1/406/47452/2");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct UrnBuilder<'a> {
    nid: &'a str,
    /// The parts of the NSS between slashes.
    nss: Vec<Data<'a>>,
    r: Option<Data<'a>>,
    q: Option<Data<'a>>,
    f: Option<Data<'a>>,
}

impl Urn<'_> {
    /// Starts a name in a namespace.
    pub fn builder<'a, T: AsRef<[u8]> + ?Sized>(nid: &'a str, nss: &'a T) -> UrnBuilder<'a> {
        UrnBuilder {
            nid,
            nss: Vec::from([data(nss)]),
            r: None,
            q: None,
            f: None,
        }
    }
}

impl<'a> UrnBuilder<'a> {
    /// Adds a slash and a part of the name; the slash is a delimiter, not data (RFC 8141, 2.2).
    #[must_use]
    pub fn below<T: AsRef<[u8]> + ?Sized>(mut self, part: &'a T) -> Self {
        self.nss.push(data(part));
        self
    }

    /// Sets the r-component: parameters for the resolver (RFC 8141, 2.3.1).
    #[must_use]
    pub fn r_component<T: AsRef<[u8]> + ?Sized>(mut self, r: &'a T) -> Self {
        self.r = Some(data(r));
        self
    }

    /// Sets the q-component: a query for the named resource (RFC 8141, 2.3.2).
    #[must_use]
    pub fn q_component<T: AsRef<[u8]> + ?Sized>(mut self, q: &'a T) -> Self {
        self.q = Some(data(q));
        self
    }

    /// Sets the f-component: a part of the named resource (RFC 8141, 2.3.3).
    #[must_use]
    pub fn f_component<T: AsRef<[u8]> + ?Sized>(mut self, f: &'a T) -> Self {
        self.f = Some(data(f));
        self
    }

    /// Builds the URN as a URI of RFC 3986.
    ///
    /// # Errors
    ///
    /// If the parts do not make a URN: the NID is not valid, the name is empty, or a name of RFC
    /// 2141 contains the octet 0.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URN as a reference of `standard`.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let mut text = UrlText::new("urn", standard);
        text.push(self.nid);
        for (at, part) in self.nss.iter().enumerate() {
            text.push(if at == 0 { ":" } else { "/" });
            text.escape(part, Place::Path, &NSS);
        }
        for (delimiter, part) in [("?+", &self.r), ("?=", &self.q), ("#", &self.f)] {
            if let Some(part) = part {
                text.push(delimiter);
                text.escape(part, Place::Query, &COMPONENT);
            }
        }
        let is_original = self.nss.len() == 1 && self.r.is_none() && self.q.is_none();
        text.finish(|url| {
            if is_original {
                self.check(url, Edition::Original)?;
            }
            if !is_original || standard >= Standard::Rfc3986 {
                self.check(url, Edition::Successor)?;
            }
            Ok(())
        })
    }

    /// Checks that an edition reads back what was given.
    fn check(&self, url: AnyRef<'_>, edition: Edition) -> Result<(), BuildError> {
        let read = Urn::read_as(url, edition).map_err(BuildError::Scheme)?;
        let is = |part: Option<Encoded<'_>>, data: &Option<Data<'_>>| match (part, data) {
            (Some(part), Some(data)) => part.decode().octets().eq(data.iter().copied()),
            (part, data) => part.is_none() && data.is_none(),
        };
        let is_nss = read.nss().split('/').count() == self.nss.len()
            && read
                .nss()
                .split('/')
                .zip(&self.nss)
                .all(|(part, data)| part.decode().octets().eq(data.iter().copied()));
        let part = if read.nid() != Some(self.nid) {
            "namespace identifier"
        } else if !is_nss {
            "name"
        } else if !is(read.r_component(), &self.r) {
            "r-component"
        } else if !is(read.q_component(), &self.q) {
            "q-component"
        } else if !is(read.f_component(), &self.f) {
            "f-component"
        } else {
            return Ok(());
        };
        Err(BuildError::Misread { part })
    }
}
