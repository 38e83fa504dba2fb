//! The header of a message: 25 octets of US-ASCII.
//!
//! ```text
//! length (10 digits) type (1) version (1) server (10) compression (1) encoding (1) checksum (1)
//! 0000000042         z        2           wais        SP              SP           0
//! ```

use super::reader::{DecodeError, Reader};

/// The length of the header in octets.
pub const HEADER_LEN: usize = 25;

/// An APDU with the header of a message.
pub fn message(apdu: &[u8]) -> Vec<u8> {
    let mut message = format!("{:010}z2wais        0", apdu.len()).into_bytes();
    message.extend_from_slice(apdu);
    message
}

/// Reads the header of an answer, and returns how many octets follow it. That number is the
/// server's, up to ten digits: it must be checked before memory is allocated.
///
/// The version, the name of the server and the checksum are ignored, as other clients do.
///
/// # Errors
///
/// If it is no header, or if the message is compressed or encoded.
pub fn decode_header(octets: &[u8; HEADER_LEN]) -> Result<u64, DecodeError> {
    let mut reader = Reader::new(octets);
    let digits = reader.take(10, "a length")?;
    let length = digits.rest().iter().try_fold(0, |value: u64, digit| {
        let digit = char::from(*digit).to_digit(10);
        let digit = digit.ok_or(digits.error("the header of a message: a length of ten digits"))?;
        Ok(value * 10 + u64::from(digit))
    })?;
    let place = reader;
    if reader.octet("a type")? != b'z' {
        return Err(place.error("a message of the type z, an APDU"));
    }
    reader.take(11, "a version and a server")?;
    let place = reader;
    if reader.take(2, "a compression and an encoding")?.rest() != b"  " {
        return Err(place.error("a message without compression and encoding"));
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::{HEADER_LEN, decode_header, message};

    fn decode(text: &str) -> Result<u64, usize> {
        let octets: &[u8; HEADER_LEN] = text.as_bytes().try_into().unwrap();
        decode_header(octets).map_err(|error| error.offset)
    }

    #[test]
    fn headers() {
        assert_eq!(message(b"abc"), b"0000000003z2wais        0abc");
        assert_eq!(decode("0000000003z2wais        0"), Ok(3));
        assert_eq!(decode("9999999999z1other      0x"), Err(22));
        assert_eq!(decode("9999999999z1other       x"), Ok(9_999_999_999));
        assert_eq!(decode("0000000000z2wais        0"), Ok(0));
        for (text, offset) in [
            ("-000000003z2wais        0", 0),
            ("         3z2wais        0", 0),
            ("0000000003n2wais        0", 10),
            ("0000000003z2wais      u 0", 22),
            ("0000000003z2wais       h0", 22),
            ("\0\0\0\0\0\0\0\0\0\0z2wais        0", 0),
        ] {
            assert_eq!(decode(text), Err(offset), "{text:?}");
        }
    }
}
