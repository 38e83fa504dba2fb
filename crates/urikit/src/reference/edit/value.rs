//! What a component is set to, and how the text that is given is to be read.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};

/// A text for a component, and how it is to be read.
///
/// From a `&str` or `String`: what must be escaped in its place is escaped, by the standard's own set for that
/// component, and what is escaped already (`%` and two hexadecimal digits) is not escaped again. The two
/// other readings are explicit choices:
///
/// ```
/// use urikit::{UriRefBuf, Value};
/// let mut url: UriRefBuf = "http://h/".parse()?;
/// url.set_path("/50%20a b%")?;
/// assert_eq!(url.as_str(), "http://h/50%20a%20b%25");
/// url.set_path(Value::raw("/50%20a b%"))?; // a percent sign is a percent sign
/// assert_eq!(url.as_str(), "http://h/50%2520a%20b%25");
/// assert!(url.set_path(Value::exact("/a b")).is_err()); // nothing is escaped
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Value<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) reading: Reading,
}

/// How a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// Escapes are escapes.
    Escaped,
    /// There are none.
    Raw,
    /// Nothing is to be escaped.
    Exact,
}

impl<'a> Value<'a> {
    /// Text without escapes: a `%` in it is a percent sign, and is escaped. In a query's pair and in RFC 1630's search
    /// part, a `+` is a plus sign and is escaped too, since readers may take it for a space.
    ///
    /// ```
    /// use urikit::{UriRef, Value};
    /// let url = UriRef::parse("http://h/")?;
    /// let mut out = String::new();
    /// url.edit().query_append("sum", Value::raw("1+1=100%25")).write_into(&mut out)?;
    /// assert_eq!(out, "http://h/?sum=1%2B1=100%2525"); // RFC 3986, 2.4: `%` is always escaped as data
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn raw(text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            text: text.into(),
            reading: Reading::Raw,
        }
    }

    /// Text to be taken byte for byte; it is an error where it does not fit.
    ///
    /// ```
    /// use urikit::{EditError, UriRef, Value};
    /// let url = UriRef::parse("http://h/")?;
    /// let mut out = String::new();
    /// url.edit().path(Value::exact("/%7esmith")).write_into(&mut out)?; // RFC 3986, 6.2.2.1
    /// assert_eq!(out, "http://h/%7esmith");
    /// let error = url.edit().path(Value::exact("/a b")).write_into(&mut out).unwrap_err();
    /// assert!(matches!(error, EditError::Refused(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact(text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            text: text.into(),
            reading: Reading::Exact,
        }
    }
}

impl<'a> From<Cow<'a, str>> for Value<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self {
            text,
            reading: Reading::Escaped,
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Cow::Borrowed(text).into()
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Cow::Borrowed(text.as_str()).into()
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Cow::<str>::Owned(text).into()
    }
}

impl From<u16> for Value<'_> {
    /// A port.
    fn from(number: u16) -> Self {
        Self::exact(number.to_string())
    }
}

impl core::fmt::Debug for Value<'_> {
    /// How it is read; not what it says, which may be a password.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Value({:?})", self.reading)
    }
}

/// What becomes of a component that may be absent.
///
/// Setters take `impl Into<Change>`: a [`Value`] or what makes one, an `Option<&str>`, or `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change<'a> {
    /// It goes, with its delimiter.
    Remove,
    /// It is set, to an empty text too.
    Set(Value<'a>),
}

impl<'a> Change<'a> {
    pub(super) fn into_option(self) -> Option<Value<'a>> {
        match self {
            Self::Remove => None,
            Self::Set(value) => Some(value),
        }
    }
}

impl<'a> From<Value<'a>> for Change<'a> {
    fn from(value: Value<'a>) -> Self {
        Self::Set(value)
    }
}

// Not for every `T: Into<Value>`: with one `Option` only, a plain `None` needs no type.
impl<'a> From<Option<&'a str>> for Change<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Remove, |text| Self::Set(text.into()))
    }
}

/// Makes a change out of what makes a value.
macro_rules! changes {
    ($($from:ty),*) => {$(
        impl<'a> From<$from> for Change<'a> {
            fn from(value: $from) -> Self {
                Self::Set(value.into())
            }
        }
    )*};
}

changes!(&'a str, &'a String, String, Cow<'a, str>, u16);
