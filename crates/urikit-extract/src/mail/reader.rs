//! The state that the readers of parts and header fields share.

use crate::found::Reference;
use crate::plain::Finder;
use core::ops::Range;
use mail_parser::MessageParser;

/// Reads parts.
pub(super) struct Mail<'m> {
    pub(super) parser: MessageParser,
    pub(super) finder: &'m Finder,
    pub(super) each: &'m mut dyn FnMut(Reference<'_>),
    pub(super) invalid: usize,
}

/// Bytes that have parts in them, and where a range of them stands on disk.
pub(super) struct Source<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) place: &'a dyn Fn(Range<usize>) -> Range<usize>,
}
