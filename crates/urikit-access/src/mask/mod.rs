//! Masks secrets in text that people see.
//!
//! [`Secrets`] are those that are known: what an access sends as a password. Whatever a server
//! sends is masked by them before it is displayed, in every encoding in which a server may repeat
//! it. [`passwords`] finds what may be a password in a reference of which nothing is known.
//!
//! Masks are for display. Bodies, listings and metadata are data, and remain exact.

mod likely;
mod secrets;
mod unescaped;

pub use likely::passwords;
pub use secrets::Secrets;
pub use unescaped::unescaped;
pub use urikit::component::MASK;

use likely::passwords_in_line;
use std::borrow::Cow;
use std::ops::Range;

/// `text` with a mask in place of each range; they are in order and disjoint.
fn masked<'a>(text: &'a [u8], secrets: &[Range<usize>]) -> Cow<'a, [u8]> {
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut shown = Vec::with_capacity(text.len());
    let mut from = 0;
    for secret in secrets {
        shown.extend_from_slice(text.get(from..secret.start).unwrap_or_default());
        shown.extend_from_slice(MASK.as_bytes());
        from = secret.end;
    }
    shown.extend_from_slice(text.get(from..).unwrap_or_default());
    Cow::Owned(shown)
}

/// A line with the passwords of URLs masked.
pub(crate) fn urls(line: &[u8]) -> Cow<'_, [u8]> {
    masked(line, &passwords_in_line(line))
}
