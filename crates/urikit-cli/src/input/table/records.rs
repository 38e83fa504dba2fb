//! What all formats have in common.

use super::cells::Cells;
use std::io;

/// Records, one after another.
pub(in crate::input) trait Records: Send {
    /// Reads the next record, and adds its value to `cells`. Returns its number, as messages name
    /// it: the line where it begins, or its row; `None` after the last.
    ///
    /// # Errors
    ///
    /// If it cannot be read, and neither can what follows it.
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>>;

    /// Whether the next record may come much later.
    fn may_wait(&self) -> bool;
}

/// An error about the content of a file.
pub(super) fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}
