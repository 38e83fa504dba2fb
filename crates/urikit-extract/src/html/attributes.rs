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

/// Attributes that may hold references, or decide what another attribute is.
pub(crate) fn is_wanted(name: &str) -> bool {
    matches!(
        name,
        "http-equiv" | "valuetype" | "property" | "name" | "rel" | "type"
    ) || holds("", name).is_some()
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
