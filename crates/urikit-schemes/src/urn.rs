//! `urn`: persistent names, independent of location.
//!
//! ```text
//! <URN>         ::= "urn:" <NID> ":" <NSS>                        RFC 2141, 2
//! <NID>         ::= <let-num> [ 1,31<let-num-hyp> ]
//! <NSS>         ::= 1*<URN chars>
//! namestring    = assigned-name [ rq-components ] [ "#" f-component ]   RFC 8141, 2
//! assigned-name = "urn" ":" NID ":" NSS
//! NID           = (alphanum) 0*30(ldh) (alphanum)
//! NSS           = pchar *(pchar / "/")
//! rq-components = [ "?+" r-component ] [ "?=" q-component ]
//! ```
//!
//! RFC 1630 reserves the prefix `urn:` for a future standard, in which slashes express hierarchy.
//! Under RFC 1630, everything after the colon is the name. RFC 2141 reserves `/` and `?` in names
//! "for future developments", and RFC 8141 defines how to use them. RFC 2141 and RFC 8141 compare
//! names as written: an escape is not equivalent to its character.

use super::scheme::{Builtin, builtin};
use super::shape::{Definition, ReadBy, Shape, reading};
use super::{Edition, ReadError};
use urikit::AnyRef;
use urikit::component::Encoded;
use urikit::grammar::{ByteSet, DIGITS, LETTERS, Rule, rfc3986};
#[cfg(feature = "alloc")]
use {
    super::Details,
    super::build::{
        BuildError, Data, Parts, UNRESERVED, UrlText, are, build_methods, data, is_some, unchanged,
    },
    alloc::vec::Vec,
    urikit::{Standard, percent::Place},
};

const DEFINITION: Definition =
    Definition::new("urn", Rule::new("URN", "RFC 2141, 2"), "RFC 2141, 2")
        .rfc1630(Rule::new("URN", "RFC 2141, 2"), "RFC 1630, URN")
        .successor(Rule::new("namestring", "RFC 8141, 2"), "RFC 8141, 2");

pub(super) static URN: Builtin = builtin!(DEFINITION, Urn);

/// A URN.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Urn;
/// // RFC 8141, 2.3.1
/// let urn = Uri::parse("urn:example:foo-bar-baz-qux?+CCResolve:cc=uk")?;
/// let urn = Urn::read(urn)?;
/// assert_eq!((urn.nid(), urn.nss().as_str()), (Some("example"), "foo-bar-baz-qux"));
/// assert_eq!(urn.r_component().unwrap(), "CCResolve:cc=uk");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Urn<'a> {
    /// The scheme, the NID and the NSS.
    assigned: &'a str,
    /// The scheme, the NID, the NSS and the r-component.
    request: &'a str,
    nid: Option<&'a str>,
    nss: Encoded<'a>,
    r: Option<Encoded<'a>>,
    q: Option<Encoded<'a>>,
    f: Option<Encoded<'a>>,
    read_by: ReadBy,
}

reading!(
    Urn,
    "a URN",
    /// Returns the parts of the URL as named values, for display or for JSON, not decoded: `nid`,
    /// `nss`, `r_component`, `q_component` and `f_component`.
    details
);

impl<'a> Urn<'a> {
    /// Reads a reference as a URN. The original edition is RFC 2141, or RFC 1630 for references
    /// parsed under RFC 1630. The successor is RFC 8141.
    ///
    /// # Errors
    ///
    /// Fails if the reference is not a URN under that edition.
    pub fn read_as(reference: impl Into<AnyRef<'a>>, edition: Edition) -> Result<Self, ReadError> {
        let reference = reference.into();
        let shape = Shape::new(reference, edition, &DEFINITION)?;
        let part = shape.scheme_part();
        let parts = if edition == Edition::Successor {
            rfc8141(&shape, part)?
        } else if shape.is_rfc1630() {
            Layout::without_namespace(part)
        } else {
            rfc2141(&shape, part)?
        };
        // Returns the text up to the end of a part.
        let up_to = |part: Encoded<'_>| {
            let end = shape.offset(part.as_str()) + part.len();
            reference.as_str().get(..end).unwrap_or_default()
        };
        Ok(Self {
            assigned: up_to(parts.nss),
            request: up_to(parts.r.unwrap_or(parts.nss)),
            nid: parts.nid,
            nss: parts.nss,
            r: parts.r,
            q: parts.q,
            f: reference.fragment(),
            read_by: shape.read_by(),
        })
    }

    /// Returns the namespace identifier, as written. The identifier is not case-sensitive. Returns
    /// `None` only under RFC 1630, which has no namespaces.
    pub const fn nid(&self) -> Option<&'a str> {
        self.nid
    }

    /// Returns the namespace specific string, as written. Do not decode this string: escapes are
    /// part of the name (RFC 2141, 5; RFC 8141, 3.1).
    pub const fn nss(&self) -> Encoded<'a> {
        self.nss
    }

    /// Returns the name (`urn:`, the NID and the NSS), as written.
    pub const fn assigned_name(&self) -> &'a str {
        self.assigned
    }

    /// Returns the input of a resolver, as written: the name, and the r-component if present (RFC
    /// 8141, 2.3.1).
    pub const fn request(&self) -> &'a str {
        self.request
    }

    /// Returns the r-component, as written: parameters for the resolver (RFC 8141, 2.3.1).
    pub const fn r_component(&self) -> Option<Encoded<'a>> {
        self.r
    }

    /// Returns the q-component, as written: a query for the named resource (RFC 8141, 2.3.2).
    pub const fn q_component(&self) -> Option<Encoded<'a>> {
        self.q
    }

    /// Returns the f-component, as written: a part of the named resource (RFC 8141, 2.3.3). The
    /// f-component is the fragment of the reference, and is never sent.
    pub const fn f_component(&self) -> Option<Encoded<'a>> {
        self.f
    }

    /// Returns true if both names are equivalent (RFC 2141, 5; RFC 8141, 3.1). NIDs and the
    /// hexadecimal digits of escapes are not case-sensitive, but the rest of a name is. The r-, q-
    /// and f-components are ignored.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::Urn;
    /// // RFC 8141, 3.2
    /// let a = Uri::parse("urn:example:a123,z456?+abc")?;
    /// let b = Uri::parse("URN:EXAMPLE:a123,z456#789")?;
    /// let c = Uri::parse("urn:example:a123%2Cz456")?;
    /// let [a, b, c] = [a, b, c].map(|urn| Urn::read(urn).unwrap());
    /// assert!(a.is_equivalent(&b) && !a.is_equivalent(&c));
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    pub fn is_equivalent(&self, other: &Urn<'_>) -> bool {
        let is_nid = match (self.nid, other.nid) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        is_nid && normal(self.nss).eq(normal(other.nss))
    }

    #[cfg(feature = "alloc")]
    fn values(&self, details: Details<'a>) -> Details<'a> {
        let part = |part: Option<Encoded<'a>>| part.map(Encoded::as_str);
        details
            .with("nid", self.nid)
            .with("nss", self.nss.as_str())
            .with("r_component", part(self.r))
            .with("q_component", part(self.q))
            .with("f_component", part(self.f))
    }
}

/// Returns the bytes of a name, with the digits of its escapes in upper case.
fn normal(nss: Encoded<'_>) -> impl Iterator<Item = u8> + '_ {
    let mut digits = 0_u8;
    nss.as_str().bytes().map(move |byte| {
        if digits > 0 {
            digits -= 1;
            return byte.to_ascii_uppercase();
        }
        if byte == b'%' {
            digits = 2;
        }
        byte
    })
}

const NID: Rule = Rule::new("NID", "RFC 2141, 2.1");
const NID_8141: Rule = Rule::new("NID", "RFC 8141, 2");
const URN_CHARS: Rule = Rule::new("URN chars", "RFC 2141, 2.2");
const NSS_8141: Rule = Rule::new("NSS", "RFC 8141, 2");
const RQ_COMPONENTS: Rule = Rule::new("rq-components", "RFC 8141, 2");

/// The characters of RFC 2141's `trans`, except `%`, which begins an escape, and `#`, which begins
/// the fragment.
static TRANS: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"()+,-.:=@;$_!*'/?"));
/// The characters allowed in RFC 8141's NSS after the first `pchar`.
static NSS_CHAR: ByteSet = rfc3986::PCHAR.set().or(ByteSet::of(b"/"));
/// The characters allowed in RFC 8141's r- and q-components after the first `pchar`.
static COMPONENT: ByteSet = NSS_CHAR.or(ByteSet::of(b"?"));

/// The maximum length of a NID, in both RFCs.
const NID_MAX: usize = 32;

/// The parts of a URN, as written.
struct Layout<'a> {
    nid: Option<&'a str>,
    nss: Encoded<'a>,
    r: Option<Encoded<'a>>,
    q: Option<Encoded<'a>>,
}

impl<'a> Layout<'a> {
    /// Creates the layout of a name without a namespace.
    const fn without_namespace(nss: Encoded<'a>) -> Self {
        Self {
            nid: None,
            nss,
            r: None,
            q: None,
        }
    }
}

/// Reads `<NID> ":" <NSS>` (RFC 2141).
fn rfc2141<'a>(shape: &Shape<'a>, part: Encoded<'a>) -> Result<Layout<'a>, ReadError> {
    let (nid, nss) = nid(shape, part)?;
    let expected = "a character of a name (escape all others)";
    check_chars(shape, nss, [&TRANS, &TRANS], expected, URN_CHARS)?;
    if let Some(at) = nss.as_str().find("%00") {
        let at = shape.offset(nss.as_str()) + at + 2;
        return Err(shape.mismatch_in(at, "an octet other than 0", URN_CHARS));
    }
    let nid = Some(nid);
    Ok(Layout {
        nid,
        ..Layout::without_namespace(nss)
    })
}

/// Reads `NID ":" NSS [ rq-components ]` (RFC 8141).
fn rfc8141<'a>(shape: &Shape<'a>, part: Encoded<'a>) -> Result<Layout<'a>, ReadError> {
    let (nid, rest) = nid(shape, part)?;
    let (nss, rq) = match rest.split_once('?') {
        Some((nss, rq)) => (nss, Some(rq)),
        None => (rest, None),
    };
    let pchar = rfc3986::PCHAR.set();
    let expected = "a character of a name other than a slash (escape all others)";
    check_chars(shape, nss, [pchar, &NSS_CHAR], expected, NSS_8141)?;
    let (mut r, mut q) = (None, None);
    if let Some(rq) = rq {
        let text = rq.as_str();
        if let Some(text) = text.strip_prefix('+') {
            let (before, after) = match text.split_once("?=") {
                Some((before, after)) => (before, Some(after)),
                None => (text, None),
            };
            r = Some(Encoded::assume_valid(before));
            q = after.map(Encoded::assume_valid);
        } else if let Some(text) = text.strip_prefix('=') {
            q = Some(Encoded::assume_valid(text));
        } else {
            let expected = "`+` or `=` after the `?`";
            return Err(shape.mismatch_in(shape.offset(text), expected, RQ_COMPONENTS));
        }
        for component in [r, q].into_iter().flatten() {
            let expected = "a character of a component other than `/` and `?`";
            check_chars(
                shape,
                component,
                [pchar, &COMPONENT],
                expected,
                RQ_COMPONENTS,
            )?;
        }
    }
    let nid = Some(nid);
    Ok(Layout { nid, nss, r, q })
}

/// Reads the NID before the first colon, and returns it with the text after the colon.
fn nid<'a>(shape: &Shape<'a>, part: Encoded<'a>) -> Result<(&'a str, Encoded<'a>), ReadError> {
    let is_original = shape.edition == Edition::Original;
    let rule = if is_original { NID } else { NID_8141 };
    let text = part.as_str();
    let start = shape.offset(text);
    let refuse = |at: usize, expected| Err(shape.mismatch_in(start + at, expected, rule));
    let is_nid = |(at, byte): (usize, u8)| byte.is_ascii_alphanumeric() || at > 0 && byte == b'-';
    let end = text.bytes().enumerate().position(|byte| !is_nid(byte));
    let end = end.unwrap_or(text.len());
    let nid = text.get(..end).unwrap_or_default();
    let least = if is_original { 1 } else { 2 };
    if !is_original && text.get(NID_MAX - 1..NID_MAX) == Some("-") && end >= NID_MAX {
        return refuse(NID_MAX - 1, "a letter or a digit at the end of the NID");
    }
    if end > NID_MAX {
        return refuse(NID_MAX, "`:` after a NID of 32 characters");
    }
    if end == 0 {
        return refuse(0, "a NID, which begins with a letter or a digit");
    }
    let Some(nss) = text.get(end..).and_then(|rest| rest.strip_prefix(':')) else {
        return refuse(end, "a letter, a digit, `-`, or `:` and a name");
    };
    if end < least || !is_original && nid.ends_with('-') {
        return refuse(end, "a letter or a digit at the end of the NID");
    }
    if is_original && nid.eq_ignore_ascii_case("urn") {
        return refuse(end, "a NID other than `urn`, which is reserved");
    }
    Ok((nid, Encoded::assume_valid(nss)))
}

/// Checks that the part is not empty, that its first character is in the first set, and that all
/// other characters are in the second set. Escapes are also allowed.
fn check_chars(
    shape: &Shape<'_>,
    part: Encoded<'_>,
    [first, set]: [&ByteSet; 2],
    expected: &'static str,
    rule: Rule,
) -> Result<(), ReadError> {
    let is_other = |(at, byte): (usize, u8)| {
        let set = if at == 0 { first } else { set };
        byte != b'%' && !set.contains(byte)
    };
    let text = part.as_str();
    let other = match text.bytes().enumerate().position(is_other) {
        None if text.is_empty() => 0,
        None => return Ok(()),
        Some(at) => at,
    };
    Err(shape.mismatch_in(shape.offset(text) + other, expected, rule))
}

/// The characters that stay unescaped in an NSS: RFC 2141's URN characters except the reserved
/// ones.
#[cfg(feature = "alloc")]
const NSS_UNESCAPED: ByteSet = UNRESERVED.or(ByteSet::of(b":=@;"));
/// The characters that stay unescaped in an r-, q- or f-component.
#[cfg(feature = "alloc")]
const COMPONENT_UNESCAPED: ByteSet = UNRESERVED.or(ByteSet::of(b":@&=;/"));

/// Builds a URN from its parts.
///
/// The name is passed as octets. Characters that RFC 2141 reserves or excludes are escaped. Each
/// namespace defines how the names that it uses are written in a URN (RFC 8141, 2.2).
///
/// ```
/// use urikit_schemes::Urn;
/// let urn = Urn::builder("foo", "a123,456").build()?; // RFC 2141, 6
/// assert_eq!(urn.as_str(), "urn:foo:a123,456");
/// // RFC 8141, 2.2: these slashes are delimiters
/// let urn = Urn::builder("example", "1").below("406").below("47452").below("2").build()?;
/// assert_eq!(urn.as_str(), "urn:example:1/406/47452/2");
/// # Ok::<(), urikit_schemes::BuildError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct UrnBuilder<'a> {
    nid: &'a str,
    /// The parts of the NSS, which are separated by slashes.
    nss: Vec<Data<'a>>,
    r: Option<Data<'a>>,
    q: Option<Data<'a>>,
    f: Option<Data<'a>>,
}

#[cfg(feature = "alloc")]
impl Urn<'_> {
    /// Starts building a URN with a namespace identifier and a name.
    pub fn builder<'a, T: AsRef<[u8]> + ?Sized>(nid: &'a str, nss: &'a T) -> UrnBuilder<'a> {
        UrnBuilder {
            nid,
            nss: Vec::from([data(nss)]),
            r: None,
            q: None,
            f: None,
        }
    }
}

#[cfg(feature = "alloc")]
impl<'a> UrnBuilder<'a> {
    /// Adds a slash and a part of the name. This slash is a delimiter, not data (RFC 8141, 2.2).
    #[must_use]
    pub fn below<T: AsRef<[u8]> + ?Sized>(mut self, part: &'a T) -> Self {
        self.nss.push(data(part));
        self
    }

    /// Sets the r-component: parameters for the resolver (RFC 8141, 2.3.1).
    #[must_use]
    pub fn r_component<T: AsRef<[u8]> + ?Sized>(mut self, r: &'a T) -> Self {
        self.r = Some(data(r));
        self
    }

    /// Sets the q-component: a query for the named resource (RFC 8141, 2.3.2).
    #[must_use]
    pub fn q_component<T: AsRef<[u8]> + ?Sized>(mut self, q: &'a T) -> Self {
        self.q = Some(data(q));
        self
    }

    /// Sets the f-component: a part of the named resource (RFC 8141, 2.3.3).
    #[must_use]
    pub fn f_component<T: AsRef<[u8]> + ?Sized>(mut self, f: &'a T) -> Self {
        self.f = Some(data(f));
        self
    }
}

#[cfg(feature = "alloc")]
build_methods!(
    UrnBuilder,
    /// Builds the URN as an RFC 3986 URI.
    build,
    /// Fails if the parts do not form a URN. This happens, for example, if the NID is not valid, if
    /// the name is empty, or if a name under RFC 2141 contains the octet 0.
    errors
);

#[cfg(feature = "alloc")]
impl Parts for UrnBuilder<'_> {
    fn scheme(&self) -> &'static str {
        DEFINITION.facts.name
    }

    fn write(&self, text: &mut UrlText) {
        text.push(self.nid);
        for (at, part) in self.nss.iter().enumerate() {
            text.push(if at == 0 { ":" } else { "/" });
            text.escape(part, Place::Path, &NSS_UNESCAPED);
        }
        for (delimiter, part) in [("?+", &self.r), ("?=", &self.q), ("#", &self.f)] {
            if let Some(part) = part {
                text.push(delimiter);
                text.escape(part, Place::Query, &COMPONENT_UNESCAPED);
            }
        }
    }

    fn check(&self, url: AnyRef<'_>, standard: Standard) -> Result<(), BuildError> {
        let is_original = self.nss.len() == 1 && self.r.is_none() && self.q.is_none();
        if is_original {
            self.check_as(url, Edition::Original)?;
        }
        if !is_original || standard >= Standard::Rfc3986 {
            self.check_as(url, Edition::Successor)?;
        }
        Ok(())
    }
}

#[cfg(feature = "alloc")]
impl UrnBuilder<'_> {
    /// Checks that reading the URN under an edition yields the same parts.
    fn check_as(&self, url: AnyRef<'_>, edition: Edition) -> Result<(), BuildError> {
        let read = Urn::read_as(url, edition)?;
        unchanged("namespace identifier", read.nid() == Some(self.nid))?;
        unchanged("name", are(read.nss().split('/'), &self.nss))?;
        unchanged(
            "r-component",
            is_some(read.r_component(), self.r.as_deref()),
        )?;
        unchanged(
            "q-component",
            is_some(read.q_component(), self.q.as_deref()),
        )?;
        unchanged(
            "f-component",
            is_some(read.f_component(), self.f.as_deref()),
        )
    }
}
