//! Which attributes hold references.
//!
//! From RFC 1866 (HTML 2.0), HTML 4.01 (its index of attributes, those of type `%URI;`), the HTML living standard (its index of
//! attributes, and its obsolete ones), SVG 2, and what browsers before had (`lowsrc`, `dynsrc`, `pluginspage`). Names of
//! things that are not meant to be followed are left out: namespaces, RDFa, `code` of applets.

/// What an attribute's value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    /// One reference.
    One,
    /// One, relative to the `codebase` of its element (HTML 4.01, 13.3.1).
    OneOfCode,
    /// References parted by white space.
    Many,
    /// The same, relative to the `codebase`: `archive` of an `object`.
    ManyOfCode,
    /// References parted by commas, relative to the `codebase`: `archive` of an `applet`.
    CommasOfCode,
    /// Images and their sizes.
    Images,
    /// CSS.
    Style,
    /// `content` of a `meta`: of one that refreshes, or whose property is a URL.
    Content,
    /// A whole document.
    Document,
}

/// Names that are of interest in themselves, or tell what another attribute is.
pub(crate) fn is_wanted(name: &str) -> bool {
    matches!(name, "http-equiv" | "valuetype" | "property" | "name") || holds("", name).is_some()
}

/// What an attribute of an element holds; with no element's name, of any element.
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
        "classid" | "data" if of(&["object"]) => Some(Holds::OneOfCode),
        "object" if of(&["applet"]) => Some(Holds::OneOfCode),
        "profile" if of(&["head"]) => Some(Holds::Many),
        "ping" if of(&["a", "area"]) => Some(Holds::Many),
        "itemtype" => Some(Holds::Many),
        "archive" if element == "applet" => Some(Holds::CommasOfCode),
        "archive" if of(&["object"]) => Some(Holds::ManyOfCode),
        "srcset" | "imagesrcset" => Some(Holds::Images),
        "style" | "fill" | "stroke" | "filter" | "mask" | "clip-path" | "cursor"
        | "marker-start" | "marker-mid" | "marker-end" => Some(Holds::Style),
        "content" if of(&["meta"]) => Some(Holds::Content),
        "srcdoc" if of(&["iframe"]) => Some(Holds::Document),
        _ => None,
    }
}

/// Whether the content of a `meta` with this property, or name, is a URL: by the Open Graph protocol, whose type `URL` these have, and
/// by the cards of Twitter.
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

/// Whether an element can stand in a document's head, or is what a head stands in; another one ends it. The last five are of HTML 4.01
/// and before.
pub(crate) fn is_of_head(element: &str) -> bool {
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
