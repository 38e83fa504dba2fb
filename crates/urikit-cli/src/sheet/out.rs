//! Where results go.

use anstream::AutoStream;
use std::io::{self, Stdout, Write};

/// Where results go.
pub(crate) trait Out: Write + Send {
    /// Writes what is still to be written at the end.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    fn end(&mut self) -> io::Result<()> {
        self.flush()
    }
}

impl Out for Stdout {}

impl Out for AutoStream<Stdout> {}
