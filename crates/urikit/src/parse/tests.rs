//! The fast way gives what the standard's own file gives, with every version of the scanner that this machine has.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // a test fails by panicking

use super::{Production, fast, reference};
use crate::Standard;
use crate::scan::Level;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use urikit_testkit::abnf::{Generator, Grammar, Mutator, dir};
use urikit_testkit::{Random, data};

/// How many texts of each standard are made from its rules, and as many by changing one of those.
const GENERATED: usize = 40_000;

/// Counts what was read fast, so that a fast way that reads nothing is noticed.
struct Check {
    levels: Vec<Level>,
    judged: usize,
    read: usize,
}

impl Check {
    fn new() -> Self {
        Self {
            levels: Level::all(),
            judged: 0,
            read: 0,
        }
    }

    fn judge(&mut self, text: &str) {
        for standard in Standard::ALL {
            self.judge_by(text, standard);
        }
    }

    fn judge_by(&mut self, text: &str, standard: Standard) {
        let bytes = text.as_bytes();
        let expected = reference(bytes, standard, Production::Own);
        let mut read = None;
        for level in &self.levels {
            let found = fast::reference_at(*level, bytes, standard);
            let is_read = found.is_some();
            if let Some(found) = found {
                assert!(
                    expected == Ok(found.unpack(standard)),
                    "{text:?} under {standard} at {level:?}"
                );
            }
            if *level == Level::BYTES {
                assert!(!is_read);
                continue;
            }
            // All versions of the scanner give the same masks, and so the same outcome.
            assert_eq!(*read.get_or_insert(is_read), is_read, "{text:?}: {level:?}");
        }
        self.judged += 1;
        self.read += usize::from(read == Some(true));
    }
}

#[test]
fn rows_of_the_texts_are_read_alike() {
    let mut check = Check::new();
    let rows = data::references().into_iter().map(|(_, row)| row.input);
    for text in rows.chain(data::rejects().into_iter().map(|(_, row)| row.input)) {
        check.judge(&text);
        // What makes it long enough, before and behind.
        for length in [0, 1, 15, 16, 31, 40, 64, 100, 128] {
            check.judge(&format!("{text}{}", "x".repeat(length)));
            check.judge(&format!("http://{}/{text}", "h".repeat(length)));
        }
    }
    assert!(check.read * 4 >= check.judged, "{}", check.read);
}

#[test]
fn generated_and_changed_texts_are_read_alike() {
    for standard in Standard::ALL {
        let grammar = Grammar::load(&dir(), standard.name()).unwrap();
        let seed = 20_261_122 + standard as u64;
        let mut generator = Generator::new(&grammar, seed);
        let mut mutator = Mutator::new(seed);
        let mut check = Check::new();
        let mut before = String::new();
        for _ in 0..GENERATED {
            let text = generator.generate(grammar.start());
            check.judge_by(&text, standard);
            check.judge(&mutator.mutate(&text, &before));
            before = text;
        }
        assert!(check.judged >= GENERATED);
    }
}

/// Pieces that plain texts are made of, and some that make them less plain.
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

/// The first in every other case, so that many texts are plain.
fn piece(random: &mut Random, pieces: &[&'static str]) -> &'static str {
    if random.chance(50) {
        pieces[0]
    } else {
        random.pick::<&str>(pieces)
    }
}

#[test]
fn texts_of_all_pieces_and_lengths_are_read_alike() {
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
        // A run in the middle moves what follows across the blocks' edges.
        if random.chance(70) {
            let length = random.below(140);
            let at = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
            let at = *random.pick(&at.collect::<Vec<_>>());
            text.insert_str(at, &"y".repeat(length));
        }
        check.judge(&text);
    }
    assert!(
        check.read * 4 >= check.judged,
        "{} of {}",
        check.read,
        check.judged
    );
}

/// An escape and a delimiter at every place of texts that reach over two edges of blocks.
#[test]
fn every_place_of_a_long_text_is_read_alike() {
    let mut check = Check::new();
    for length in [20, 33, 64, 66, 128, 131, 192] {
        let plain = format!("http://a.example/{}", "z".repeat(length));
        for at in 0..plain.len() {
            for piece in [
                "%", "%4", "%41", "%g1", "?", "#", ":", "@", ";", " ", "[", "é", "/", "%%41",
                "%41%42",
            ] {
                let mut text = plain.clone();
                text.replace_range(at..(at + piece.len()).min(plain.len()), piece);
                check.judge(&text);
                let mut text = plain.clone();
                text.insert_str(at, piece);
                check.judge(&text);
            }
        }
    }
    assert!(
        check.read * 4 >= check.judged,
        "{} of {}",
        check.read,
        check.judged
    );
}
