//! Document-ids: a list of fields, which only the server that made it understands.

use super::encode;
use super::reader::{DecodeError, Reader};

/// A field: its number, and its contents.
pub type IdField<'a> = (u32, &'a [u8]);

/// The largest number of a field: a compressed integer of four octets.
const MAX_NUMBER: u32 = (1 << 28) - 1;

/// The fields of a document-id. `None` if it does not consist of fields, or not of fields that
/// [`encode_document_id`] would write in the same way.
pub fn decode_document_id(id: &[u8]) -> Option<Vec<IdField<'_>>> {
    let fields = || -> Result<Vec<IdField<'_>>, DecodeError> {
        let (mut reader, mut fields) = (Reader::new(id), Vec::new());
        while let Some((number, value)) = reader.tagged()? {
            fields.push((number, value.rest()));
        }
        Ok(fields)
    };
    let fields = fields().ok()?;
    let is_same = encode_document_id(fields.iter().copied()).is_some_and(|again| again == id);
    (is_same && !fields.is_empty()).then_some(fields)
}

/// A document-id of these fields; `None` if a number is too large.
pub fn encode_document_id<T: AsRef<[u8]>>(
    fields: impl IntoIterator<Item = (u32, T)>,
) -> Option<Vec<u8>> {
    let mut id = Vec::new();
    for (number, value) in fields {
        if number > MAX_NUMBER {
            return None;
        }
        encode::field(&mut id, number, value.as_ref());
    }
    Some(id)
}

#[cfg(test)]
mod tests {
    use super::{decode_document_id, encode_document_id};

    #[test]
    fn fields_that_are_written_otherwise_are_not_decoded() {
        let id = b"\x01\x05h:210\x02\x02db\x07\x01\x00";
        let fields = decode_document_id(id).unwrap();
        assert_eq!(fields, [(1, &b"h:210"[..]), (2, b"db"), (7, b"\0")]);
        assert_eq!(encode_document_id(fields).unwrap(), id);
        for id in [
            &b""[..],
            b"0 67 /a",
            b"\x80\x01\x01a",
            b"\x01\x80\x01a",
            b"\x01\x02a",
        ] {
            assert_eq!(decode_document_id(id), None, "{id:?}");
        }
        assert_eq!(encode_document_id([(1 << 28, "")]), None);
    }
}
