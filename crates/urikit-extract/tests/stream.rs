//! Text in pieces has the same links as the complete text, however it is cut, and links in
//! arbitrary bytes satisfy the invariants.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test fails by panicking

use urikit_extract::{Finder, Kind};
use urikit_testkit::Random;
use urikit_testkit::rows::{Case, extract};

/// The properties of a link that are compared.
type Found = (
    std::ops::Range<usize>,
    Kind,
    String,
    Option<String>,
    [bool; 2],
);

fn finder(case: &Case) -> Finder {
    Finder::new()
        .abbreviated(case.abbreviated)
        .addresses(case.addresses)
        .refang(case.refang)
        .templates(case.templates)
}

fn complete(finder: &Finder, text: &[u8]) -> Vec<Found> {
    let links = finder.links(text);
    links
        .map(|link| {
            let alternative = link.alternative().map(str::to_owned);
            (
                link.range(),
                link.kind(),
                link.as_str().to_owned(),
                alternative,
                [link.is_valid(), link.is_cut()],
            )
        })
        .collect()
}

fn in_pieces<'a>(finder: &Finder, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Found> {
    let mut found = Vec::new();
    let mut each = |link: urikit_extract::Link<'_>| {
        let alternative = link.alternative().map(str::to_owned);
        found.push((
            link.range(),
            link.kind(),
            link.as_str().to_owned(),
            alternative,
            [link.is_valid(), link.is_cut()],
        ));
    };
    let mut stream = finder.stream();
    for piece in pieces {
        stream.push(piece, &mut each);
    }
    stream.finish(&mut each);
    found
}

/// Checks the text in two pieces, cut at every byte, and in small pieces.
fn check(finder: &Finder, text: &[u8]) {
    let expected = complete(finder, text);
    let shown = String::from_utf8_lossy(text);
    for cut in 0..=text.len() {
        let (before, after) = text.split_at(cut);
        let found = in_pieces(finder, [before, after]);
        assert_eq!(found, expected, "cut at {cut}: {shown:?}");
    }
    for size in [1, 2, 3, 7] {
        let found = in_pieces(finder, text.chunks(size));
        assert_eq!(found, expected, "pieces of {size}: {shown:?}");
    }
}

#[test]
fn every_row_cut_at_every_byte() {
    for (_, case) in extract() {
        check(&finder(&case), case.text.as_bytes());
    }
}

/// All rows as one text, so that links have neighbours and the stream discards text.
#[test]
fn all_rows_in_pieces_of_every_size() {
    let text: String = extract().iter().map(|(_, case)| &*case.text).collect();
    // Most of a long piece is searched without being copied.
    let prose = "a word and: ".repeat(3000);
    let long = format!("http://a.example/{}", "a".repeat(30_000));
    let text = [&*text, &prose, &*text, &long, " ", &prose, &*text].concat();
    for finder in [
        Finder::new(),
        Finder::new().abbreviated(true).addresses(true),
        Finder::new().abbreviated(true).addresses(true).refang(true),
        Finder::new().max_length(20),
    ] {
        let expected = complete(&finder, text.as_bytes());
        for size in [
            1, 2, 3, 7, 64, 100, 1000, 4096, 8193, 10_000, 25_000, 100_000,
        ] {
            let found = in_pieces(&finder, text.as_bytes().chunks(size));
            assert!(found == expected, "pieces of {size}");
        }
    }
}

/// An overlong link is cut, and `is_cut` reports this.
#[test]
fn long_links_are_cut() {
    let any = Finder::new().abbreviated(true).addresses(true).refang(true);
    let rows = [
        (
            "http://a.example/long-path http://b.example/",
            20,
            "http://a.example/lon",
            true,
        ),
        (
            "http://a.example/lon http://b.example/",
            20,
            "http://a.example/lon",
            true,
        ),
        ("http://a.example/lo\u{e9}", 20, "http://a.example/lo", true),
        ("http://a.example/l%20b", 20, "http://a.example/l%2", false),
        (
            "http:\\/\\/a.example\\/bcd",
            22,
            "http://a.example/bc",
            true,
        ),
        ("http:\\/\\/a.example\\/bcd", 19, "http://a.example", true),
        ("http://a.example/?\\u003db", 20, "http://a.example/?", true),
        (
            "www.a.example/long-path",
            15,
            "http://www.a.example/l",
            true,
        ),
        ("www.a.example/long-path", 5, "http://www.a", true),
        ("urn:isbn:0451450523", 12, "urn:isbn:045", true),
    ];
    for (text, most, uri, is_valid) in rows {
        let finder = any.clone().max_length(most);
        let links = complete(&finder, text.as_bytes());
        let (range, _, found, _, [valid, cut]) = &links[0];
        assert_eq!((found.as_str(), *valid), (uri, is_valid), "{text}");
        assert_eq!(
            *cut,
            !text.get(range.end..).unwrap().starts_with(' '),
            "{text}"
        );
        assert!(range.len() <= most, "{text}");
        check(&finder, text.as_bytes());
    }
    let path = "x".repeat(1 << 20);
    for (text, kind) in [
        (format!("http://a.example/{path}"), Kind::Bare),
        (format!("www.example.org/{path}"), Kind::Abbreviated),
        (format!("hxxp://a[.]example/{path}"), Kind::Defanged),
    ] {
        for found in [
            complete(&any, text.as_bytes()),
            in_pieces(&any, text.as_bytes().chunks(4096)),
        ] {
            let (range, found, _, _, [_, cut]) = &found[0];
            assert_eq!((range.len(), *found, *cut), (1 << 20, kind, true));
        }
    }
}

/// An indicator may be as long as any link.
#[test]
fn long_indicators_are_complete() {
    let finder = Finder::new().refang(true);
    for length in [700, 760, 800, 5000] {
        let path = "x".repeat(length);
        let text = format!("hxxp://a[.]example/{path} [.]");
        let found = complete(&finder, text.as_bytes());
        assert_eq!(found.len(), 1, "{length}");
        assert_eq!(found[0].2, format!("http://a.example/{path}"));
        assert_eq!(found[0].4, [true, false]);
        assert_eq!(found, in_pieces(&finder, text.as_bytes().chunks(100)));
    }
}

/// Removes the escapes of JSON from text. Escapes within a link are complete.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut out: Vec<u16> = parts.next().unwrap().encode_utf16().collect();
    for part in parts {
        let rest = part.strip_prefix('u').map_or(part, |rest| {
            let (digits, rest) = rest.split_at(4);
            out.push(u16::from_str_radix(digits, 16).unwrap());
            rest
        });
        out.extend(rest.encode_utf16());
    }
    String::from_utf16(&out).unwrap()
}

/// Checks the invariants of links in any bytes.
fn check_links(finder: &Finder, bytes: &[u8]) {
    let mut end = 0;
    for link in finder.links(bytes) {
        let range = link.range();
        let shown = || format!("{link:?} in {:?}", String::from_utf8_lossy(bytes));
        assert!(range.start >= end, "links overlap: {}", shown());
        assert!(!range.is_empty() && range.end <= bytes.len(), "{}", shown());
        end = range.end;
        let text = std::str::from_utf8(&bytes[range]);
        // The page footer within a wrapper may contain any text.
        let text = match link.kind() {
            Kind::Wrapped => text.unwrap_or("<"),
            _ => text.unwrap_or_else(|_| panic!("cuts a character: {}", shown())),
        };
        // The search and the parser agree on validity.
        assert_eq!(link.reference().is_ok(), link.is_valid(), "{}", shown());
        if let Ok(reference) = link.reference() {
            assert!(reference.scheme().is_some(), "{}", shown());
        }
        match link.kind() {
            Kind::Bare => assert_eq!(link.as_str(), unescaped(text), "{}", shown()),
            Kind::Wrapped => assert!(text.starts_with(['<', '"']), "{}", shown()),
            Kind::Abbreviated => assert!(link.as_str().ends_with(&unescaped(text)), "{}", shown()),
            Kind::Address => assert!(link.as_str().starts_with("mailto:"), "{}", shown()),
            _ => {}
        }
        assert!(
            link.alternative().is_none() || link.kind() == Kind::Wrapped,
            "{}",
            shown()
        );
    }
}

/// The pieces that are inserted into rows: text that affects links, and bytes that are not UTF-8.
const PIECES: [&[u8]; 74] = [
    b"hxxp://",
    b"[.]",
    b"(dot)",
    b"[:]//",
    b"|",
    b"^",
    b"\\_",
    b"\n# ",
    b"[a]=",
    b"%25eth0]",
    b":",
    b"/",
    b"//",
    b"://",
    b"http://",
    b"HTTPS://",
    b"mailto:",
    b"news:",
    b"urn:",
    b"data:,",
    b"URL:",
    b"<URL:",
    b"<",
    b">",
    b"\"",
    b"'",
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\\/",
    b"\\",
    b"\\/\\/",
    b"@",
    b".",
    b",",
    b";",
    b"?",
    b"#",
    b"%",
    b"%4",
    b"%41",
    b"&",
    b"&lt;",
    b"&#39;",
    b"*",
    b"_",
    b"~",
    b"=",
    b"-\n",
    b"\n",
    b"\r\n",
    b"\n> ",
    b"\x0C",
    b" ",
    b"\t",
    b"\0",
    b"\xFF",
    b"\xC3",
    b"\xE2\x80",
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\xC0\xAF",
    b"[::1]",
    b":80",
    b"www.",
    b".com",
    "é".as_bytes(),
    "。".as_bytes(),
    "「」".as_bytes(),
    "\u{200B}".as_bytes(),
    "例え".as_bytes(),
];

fn mutated(random: &mut Random, rows: &[(String, Case)]) -> Vec<u8> {
    let mut bytes = random.pick(rows).1.text.clone().into_bytes();
    if random.chance(30) {
        bytes.extend(random.pick(rows).1.text.as_bytes());
    }
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        match random.below(4) {
            0 => drop(bytes.splice(at..at, random.pick(&PIECES).iter().copied())),
            1 => {
                let end = (at + 1 + random.below(8)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 if at < bytes.len() => bytes[at] = u8::try_from(random.below(256)).unwrap(),
            _ => {
                let from = random.below(bytes.len() + 1);
                let to = (from + random.below(12)).min(bytes.len());
                let copied = bytes[from..to].to_vec();
                drop(bytes.splice(at..at, copied));
            }
        }
    }
    bytes
}

/// Links in mutated rows satisfy the invariants, and are the same if the text arrives in pieces.
#[test]
fn mutated_rows() {
    let rows = extract();
    let mut random = Random::new(5);
    let finders = [
        Finder::new(),
        Finder::new().abbreviated(true).addresses(true),
        Finder::new().abbreviated(true).addresses(true).refang(true),
        Finder::new().max_length(16),
    ];
    for _ in 0..200_000 {
        let bytes = mutated(&mut random, &rows);
        let finder = random.pick(&finders);
        check_links(finder, &bytes);
        let size = 1 + random.below(9);
        let found = in_pieces(finder, bytes.chunks(size));
        let expected = complete(finder, &bytes);
        assert_eq!(
            found,
            expected,
            "pieces of {size}: {:?}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

/// Links in random sequences of the pieces also satisfy the invariants.
#[test]
fn random_pieces() {
    let mut random = Random::new(6);
    let finders = [
        Finder::new(),
        Finder::new().abbreviated(true).addresses(true),
        Finder::new().refang(true),
    ];
    for _ in 0..200_000 {
        let mut bytes = Vec::new();
        for _ in 0..random.below(16) {
            let pieces: &[&[u8]] = match random.below(3) {
                0 => &[b"a", b"host.example", b"x", b"1"],
                _ => &PIECES,
            };
            let piece: &&[u8] = random.pick(pieces);
            bytes.extend_from_slice(piece);
        }
        let finder = random.pick(&finders);
        check_links(finder, &bytes);
        let size = 1 + random.below(5);
        assert_eq!(
            in_pieces(finder, bytes.chunks(size)),
            complete(finder, &bytes),
            "pieces of {size}: {:?}",
            String::from_utf8_lossy(&bytes)
        );
    }
}
