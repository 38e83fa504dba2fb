//! The fast path returns what the byte-by-byte parser returns, with every version of the scanner
//! that this processor supports.
//!
//! The version is set for the entire process, so the comparisons run one at a time.

#![cfg(feature = "std")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a test fails by panicking

use std::sync::{Mutex, PoisonError};
use urikit::component::Authority;
use urikit::{AnyRef, HostKind, ParseError, Standard, internal, limit_scanner};
use urikit_testkit::abnf::{Generator, Grammar, Mutator, dir};
use urikit_testkit::{Random, data};

/// The versions of the scanner.
const LEVELS: [&str; 5] = ["avx2", "avx512", "neon", "simd128", "ssse3"];

/// The number of references generated from each standard's grammar, and the number of mutated ones.
const GENERATED: usize = 40_000;

/// Strings to parse, each under one standard or under all.
#[derive(Default)]
struct Texts(Vec<(String, Option<Standard>)>);

impl Texts {
    fn for_all(&mut self, text: String) {
        self.0.push((text, None));
    }

    fn for_one(&mut self, text: String, standard: Standard) {
        self.0.push((text, Some(standard)));
    }

    /// Returns all pairs of a string and one of its standards.
    fn pairs(&self) -> impl Iterator<Item = (&str, Standard)> {
        self.0.iter().flat_map(|(text, only)| {
            let standards = Standard::ALL.into_iter();
            standards
                .filter(move |standard| only.is_none_or(|only| only == *standard))
                .map(move |standard| (text.as_str(), standard))
        })
    }

    /// Compares the two parsers at all levels.
    fn compare(&self) -> Compared {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);

        assert!(limit_scanner("portable"));
        let portable = self.at_level("portable");
        let mut first: Option<(&str, Vec<bool>)> = None;
        for level in LEVELS {
            if !limit_scanner(level) {
                continue;
            }
            let fast = self.at_level(level);
            // All versions of the scanner compute the same masks, so the outcome is the same too.
            let (first_level, first) = first.get_or_insert_with(|| (level, fast.clone()));
            let expected = first.iter().zip(&portable);
            for ((pair, fast), (first, portable)) in self.pairs().zip(&fast).zip(expected) {
                let has_version =
                    level != "ssse3" || matches!(pair.1, Standard::Rfc3986 | Standard::Rfc3987);
                let expected = if has_version { first } else { portable };
                assert_eq!(fast, expected, "{pair:?}: {level}, {first_level}");
            }
        }
        Compared {
            checked: self.pairs().count(),
            fast: first.map(|(_, fast)| fast.into_iter().filter(|fast| *fast).count()),
            portable: portable.into_iter().filter(|fast| *fast).count(),
        }
    }

    /// Compares the two parsers at one level. Returns for each pair whether the fast path parsed
    /// it.
    fn at_level(&self, level: &str) -> Vec<bool> {
        let fast = self.pairs().map(|(text, standard)| {
            let found = standard.parse(text);
            let expected = standard.parse_const(text);
            assert!(
                is_same(found, expected),
                "{text:?} under {standard} at {level}: {found:?}, but byte by byte {expected:?}"
            );
            internal::fast::parses(text, standard)
        });
        fast.collect()
    }
}

/// The number of strings compared, and how many of them the fast path parsed (`None` without a
/// scanner).
struct Compared {
    checked: usize,
    fast: Option<usize>,
    /// The number of strings that the fast path parsed without a scanner.
    portable: usize,
}

impl Compared {
    /// A comparison shows nothing if the fast path parses nothing.
    fn assert_a_quarter_is_fast(&self) {
        let Self {
            checked,
            fast,
            portable,
        } = *self;
        for fast in fast.into_iter().chain([portable]) {
            assert!(fast * 4 >= checked, "{fast} of {checked}");
        }
    }
}

fn is_same(a: Result<AnyRef<'_>, ParseError>, b: Result<AnyRef<'_>, ParseError>) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => parsed(&a) == parsed(&b),
        (Err(a), Err(b)) => a == b,
        _ => false,
    }
}

/// The complete result of parsing. The components are in order and as written, which determines
/// their offsets.
#[derive(PartialEq)]
struct Parsed<'a> {
    standard: Standard,
    components: [Option<&'a str>; 9],
    path: &'a str,
    host_kind: Option<HostKind>,
    is_registry_based: bool,
    is_generic: bool,
}

fn parsed<'a>(reference: &AnyRef<'a>) -> Parsed<'a> {
    let authority = reference.authority();
    Parsed {
        standard: reference.standard(),
        components: [
            Some(reference.as_str()),
            reference.scheme(),
            authority.map(Authority::as_str),
            reference.userinfo().map(|part| part.as_str()),
            reference.host().map(|host| host.as_str()),
            reference.port(),
            reference.params().map(|part| part.as_str()),
            reference.query().map(|part| part.as_str()),
            reference.fragment().map(|part| part.as_str()),
        ],
        path: reference.path().as_str(),
        host_kind: reference.host_kind(),
        is_registry_based: authority.is_some_and(Authority::is_registry_based),
        is_generic: reference.is_generic(),
    }
}

#[test]
fn examples_of_the_rfcs_are_parsed_alike() {
    let mut texts = Texts::default();
    let rows = data::references().into_iter().map(|(_, row)| row.input);
    for text in rows.chain(data::rejects().into_iter().map(|(_, row)| row.input)) {
        // Padding before and after, to be long enough for every version.
        for length in [0, 1, 15, 16, 31, 40, 64, 100, 128] {
            texts.for_all(format!("{text}{}", "x".repeat(length)));
            texts.for_all(format!("http://{}/{text}", "h".repeat(length)));
        }
        texts.for_all(text);
    }
    texts.compare().assert_a_quarter_is_fast();
}

#[test]
fn generated_and_mutated_references_are_parsed_alike() {
    for standard in Standard::ALL {
        let grammar = Grammar::load(&dir(), standard.name()).unwrap();
        let seed = 20_261_122 + standard as u64;
        let mut generator = Generator::new(&grammar, seed);
        let mut mutator = Mutator::new(seed);
        let mut texts = Texts::default();
        let mut before = String::new();
        for _ in 0..GENERATED {
            let text = generator.generate(grammar.start());
            texts.for_one(text.clone(), standard);
            texts.for_all(mutator.mutate(&text, &before));
            before = text;
        }
        assert!(texts.compare().checked >= GENERATED);
    }
}

/// Pieces of references that the fast path parses, and some that it leaves to the byte-by-byte
/// parser.
const SCHEMES: [&str; 14] = [
    "http://", "https://", "HTTP://", "ftp://", "//", "/", "", "x:", "x:/", "a+b://", "1x://",
    "http:", "httpx://", "file:///",
];
const HOSTS: [&str; 40] = [
    "a.example",
    "www.example.com",
    "a",
    "a.1",
    "1.a",
    "192.0.2.1",
    "999.1.1.1",
    "1.2.3.4.",
    "1.2.3.4a",
    "1.2.3.4.b",
    "256.1.1.1.a",
    "4a.example",
    "a.4b.c",
    "1a-.b",
    "1.-a",
    "1.2.3.4@a",
    "1a@4b.c",
    "u@4a.b:80",
    "4a.b:",
    "4a.b:8x",
    "4a.1b",
    "a-b.c",
    "-a.b",
    "a-.b",
    "a.-b",
    "a..b",
    "a.b.",
    ".a",
    "a_b",
    "u@a.b",
    "u:p@a.b:80",
    "a.b:",
    "a.b:8080",
    "a.b:8x",
    "a%41b",
    "[::1]",
    "",
    "xn--a.xn--b",
    "a@b@c",
    "é.example",
];
const PATHS: [&str; 24] = [
    "/",
    "/a/b/c.html",
    "",
    "/a%20b",
    "/a%2",
    "/%",
    "/%zz",
    "/a;b;c=d",
    "//",
    "/a//b",
    "/a:b@c",
    "/[a]",
    "/a b",
    "/~a",
    "/é",
    "/a\"b",
    "/a/../b/./c",
    "/\u{7F}",
    "/a+b*c",
    "/a{b}",
    "/a\\b",
    "/a|b",
    "/%7e%7E",
    "/'(a),!$&=",
];
const QUERIES: [&str; 12] = [
    "", "?", "?a=b", "?a/b", "?a?b", "?a#b", "??", "?a=%41", "?a+b", "?++", "?a;b", "?[a]",
];
const FRAGMENTS: [&str; 9] = ["", "#", "#a", "#a#b", "#a/b", "#a?b", "#%41", "#a+b", "#%4"];

/// Returns the first piece in half of all cases, so that the fast path parses many of the
/// references.
fn piece(random: &mut Random, pieces: &[&'static str]) -> &'static str {
    if random.chance(50) {
        pieces[0]
    } else {
        random.pick::<&str>(pieces)
    }
}

#[test]
fn combined_pieces_of_all_lengths_are_parsed_alike() {
    let mut random = Random::new(3);
    let mut texts = Texts::default();
    for _ in 0..200_000 {
        let mut text = [
            piece(&mut random, &SCHEMES),
            piece(&mut random, &HOSTS),
            piece(&mut random, &PATHS),
            piece(&mut random, &QUERIES),
            piece(&mut random, &FRAGMENTS),
        ]
        .concat();
        // A run of letters moves the text after it across the boundaries between blocks.
        if random.chance(70) {
            let length = random.below(140);
            let at = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
            let at = *random.pick(&at.collect::<Vec<_>>());
            text.insert_str(at, &"y".repeat(length));
        }
        texts.for_all(text);
    }
    texts.compare().assert_a_quarter_is_fast();
}

/// Valid and invalid `dec-octet`s in each position of an IPv4 address.
#[test]
fn octets_are_parsed_alike() {
    let mut texts = Texts::default();
    let numbers = (0..=1_100).map(|number| number.to_string());
    let zeros = ["", "00", "01", "000", "001", "010", "0255"].map(String::from);
    for number in numbers.chain(zeros) {
        for place in 0..4 {
            let mut octets = ["10", "0", "255", "199"];
            octets[place] = &number;
            let address = octets.join(".");
            texts.for_all(format!("http://{address}"));
            texts.for_all(format!("http://u@{address}:80/"));
        }
    }
    texts.compare().assert_a_quarter_is_fast();
}

/// Addresses, some with one wrong character, with and without userinfo and port, at each offset of
/// the first block and across its end.
#[test]
fn addresses_are_parsed_alike() {
    let mut random = Random::new(6);
    let mut texts = Texts::default();
    for _ in 0..100_000 {
        let piece = |random: &mut Random| {
            let length = 1 + random.below(4);
            let digit = |_| *random.pick(&['0', '1', '9', 'a', 'F']);
            (0..length).map(digit).collect::<String>()
        };
        let mut pieces: Vec<_> = (0..8).map(|_| piece(&mut random)).collect();
        if random.chance(70) {
            // Some pieces become an elision, which may be at either end.
            let start = random.below(9);
            let end = start + random.below(9 - start);
            let elision = match (start, end) {
                (0, 8) => "::",
                (0, _) | (_, 8) => ":",
                _ => "",
            };
            pieces.splice(start..end, [elision.to_owned()]);
        }
        let mut authority = format!("[{}]", pieces.join(":"));
        if random.chance(30) {
            let octet = || random.below(300).to_string();
            authority = std::iter::repeat_with(octet)
                .take(4)
                .collect::<Vec<_>>()
                .join(".");
        }
        if random.chance(30) {
            authority.push_str(random.pick::<&str>(&[":", ":8", ":8080", ":8a"]));
        }
        if random.chance(30) {
            authority.insert_str(
                0,
                random.pick::<&str>(&["@", "u@", "u:p@", "1.2.3.4@", "[@"]),
            );
        }
        if random.chance(30) {
            let at = random.below(authority.len());
            let character = *random.pick(&["", ":", "::", ".", "[", "]", "@", "1", "g", "0"]);
            authority.replace_range(at..=at, character);
        }
        let longest = if random.chance(50) { 4 } else { 60 };
        let scheme = "x".repeat(1 + random.below(longest));
        let path = *random.pick(&["", "/", "/a?b#c", "/:", "/[", "?]"]);
        texts.for_all(format!("{scheme}://{authority}{path}"));
    }
    // Four of the seven standards do not allow brackets.
    let compared = texts.compare();
    assert!(compared.fast.is_none_or(|fast| fast >= 100_000));
    assert!(compared.portable >= 100_000);
}

/// Escapes and delimiters at every offset of references that span up to four blocks.
#[test]
fn every_offset_of_a_long_reference_is_parsed_alike() {
    let mut texts = Texts::default();
    for length in [20, 33, 64, 66, 128, 131, 192] {
        let base = format!("http://a.example/{}", "z".repeat(length));
        for at in 0..base.len() {
            for piece in [
                "%", "%4", "%41", "%g1", "?", "#", ":", "@", ";", " ", "[", "é", "/", "%%41",
                "%41%42",
            ] {
                let mut text = base.clone();
                text.replace_range(at..(at + piece.len()).min(base.len()), piece);
                texts.for_all(text);
                let mut text = base.clone();
                text.insert_str(at, piece);
                texts.for_all(text);
            }
        }
    }
    texts.compare().assert_a_quarter_is_fast();
}
