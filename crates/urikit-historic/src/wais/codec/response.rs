//! Responses to Init and Search, and the records in a Search response.

use super::fields::{DecodeError, Reader, tag};

/// The type of an Init response APDU.
const INIT_RESPONSE: u8 = 21;

/// The type of a Search response APDU.
const SEARCH_RESPONSE: u8 = 23;

/// The octet that ends a diagnostic.
const DIAGNOSTIC_END: u8 = 0x1D;

/// A response to [`Init`](super::Init).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InitResponse<'a> {
    /// 1 if the server accepts the client. Some servers send 0, but still serve the client.
    pub result: u8,
    /// The optional fields.
    pub fields: InitResponseFields<'a>,
}

/// The optional fields of an [`InitResponse`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct InitResponseFields<'a> {
    /// The preferred maximum size of messages in octets.
    pub preferred_message_size: Option<u64>,
    /// The maximum size of records in octets.
    pub maximum_record_size: Option<u64>,
    /// The manufacturer of the server software.
    pub implementation_id: &'a [u8],
    /// The name of the server.
    pub implementation_name: &'a [u8],
    /// The version of the server software.
    pub implementation_version: &'a [u8],
}

impl<'a> InitResponse<'a> {
    /// Decodes an APDU. Ignores user information.
    ///
    /// # Errors
    ///
    /// Fails if the APDU is not an Init response.
    pub fn decode(apdu: &'a [u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(apdu);
        let mut header = reader.header_part(INIT_RESPONSE, "an Init response (21)")?;
        let result = header.octet("the result of Init")?;
        let mut fields = InitResponseFields::default();
        while let Some((tag, value)) = header.tagged()? {
            match tag {
                tag::PREFERRED_MESSAGE_SIZE => {
                    fields.preferred_message_size = Some(value.number()?);
                }
                tag::MAXIMUM_RECORD_SIZE => fields.maximum_record_size = Some(value.number()?),
                tag::IMPLEMENTATION_ID => fields.implementation_id = value.rest(),
                tag::IMPLEMENTATION_NAME => fields.implementation_name = value.rest(),
                tag::IMPLEMENTATION_VERSION => fields.implementation_version = value.rest(),
                _ => {}
            }
        }
        Ok(Self { result, fields })
    }

    /// Returns the maximum size of messages in octets, or `None` if the server set no limit.
    pub fn max_message(&self) -> Option<u64> {
        let sizes = [
            self.fields.preferred_message_size,
            self.fields.maximum_record_size,
        ];
        sizes.into_iter().flatten().filter(|size| *size > 0).min()
    }
}

/// A response to either kind of search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResponse<'a> {
    /// The status of the search. freeWAIS sends 0 when it returns a document. The status does not
    /// report failures, for which servers send [diagnostics](Diagnostic).
    pub status: u8,
    /// The number of documents that were found. freeWAIS always sends 0, so count the records
    /// instead.
    pub result_count: u64,
    /// The number of records that the server claims to return, including diagnostics.
    pub records_returned: u64,
    /// The records.
    pub records: Records<'a>,
}

/// An iterator that decodes the records of a response. The iteration ends after an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Records<'a> {
    /// The fields that follow the APDU's header part.
    outer: Reader<'a>,
    /// The remaining records in the current user information field.
    inner: Reader<'a>,
}

impl<'a> SearchResponse<'a> {
    /// Decodes an APDU, except for its records.
    ///
    /// # Errors
    ///
    /// Fails if the APDU is not a Search response.
    pub fn decode(apdu: &'a [u8]) -> Result<Self, DecodeError> {
        let mut outer = Reader::new(apdu);
        let mut header = outer.header_part(SEARCH_RESPONSE, "a Search response (23)")?;
        let status = header.octet("the status of the search")?;
        let result_count = header.binary(3, "the number of results")?;
        let records_returned = header.binary(3, "the number of records")?;
        header.binary(3, "the next position")?;
        // These fields describe result sets, which WAIS does not use, so they are checked but not
        // returned.
        while header.tagged()?.is_some() {}
        let inner = Reader::new(&[]);
        Ok(Self {
            status,
            result_count,
            records_returned,
            records: Records { outer, inner },
        })
    }
}

impl<'a> Records<'a> {
    fn decode(&mut self) -> Result<Option<Record<'a>>, DecodeError> {
        while self.inner.is_empty() {
            match self.outer.tagged()? {
                None => return Ok(None),
                Some((tag::USER_INFORMATION, field)) => self.inner = field,
                Some(_) => {}
            }
        }
        Record::decode(&mut self.inner).map(Some)
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.decode();
        if record.is_err() {
            (self.outer, self.inner) = (Reader::new(&[]), Reader::new(&[]));
        }
        record.transpose()
    }
}

/// A record in a Search response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Record<'a> {
    /// A document that was found.
    Header(DocumentHeader<'a>),
    /// A document, or part of a document.
    Text(DocumentText<'a>),
    /// A failure.
    Diagnostic(Diagnostic<'a>),
    /// The words that the server searched for.
    SeedWordsUsed(&'a [u8]),
    /// A record with another tag.
    Other(u32),
}

/// A citation (RFC 1625, 4), which describes a document that was found. Fields that the server
/// omitted are empty or `None`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DocumentHeader<'a> {
    /// The document-id.
    pub id: &'a [u8],
    /// The relevance of the document, which is at most 1000 (RFC 1625).
    pub score: Option<u64>,
    /// The position of the most relevant part, in octets.
    pub best_match: Option<u64>,
    /// The length of the document in octets.
    pub length: Option<u64>,
    /// The length of the document in lines.
    pub lines: Option<u64>,
    /// The server's name for the database that contains the document.
    pub source: &'a [u8],
    /// The date.
    pub date: &'a [u8],
    /// The headline, in an unknown character encoding, which is often ISO 8859-1.
    pub headline: &'a [u8],
    /// The city that the document comes from.
    pub origin_city: &'a [u8],
    types: Types<'a>,
}

/// A document, or part of a document.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DocumentText<'a> {
    /// The document-id.
    pub id: &'a [u8],
    /// The octets.
    pub text: &'a [u8],
}

/// A failure that the server reports.
///
/// ```text
/// diagnostic = tag (28) length (2 octets, binary) code (2) text surrogate (1) [ %x1D ]
/// ```
///
/// Unlike the lengths of fields, the length of a diagnostic is not a compressed integer. freeWAIS
/// sends one additional octet, 1D, which the length does not include.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diagnostic<'a> {
    /// A code of two characters, such as `S1` (system error) or `SF` (out of range).
    pub code: [u8; 2],
    /// The server's description.
    pub text: &'a [u8],
    /// True if the diagnostic replaces a record.
    pub is_surrogate: bool,
}

/// The types in which a document can be fetched.
///
/// INVARIANT: all fields can be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Types<'a>(Reader<'a>);

impl Default for Types<'_> {
    fn default() -> Self {
        Self(Reader::new(&[]))
    }
}

impl<'a> Record<'a> {
    /// Decodes the next record.
    fn decode(from: &mut Reader<'a>) -> Result<Self, DecodeError> {
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

    /// Returns the types in which the document can be fetched, such as `TEXT`.
    pub fn types(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut types = self.types.0;
        std::iter::from_fn(move || types.tagged().ok().flatten())
            .filter(|(tag, _)| *tag == tag::TYPE)
            .map(|(_, name)| name.rest())
    }
}

impl<'a> Types<'a> {
    /// Checks that all fields of the block can be decoded.
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

impl<'a> Diagnostic<'a> {
    /// The code that reports a range past the end of the document, or a document that does not
    /// exist.
    pub const OUT_OF_RANGE: [u8; 2] = *b"SF";

    /// Decodes a diagnostic whose tag has already been read.
    fn decode(from: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let length = from.binary(2, "the length of a diagnostic")?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let mut body = from.take(length, "a diagnostic that ends within the message")?;
        if from.rest().first() == Some(&DIAGNOSTIC_END) {
            from.octet("the end of a diagnostic")?;
        }
        let code = [
            body.octet("the code of a diagnostic")?,
            body.octet("the code of a diagnostic")?,
        ];
        let (surrogate, text) = body.rest().split_last().unwrap_or((&0, &[]));
        Ok(Self {
            code,
            text,
            is_surrogate: *surrogate != 0,
        })
    }

    /// Returns the code and the text, separated by a space.
    pub fn line(&self) -> Vec<u8> {
        [&self.code, &b" "[..], self.text].concat()
    }
}
