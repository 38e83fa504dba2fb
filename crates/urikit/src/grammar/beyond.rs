//! Characters beyond US-ASCII (RFC 3987, 2.2).

/// Which characters beyond US-ASCII a class has (RFC 3987, 2.2).
///
/// ```
/// use urikit::grammar::rfc3987::{IFRAGMENT, IQUERY};
/// let private = '\u{E000}'; // `iprivate` is allowed in queries only
/// assert!(IQUERY.beyond().contains(private) && !IFRAGMENT.beyond().contains(private));
/// assert!(!IQUERY.beyond().contains('a')); // US-ASCII is in the set of bytes
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// None: every standard except RFC 3987.
    None,
    /// `ucschar`.
    Ucschar,
    /// `ucschar` and `iprivate`: queries.
    UcscharAndIprivate,
}

impl Beyond {
    /// Whether `c`, a character beyond US-ASCII, is of this kind.
    pub const fn contains(self, c: char) -> bool {
        match self {
            Self::None => false,
            Self::Ucschar => is_ucschar(c),
            Self::UcscharAndIprivate => is_ucschar(c) || is_iprivate(c),
        }
    }
}

/// `ucschar`: the characters beyond US-ASCII that any part of an IRI may have, except its scheme
/// and port.
///
/// `ucschar = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF / %x10000-1FFFD / … / %xE1000-EFFFD`. It
/// excludes the private use characters, the noncharacters and the `specials` block. It includes
/// the controls of bidirectional text, such as U+202E, which 4.1 forbids in prose.
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

/// `iprivate = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD`: in queries only.
pub const fn is_iprivate(c: char) -> bool {
    matches!(c,
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}
