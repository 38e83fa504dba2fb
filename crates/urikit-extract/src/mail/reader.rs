//! The state that the readers of parts and header fields share.

use crate::reader::{Context, Each, Noticed};
use core::ops::Range;

/// Reads the parts of a message.
pub(super) struct Mail<'m> {
    pub(super) context: Context<'m>,
    pub(super) each: &'m mut Each<'m>,
    pub(super) noticed: &'m mut Noticed,
}

/// Decoded bytes that contain parts.
pub(super) struct Source<'a> {
    pub(super) bytes: &'a [u8],
    /// Maps a range of the bytes to the file.
    pub(super) to_file: &'a dyn Fn(Range<usize>) -> Range<usize>,
}
