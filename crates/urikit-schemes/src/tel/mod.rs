//! `tel`: telephone numbers.
//!
//! ```text
//! telephone-uri = "tel:" telephone-subscriber                     RFC 3966, 3
//! global-number = global-number-digits *par
//! local-number  = local-number-digits *par context *par
//! par           = parameter / extension / isdn-subaddress
//! ```
//!
//! A tel URI identifies a telephone number. The URI does not ask a client to call the number (RFC
//! 3966, 1 and 11). Visual separators have no meaning.
//!
//! RFC 3966 is the specification for both editions. A `#` begins a fragment in every URI, so it is
//! written `%23`. `;`, `=` and `?` are escaped in all values, including the value of `isub`
//! (section 3). Section 3 requires the parameters to be in a certain order, but section 4 compares
//! parameters "regardless of the order". We accept up to a hundred parameters, in any order.

mod syntax;

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Shape, reading};
use super::{Edition, Mismatch, ReadError};
use core::cmp::Ordering;
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit::grammar::Rule;
use urikit::octet::escaped_octet;
#[cfg(feature = "alloc")]
use {
    super::build::{
        BuildError, Data, Parts, UNRESERVED, UrlText, build_methods, data, is_some, unchanged,
    },
    super::{Detail, Details},
    alloc::{string::String, vec, vec::Vec},
    urikit::{Standard, grammar::ByteSet, percent::Place},
};

const DEFINITION: Definition =
    Definition::new("tel", Rule::new("telephone-uri", "RFC 3966, 3"), "RFC 3966");

pub(super) static TEL: Builtin = builtin!(DEFINITION, Tel);

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
    /// All parameters, without the first semicolon. Empty if the URI has no parameters.
    parameters: Encoded<'a>,
    known: syntax::Known<'a>,
    /// The first mandatory parameter that RFC 3966 does not define.
    mandatory: Option<Mismatch>,
    read_by: ReadBy,
}

reading!(
    Tel,
    "a tel URI",
    /// Returns the parts of the URL as named values, for display or for JSON: `global`, `number`
    /// and `ext` without visual separators, `isub` decoded, `phone_context`, and the other
    /// `parameters` by `name` and `value`.
    details
);

impl<'a> Tel<'a> {
    /// Reads a reference as a tel URI. The syntax is the same in both [`Edition`]s.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a tel URI.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, &DEFINITION)?;
        let (number, parameters) = syntax::number(&shape)?;
        let known = syntax::parameters(&shape, number, parameters)?;
        let mut tel = Self {
            number,
            parameters: parameters.unwrap_or(Encoded::assume_valid("")),
            known,
            mandatory: None,
            read_by: shape.read_by(),
        };
        syntax::check_unique(&shape, &tel)?;
        let is_mandatory =
            |name: &&str| name.get(..2).is_some_and(|m| m.eq_ignore_ascii_case("m-"));
        tel.mandatory = tel
            .parameters()
            .map(|(name, _)| name)
            .find(is_mandatory)
            .map(|name| {
                let rule = Rule::new("parameter", "RFC 3966, 5.4");
                let expected = "no unknown mandatory parameter";
                Mismatch::new(reference.as_str(), shape.offset(name), expected, rule)
            });
        Ok(tel)
    }

    /// Returns true if the number is global: it begins with `+`.
    pub fn is_global(&self) -> bool {
        self.number.starts_with('+')
    }

    /// Returns the number as written, with its `+` and its visual separators. A `#` is written
    /// `%23`.
    pub const fn number(&self) -> &'a str {
        self.number
    }

    /// Returns the number without visual separators. Global numbers consist of `+` and digits;
    /// local numbers consist of digits, `A` to `F` in either case, `*` and `#`.
    pub fn digits(&self) -> impl Iterator<Item = char> + use<'a> {
        syntax::digits(self.number)
    }

    /// Returns the extension, as written (RFC 3966, 5.3).
    pub const fn ext(&self) -> Option<&'a str> {
        self.known.ext
    }

    /// Returns the extension without visual separators (RFC 3966, 5.3).
    pub fn ext_digits(&self) -> Option<impl Iterator<Item = char> + use<'a>> {
        self.ext().map(syntax::digits)
    }

    /// Returns the ISDN subaddress, as written (RFC 3966, 5.2).
    pub const fn isub(&self) -> Option<Encoded<'a>> {
        self.known.isub
    }

    /// Returns the context in which a local number is valid, as written: a domain name, or the
    /// beginning of a global number (RFC 3966, 5.1.5).
    pub const fn phone_context(&self) -> Option<&'a str> {
        self.known.context
    }

    /// Returns all other parameters in order: name and value, as written.
    pub fn parameters(&self) -> impl Iterator<Item = (&'a str, Option<Encoded<'a>>)> + use<'a> {
        let all = (!self.parameters.is_empty()).then(|| self.parameters.split(';'));
        let pair = |parameter: Encoded<'a>| match parameter.split_once('=') {
            Some((name, value)) => (name.as_str(), Some(value)),
            None => (parameter.as_str(), None),
        };
        let is_other = |(name, _): &(&str, _)| syntax::Name::of(name) == syntax::Name::Other;
        all.into_iter().flatten().map(pair).filter(is_other)
    }

    /// Returns an error about the first mandatory parameter that RFC 3966 does not define. Programs
    /// must not use a number with an unknown mandatory parameter (RFC 3966, 5.4).
    pub const fn unknown_mandatory(&self) -> Option<Mismatch> {
        self.mandatory
    }

    /// Returns true if both URIs identify the same number (RFC 3966, 4). Visual separators, case
    /// and the order of parameters are ignored.
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
        is_equivalent(self, other)
    }

    #[cfg(feature = "alloc")]
    fn values(&self, details: Details<'a>) -> Details<'a> {
        let digits = |number| syntax::digits(number).collect::<String>();
        let parameter = |(name, value): (&'a str, Option<Encoded<'a>>)| {
            Detail::Fields(vec![("name", name.into()), ("value", value.into())])
        };
        details
            .with("global", self.is_global())
            .with("number", digits(self.number))
            .with("ext", self.ext().map(digits))
            .with("isub", self.isub())
            .with("phone_context", self.phone_context())
            .with("parameters", Detail::list(self.parameters().map(parameter)))
    }
}

fn is_equivalent(a: &Tel<'_>, b: &Tel<'_>) -> bool {
    is_number(a.number(), b.number())
        && is_both(a.ext(), b.ext(), is_number)
        && is_both(a.isub(), b.isub(), is_value)
        && is_both(a.phone_context(), b.phone_context(), is_context)
        && is_same_parameters(a, b)
}

fn is_both<T>(a: Option<T>, b: Option<T>, is: impl Fn(T, T) -> bool) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => is(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Compares numbers digit by digit, including the `+` but ignoring visual separators.
fn is_number(a: &str, b: &str) -> bool {
    let lower = |c: char| c.to_ascii_lowercase();
    syntax::digits(a)
        .map(lower)
        .eq(syntax::digits(b).map(lower))
}

/// Compares contexts as host names, or digit by digit.
fn is_context(a: &str, b: &str) -> bool {
    match (a.starts_with('+'), b.starts_with('+')) {
        (true, true) => is_number(a, b),
        (false, false) => a.eq_ignore_ascii_case(b),
        _ => false,
    }
}

/// Compares values, ignoring case. The escape of a character that is neither reserved nor unsafe
/// is equivalent to the character (RFC 3966, 3).
fn is_value(a: Encoded<'_>, b: Encoded<'_>) -> bool {
    normal(a).eq(normal(b))
}

/// Returns the octets of a value, each with a flag that is true for an escape that is not
/// equivalent to its character.
fn normal(value: Encoded<'_>) -> impl Iterator<Item = (bool, u8)> + '_ {
    let mut rest = value.as_str().as_bytes();
    core::iter::from_fn(move || {
        let (first, after) = rest.split_first()?;
        let Some(octet) = escaped_octet(rest) else {
            rest = after;
            return Some((false, first.to_ascii_lowercase()));
        };
        rest = rest.get(3..).unwrap_or_default();
        let is_plain = octet.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&octet);
        Some((
            !is_plain,
            if is_plain {
                octet.to_ascii_lowercase()
            } else {
                octet
            },
        ))
    })
}

/// Compares the remaining parameters by name, in any order.
fn is_same_parameters(a: &Tel<'_>, b: &Tel<'_>) -> bool {
    let is_same = |x: (&str, Option<Encoded<'_>>), y: (&str, Option<Encoded<'_>>)| {
        syntax::order(x.0, y.0) == Ordering::Equal && is_both(x.1, y.1, is_value)
    };
    let mut pairs = a.parameters().zip(b.parameters());
    if a.parameters().count() != b.parameters().count() {
        return false;
    }
    // Both lists have the same number of parameters, and neither has duplicates. Unsorted lists are
    // short, because `check_unique` rejects long ones.
    pairs.all(|(x, y)| is_same(x, y))
        || a.parameters().count() <= syntax::UNORDERED_MAX
            && a.parameters()
                .all(|x| b.parameters().any(|y| is_same(x, y)))
}

/// The characters that stay unescaped in a value: those of RFC 3966's `unreserved` that all
/// standards allow.
#[cfg(feature = "alloc")]
const VALUE: ByteSet = UNRESERVED.without(ByteSet::of(b"$+,"));

/// Builds the URI of a telephone number. The parameters are written in the required order
/// (RFC 3966, 3).
///
/// ```
/// use urikit_schemes::Tel;
/// let url = Tel::global("+1-201-555-0123").build()?; // RFC 3966, 6
/// assert_eq!(url.as_str(), "tel:+1-201-555-0123");
/// let url = Tel::local("863-1234", "+1-914-555").build()?;
/// assert_eq!(url.as_str(), "tel:863-1234;phone-context=+1-914-555");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct TelBuilder<'a> {
    number: &'a str,
    context: Option<&'a str>,
    ext: Option<&'a str>,
    isub: Option<Data<'a>>,
    /// The parameters are sorted by name (RFC 3966, 3).
    others: Vec<(&'a str, Option<Data<'a>>)>,
}

#[cfg(feature = "alloc")]
impl Tel<'_> {
    /// Starts building a URI with a global number: `+`, digits and visual separators.
    pub const fn global(number: &str) -> TelBuilder<'_> {
        TelBuilder {
            number,
            context: None,
            ext: None,
            isub: None,
            others: Vec::new(),
        }
    }

    /// Starts building a URI with a local number and its context. The number may contain digits,
    /// `*`, `#` and `A` to `F`. The context is a domain name, or the beginning of a global number.
    pub const fn local<'a>(number: &'a str, context: &'a str) -> TelBuilder<'a> {
        let mut builder = Tel::global(number);
        builder.context = Some(context);
        builder
    }
}

#[cfg(feature = "alloc")]
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
    pub fn flag(self, name: &'a str) -> Self {
        self.with_parameter(name, None)
    }

    /// Adds a parameter with a value in octets.
    #[must_use]
    pub fn parameter<T: AsRef<[u8]> + ?Sized>(self, name: &'a str, value: &'a T) -> Self {
        self.with_parameter(name, Some(data(value)))
    }

    fn with_parameter(mut self, name: &'a str, value: Option<Data<'a>>) -> Self {
        let is_before = |(other, _): &(&str, _)| syntax::order(other, name) != Ordering::Greater;
        let at = self.others.partition_point(is_before);
        self.others.insert(at, (name, value));
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    TelBuilder,
    /// Builds the URI, which is valid under RFC 3986 and RFC 1738.
    build,
    /// Fails if the parts do not form a telephone number. This happens, for example, if a local
    /// number is passed as a global number, or if a parameter is repeated.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for TelBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
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
        for (name, value) in &self.others {
            text.push(";");
            text.push(name);
            if let Some(value) = value {
                text.push("=");
                text.escape(value, Place::Path, &VALUE);
            }
        }
    }

    fn check(&self, url: AnyRef<'_>, _: Standard) -> Result<(), BuildError> {
        let read = Tel::read(url)?;
        let digits = self.number.chars().filter(|c| !"-.()".contains(*c));
        let is_number = read.digits().eq(digits) && read.is_global() == self.context.is_none();
        unchanged("number", is_number)?;
        unchanged("extension", read.ext() == self.ext)?;
        unchanged("subaddress", is_some(read.isub(), self.isub.as_deref()))?;
        unchanged("context", read.phone_context() == self.context)?;
        let is_others = read.parameters().count() == self.others.len()
            && read
                .parameters()
                .zip(&self.others)
                .all(|(read, given)| read.0 == given.0 && is_some(read.1, given.1.as_deref()));
        unchanged("parameter", is_others)
    }
}
