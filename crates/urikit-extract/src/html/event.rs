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
    let text = String::from_utf8_lossy(decoded);
    if text.contains(['\t', '\n', '\r']) {
        Cow::Owned(text.replace(['\t', '\n', '\r'], ""))
    } else {
        text
    }
}

/// A range of a text without the white space at its ends.
pub(crate) fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_ascii_start().len());
    start..start + inner.trim_ascii().len()
}
