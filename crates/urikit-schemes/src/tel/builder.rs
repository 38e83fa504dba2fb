//! Building the URI of a telephone number from its parts.

use super::super::build::{BuildError, Data, UNRESERVED, UrlText, data, uri};
use super::{Tel, syntax};
use alloc::vec::Vec;
use urikit::grammar::ByteSet;
use urikit::percent::Place;
use urikit::{AnyRef, AnyRefBuf, Standard, UriBuf};

/// What is not escaped in a value: RFC 3966's `unreserved`, as far as all standards allow.
const VALUE: ByteSet = UNRESERVED.without(ByteSet::of(b"$+,"));

/// Builds the URI of a telephone number. The parameters are written in the order that RFC 3966, 3,
/// requires.
///
/// ```
/// use urikit_schemes::Tel;
/// let url = Tel::global("+1-201-555-0123").build()?; // RFC 3966, 6
/// assert_eq!(url.as_str(), "tel:+1-201-555-0123");
/// let url = Tel::local("863-1234", "+1-914-555").build()?;
/// assert_eq!(url.as_str(), "tel:863-1234;phone-context=+1-914-555");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TelBuilder<'a> {
    number: &'a str,
    context: Option<&'a str>,
    ext: Option<&'a str>,
    isub: Option<Data<'a>>,
    others: Vec<(&'a str, Option<Data<'a>>)>,
}

impl Tel<'_> {
    /// Starts with a global number: `+`, digits and visual separators.
    pub const fn global(number: &str) -> TelBuilder<'_> {
        TelBuilder {
            number,
            context: None,
            ext: None,
            isub: None,
            others: Vec::new(),
        }
    }

    /// Starts with a local number, which may contain `*`, `#` and `A` to `F`, and its context: a
    /// domain name, or the beginning of a global number.
    pub const fn local<'a>(number: &'a str, context: &'a str) -> TelBuilder<'a> {
        let mut builder = Tel::global(number);
        builder.context = Some(context);
        builder
    }
}

impl<'a> TelBuilder<'a> {
    /// Sets the extension: digits and visual separators.
    #[must_use]
    pub const fn ext(mut self, ext: &'a str) -> Self {
        self.ext = Some(ext);
        self
    }

    /// Sets the ISDN subaddress, in octets.
    #[must_use]
    pub fn isub<T: AsRef<[u8]> + ?Sized>(mut self, isub: &'a T) -> Self {
        self.isub = Some(data(isub));
        self
    }

    /// Adds a parameter without a value.
    #[must_use]
    pub fn flag(mut self, name: &'a str) -> Self {
        self.others.push((name, None));
        self
    }

    /// Adds a parameter with a value in octets.
    #[must_use]
    pub fn parameter<T: AsRef<[u8]> + ?Sized>(mut self, name: &'a str, value: &'a T) -> Self {
        self.others.push((name, Some(data(value))));
        self
    }

    /// Builds the URI, which is valid under RFC 3986 and RFC 1738.
    ///
    /// # Errors
    ///
    /// If the parts do not make a telephone number, for example if a global number is a local one,
    /// or a parameter is repeated.
    pub fn build(self) -> Result<UriBuf, BuildError> {
        self.build_any(Standard::Rfc3986).and_then(uri)
    }

    /// Builds the URI as a reference of `standard`. Under RFC 1630 there is no `;`, and so there
    /// are no parameters.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_any(mut self, standard: Standard) -> Result<AnyRefBuf, BuildError> {
        let mut text = UrlText::new("tel", standard);
        for (at, part) in self.number.split('#').enumerate() {
            text.push(if at == 0 { "" } else { "%23" });
            text.push(part);
        }
        if let Some(ext) = self.ext {
            text.push(";ext=");
            text.push(ext);
        }
        if let Some(isub) = &self.isub {
            text.push(";isub=");
            text.escape(isub, Place::Path, &VALUE);
        }
        if let Some(context) = self.context {
            text.push(";phone-context=");
            text.push(context);
        }
        self.others.sort_by(|a, b| syntax::order(a.0, b.0));
        for (name, value) in &self.others {
            text.push(";");
            text.push(name);
            if let Some(value) = value {
                text.push("=");
                text.escape(value, Place::Path, &VALUE);
            }
        }
        text.finish(|url| self.check(url))
    }

    /// Checks that it reads back as it was given.
    fn check(&self, url: AnyRef<'_>) -> Result<(), BuildError> {
        let read = Tel::read(url).map_err(BuildError::Scheme)?;
        let is = |read: Option<urikit::component::Encoded<'_>>, data: &Option<Data<'_>>| match (
            read, data,
        ) {
            (Some(read), Some(data)) => read.decode().octets().eq(data.iter().copied()),
            (read, data) => read.is_none() && data.is_none(),
        };
        let digits = self.number.chars().filter(|c| !"-.()".contains(*c));
        let is_others = read.parameters().count() == self.others.len()
            && read
                .parameters()
                .zip(&self.others)
                .all(|(read, put)| read.0 == put.0 && is(read.1, &put.1));
        let part = if !read.digits().eq(digits) || read.is_global() != self.context.is_none() {
            "number"
        } else if read.ext() != self.ext {
            "extension"
        } else if !is(read.isub(), &self.isub) {
            "subaddress"
        } else if read.phone_context() != self.context {
            "context"
        } else if !is_others {
            "parameter"
        } else {
            return Ok(());
        };
        Err(BuildError::Misread { part })
    }
}
