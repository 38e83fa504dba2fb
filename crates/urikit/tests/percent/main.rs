//! Percent-encoding and IRIs: the rows of `testdata/percent/` and `testdata/iri/`, and properties
//! of all data.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test fails by panicking

mod iri;
mod properties;
mod rows;

use urikit_testkit::Random;

/// Random octets: delimiters, non-ASCII characters, and invalid UTF-8.
fn octets(random: &mut Random) -> Vec<u8> {
    const PIECES: [&[u8]; 20] = [
        b"a",
        b"Z",
        b"0",
        b"%",
        b"%4",
        b"%41",
        b"%zz",
        b"+",
        b" ",
        b":",
        b"//",
        b"&=;,",
        b"?#[]@!$'()*",
        b"\\\"<>^`{|}~-._",
        b"\x00\x7F",
        "é".as_bytes(),
        "\u{202E}\u{A0}".as_bytes(),
        "\u{E000}\u{FDD0}\u{10300}".as_bytes(),
        b"\xFF\xC3",
        b"..",
    ];
    let mut octets = Vec::new();
    for _ in 0..random.below(8) {
        if random.chance(30) {
            octets.push(random.bits().to_le_bytes()[0]);
        } else {
            octets.extend_from_slice(random.pick::<&[u8]>(&PIECES));
        }
    }
    octets
}
