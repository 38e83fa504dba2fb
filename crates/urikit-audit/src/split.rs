//! Splitting text at delimiters of US-ASCII.

/// The text before the first of `delimiters`, and the rest with it.
#[inline]
pub(crate) fn split_at_any<'a>(text: &'a str, delimiters: &[u8]) -> (&'a str, &'a str) {
    let mut bytes = text.bytes();
    let end = bytes.position(|byte| delimiters.contains(&byte));
    text.split_at_checked(end.unwrap_or(text.len()))
        .unwrap_or((text, ""))
}
