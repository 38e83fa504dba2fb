//! The header fields of a mailto URI (RFC 6068, 2 to 4).

use crate::component::Encoded;
use core::fmt;

/// A header field that a mailto URI proposes for the message, or its body.
///
/// ```
/// use urikit::UriRef;
/// use urikit::scheme::{Caution, Mailto};
/// // RFC 6068, 6.1
/// let url = UriRef::parse("mailto:joe@example.com?cc=bob@example.com&body=hello")?;
/// let mut headers = Mailto::read(url.as_any())?.headers();
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

/// What RFC 6068 (sections 3, 4 and 7) says of a header field that a URI proposes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Caution {
    /// Believed to be safe and useful: `subject`, `keywords` and `body`; and `to`, which is the same as the
    /// addresses before the `?`.
    Safe,
    /// Anything else: only if the person who sends the message agrees.
    Suspect,
    /// Never taken from a URI: the fields of the originator, of routing, of tracing and of MIME, and what is no
    /// name of a field.
    Ignored,
}

/// Fields of the originator (RFC 5322, 3.6.1 and 3.6.2), of routing, of tracing (3.6.7) and of MIME.
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
/// What names of such fields begin with.
const IGNORED_FAMILIES: [&str; 2] = ["resent-", "content-"];

impl<'a> HeaderField<'a> {
    /// `hfname "=" hfvalue`
    pub(super) const fn new(name: Encoded<'a>, value: Encoded<'a>) -> Self {
        Self { name, value }
    }

    /// The name, as written. Its letters have no case.
    pub const fn name(self) -> Encoded<'a> {
        self.name
    }

    /// The value, as written. A `+` is a `+`.
    pub const fn value(self) -> Encoded<'a> {
        self.value
    }

    /// Whether the decoded name is this one, in any case.
    pub fn is_named(self, name: &str) -> bool {
        let lower = |octet: u8| octet.to_ascii_lowercase();
        self.name.decode().map(lower).eq(name.bytes().map(lower))
    }

    /// Whether it is no header field but the text of the message.
    pub fn is_body(self) -> bool {
        self.is_named("body")
    }

    /// How a client takes it.
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
        let name = self.name.decode().take(begin.len());
        name.map(|octet| octet.to_ascii_lowercase())
            .eq(begin.bytes())
    }

    /// RFC 5322, 3.6.8: `field-name = 1*ftext`. Another name could end before its end, and be a field that is
    /// not to be taken.
    fn is_field_name(self) -> bool {
        let mut octets = self.name.decode();
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
