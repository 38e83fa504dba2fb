//! What a command does with each input.

use crate::exit::Exit;
use crate::input::Input;
use std::io;

/// What a command does with each input.
pub(crate) trait Work: Send + Sync + 'static {
    /// Writes the result of `input` to `out` and messages about it to `messages`.
    ///
    /// # Errors
    ///
    /// If the result cannot be written, which never happens in memory.
    fn input(&self, input: Input<'_>, out: &mut Vec<u8>, messages: &mut String)
    -> io::Result<Exit>;
}
