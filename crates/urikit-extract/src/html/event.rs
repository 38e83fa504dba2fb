//! Events that the parts of the HTML reader pass to each other.

use crate::found::Unresolved;
use std::borrow::Cow;
use std::ops::Range;

/// What was found in a piece of HTML.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    Reference(Unresolved<'a>),
    /// The `href` of `<base>`.
    Base(Unresolved<'a>),
    /// The start tag of an element that does not belong in the head.
    BodyBegins,
}

/// The callback that receives events.
pub(crate) type Each<'c> = dyn FnMut(Event<'_>) + 'c;

/// A reference without the tabs and line ends that HTML and the URL standard strip from it.
pub(crate) fn clean(decoded: &[u8]) -> Cow<'_, str> {
    if memchr::memchr3(b'\t', b'\n', b'\r', decoded).is_none() {
        return lossy(decoded);
    }
    Cow::Owned(lossy(decoded).replace(['\t', '\n', '\r'], ""))
}

/// A text in which U+FFFD replaces what is not UTF-8. Nearly all texts are valid, and checking that
/// first is faster.
pub(crate) fn lossy(text: &[u8]) -> Cow<'_, str> {
    core::str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text), Cow::Borrowed)
}

/// A range of a text without the white space at its ends.
pub(crate) fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_ascii_start().len());
    start..start + inner.trim_ascii().len()
}
