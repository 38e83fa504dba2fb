//! The resolution algorithm of each standard.
//!
//! Every function appends the target to `out` and returns whether the reference is a same-document
//! reference.

use super::path::PathWriter;
use super::{AboveRoot, Options, ResolveError, SameScheme, SlashRule};
use crate::component::{Authority, Encoded, Path};
use crate::{AnyRef, Form, Standard};
use alloc::string::String;

/// RFC 3986, 5.2.2 (`Transform References`) and 5.3 (`Component Recomposition`), which also apply
/// to IRIs (RFC 3987, 6.5).
///
/// The first applicable row of the table determines the authority, path and query of the target.
/// The target gets its scheme from the reference, or from the base if the reference has none.
///
/// | the reference has | authority | path | query |
/// |---|---|---|---|
/// | a scheme or an authority | its own | its own, without dot segments | its own |
/// | an empty path | the base's | the base's, as written | its own, or else the base's |
/// | a path that begins with `/` | the base's | its own, without dot segments | its own |
/// | any other path | the base's | merged, without dot segments | its own |
///
/// The fragment always comes from the reference. Returns whether the target without its fragment
/// equals the base without its fragment, byte for byte, which makes the reference a same-document
/// reference (4.4).
pub(super) fn resolve_rfc3986(
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
        push_beginning(out, own_scheme.or(base.scheme()), authority);
        let mut writer = PathWriter::new(out, above_root, true);
        writer.rest(path)?;
        writer.finish(authority.is_some())?;
        push_component(out, "?", query);
    } else {
        let authority = base.authority().map(Authority::as_str);
        push_beginning(out, base.scheme(), authority);
        if path.is_empty() {
            push_path(out, base.path(), authority.is_some())?;
            push_component(out, "?", query.or(base.query().map(Encoded::as_str)));
        } else {
            let mut writer = PathWriter::new(out, above_root, true);
            if !path.starts_with('/') {
                // `merge` (5.2.3)
                writer.base(base.path(), authority.is_some())?;
            }
            writer.rest(path)?;
            writer.finish(authority.is_some())?;
            push_component(out, "?", query);
        }
    }
    let same_document = out.get(begin..) == Some(without_fragment(base));
    push_component(out, "#", reference.fragment().map(Encoded::as_str));
    Ok(same_document)
}

/// Returns the reference without its fragment.
fn without_fragment(reference: AnyRef<'_>) -> &str {
    let text = reference.as_str();
    let fragment = reference
        .fragment()
        .map_or(0, |fragment| fragment.len() + 1);
    text.get(..text.len() - fragment).unwrap_or(text)
}

/// The schemes "known to always use the `hier_part` syntax" (step 3): those that RFC 1808, 2.3
/// lists as used with relative URLs, and `https`.
const HIERARCHICAL: [&str; 8] = [
    "http", "https", "ftp", "file", "nntp", "gopher", "prospero", "wais",
];

/// RFC 2396, 5.2 and 4.2. The comments give the step numbers of 5.2.
///
/// This algorithm differs from RFC 3986 in three ways (base: `http://a/b/c/d;p?q`):
///
/// | reference | RFC 2396 | RFC 3986 | reason |
/// |---|---|---|---|
/// | `?y` | `http://a/b/c/?y` | `http://a/b/c/d;p?y` | step 6 applies to an empty path too |
/// | `/./g` | `http://a/./g` | `http://a/g` | step 5 does not change an absolute path |
/// | `../../../g` | `http://a/../g` | `http://a/g` | step 6 g allows keeping `..` above the root |
///
/// Returns whether the reference is empty or only a fragment: RFC 2396 calls these same-document
/// references (4.2), whatever the target.
pub(super) fn resolve_rfc2396(
    reference: AnyRef<'_>,
    base: AnyRef<'_>,
    options: Options,
    out: &mut String,
) -> Result<bool, ResolveError> {
    // Step 2: a reference to the current document (4.2).
    if matches!(reference.form(), Form::Empty | Form::FragmentOnly) {
        out.push_str(without_fragment(base));
        push_component(out, "#", reference.fragment().map(Encoded::as_str));
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
        push_beginning(out, base.scheme(), Some(authority.as_str()));
        push_path(out, path, true)?;
    } else {
        let authority = base.authority().map(Authority::as_str);
        push_beginning(out, base.scheme(), authority);
        if path.is_absolute() {
            // 5
            push_path(out, path, authority.is_some())?;
        } else {
            // 6
            let above_root = options.above_root.unwrap_or(AboveRoot::Keep);
            let mut writer = PathWriter::new(out, above_root, false);
            // Taken literally, the RFC would resolve `g` against `http://a` to `http://ag`, which
            // has a different host.
            writer.base(base.path(), true)?;
            writer.rest(path.as_str())?;
            writer.finish(authority.is_some())?;
        }
    }
    // 7
    push_component(out, "?", reference.query().map(Encoded::as_str));
    push_component(out, "#", reference.fragment().map(Encoded::as_str));
    Ok(false)
}

/// Returns the reference without its scheme if the base has the same scheme, the options allow it,
/// and the scheme is known to be hierarchical (step 3's "loophole").
fn inherited<'a>(reference: AnyRef<'a>, base: AnyRef<'_>, options: Options) -> Option<AnyRef<'a>> {
    let scheme = reference.scheme()?;
    let is_known = HIERARCHICAL
        .iter()
        .any(|known| known.eq_ignore_ascii_case(scheme));
    let is_same = base.scheme()?.eq_ignore_ascii_case(scheme);
    if options.same_scheme == SameScheme::Strict || !is_known || !is_same {
        return None;
    }
    let rest = reference.as_str().get(scheme.len() + 1..)?;
    // A remainder that is not valid without the scheme, such as `x:y`, makes the reference
    // absolute.
    let relative = reference.standard().parse(rest).ok()?;
    relative.scheme().is_none().then_some(relative)
}

/// RFC 1808, section 4. The comments give the step numbers of the RFC.
///
/// This algorithm differs from those of the later RFCs as follows (base: `http://a/b/c/d;p?q`):
///
/// - Params are a separate component between the path and the query: `;x` gives `http://a/b/c/d;x`.
/// - If the path is empty, the target inherits path, params and query, in this order, up to the
///   first one that the reference has: `?y` gives `http://a/b/c/d;p?y`.
/// - An empty reference resolves to the base, including the fragment of the base (step 2 a).
/// - Empty params, an empty query and an empty fragment are treated as absent.
/// - RFC 1808 does not define same-document references, so the result is always `false`.
///
/// A `net_loc` ends only at a slash, so params or a query directly after it would become part of
/// the host. The code inserts a slash, as merging with an empty path does.
pub(super) fn resolve_rfc1808(
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
    // 2 b. The last examples of 5.2 show the loophole.
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
    push_beginning(out, base.scheme(), authority);
    if net_loc.is_some() || path.is_absolute() {
        // 3, 4
        push_path(out, path, authority.is_some())?;
    } else if path.is_empty() {
        // 5
        push_path(out, base.path(), authority.is_some())?;
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
        let mut writer = PathWriter::new(out, above_root, false);
        writer.base(base.path(), authority.is_some())?;
        writer.rest(path.as_str())?;
        writer.finish(authority.is_some())?;
    }
    // 7
    push_component(out, ";", params);
    push_component(out, "?", query);
    push_component(out, "#", present(reference.fragment().map(Encoded::as_str)));
    Ok(false)
}

/// Filters out an empty component.
fn present(component: Option<&str>) -> Option<&str> {
    component.filter(|text| !text.is_empty())
}

/// RFC 1630, "Partial (relative) form".
///
/// If a partial form begins with slashes, it is appended to the part of the context before the
/// first run of exactly as many slashes. Any other partial form is appended to the context up to
/// its last slash; then every `xxx/../` and `/.` that consists of complete elements is removed.
///
/// Our reading of the unclear sentences:
///
/// - The examples contradict the wording "which has no greater number of consecutive slashes
///   anywhere to the right of it". We follow the examples by default; [`SlashRule`] can select the
///   wording instead.
/// - The search part and the fragment of the context are removed first. The path of the context
///   follows `//` and the host.
/// - `xxx` is never the host, and never `..`, because the result would then depend on the order of
///   removal. A trailing `/.` is removed completely; a trailing `/..` is kept.
/// - A void partial form, with or without a fragment, refers to the document itself ("A void
///   fragment-id with or without the hash sign means that the URL refers to the whole object").
pub(super) fn resolve_rfc1630(
    partial: AnyRef<'_>,
    context: AnyRef<'_>,
    options: Options,
    out: &mut String,
) -> Result<bool, ResolveError> {
    let begin = out.len();
    let fragment = partial.fragment().map(Encoded::as_str);
    let form = partial.form();
    match form {
        Form::Absolute => out.push_str(partial.as_str()),
        Form::Empty | Form::FragmentOnly => {
            out.push_str(without_fragment(context));
            push_component(out, "#", fragment);
        }
        _ => {
            let context = without_search(context);
            let text = partial.path().as_str();
            let slashes = text.len() - text.trim_start_matches('/').len();
            if slashes > 0 {
                let kept = before_slashes(context, slashes, options.slash_rule)
                    .ok_or(ResolveError::NoSuchSlashes { count: slashes })?;
                out.push_str(kept);
                out.push_str(text);
            } else {
                replace_last(context, text, out)?;
            }
            push_component(out, "?", partial.query().map(Encoded::as_str));
            push_component(out, "#", fragment);
        }
    }
    let target = out.get(begin..).unwrap_or_default();
    Standard::Rfc1630
        .parse(target)
        .map_err(ResolveError::Target)?;
    Ok(matches!(form, Form::Empty | Form::FragmentOnly))
}

/// Returns the context without its search part and fragment.
pub(in crate::op) fn without_search(context: AnyRef<'_>) -> &str {
    let text = without_fragment(context);
    let search = context.query().map_or(0, |search| search.len() + 1);
    text.get(..text.len() - search).unwrap_or(text)
}

/// Returns the context before the run of exactly `count` slashes that the rule selects.
fn before_slashes(context: &str, count: usize, rule: SlashRule) -> Option<&str> {
    // Iterates over the runs of slashes from the right.
    let mut found = None;
    let mut rest = context;
    while let Some(last) = rest.rfind('/') {
        let before = rest.get(..=last)?.trim_end_matches('/');
        let length = last + 1 - before.len();
        if length == count {
            found = Some(before);
        }
        // According to the wording of the RFC, a longer run must not follow the selected one.
        if rule == SlashRule::Text && length > count {
            break;
        }
        rest = before;
    }
    found
}

/// Appends the context up to the part that is replaced, without `xxx/../` and `/.`. Returns the
/// offset in `out` at which the path begins.
fn directory_rfc1630(context: AnyRef<'_>, out: &mut String) -> usize {
    let (before_path, path) = split_host(without_search(context));
    out.push_str(before_path);
    let start = out.len();
    Elements::new(out).directory(path, before_path.ends_with(|last| last != ':'));
    start
}

/// Replaces the text after the last slash of the context with the partial form, and removes
/// `xxx/../` and `/.`.
fn replace_last(context: &str, partial: &str, out: &mut String) -> Result<(), ResolveError> {
    let (before_path, path) = split_host(context);
    out.push_str(before_path);
    let has_host = before_path.ends_with(|last| last != ':');
    let start = out.len();
    let mut writer = Elements::new(out);
    writer.directory(path, has_host);
    let mut rest = partial;
    while let Some((element, after)) = rest.split_once('/') {
        writer.element(element, false);
        rest = after;
    }
    writer.element(rest, true);
    if !has_host && out.get(start..).is_some_and(|path| path.starts_with("//")) {
        return Err(ResolveError::PathLooksLikeAuthority);
    }
    Ok(())
}

/// Splits the context before its path. The path follows `scheme:`, or `//` and a host if they are
/// present.
fn split_host(context: &str) -> (&str, &str) {
    let colon = context.find(':').map_or(0, |colon| colon + 1);
    let path = match context
        .get(colon..)
        .and_then(|rest| rest.strip_prefix("//"))
    {
        Some(rest) => context.len() - rest.len() + rest.find('/').unwrap_or(rest.len()),
        None => colon,
    };
    context.split_at_checked(path).unwrap_or((context, ""))
}

/// Writes the elements of a path, each with its slash, and truncates it where `..` removes an
/// element.
struct Elements<'o> {
    out: &'o mut String,
    /// The offset of the path in `out`.
    start: usize,
    /// The end of the part that is never removed: an empty first element (the slash after a host),
    /// and each `..` that is kept.
    floor: usize,
    is_first: bool,
}

impl<'o> Elements<'o> {
    fn new(out: &'o mut String) -> Self {
        let start = out.len();
        Self {
            out,
            start,
            floor: start,
            is_first: true,
        }
    }

    /// Writes a path up to its last slash. If the path has no slash, writes only the slash that
    /// follows the host, or nothing if `has_host` is false.
    fn directory(&mut self, path: &str, has_host: bool) {
        match path.rsplit_once('/') {
            Some((directory, _)) => directory
                .split('/')
                .for_each(|element| self.element(element, false)),
            None if has_host => self.element("", false),
            None => {}
        }
    }

    fn element(&mut self, element: &str, is_last: bool) {
        let is_first = core::mem::replace(&mut self.is_first, false);
        match element {
            // "/." is removed. A `.` without a slash before it is kept, even if an `xxx/../` was
            // removed together with that slash.
            "." if self.out.len() > self.start => {
                if is_last {
                    self.out.pop();
                }
                return;
            }
            ".." if !is_last && self.out.len() > self.floor => {
                self.out.pop();
                let written = self.out.get(self.floor..).unwrap_or_default();
                let end = written.rfind('/').map_or(0, |slash| slash + 1);
                self.out.truncate(self.floor + end);
                return;
            }
            _ => {}
        }
        self.out.push_str(element);
        if !is_last {
            self.out.push('/');
        }
        if element == ".." || (is_first && element.is_empty()) {
            self.floor = self.out.len();
        }
    }
}

/// Appends the part of a base that precedes a relative path in a target, without dot segments.
/// Returns the offset of the path in `out`, or `None` if paths cannot be relative to this base.
///
/// `http://a/b/./c/../d;p?q` gives `http://a/b/`.
pub(in crate::op) fn directory(base: AnyRef<'_>, out: &mut String) -> Option<usize> {
    let standard = base.standard();
    let own = base.authority().map(Authority::as_str);
    let (authority, above_root, or_slash, slash_for_first) = match standard {
        Standard::Rfc1630 => return Some(directory_rfc1630(base, out)),
        Standard::Rfc1738 => return None,
        Standard::Rfc1808 => {
            let authority = present(own);
            (authority, AboveRoot::Keep, authority.is_some(), false)
        }
        Standard::Rfc2396 | Standard::Rfc2732 if base.is_opaque() => return None,
        Standard::Rfc2396 | Standard::Rfc2732 => (own, AboveRoot::Keep, true, false),
        Standard::Rfc3986 | Standard::Rfc3987 => (own, AboveRoot::Drop, own.is_some(), true),
    };
    push_beginning(out, base.scheme(), authority);
    let start = out.len();
    let mut writer = PathWriter::new(out, above_root, slash_for_first);
    writer.base(base.path(), or_slash).ok()?;
    Some(start)
}

/// Appends `path` unchanged.
fn push_path(out: &mut String, path: Path<'_>, has_authority: bool) -> Result<(), ResolveError> {
    if !has_authority && path.as_str().starts_with("//") {
        return Err(ResolveError::PathLooksLikeAuthority);
    }
    out.push_str(path.as_str());
    Ok(())
}

/// Appends a component, if it is present, and the delimiter before it.
fn push_component(out: &mut String, delimiter: &str, text: Option<&str>) {
    if let Some(text) = text {
        out.push_str(delimiter);
        out.push_str(text);
    }
}

/// Appends `scheme ":"` and `"//" authority`.
fn push_beginning(out: &mut String, scheme: Option<&str>, authority: Option<&str>) {
    if let Some(scheme) = scheme {
        out.push_str(scheme);
        out.push(':');
    }
    push_component(out, "//", authority);
}
