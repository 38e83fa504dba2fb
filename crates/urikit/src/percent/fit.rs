//! Which characters should be literal in an IRI.

/// Whether `c`, a character beyond US-ASCII, should be literal in an IRI (RFC 3987, 3.2, step 4).
///
/// This excludes the formatting characters of bidirectional text, which 4.1 forbids (the seven
/// that it names and those that Unicode has added: U+061C, U+2066 to U+2069), and white space,
/// which looks like the space of 6.1.
pub(crate) fn is_fit_for_iris(c: char) -> bool {
    !matches!(c,
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{061C}' | '\u{2066}'..='\u{2069}')
        && !c.is_whitespace()
}
