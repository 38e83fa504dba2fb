//! The fast path returns what the byte-by-byte parser returns, with every version of the scanner
//! that this processor supports.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a test fails by panicking

use super::{Production, by_masks, reference};
use crate::Standard;
use crate::scan::Level;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use urikit_testkit::abnf::{Generator, Grammar, Mutator, dir};
use urikit_testkit::{Random, data};

/// How many references are generated from the grammar of each standard; as many again are mutated.
const GENERATED: usize = 40_000;

/// Compares the two, and counts what the fast path parsed, so that a test fails if it parses
/// nothing.
struct Check {
    levels: Vec<Level>,
    checked: usize,
    fast: usize,
}

impl Check {
    fn new() -> Self {
        Self {
            levels: Level::all(),
            checked: 0,
            fast: 0,
        }
    }

    fn all_standards(&mut self, text: &str) {
        for standard in Standard::ALL {
            self.one_standard(text, standard);
        }
    }

    fn one_standard(&mut self, text: &str, standard: Standard) {
        let bytes = text.as_bytes();
        let expected = reference(bytes, standard, Production::Own);
        let mut fast_result = None;
        for level in &self.levels {
            let found = by_masks::reference_at(*level, bytes, standard);
            let is_some = found.is_some();
            if let Some(found) = found {
                assert!(
                    expected == Ok(found.unpack(standard)),
                    "{text:?} under {standard} at {level:?}"
                );
            }
            if *level == Level::BYTES {
                assert!(!is_some);
                continue;
            }
            // All versions of the scanner compute the same masks, so the outcome is the same too.
            assert_eq!(
                *fast_result.get_or_insert(is_some),
                is_some,
                "{text:?}: {level:?}"
            );
        }
        self.checked += 1;
        self.fast += usize::from(fast_result == Some(true));
    }
}

#[test]
fn examples_of_the_rfcs_are_parsed_alike() {
    let mut check = Check::new();
    let rows = data::references().into_iter().map(|(_, row)| row.input);
    for text in rows.chain(data::rejects().into_iter().map(|(_, row)| row.input)) {
        check.all_standards(&text);
        // Padding before and after, to be long enough for every version.
        for length in [0, 1, 15, 16, 31, 40, 64, 100, 128] {
            check.all_standards(&format!("{text}{}", "x".repeat(length)));
            check.all_standards(&format!("http://{}/{text}", "h".repeat(length)));
        }
    }
    assert!(check.fast * 4 >= check.checked, "{}", check.fast);
}

#[test]
fn generated_and_mutated_references_are_parsed_alike() {
    for standard in Standard::ALL {
        let grammar = Grammar::load(&dir(), standard.name()).unwrap();
        let seed = 20_261_122 + standard as u64;
        let mut generator = Generator::new(&grammar, seed);
        let mut mutator = Mutator::new(seed);
        let mut check = Check::new();
        let mut before = String::new();
        for _ in 0..GENERATED {
            let text = generator.generate(grammar.start());
            check.one_standard(&text, standard);
            check.all_standards(&mutator.mutate(&text, &before));
            before = text;
        }
        assert!(check.checked >= GENERATED);
    }
}

/// Pieces of which references for the fast path consist, and some that it leaves to the other
/// parser.
const SCHEMES: [&str; 14] = [
    "http://", "https://", "HTTP://", "ftp://", "//", "/", "", "x:", "x:/", "a+b://", "1x://",
    "http:", "httpx://", "file:///",
];
const HOSTS: [&str; 26] = [
    "a.example",
    "www.example.com",
    "a",
    "a.1",
    "1.a",
    "192.0.2.1",
    "999.1.1.1",
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

/// The first piece in half of all cases, so that the fast path parses many of the references.
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
    let mut check = Check::new();
    for _ in 0..200_000 {
        let mut text = [
            piece(&mut random, &SCHEMES),
            piece(&mut random, &HOSTS),
            piece(&mut random, &PATHS),
            piece(&mut random, &QUERIES),
            piece(&mut random, &FRAGMENTS),
        ]
        .concat();
        // A run of letters moves what follows across the boundaries between blocks.
        if random.chance(70) {
            let length = random.below(140);
            let at = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
            let at = *random.pick(&at.collect::<Vec<_>>());
            text.insert_str(at, &"y".repeat(length));
        }
        check.all_standards(&text);
    }
    assert!(
        check.fast * 4 >= check.checked,
        "{} of {}",
        check.fast,
        check.checked
    );
}

/// Escapes and delimiters at every offset of references that span up to four blocks.
#[test]
fn every_offset_of_a_long_reference_is_parsed_alike() {
    let mut check = Check::new();
    for length in [20, 33, 64, 66, 128, 131, 192] {
        let base = format!("http://a.example/{}", "z".repeat(length));
        for at in 0..base.len() {
            for piece in [
                "%", "%4", "%41", "%g1", "?", "#", ":", "@", ";", " ", "[", "é", "/", "%%41",
                "%41%42",
            ] {
                let mut text = base.clone();
                text.replace_range(at..(at + piece.len()).min(base.len()), piece);
                check.all_standards(&text);
                let mut text = base.clone();
                text.insert_str(at, piece);
                check.all_standards(&text);
            }
        }
    }
    assert!(
        check.fast * 4 >= check.checked,
        "{} of {}",
        check.fast,
        check.checked
    );
}
