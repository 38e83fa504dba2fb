//! The algorithms of the RFCs, step by step as written, on strings and without regard to cost.
//! CONFORMANCE.md explains how we read unclear sentences.

#![allow(
    clippy::string_slice,
    clippy::indexing_slicing,
    clippy::assigning_clones
)] // the pseudo-code's own shape

use urikit::op::{AboveRoot, Options, SameScheme, SlashRule};
use urikit::{AnyRef, Standard};

/// The components of RFC 3986, 5.2.2: `None` is undefined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Components {
    scheme: Option<String>,
    authority: Option<String>,
    path: String,
    params: Option<String>,
    query: Option<String>,
    fragment: Option<String>,
}

pub(super) fn components(reference: AnyRef<'_>) -> Components {
    Components {
        scheme: reference.scheme().map(str::to_owned),
        authority: reference.authority().map(|a| a.as_str().to_owned()),
        path: reference.path().as_str().to_owned(),
        params: reference.params().map(|p| p.as_str().to_owned()),
        query: reference.query().map(|q| q.as_str().to_owned()),
        fragment: reference.fragment().map(|f| f.as_str().to_owned()),
    }
}

/// RFC 3986, 5.3; RFC 2396, 5.2, step 7. Returns `None` if the path would be parsed as an
/// authority.
fn recompose(t: &Components) -> Option<String> {
    if t.authority.is_none() && t.path.starts_with("//") {
        return None;
    }
    let mut result = String::new();
    if let Some(scheme) = &t.scheme {
        result += scheme;
        result += ":";
    }
    if let Some(authority) = &t.authority {
        result += "//";
        result += authority;
    }
    result += &t.path;
    for (delimiter, part) in [(";", &t.params), ("?", &t.query), ("#", &t.fragment)] {
        if let Some(part) = part {
            result += delimiter;
            result += part;
        }
    }
    Some(result)
}

/// Resolves with the literal algorithm of the standard. Returns `None` for an error. Also returns
/// the intended components, except for RFC 1630, whose algorithm has none.
pub(super) fn resolve(
    base: AnyRef<'_>,
    reference: AnyRef<'_>,
    options: Options,
) -> Option<(String, Option<Components>)> {
    let target = match base.standard() {
        Standard::Rfc1630 => return Some((rfc1630(base, reference, options)?, None)),
        Standard::Rfc1808 => rfc1808(base, reference, options),
        Standard::Rfc2396 | Standard::Rfc2732 => rfc2396(base, reference, options),
        _ => Some(rfc3986(base, reference, options)),
    }?;
    Some((recompose(&target)?, Some(target)))
}

/// RFC 3986, 5.2.2.
fn rfc3986(base: AnyRef<'_>, reference: AnyRef<'_>, options: Options) -> Components {
    let base = components(base);
    let mut r = components(reference);
    let mut t = Components::default();
    let strict = options.same_scheme == SameScheme::Strict;
    let same = |a: &Option<String>, b: &Option<String>| match (a, b) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        _ => false,
    };
    if !strict && same(&r.scheme, &base.scheme) {
        r.scheme = None;
    }
    if r.scheme.is_some() {
        t.scheme = r.scheme;
        t.authority = r.authority;
        t.path = remove_dot_segments(&r.path);
        t.query = r.query;
    } else {
        if r.authority.is_some() {
            t.authority = r.authority;
            t.path = remove_dot_segments(&r.path);
            t.query = r.query;
        } else {
            if r.path.is_empty() {
                t.path = base.path;
                t.query = if r.query.is_some() {
                    r.query
                } else {
                    base.query
                };
            } else {
                if r.path.starts_with('/') {
                    t.path = remove_dot_segments(&r.path);
                } else {
                    // 5.2.3
                    let merged = if base.authority.is_some() && base.path.is_empty() {
                        format!("/{}", r.path)
                    } else {
                        let end = base.path.rfind('/').map_or(0, |slash| slash + 1);
                        format!("{}{}", &base.path[..end], r.path)
                    };
                    t.path = remove_dot_segments(&merged);
                }
                t.query = r.query;
            }
            t.authority = base.authority;
        }
        t.scheme = base.scheme;
    }
    t.fragment = r.fragment;
    t
}

/// RFC 3986, 5.2.4.
fn remove_dot_segments(path: &str) -> String {
    let mut input = path.to_owned();
    let mut output = String::new();
    while !input.is_empty() {
        if input.starts_with("../") {
            input.replace_range(..3, "");
        } else if input.starts_with("./") {
            input.replace_range(..2, "");
        } else if input.starts_with("/./") {
            input.replace_range(..3, "/");
        } else if input == "/." {
            input = "/".to_owned();
        } else if input.starts_with("/../") {
            input.replace_range(..4, "/");
            output.truncate(output.rfind('/').unwrap_or(0));
        } else if input == "/.." {
            input = "/".to_owned();
            output.truncate(output.rfind('/').unwrap_or(0));
        } else if input == "." || input == ".." {
            input.clear();
        } else {
            let from = usize::from(input.starts_with('/'));
            let end = input[from..]
                .find('/')
                .map_or(input.len(), |slash| from + slash);
            output += &input[..end];
            input.replace_range(..end, "");
        }
    }
    output
}

/// RFC 2396, 5.2.
fn rfc2396(base: AnyRef<'_>, reference: AnyRef<'_>, options: Options) -> Option<Components> {
    let base_is_opaque = base.is_opaque();
    let (base, mut r) = (components(base), components(reference));
    // 2
    if r.path.is_empty() && r.scheme.is_none() && r.authority.is_none() && r.query.is_none() {
        return Some(Components {
            fragment: r.fragment,
            ..base
        });
    }
    // 3
    if let Some(remainder) = without_scheme(&base, reference, options) {
        r = remainder;
    }
    if r.scheme.is_some() {
        return Some(r);
    }
    if base_is_opaque {
        return None;
    }
    r.scheme = base.scheme;
    // 4
    if r.authority.is_none() {
        r.authority = base.authority;
        // 5
        if !r.path.starts_with('/') {
            // 6 a, and a slash if the base has no path
            let end = base.path.rfind('/').map_or(0, |slash| slash + 1);
            let mut buffer = if base.path.is_empty() {
                "/".to_owned()
            } else {
                base.path[..end].to_owned()
            };
            // 6 b
            buffer += &r.path;
            r.path = dots(&buffer, options.above_root.unwrap_or(AboveRoot::Keep))?;
        }
    }
    Some(r)
}

/// RFC 2396, 5.2, step 3, the second paragraph: the remainder of the reference, if the scheme
/// "matches that of the base URI and [...] is known to always use the <hier_part> syntax". The last
/// examples of RFC 1808, 5.2 agree. The remainder must itself be a valid reference.
fn without_scheme(
    base: &Components,
    reference: AnyRef<'_>,
    options: Options,
) -> Option<Components> {
    let (scheme, base_scheme) = (reference.scheme()?, base.scheme.as_deref()?);
    // CONFORMANCE.md, RFC 2396, 7.
    let always_hierarchical = matches!(
        scheme.to_ascii_lowercase().as_str(),
        "http" | "https" | "ftp" | "file" | "nntp" | "gopher" | "prospero" | "wais"
    );
    let matches = scheme.eq_ignore_ascii_case(base_scheme);
    if options.same_scheme != SameScheme::Inherit || !matches || !always_hierarchical {
        return None;
    }
    let (_, remainder) = reference.as_str().split_once(':').unwrap();
    let remainder = reference.standard().parse(remainder).ok()?;
    remainder.scheme().is_none().then(|| components(remainder))
}

/// RFC 2396, 5.2, steps 6 c to 6 g; RFC 1808, 4, steps 6 a to 6 d. `buffer` does not include the
/// first slash.
fn dots(buffer: &str, above_root: AboveRoot) -> Option<String> {
    let (root, path) = match buffer.strip_prefix('/') {
        Some(path) => ("/", path),
        None => ("", buffer),
    };
    let mut segments: Vec<&str> = path.split('/').collect();
    // c: all "./"
    let last = segments.pop().unwrap();
    segments.retain(|segment| *segment != ".");
    segments.push(last);
    // d: a "." at the end
    if segments.last() == Some(&".") {
        *segments.last_mut().unwrap() = "";
    }
    // e: "<segment>/../", leftmost first
    while let Some(at) = segments
        .windows(2)
        .position(|pair| pair[0] != ".." && pair[1] == "..")
        .filter(|at| at + 2 < segments.len())
    {
        segments.drain(at..at + 2);
    }
    // f: "<segment>/.." at the end
    if let [.., segment, ".."] = segments[..]
        && segment != ".."
    {
        let length = segments.len();
        segments.truncate(length - 2);
        segments.push("");
    }
    // g
    if segments.first() == Some(&"..") {
        match above_root {
            AboveRoot::Keep => {}
            AboveRoot::Refuse => return None,
            AboveRoot::Drop => {
                while segments.first() == Some(&"..") {
                    segments.remove(0);
                }
            }
        }
    }
    Some(format!("{root}{}", segments.join("/")))
}

/// RFC 1808, section 4.
fn rfc1808(base: AnyRef<'_>, reference: AnyRef<'_>, options: Options) -> Option<Components> {
    // 2 a
    if reference.as_str().is_empty() {
        return Some(components(base));
    }
    let (base, mut embedded) = (components(base), components(reference));
    // 2 b
    if let Some(remainder) = without_scheme(&base, reference, options) {
        embedded = remainder;
    }
    if embedded.scheme.is_some() {
        return Some(embedded);
    }
    let non_empty = |part: Option<String>| part.filter(|part| !part.is_empty());
    let present = |all: Components| Components {
        authority: non_empty(all.authority),
        params: non_empty(all.params),
        query: non_empty(all.query),
        fragment: non_empty(all.fragment),
        ..all
    };
    let (base, mut embedded) = (present(base), present(embedded));
    // 2 c
    embedded.scheme = base.scheme;
    // 3
    if embedded.authority.is_some() {
        return Some(embedded);
    }
    embedded.authority = base.authority;
    // 4
    if embedded.path.starts_with('/') {
        return Some(embedded);
    }
    // 5
    if embedded.path.is_empty() {
        embedded.path = base.path;
        if embedded.params.is_none() {
            embedded.params = base.params;
            if embedded.query.is_none() {
                embedded.query = base.query;
            }
        }
        // A net_loc ends only at a slash.
        let follows = embedded.params.is_some() || embedded.query.is_some();
        if embedded.authority.is_some() && embedded.path.is_empty() && follows {
            embedded.path += "/";
        }
        return Some(embedded);
    }
    // 6
    let end = base.path.rfind('/').map_or(0, |slash| slash + 1);
    let mut path = base.path[..end].to_owned();
    if base.path.is_empty() && embedded.authority.is_some() {
        path += "/";
    }
    path += &embedded.path;
    embedded.path = dots(&path, options.above_root.unwrap_or(AboveRoot::Keep))?;
    Some(embedded)
}

// RFC 1630, Partial (relative) form, rule by rule, on the text and its elements.

/// Returns the full form, or `None` for an error.
fn rfc1630(context: AnyRef<'_>, partial: AnyRef<'_>, options: Options) -> Option<String> {
    let full = expand(context, partial.as_str(), options.slash_rule)?;
    // The production of the context's scheme may reject the path.
    Standard::Rfc1630.parse(&full).ok()?;
    Some(full)
}

fn expand(context: AnyRef<'_>, partial: &str, rule: SlashRule) -> Option<String> {
    // "the latter must have a colon and that colon must occur before any slash characters"
    if let Some(colon) = partial.find(':')
        && !partial[..colon].contains('/')
    {
        return Some(partial.to_owned());
    }
    let fragment_at = partial.find('#').unwrap_or(partial.len());
    let (partial, fragment) = partial.split_at(fragment_at);
    let search_at = partial.find('?').unwrap_or(partial.len());
    let (partial, search) = partial.split_at(search_at);

    let whole = context.as_str();
    let after = |part: Option<usize>| part.map_or(0, |length| length + 1);
    let context_fragment = after(context.fragment().map(|f| f.as_str().len()));
    let object = &whole[..whole.len() - context_fragment];
    if partial.is_empty() && search.is_empty() {
        // "the URL refers to the whole object"
        return Some(format!("{object}{fragment}"));
    }
    let context_search = after(context.query().map(|q| q.as_str().len()));
    let object = &object[..object.len() - context_search];

    let slashes = partial.chars().take_while(|c| *c == '/').count();
    let expanded = if slashes > 0 {
        format!("{}{partial}", &object[..first_run(object, slashes, rule)?])
    } else {
        let (before, path) = object.split_at(path_of(object));
        let has_host = before.contains("//");
        let kept = match path.rfind('/') {
            Some(slash) => &path[..=slash],
            None if has_host => "/",
            None => "",
        };
        let path = without_dots(&format!("{kept}{partial}"));
        if !has_host && path.starts_with("//") {
            return None; // would be parsed as a host
        }
        format!("{before}{path}")
    };
    Some(format!("{expanded}{search}{fragment}"))
}

/// The start of "the first occurrence of exactly the same number of consecutive slashes". According
/// to the RFC's wording, it also "has no greater number of consecutive slashes anywhere to the
/// right".
fn first_run(context: &str, slashes: usize, rule: SlashRule) -> Option<usize> {
    let run_at = |at: usize| context[at..].chars().take_while(|c| *c == '/').count();
    let runs: Vec<(usize, usize)> = (0..context.len())
        .filter(|at| !context[..*at].ends_with('/'))
        .map(|at| (at, run_at(at)))
        .filter(|(_, length)| *length > 0)
        .collect();
    let is_it = |number: usize| {
        let greater_to_the_right = runs[number + 1..].iter().any(|run| run.1 > slashes);
        runs[number].1 == slashes && !(rule == SlashRule::Text && greater_to_the_right)
    };
    let first = (0..runs.len()).find(|number| is_it(*number))?;
    Some(runs[first].0)
}

/// The start of the path: after the scheme, and after the host if two slashes follow.
fn path_of(context: &str) -> usize {
    let scheme = context.find(':').unwrap() + 1;
    if !context[scheme..].starts_with("//") {
        return scheme;
    }
    let host = scheme + 2;
    context[host..]
        .find('/')
        .map_or(context.len(), |slash| host + slash)
}

/// "All occurrences of `xxx/../` or `/.` are recursively removed": each time, the one that ends
/// first. `xxx` is not `..`. The first slash of a path follows no element.
fn without_dots(path: &str) -> String {
    let mut elements: Vec<&str> = path.split('/').collect();
    let first = usize::from(path.starts_with('/'));
    loop {
        let is_dot = |at: usize| at > 0 && elements[at] == ".";
        let is_pair = |at: usize| {
            let (has_xxx, has_slash) = (at > first, at + 1 < elements.len());
            has_xxx && has_slash && elements[at] == ".." && elements[at - 1] != ".."
        };
        let Some(at) = (0..elements.len()).find(|at| is_dot(*at) || is_pair(*at)) else {
            return elements.join("/");
        };
        let begin = if is_dot(at) { at } else { at - 1 };
        elements.drain(begin..=at);
    }
}

#[test]
fn remove_dot_segments_of_all_short_paths() {
    let mut paths = vec![String::new()];
    for _ in 0..8 {
        paths = paths
            .iter()
            .flat_map(|path| ["a", ".", "/"].map(|c| format!("{path}{c}")))
            .collect();
        for path in &paths {
            let removed = urikit::op::remove_dot_segments(path);
            assert_eq!(removed, remove_dot_segments(path), "{path}");
        }
    }
}
