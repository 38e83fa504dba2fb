//! From parts to a telephone number's URI.

use super::super::build::{BuildError, Data, UNRESERVED, UrlText, data};
use super::{Tel, syntax};
use crate::grammar::ByteSet;
use crate::op::percent::Component;
use crate::standard::{Rfc3986, Spec};
use crate::{AnyRef, UriRefBuf};
use alloc::vec::Vec;

/// What stands for itself in a value: RFC 3966's `unreserved`, where all standards have it.
const VALUE: ByteSet = UNRESERVED.without(ByteSet::of(b"$+,"));

/// Makes the URI of a telephone number. The parameters come in the order that RFC 3966, 3, asks for.
///
/// ```
/// use urikit::scheme::Tel;
/// let url = Tel::global("+1-201-555-0123").build()?; // RFC 3966, 6
/// assert_eq!(url.as_str(), "tel:+1-201-555-0123");
/// let url = Tel::local("863-1234", "+1-914-555").build()?;
/// assert_eq!(url.as_str(), "tel:863-1234;phone-context=+1-914-555");
/// # Ok::<(), urikit::scheme::BuildError>(())
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
    /// Begins with a global number: `+`, digits and visual separators.
    pub const fn global(number: &str) -> TelBuilder<'_> {
        TelBuilder {
            number,
            context: None,
            ext: None,
            isub: None,
            others: Vec::new(),
        }
    }

    /// Begins with a local number, which may hold `*`, `#` and `A` to `F`, and its context: a domain name, or the
    /// beginning of a global number.
    pub const fn local<'a>(number: &'a str, context: &'a str) -> TelBuilder<'a> {
        let mut builder = Tel::global(number);
        builder.context = Some(context);
        builder
    }
}

impl<'a> TelBuilder<'a> {
    /// An extension: digits and visual separators.
    #[must_use]
    pub const fn ext(mut self, ext: &'a str) -> Self {
        self.ext = Some(ext);
        self
    }

    /// An ISDN subaddress, in octets.
    #[must_use]
    pub fn isub<T: AsRef<[u8]> + ?Sized>(mut self, isub: &'a T) -> Self {
        self.isub = Some(data(isub));
        self
    }

    /// One more parameter, without a value.
    #[must_use]
    pub fn flag(mut self, name: &'a str) -> Self {
        self.others.push((name, None));
        self
    }

    /// One more parameter, with a value in octets.
    #[must_use]
    pub fn parameter<T: AsRef<[u8]> + ?Sized>(mut self, name: &'a str, value: &'a T) -> Self {
        self.others.push((name, Some(data(value))));
        self
    }

    /// The URI, as a reference of RFC 3986 that RFC 1738 takes too.
    ///
    /// # Errors
    ///
    /// Where the parts make no telephone number: a local one as a global one, a parameter twice.
    pub fn build(self) -> Result<UriRefBuf, BuildError> {
        self.build_as::<Rfc3986>()
    }

    /// The URI, as a reference of `S`. Under RFC 1630 there is no `;`, and so there are no parameters.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_as<S: Spec>(mut self) -> Result<UriRefBuf<S>, BuildError> {
        let mut text = UrlText::<S>::new("tel");
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
            text.escape(isub, Component::Path, &VALUE);
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
                text.escape(value, Component::Path, &VALUE);
            }
        }
        text.finish(|url| self.check(url))
    }

    /// Whether it reads back as it was put in.
    fn check(&self, url: AnyRef<'_>) -> Result<(), BuildError> {
        let read = Tel::read(url).map_err(BuildError::Scheme)?;
        let is = |read: Option<crate::component::Encoded<'_>>, data: &Option<Data<'_>>| match (
            read, data,
        ) {
            (Some(read), Some(data)) => read.decode().eq(data.iter().copied()),
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
