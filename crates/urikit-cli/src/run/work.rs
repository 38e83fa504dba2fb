//! What a command does with each input.

use crate::exit::Exit;
use crate::input::Input;
use crate::output::Printed;
use std::borrow::Cow;
use std::io;
use urikit::UriBuf;

/// What a command does with each input.
pub(crate) trait Work: Send + Sync + 'static {
    /// Prints the result of `input`, or a message about it.
    ///
    /// # Errors
    ///
    /// If the result cannot be written, which never happens in memory.
    fn input(&self, input: Input<'_>, to: &mut Printed) -> io::Result<Exit>;

    /// Whether it is slow, and several inputs are worked on at the same time if the user wants so.
    fn is_slow(&self) -> bool {
        false
    }

    /// What precedes all results.
    fn header(&self) -> Vec<u8> {
        Vec::new()
    }

    /// The reference that filters apply to; `None` if there is none.
    fn filtered<'a>(&self, input: Input<'a>) -> Option<Cow<'a, [u8]>> {
        Some(Cow::Borrowed(input.bytes))
    }

    /// How many bytes, all ASCII, precede the reference in an input. The work is done on what
    /// follows them.
    fn prefix(&self, _input: &[u8]) -> usize {
        0
    }

    /// What relative references will be resolved against; its scheme matters for their repair.
    fn base(&self) -> Option<UriBuf> {
        None
    }
}
