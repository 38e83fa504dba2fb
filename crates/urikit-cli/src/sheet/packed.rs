//! Rows in memory, on their way to a file of columns: each cell is a length of 8 bytes and the
//! text. A length of 0 is an absent value; all others are one more than that of the text.

#[cfg(feature = "parquet")]
const LENGTH: usize = size_of::<u64>();

/// Appends a row.
pub(super) fn row<T: AsRef<[u8]>>(out: &mut Vec<u8>, cells: &[Option<T>]) {
    for cell in cells {
        let text = cell.as_ref().map(AsRef::as_ref);
        let length = text.map_or(0, |text| text.len() as u64 + 1);
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(text.unwrap_or_default());
    }
}

/// The rest of a cell is missing.
#[cfg(feature = "parquet")]
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Incomplete;

/// Takes a cell from the beginning of `packed`.
#[cfg(feature = "parquet")]
pub(super) fn take<'p>(packed: &mut &'p [u8]) -> Result<Option<&'p [u8]>, Incomplete> {
    let (length, rest) = packed.split_first_chunk::<LENGTH>().ok_or(Incomplete)?;
    let Some(length) = u64::from_le_bytes(*length).checked_sub(1) else {
        *packed = rest;
        return Ok(None);
    };
    let length = usize::try_from(length).map_err(|_| Incomplete)?;
    let (text, rest) = rest.split_at_checked(length).ok_or(Incomplete)?;
    *packed = rest;
    Ok(Some(text))
}

#[cfg(test)]
#[cfg(feature = "parquet")]
mod tests {
    use super::{Incomplete, row, take};

    #[test]
    fn what_is_packed_can_be_taken() {
        let mut packed = Vec::new();
        row(&mut packed, &[Some("a"), None, Some("")]);
        let mut rest = packed.as_slice();
        assert_eq!(take(&mut rest), Ok(Some(&b"a"[..])));
        assert_eq!(take(&mut rest), Ok(None));
        assert_eq!(take(&mut rest), Ok(Some(&b""[..])));
        assert_eq!(take(&mut rest), Err(Incomplete));
        let mut cut = packed.get(..8).unwrap();
        assert_eq!(take(&mut cut), Err(Incomplete));
        assert_eq!(cut.len(), 8, "nothing is lost");
    }
}
