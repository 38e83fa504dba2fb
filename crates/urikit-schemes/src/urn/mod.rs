//! `urn`: persistent names, independent of location.
//!
//! ```text
//! <URN>         ::= "urn:" <NID> ":" <NSS>                        RFC 2141, 2
//! <NID>         ::= <let-num> [ 1,31<let-num-hyp> ]
//! <NSS>         ::= 1*<URN chars>
//! namestring    = assigned-name [ rq-components ] [ "#" f-component ]   RFC 8141, 2
//! assigned-name = "urn" ":" NID ":" NSS
//! NID           = (alphanum) 0*30(ldh) (alphanum)
//! NSS           = pchar *(pchar / "/")
//! rq-components = [ "?+" r-component ] [ "?=" q-component ]
//! ```
//!
//! RFC 1630 reserves the prefix for a future standard and asks for slashes: there everything after
//! the colon is the name. RFC 2141 has `/` and `?` in names, "reserved for future developments";
//! RFC 8141 is that development. Both compare names as written: an escape is not equivalent to its
//! character.

#[cfg(feature = "alloc")]
mod builder;
mod syntax;

#[cfg(feature = "alloc")]
pub use builder::UrnBuilder;

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::{Builtin, builtin};
use super::shape::Shape;
use super::{Edition, Facts, ReadError, facts};
use urikit::AnyRef;
use urikit::component::Encoded;

const FACTS: Facts<'static> = facts("urn");

pub(super) static URN: Builtin = builtin!(FACTS, Urn);

/// A URN.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Urn;
/// // RFC 8141, 2.3.1
/// let urn = Uri::parse("urn:example:foo-bar-baz-qux?+CCResolve:cc=uk")?;
/// let urn = Urn::read(urn)?;
/// assert_eq!((urn.nid(), urn.nss().as_str()), (Some("example"), "foo-bar-baz-qux"));
/// assert_eq!(urn.r_component().unwrap(), "CCResolve:cc=uk");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Urn<'a> {
    /// From the scheme up to the first component that is not part of the name.
    assigned: &'a str,
    /// The same with the r-component.
    request: &'a str,
    nid: Option<&'a str>,
    nss: Encoded<'a>,
    r: Option<Encoded<'a>>,
    q: Option<Encoded<'a>>,
    f: Option<Encoded<'a>>,
    specification: &'static str,
}

impl<'a> Urn<'a> {
    /// Reads a reference as a URN, by the edition of its standard.
    ///
    /// # Errors
    ///
    /// If the reference is not a URN.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a URN: by RFC 2141 (RFC 1630 for a reference of it), or by RFC 8141.
    ///
    /// # Errors
    ///
    /// If the reference is not a URN.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let rule = match edition {
            Edition::Original => syntax::URN,
            Edition::Successor => syntax::NAMESTRING,
        };
        let shape = Shape::new(reference, edition, FACTS.name, rule)?;
        let part = shape.scheme_part();
        let parts = if edition == Edition::Successor {
            syntax::rfc8141(&shape, part)?
        } else if shape.is_rfc1630() {
            syntax::Layout::whole(part)
        } else {
            syntax::rfc2141(&shape, part)?
        };
        // The text up to the end of a part.
        let up_to = |part: Encoded<'_>| {
            let end = shape.offset(part.as_str()) + part.len();
            reference.as_str().get(..end).unwrap_or_default()
        };
        Ok(Self {
            assigned: up_to(parts.nss),
            request: up_to(parts.r.unwrap_or(parts.nss)),
            nid: parts.nid,
            nss: parts.nss,
            r: parts.r,
            q: parts.q,
            f: reference.fragment(),
            specification: match edition {
                Edition::Successor => "RFC 8141, 2",
                Edition::Original if shape.is_rfc1630() => "RFC 1630, URN",
                Edition::Original => "RFC 2141, 2",
            },
        })
    }

    /// The namespace identifier, as written; case does not matter. `None` only under RFC 1630,
    /// which has no namespaces.
    pub const fn nid(&self) -> Option<&'a str> {
        self.nid
    }

    /// The namespace specific string, as written. Escapes are part of the name, and must not be
    /// decoded (RFC 2141, 5; RFC 8141, 3.1).
    pub const fn nss(&self) -> Encoded<'a> {
        self.nss
    }

    /// The name: `urn:`, the NID and the NSS, as written.
    pub const fn assigned_name(&self) -> &'a str {
        self.assigned
    }

    /// What a resolver is given: the name, and the r-component if there is one, as written (RFC
    /// 8141, 2.3.1).
    pub const fn request(&self) -> &'a str {
        self.request
    }

    /// The r-component: parameters for the resolver (RFC 8141, 2.3.1), as written.
    pub const fn r_component(&self) -> Option<Encoded<'a>> {
        self.r
    }

    /// The q-component: a query for the named resource (RFC 8141, 2.3.2), as written.
    pub const fn q_component(&self) -> Option<Encoded<'a>> {
        self.q
    }

    /// The f-component: a part of the named resource (RFC 8141, 2.3.3). It is the fragment of the
    /// reference, which is never sent.
    pub const fn f_component(&self) -> Option<Encoded<'a>> {
        self.f
    }

    /// Whether both are equivalent names: NIDs and the digits of escapes are compared without
    /// case, and everything else exactly (RFC 2141, 5; RFC 8141, 3.1). The r-, q- and f-components
    /// are ignored.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::Urn;
    /// // RFC 8141, 3.2
    /// let a = Uri::parse("urn:example:a123,z456?+abc")?;
    /// let b = Uri::parse("URN:EXAMPLE:a123,z456#789")?;
    /// let c = Uri::parse("urn:example:a123%2Cz456")?;
    /// let [a, b, c] = [a, b, c].map(|urn| Urn::read(urn).unwrap());
    /// assert!(a.is_equivalent(&b) && !a.is_equivalent(&c));
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn is_equivalent(&self, other: &Urn<'_>) -> bool {
        let is_nid = match (self.nid, other.nid) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        is_nid && normal(self.nss).eq(normal(other.nss))
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        self.specification
    }

    /// All of its meaning as named values, for display or as JSON, not decoded: `nid`, `nss`,
    /// `r_component`, `q_component`, `f_component`.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        let part = |part: Option<Encoded<'a>>| part.map(Encoded::as_str);
        Details::new("urn", self.specification)
            .with("nid", self.nid)
            .with("nss", self.nss.as_str())
            .with("r_component", part(self.r))
            .with("q_component", part(self.q))
            .with("f_component", part(self.f))
    }
}

/// The bytes of a name, with the digits of its escapes in upper case.
fn normal(nss: Encoded<'_>) -> impl Iterator<Item = u8> + '_ {
    let mut digits = 0_u8;
    nss.as_str().bytes().map(move |byte| {
        if digits > 0 {
            digits -= 1;
            return byte.to_ascii_uppercase();
        }
        if byte == b'%' {
            digits = 2;
        }
        byte
    })
}
