//! Message identifiers, without angle brackets.

use urikit::grammar::{ByteSet, rfc3986};
use urikit::internal::{Cursor, rfc1738_host};

/// `mdtext = %d33-61 / %d63-90 / %d94-126` (RFC 5536, 3.1.3)
const MDTEXT: ByteSet = ByteSet::range(b'!', b'~').without(ByteSet::of(b">[]\\"));
/// What is not escaped (RFC 5538, 4: everything except `/` `?` `#` `[` `]` and `%`).
static UNESCAPED: ByteSet = rfc3986::UNRESERVED
    .set()
    .or(*rfc3986::SUB_DELIMS.set())
    .or(ByteSet::of(b":@"));

/// RFC 1738: `article = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host`
pub(super) fn rfc1738(text: &str) -> Result<(), usize> {
    let at = text.find('@').filter(|at| *at > 0).ok_or(0_usize)?;
    let host = at + 1;
    match rfc1738_host(text.as_bytes(), host) {
        Ok((end, _)) if end == text.len() => Ok(()),
        Ok((end, _)) => Err(end),
        Err(error) => Err(usize::try_from(error.offset()).unwrap_or(host)),
    }
}

/// RFC 5536: `msg-id-core = dot-atom-text "@" ( dot-atom-text / "[" *mdtext "]" )`
pub(super) fn rfc5536(text: &str) -> Result<(), usize> {
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
