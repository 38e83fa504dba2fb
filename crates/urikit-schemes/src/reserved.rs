//! Reserved names: `afs`, for which no syntax is defined, and `x-…`, the experimental schemes.
//!
//! ```text
//! afsaddress = a f s : / / cellname / path                         RFC 1630
//! ```
//!
//! RFC 1738, 4, reserves `afs` for "Andrew File System global file names" and does "not define
//! their syntax or use". RFC 1630 calls the production for `afs` a "historical note". The `afs`
//! scheme is known, but it has no syntax, so no reference can be read as an `afs` URL.
//!
//! RFC 1630 (Registration of naming schemes) and RFC 1738, 4, reserve the names that begin with
//! `x-` for experiments. A URL of such an experimental scheme consists of the scheme's name and the
//! text after the colon. To read a custom scheme, implement [`Scheme`](super::Scheme).

#[cfg(feature = "alloc")]
use super::Details;
use super::scheme::{Builtin, check_name_of};
use super::shape::{Definition, Shape};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit::grammar::Rule;

const OTHERURL: Rule = Rule::new("otherurl", "RFC 1738, 5");

const AFS_DEFINITION: Definition = Definition::new("afs", OTHERURL, "RFC 1738, 4");

/// The `*` represents the rest of the scheme's name.
const DEFINITION: Definition = Definition::new("x-*", OTHERURL, "RFC 1738, 4");

pub(super) static AFS: Builtin = Builtin {
    facts: AFS_DEFINITION.facts,
    check: |reference, _| Err(refuse_afs(reference)),
    #[cfg(feature = "alloc")]
    details: |reference, _| Err(refuse_afs(reference)),
};

fn refuse_afs(reference: AnyRef<'_>) -> ReadError {
    match check_name_of(reference, AFS_DEFINITION.facts.name) {
        Ok(()) => ReadError::NoSyntax,
        Err(error) => error,
    }
}

pub(super) static EXPERIMENTAL: Builtin = Builtin {
    facts: DEFINITION.facts,
    check: |reference, edition| Experimental::read_as(reference, edition).map(drop),
    #[cfg(feature = "alloc")]
    details: |reference, edition| Ok(Experimental::read_as(reference, edition)?.details()),
};

/// A URL with a scheme that begins with `x-`.
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
    /// Fails if the reference has a different scheme.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference whose scheme begins with `x-`. The syntax is the same in both
    /// [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference has a different scheme. With the original edition, this method also
    /// fails if the reference was parsed only with the generic production.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let name = reference.scheme().ok_or(ReadError::OtherScheme)?;
        let shape = Shape::named(reference, edition, name, &DEFINITION)?;
        // RFC 1630: "Single letters stand for single letters".
        if !is_experimental(name) || shape.is_rfc1630() && !name.starts_with('x') {
            return Err(ReadError::OtherScheme);
        }
        Ok(Self {
            name,
            part: shape.scheme_part(),
            is_rfc1630: shape.is_rfc1630(),
        })
    }

    /// Returns the name of the scheme, as written.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Returns everything from the colon to the fragment, as written.
    pub const fn scheme_part(&self) -> Encoded<'a> {
        self.part
    }

    /// Returns the RFC and the section used to read the URL.
    pub const fn specification(&self) -> &'static str {
        if self.is_rfc1630 {
            "RFC 1630, Registration of naming schemes"
        } else {
            "RFC 1738, 4"
        }
    }

    /// Returns the parts of the URL as named values, for display or for JSON: `scheme_part`, as
    /// written.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        let name = self.name.to_ascii_lowercase();
        Details::new(name, self.specification()).with("scheme_part", self.part.as_str())
    }
}

/// Returns true if the name begins with `x-` or `X-`.
pub(super) fn is_experimental(name: &str) -> bool {
    matches!(name.as_bytes(), [b'x' | b'X', b'-', ..])
}
