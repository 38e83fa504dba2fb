//! What a command does with each input.

use crate::exit::Exit;
use crate::input::Input;
use crate::output::Printed;
use std::io;

/// What a command does with each input.
pub(crate) trait Work: Send + Sync + 'static {
    /// Prints the result of `input`, or a message about it.
    ///
    /// # Errors
    ///
    /// If the result cannot be written, which never happens in memory.
    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit>;
}
