//! The Q encoding of encoded words (RFC 2047, 4.2). The B encoding is [base64](crate::transfer).

use crate::transfer::{Run, escaped};

/// Decodes the text of an encoded word, in which an underscore represents a space. Invalid escapes
/// are copied unchanged.
///
/// ```
/// use urikit_mime::word::decode_q;
/// let mut text = Vec::new();
/// decode_q(b"a_b=2Fc", |run| text.extend_from_slice(run.octets()));
/// assert_eq!(text, b"a b/c");
/// ```
pub fn decode_q(text: &[u8], mut each: impl FnMut(Run<'_>)) {
    let mut rest = text;
    while let [octet, after @ ..] = rest {
        let escape = match rest {
            [b'=', high, low, after @ ..] => escaped(*high, *low).zip(Some(after)),
            [b'_', ..] => Some((b' ', after)),
            _ => None,
        };
        let (octet, after) = escape.unwrap_or((*octet, after));
        each(Run::Replaced(rest.len() - after.len(), &[octet]));
        rest = after;
    }
}
