//! `x-…`: experimental schemes, used by those who agree on them.
//!
//! RFC 1630 (Registration of naming schemes) and RFC 1738, 4, reserve the names that begin with
//! `x-` for experiments. Nothing is known about such a URL except the name and what follows its
//! colon. To read a custom scheme, implement [`Scheme`](super::Scheme).

#[cfg(feature = "alloc")]
use super::Details;
use super::builtin::Builtin;
use super::shape::Shape;
use super::{Edition, Facts, ReadError, facts};
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit::grammar::Rule;

/// The facts of all of them; the `*` represents the rest of the name.
const FACTS: Facts<'static> = facts("x-*");

pub(super) static EXPERIMENTAL: Builtin = Builtin {
    facts: FACTS,
    check: |reference, edition| Experimental::read_as(reference, edition).map(drop),
    #[cfg(feature = "alloc")]
    details: |reference, edition| Ok(Experimental::read_as(reference, edition)?.details()),
};

const OTHERURL: Rule = Rule::new("otherurl", "RFC 1738, 5");

/// A URL whose scheme begins with `x-`.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Experimental;
/// let url = Uri::parse("X-Finger:user@host.dom")?; // RFC 1738, 4
/// let url = Experimental::read(url)?;
/// assert_eq!((url.name(), url.scheme_part().as_str()), ("X-Finger", "user@host.dom"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Experimental<'a> {
    name: &'a str,
    part: Encoded<'a>,
    is_rfc1630: bool,
}

impl<'a> Experimental<'a> {
    /// Reads a reference whose scheme begins with `x-`.
    ///
    /// # Errors
    ///
    /// If it has another scheme.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// As [`read`](Self::read): both editions are the same.
    ///
    /// # Errors
    ///
    /// If it has another scheme.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let name = reference.scheme().ok_or(ReadError::OtherScheme)?;
        let shape = Shape::new(reference, edition, name, OTHERURL)?;
        // RFC 1630: "Single letters stand for single letters".
        let is_it = is_name(name) && (!shape.is_rfc1630() || name.starts_with('x'));
        if !is_it {
            return Err(ReadError::OtherScheme);
        }
        Ok(Self {
            name,
            part: shape.scheme_part(),
            is_rfc1630: shape.is_rfc1630(),
        })
    }

    /// The name of the scheme, as written.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Everything after the colon, up to the fragment; as written.
    pub const fn scheme_part(&self) -> Encoded<'a> {
        self.part
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        if self.is_rfc1630 {
            "RFC 1630, Registration of naming schemes"
        } else {
            "RFC 1738, 4"
        }
    }

    /// All of its meaning as named values, for display or as JSON: `scheme_part`, as written.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        let name = self.name.to_ascii_lowercase();
        Details::new(name, self.specification()).with("scheme_part", self.part.as_str())
    }
}

/// Whether the name begins with `x-`, in either case.
pub(super) fn is_name(name: &str) -> bool {
    matches!(name.as_bytes(), [b'x' | b'X', b'-', ..])
}
