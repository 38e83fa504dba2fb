//! The place of a reference in the markup, and its line and column.

use core::fmt;
use memchr::{memchr_iter, memrchr};
use std::borrow::Cow;
use std::sync::Arc;

/// The maximum length of a name or value in a place, in bytes. Stored references may keep copies
/// of these strings, so longer strings are omitted to save memory.
const MAX: usize = 256;

/// The place of a reference in the markup of a document: the element and attribute, the syntax,
/// the header field, the entry of a container, or the paragraph, cell or slide of an office
/// document. Only the applicable parts are set. For a link in plain text, the place is empty.
///
/// ```
/// use urikit_extract::document::{Extractor, Format, Syntax};
///
/// let page = br#"<a rel="nofollow ugc" href="http://a.example/"> http://b.example/"#;
/// let mut found = Vec::new();
/// Extractor::new().extract(Format::Html, page, &mut |reference| {
///     let place = reference.place();
///     let owned = |text: Option<&str>| text.map(str::to_owned);
///     found.push((owned(place.element()), owned(place.attribute()), place.has_rel("NoFollow")));
/// })?;
/// assert_eq!(found[0], (Some("a".to_owned()), Some("href".to_owned()), true));
/// assert_eq!(found[1], (None, None, false));
///
/// Extractor::new().extract(Format::Markdown, b"![x](y)", &mut |reference| {
///     assert_eq!(reference.place().syntax(), Some(Syntax::Image));
/// })?;
/// # Ok::<(), urikit_extract::document::TooLong>(())
/// ```
#[derive(Clone, Default)]
pub struct Place<'a>(Holder<'a>);

/// A reference is moved several times, so it contains only a pointer to its place.
#[derive(Clone, Default)]
enum Holder<'a> {
    #[default]
    None,
    Borrowed(&'a PlaceParts<'a>),
    Owned(Box<PlaceParts<'a>>),
}

/// The parts of a [`Place`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlaceParts<'a> {
    element: Option<Cow<'a, str>>,
    attribute: Option<Cow<'a, str>>,
    rel: Option<Cow<'a, str>>,
    media_type: Option<Cow<'a, str>>,
    syntax: Option<Syntax>,
    field: Option<Cow<'a, str>>,
    entry: Option<Cow<'a, str>>,
    location: Option<Arc<Location>>,
}

impl<'a> PlaceParts<'a> {
    const NONE: Self = Self {
        element: None,
        attribute: None,
        rel: None,
        media_type: None,
        syntax: None,
        field: None,
        entry: None,
        location: None,
    };

    /// Creates the parts of a place in an element, with its `rel` and `type`.
    pub(crate) fn of_element(
        name: &'a str,
        rel: Option<Cow<'a, str>>,
        media_type: Option<Cow<'a, str>>,
    ) -> Self {
        Self {
            element: short(Cow::Borrowed(name)),
            rel: rel.and_then(short),
            media_type: media_type.and_then(short),
            ..Self::NONE
        }
    }

    /// Creates the parts of a place in a header field.
    pub(crate) fn of_field(name: Cow<'a, str>) -> Self {
        Self {
            field: short(name),
            ..Self::NONE
        }
    }

    /// Changes the attribute.
    pub(crate) fn set_attribute(&mut self, name: &'a str) {
        self.attribute = short(Cow::Borrowed(name));
    }

    fn into_owned(self) -> PlaceParts<'static> {
        let owned = |text: Option<Cow<'a, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        PlaceParts {
            element: owned(self.element),
            attribute: owned(self.attribute),
            rel: owned(self.rel),
            media_type: owned(self.media_type),
            syntax: self.syntax,
            field: owned(self.field),
            entry: owned(self.entry),
            location: self.location,
        }
    }
}

impl<'a> From<&'a PlaceParts<'a>> for Place<'a> {
    fn from(parts: &'a PlaceParts<'a>) -> Self {
        Self(Holder::Borrowed(parts))
    }
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Place<'_> {}

impl fmt::Debug for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Place").field(self.parts()).finish()
    }
}

impl<'a> Place<'a> {
    /// Creates a place in an element.
    pub(crate) fn element_named(name: impl Into<Cow<'a, str>>) -> Self {
        Self::default().with(|parts| parts.element = short(name.into()))
    }

    /// Creates a place that contains only a syntax.
    pub(crate) fn in_syntax(syntax: Syntax) -> Self {
        Self::default().with_syntax(syntax)
    }

    /// Creates a place in a header field.
    pub(crate) fn in_field(name: impl Into<Cow<'a, str>>) -> Self {
        Self(Holder::Owned(Box::new(PlaceParts::of_field(name.into()))))
    }

    /// Sets the attribute.
    pub(crate) fn with_attribute(self, name: impl Into<Cow<'a, str>>) -> Self {
        self.with(|parts| parts.attribute = short(name.into()))
    }

    /// Sets the `rel` of the element.
    pub(crate) fn with_rel(self, value: Option<Cow<'a, str>>) -> Self {
        self.with(|parts| parts.rel = value.and_then(short))
    }

    /// Sets the `type` of the element.
    pub(crate) fn with_type(self, value: Option<Cow<'a, str>>) -> Self {
        self.with(|parts| parts.media_type = value.and_then(short))
    }

    /// Sets the syntax.
    pub(crate) fn with_syntax(self, syntax: Syntax) -> Self {
        self.with(|parts| parts.syntax = Some(syntax))
    }

    /// Sets the entry of a container.
    pub(crate) fn with_entry(self, path: impl Into<Cow<'a, str>>) -> Self {
        self.with(|parts| parts.entry = Some(path.into()))
    }

    /// Sets the location in an office document.
    #[cfg(all(feature = "zip", feature = "xml"))]
    pub(crate) fn with_location(self, location: Arc<Location>) -> Self {
        let location = Some(location).filter(|location| **location != Location::default());
        self.with(|parts| parts.location = location)
    }

    /// Changes the parts.
    fn with(self, change: impl FnOnce(&mut PlaceParts<'a>)) -> Self {
        let mut parts = match self.0 {
            Holder::None => Box::new(PlaceParts::NONE),
            Holder::Borrowed(parts) => Box::new(parts.clone()),
            Holder::Owned(parts) => parts,
        };
        change(&mut parts);
        Self(Holder::Owned(parts))
    }

    pub(crate) fn into_owned(self) -> Place<'static> {
        Place(match self.0 {
            Holder::None => Holder::None,
            Holder::Borrowed(parts) => Holder::Owned(Box::new(parts.clone().into_owned())),
            Holder::Owned(parts) => Holder::Owned(Box::new(parts.into_owned())),
        })
    }

    pub(crate) fn borrowed(&self) -> Place<'_> {
        self.parts().into()
    }

    fn parts(&self) -> &PlaceParts<'a> {
        static NONE: PlaceParts<'static> = PlaceParts::NONE;
        match &self.0 {
            Holder::None => &NONE,
            Holder::Borrowed(parts) => parts,
            Holder::Owned(parts) => parts,
        }
    }

    /// Returns the element in lower case, such as `a` or `img`, or `style` for a URL in a style
    /// sheet. Returns `None` in text, and for a name of more than 256 bytes.
    pub fn element(&self) -> Option<&str> {
        self.parts().element.as_deref()
    }

    /// Returns the attribute in lower case, such as `href` or `srcset`. Returns `None` in the text
    /// of an element, and for a name of more than 256 bytes.
    pub fn attribute(&self) -> Option<&str> {
        self.parts().attribute.as_deref()
    }

    /// Returns the `rel` attribute of the element with its character references decoded, or `None`
    /// if the attribute is longer than 256 bytes.
    pub fn rel(&self) -> Option<&str> {
        self.parts().rel.as_deref()
    }

    /// Returns true if `rel` has this keyword (HTML living standard, 4.6.7), ignoring case.
    pub fn has_rel(&self, keyword: &str) -> bool {
        let keywords = self.rel().unwrap_or_default().split_ascii_whitespace();
        { keywords }.any(|one| one.eq_ignore_ascii_case(keyword))
    }

    /// Returns the `type` attribute of the element with its character references decoded, or `None`
    /// if the attribute is longer than 256 bytes.
    pub fn media_type(&self) -> Option<&str> {
        self.parts().media_type.as_deref()
    }

    /// Returns the syntax of Markdown or another lightweight markup language, or the kind of text
    /// in HTML.
    pub fn syntax(&self) -> Option<Syntax> {
        self.parts().syntax
    }

    /// Returns the header field of a message, such as `List-Unsubscribe`, in the letter case used
    /// in the message.
    pub fn field(&self) -> Option<&str> {
        self.parts().field.as_deref()
    }

    /// Returns the path of the entry in its container: `a.zip!/b.html`.
    pub fn entry(&self) -> Option<&str> {
        self.parts().entry.as_deref()
    }

    /// Returns the number of the paragraph in a part of an office document, such as its text, a
    /// header or a slide. Paragraphs are numbered from 1, including those in tables and notes.
    pub fn paragraph(&self) -> Option<u32> {
        self.parts().location.as_ref()?.paragraph
    }

    /// Returns the name of the sheet in a spreadsheet, or `None` if the name has more than 256
    /// bytes.
    pub fn sheet(&self) -> Option<&str> {
        self.parts().location.as_ref()?.sheet.as_deref()
    }

    /// Returns the cell of a spreadsheet, such as `B7`, or the range of cells that a hyperlink
    /// covers.
    pub fn cell(&self) -> Option<&str> {
        self.parts().location.as_ref()?.cell.as_deref()
    }

    /// Returns the number of the slide in the presentation, counting from 1. Notes and comments
    /// have the number of their slide.
    pub fn slide(&self) -> Option<u32> {
        self.parts().location.as_ref()?.slide
    }

    /// Returns true if the place is empty, as for a link in plain text.
    ///
    /// ```
    /// use urikit_extract::document::Place;
    /// assert!(Place::default().is_none());
    /// ```
    pub fn is_none(&self) -> bool {
        *self.parts() == PlaceParts::NONE
    }
}

/// A location in an office document, as a reader of the document would describe it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Location {
    pub(crate) paragraph: Option<u32>,
    sheet: Option<String>,
    cell: Option<String>,
    pub(crate) slide: Option<u32>,
}

#[cfg(all(feature = "zip", feature = "xml"))]
impl Location {
    pub(crate) fn of_sheet(name: String) -> Self {
        let mut location = Self::default();
        location.set_sheet(Some(name));
        location
    }

    pub(crate) fn of_slide(number: u32) -> Self {
        Self {
            slide: Some(number),
            ..Self::default()
        }
    }

    pub(crate) const fn has_cell(&self) -> bool {
        self.cell.is_some()
    }

    pub(crate) fn set_sheet(&mut self, name: Option<String>) {
        self.sheet = name.filter(|name| name.len() <= MAX);
    }

    pub(crate) fn set_cell(&mut self, name: Option<String>) {
        self.cell = name.filter(|name| name.len() <= MAX);
    }
}

/// Returns a name or value unless it is too long.
fn short(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    (text.len() <= MAX).then_some(text)
}

/// The syntax of a reference that is not simply the value of an attribute or the text of an
/// element.
///
/// ```
/// use urikit_extract::document::Syntax;
/// assert_eq!(Syntax::Definition.to_string(), "definition");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Syntax {
    /// `[text](destination)` (CommonMark 0.31, 6.3), or a link in another lightweight markup
    /// language.
    Link,
    /// `![text](destination)` (CommonMark 0.31, 6.4).
    Image,
    /// `[label]: destination` (CommonMark 0.31, 4.7).
    Definition,
    /// The use of a definition: `[text][label]` or `[label]` (CommonMark 0.31, 6.3). The reference
    /// has the URI of the definition, but the range of the use.
    Reference,
    /// `<http://a.example/>` (CommonMark 0.31, 6.5).
    Autolink,
    /// An HTML comment.
    Comment,
    /// A script, or an attribute that contains one.
    Script,
    /// JSON in a script or in an attribute.
    Json,
}

impl Syntax {
    /// All kinds of syntax.
    pub const ALL: [Self; 8] = [
        Self::Link,
        Self::Image,
        Self::Definition,
        Self::Reference,
        Self::Autolink,
        Self::Comment,
        Self::Script,
        Self::Json,
    ];

    /// Returns the name in lower case: `link`, `image`, `definition`, `reference`, `autolink`,
    /// `comment`, `script` or `json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Image => "image",
            Self::Definition => "definition",
            Self::Reference => "reference",
            Self::Autolink => "autolink",
            Self::Comment => "comment",
            Self::Script => "script",
            Self::Json => "json",
        }
    }
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A position in a file, counted as in editors.
///
/// ```
/// use urikit_extract::document::{Extractor, Format, Position};
/// let extractor = Extractor::new().positions(true);
/// let mut found = None;
/// extractor.extract(Format::Text, "é\né http://a.example/".as_bytes(), &mut |reference| {
///     found = reference.position();
/// })?;
/// assert_eq!(found, Some(Position { line: 2, column: 3 }));
/// # Ok::<(), urikit_extract::document::TooLong>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line, counting from 1. Lines end with LF.
    pub line: usize,
    /// The column in characters (Unicode scalar values), counting from 1. A byte order mark at the
    /// beginning of the file is not counted.
    pub column: usize,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    /// The position before a byte order mark, which takes up no column.
    const BEFORE_MARK: Self = Self { line: 1, column: 0 };

    /// Returns the position to report: that of a byte order mark is the first column.
    fn visible(self) -> Self {
        Self {
            column: self.column.max(1),
            ..self
        }
    }

    /// Returns the position after this text.
    fn after(self, text: &[u8]) -> Self {
        let line = self.line + memchr_iter(b'\n', text).count();
        match memrchr(b'\n', text) {
            None => Self {
                line,
                column: self.column + characters(text),
            },
            Some(end) => Self {
                line,
                column: 1 + characters(text.get(end + 1..).unwrap_or_default()),
            },
        }
    }
}

/// Returns the number of characters that begin in the text. Counts the bytes that do not continue a
/// character.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

/// Computes the positions of offsets in text that arrives in pieces. If the offsets increase, each
/// byte is counted only once. Text is kept from the first offset that may still be needed.
#[derive(Clone, Debug)]
pub(crate) struct Positions {
    text: Vec<u8>,
    /// The beginning of the kept text.
    start: Counted,
    /// The end of the text whose lines and columns have been counted.
    last: Counted,
}

/// An offset and its position.
#[derive(Clone, Copy, Debug)]
struct Counted {
    offset: usize,
    position: Position,
}

impl Positions {
    pub(crate) const fn new() -> Self {
        let start = Counted {
            offset: 0,
            position: Position::START,
        };
        Self {
            text: Vec::new(),
            start,
            last: start,
        }
    }

    /// Records that the text begins with a byte order mark. Call this before anything is read.
    pub(crate) const fn begin_with_mark(&mut self) {
        self.start.position = Position::BEFORE_MARK;
        self.last = self.start;
    }

    /// Returns the positions in the next piece of the text. Only the end of the piece is copied.
    pub(crate) const fn with<'p>(&'p mut self, piece: &'p [u8]) -> InPiece<'p> {
        InPiece { kept: self, piece }
    }
}

/// The positions in the kept text and in the next piece.
pub(crate) struct InPiece<'p> {
    kept: &'p mut Positions,
    piece: &'p [u8],
}

impl InPiece<'_> {
    /// Returns the position of an offset that has not been discarded.
    pub(crate) fn at(&mut self, offset: usize) -> Position {
        let kept = &mut *self.kept;
        if offset < kept.last.offset {
            kept.last = kept.start;
        }
        let from = kept.last.offset - kept.start.offset;
        let to = offset.saturating_sub(kept.start.offset);
        let length = kept.text.len();
        let before = kept.text.get(from.min(length)..to.min(length));
        let after = self
            .piece
            .get(from.saturating_sub(length)..to.saturating_sub(length));
        let position = kept.last.position.after(before.unwrap_or_default());
        kept.last = Counted {
            offset,
            position: position.after(after.unwrap_or_default()),
        };
        kept.last.position.visible()
    }

    /// Ends the piece, and discards the text before this offset.
    pub(crate) fn discard_before(mut self, offset: usize) {
        let dropped = offset.saturating_sub(self.kept.start.offset);
        if dropped > 0 {
            self.at(offset);
        }
        let kept = self.kept;
        if dropped > 0 {
            kept.start = kept.last;
        }
        if let Some(passed) = dropped.checked_sub(kept.text.len()) {
            kept.text.clear();
            let rest = self.piece.get(passed..).unwrap_or_default();
            kept.text.extend_from_slice(rest);
        } else {
            kept.text.drain(..dropped);
            kept.text.extend_from_slice(self.piece);
        }
    }
}

/// Computes the positions of offsets in complete text, or in a part of it. If the offsets increase,
/// each byte is counted only once.
#[derive(Debug)]
pub(crate) struct PositionsIn<'t> {
    text: &'t [u8],
    /// The position of the beginning of the text.
    start: Position,
    last: Counted,
}

impl<'t> PositionsIn<'t> {
    pub(crate) const fn new(text: &'t [u8]) -> Self {
        Self::starting_at(Position::START, text)
    }

    /// Creates the positions of text that begins at a position in the document.
    pub(crate) const fn starting_at(start: Position, text: &'t [u8]) -> Self {
        let start = match (start, text) {
            (Position::START, [0xEF, 0xBB, 0xBF, ..]) => Position::BEFORE_MARK,
            _ => start,
        };
        let last = Counted {
            offset: 0,
            position: start,
        };
        Self { text, start, last }
    }

    pub(crate) fn at(&mut self, offset: usize) -> Position {
        if offset < self.last.offset {
            *self = Self::starting_at(self.start, self.text);
        }
        let between = self.text.get(self.last.offset..offset).unwrap_or_default();
        self.last = Counted {
            offset,
            position: self.last.position.after(between),
        };
        self.last.position.visible()
    }
}

#[cfg(test)]
mod tests {
    use super::{Position, Positions};

    #[test]
    fn counts_lines_and_characters() {
        let text = "a\né\u{1F600}x\r\n\nz".as_bytes();
        let mut positions = Positions::new();
        for byte in text {
            positions.with(&[*byte]).discard_before(0);
        }
        let expected = [
            (0, 1, 1),
            (1, 1, 2),
            (2, 2, 1),
            (4, 2, 2),
            (8, 2, 3),
            (11, 3, 1),
            (12, 4, 1),
            (8, 2, 3),
        ];
        for (offset, line, column) in expected {
            assert_eq!(
                positions.with(b"").at(offset),
                Position { line, column },
                "{offset}"
            );
        }
        positions.with(b"").discard_before(8);
        assert_eq!(positions.text.len(), 5);
        assert_eq!(positions.with(b"").at(12), Position { line: 4, column: 1 });
        let mut piece = positions.with(b"y\nx");
        assert_eq!(piece.at(14), Position { line: 4, column: 3 });
        assert_eq!(piece.at(15), Position { line: 5, column: 1 });
        piece.discard_before(15);
        assert_eq!(positions.text, b"x");
    }
}
