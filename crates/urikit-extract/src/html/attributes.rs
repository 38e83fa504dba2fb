//! Which attributes hold references.
//!
//! The sources are RFC 1866 (HTML 2.0), HTML 4.01 (the attributes of type `%URI;` in its index),
//! the HTML living standard (its index of attributes, and the obsolete ones), SVG 2, and
//! attributes of older browsers (`lowsrc`, `dynsrc`, `pluginspage`). Identifiers that are not
//! meant to be followed are left out: namespaces, RDFa, `code` of applets.

/// What an attribute's value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    /// One reference.
    One,
    /// One reference, relative to the element's `codebase` (HTML 4.01, 13.3.1).
    OneInCodebase,
    /// References separated by white space.
    Many,
    /// The same, relative to the `codebase`: `archive` of an `object`.
    ManyInCodebase,
    /// References separated by commas, relative to the `codebase`: `archive` of an `applet`.
    CommaListInCodebase,
    /// Image candidates with their descriptors (`srcset`).
    Images,
    /// CSS.
    Style,
    /// `content` of a `meta` that is a refresh, or whose property is a URL.
    Content,
    /// A complete document.
    Document,
}

/// The name in lower case of an attribute that may hold references, or decides what another one
/// is.
#[inline]
pub(crate) fn known(name: &[u8]) -> Option<&'static str> {
    let (first, last) = (name.first()? | 0x20, name.last()? | 0x20);
    let found = match (name.len(), first, last) {
        (3, b's', b'c') => "src",
        (3, b'u', b'n') => "urn",
        (3, b'r', b'l') => "rel",
        (4, b'h', b'f') => "href",
        (4, b'c', b'e') => "cite",
        (4, b'i', b'n') => "icon",
        (4, b'd', b'a') => "data",
        (4, b'p', b'g') => "ping",
        (4, b'f', b'l') => "fill",
        (4, b'm', b'k') => "mask",
        (4, b'n', b'e') => "name",
        (4, b't', b'e') => "type",
        (5, b's', b'e') => "style",
        (5, b'v', b'e') => "value",
        (6, b'a', b'n') => "action",
        (6, b'p', b'r') => "poster",
        (6, b'u', b'p') => "usemap",
        (6, b'l', b'c') => "lowsrc",
        (6, b'd', b'c') => "dynsrc",
        (6, b'i', b'd') => "itemid",
        (6, b'o', b't') => "object",
        (6, b's', b't') => "srcset",
        (6, b's', b'e') => "stroke",
        (6, b's', b'c') => "srcdoc",
        (6, b'f', b'r') => "filter",
        (6, b'c', b'r') => "cursor",
        (7, b'c', b't') if name.eq_ignore_ascii_case(b"charset") => "charset",
        (7, b'c', b't') => "content",
        (7, b'c', b'd') => "classid",
        (7, b'p', b'e') => "profile",
        (7, b'a', b'e') => "archive",
        (8, b'l', b'c') => "longdesc",
        (8, b'm', b't') => "manifest",
        (8, b'c', b'e') => "codebase",
        (8, b'i', b'e') => "itemtype",
        (8, b'p', b'y') => "property",
        (9, b'p', b'l') => "pluginurl",
        (9, b'c', b'h') => "clip-path",
        (9, b'v', b'e') => "valuetype",
        (10, b'x', b'f') => "xlink:href",
        (10, b'f', b'n') => "formaction",
        (10, b'b', b'd') => "background",
        (10, b'h', b'v') => "http-equiv",
        (10, b'm', b'd') if name.eq_ignore_ascii_case(b"marker-mid") => "marker-mid",
        (10, b'm', b'd') => "marker-end",
        (11, b'p', b'e') => "pluginspage",
        (11, b'i', b't') => "imagesrcset",
        (12, b'm', b't') => "marker-start",
        _ => return None,
    };
    name.eq_ignore_ascii_case(found.as_bytes()).then_some(found)
}

/// What an attribute of an element holds. An empty `element` matches any element.
pub(crate) fn holds(element: &str, name: &str) -> Option<Holds> {
    let of = |elements: &[&str]| element.is_empty() || elements.contains(&element);
    match name {
        "href" | "xlink:href" | "src" | "cite" | "action" | "formaction" | "background"
        | "longdesc" | "poster" | "usemap" | "lowsrc" | "dynsrc" | "pluginspage" | "pluginurl"
        | "itemid" => Some(Holds::One),
        "urn" if of(&["a", "link"]) => Some(Holds::One),
        "manifest" if of(&["html"]) => Some(Holds::One),
        "icon" if of(&["menuitem", "command"]) => Some(Holds::One),
        "codebase" if of(&["object", "applet"]) => Some(Holds::One),
        "value" if of(&["param"]) => Some(Holds::One),
        "classid" | "data" if of(&["object"]) => Some(Holds::OneInCodebase),
        "object" if of(&["applet"]) => Some(Holds::OneInCodebase),
        "profile" if of(&["head"]) => Some(Holds::Many),
        "ping" if of(&["a", "area"]) => Some(Holds::Many),
        "itemtype" => Some(Holds::Many),
        "archive" if element == "applet" => Some(Holds::CommaListInCodebase),
        "archive" if of(&["object"]) => Some(Holds::ManyInCodebase),
        "srcset" | "imagesrcset" => Some(Holds::Images),
        "style" | "fill" | "stroke" | "filter" | "mask" | "clip-path" | "cursor"
        | "marker-start" | "marker-mid" | "marker-end" => Some(Holds::Style),
        "content" if of(&["meta"]) => Some(Holds::Content),
        "srcdoc" if of(&["iframe"]) => Some(Holds::Document),
        _ => None,
    }
}

/// Whether the content of a `meta` with this property or name is a URL: in the Open Graph protocol
/// (the properties of type `URL`), and in Twitter cards.
pub(crate) fn is_url_property(name: &[u8]) -> bool {
    let Ok(name) = core::str::from_utf8(name) else {
        return false;
    };
    matches!(
        name.trim_ascii().to_ascii_lowercase().as_str(),
        "og:url"
            | "og:image"
            | "og:image:url"
            | "og:image:secure_url"
            | "og:video"
            | "og:video:url"
            | "og:video:secure_url"
            | "og:audio"
            | "og:audio:url"
            | "og:audio:secure_url"
            | "twitter:url"
            | "twitter:image"
            | "twitter:image:src"
            | "twitter:player"
            | "twitter:player:stream"
    )
}

/// Whether an element belongs in the head of a document, or contains the head. Any other element
/// ends the head. The last five are from HTML 4.01 and before.
pub(crate) fn belongs_in_head(element: &str) -> bool {
    matches!(
        element,
        "html"
            | "head"
            | "title"
            | "base"
            | "link"
            | "meta"
            | "script"
            | "style"
            | "noscript"
            | "template"
            | "object"
            | "param"
            | "isindex"
            | "nextid"
            | "bgsound"
    )
}

#[cfg(test)]
mod tests {
    use super::{Holds, holds, known};

    #[test]
    fn names_are_known_in_any_case() {
        let decides = [
            "http-equiv",
            "valuetype",
            "property",
            "name",
            "rel",
            "type",
            "charset",
        ];
        let references = [
            "href",
            "xlink:href",
            "src",
            "cite",
            "action",
            "formaction",
            "background",
            "longdesc",
            "poster",
            "usemap",
            "lowsrc",
            "dynsrc",
            "pluginspage",
            "pluginurl",
            "itemid",
            "urn",
            "manifest",
            "icon",
            "codebase",
            "value",
            "classid",
            "data",
            "object",
            "profile",
            "ping",
            "itemtype",
            "archive",
            "srcset",
            "imagesrcset",
            "style",
            "fill",
            "stroke",
            "filter",
            "mask",
            "clip-path",
            "cursor",
            "marker-start",
            "marker-mid",
            "marker-end",
            "content",
            "srcdoc",
        ];
        for name in references.into_iter().chain(decides) {
            assert_eq!(known(name.as_bytes()), Some(name));
            assert_eq!(known(name.to_ascii_uppercase().as_bytes()), Some(name));
            assert_eq!(
                holds("", name).is_some(),
                !decides.contains(&name),
                "{name}"
            );
            assert_eq!(known([name, "x"].concat().as_bytes()), None);
        }
        assert_eq!(known(b"class"), None);
        assert_eq!(holds("applet", "archive"), Some(Holds::CommaListInCodebase));
    }
}
