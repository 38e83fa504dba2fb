//! The syntax of group names and message identifiers, and pattern matching.

use urikit::component::{Encoded, Octets};
use urikit::grammar::{ByteSet, DIGITS, LETTERS, rfc3986};
use urikit::parse::{Cursor, rfc1738_host};

/// The characters allowed in RFC 1738's `group` after the first letter, and in RFC 5538's
/// `group-char`.
pub(in super::super) const GROUP_CHAR: ByteSet = LETTERS.or(DIGITS).or(ByteSet::of(b"-+_."));
/// The characters allowed in a group name, plus RFC 5538's wildcard.
pub(super) const PATTERN_CHAR: ByteSet = GROUP_CHAR.or(ByteSet::of(b"*"));
/// All US-ASCII characters. The parser has already checked the unescaped characters against the
/// standard.
static ANY: ByteSet = ByteSet::range(0, 127);

/// The expected text in errors about groups.
pub(in super::super) const EXPECTED_GROUP: &str =
    "the name of a group, such as `comp.infosystems.www.misc`";
/// The expected text in errors about groups, if a pattern is also allowed.
pub(in super::super) const EXPECTED_PATTERN: &str = "the name of a group or a pattern \
     (characters other than letters, digits, `-`, `+`, `_`, `.` and `*` are escaped)";

/// RFC 1738: `group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]`, decoded.
pub(in super::super) fn group_rfc1738(text: &str) -> Result<(), usize> {
    let mut cursor = Cursor::new(text, &ANY);
    if !cursor.take_of(&LETTERS) {
        return Err(cursor.at());
    }
    while cursor.take_of(&GROUP_CHAR) {}
    cursor.end()
}

/// RFC 5538: `*( group-char / pct-encoded )`, and in a pattern also `*`. Under RFC 3987, non-ASCII
/// characters may be written without an escape.
pub(in super::super) fn group_rfc5538(text: &str, is_pattern: bool) -> Result<(), usize> {
    let set = if is_pattern {
        &PATTERN_CHAR
    } else {
        &GROUP_CHAR
    };
    let mut cursor = Cursor::new(text, &ANY);
    while cursor.take_escape() || cursor.take_of(set) || cursor.take_beyond() {}
    cursor.end()
}

/// `mdtext = %d33-61 / %d63-90 / %d94-126` (RFC 5536, 3.1.3)
const MDTEXT: ByteSet = ByteSet::range(b'!', b'~').without(ByteSet::of(b">[]\\"));
/// The characters that stay unescaped (RFC 5538, 4: all except `/` `?` `#` `[` `]` and `%`).
static UNESCAPED: ByteSet = rfc3986::UNRESERVED
    .set()
    .or(*rfc3986::SUB_DELIMS.set())
    .or(ByteSet::of(b":@"));

/// RFC 1738: `article = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host`
pub(super) fn message_id_rfc1738(text: &str) -> Result<(), usize> {
    let at = text.find('@').filter(|at| *at > 0).ok_or(0_usize)?;
    let host = at + 1;
    match rfc1738_host(text.as_bytes(), host) {
        Ok((end, _)) if end == text.len() => Ok(()),
        Ok((end, _)) => Err(end),
        Err(error) => Err(usize::try_from(error.offset()).unwrap_or(host)),
    }
}

/// RFC 5536: `msg-id-core = dot-atom-text "@" ( dot-atom-text / "[" *mdtext "]" )`
pub(super) fn message_id_rfc5536(text: &str) -> Result<(), usize> {
    let mut cursor = Cursor::new(text, &UNESCAPED);
    cursor.dot_atom_text(false)?;
    cursor.delimiter(b'@')?;
    if cursor.is(b'[') {
        cursor.literal(&MDTEXT)?;
    } else {
        cursor.dot_atom_text(false)?;
    }
    cursor.end()
}

/// Returns true if the decoded pattern matches the complete name: `*` matches any characters, `?`
/// matches one character, and any other octet matches itself. Does not allocate.
pub(super) fn matches(pattern: Encoded<'_>, name: &str) -> bool {
    let mut pattern = pattern.decode().octets();
    let mut rest = name.chars();
    // The pattern after the last `*`, and the text that the `*` has not matched yet.
    let mut last: Option<(Octets<'_>, core::str::Chars<'_>)> = None;
    loop {
        let mut after = pattern.clone();
        match after.next() {
            Some(b'*') => {
                last = Some((after.clone(), rest.clone()));
                pattern = after;
                continue;
            }
            Some(b'?') if rest.next().is_some() => {
                pattern = after;
                continue;
            }
            None if rest.as_str().is_empty() => return true,
            _ => {}
        }
        if let Some(c) = rest.clone().next()
            && let Some(after) = after_char(&pattern, c)
        {
            rest.next();
            pattern = after;
            continue;
        }
        // Lets the last `*` match one more character.
        let Some((after_star, mut from)) = last else {
            return false;
        };
        if from.next().is_none() {
            return false;
        }
        pattern = after_star.clone();
        rest = from.clone();
        last = Some((after_star, from));
    }
}

/// Returns the part of the pattern that follows a literal character. Returns `None` if the pattern
/// does not begin with the character.
fn after_char<'a>(pattern: &Octets<'a>, c: char) -> Option<Octets<'a>> {
    let mut pattern = pattern.clone();
    let mut buffer = [0; 4];
    let octets = c.encode_utf8(&mut buffer).bytes();
    let is_it = octets
        .into_iter()
        .all(|octet| pattern.next() == Some(octet));
    is_it.then_some(pattern)
}
