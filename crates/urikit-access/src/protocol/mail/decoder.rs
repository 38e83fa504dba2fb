//! Decodes transfer encodings piece by piece (RFC 2045, 6).

/// The most white space to hold back, in octets: at the end of a line it is removed.
const SPACE: usize = 1000;

/// The state of a decoder.
pub(super) enum Decoder {
    /// `7bit`, `8bit`, `binary`, and unknown encodings.
    Identity,
    /// Bits that do not make an octet yet, and their number.
    Base64 { bits: u32, count: u32 },
    /// Octets that may be trailing white space, or belong to an escape.
    QuotedPrintable { space: Vec<u8>, escape: Vec<u8> },
}

impl Decoder {
    pub(super) fn of(encoding: &str) -> Self {
        if encoding.eq_ignore_ascii_case("base64") {
            Self::Base64 { bits: 0, count: 0 }
        } else if encoding.eq_ignore_ascii_case("quoted-printable") {
            Self::QuotedPrintable {
                space: Vec::new(),
                escape: Vec::new(),
            }
        } else {
            Self::Identity
        }
    }

    pub(super) const fn is_identity(&self) -> bool {
        matches!(self, Self::Identity)
    }

    /// Decodes some octets, and appends the result to `out`.
    pub(super) fn decode(&mut self, octets: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Identity => out.extend_from_slice(octets),
            Self::Base64 { bits, count } => {
                for octet in octets {
                    let Some(value) = sextet(*octet) else {
                        // After padding, another encoded text may begin: some programs concatenate
                        // them.
                        if *octet == b'=' {
                            *count = 0;
                        }
                        continue;
                    };
                    *bits = *bits << 6 | value;
                    *count += 6;
                    if *count >= 8 {
                        *count -= 8;
                        let [.., octet] = (*bits >> *count).to_be_bytes();
                        out.push(octet);
                    }
                }
            }
            Self::QuotedPrintable { space, escape } => {
                for octet in octets {
                    quoted(*octet, space, escape, out);
                }
            }
        }
    }

    /// Appends what is left at the end.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if let Self::QuotedPrintable { escape, .. } = self {
            // A `=` at the end is a soft line break whose line end belongs to the boundary.
            if escape.as_slice() != b"=" && escape.as_slice() != b"=\r" {
                out.append(escape);
            }
        }
    }
}

/// The value of a base64 character. Other characters are ignored (RFC 2045, 6.8).
fn sextet(octet: u8) -> Option<u32> {
    let value = match octet {
        b'A'..=b'Z' => octet - b'A',
        b'a'..=b'z' => octet - b'a' + 26,
        b'0'..=b'9' => octet - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// One octet of quoted-printable (RFC 2045, 6.7).
fn quoted(octet: u8, space: &mut Vec<u8>, escape: &mut Vec<u8>, out: &mut Vec<u8>) {
    if !escape.is_empty() {
        let hex = |octet: u8| char::from(octet).to_digit(16);
        match (escape.as_slice(), octet) {
            (b"=" | b"=\r", b'\n') => {
                escape.clear();
                return;
            }
            (b"=", b'\r') => {
                escape.push(octet);
                return;
            }
            (b"=", _) if hex(octet).is_some() => {
                escape.push(octet);
                return;
            }
            ([b'=', high], _) => {
                let value = hex(*high)
                    .zip(hex(octet))
                    .map(|(high, low)| high << 4 | low);
                if let Some(value) = value.and_then(|value| u8::try_from(value).ok()) {
                    escape.clear();
                    out.push(value);
                    return;
                }
            }
            _ => {}
        }
        // Not an escape: the octets are literal.
        out.append(escape);
    }
    match octet {
        b'=' => {
            out.append(space);
            escape.push(octet);
        }
        b' ' | b'\t' if space.len() < SPACE => space.push(octet),
        b'\r' | b'\n' => {
            space.clear();
            out.push(octet);
        }
        _ => {
            out.append(space);
            out.push(octet);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Decoder;

    fn decoded(encoding: &str, octets: &[u8], size: usize) -> Vec<u8> {
        let (mut decoder, mut out) = (Decoder::of(encoding), Vec::new());
        for octets in octets.chunks(size) {
            decoder.decode(octets, &mut out);
        }
        decoder.finish(&mut out);
        out
    }

    #[test]
    fn the_result_does_not_depend_on_the_pieces() {
        for (encoding, octets, expected) in [
            ("7bit", &b"a =41\r\n"[..], &b"a =41\r\n"[..]),
            ("x-unknown", b"a", b"a"),
            ("BASE64", b"aGVs\r\nbG8=\r\n", b"hello"),
            ("base64", b"aGVsbG8", b"hello"),
            ("base64", b"aGVsbG8=aGk=", b"hellohi"),
            ("base64", b"a-G*V s\x00bG8=", b"hello"),
            ("base64", b"/+8=", b"\xff\xef"),
            (
                "Quoted-Printable",
                b"caf=C3=A9=\r\n x \t \r\ny=\n.",
                b"caf\xc3\xa9 x\r\ny.",
            ),
            ("quoted-printable", b"a=3dB=ZZ=4=", b"a=B=ZZ=4"),
            ("quoted-printable", b"a =\r\nb=", b"a b"),
        ] {
            for size in 1..=octets.len() {
                let found = decoded(encoding, octets, size);
                assert_eq!(
                    found,
                    expected,
                    "{:?} by {size}",
                    octets.escape_ascii().to_string()
                );
            }
        }
    }
}
