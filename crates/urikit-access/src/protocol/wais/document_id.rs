//! The document-id of a URL, in both spellings.

use super::codec;
use crate::error::{Error, ErrorKind, Result};
use std::fmt::{self, Write as _};
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::percent::encode_with;
use urikit_schemes::WaisDocument;

/// Longer document-ids are not sent.
const MAX_ID: usize = 64 << 10;

/// A document-id: octets that only the server that made them understands.
///
/// ```
/// use urikit::Uri;
/// use urikit_access::protocol::wais::DocumentId;
/// use urikit_schemes::{Wais, WaisTarget};
/// let read = |url| -> Result<DocumentId, Box<dyn std::error::Error>> {
///     let url = Wais::read(Uri::parse(url)?)?;
///     let WaisTarget::Document(document) = url.target() else { panic!() };
///     Ok(DocumentId::of(document)?)
/// };
/// // RFC 1738, 3.9: opaque; RFC 1630, WAIS: numbered fields
/// let opaque = read("wais://h/db/TEXT/%02%02db%03%080%2067%20%2Fa")?;
/// assert_eq!(opaque.octets(), b"\x02\x02db\x03\x080 67 /a");
/// let fields = read("wais://h/db/TEXT/67/2=db;3=0%2067%20%2Fa;")?;
/// assert_eq!(fields.octets(), b"\x02\x02db\x03\x070 67 /a");
/// assert_eq!(fields.to_string(), "2=db;3=0%2067%20%2Fa;");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DocumentId(Vec<u8>);

impl DocumentId {
    /// The document-id of a URL. Numbered fields are converted to octets (RFC 1630, WAIS), also in
    /// URLs of later standards, as libwww and Lynx write them. Anything else is opaque (RFC 1738,
    /// 3.9): the decoded octets.
    ///
    /// # Errors
    ///
    /// If the number of a field is above 268435455, or if it is longer than 64 KiB.
    pub fn of(document: WaisDocument<'_>) -> Result<Self> {
        let what = "the number of a document-id's field is above 268435455";
        let number = || Error::new(ErrorKind::Unsupported(what));
        let id = match document.fields() {
            None => document.wpath().decode().octets().collect(),
            Some(fields) => {
                let fields = fields.map(|field| {
                    let number = field.number().ok_or_else(number)?;
                    Ok((number, field.value().to_bytes()))
                });
                let fields = fields.collect::<Result<Vec<_>>>()?;
                codec::encode_document_id(fields).ok_or_else(number)?
            }
        };
        if id.len() > MAX_ID {
            let what = "the document-id is longer than 64 KiB";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Ok(Self(id))
    }

    /// The document-id of a record; `None` if it is empty or longer than 64 KiB.
    pub(super) fn received(id: &[u8]) -> Option<Self> {
        (!id.is_empty() && id.len() <= MAX_ID).then(|| Self(id.to_vec()))
    }

    /// The octets.
    pub fn octets(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for DocumentId {
    /// As in a URL: numbered fields if it consists of them, and otherwise the octets. Everything
    /// but letters, digits and `-._~` is percent-encoded.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(fields) = codec::decode_document_id(&self.0) else {
            return write!(f, "{}", encode_with(&self.0, UNRESERVED.set()));
        };
        for (number, value) in fields {
            write!(f, "{number}=")?;
            write!(f, "{}", encode_with(value, UNRESERVED.set()))?;
            f.write_char(';')?;
        }
        Ok(())
    }
}

impl fmt::Debug for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DocumentId({self})")
    }
}
