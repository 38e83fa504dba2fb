//! `file` URLs.

use super::error::CurlError;
use super::path::{normal, path};
use crate::reading::Reading;
use crate::split::query_and_fragment;
use std::borrow::Cow;

/// The hosts that are this machine; they are dropped.
const THIS_MACHINE: [&str; 2] = ["localhost/", "127.0.0.1/"];

/// Reads what follows `file:`.
pub(super) fn file<'a>(scheme: Cow<'a, str>, rest: &'a str) -> Result<Reading<'a>, CurlError> {
    if rest.len() < 2 {
        return Err(CurlError::File);
    }
    let text = match rest.strip_prefix("//") {
        None => rest,
        Some(after) if after.starts_with('/') => after,
        Some(after) => {
            let host = THIS_MACHINE.iter().find(|host| {
                after
                    .get(..host.len())
                    .is_some_and(|begin| begin.eq_ignore_ascii_case(host))
            });
            let length = host.ok_or(CurlError::File)?.len();
            after.get(length - 1..).unwrap_or_default()
        }
    };
    if has_drive(text) {
        return Err(CurlError::File);
    }
    let (before, after) = path(text);
    let (query, fragment) = query_and_fragment(after);
    Ok(Reading {
        scheme: Some(scheme),
        path: normal(before),
        query: query.map(Cow::Borrowed),
        fragment: fragment.filter(|text| !text.is_empty()).map(Cow::Borrowed),
        ..Reading::default()
    })
}

/// Whether the path begins with a drive letter of MS-DOS.
fn has_drive(path: &str) -> bool {
    let path = path.strip_prefix('/').unwrap_or(path);
    match path.as_bytes() {
        [letter, b':' | b'|', after @ ..] => {
            letter.is_ascii_alphabetic() && matches!(after, [] | [b'/' | b'\\', ..])
        }
        _ => false,
    }
}
