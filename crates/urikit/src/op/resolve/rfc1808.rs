//! RFC 1808, section 4; the comments have its step numbers. It treats empty as absent, except for
//! the path.
//!
//! A `net_loc` ends only at a slash, so params or a query directly after it would become part of
//! it. As when a path is merged with an empty one, a slash is inserted.
//!
//! What differs from the later RFCs (for the base `http://a/b/c/d;p?q`): `params` are a component
//! between path and query, so `;x` gives `http://a/b/c/d;x`, and an empty path inherits path,
//! params and query in this order until the reference has one of its own: `?y` gives
//! `http://a/b/c/d;p?y`. An empty reference is the base with its fragment (step 2 a), and an
//! empty params, query or fragment counts as absent. There are no same-document references.

use super::path::{self, Writer};
use super::rfc2396::inherited;
use super::{AboveRoot, Options, ResolveError};
use crate::AnyRef;
use crate::component::{Authority, Encoded};
use alloc::string::String;

/// Section 4.
pub(super) fn resolve(
    reference: AnyRef<'_>,
    base: AnyRef<'_>,
    options: Options,
    out: &mut String,
) -> Result<bool, ResolveError> {
    // 2 a
    if reference.as_str().is_empty() {
        out.push_str(base.as_str());
        return Ok(false);
    }
    // 2 b; the loophole of 5.2's last examples
    let reference = match inherited(reference, base, options) {
        Some(relative) => relative,
        None if reference.scheme().is_some() => {
            out.push_str(reference.as_str());
            return Ok(false);
        }
        None => reference,
    };
    let net_loc = present(reference.authority().map(Authority::as_str));
    let base_net_loc = present(base.authority().map(Authority::as_str));
    let path = reference.path();
    let mut params = present(reference.params().map(Encoded::as_str));
    let mut query = present(reference.query().map(Encoded::as_str));
    // 3
    let authority = net_loc.or(base_net_loc);
    path::beginning(out, base.scheme(), authority);
    if net_loc.is_some() || path.is_absolute() {
        // 3, 4
        path::verbatim(out, path, authority.is_some())?;
    } else if path.is_empty() {
        // 5
        path::verbatim(out, base.path(), authority.is_some())?;
        if params.is_none() {
            params = present(base.params().map(Encoded::as_str));
            query = query.or(present(base.query().map(Encoded::as_str)));
        }
        let follows = params.is_some() || query.is_some();
        if authority.is_some() && base.path().is_empty() && follows {
            out.push('/');
        }
    } else {
        // 6
        let above_root = options.above_root.unwrap_or(AboveRoot::Keep);
        let mut writer = Writer::new(out, above_root, false);
        writer.base(base.path(), authority.is_some())?;
        writer.rest(path.as_str())?;
        writer.finish(authority.is_some())?;
    }
    // 7
    path::component(out, ";", params);
    path::component(out, "?", query);
    path::component(out, "#", present(reference.fragment().map(Encoded::as_str)));
    Ok(false)
}

/// A component that is present and not empty.
pub(super) fn present(component: Option<&str>) -> Option<&str> {
    component.filter(|text| !text.is_empty())
}
