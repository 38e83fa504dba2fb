//! Paths.

use crate::split::{ends_path, split_at};
use std::borrow::Cow;
use urikit::op::remove_dot_segments;

/// The text up to the query and the fragment, and the rest with them.
pub(super) fn path(text: &str) -> (&str, &str) {
    split_at(text, ends_path)
}

/// The path without dot segments. One of a single character is a slash, whatever it was.
pub(super) fn normal(path: &str) -> Cow<'_, str> {
    if path.len() < 2 {
        Cow::Borrowed("/")
    } else {
        remove_dot_segments(path)
    }
}
