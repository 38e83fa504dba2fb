//! What a URL means, as data: the same for every scheme.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use urikit::component::Encoded;

/// What a URL of some scheme means: named values, in the order of its specification.
///
/// Parts are decoded where the scheme decodes them; octets that are not UTF-8 stay as written. The
/// server is not repeated here: it is in the authority.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Details<'a> {
    /// The scheme, in lower case.
    pub scheme: Cow<'a, str>,
    /// The specification that it was read by, with the section.
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
    /// A text.
    Text(Cow<'a, str>),
    /// A text that is masked when displayed.
    Secret(Cow<'a, str>),
    /// Several values.
    List(Vec<Detail<'a>>),
    /// Named values.
    Fields(Fields<'a>),
}

impl<'a> Details<'a> {
    /// Starts without values.
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

    /// The value with that name.
    pub fn get(&self, name: &str) -> Option<&Detail<'a>> {
        let mut fields = self.fields.iter();
        fields.find(|field| field.0 == name).map(|field| &field.1)
    }
}

impl<'a> Detail<'a> {
    /// A secret, decoded.
    pub fn secret(part: Encoded<'a>) -> Self {
        Self::Secret(decoded(part))
    }

    /// Several values.
    pub fn list<T: Into<Self>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

/// The decoded text of a part, or the part as written if that is not UTF-8.
fn decoded(part: Encoded<'_>) -> Cow<'_, str> {
    part.to_utf8().unwrap_or(Cow::Borrowed(part.as_str()))
}

impl<'a> From<Encoded<'a>> for Detail<'a> {
    /// Decoded; as written if that is not UTF-8.
    fn from(part: Encoded<'a>) -> Self {
        Self::Text(decoded(part))
    }
}

impl<'a> From<&'a str> for Detail<'a> {
    /// Unchanged.
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
    /// Secrets are masked.
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
