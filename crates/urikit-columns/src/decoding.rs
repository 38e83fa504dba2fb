//! How pieces of references are given: as written, or decoded.

use crate::cells::Text;
use crate::error::Reason;
use crate::options::UnknownName;
use std::fmt;
use std::str::FromStr;
use urikit::internal;

/// How the pieces of a query or a path are given.
///
/// ```
/// use urikit_columns::Decoding;
/// assert_eq!("form".parse(), Ok(Decoding::Form));
/// assert_eq!(Decoding::default(), Decoding::Written);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Decoding {
    /// As written.
    #[default]
    Written,
    /// With escapes decoded. A row with octets that are not UTF-8 is rejected; a `%` that begins
    /// no escape, which some readers accept, is kept.
    Decoded,
    /// As HTML forms write data: with escapes decoded, and `+` as a space.
    Form,
}

impl Decoding {
    /// The name: `written`, `decoded` or `form`; what [`FromStr`] takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Decoded => "decoded",
            Self::Form => "form",
        }
    }

    /// Appends a piece in this form.
    pub(crate) fn push(self, text: &str, cells: &mut Text) -> Result<(), Reason> {
        let is_plain = match self {
            Self::Written => true,
            Self::Decoded => !text.contains('%'),
            Self::Form => !text.contains(['%', '+']),
        };
        if is_plain {
            cells.push(text);
            return Ok(());
        }
        let octets = octets(text, self == Self::Form);
        cells.push_octets(octets).map_err(|nth| Reason::NotUtf8 {
            offset: offset(text, nth),
        })
    }

    /// Whether a name is this one: decoded, whatever is given of values.
    pub(crate) fn is_named(self, written: &str, name: &str) -> bool {
        written == name && !written.contains(['%', '+'])
            || octets(written, self == Self::Form).eq(name.bytes())
    }
}

/// The octets of a text; a `%` without two hexadecimal digits is itself.
fn octets(text: &str, plus: bool) -> impl Iterator<Item = u8> {
    internal::octets(text.as_bytes()).map(move |octet| match octet.value {
        b'+' if plus && !octet.is_escaped => b' ',
        value => value,
    })
}

/// Where in the text the octet of this number is written.
#[cold]
fn offset(text: &str, nth: usize) -> usize {
    let octet = internal::octets(text.as_bytes()).nth(nth);
    octet.map_or(text.len(), |octet| octet.offset)
}

impl fmt::Display for Decoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Decoding {
    type Err = UnknownName;

    /// Reads a [`name`](Self::name), in any case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let all = [Self::Written, Self::Decoded, Self::Form];
        let is_it = |choice: &Self| choice.name().eq_ignore_ascii_case(text);
        all.into_iter().find(is_it).ok_or(UnknownName {
            expected: "written, decoded or form",
        })
    }
}
