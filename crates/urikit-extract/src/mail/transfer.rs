//! Transfer encodings and the Q encoding, decoded by `urikit-mime` with the way back: a reference is
//! reported with its range in the file.

use crate::decode::OffsetMap;
use urikit_mime::transfer::{Decoder, Encoding, Run};
use urikit_mime::word::decode_q;

/// A decoded text, and where its bytes come from.
pub(super) type Decoded = (Vec<u8>, OffsetMap);

/// The decoded body; `None` if it has no transfer encoding.
pub(super) fn decode(body: &[u8], encoding: Encoding) -> Option<Decoded> {
    if encoding == Encoding::Identity {
        return None;
    }
    let mut text = (Vec::with_capacity(body.len()), OffsetMap::new(0));
    let mut decoder = Decoder::new(encoding);
    decoder.push(body, |run| take(&mut text, run));
    decoder.finish(|run| take(&mut text, run));
    Some(text)
}

/// Decodes the Q encoding.
pub(super) fn q_encoding(text: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    decode_q(text, |run| take(&mut decoded, run));
    decoded
}

fn take((out, map): &mut Decoded, run: Run<'_>) {
    out.extend_from_slice(run.octets());
    match run {
        Run::Copied(octets) => map.copied(octets.len()),
        Run::Replaced(source, octets) => map.replaced(octets.len(), source),
        Run::Groups(octets) => map.groups(octets.len() / 3),
        Run::Skipped(source) => map.skipped(source),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;
    use urikit_mime::transfer::Encoding;

    #[test]
    fn maps_back() {
        let (decoded, map) = decode(b"a=3D=\r\nb \r\n", Encoding::QuotedPrintable).unwrap();
        assert_eq!(decoded, b"a=b\r\n");
        assert_eq!(
            (
                map.range(0..2),
                map.range(1..3),
                map.range(2..3),
                map.range(2..4)
            ),
            (0..4, 1..8, 7..8, 7..10)
        );
        let (decoded, map) = decode(b"aHR0\r\ncDovL2E=", Encoding::Base64).unwrap();
        assert_eq!(decoded, b"http://a");
        assert_eq!(
            (map.range(0..1), map.range(2..4), map.range(3..8)),
            (0..2, 2..8, 6..13)
        );
    }
}
