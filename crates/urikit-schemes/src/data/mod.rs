//! `data`: data in the URL itself.
//!
//! ```text
//! dataurl   := "data:" [ mediatype ] [ ";base64" ] "," data      RFC 2397, 3
//! mediatype := [ type "/" subtype ] *( ";" parameter )
//! parameter := attribute "=" value
//! data      := *urlchar
//! ```
//!
//! Types, attributes and values are RFC 2045's, with escapes where a URL needs them. Everything
//! after the first comma is data, including a `?` and what follows it: there is no query. The
//! fragment is not part of it.
//!
//! No later RFC replaced this definition. Base64 is read strictly (RFC 4648, 3): nothing is
//! allowed between its characters, the padding is required, and its bits must be zero.

mod base64;
#[cfg(feature = "alloc")]
mod builder;
mod head;

pub use base64::DataOctets;
#[cfg(feature = "alloc")]
pub use builder::DataBuilder;

use super::builtin::{Builtin, builtin};
use super::shape::Shape;
#[cfg(feature = "alloc")]
use super::{Detail, Details};
use super::{Edition, Facts, Mismatch, ReadError, facts};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, format, string::String, vec, vec::Vec};
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit::grammar::Rule;
use urikit::internal::encoded;

const FACTS: Facts<'static> = facts("data");

pub(super) static DATA: Builtin = builtin!(FACTS, Data);

const DATAURL: Rule = Rule::new("dataurl", "RFC 2397, 3");

/// A data URL.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Data;
/// let url = Uri::parse("data:,A%20brief%20note")?; // RFC 2397, 4
/// let data = Data::read(url)?;
/// assert_eq!((data.type_name().as_str(), data.subtype().as_str()), ("text", "plain"));
/// assert_eq!(data.charset().unwrap(), "US-ASCII");
/// assert!(data.octets()?.eq(*b"A brief note"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    reference: AnyRef<'a>,
    media_type: Option<(Encoded<'a>, Encoded<'a>)>,
    /// The parameters without the first semicolon; empty if there are no parameters.
    parameters: Encoded<'a>,
    is_base64: bool,
    after: Encoded<'a>,
}

impl<'a> Data<'a> {
    /// Reads a reference as a data URL; both editions are the same.
    ///
    /// # Errors
    ///
    /// If the reference is not a data URL. What follows the comma is not checked here:
    /// [`octets`](Self::octets) refuses invalid base64.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a data URL by the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, FACTS.name, DATAURL)?;
        let head = head::read(&shape)?;
        Ok(Self {
            reference,
            media_type: head.media_type,
            parameters: head.parameters,
            is_base64: head.is_base64,
            after: head.data,
        })
    }

    /// The type of the media type, as written; by default `text`.
    pub fn type_name(&self) -> Encoded<'a> {
        self.media_type.map_or(encoded("text"), |given| given.0)
    }

    /// The subtype, as written; by default `plain`.
    pub fn subtype(&self) -> Encoded<'a> {
        self.media_type.map_or(encoded("plain"), |given| given.1)
    }

    /// Whether the URL has a type and a subtype.
    pub const fn has_media_type(&self) -> bool {
        self.media_type.is_some()
    }

    /// The parameters of the media type: attribute and value, as written, in order. A value that
    /// is a quoted string keeps its quotation marks.
    pub fn parameters(&self) -> impl Iterator<Item = (Encoded<'a>, Encoded<'a>)> + use<'a> {
        let parameters = (!self.parameters.is_empty()).then(|| self.parameters.split(';'));
        let pair = |parameter: Encoded<'a>| parameter.split_once('=');
        parameters.into_iter().flatten().filter_map(pair)
    }

    /// The charset: the parameter's value, as written; `US-ASCII` if there is neither the
    /// parameter nor a type (RFC 2397, 2).
    pub fn charset(&self) -> Option<Encoded<'a>> {
        let is_it = |name: Encoded<'_>| {
            let name = name
                .decode()
                .octets()
                .map(|octet| octet.to_ascii_lowercase());
            name.eq(*b"charset")
        };
        let given = self.parameters().find(|(name, _)| is_it(*name));
        match given {
            Some((_, value)) => Some(value),
            None => (!self.has_media_type()).then_some(encoded("US-ASCII")),
        }
    }

    /// Whether the data is encoded as base64.
    pub const fn is_base64(&self) -> bool {
        self.is_base64
    }

    /// Everything after the first comma, as written.
    pub const fn data(&self) -> Encoded<'a> {
        self.after
    }

    /// The octets of the data: escapes are decoded, and then base64. Does not allocate; base64 is
    /// checked once before.
    ///
    /// # Errors
    ///
    /// If the data should be base64 and is not (RFC 4648, 3 and 4): white space, a missing `=`, or
    /// another alphabet.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::Data;
    /// let url = Uri::parse("data:;base64,Zm9vYg==")?; // RFC 4648, 10
    /// assert!(Data::read(url)?.octets()?.eq(*b"foob"));
    /// let url = Uri::parse("data:;base64,Zm9vYg")?;
    /// assert_eq!(
    ///     Data::read(url)?.octets().unwrap_err().to_string(),
    ///     "expected a character of base64 or `=`, but the text ends at byte 19 (base64, RFC 4648, 4)",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn octets(&self) -> Result<DataOctets<'a>, Mismatch> {
        DataOctets::new(self.reference.as_str(), self.after, self.is_base64)
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        "RFC 2397"
    }

    /// The media type without its parameters, decoded.
    #[cfg(feature = "alloc")]
    fn media_type(&self) -> String {
        let part = |part: Encoded<'a>| part.to_utf8().unwrap_or(Cow::Borrowed(part.as_str()));
        format!("{}/{}", part(self.type_name()), part(self.subtype()))
    }

    /// All of its meaning as named values, for display or as JSON: `media_type`, `charset`,
    /// `parameters`, `base64`, `size` in octets, and `data`, which is decoded if that is UTF-8 and
    /// as written otherwise.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        let octets: Option<Vec<u8>> = self.octets().ok().map(Iterator::collect);
        let size = octets.as_ref().map(Vec::len);
        let text = octets.and_then(|octets| String::from_utf8(octets).ok());
        let parameter = |(name, value): (Encoded<'a>, Encoded<'a>)| {
            Detail::Fields(vec![("name", name.into()), ("value", value.into())])
        };
        Details::new("data", self.specification())
            .with("media_type", self.media_type())
            .with("charset", self.charset())
            .with("parameters", Detail::list(self.parameters().map(parameter)))
            .with("base64", self.is_base64)
            .with("size", size.and_then(|size| u64::try_from(size).ok()))
            .with(
                "data",
                text.map_or(Detail::from(self.after.as_str()), Detail::from),
            )
    }
}
