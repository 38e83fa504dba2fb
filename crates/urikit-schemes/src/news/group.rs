//! Names of newsgroups.

use urikit::grammar::{ByteSet, DIGITS, LETTERS};
use urikit::internal::Cursor;

/// RFC 1738's `group` after its first letter, and RFC 5538's `group-char`.
const GROUP_CHAR: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"-+_."));
/// The same with RFC 5538's wildcard.
const PATTERN_CHAR: ByteSet = GROUP_CHAR.or(ByteSet::of(b"*"));
/// The standard has checked what may be written unescaped.
static ANY: ByteSet = ByteSet::range(0, 127);

/// What errors expect.
pub(in super::super) const EXPECTED: &str =
    "the name of a group, such as `comp.infosystems.www.misc`";
/// What errors expect where a pattern is allowed.
pub(in super::super) const EXPECTED_PATTERN: &str = "the name of a group or a pattern, in which all but letters, digits, `-`, `+`, `_`, `.`, and `*` is escaped";

/// RFC 1738: `group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]`, decoded.
pub(in super::super) fn rfc1738(text: &str) -> Result<(), usize> {
    let mut cursor = Cursor::new(text, &ANY);
    if !cursor.take_of(&LETTERS) {
        return Err(cursor.at());
    }
    while cursor.take_of(&GROUP_CHAR) {}
    cursor.end()
}

/// RFC 5538: `*( group-char / pct-encoded )`, and `*` in a pattern. Under RFC 3987, characters
/// beyond US-ASCII may be written without an escape.
pub(in super::super) fn rfc5538(text: &str, is_pattern: bool) -> Result<(), usize> {
    let set = if is_pattern {
        &PATTERN_CHAR
    } else {
        &GROUP_CHAR
    };
    let mut cursor = Cursor::new(text, &ANY);
    while cursor.take_escape() || cursor.take_of(set) || cursor.take_beyond() {}
    cursor.end()
}
