//! Paths.

use crate::split::{ends_path, split_at};
use std::borrow::Cow;

/// The text up to the query and the fragment, and the rest with them.
pub(super) fn path(text: &str) -> (&str, &str) {
    split_at(text, ends_path)
}

/// The path without dot segments. One of a single character is a slash, whatever it was.
pub(super) fn normal(path: &str) -> Cow<'_, str> {
    if path.len() < 2 {
        Cow::Borrowed("/")
    } else if path.starts_with('.') || path.as_bytes().windows(2).any(|two| two == b"/.") {
        Cow::Owned(remove_dot_segments(path))
    } else {
        Cow::Borrowed(path)
    }
}

/// RFC 3986, 5.2.4, where the path need not begin with a slash.
fn remove_dot_segments(path: &str) -> String {
    let mut output = String::with_capacity(path.len());
    let mut input = path;
    loop {
        input = match input {
            "" | "." | ".." => return output,
            "/." => "/",
            "/.." => {
                output.truncate(output.rfind('/').unwrap_or(0));
                "/"
            }
            _ => {
                if let Some(rest) = input.strip_prefix("../").or(input.strip_prefix("./")) {
                    rest
                } else if input.starts_with("/./") {
                    input.get(2..).unwrap_or_default()
                } else if input.starts_with("/../") {
                    output.truncate(output.rfind('/').unwrap_or(0));
                    input.get(3..).unwrap_or_default()
                } else {
                    let after = input.char_indices().skip(1).find(|(_, c)| *c == '/');
                    let end = after.map_or(input.len(), |(at, _)| at);
                    let (segment, rest) = input.split_at_checked(end).unwrap_or((input, ""));
                    output.push_str(segment);
                    rest
                }
            }
        };
    }
}
