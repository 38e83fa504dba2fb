//! Protocols that are described in words only: this crate does not implement them.

use std::borrow::Cow;

/// What a client asks for by a protocol that this crate does not implement.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Lookup {
    /// URN: the name, from a resolver.
    UrnResolver(Vec<u8>),
    /// Telephone: the context in which the number is dialed.
    CallContext(Vec<u8>),
    /// Telephone: the number, digits only.
    CallNumber(Vec<u8>),
    /// Telephone: the extension, digits only.
    CallExtension(Vec<u8>),
    /// Telephone: the ISDN subaddress.
    CallSubaddress(Vec<u8>),
}

impl Lookup {
    pub(super) fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let (words, with) = match self {
            Self::UrnResolver(name) => ("asks a URN resolver for", name),
            Self::CallContext(context) => ("dials within the context", context),
            Self::CallNumber(digits) => ("calls the number", digits),
            Self::CallExtension(digits) => ("asks for the extension", digits),
            Self::CallSubaddress(address) => ("asks for the ISDN subaddress", address),
        };
        (words, with.into())
    }
}
