//! Gopher+ strings and forms (RFC 1738, 3.4.4 to 3.4.9; RFC 4266, 2.4 to 2.9).

use super::super::shape::{split_at_octet, strip_octets, units};
use urikit::component::Encoded;

/// The request that a Gopher+ string makes.
///
/// The string has no reserved characters (RFC 1738, 3.4.1): `%2B` means `+`.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::{Gopher, GopherPlus};
/// // RFC 1738, 3.4.8: the Spanish language postscript alternate view
/// let url = Uri::parse("gopher://h/0doc%09%09+application/postscript%20Es_ES")?;
/// let Some(GopherPlus::View { view, language }) = Gopher::read(url)?.plus() else {
///     panic!()
/// };
/// assert_eq!((view.as_str(), language.unwrap().as_str()), ("application/postscript", "Es_ES"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GopherPlus<'a> {
    /// `+`: the item, in its default view.
    DefaultView,
    /// `?`: the item, after the user has filled in its form (`+ASK`).
    FormItem,
    /// `!`: attributes of the item.
    ItemAttributes(GopherAttributes<'a>),
    /// `$`: attributes of all items in the directory.
    DirectoryAttributes(GopherAttributes<'a>),
    /// `+`, a view and its language: the item in that view.
    View {
        /// The view, usually a media type, as written. The value is not empty.
        view: Encoded<'a>,
        /// The language, as written.
        language: Option<Encoded<'a>>,
    },
    /// The item that the server returns for the values of a filled-in form.
    Form(GopherForm<'a>),
    /// Any other string, which RFC 1738 does not describe, as written.
    Other(Encoded<'a>),
}

impl<'a> GopherPlus<'a> {
    pub(super) fn read(string: Encoded<'a>) -> Self {
        if let Some(form) = GopherForm::read(string) {
            return Self::Form(form);
        }
        let begins_with = |octet: u8| strip_octets(string, &[octet]);
        if !is_text(string) {
            Self::Other(string)
        } else if string.decode().octets().eq(*b"+") {
            Self::DefaultView
        } else if string.decode().octets().eq(*b"?") {
            Self::FormItem
        } else if let Some(names) = begins_with(b'!') {
            Self::ItemAttributes(GopherAttributes { names })
        } else if let Some(names) = begins_with(b'$') {
            Self::DirectoryAttributes(GopherAttributes { names })
        } else if let Some(view) = begins_with(b'+') {
            let (view, language) = match split_at_octet(view, b' ') {
                Some((view, language)) => (view, Some(language)),
                None => (view, None),
            };
            if view.is_empty() {
                Self::Other(string)
            } else {
                Self::View { view, language }
            }
        } else {
            Self::Other(string)
        }
    }

    /// Returns the name of the kind, as in [`details`](super::Gopher::details).
    pub const fn kind(self) -> &'static str {
        match self {
            Self::DefaultView => "default-view",
            Self::FormItem => "form-item",
            Self::ItemAttributes(_) => "item-attributes",
            Self::DirectoryAttributes(_) => "directory-attributes",
            Self::View { .. } => "view",
            Self::Form(_) => "form",
            Self::Other(_) => "other",
        }
    }
}

/// The attributes that a Gopher+ string requests.
///
/// RFC 1738 (3.4.7) separates the names with encoded spaces. Gopher+ (2.7) does not separate the
/// names, because each name begins with a `+` and contains no other `+`. This iterator reads names
/// in both forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GopherAttributes<'a> {
    /// The text after the `!` or `$`.
    names: Encoded<'a>,
}

impl<'a> GopherAttributes<'a> {
    /// Returns true if the string lists no names and so requests all attributes.
    pub fn is_all(self) -> bool {
        self.names().next().is_none()
    }

    /// Returns the names, each with its `+`, as written.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{Gopher, GopherPlus};
    /// // RFC 1738, 3.4.7
    /// let url = Uri::parse("gopher://h/1%09%09!+ABSTRACT%20+SMELL")?;
    /// let Some(GopherPlus::ItemAttributes(attributes)) = Gopher::read(url)?.plus() else {
    ///     panic!()
    /// };
    /// assert!(attributes.names().map(|name| name.as_str()).eq(["+ABSTRACT", "+SMELL"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn names(self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        let mut rest = self.names.as_str();
        core::iter::from_fn(move || {
            while let Some(after) = strip_octets(Encoded::assume_valid(rest), b" ") {
                rest = after.as_str();
            }
            let next = units(Encoded::assume_valid(rest))
                .skip(1)
                .find(|unit| matches!(unit.octet, b' ' | b'+'));
            let end = next.map_or(rest.len(), |unit| unit.start);
            let (name, after) = rest.split_at_checked(end)?;
            rest = after;
            (!name.is_empty()).then_some(Encoded::assume_valid(name))
        })
    }
}

/// The text before the values: the `+` of Gopher+ (2.4) with its data flag, and the start of a
/// block of data that ends with a full stop.
pub(super) const HEAD: &[u8] = b"+\t1\r\n+-1\r\n";

/// A filled-in Gopher+ form: a Gopher+ string with exactly the form of RFC 1738, 3.4.9.
///
/// ```text
/// +%091%0D%0A+-1%0D%0A<ask_item1_value>%0D%0A<ask_item2_value>%0D%0A.%0D%0A
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GopherForm<'a> {
    /// The text after the head. INVARIANT: all lines end in CR LF. The last line, and no other, is
    /// a single full stop, and at least one line precedes it. The lines contain no other Gopher
    /// delimiters.
    lines: Encoded<'a>,
}

impl<'a> GopherForm<'a> {
    fn read(string: Encoded<'a>) -> Option<Self> {
        let lines = strip_octets(string, HEAD)?;
        let (mut rest, mut count) = (lines, 0_u32);
        loop {
            let (line, after) = split_line(rest)?;
            if !is_text(line) {
                return None;
            }
            if is_end(line) {
                return (after.is_empty() && count > 0).then_some(Self { lines });
            }
            (rest, count) = (after, count.saturating_add(1));
        }
    }

    /// Returns the values in the order of the form's questions, as written. A form has at least one
    /// value.
    pub fn values(self) -> impl Iterator<Item = Encoded<'a>> + use<'a> {
        let mut rest = self.lines;
        core::iter::from_fn(move || {
            let (line, after) = split_line(rest)?;
            rest = after;
            (!is_end(line)).then_some(line)
        })
    }
}

/// Splits the text after the first CR LF, and removes the CR LF.
fn split_line(text: Encoded<'_>) -> Option<(Encoded<'_>, Encoded<'_>)> {
    let (line, after) = split_at_octet(text, b'\r')?;
    Some((line, strip_octets(after, b"\n")?))
}

fn is_end(line: Encoded<'_>) -> bool {
    line.decode().octets().eq(*b".")
}

/// Returns true if the part contains no Gopher delimiter: NUL, TAB, CR or LF.
fn is_text(part: Encoded<'_>) -> bool {
    !units(part).any(|unit| matches!(unit.octet, 0 | b'\t' | b'\r' | b'\n'))
}
