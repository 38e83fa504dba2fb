//! RFC 2396, 5.2 and 4.2; the comments have the step numbers of 5.2.
//!
//! What differs from RFC 3986 (for the base `http://a/b/c/d;p?q`):
//!
//! | reference | RFC 2396 | RFC 3986 | why |
//! |---|---|---|---|
//! | `?y` | `http://a/b/c/?y` | `http://a/b/c/d;p?y` | step 6 applies to an empty path too |
//! | `/./g` | `http://a/./g` | `http://a/g` | step 5 takes an absolute path as it is |
//! | `../../../g` | `http://a/../g` | `http://a/g` | step 6 g may keep what is above the root |
//!
//! A same-document reference is empty or only a fragment (4.2), whatever the target would be.

use super::path::{self, Writer};
use super::rfc3986::without_fragment;
use super::{AboveRoot, Options, ResolveError, SameScheme};
use crate::component::{Authority, Encoded};
use crate::{AnyRef, Form};
use alloc::string::String;

/// Schemes "known to always use the `hier_part` syntax" (step 3): those that RFC 1808, 2.3, lists
/// as used with relative URLs, and their successor `https`.
const HIERARCHICAL: [&str; 8] = [
    "http", "https", "ftp", "file", "nntp", "gopher", "prospero", "wais",
];

/// Section 5.2.
pub(super) fn resolve(
    reference: AnyRef<'_>,
    base: AnyRef<'_>,
    options: Options,
    out: &mut String,
) -> Result<bool, ResolveError> {
    // 2: a reference to the current document (4.2).
    if matches!(reference.form(), Form::Empty | Form::FragmentOnly) {
        out.push_str(without_fragment(base));
        path::component(out, "#", reference.fragment().map(Encoded::as_str));
        return Ok(true);
    }
    // 3
    let reference = match inherited(reference, base, options) {
        Some(relative) => relative,
        None if reference.scheme().is_some() => {
            out.push_str(reference.as_str());
            return Ok(false);
        }
        None => reference,
    };
    if base.is_opaque() {
        return Err(ResolveError::BaseIsOpaque);
    }
    let path = reference.path();
    // 4
    if let Some(authority) = reference.authority() {
        path::beginning(out, base.scheme(), Some(authority.as_str()));
        path::verbatim(out, path, true)?;
    } else {
        let authority = base.authority().map(Authority::as_str);
        path::beginning(out, base.scheme(), authority);
        if path.is_absolute() {
            // 5
            path::verbatim(out, path, authority.is_some())?;
        } else {
            // 6
            let above_root = options.above_root.unwrap_or(AboveRoot::Keep);
            let mut writer = Writer::new(out, above_root, false);
            // Taken literally, `http://a` and `g` would give `http://ag`, another host.
            writer.base(base.path(), true)?;
            writer.rest(path.as_str())?;
            writer.finish(authority.is_some())?;
        }
    }
    // 7
    path::component(out, "?", reference.query().map(Encoded::as_str));
    path::component(out, "#", reference.fragment().map(Encoded::as_str));
    Ok(false)
}

/// The reference without its scheme, if that is the base's scheme, the options ask for it, and the
/// scheme is known to be hierarchical (step 3's "loophole").
pub(super) fn inherited<'a>(
    reference: AnyRef<'a>,
    base: AnyRef<'_>,
    options: Options,
) -> Option<AnyRef<'a>> {
    let scheme = reference.scheme()?;
    let is_known = HIERARCHICAL
        .iter()
        .any(|known| known.eq_ignore_ascii_case(scheme));
    let is_same = base.scheme()?.eq_ignore_ascii_case(scheme);
    if options.same_scheme == SameScheme::Strict || !is_known || !is_same {
        return None;
    }
    let rest = reference.as_str().get(scheme.len() + 1..)?;
    // What is not valid without the scheme, such as `x:y`, is absolute.
    let relative = reference.standard().parse(rest).ok()?;
    relative.scheme().is_none().then_some(relative)
}
