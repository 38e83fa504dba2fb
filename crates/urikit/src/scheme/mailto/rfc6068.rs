//! RFC 6068, 2: the `addr-spec` of a mailto URI.
//!
//! ```text
//! addr-spec     = local-part "@" domain
//! local-part    = dot-atom-text / quoted-string
//! domain        = dot-atom-text / "[" *dtext-no-obs "]"
//! dtext-no-obs  = %d33-90 / %d94-126
//! dot-atom-text = 1*atext *("." 1*atext)                          RFC 5322, 3.2.3
//! quoted-string = DQUOTE *( qtext / quoted-pair ) DQUOTE          RFC 5322, 3.2.4
//! qtext         = %d33 / %d35-91 / %d93-126
//! quoted-pair   = "\" ( VCHAR / WSP )
//! ```
//!
//! It is stricter than RFC 822's: no words separated by dots, no white space except in a quoted
//! pair, no control characters. It adds characters beyond US-ASCII, in UTF-8 (points 4 and 5). The
//! `@` is written literally. Characters that are not URI characters, and `%` `/` `?` `#` `[` `]`
//! `&` `;` `=`, are escaped (point 1), and so is a comma, which would end the address.

use super::super::addr_spec::AddrSpec;
use super::super::cursor::Cursor;
use crate::grammar::{ByteSet, rfc3986};

/// What may be written unescaped, if the address allows it there.
static UNESCAPED: ByteSet = rfc3986::UNRESERVED
    .set()
    .or(rfc3986::SUB_DELIMS.set().without(ByteSet::of(b"&;=,")))
    .or(ByteSet::of(b":@"));
/// `VCHAR`: the visible characters of US-ASCII.
const VCHAR: ByteSet = ByteSet::range(b'!', b'~');
const QTEXT: ByteSet = VCHAR.without(ByteSet::of(b"\"\\"));
const DTEXT: ByteSet = VCHAR.without(ByteSet::of(b"[]\\"));
const PAIRED: ByteSet = VCHAR.or(ByteSet::of(b" \t"));

/// Reads all of `text` as an `addr-spec`. The error is the offset of the character that is not
/// allowed there.
pub(super) fn addr_spec(text: &str) -> Result<AddrSpec, usize> {
    let mut cursor = Cursor::new(text, &UNESCAPED);
    if cursor.is(b'"') {
        quoted_string(&mut cursor)?;
    } else {
        cursor.dot_atom_text(true)?;
    }
    let local_end = cursor.at();
    cursor.delimiter(b'@')?;
    let domain = cursor.at();
    if cursor.is(b'[') {
        cursor.literal(&DTEXT)?;
    } else {
        cursor.dot_atom_text(true)?;
    }
    cursor.end()?;
    Ok((local_end, domain))
}

fn quoted_string(cursor: &mut Cursor<'_>) -> Result<(), usize> {
    cursor.take(b'"');
    while !cursor.take(b'"') {
        let is_taken = if cursor.take(b'\\') {
            cursor.take_of(&PAIRED)
        } else {
            cursor.take_of(&QTEXT) || cursor.take_beyond()
        };
        if !is_taken {
            return Err(cursor.at());
        }
    }
    Ok(())
}
