//! Tracks SVG and MathML in a document (HTML living standard, 13.2.6 and 13.2.6.5).
//!
//! Foreign content has CDATA sections, and its `<style>` and `<title>` are ordinary elements. The
//! tokenizer tracks only the foreign elements that matter for these rules, and does not build a
//! tree. The tokenizer recognizes the end tags of HTML elements around `<svg>` by their names.

use super::tag::{ContentModel, Tag};

/// The maximum number of levels to track. Deeper levels are only counted.
const MAX_LEVELS: usize = 256;

/// The rules that apply to the next tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Svg,
    MathMl,
    /// HTML in a foreign element with this name. The flag is true if an HTML element has begun
    /// within the foreign element.
    Html(&'static str, bool),
}

/// The open foreign elements.
#[derive(Clone, Default, Debug)]
pub(super) struct Foreign {
    levels: Vec<Level>,
    /// The number of open elements beyond the limit.
    others: usize,
}

impl Foreign {
    /// Returns true if the next tag is in foreign content.
    #[inline]
    pub(super) fn is_inside(&self) -> bool {
        match self.levels.last() {
            None | Some(Level::Html(..)) => false,
            Some(Level::Svg | Level::MathMl) => true,
        }
    }

    /// Returns true if CDATA sections are recognized. HTML elements have no CDATA sections.
    pub(super) fn has_cdata(&self) -> bool {
        !matches!(self.levels.last(), None | Some(Level::Html(_, true)))
    }

    /// Handles a start tag in HTML.
    #[inline]
    pub(super) fn start_html(&mut self) {
        if let Some(Level::Html(_, has_elements)) = self.levels.last_mut() {
            *has_elements = true;
        }
    }

    /// Returns true if an attribute affects whether a tag ends foreign content or contains HTML.
    pub(super) fn wants(name: &[u8]) -> bool {
        ["color", "face", "size", "encoding"]
            .iter()
            .any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
    }

    /// Enters foreign content at a root element (`svg` or `math`), which is in HTML.
    pub(super) fn enter(&mut self, model: ContentModel, is_self_closing: bool) {
        match model {
            _ if is_self_closing => {}
            ContentModel::Svg => self.push(Level::Svg),
            ContentModel::MathMl => self.push(Level::MathMl),
            _ => {}
        }
    }

    /// Handles a start tag in foreign content. Returns whether the new element is foreign too.
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

    /// Handles an end tag.
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

    /// Leaves foreign content, up to the innermost HTML element around it.
    fn leave_all(&mut self) {
        self.others = 0;
        while self.is_inside() {
            self.levels.pop();
        }
    }
}

/// Returns true if a start tag with this name ends foreign content (HTML living standard,
/// 13.2.6.5). A `font` tag also ends foreign content, but only with a `color`, `face` or `size`
/// attribute.
fn ends_foreign_content(name: &[u8]) -> bool {
    let mut lower = [0; 10]; // no name in the list is longer
    let Some(lower) = lower.get_mut(..name.len()) else {
        return false;
    };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    matches!(
        &*lower,
        b"b" | b"big"
            | b"blockquote"
            | b"body"
            | b"br"
            | b"center"
            | b"code"
            | b"dd"
            | b"div"
            | b"dl"
            | b"dt"
            | b"em"
            | b"embed"
            | b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"head"
            | b"hr"
            | b"i"
            | b"img"
            | b"li"
            | b"listing"
            | b"menu"
            | b"meta"
            | b"nobr"
            | b"ol"
            | b"p"
            | b"pre"
            | b"ruby"
            | b"s"
            | b"small"
            | b"span"
            | b"strong"
            | b"strike"
            | b"sub"
            | b"sup"
            | b"table"
            | b"tt"
            | b"u"
            | b"ul"
            | b"var"
    )
}
