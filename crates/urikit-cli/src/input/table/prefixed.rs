//! Values that follow their lengths, as a page of Parquet has them.

use bytes::Bytes;

/// Values of consecutive records. Each follows its length, in [`PREFIX`] bytes.
#[derive(Debug)]
#[cfg_attr(not(feature = "parquet"), allow(dead_code))]
pub(in crate::input) struct Prefixed {
    pub(in crate::input) data: Bytes,
    pub(in crate::input) count: u64,
}

/// How many bytes the length of a value has.
pub(in crate::input) const PREFIX: usize = size_of::<u32>();

/// The length that some values begin with; `None` if they are too short.
pub(in crate::input) fn prefix(values: &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*values.first_chunk()?)).ok()
}
