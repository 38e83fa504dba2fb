//! Where in the markup of a document a reference was found.

use core::fmt;
use std::borrow::Cow;

/// The longest name or value that a place has, in bytes. References repeat them, so a longer one
/// is left out.
const MAX: usize = 256;

/// Where in the markup of a document a reference was found: the element and the attribute, the
/// syntax, the header field, the entry of a container. What does not apply is absent; a link in
/// plain text has none of it.
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
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Place<'a> {
    element: Option<Cow<'a, str>>,
    attribute: Option<Cow<'a, str>>,
    rel: Option<Cow<'a, str>>,
    media_type: Option<Cow<'a, str>>,
    syntax: Option<Syntax>,
    field: Option<Cow<'a, str>>,
    entry: Option<Cow<'a, str>>,
}

impl<'a> Place<'a> {
    /// An element of markup.
    pub(crate) fn element_named(name: impl Into<Cow<'a, str>>) -> Self {
        Self {
            element: short(name.into()),
            ..Self::default()
        }
    }

    /// A construct of a format.
    pub(crate) fn in_syntax(syntax: Syntax) -> Self {
        Self {
            syntax: Some(syntax),
            ..Self::default()
        }
    }

    /// A header field.
    pub(crate) fn in_field(name: impl Into<Cow<'a, str>>) -> Self {
        Self {
            field: short(name.into()),
            ..Self::default()
        }
    }

    /// The same, in this attribute.
    pub(crate) fn with_attribute(mut self, name: impl Into<Cow<'a, str>>) -> Self {
        self.attribute = short(name.into());
        self
    }

    /// The same, of an element with this `rel`.
    pub(crate) fn with_rel(mut self, value: Option<Cow<'a, str>>) -> Self {
        self.rel = value.and_then(short);
        self
    }

    /// The same, of an element with this `type`.
    pub(crate) fn with_type(mut self, value: Option<Cow<'a, str>>) -> Self {
        self.media_type = value.and_then(short);
        self
    }

    /// The same, in this syntax.
    pub(crate) fn with_syntax(mut self, syntax: Syntax) -> Self {
        self.syntax = Some(syntax);
        self
    }

    /// The same, in this entry of a container.
    pub(crate) fn with_entry(mut self, path: impl Into<Cow<'a, str>>) -> Self {
        self.entry = Some(path.into());
        self
    }

    pub(crate) fn into_owned(self) -> Place<'static> {
        let owned = |text: Option<Cow<'a, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        Place {
            element: owned(self.element),
            attribute: owned(self.attribute),
            rel: owned(self.rel),
            media_type: owned(self.media_type),
            syntax: self.syntax,
            field: owned(self.field),
            entry: owned(self.entry),
        }
    }

    pub(crate) fn borrowed(&self) -> Place<'_> {
        Place {
            element: self.element().map(Cow::Borrowed),
            attribute: self.attribute().map(Cow::Borrowed),
            rel: self.rel().map(Cow::Borrowed),
            media_type: self.media_type().map(Cow::Borrowed),
            syntax: self.syntax,
            field: self.field().map(Cow::Borrowed),
            entry: self.entry().map(Cow::Borrowed),
        }
    }

    /// The element, in lower case: `a`, `img`; `style` for a URL in a style sheet. `None` in text,
    /// and for a name of more than 256 bytes.
    pub fn element(&self) -> Option<&str> {
        self.element.as_deref()
    }

    /// The attribute, in lower case: `href`, `srcset`. `None` in the text of an element, and for a
    /// name of more than 256 bytes.
    pub fn attribute(&self) -> Option<&str> {
        self.attribute.as_deref()
    }

    /// The attribute `rel` of the element, as written but for character references. `None` if it
    /// has more than 256 bytes.
    pub fn rel(&self) -> Option<&str> {
        self.rel.as_deref()
    }

    /// Whether `rel` has this keyword (HTML living standard, 4.6.7), ignoring case.
    pub fn has_rel(&self, keyword: &str) -> bool {
        let keywords = self.rel().unwrap_or_default().split_ascii_whitespace();
        { keywords }.any(|one| one.eq_ignore_ascii_case(keyword))
    }

    /// The attribute `type` of the element, as written but for character references. `None` if it
    /// has more than 256 bytes.
    pub fn media_type(&self) -> Option<&str> {
        self.media_type.as_deref()
    }

    /// The construct of Markdown, or what kind of text in HTML.
    pub const fn syntax(&self) -> Option<Syntax> {
        self.syntax
    }

    /// The header field of a message, as written: `List-Unsubscribe`.
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// The path of the entry in its container: `a.zip!/b.html`.
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// Whether nothing is known: a link in plain text.
    ///
    /// ```
    /// use urikit_extract::document::Place;
    /// assert!(Place::default().is_none());
    /// ```
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

fn short(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    (text.len() <= MAX).then_some(text)
}

/// The construct that has a reference, where an element and its attribute do not say it.
///
/// ```
/// use urikit_extract::document::Syntax;
/// assert_eq!(Syntax::Definition.to_string(), "definition");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Syntax {
    /// `[text](destination)` (CommonMark 0.31, 6.3), or a link of another light markup.
    Link,
    /// `![text](destination)` (CommonMark 0.31, 6.4).
    Image,
    /// `[label]: destination` (CommonMark 0.31, 4.7).
    Definition,
    /// The use of a definition: `[text][label]`, `[label]`.
    Reference,
    /// `<http://a.example/>` (CommonMark 0.31, 6.5).
    Autolink,
    /// A comment of HTML.
    Comment,
    /// A script, or an attribute that is one.
    Script,
    /// JSON in a script or in an attribute.
    Json,
}

impl Syntax {
    /// All of them.
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

    /// The name in lower case: `link`, `image`, `definition`, `reference`, `autolink`, `comment`,
    /// `script`, `json`.
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
