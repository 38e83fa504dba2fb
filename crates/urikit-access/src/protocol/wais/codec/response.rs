//! A Search response: the answer to both kinds of search.

use super::init::header_part;
use super::reader::{DecodeError, Reader};
use super::record::Record;
use super::tag;

const SEARCH_RESPONSE: u8 = 23;

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResponse<'a> {
    /// freeWAIS sends 0 with a document, which is no failure: failures are
    /// [diagnostics](super::Diagnostic).
    pub status: u8,
    /// How many documents were found. freeWAIS sends 0: count the records.
    pub result_count: u64,
    /// How many records the server says that it returned, diagnostics included.
    pub records_returned: u64,
    /// The records.
    pub records: Records<'a>,
}

/// The records of an answer, decoded one at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Records<'a> {
    /// After the APDU's header part.
    outer: Reader<'a>,
    /// In a field of user information.
    inner: Reader<'a>,
}

impl<'a> SearchResponse<'a> {
    /// Decodes an APDU. Its records are decoded later.
    ///
    /// # Errors
    ///
    /// If it is no Search response.
    pub fn decode(apdu: &'a [u8]) -> Result<Self, DecodeError> {
        let mut outer = Reader::new(apdu);
        let mut header = header_part(&mut outer, SEARCH_RESPONSE)?;
        let status = header.octet("the status of the search")?;
        let result_count = header.binary(3, "the number of results")?;
        let records_returned = header.binary(3, "the number of records")?;
        header.binary(3, "the next position")?;
        // Fields of result sets, which WAIS does not have.
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

    /// The next record. After an error there is none.
    fn next(&mut self) -> Option<Self::Item> {
        let record = self.decode();
        if record.is_err() {
            (self.outer, self.inner) = (Reader::new(&[]), Reader::new(&[]));
        }
        record.transpose()
    }
}
