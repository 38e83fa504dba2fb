//! RFC 3986, 5.2.2 to 5.3, and the same for IRIs.
//!
//! The first row that applies decides; the scheme is the reference's own, or the base's.
//!
//! | the reference has | authority | path | query |
//! |---|---|---|---|
//! | a scheme, or an authority | its own | its own, without dot segments | its own |
//! | an empty path | the base's | the base's, as written | its own, or the base's if absent |
//! | a path that begins with `/` | the base's | its own, without dot segments | its own |
//! | any other path | the base's | merged, without dot segments | its own |
//!
//! The fragment is always the reference's own. It is a same-document reference if the target
//! without its fragment is the base without its fragment, byte for byte (4.4).

use super::path::{self, Writer};
use super::{AboveRoot, Options, ResolveError, SameScheme};
use crate::AnyRef;
use crate::component::{Authority, Encoded};
use alloc::string::String;

/// `Transform References` (5.2.2) and `Component Recomposition` (5.3).
pub(super) fn resolve(
    reference: AnyRef<'_>,
    base: AnyRef<'_>,
    options: Options,
    out: &mut String,
) -> Result<bool, ResolveError> {
    let above_root = options.above_root.unwrap_or(AboveRoot::Drop);
    let begin = out.len();
    let inherits = options.same_scheme == SameScheme::Inherit
        && matches!((reference.scheme(), base.scheme()), (Some(a), Some(b)) if a.eq_ignore_ascii_case(b));
    let own_scheme = reference.scheme().filter(|_| !inherits);
    let path = reference.path().as_str();
    let query = reference.query().map(Encoded::as_str);

    if own_scheme.is_some() || reference.authority().is_some() {
        let authority = reference.authority().map(Authority::as_str);
        path::beginning(out, own_scheme.or(base.scheme()), authority);
        let mut writer = Writer::new(out, above_root, true);
        writer.rest(path)?;
        writer.finish(authority.is_some())?;
        path::component(out, "?", query);
    } else {
        let authority = base.authority().map(Authority::as_str);
        path::beginning(out, base.scheme(), authority);
        if path.is_empty() {
            path::verbatim(out, base.path(), authority.is_some())?;
            path::component(out, "?", query.or(base.query().map(Encoded::as_str)));
        } else {
            let mut writer = Writer::new(out, above_root, true);
            if !path.starts_with('/') {
                // `merge` (5.2.3)
                writer.base(base.path(), authority.is_some())?;
            }
            writer.rest(path)?;
            writer.finish(authority.is_some())?;
            path::component(out, "?", query);
        }
    }
    let same_document = out.get(begin..) == Some(without_fragment(base));
    path::component(out, "#", reference.fragment().map(Encoded::as_str));
    Ok(same_document)
}

/// The reference up to its fragment.
pub(super) fn without_fragment(reference: AnyRef<'_>) -> &str {
    let text = reference.as_str();
    let fragment = reference
        .fragment()
        .map_or(0, |fragment| fragment.len() + 1);
    text.get(..text.len() - fragment).unwrap_or(text)
}
