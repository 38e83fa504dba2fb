//! The records of a Search response.

use super::diagnostic::Diagnostic;
use super::reader::{DecodeError, Reader};
use super::tag;

/// A record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Record<'a> {
    /// A document that was found.
    Header(DocumentHeader<'a>),
    /// A document, or a part of it.
    Text(DocumentText<'a>),
    /// Something that failed.
    Diagnostic(Diagnostic<'a>),
    /// The words that the server searched for.
    SeedWordsUsed(&'a [u8]),
    /// A record with another tag.
    Other(u32),
}

/// A document that was found: a citation (RFC 1625, 4). What a server leaves out is empty, or
/// `None`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DocumentHeader<'a> {
    /// The document-id.
    pub id: &'a [u8],
    /// How well it fits, at most 1000 (RFC 1625).
    pub score: Option<u64>,
    /// Where it fits best, in octets.
    pub best_match: Option<u64>,
    /// Its length in octets.
    pub length: Option<u64>,
    /// Its length in lines.
    pub lines: Option<u64>,
    /// The database that it is in, as the server names it.
    pub source: &'a [u8],
    /// Its date.
    pub date: &'a [u8],
    /// Its headline. The encoding is unknown, often ISO 8859-1.
    pub headline: &'a [u8],
    /// The city that it is from.
    pub origin_city: &'a [u8],
    types: Types<'a>,
}

/// A document, or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DocumentText<'a> {
    /// The document-id.
    pub id: &'a [u8],
    /// The octets.
    pub text: &'a [u8],
}

/// The types in which a document can be fetched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Types<'a>(Reader<'a>);

impl Default for Types<'_> {
    fn default() -> Self {
        Self(Reader::new(&[]))
    }
}

impl<'a> Record<'a> {
    /// Decodes the next record.
    pub(super) fn decode(from: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let tag = from.compressed()?;
        if tag == tag::DATABASE_DIAGNOSTIC {
            return Diagnostic::decode(from).map(Self::Diagnostic);
        }
        let fields = from.field()?;
        Ok(match tag {
            tag::DOCUMENT_HEADER
            | tag::DOCUMENT_SHORT_HEADER
            | tag::DOCUMENT_LONG_HEADER
            | tag::DOCUMENT_HEADLINE => Self::Header(DocumentHeader::decode(fields)?),
            tag::DOCUMENT_TEXT => Self::Text(DocumentText::decode(fields)?),
            tag::SEED_WORDS_USED => Self::SeedWordsUsed(fields.rest()),
            tag => Self::Other(tag),
        })
    }
}

impl<'a> DocumentHeader<'a> {
    fn decode(mut fields: Reader<'a>) -> Result<Self, DecodeError> {
        let mut header = Self::default();
        while let Some((tag, value)) = fields.tagged()? {
            match tag {
                tag::DOCUMENT_ID => header.id = value.rest(),
                tag::SCORE => header.score = Some(value.number()?),
                tag::BEST_MATCH => header.best_match = Some(value.number()?),
                tag::DOCUMENT_LENGTH => header.length = Some(value.number()?),
                tag::LINES => header.lines = Some(value.number()?),
                tag::TYPE_BLOCK => header.types = Types::decode(value)?,
                tag::SOURCE => header.source = value.rest(),
                tag::DATE => header.date = value.rest(),
                tag::HEADLINE => header.headline = value.rest(),
                tag::ORIGIN_CITY => header.origin_city = value.rest(),
                _ => {}
            }
        }
        Ok(header)
    }

    /// The types in which it can be fetched, such as `TEXT`.
    pub fn types(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut types = self.types.0;
        // INVARIANT: decoded once without an error.
        std::iter::from_fn(move || types.tagged().ok().flatten())
            .filter(|(tag, _)| *tag == tag::TYPE)
            .map(|(_, name)| name.rest())
    }
}

impl<'a> Types<'a> {
    /// Checks the block.
    fn decode(block: Reader<'a>) -> Result<Self, DecodeError> {
        let mut types = block;
        while types.tagged()?.is_some() {}
        Ok(Self(block))
    }
}

impl<'a> DocumentText<'a> {
    fn decode(mut fields: Reader<'a>) -> Result<Self, DecodeError> {
        let mut text = Self::default();
        while let Some((tag, value)) = fields.tagged()? {
            match tag {
                tag::DOCUMENT_ID => text.id = value.rest(),
                tag::TEXT => text.text = value.rest(),
                _ => {}
            }
        }
        Ok(text)
    }
}
