//! The standards of the core. They do not allocate.

use super::{Outcome, Reader};
use crate::reading::Reading;
use crate::rejection::Rejection;
use std::borrow::Cow;
use urikit::{AnyRef, Standard};

impl Reader for Standard {
    /// The name of the standard, such as `rfc3986`.
    fn name(&self) -> &'static str {
        Standard::name(*self)
    }

    /// Reads a reference, which may be relative; components are as written.
    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        let reference = self.parse(input).map_err(Rejection::Rfc)?;
        Ok(reading(reference))
    }
}

/// The components of a reference.
pub(crate) fn reading(reference: AnyRef<'_>) -> Reading<'_> {
    let host = reference.host();
    Reading {
        scheme: reference.scheme().map(Cow::Borrowed),
        authority: reference
            .authority()
            .map(|authority| Cow::Borrowed(authority.as_str())),
        userinfo: reference
            .userinfo()
            .map(|text| Cow::Borrowed(text.as_str())),
        host: host.map(|host| Cow::Borrowed(host.as_str())),
        address: host.and_then(urikit::component::Host::to_ip),
        port: reference.port().map(Cow::Borrowed),
        path: Cow::Borrowed(reference.path().as_str()),
        query: reference.query().map(|text| Cow::Borrowed(text.as_str())),
        fragment: reference
            .fragment()
            .map(|text| Cow::Borrowed(text.as_str())),
        has_null_host: false,
    }
}
