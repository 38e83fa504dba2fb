//! `tel`: telephone numbers.
//!
//! ```text
//! telephone-uri = "tel:" telephone-subscriber                     RFC 3966, 3
//! global-number = global-number-digits *par
//! local-number  = local-number-digits *par context *par
//! par           = parameter / extension / isdn-subaddress
//! ```
//!
//! A number is a name, not an order to call it (RFC 3966, 1 and 11). Visual separators have no
//! meaning.
//!
//! Both editions are RFC 3966. Since a `#` begins a fragment in every URI, it is written `%23`.
//! `;`, `=` and `?` are escaped in all values, including that of `isub` (3). The order of
//! parameters, a rule for writers of URIs (3), is not required, since 4 compares "regardless of
//! the order"; beyond a hundred parameters it is.

#[cfg(feature = "alloc")]
mod builder;
mod compare;
mod syntax;

#[cfg(feature = "alloc")]
pub use builder::TelBuilder;

use super::builtin::{Builtin, builtin};
use super::shape::Shape;
#[cfg(feature = "alloc")]
use super::{Detail, Details};
use super::{Edition, Facts, Mismatch, ReadError, facts};
#[cfg(feature = "alloc")]
use alloc::{string::String, vec};
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit::grammar::Rule;
use urikit::internal::encoded;

const FACTS: Facts<'static> = facts("tel");

pub(super) static TEL: Builtin = builtin!(FACTS, Tel);

const TELEPHONE_URI: Rule = Rule::new("telephone-uri", "RFC 3966, 3");

/// A telephone number.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Tel;
/// let url = Uri::parse("tel:863-1234;phone-context=+1-914-555")?; // RFC 3966, 6
/// let tel = Tel::read(url)?;
/// assert!(!tel.is_global() && tel.digits().eq("8631234".chars()));
/// assert_eq!(tel.phone_context(), Some("+1-914-555"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tel<'a> {
    number: &'a str,
    /// All parameters, without the first semicolon; may be empty.
    parameters: Encoded<'a>,
    known: syntax::Known<'a>,
    /// The first mandatory parameter; the only one that RFC 3966 defines is `phone-context`.
    mandatory: Option<Mismatch>,
}

impl<'a> Tel<'a> {
    /// Reads a reference as a telephone number; both editions are the same.
    ///
    /// # Errors
    ///
    /// If the reference is not a telephone number.
    pub fn read(reference: impl Into<AnyRef<'a>>) -> Result<Self, ReadError> {
        let reference = reference.into();
        Self::read_as(reference, Edition::of(reference.standard()))
    }

    /// Reads a reference as a telephone number by the specifications of `edition`.
    ///
    /// # Errors
    ///
    /// If the reference is not a telephone number.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, FACTS.name, TELEPHONE_URI)?;
        let (number, parameters) = syntax::number(&shape)?;
        let known = syntax::parameters(&shape, number, parameters)?;
        let mut tel = Self {
            number,
            parameters: parameters.unwrap_or(encoded("")),
            known,
            mandatory: None,
        };
        syntax::hold_unique(&shape, &tel)?;
        let is_mandatory =
            |name: &&str| name.get(..2).is_some_and(|m| m.eq_ignore_ascii_case("m-"));
        tel.mandatory = tel
            .parameters()
            .map(|(name, _)| name)
            .find(is_mandatory)
            .map(|name| {
                let rule = Rule::new("parameter", "RFC 3966, 5.4");
                let expected = "no mandatory parameter that is unknown";
                Mismatch::new(reference.as_str(), shape.offset(name), expected, rule)
            });
        Ok(tel)
    }

    /// Whether it is a global number, which begins with `+`.
    pub fn is_global(&self) -> bool {
        self.number.starts_with('+')
    }

    /// The number as written, with its `+` and its visual separators; a `#` is written `%23`.
    pub const fn number(&self) -> &'a str {
        self.number
    }

    /// The number without visual separators: `+` and digits, or, in local numbers, digits, `A` to
    /// `F` in either case, `*` and `#`.
    pub fn digits(&self) -> impl Iterator<Item = char> + use<'a> {
        syntax::digits(self.number)
    }

    /// The extension (RFC 3966, 5.3), as written.
    pub const fn ext(&self) -> Option<&'a str> {
        self.known.ext
    }

    /// The extension without visual separators.
    pub fn ext_digits(&self) -> Option<impl Iterator<Item = char> + use<'a>> {
        self.ext().map(syntax::digits)
    }

    /// The ISDN subaddress (RFC 3966, 5.2), as written.
    pub const fn isub(&self) -> Option<Encoded<'a>> {
        self.known.isub
    }

    /// Where a local number is valid: a domain name, or the beginning of a global number (RFC
    /// 3966, 5.1.5).
    pub const fn phone_context(&self) -> Option<&'a str> {
        self.known.context
    }

    /// All other parameters: name and value, as written, in order.
    pub fn parameters(&self) -> impl Iterator<Item = (&'a str, Option<Encoded<'a>>)> + use<'a> {
        let all = (!self.parameters.is_empty()).then(|| self.parameters.split(';'));
        let pair = |parameter: Encoded<'a>| match parameter.split_once('=') {
            Some((name, value)) => (name.as_str(), Some(value)),
            None => (parameter.as_str(), None),
        };
        let is_other = |(name, _): &(&str, _)| syntax::Name::of(name) == syntax::Name::Other;
        all.into_iter().flatten().map(pair).filter(is_other)
    }

    /// The first mandatory parameter that RFC 3966 does not define. A number that has one must not
    /// be used (RFC 3966, 5.4).
    pub const fn unknown_mandatory(&self) -> Option<Mismatch> {
        self.mandatory
    }

    /// Whether both are the same number (RFC 3966, 4): visual separators, case and the order of
    /// parameters are ignored.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::Tel;
    /// let a = Uri::parse("tel:+1-201-555-0123;a;b=C")?;
    /// let b = Uri::parse("TEL:+1(201)555.0123;B=c;A")?;
    /// let [a, b] = [a, b].map(|url| Tel::read(url).unwrap());
    /// assert!(a.is_equivalent(&b));
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn is_equivalent(&self, other: &Tel<'_>) -> bool {
        compare::is_equivalent(self, other)
    }

    /// The specification that it was read by, with the section.
    pub const fn specification(&self) -> &'static str {
        "RFC 3966"
    }

    /// All of its meaning as named values, for display or as JSON: `global`, `number` without
    /// visual separators, `ext` likewise, `isub` decoded, `phone_context`, and the other
    /// `parameters` by `name` and `value`.
    #[cfg(feature = "alloc")]
    pub fn details(&self) -> Details<'a> {
        let digits = |number| syntax::digits(number).collect::<String>();
        let parameter = |(name, value): (&'a str, Option<Encoded<'a>>)| {
            Detail::Fields(vec![("name", name.into()), ("value", value.into())])
        };
        Details::new("tel", self.specification())
            .with("global", self.is_global())
            .with("number", digits(self.number))
            .with("ext", self.ext().map(digits))
            .with("isub", self.isub())
            .with("phone_context", self.phone_context())
            .with("parameters", Detail::list(self.parameters().map(parameter)))
    }
}
