//! The header fields of a mailto URI (RFC 6068, 2 to 4).

use core::fmt;
use urikit::component::Encoded;

/// A header field that a mailto URI proposes for the message, or the message's body.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::{Caution, Mailto};
/// // RFC 6068, 6.1
/// let url = Uri::parse("mailto:joe@example.com?cc=bob@example.com&body=hello")?;
/// let mut headers = Mailto::read(url)?.headers();
/// let cc = headers.next().unwrap();
/// assert!(cc.is_named("CC"));
/// assert_eq!((cc.value().as_str(), cc.caution()), ("bob@example.com", Caution::Suspect));
/// assert!(headers.next().unwrap().is_body());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeaderField<'a> {
    name: Encoded<'a>,
    value: Encoded<'a>,
}

/// What RFC 6068 (sections 3, 4 and 7) says about a header field that a URI proposes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Caution {
    /// Considered safe and useful: `subject`, `keywords` and `body`; and `to`, which has the same
    /// meaning as the addresses before the `?`.
    Safe,
    /// Any other: used only if the person who sends the message agrees.
    Suspect,
    /// Never taken from a URI: the fields for the originator, routing, tracing and MIME, and
    /// invalid field names.
    Ignored,
}

/// The fields for the originator (RFC 5322, 3.6.1 and 3.6.2), routing, tracing (3.6.7) and MIME.
const IGNORED: [&str; 8] = [
    "from",
    "sender",
    "reply-to",
    "date",
    "apparently-to",
    "return-path",
    "received",
    "mime-version",
];
/// Prefixes of the names of such fields.
const IGNORED_FAMILIES: [&str; 2] = ["resent-", "content-"];

impl<'a> HeaderField<'a> {
    /// `hfname "=" hfvalue`
    pub(super) const fn new(name: Encoded<'a>, value: Encoded<'a>) -> Self {
        Self { name, value }
    }

    /// The name, as written. Case does not matter.
    pub const fn name(self) -> Encoded<'a> {
        self.name
    }

    /// The value, as written. A `+` is a plus sign.
    pub const fn value(self) -> Encoded<'a> {
        self.value
    }

    /// Whether the decoded name is this one, in any case.
    pub fn is_named(self, name: &str) -> bool {
        let lower = |octet: u8| octet.to_ascii_lowercase();
        self.name
            .decode()
            .octets()
            .map(lower)
            .eq(name.bytes().map(lower))
    }

    /// Whether it is not a header field but the text of the message.
    pub fn is_body(self) -> bool {
        self.is_named("body")
    }

    /// How a client treats it.
    pub fn caution(self) -> Caution {
        let is_one_of = |names: &[&str]| names.iter().any(|name| self.is_named(name));
        if is_one_of(&["to", "subject", "keywords", "body"]) {
            Caution::Safe
        } else if is_one_of(&IGNORED)
            || IGNORED_FAMILIES.iter().any(|begin| self.begins_with(begin))
            || !self.is_field_name()
        {
            Caution::Ignored
        } else {
            Caution::Suspect
        }
    }

    fn begins_with(self, begin: &str) -> bool {
        let name = self.name.decode().octets().take(begin.len());
        name.map(|octet| octet.to_ascii_lowercase())
            .eq(begin.bytes())
    }

    /// RFC 5322, 3.6.8: `field-name = 1*ftext`. Any other name could end early in the message and
    /// act as a field that must not be taken.
    fn is_field_name(self) -> bool {
        let mut octets = self.name.decode().octets();
        !self.name.is_empty() && octets.all(|octet| octet.is_ascii_graphic() && octet != b':')
    }
}

impl fmt::Debug for HeaderField<'_> {
    /// As written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

impl Caution {
    /// The name, in lower case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Suspect => "suspect",
            Self::Ignored => "ignored",
        }
    }
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
