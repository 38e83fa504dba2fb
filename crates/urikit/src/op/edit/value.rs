//! The values that a builder or a setter takes.

use crate::component::{Encoded, Host, Path, Segment};
use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A value for a component, and how its text is to be read.
///
/// Plain text (`&str`, `String`, a number) is read according to its place:
///
/// - A **leaf** (user, password, segment, name or value of a query's pair) is one piece of data.
///   Every character is escaped that a reader could take for a delimiter or an escape there, so
///   what you read back is what you passed in: `/`, `;`, `=` and `,` in a segment; `&`, `;`, `=`
///   and `+` in a query; `:` in a user or password; `%` everywhere. The rule is that of
///   [`encode`](fn@crate::percent::encode) with the [`Place`](crate::percent::Place) of that name.
/// - A **complete component** (scheme, userinfo, host, path, query, fragment) is text that is
///   already escaped, with delimiters; if it is not valid, that is an error.
///
/// ```
/// use urikit::percent::{Place, encode};
/// use urikit::{Standard, UriBuf};
/// let mut url = UriBuf::parse("http://h/")?;
/// url.push_segment("a/b;c=d+e")?;
/// assert_eq!(url.path(), "/a%2Fb%3Bc%3Dd+e");
/// url.query_append("q", "a/b;c=d+e")?;
/// assert_eq!(url.query().unwrap(), "q=a/b%3Bc%3Dd%2Be");
/// assert_eq!(url.query_get("q").unwrap().value().unwrap().to_utf8()?, "a/b;c=d+e");
///
/// let value = encode("a/b;c=d+e", Place::QueryValue, Standard::Rfc3986)?;
/// assert_eq!(value.to_string(), "a/b%3Bc%3Dd%2Be"); // the same
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Encoded`] parts are written unchanged. The constructors here override this:
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

/// How a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// [`Data`](Self::Data) in a leaf, [`Encoded`](Self::Encoded) as a complete component.
    ByPlace,
    /// Nothing in it is an escape.
    Data,
    /// Everything is as it must be written.
    Encoded,
    /// The same, and it was parsed as this component before.
    Parsed,
    /// Escapes are kept, and what must be escaped is escaped.
    Lenient,
}

impl<'a> Value<'a> {
    /// Data: what is not allowed literally in this place is escaped, and so is every `%`. In a
    /// leaf, so is what could be read as a delimiter. In a pair of a query and in RFC 1630's search
    /// part, `+` is escaped too, since readers may take it for a space.
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

    /// Text that is escaped already, to be written byte for byte. It is an error if it is not
    /// valid.
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

    /// Text that may be escaped in part, as people write it: `%` and two hexadecimal digits are
    /// kept as an escape, and everything else that must be escaped is escaped. Escaping twice
    /// gives the same result as escaping once.
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

    /// Text that was parsed as the same component of a reference: written unchanged.
    pub(super) fn parsed(text: &'a str) -> Self {
        Self::new(text, Reading::Parsed)
    }

    /// The same text as a complete component.
    pub(super) fn into_component(self) -> Self {
        self.read_as(Reading::Encoded)
    }

    /// What precedes the first colon; all of it if there is none.
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

    /// What follows the first colon.
    pub(super) fn after_colon(&self) -> Option<Self> {
        let (_, rest) = self.text.split_once(':')?;
        Some(Self::new(String::from(rest), self.reading))
    }

    /// Whether a complete component is written as its text is.
    pub(super) fn is_written(&self) -> bool {
        matches!(
            self.reading,
            Reading::Encoded | Reading::Parsed | Reading::ByPlace
        )
    }

    /// Whether `%` may begin an escape in a leaf.
    pub(super) fn has_escapes(&self) -> bool {
        matches!(
            self.reading,
            Reading::Encoded | Reading::Parsed | Reading::Lenient
        )
    }

    /// The same text, read as `reading` if it is otherwise read by its place.
    pub(super) fn read_as(mut self, reading: Reading) -> Self {
        if self.reading == Reading::ByPlace {
            self.reading = reading;
        }
        self
    }
}

impl core::fmt::Debug for Value<'_> {
    /// How it is read; not the text, which may be a password.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Value({:?})", self.reading)
    }
}

/// What a component that may be absent becomes: a [`Value`], or nothing.
///
/// Setters take anything that a `Value` can be made from, and an `Option` of it: `None` removes
/// the component. (Instead of a plain `None`, use a method `remove_…`.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change<'a> {
    /// The component is removed, with its delimiter.
    Remove,
    /// It is set, possibly to an empty text.
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

/// The types that a value can be made from, with the text and how it is read.
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
    /// As written.
    Encoded<'a> => |part| part.as_str(), Parsed;
    /// As written.
    Path<'a> => |path| path.as_str(), Parsed;
    /// As written.
    Segment<'a> => |segment| segment.as_str(), Parsed;
    /// As written.
    Host<'a> => |host| host.as_str(), Parsed;
    IpAddr => |address| address_text(address), Encoded;
    Ipv4Addr => |address| address.to_string(), Encoded;
    /// In brackets (RFC 3986, 3.2.2).
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
