//! The parts of a URL as named values, in the same form for all schemes.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use urikit::component::Encoded;

/// The parts of a URL as named values, in the order of the scheme's specification.
///
/// The scheme determines whether a part is decoded or left as written. A part that does not decode
/// to UTF-8 is left as written. The server is omitted, because the authority already contains it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Details<'a> {
    /// The scheme, in lower case.
    pub scheme: Cow<'a, str>,
    /// The RFC and the section whose rules were used to parse the URL.
    pub specification: &'static str,
    /// The named values.
    pub fields: Fields<'a>,
}

/// Named values, in order.
pub type Fields<'a> = Vec<(&'static str, Detail<'a>)>;

/// One value.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail<'a> {
    /// An absent value.
    Absent,
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(u64),
    /// Text.
    Text(Cow<'a, str>),
    /// Text that is masked when displayed.
    Secret(Cow<'a, str>),
    /// Several values.
    List(Vec<Detail<'a>>),
    /// Named values.
    Fields(Fields<'a>),
}

impl<'a> Details<'a> {
    /// Creates details without values.
    pub fn new(scheme: impl Into<Cow<'a, str>>, specification: &'static str) -> Self {
        Self {
            scheme: scheme.into(),
            specification,
            fields: Vec::new(),
        }
    }

    /// Adds a value.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Detail<'a>>) -> Self {
        self.fields.push((name, value.into()));
        self
    }

    /// Returns the value with that name.
    pub fn get(&self, name: &str) -> Option<&Detail<'a>> {
        let mut fields = self.fields.iter();
        fields.find(|field| field.0 == name).map(|field| &field.1)
    }
}

impl<'a> Detail<'a> {
    /// Creates a secret from a decoded part.
    pub fn secret(part: Encoded<'a>) -> Self {
        Self::Secret(decoded(part))
    }

    /// Creates a list of values.
    pub fn list<T: Into<Self>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

/// Decodes a part. Returns the part as written if it does not decode to UTF-8.
fn decoded(part: Encoded<'_>) -> Cow<'_, str> {
    part.decode_utf8().unwrap_or(Cow::Borrowed(part.as_str()))
}

impl<'a> From<Encoded<'a>> for Detail<'a> {
    /// Decodes the part. The part is left as written if it does not decode to UTF-8.
    fn from(part: Encoded<'a>) -> Self {
        Self::Text(decoded(part))
    }
}

impl<'a> From<&'a str> for Detail<'a> {
    /// Keeps the text unchanged.
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Detail<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for Detail<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Detail<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<u16> for Detail<'_> {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Detail<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl<T: Into<Self>> From<Option<T>> for Detail<'_> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}

impl core::fmt::Debug for Detail<'_> {
    /// Masks secrets.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Absent => f.write_str("-"),
            Self::Flag(flag) => flag.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::Secret(_) => f.write_str("***"),
            Self::List(values) => values.fmt(f),
            Self::Fields(fields) => f
                .debug_map()
                .entries(fields.iter().map(|field| (field.0, &field.1)))
                .finish(),
        }
    }
}
