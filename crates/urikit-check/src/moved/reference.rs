//! The reference to a file that has moved, in the style of the old one.

use crate::scheme::scheme_of;
use crate::site::push_path;
use std::path::Path;
use urikit::Uri;

/// Returns the reference to `to`, the new URL of a file, for a document that contains the reference
/// `written` to its old URL, `target`. The new reference is relative if the old one is, and keeps
/// the query, the fragment and a leading `./`. Returns `None` if the old reference has dot segments
/// other than at its beginning.
pub(crate) fn reference(document: &str, written: &str, target: &str, to: &str) -> Option<String> {
    let written = written.trim();
    let end = written.find(['?', '#']).unwrap_or(written.len());
    let (path, rest) = written.split_at_checked(end)?;
    let target = target.split(['?', '#']).next()?;
    // Non-ASCII characters need no escapes, unless the old reference has escapes.
    let to = match Uri::parse(to) {
        Ok(uri) if !path.contains('%') => uri.to_iri().to_string(),
        _ => to.to_owned(),
    };
    let new = if scheme_of(path).is_some() {
        to
    } else if let Some(authority) = path.strip_prefix("//") {
        let scheme = target.strip_suffix(authority)?;
        format!("//{}", to.strip_prefix(scheme)?)
    } else if let Some(inner) = path.strip_prefix('/') {
        format!("/{}", to.strip_prefix(target.strip_suffix(inner)?)?)
    } else {
        relative(path, target, &to, document)?
    };
    Some(new + rest)
}

/// Returns a relative reference.
fn relative(path: &str, target: &str, to: &str, document: &str) -> Option<String> {
    let (has_dot, mut inner) = match path.strip_prefix("./") {
        Some(inner) => (true, inner),
        None => (false, path),
    };
    let mut ups = 0;
    while let Some(rest) = inner.strip_prefix("../") {
        (ups, inner) = (ups + 1, rest);
    }
    if inner
        .split('/')
        .any(|segment| matches!(segment, "." | ".." | ""))
    {
        return None;
    }
    // The folder to which the `..` segments lead.
    let above = target.strip_suffix(inner)?;
    let below = below(document, above, ups);
    let base = below
        .as_ref()
        .map_or_else(|| above.to_owned(), |below| format!("{above}{below}"));
    let mut new = match below {
        Some(_) => String::new(),
        None => "../".repeat(ups),
    };
    let common = base
        .bytes()
        .zip(to.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let common = base.get(..common)?.rfind('/')? + 1;
    // The new URL is on another site, or has another root.
    if base.get(..common)?.matches('/').count() < 3 {
        return None;
    }
    let left = base.get(common..)?.matches('/').count();
    new.push_str(&"../".repeat(left));
    new.push_str(to.get(common..)?);
    let is_bare = !new.starts_with("../");
    let has_colon = new
        .split('/')
        .next()
        .is_some_and(|first| first.contains(':'));
    if is_bare && (has_dot || has_colon) {
        new.insert_str(0, "./");
    }
    Some(new)
}

/// Returns the last `ups` segments of the document's folder, if the folder above them is `above`.
/// The two folders differ if the document has a `<base>` in another folder.
fn below(document: &str, above: &str, ups: usize) -> Option<String> {
    if ups == 0 {
        return Some(String::new());
    }
    let folder = Path::new(document).parent()?;
    let names: Vec<_> = folder.components().collect();
    let first = names.len().checked_sub(ups)?;
    let escaped = |names: &[std::path::Component<'_>]| {
        let mut url = "/".to_owned();
        let is_plain =
            |name: &std::path::Component<'_>| matches!(name, std::path::Component::Normal(_));
        if !names.iter().all(is_plain) {
            return None;
        }
        push_path(&mut url, &names.iter().collect::<std::path::PathBuf>())?;
        url.push('/');
        Some(url)
    };
    let before = first.checked_sub(1).and_then(|before| names.get(before));
    if let Some(before @ std::path::Component::Normal(_)) = before
        && !above.ends_with(&escaped(&[*before])?)
    {
        return None;
    }
    let below = escaped(names.get(first..)?)?;
    Some(below.trim_start_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::reference;

    #[test]
    fn relative_references() {
        let to = "file:///r/guide/new/b.md";
        for (document, written, target, expected) in [
            (
                "docs/a.md",
                "b.md",
                "file:///r/docs/b.md",
                "../guide/new/b.md",
            ),
            ("a.md", "b.md#x", "file:///r/b.md#x", "guide/new/b.md#x"),
            ("a.md", "./b.md", "file:///r/b.md", "./guide/new/b.md"),
            (
                "./guide/a.md",
                "../b.md?y",
                "file:///r/b.md?y",
                "new/b.md?y",
            ),
            (
                "guide/x/a.md",
                "../../b.md",
                "file:///r/b.md",
                "../new/b.md",
            ),
            // The name does not say in which folder the document is.
            ("a.md", "../b.md", "file:///r/b.md", "../guide/new/b.md"),
            // The document has a `<base>` that leads to another folder.
            (
                "/r/guide/x/a.md",
                "../b.md",
                "file:///r/c/b.md",
                "../../guide/new/b.md",
            ),
        ] {
            let found = reference(document, written, target, to);
            assert_eq!(found.as_deref(), Some(expected), "{document} {written}");
        }
        assert_eq!(reference("a.md", "x/../b.md", "file:///r/b.md", to), None);
    }

    #[test]
    fn other_references() {
        let (old, to) = (
            "https://a.example/docs/b.html",
            "https://a.example/docs/c/b.html",
        );
        let written = |written: &str| reference("docs/a.html", written, old, to);
        assert_eq!(
            written("/docs/b.html#x").as_deref(),
            Some("/docs/c/b.html#x")
        );
        assert_eq!(
            written("https://a.example/docs/b.html").as_deref(),
            Some(to)
        );
        let short = "//a.example/docs/b.html";
        assert_eq!(written(short).as_deref(), Some("//a.example/docs/c/b.html"));
        assert_eq!(written("b.html").as_deref(), Some("c/b.html"));
    }

    #[test]
    fn escapes() {
        let to = "file:///r/%C3%A9/a%20b.md";
        let plain = reference("x.md", "b.md", "file:///r/b.md", to);
        assert_eq!(plain.as_deref(), Some("\u{e9}/a%20b.md"));
        let escaped = reference("x.md", "a%20b.md", "file:///r/a%20b.md", to);
        assert_eq!(escaped.as_deref(), Some("%C3%A9/a%20b.md"));
    }
}
