//! Protocols that are described in words only: this crate does not implement them.

use std::borrow::Cow;

/// What a client asks for by a protocol that this crate does not implement.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Lookup {
    /// WAIS: the description of a database.
    WaisDescription(Vec<u8>),
    /// WAIS: a search in a database.
    WaisSearch(Vec<u8>),
    /// WAIS: the words of the search.
    WaisWords(Vec<u8>),
    /// WAIS: a document in a database.
    WaisDatabase(Vec<u8>),
    /// WAIS: the type of the document.
    WaisType(Vec<u8>),
    /// WAIS: the identifier of the document.
    WaisDocument(Vec<u8>),
    /// WAIS: the fields of the document's identifier, as written (RFC 1630).
    WaisFields(Vec<u8>),
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
            Self::WaisDescription(name) => ("asks for the description of the database", name),
            Self::WaisSearch(name) => ("searches the database", name),
            Self::WaisWords(words) => ("searches for the words", words),
            Self::WaisDatabase(name) => ("requests a document of the database", name),
            Self::WaisType(name) => ("requests the document type", name),
            Self::WaisDocument(id) => ("requests the document-id", id),
            Self::WaisFields(fields) => ("requests the fields of the document-id", fields),
            Self::UrnResolver(name) => ("asks a URN resolver for", name),
            Self::CallContext(context) => ("dials within the context", context),
            Self::CallNumber(digits) => ("calls the number", digits),
            Self::CallExtension(digits) => ("asks for the extension", digits),
            Self::CallSubaddress(address) => ("asks for the ISDN subaddress", address),
        };
        (words, with.into())
    }
}
