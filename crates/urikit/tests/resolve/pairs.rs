//! Bases and references for them: of few kinds of segments, so that dots, slashes and schemes meet
//! each other, or any that the grammar has.

use urikit::Standard;
use urikit_testkit::Random;
use urikit_testkit::abnf::{Generator, Grammar};

/// What a standard's pairs are made of.
struct Words {
    bases: &'static [&'static str],
    references: &'static [&'static str],
    segments: &'static [&'static str],
    /// What stands between two segments.
    slashes: &'static [&'static str],
    ends: &'static [&'static str],
}

const HIERARCHICAL: Words = Words {
    bases: &[
        "x:",
        "x:/",
        "x://h",
        "x://h/",
        "http://u:p@h:1/",
        "http:",
        "http:/",
    ],
    references: &[
        "", "/", "//g", "//g/", "x:", "http:", "HTTP:/", "http:x:", "?",
    ],
    segments: &["", ".", "..", "..", "a", "b", ".h", "...", "a;x"],
    slashes: &["/"],
    ends: &["", "?q", "#f", "?q#f", "?", "#"],
};

/// RFC 1630: hosts by their schemes' productions and by none, and runs of slashes.
const PARTIAL: Words = Words {
    bases: &[
        "x:",
        "x:/",
        "x:///",
        "x:////",
        "x://h",
        "x://h/",
        "http://h",
        "http://h:80/",
        "ftp://u:p@h/",
        "file:///",
        "gopher://h/1",
        "news:",
        "telnet://h",
        "mid:",
    ],
    references: &["", "", "", "/", "//", "///", "////", "x:", "http://g/"],
    segments: &["", ".", "..", "..", "a", "b", ".h", "...", "a@b"],
    slashes: &["/", "/", "/", "//", "///"],
    ends: &["", "?q", "#f", "?q+r#f", "#"],
};

/// Makes the pairs of one standard.
pub(super) struct Pairs<'g> {
    words: &'static Words,
    random: Random,
    generator: Generator<'g>,
    start: &'g str,
}

impl<'g> Pairs<'g> {
    pub(super) fn new(standard: Standard, grammar: &'g Grammar) -> Self {
        Self {
            words: match standard {
                Standard::Rfc1630 => &PARTIAL,
                _ => &HIERARCHICAL,
            },
            random: Random::new(standard as u64),
            generator: Generator::new(grammar, 52),
            start: grammar.start(),
        }
    }

    /// A base and a reference, of which either may be none of the standard.
    pub(super) fn next(&mut self) -> (String, String) {
        (
            self.text(self.words.bases),
            self.text(self.words.references),
        )
    }

    fn text(&mut self, beginnings: &[&str]) -> String {
        if self.random.chance(30) {
            return self.generator.generate(self.start);
        }
        let mut text = (*self.random.pick(beginnings)).to_owned();
        for number in 0..self.random.below(7) {
            if number > 0 {
                text += *self.random.pick::<&str>(self.words.slashes);
            }
            text += *self.random.pick::<&str>(self.words.segments);
        }
        text + *self.random.pick::<&str>(self.words.ends)
    }
}
