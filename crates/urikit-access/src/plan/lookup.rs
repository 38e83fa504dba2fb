//! Protocols that are described in words only: this crate does not implement them.

use std::borrow::Cow;

/// What a client asks for by a protocol that this crate does not implement.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Lookup {
    /// Prospero: the access methods of an object, by its host-specific name.
    ProsperoObject(Vec<u8>),
    /// Prospero: the version of the object.
    ProsperoVersion(Vec<u8>),
    /// Prospero: the attributes that are asked for (RFC 1630).
    ProsperoAttributes(Vec<u8>),
    /// Prospero: a field, as `name=value`.
    ProsperoField(Vec<u8>),
    /// Prospero: the URL of one of the access methods.
    ProsperoFollow,
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
            Self::ProsperoObject(name) => {
                ("asks the directory server for the access methods of", name)
            }
            Self::ProsperoVersion(version) => ("requests the version", version),
            Self::ProsperoAttributes(attributes) => ("requests the attributes", attributes),
            Self::ProsperoField(field) => ("sends the field", field),
            Self::ProsperoFollow => {
                let words = "follows the URL of one of the access methods";
                return (words, Cow::Borrowed(&[]));
            }
            Self::UrnResolver(name) => ("asks a URN resolver for", name),
            Self::CallContext(context) => ("dials within the context", context),
            Self::CallNumber(digits) => ("calls the number", digits),
            Self::CallExtension(digits) => ("asks for the extension", digits),
            Self::CallSubaddress(address) => ("asks for the ISDN subaddress", address),
        };
        (words, with.into())
    }
}
