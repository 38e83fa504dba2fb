//! RFC 6068, 2: the addresses and header fields of a mailto URI.
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

use super::cursor::Cursor;
use super::rfc822::AddrSpec;
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

/// Reads all of `text` as an `addr-spec`.
///
/// # Errors
///
/// The offset of the character that is not allowed there.
pub fn addr_spec(text: &str) -> Result<AddrSpec, usize> {
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

/// Reads all of `text`, which contains no `&`, as an `hfield = hfname "=" hfvalue`, each `*qchar`:
/// all characters of a query except `/`, `?` and `=`.
///
/// # Errors
///
/// The offset at which no `hfield` can continue, and what is expected there.
pub fn hfield(text: &str) -> Result<(), (usize, &'static str)> {
    let mut equals = text.match_indices('=').map(|(at, _)| at);
    let first = equals.next();
    let strange = text.find(['/', '?']);
    let strange = strange.into_iter().chain(equals.next()).min();
    match (first, strange) {
        (Some(first), Some(at)) if at > first => Err((
            at,
            "a value (`/`, `?` and `=` in it are written `%2F`, `%3F` and `%3D`)",
        )),
        (_, Some(at)) => Err((
            at,
            "the name of a header field (`/` and `?` in it are written `%2F` and `%3F`)",
        )),
        (None, None) => Err((text.len(), "`=` behind the name of a header field")),
        (Some(_), None) => Ok(()),
    }
}
