//! Compares the decoders with literal implementations of RFC 2045 and RFC 4648, on all short bodies
//! that consist of the relevant characters, in pieces of every size.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking
#![allow(clippy::format_collect, clippy::naive_bytecount)] // literal rather than fast

mod support;

use support::decoded;
use urikit_mime::base64;
use urikit_mime::transfer::Encoding;
use urikit_testkit::Random;

/// Calls `each` with all strings of these characters up to `length`.
fn texts(characters: &[u8], length: usize, each: &mut impl FnMut(&[u8])) {
    fn longer(text: &mut Vec<u8>, left: usize, characters: &[u8], each: &mut impl FnMut(&[u8])) {
        each(text);
        for character in characters.iter().filter(|_| left > 0) {
            text.push(*character);
            longer(text, left - 1, characters, each);
            text.pop();
        }
    }
    longer(&mut Vec::new(), length, characters, each);
}

/// Decodes quoted-printable (RFC 2045, 6.7) line by line.
fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for complete in body.split_inclusive(|octet| *octet == b'\n') {
        let line = complete.strip_suffix(b"\n").unwrap_or(complete);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mut end = &complete[line.len()..];
        let blanks = line
            .iter()
            .rev()
            .take_while(|octet| b" \t".contains(octet))
            .count();
        // Rule 3, and rule 5 for the rest. A CR without LF is not a line ending.
        let mut trimmed = &line[..line.len() - blanks];
        if let Some(line) = trimmed.strip_suffix(b"=") {
            (trimmed, end) = (line, b"");
        } else if end == b"\r" {
            trimmed = line;
        }
        // Rules 1 and 2.
        let mut rest = trimmed;
        while let Some(octet) = rest.first() {
            let digits = rest
                .get(1..3)
                .and_then(|digits| std::str::from_utf8(digits).ok());
            let digits = digits.filter(|it| it.bytes().all(|digit| digit.is_ascii_hexdigit()));
            let value = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            let (octet, length) = match value {
                Some(value) if *octet == b'=' => (value, 3),
                _ => (*octet, 1),
            };
            out.push(octet);
            rest = &rest[length..];
        }
        out.extend_from_slice(end);
    }
    out
}

/// Decodes base64 (RFC 2045, 6.8) in each run up to a `=`: six bits per character, combined into
/// octets.
fn lenient_base64(body: &[u8]) -> Vec<u8> {
    let alphabet: Vec<u8> = [
        b'A'..=b'Z',
        b'a'..=b'z',
        b'0'..=b'9',
        b'+'..=b'+',
        b'/'..=b'/',
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut out = Vec::new();
    for text in body.split(|octet| *octet == b'=') {
        let value = |octet| alphabet.iter().position(|it| it == octet);
        let bits: String = text
            .iter()
            .filter_map(value)
            .map(|it| format!("{it:06b}"))
            .collect();
        let octets = bits.as_bytes().chunks_exact(8);
        out.extend(
            octets.map(|bits| u8::from_str_radix(std::str::from_utf8(bits).unwrap(), 2).unwrap()),
        );
    }
    out
}

#[test]
fn quoted_printable_is_that_of_the_rfc() {
    texts(b"=4bx \t\r\n", 6, &mut |body| {
        let found = decoded(Encoding::QuotedPrintable, [body]);
        assert_eq!(
            found.octets,
            quoted_printable(body),
            "{}",
            body.escape_ascii()
        );
    });
    texts(b"=4x \r\n", 5, &mut |body| {
        let complete = decoded(Encoding::QuotedPrintable, [body]);
        for size in 1..body.len() {
            let found = decoded(Encoding::QuotedPrintable, body.chunks(size));
            assert_eq!(found, complete, "{} by {size}", body.escape_ascii());
        }
    });
}

#[test]
fn base64_is_that_of_the_rfcs() {
    texts(b"AQ/=\n", 7, &mut |body| {
        let found = decoded(Encoding::Base64, [body]);
        assert_eq!(
            found.octets,
            lenient_base64(body),
            "{}",
            body.escape_ascii()
        );
        for size in 1..body.len().min(5) {
            assert_eq!(decoded(Encoding::Base64, body.chunks(size)), found);
        }
        // A body is valid if encoding its octets gives the same body: no other encoding is valid.
        let strict: Result<Vec<u8>, _> = base64::decode(body.iter().copied()).collect();
        let is_valid = base64::encode(&found.octets).to_string().as_bytes() == body;
        assert_eq!(strict.is_ok(), is_valid, "{}", body.escape_ascii());
        match strict {
            Ok(strict) => assert_eq!(strict, found.octets),
            Err(error) => assert_eq!(error.found, body.get(error.index).copied()),
        }
    });
}

#[test]
fn encoded_octets_decode_to_themselves() {
    let mut random = Random::new(1);
    for length in 0..300 {
        let octets: Vec<u8> = (0..length)
            .map(|_| random.bits().to_le_bytes()[0])
            .collect();
        let text = base64::encode(&octets).to_string();
        let found: Result<Vec<u8>, _> = base64::decode(text.bytes()).collect();
        assert_eq!(found.unwrap(), octets);
        let lines: Vec<u8> = text
            .as_bytes()
            .chunks(76)
            .collect::<Vec<_>>()
            .join(&b"\r\n"[..]);
        assert_eq!(decoded(Encoding::Base64, lines.chunks(7)).octets, octets);
    }
}

/// White space that exceeds the length of a line is text, even in pieces.
#[test]
fn long_white_space_is_text() {
    for count in [997, 998, 999, 2000] {
        for (before, after) in [
            ("a", "\nb"),
            ("a=", "\nb"),
            ("a", ""),
            ("a=", "\r"),
            ("a", "=20"),
        ] {
            let body = format!("{before}{}{after}", " ".repeat(count)).into_bytes();
            let complete = decoded(Encoding::QuotedPrintable, [&body[..]]);
            let is_kept = count >= 998 || after == "=20";
            let blanks = complete
                .octets
                .iter()
                .filter(|octet| **octet == b' ')
                .count();
            assert_eq!(blanks >= count, is_kept, "{count} {before:?} {after:?}");
            for size in [1, 2, 3, 500, 998, 999, 1000] {
                let found = decoded(Encoding::QuotedPrintable, body.chunks(size));
                assert!(found == complete, "{count} {before:?} {after:?} by {size}");
            }
        }
    }
}

#[test]
fn mail_parser_agrees() {
    use mail_parser::decoders::base64::base64_decode;
    use mail_parser::decoders::quoted_printable::quoted_printable_decode;
    for body in [
        "a=3Db",
        "a=\r\nb=\nc",
        "a=  \r\nb",
        "=E9t=e9",
        "plain\r\ntext",
    ] {
        let found = decoded(Encoding::QuotedPrintable, [body.as_bytes()]).octets;
        assert_eq!(
            Some(found),
            quoted_printable_decode(body.as_bytes()),
            "{body}"
        );
    }
    for body in [
        "aHR0cDovL2EvYg==",
        "aHR0cDovL2E=",
        "aHR0\r\ncDov\r\n",
        "aH\r\nR0",
    ] {
        let found = decoded(Encoding::Base64, [body.as_bytes()]).octets;
        assert_eq!(Some(found), base64_decode(body.as_bytes()), "{body}");
    }
}
