//! Makes strings that are almost valid, by making one to three small changes to a valid string.

use crate::random::Random;

/// Characters that at least one standard treats specially, or that no standard allows.
const INTERESTING: &[char] = &[
    ':',
    '/',
    '?',
    '#',
    '[',
    ']',
    '@',
    '!',
    '$',
    '&',
    '\'',
    '(',
    ')',
    '*',
    '+',
    ',',
    ';',
    '=',
    '%',
    '-',
    '.',
    '_',
    '~',
    '0',
    '9',
    '1',
    '2',
    '5',
    'a',
    'f',
    'g',
    'z',
    'A',
    'F',
    'G',
    'Z',
    'v',
    'V',
    ' ',
    '\t',
    '\r',
    '\n',
    '\0',
    '\u{1F}',
    '\u{7F}',
    '\\',
    '^',
    '`',
    '{',
    '|',
    '}',
    '<',
    '>',
    '"',
    '\u{80}',
    '\u{9F}',
    '\u{A0}',
    'é',
    '\u{17F}',
    '\u{212A}',
    '\u{3002}',
    '\u{FF0F}',
    '\u{200B}',
    '\u{D7FF}',
    '\u{E000}',
    '\u{F8FF}',
    '\u{F900}',
    '\u{FDCF}',
    '\u{FDD0}',
    '\u{FDEF}',
    '\u{FDF0}',
    '\u{FEFF}',
    '\u{FFEF}',
    '\u{FFFD}',
    '\u{FFFF}',
    '\u{10000}',
    '\u{1F600}',
    '\u{1FFFD}',
    '\u{1FFFE}',
    '\u{E0000}',
    '\u{E0FFF}',
    '\u{E1000}',
    '\u{EFFFD}',
    '\u{F0000}',
    '\u{FFFFD}',
    '\u{100000}',
    '\u{10FFFD}',
    '\u{10FFFF}',
];

/// Pieces that begin, end or break a component.
const PIECES: &[&str] = &[
    "//",
    "///",
    "://",
    ":",
    "::",
    "..",
    "/../",
    "/./",
    "%",
    "%%",
    "%2",
    "%2F",
    "%2f",
    "%4g",
    "%00",
    "%zz",
    "%C3%A9",
    "%u0041",
    "@",
    "user@",
    ":80",
    ":",
    "[",
    "]",
    "[::1]",
    "[v1.a]",
    "[::1%25eth0]",
    "1.2.3.4",
    "256.1.1.1",
    "01.2.3.4",
    "1:2:3:4:5:6:7:8",
    "?",
    "#",
    "??",
    "##",
    ";type=a",
    ";type=",
    "http:",
    "http://",
    "ftp://",
    "news:",
    "mailto:",
    "file:///",
    "gopher://h/1%09",
    "%22",
    "%5C",
    "%40",
    "%0D%0A%20",
    "a@b",
    "*",
    "localhost",
];

/// Makes small random changes to strings, determined by a seed.
#[derive(Debug, Clone)]
pub struct Mutator {
    random: Random,
}

impl Mutator {
    /// Creates a mutator with a seed. Mutators with equal seeds make equal changes.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
        }
    }

    /// Makes one to three changes to a string. One of the changes may join a part of the string to
    /// a part of `other`.
    pub fn mutate(&mut self, input: &str, other: &str) -> String {
        let mut chars: Vec<char> = input.chars().collect();
        let changes = 1 + self.random.below(6).saturating_sub(3);
        for _ in 0..changes {
            self.change(&mut chars, other);
        }
        chars.into_iter().collect()
    }

    fn change(&mut self, chars: &mut Vec<char>, other: &str) {
        let at = self.random.below(chars.len());
        match self.random.below(12) {
            0 => self.delete(chars),
            1 | 2 => {
                let c = *self.random.pick(INTERESTING);
                chars.insert(self.random.below(chars.len() + 1), c);
            }
            3 | 4 if !chars.is_empty() => chars[at] = *self.random.pick(INTERESTING),
            5 => {
                let piece = *self.random.pick(PIECES);
                let at = self.random.below(chars.len() + 1);
                chars.splice(at..at, piece.chars());
            }
            6 => self.duplicate(chars),
            7 if !chars.is_empty() => {
                let with = self.random.below(chars.len());
                chars.swap(at, with);
            }
            8 => chars.truncate(at),
            9 => self.splice(chars, other),
            10 => self.break_escape(chars),
            _ if !chars.is_empty() => chars[at] = other_case(chars[at]),
            _ => chars.push(*self.random.pick(INTERESTING)),
        }
    }

    /// Removes one to three characters.
    fn delete(&mut self, chars: &mut Vec<char>) {
        let begin = self.random.below(chars.len());
        let end = (begin + 1 + self.random.below(3)).min(chars.len());
        chars.drain(begin..end);
    }

    /// Repeats a piece.
    fn duplicate(&mut self, chars: &mut Vec<char>) {
        let begin = self.random.below(chars.len());
        let end = (begin + 1 + self.random.below(4)).min(chars.len());
        let piece = chars[begin..end].to_vec();
        chars.splice(end..end, piece);
    }

    /// Joins the beginning of one string to the end of another.
    fn splice(&mut self, chars: &mut Vec<char>, other: &str) {
        let other: Vec<char> = other.chars().collect();
        chars.truncate(self.random.below(chars.len() + 1));
        chars.extend_from_slice(&other[self.random.below(other.len() + 1)..]);
    }

    /// Damages or removes one of the two digits of a percent-encoded octet. If the string has no
    /// percent-encoded octet, inserts a `%`.
    fn break_escape(&mut self, chars: &mut Vec<char>) {
        let escapes: Vec<usize> = (0..chars.len()).filter(|at| chars[*at] == '%').collect();
        if escapes.is_empty() {
            chars.insert(self.random.below(chars.len() + 1), '%');
            return;
        }
        let digit = self.random.pick(&escapes) + 1 + self.random.below(2);
        if digit < chars.len() {
            if self.random.chance(50) {
                chars.remove(digit);
            } else {
                chars[digit] = *self
                    .random
                    .pick(&['g', 'G', '%', ':', '@', '`', '/', ' ', 'é']);
            }
        }
    }
}

fn other_case(c: char) -> char {
    if c.is_ascii_uppercase() {
        c.to_ascii_lowercase()
    } else {
        c.to_ascii_uppercase()
    }
}
