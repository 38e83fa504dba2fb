//! Octets to base64.

use super::ALPHABET;
use core::fmt;

/// How many octets are written at once: those of 64 characters.
const PIECE: usize = 48;

/// Octets as base64, with padding: displayed, without memory for the result.
///
/// ```
/// use urikit_mime::base64;
/// // RFC 4648, 10
/// assert_eq!(base64::encode(b"foobar").to_string(), "Zm9vYmFy");
/// assert_eq!(base64::encode(b"foob").to_string(), "Zm9vYg==");
/// // RFC 7617, 2
/// let credentials = base64::encode(b"Aladdin:open sesame");
/// assert_eq!(format!("Basic {credentials}"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
/// ```
pub const fn encode(octets: &[u8]) -> Encode<'_> {
    Encode(octets)
}

/// Octets that are displayed as base64; see [`encode`].
#[derive(Clone, Copy, Debug)]
pub struct Encode<'a>(&'a [u8]);

impl fmt::Display for Encode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in self.0.chunks(PIECE) {
            let mut text = [b'='; PIECE / 3 * 4];
            for (group, out) in piece.chunks(3).zip(text.chunks_mut(4)) {
                let octet = |at: usize| group.get(at).copied().unwrap_or_default();
                let bits = u32::from_be_bytes([octet(0), octet(1), octet(2), 0]);
                for (at, out) in out.iter_mut().take(group.len() + 1).enumerate() {
                    let [value, ..] = (bits << (6 * at)).to_be_bytes();
                    *out = ALPHABET
                        .get(usize::from(value >> 2))
                        .copied()
                        .unwrap_or_default();
                }
            }
            let text = text.get(..piece.len().div_ceil(3) * 4).unwrap_or_default();
            f.write_str(core::str::from_utf8(text).map_err(|_| fmt::Error)?)?;
        }
        Ok(())
    }
}
