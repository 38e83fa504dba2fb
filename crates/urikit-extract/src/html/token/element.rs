//! Elements that decide how what follows them is read.

/// How the content of an element is read (HTML living standard, 13.2.6, in which scripts are
/// enabled).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Model {
    /// Tags and character references.
    Data,
    /// Character references, and no tags.
    Rcdata,
    /// Neither.
    RawText,
    Script,
    /// Neither, up to the end of the document.
    Plaintext,
    /// The root of foreign content: SVG and MathML.
    Svg,
    MathMl,
}

/// The model of an element in HTML, and its name in lower case if it is not [`Model::Data`].
#[inline]
pub(crate) fn model(name: &[u8]) -> (Model, &'static str) {
    let Some(first) = name.first() else {
        return (Model::Data, "");
    };
    let (model, expected) = match (name.len(), first | 0x20) {
        (3, b'x') => (Model::RawText, "xmp"),
        (3, b's') => (Model::Svg, "svg"),
        (4, b'm') => (Model::MathMl, "math"),
        (5, b't') => (Model::Rcdata, "title"),
        (5, b's') => (Model::RawText, "style"),
        (6, b's') => (Model::Script, "script"),
        (6, b'i') => (Model::RawText, "iframe"),
        (7, b'n') => (Model::RawText, "noembed"),
        (8, b't') => (Model::Rcdata, "textarea"),
        (8, b'n') if name.eq_ignore_ascii_case(b"noframes") => (Model::RawText, "noframes"),
        (8, b'n') => (Model::RawText, "noscript"),
        (9, b'p') => (Model::Plaintext, "plaintext"),
        _ => return (Model::Data, ""),
    };
    if name.eq_ignore_ascii_case(expected.as_bytes()) {
        (model, expected)
    } else {
        (Model::Data, "")
    }
}

/// Whether a start tag with this name ends foreign content (HTML living standard, 13.2.6.5). One
/// of `font` does if it has `color`, `face` or `size`.
pub(crate) fn ends_foreign_content(name: &[u8]) -> bool {
    const NAMES: [&str; 44] = [
        "b",
        "big",
        "blockquote",
        "body",
        "br",
        "center",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "embed",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "hr",
        "i",
        "img",
        "li",
        "listing",
        "menu",
        "meta",
        "nobr",
        "ol",
        "p",
        "pre",
        "ruby",
        "s",
        "small",
        "span",
        "strong",
        "strike",
        "sub",
        "sup",
        "table",
        "tt",
        "u",
        "ul",
        "var",
    ];
    NAMES
        .iter()
        .any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}
