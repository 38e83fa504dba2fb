//! The building blocks of a grammar: sets of bytes, named rules, and character classes.

use super::beyond::Beyond;
use urikit_scan::ByteSet;

/// A production: its name in its own RFC, and where that RFC defines it.
///
/// Errors refer to a rule; `spec/abnf/` contains the rule itself, and a test compares the two.
///
/// ```
/// use urikit::grammar::{Rule, rfc1630};
/// // RFC 1630 has headings instead of numbers.
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
    /// A production by its name and section, for a custom scheme.
    pub const fn new(name: &'static str, section: &'static str) -> Self {
        Self { name, section }
    }

    /// The name that the RFC uses, such as `path-noscheme` or `opaque_part`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The document and section, such as `RFC 3986, 3.3`. RFC 1630 has headings instead of
    /// numbers.
    pub const fn section(&self) -> &'static str {
        self.section
    }
}

/// The characters of a production: the bytes that match, and whether an escape (`%` and two
/// hexadecimal digits) or a character beyond US-ASCII matches too.
///
/// A production such as `scheme` allows other characters at its start than later: then [`after`]
/// is a text after which the class applies. One such as `article` continues after them: then
/// [`before`] is a text that completes it.
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

    /// The same class, as what may follow `text` in the production.
    pub(crate) const fn after_text(mut self, text: &'static str) -> Self {
        self.after = text;
        self
    }

    /// The same class, as what may precede `text` in the production.
    pub(crate) const fn before_text(mut self, text: &'static str) -> Self {
        self.before = text;
        self
    }

    /// The same, where an escape matches too.
    pub(crate) const fn or_escape(mut self) -> Self {
        self.escapes = true;
        self
    }

    /// The same, where characters beyond US-ASCII match too.
    pub(crate) const fn or_beyond(mut self, beyond: Beyond) -> Self {
        self.beyond = beyond;
        self
    }

    /// Adds characters, under the same rule.
    pub(crate) const fn with(mut self, characters: &[u8]) -> Self {
        self.set = self.set.or(ByteSet::of(characters));
        self
    }

    /// Removes characters, under the same rule.
    pub(crate) const fn without(mut self, characters: &[u8]) -> Self {
        self.set = self.set.without(ByteSet::of(characters));
        self
    }

    /// The production of the class.
    pub const fn rule(&self) -> &Rule {
        &self.rule
    }

    /// A beginning of the production after which the class applies; empty for the start.
    pub const fn after(&self) -> &'static str {
        self.after
    }

    /// An end of the production before which the class applies; empty for the end.
    pub const fn before(&self) -> &'static str {
        self.before
    }

    /// The bytes that match.
    pub const fn set(&self) -> &ByteSet {
        &self.set
    }

    /// Whether an escape matches too.
    pub const fn has_escapes(&self) -> bool {
        self.escapes
    }

    /// Which characters beyond US-ASCII match too.
    pub const fn beyond(&self) -> Beyond {
        self.beyond
    }
}
