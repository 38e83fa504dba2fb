//! What a reference means by the specification of its scheme.

use super::outcome::Reading;
use urikit::{AnyRef, Standard};
use urikit_schemes::{Details, Edition, ReadError, Scheme};

/// A reference whose scheme is known.
#[derive(Clone, Copy)]
pub(crate) struct Meaning<'a> {
    pub(crate) reference: AnyRef<'a>,
    pub(crate) scheme: &'static dyn Scheme,
    pub(crate) edition: Edition,
}

impl Reading<'_> {
    /// The reference as a URL of its scheme, if the scheme is known. A URL from browsers' rules is
    /// parsed again under RFC 3986.
    pub(crate) fn meaning(&self) -> Option<Meaning<'_>> {
        let reference = match self.href() {
            Some(href) => Standard::Rfc3986.parse(href).ok()?,
            None => self.reference()?,
        };
        Some(Meaning {
            reference,
            scheme: urikit_schemes::find(reference.scheme()?)?,
            edition: self.edition().unwrap_or(Edition::of(reference.standard())),
        })
    }
}

impl<'a> Meaning<'a> {
    /// Its meaning, field by field.
    pub(crate) fn details(self) -> Result<Details<'a>, ReadError> {
        self.scheme.details(self.reference, self.edition)
    }
}
