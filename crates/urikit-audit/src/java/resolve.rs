//! A model of `URI.resolve`, based on measurements with JDK 17 and 21.

use super::uri::{JavaError, JavaUri};
use std::borrow::Cow;

/// Resolves a reference against an http(s) URL with a host, and returns `toString` of the result.
///
/// The class follows RFC 2396, 5.2, with these deviations:
///
/// - An empty authority is treated as absent: `///e` is a path.
/// - A reference that consists only of a fragment keeps the query of the base. All other references
///   without a path, even the empty reference, resolve to the folder of the base.
/// - A path that begins with a slash is not normalized. In other paths, runs of slashes become one
///   slash, and a `..` above the root is kept.
pub(crate) fn resolve(base: &str, target: &str) -> Result<String, JavaError> {
    let child = JavaUri::parse(target)?;
    let base = JavaUri::parse(base)?;
    if child.scheme.is_some() {
        return Ok(target.to_owned());
    }
    let path = child.path.unwrap_or_default();
    let base_path = base.path.unwrap_or_default();
    let is_fragment = child.authority.is_none() && path.is_empty() && child.query.is_none();
    let (path, query) = match child.authority {
        Some(_) => (Cow::Borrowed(path), child.query),
        None if is_fragment && child.fragment.is_some() => (Cow::Borrowed(base_path), base.query),
        None if path.starts_with('/') => (Cow::Borrowed(path), child.query),
        None => (Cow::Owned(merged(base_path, path)), child.query),
    };
    let authority = child.authority.or(base.authority);
    let mut resolved = format!(
        "{}://{}{path}",
        base.scheme.unwrap_or_default(),
        authority.map_or("", |authority| authority.text)
    );
    for (delimiter, text) in [('?', query), ('#', child.fragment)] {
        if let Some(text) = text {
            resolved.push(delimiter);
            resolved.push_str(text);
        }
    }
    Ok(resolved)
}

/// Appends a path to the folder of the base path, and normalizes the result.
fn merged(base: &str, path: &str) -> String {
    let folder = match base.rfind('/') {
        Some(at) => base.get(..=at).unwrap_or_default(),
        None if path.is_empty() => "",
        None => "/",
    };
    normal(&format!("{folder}{path}"))
}

/// Removes dot segments and empty segments from an absolute or empty path.
fn normal(path: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    let mut ends_with_slash = true;
    for segment in path.split('/') {
        ends_with_slash = true;
        match segment {
            "" | "." => {}
            ".." if segments.last().is_some_and(|last| *last != "..") => drop(segments.pop()),
            _ => {
                ends_with_slash = false;
                segments.push(segment);
            }
        }
    }
    match segments.join("/") {
        inner if path.is_empty() || inner.is_empty() => {
            path.get(..1).unwrap_or_default().to_owned()
        }
        inner if ends_with_slash => format!("/{inner}/"),
        inner => format!("/{inner}"),
    }
}
