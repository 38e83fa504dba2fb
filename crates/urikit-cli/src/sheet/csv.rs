//! Comma-separated values (RFC 4180).

use csv::WriterBuilder;
use std::io;

/// Appends a row, and ends the line.
///
/// # Errors
///
/// If it cannot be written, which never happens in memory.
pub(super) fn row<T: AsRef<[u8]>>(
    out: &mut Vec<u8>,
    cells: impl IntoIterator<Item = T>,
) -> io::Result<()> {
    let mut writer = WriterBuilder::new()
        .buffer_capacity(1 << 10)
        .from_writer(out);
    writer.write_record(cells)?;
    writer.flush()
}
