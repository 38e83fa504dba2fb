//! Building data URLs from parts.

use super::super::build::{self, BuildError, UNRESERVED, UrlText, uri};
use super::Data;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use urikit::component::Encoded;
use urikit::grammar::ByteSet;
use urikit::percent::Place;
use urikit::{AnyRef, AnyRefBuf, Standard, UriBuf};

/// What is not escaped in a type, an attribute or a value: RFC 2045's `token`, as far as all
/// standards allow.
const TOKEN: ByteSet = UNRESERVED.without(ByteSet::of(b"(),"));
/// What is not escaped in the data.
const DATA: ByteSet = UNRESERVED.or(ByteSet::of(b";:@&=/"));

/// Builds a data URL from octets.
///
/// ```
/// use urikit_schemes::Data;
/// let url = Data::builder("A brief note").build()?; // RFC 2397, 4
/// assert_eq!(url.as_str(), "data:,A%20brief%20note");
/// let url = Data::builder("foob").media_type("image/gif").base64().build()?;
/// assert_eq!(url.as_str(), "data:image/gif;base64,Zm9vYg==");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DataBuilder<'a> {
    octets: build::Data<'a>,
    media_type: Option<&'a str>,
    parameters: Vec<(&'a str, &'a str)>,
    is_base64: bool,
}

impl Data<'_> {
    /// Starts a URL that contains these octets.
    pub fn builder<T: AsRef<[u8]> + ?Sized>(octets: &T) -> DataBuilder<'_> {
        DataBuilder {
            octets: build::data(octets),
            media_type: None,
            parameters: Vec::new(),
            is_base64: false,
        }
    }
}

impl<'a> DataBuilder<'a> {
    /// Sets the type, a slash and the subtype; by default `text/plain`.
    #[must_use]
    pub const fn media_type(mut self, media_type: &'a str) -> Self {
        self.media_type = Some(media_type);
        self
    }

    /// Adds a parameter of the media type, such as `charset`. A value is any US-ASCII text.
    #[must_use]
    pub fn parameter(mut self, attribute: &'a str, value: &'a str) -> Self {
        self.parameters.push((attribute, value));
        self
    }

    /// Writes the data as base64 instead of escapes.
    #[must_use]
    pub const fn base64(mut self) -> Self {
        self.is_base64 = true;
        self
    }

    /// Builds the URL as a URI of RFC 3986 that is also valid under RFC 1738.
    ///
    /// # Errors
    ///
    /// If the media type or a parameter is not valid.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URL as a reference of `standard`. Under RFC 1630 there is no `;`, and so neither
    /// parameters nor base64.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let mut text = UrlText::new("data", standard);
        let token = |text: &mut UrlText, token: &str| {
            text.escape(token.as_bytes(), Place::Path, &TOKEN);
        };
        if let Some(media_type) = self.media_type {
            match media_type.split_once('/') {
                Some((type_name, subtype)) => {
                    token(&mut text, type_name);
                    text.push("/");
                    token(&mut text, subtype);
                }
                None => token(&mut text, media_type),
            }
        }
        for (attribute, value) in &self.parameters {
            text.push(";");
            token(&mut text, attribute);
            text.push("=");
            token(&mut text, value);
        }
        if self.is_base64 {
            text.push(";base64,");
            let data = urikit_mime::base64::encode(&self.octets).to_string();
            text.escape(data.as_bytes(), Place::Path, &DATA);
        } else {
            text.push(",");
            text.escape(&self.octets, Place::Path, &DATA);
        }
        text.finish(|url| self.check(url))
    }

    /// Checks that it reads back as it was given.
    fn check(&self, url: AnyRef<'_>) -> Result<(), BuildError> {
        let read = Data::read(url).map_err(BuildError::Scheme)?;
        let is = |part: Encoded<'_>, text: &str| part.decode().octets().eq(text.bytes());
        let is_type = match self.media_type {
            Some(given) => {
                read.has_media_type()
                    && given.split_once('/').is_some_and(|(type_name, subtype)| {
                        is(read.type_name(), type_name) && is(read.subtype(), subtype)
                    })
            }
            None => !read.has_media_type(),
        };
        let is_parameters = read.parameters().count() == self.parameters.len()
            && read
                .parameters()
                .zip(&self.parameters)
                .all(|(read, put)| is(read.0, put.0) && is(read.1, put.1));
        let is_data = || {
            read.octets()
                .is_ok_and(|octets| octets.eq(self.octets.iter().copied()))
        };
        let part = if !is_type {
            "media type"
        } else if !is_parameters {
            "parameter"
        } else if read.is_base64() != self.is_base64 || !is_data() {
            "data"
        } else {
            return Ok(());
        };
        Err(BuildError::Misread { part })
    }
}
