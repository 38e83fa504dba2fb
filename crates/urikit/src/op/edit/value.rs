//! The values that builders and setters accept.

use crate::component::{Encoded, Host, Path, Segment};
use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A value for a component, and how to interpret its text.
///
/// The component decides how a plain value (`&str`, `String`, a number) is interpreted:
///
/// - A **leaf** (user, password, segment, name or value of a query pair) is one piece of data.
///   Every character that could be taken for a delimiter or an escape is escaped, so you read back
///   exactly what you passed in: `/`, `;`, `=` and `,` in a segment; `&`, `;`, `=` and `+` in a
///   query; `:` in a user or password; `%` everywhere. [`encode`](fn@crate::percent::encode)
///   follows the same rule for the [`Place`](crate::percent::Place) with the same name.
/// - A **complete component** (scheme, userinfo, host, path, query, fragment) must already be
///   escaped and may contain delimiters. An invalid value is an error.
///
/// ```
/// use urikit::percent::{Place, encode};
/// use urikit::{Standard, UriBuf};
/// let mut url = UriBuf::parse("http://h/")?;
/// url.push_segment("a/b;c=d+e")?;
/// assert_eq!(url.path(), "/a%2Fb%3Bc%3Dd+e");
/// url.query_append("q", "a/b;c=d+e")?;
/// assert_eq!(url.query().unwrap(), "q=a/b%3Bc%3Dd%2Be");
/// assert_eq!(url.query_get_raw("q").unwrap().value().unwrap().decode_utf8()?, "a/b;c=d+e");
///
/// let value = encode("a/b;c=d+e", Place::QueryValue, Standard::Rfc3986)?;
/// assert_eq!(value.to_string(), "a/b%3Bc%3Dd%2Be"); // the same
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Encoded`] parts are written unchanged. The constructors of `Value` choose a different
/// interpretation:
///
/// ```
/// use urikit::{UriBuf, Value};
/// let mut url = UriBuf::parse("http://h/")?;
/// url.query_append("q", "abc%2Fdef")?; // data
/// assert_eq!(url, "http://h/?q=abc%252Fdef");
/// url.query_set("q", Value::encoded("abc%2Fdef"))?; // escaped already
/// assert_eq!(url, "http://h/?q=abc%2Fdef");
///
/// assert!(url.set_path("/a b").is_err()); // not valid
/// url.set_path(Value::data("/a b%"))?;
/// assert_eq!(url.path(), "/a%20b%25");
/// url.set_path(Value::lenient("/a b%20c"))?; // never escaped twice
/// assert_eq!(url.path(), "/a%20b%20c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Value<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) reading: Reading,
}

/// The interpretation of a value's text: as data, or as already encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// [`Data`](Self::Data) in a leaf, [`Encoded`](Self::Encoded) for a complete component.
    ByPlace,
    /// Data: `%` does not begin an escape.
    Data,
    /// Text that is already escaped and is written unchanged.
    Encoded,
    /// Text that was already parsed as this component, and is written unchanged.
    Parsed,
    /// Partly escaped: keep escapes, and escape everything else that needs it.
    Lenient,
}

impl<'a> Value<'a> {
    /// Creates a value from data. Characters that the component does not allow literally are
    /// escaped, and so is every `%`. A leaf also escapes characters that could be taken for
    /// delimiters. Query pairs and the search part of RFC 1630 also escape `+`, because many
    /// programs decode it to a space.
    ///
    /// ```
    /// use urikit::{UriBuilder, Value};
    /// let url = UriBuilder::new().scheme("http").host("h").path(Value::data("/50% off")).build()?;
    /// assert_eq!(url, "http://h/50%25%20off"); // RFC 3986, 2.4
    /// # Ok::<(), urikit::EditError>(())
    /// ```
    pub fn data(text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(text, Reading::Data)
    }

    /// Creates a value from text that is already escaped. The text is written byte for byte;
    /// invalid text is an error.
    ///
    /// ```
    /// use urikit::{UriBuf, Value};
    /// let mut url = UriBuf::parse("http://example.com/")?;
    /// url.push_segment(Value::encoded("%7esmith"))?; // RFC 3986, 6.2.2.1
    /// assert_eq!(url, "http://example.com/%7esmith");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encoded(text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(text, Reading::Encoded)
    }

    /// Creates a value from text that may be partly escaped, as people write it. A `%` with two
    /// hexadecimal digits is kept as an escape; everything else that needs an escape is escaped.
    /// In the name or value of a query pair, `+` is data and is escaped too. Escaping the text
    /// twice gives the same result as escaping it once.
    ///
    /// ```
    /// use urikit::{UriBuf, Value};
    /// let mut url = UriBuf::parse("http://example.com/")?;
    /// url.set_path(Value::lenient("/caf%C3%A9 noir/100%"))?;
    /// assert_eq!(url.path(), "/caf%C3%A9%20noir/100%25");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lenient(text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(text, Reading::Lenient)
    }

    fn new(text: impl Into<Cow<'a, str>>, reading: Reading) -> Self {
        Self {
            text: text.into(),
            reading,
        }
    }

    /// Creates a value from text that was parsed as the same component. The text is written
    /// unchanged.
    pub(super) fn parsed(text: &'a str) -> Self {
        Self::new(text, Reading::Parsed)
    }

    /// Interprets the text as a complete component.
    pub(super) fn into_component(self) -> Self {
        self.read_as(Reading::Encoded)
    }

    /// Returns the text before the first colon, or the complete text if it has no colon.
    pub(super) fn before_colon(mut self) -> Self {
        if let Some(colon) = self.text.find(':') {
            self.text = match self.text {
                Cow::Borrowed(text) => Cow::Borrowed(text.get(..colon).unwrap_or_default()),
                Cow::Owned(mut text) => {
                    text.truncate(colon);
                    Cow::Owned(text)
                }
            };
        }
        self
    }

    /// Returns the text after the first colon.
    pub(super) fn after_colon(&self) -> Option<Self> {
        let (_, rest) = self.text.split_once(':')?;
        Some(Self::new(String::from(rest), self.reading))
    }

    /// Returns true if a complete component is written exactly as this text.
    pub(super) fn is_written(&self) -> bool {
        matches!(
            self.reading,
            Reading::Encoded | Reading::Parsed | Reading::ByPlace
        )
    }

    /// Returns true if `%` may begin an escape in the value of a leaf.
    pub(super) fn has_escapes(&self) -> bool {
        matches!(
            self.reading,
            Reading::Encoded | Reading::Parsed | Reading::Lenient
        )
    }

    /// Replaces [`Reading::ByPlace`] with `reading`.
    pub(super) fn read_as(mut self, reading: Reading) -> Self {
        if self.reading == Reading::ByPlace {
            self.reading = reading;
        }
        self
    }
}

impl core::fmt::Debug for Value<'_> {
    /// Formats only `reading` and omits the text, which may be a password.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Value({:?})", self.reading)
    }
}

/// The new state of an optional component, which is either set to a [`Value`] or removed.
///
/// Setters accept any type that converts to a `Value`, or an `Option` of such a type: `None`
/// removes the component. Rust cannot infer the type of a literal `None`, so use a `remove_…`
/// method instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change<'a> {
    /// Removes the component and its delimiter.
    Remove,
    /// Sets the component, which may be empty.
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

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Change<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Remove, |value| Self::Set(value.into()))
    }
}

/// The types that convert to a value. Each conversion specifies how the text is interpreted.
macro_rules! values {
    ($($(#[$doc:meta])* $T:ty => |$value:ident| $text:expr, $reading:ident;)*) => {$(
        impl<'a> From<$T> for Value<'a> {
            $(#[$doc])*
            fn from($value: $T) -> Self {
                Self::new($text, Reading::$reading)
            }
        }

        impl<'a> From<$T> for Change<'a> {
            $(#[$doc])*
            fn from(value: $T) -> Self {
                Self::Set(value.into())
            }
        }
    )*};
}

values! {
    &'a str => |text| text, ByPlace;
    &'a String => |text| text.as_str(), ByPlace;
    String => |text| text, ByPlace;
    Cow<'a, str> => |text| text, ByPlace;
    char => |c| c.to_string(), ByPlace;
    bool => |value| if value { "true" } else { "false" }, Encoded;
    /// The text is written unchanged.
    Encoded<'a> => |part| part.as_str(), Parsed;
    /// The text is written unchanged.
    Path<'a> => |path| path.as_str(), Parsed;
    /// The text is written unchanged.
    Segment<'a> => |segment| segment.as_str(), Parsed;
    /// The text is written unchanged.
    Host<'a> => |host| host.as_str(), Parsed;
    IpAddr => |address| address_text(address), Encoded;
    Ipv4Addr => |address| address.to_string(), Encoded;
    /// The address is written in brackets (RFC 3986, 3.2.2).
    Ipv6Addr => |address| address_text(IpAddr::V6(address)), Encoded;
    u8 => |number| number.to_string(), Encoded;
    u16 => |number| number.to_string(), Encoded;
    u32 => |number| number.to_string(), Encoded;
    u64 => |number| number.to_string(), Encoded;
    usize => |number| number.to_string(), Encoded;
    i8 => |number| number.to_string(), Encoded;
    i16 => |number| number.to_string(), Encoded;
    i32 => |number| number.to_string(), Encoded;
    i64 => |number| number.to_string(), Encoded;
    isize => |number| number.to_string(), Encoded;
}

fn address_text(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => alloc::format!("[{address}]"),
    }
}
