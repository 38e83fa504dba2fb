//! From a URL to its components.

use super::authority::authority;
use super::error::CurlError;
use super::file::file;
use super::path::{normal, path};
use crate::reading::Reading;
use crate::split::{any, ends_authority, query_and_fragment, split_at, split_once};
use std::borrow::Cow;

/// The longest scheme.
const LONGEST_SCHEME: usize = 40;

/// Reads a URL as libcurl does.
pub(crate) fn read(input: &str) -> Result<Reading<'_>, CurlError> {
    let (scheme, rest) = scheme(input)?;
    if any(input, |byte| byte <= b' ' || byte == 0x7F) {
        return Err(CurlError::Character);
    }
    let lower = lower(scheme);
    if lower == "file" {
        return file(lower, rest);
    }
    let slashes = rest.bytes().take_while(|byte| *byte == b'/').count();
    if !(1..=3).contains(&slashes) {
        return Err(CurlError::Slashes);
    }
    let after = rest.get(slashes..).unwrap_or_default();
    let (text, rest) = split_at(after, ends_authority);
    let reading = authority(text)?;
    let (before, after) = path(rest);
    let (query, fragment) = query_and_fragment(after);
    Ok(Reading {
        scheme: Some(lower),
        authority: Some(Cow::Borrowed(text)),
        path: normal(before),
        query: query.map(Cow::Borrowed),
        fragment: fragment.filter(|text| !text.is_empty()).map(Cow::Borrowed),
        ..reading
    })
}

/// The scheme, and what follows its colon.
fn scheme(input: &str) -> Result<(&str, &str), CurlError> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let (scheme, rest) = split_once(input, b':').ok_or(CurlError::Scheme)?;
    let is_scheme = (1..=LONGEST_SCHEME).contains(&scheme.len()) && scheme.bytes().all(is_part);
    if is_scheme {
        Ok((scheme, rest))
    } else {
        Err(CurlError::Scheme)
    }
}

fn lower(scheme: &str) -> Cow<'_, str> {
    if any(scheme, |byte| byte.is_ascii_uppercase()) {
        Cow::Owned(scheme.to_ascii_lowercase())
    } else {
        Cow::Borrowed(scheme)
    }
}
