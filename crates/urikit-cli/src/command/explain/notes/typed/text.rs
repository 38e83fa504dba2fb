//! Parts of a text, and how a note quotes it.

use crate::mask::mask;
use crate::safe::safe;

/// A text between backquotes.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", safe(&mask(text, false)))
}

/// The scheme, and what follows its colon.
pub(super) fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some((scheme, rest))
}

/// The text up to the first of `/`, `?`, `#` and `\`, and the rest.
pub(super) fn first(text: &str) -> (&str, &str) {
    let end = text.find(['/', '?', '#', '\\']).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The authority, if there is one after a scheme.
pub(super) fn authority(text: &str) -> Option<&str> {
    Some(first(scheme(text)?.1.strip_prefix("//")?).0)
}
