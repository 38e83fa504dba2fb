//! Where a document is in SVG or MathML (HTML living standard, 13.2.6 and 13.2.6.5).
//!
//! In foreign content there are CDATA sections, and `<style>` or `<title>` are elements like any
//! other. Only the foreign elements that decide this are kept, not the tree: an end tag of HTML
//! that closes an element around `<svg>` is recognized by its name.

use super::tag::{ContentModel, Tag};

/// How many levels are kept. Further ones are counted only.
const MAX_LEVELS: usize = 256;

/// Whose rules apply to the next tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Svg,
    MathMl,
    /// HTML within SVG or MathML, in the element with this name, and whether an element of HTML has
    /// begun in it.
    Html(&'static str, bool),
}

/// The foreign elements that are open.
#[derive(Clone, Default, Debug)]
pub(super) struct Foreign {
    levels: Vec<Level>,
    /// How many more there are.
    others: usize,
}

impl Foreign {
    /// Whether the next tag is in foreign content.
    #[inline]
    pub(super) fn is_inside(&self) -> bool {
        match self.levels.last() {
            None | Some(Level::Html(..)) => false,
            Some(Level::Svg | Level::MathMl) => true,
        }
    }

    /// Whether there are CDATA sections: not in elements of HTML.
    pub(super) fn has_cdata(&self) -> bool {
        !matches!(self.levels.last(), None | Some(Level::Html(_, true)))
    }

    /// A start tag in HTML.
    #[inline]
    pub(super) fn start_html(&mut self) {
        if let Some(Level::Html(_, has_elements)) = self.levels.last_mut() {
            *has_elements = true;
        }
    }

    /// Attributes that decide whether a tag ends foreign content, or has HTML in it.
    pub(super) fn wants(name: &[u8]) -> bool {
        ["color", "face", "size", "encoding"]
            .iter()
            .any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
    }

    /// Enters the root of foreign content, where HTML is read.
    pub(super) fn enter(&mut self, model: ContentModel, is_self_closing: bool) {
        match model {
            _ if is_self_closing => {}
            ContentModel::Svg => self.push(Level::Svg),
            ContentModel::MathMl => self.push(Level::MathMl),
            _ => {}
        }
    }

    /// A start tag in foreign content. Returns whether its element is foreign too.
    pub(super) fn start(&mut self, tag: Tag<'_>, is_self_closing: bool) -> bool {
        let is = |name: &str| tag.name.eq_ignore_ascii_case(name.as_bytes());
        let has = |name| tag.attribute(name).is_some();
        if ends_foreign_content(tag.name)
            || is("font") && (has("color") || has("face") || has("size"))
        {
            self.leave_all();
            return false;
        }
        if is_self_closing {
            return true;
        }
        let inside: &[&'static str] = match self.levels.last() {
            Some(Level::Svg) if is("svg") => {
                self.push(Level::Svg);
                return true;
            }
            Some(Level::Svg) => &["foreignobject", "desc", "title"],
            Some(Level::MathMl) if is("math") => {
                self.push(Level::MathMl);
                return true;
            }
            Some(Level::MathMl) if is("annotation-xml") => {
                let encoding = tag.attribute("encoding");
                let is_html = encoding.is_some_and(|encoding| {
                    encoding.value.eq_ignore_ascii_case(b"text/html")
                        || encoding
                            .value
                            .eq_ignore_ascii_case(b"application/xhtml+xml")
                });
                if is_html {
                    self.push(Level::Html("annotation-xml", false));
                }
                return true;
            }
            Some(Level::MathMl) => &["mi", "mo", "mn", "ms", "mtext"],
            _ => &[],
        };
        if let Some(name) = inside.iter().find(|name| is(name)) {
            self.push(Level::Html(name, false));
        }
        true
    }

    /// An end tag.
    #[inline]
    pub(super) fn end(&mut self, name: &[u8]) {
        if !self.levels.is_empty() {
            self.end_inside(name);
        }
    }

    fn end_inside(&mut self, name: &[u8]) {
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        let ends = match self.levels.last() {
            None => return,
            Some(Level::Svg) => is("svg"),
            Some(Level::MathMl) => is("math"),
            Some(Level::Html(element, _)) => {
                if is(element) {
                    self.pop();
                }
                return;
            }
        };
        if ends {
            self.pop();
        } else if ends_foreign_content(name) || is("html") || is("td") || is("th") || is("tr") {
            self.leave_all();
        }
    }

    fn push(&mut self, level: Level) {
        if self.levels.len() < MAX_LEVELS {
            self.levels.push(level);
        } else {
            self.others += 1;
        }
    }

    fn pop(&mut self) {
        match self.others.checked_sub(1) {
            Some(others) => self.others = others,
            None => {
                self.levels.pop();
            }
        }
    }

    /// Leaves foreign content, up to HTML that is within it.
    fn leave_all(&mut self) {
        self.others = 0;
        while self.is_inside() {
            self.levels.pop();
        }
    }
}

/// Whether a start tag with this name ends foreign content (HTML living standard, 13.2.6.5). One
/// of `font` does if it has `color`, `face` or `size`.
fn ends_foreign_content(name: &[u8]) -> bool {
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
