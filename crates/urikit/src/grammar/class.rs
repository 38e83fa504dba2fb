//! The building blocks of a grammar: named rules, character classes, and non-ASCII characters.

use urikit_scan::ByteSet;

/// The name of a production in its RFC, and the section that defines it.
///
/// Each error refers to a rule. `spec/abnf/` contains the definition of every rule, and a test
/// checks that the definitions match.
///
/// ```
/// use urikit::grammar::{Rule, rfc1630};
/// // RFC 1630 has headings instead of section numbers.
/// assert_eq!(rfc1630::LOGIN.section(), "RFC 1630, BNF for specific URL schemes");
/// const MAILTO: Rule = Rule::new("mailtoURI", "RFC 6068, 2");
/// assert_eq!(MAILTO.name(), "mailtoURI");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    name: &'static str,
    section: &'static str,
}

impl Rule {
    /// Creates a rule with a name and a section, for a custom scheme.
    pub const fn new(name: &'static str, section: &'static str) -> Self {
        Self { name, section }
    }

    /// Returns the name in the RFC, such as `path-noscheme` or `opaque_part`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the document and section, such as `RFC 3986, 3.3`. RFC 1630 has headings instead of
    /// section numbers.
    pub const fn section(&self) -> &'static str {
        self.section
    }
}

/// The characters allowed in a production: the bytes that match, and whether escapes (`%` and two
/// hexadecimal digits) or non-ASCII characters also match.
///
/// Some productions, like `scheme`, allow different characters at the start. The class of such a
/// production applies after the text that [`after`] returns. Other productions, like `article`,
/// allow different characters at the end. The class of such a production applies before the text
/// that [`before`] returns.
///
/// [`after`]: Class::after
/// [`before`]: Class::before
///
/// ```
/// use urikit::grammar::rfc3986::{PCHAR, SCHEME};
/// assert_eq!(SCHEME.after(), "a"); // the class applies after a first letter
/// assert!(SCHEME.set().contains(b'+') && !SCHEME.has_escapes());
/// // An escape is not a byte: `%` is never in the set.
/// assert!(PCHAR.has_escapes() && !PCHAR.set().contains(b'%'));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Class {
    rule: Rule,
    after: &'static str,
    before: &'static str,
    set: ByteSet,
    escapes: bool,
    beyond: Beyond,
}

impl Class {
    pub(crate) const fn new(name: &'static str, section: &'static str, set: ByteSet) -> Self {
        Self {
            rule: Rule::new(name, section),
            after: "",
            before: "",
            set,
            escapes: false,
            beyond: Beyond::None,
        }
    }

    /// Makes the class apply to the part of the production after `text`.
    pub(crate) const fn after_text(mut self, text: &'static str) -> Self {
        self.after = text;
        self
    }

    /// Makes the class apply to the part of the production before `text`.
    pub(crate) const fn before_text(mut self, text: &'static str) -> Self {
        self.before = text;
        self
    }

    /// Adds escapes.
    pub(crate) const fn or_escape(mut self) -> Self {
        self.escapes = true;
        self
    }

    /// Adds non-ASCII characters.
    pub(crate) const fn or_beyond(mut self, beyond: Beyond) -> Self {
        self.beyond = beyond;
        self
    }

    /// Adds characters to the class. Errors still refer to the same rule.
    pub(crate) const fn with(mut self, characters: &[u8]) -> Self {
        self.set = self.set.or(ByteSet::of(characters));
        self
    }

    /// Removes characters from the class. Errors still refer to the same rule.
    pub(crate) const fn without(mut self, characters: &[u8]) -> Self {
        self.set = self.set.without(ByteSet::of(characters));
        self
    }

    /// Returns the production that the class belongs to.
    pub const fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Returns an example of the text that precedes the class in its production, or an empty string
    /// if the class applies from the start.
    pub const fn after(&self) -> &'static str {
        self.after
    }

    /// Returns an example of the text that follows the class in its production, or an empty string
    /// if the class applies to the end.
    pub const fn before(&self) -> &'static str {
        self.before
    }

    /// Returns the bytes that the class matches.
    pub const fn set(&self) -> &ByteSet {
        &self.set
    }

    /// Returns whether the class also matches escapes.
    pub const fn has_escapes(&self) -> bool {
        self.escapes
    }

    /// Returns the non-ASCII characters that the class also matches.
    pub const fn beyond(&self) -> Beyond {
        self.beyond
    }
}

/// The non-ASCII characters in a class (RFC 3987, 2.2).
///
/// ```
/// use urikit::grammar::rfc3987::{IFRAGMENT, IQUERY};
/// let private = '\u{E000}'; // `iprivate` is allowed in queries only
/// assert!(IQUERY.beyond().contains(private) && !IFRAGMENT.beyond().contains(private));
/// assert!(!IQUERY.beyond().contains('a')); // US-ASCII is in the set of bytes
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// No non-ASCII characters, as in every standard except RFC 3987.
    None,
    /// `ucschar`.
    Ucschar,
    /// `ucschar` and `iprivate`, in queries.
    UcscharAndIprivate,
}

impl Beyond {
    /// Returns whether `c` is a non-ASCII character that the class allows.
    pub const fn contains(self, c: char) -> bool {
        match self {
            Self::None => false,
            Self::Ucschar => is_ucschar(c),
            Self::UcscharAndIprivate => is_ucschar(c) || is_iprivate(c),
        }
    }
}

/// Returns whether a character is a `ucschar`, which all parts of an IRI except the scheme and the
/// port may contain.
///
/// `ucschar = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF / %x10000-1FFFD / … / %xE1000-EFFFD`. The
/// production excludes the private use characters, the noncharacters and the `specials` block. The
/// production includes bidirectional control characters, such as U+202E, which the prose of section
/// 4.1 forbids.
///
/// ```
/// use urikit::grammar::rfc3987::is_ucschar;
/// assert!(is_ucschar('\u{E9}') && is_ucschar('\u{202E}') && is_ucschar('\u{1F600}'));
/// assert!(!is_ucschar('\u{9F}') && !is_ucschar('\u{E000}') && !is_ucschar('\u{FFFD}'));
/// ```
pub const fn is_ucschar(c: char) -> bool {
    matches!(c,
        '\u{A0}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFEF}')
        || (c as u32 >= 0x1_0000 && c as u32 <= 0xE_FFFD && c as u32 & 0xFFFF <= 0xFFFD
            // Plane 14 begins with tag characters, which are not `ucschar`.
            && !(c as u32 >= 0xE_0000 && (c as u32) < 0xE_1000))
}

/// Returns whether a character is an `iprivate`, which only queries may contain.
///
/// `iprivate = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD`
pub const fn is_iprivate(c: char) -> bool {
    matches!(c,
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}
