//! Reads input byte by byte, for processors without a scanner.
//!
//! Each byte is looked up in a table, and eight bytes share one branch. A loop that tests after
//! each byte whether to continue spends most of its time on that test. Computing masks byte by byte
//! takes even longer: every mask tests every byte, while a run tests each of its bytes once.

#![allow(clippy::inline_always)] // a call takes as long as most runs

use super::Classes;

/// A position in the input. The position advances only past US-ASCII characters.
// INVARIANT: `rest` is a suffix of `text`, and all bytes before it are US-ASCII.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'t> {
    text: &'t [u8],
    rest: &'t [u8],
}

impl<'t> Bytes<'t> {
    #[inline(always)]
    pub(crate) const fn new(text: &'t [u8]) -> Self {
        Self { text, rest: text }
    }

    #[inline(always)]
    pub(crate) const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the complete input.
    #[inline(always)]
    pub const fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Returns the offset of the next byte.
    #[inline(always)]
    pub const fn at(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    /// Returns the next byte.
    #[inline(always)]
    pub fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Advances past `word` if it is US-ASCII and comes next. Returns whether it advanced.
    #[inline(always)]
    pub fn skip<const N: usize>(&mut self, word: [u8; N]) -> bool {
        match self.rest.split_first_chunk() {
            Some((next, rest)) if *next == word && word.is_ascii() => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Advances past `count` bytes, at most eight, if the next eight bytes are US-ASCII; otherwise
    /// returns false.
    #[inline(always)]
    pub fn skip_up_to_eight(&mut self, count: usize) -> bool {
        let eight = self.rest.first_chunk();
        let is_ascii = eight.is_some_and(|eight| u64::from_le_bytes(*eight) & HIGHEST == 0);
        if is_ascii {
            self.advance(count.min(8));
        }
        is_ascii
    }

    /// Advances past all bytes in the set that `bit` selects. Returns the byte after them, if any.
    #[inline(always)]
    pub fn run(&mut self, classes: &Classes, bit: u8) -> Option<u8> {
        let entry = |byte: &u8| classes.of(*byte);
        let has = |entry: u8| usize::from(entry & bit != 0);
        // Eight bytes share a branch. Slice patterns are faster here, because the compiler would
        // load an array as one number and take it apart.
        while let [a, b, c, d, e, f, g, h, rest @ ..] = self.rest {
            let first = entry(a) & entry(b) & entry(c) & entry(d);
            let second = entry(e) & entry(f) & entry(g) & entry(h);
            if first & second & bit == 0 {
                // Arithmetic replaces branches here, because the processor cannot predict where a
                // run ends.
                self.advance(4 * has(first));
                if let [a, b, c, ..] = self.rest {
                    let two = entry(a) & entry(b);
                    self.advance(has(entry(a)) + has(two) + has(two & entry(c)));
                }
                return self.peek();
            }
            self.rest = rest;
        }
        // In most inputs, the run extends to the end.
        if let [.., a, b, c, d, e, f, g, h] = self.text {
            let first = entry(a) & entry(b) & entry(c) & entry(d);
            let second = entry(e) & entry(f) & entry(g) & entry(h);
            if first & second & bit != 0 {
                self.rest = &[];
                return None;
            }
        }
        while let [byte, rest @ ..] = self.rest
            && entry(byte) & bit != 0
        {
            self.rest = rest;
        }
        self.peek()
    }

    /// Does the same as [`run`](Self::run), but is faster for runs of a few bytes.
    #[inline(always)]
    pub fn short_run(&mut self, classes: &Classes, bit: u8) -> Option<u8> {
        while let [a, b, c, d, e, f, g, h, rest @ ..] = self.rest {
            let entry = |byte: &u8, at: u32| u64::from(classes.of(*byte)) << (8 * at);
            let low = entry(a, 0) | entry(b, 1) | entry(c, 2) | entry(d, 3);
            let high = entry(e, 4) | entry(f, 5) | entry(g, 6) | entry(h, 7);
            let others = !(low | high) & (EIGHT * u64::from(bit));
            if others != 0 {
                self.advance((others.trailing_zeros() / 8) as usize);
                return self.peek();
            }
            self.rest = rest;
        }
        while let [byte, rest @ ..] = self.rest
            && classes.of(*byte) & bit != 0
        {
            self.rest = rest;
        }
        self.peek()
    }

    /// Advances past a `%` and two characters of the set that `bit` selects if they come next.
    /// Returns whether it advanced.
    #[inline(always)]
    pub fn skip_escape(&mut self, classes: &Classes, bit: u8) -> bool {
        match self.rest {
            [b'%', high, low, rest @ ..] if classes.of(*high) & classes.of(*low) & bit != 0 => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Advances past all decimal digits.
    #[inline(always)]
    pub fn digits(&mut self) {
        loop {
            let others = !between(self.next_eight(), b'0', b'9') & HIGHEST;
            self.advance((others.trailing_zeros() / 8) as usize);
            if others != 0 {
                break;
            }
        }
    }

    /// Advances past at most three decimal digits. Returns whether they are a `dec-octet` of
    /// RFC 3986: a number from 0 to 255 without leading zeros.
    #[inline(always)]
    pub fn dec_octet(&mut self) -> bool {
        let [four, _] = halves(self.next_eight());
        let values = four ^ 0x3030_3030;
        // A value of 10 or more sets the highest bit.
        let no_digit = ((values & 0x7F7F_7F7F) + 0x7676_7676) | values;
        let others = no_digit & 0x8080_8080 | 0x8000_0000;
        let count = others.trailing_zeros() / 8;
        self.advance(count as usize);
        // With one decimal digit in each byte, numbers compare as their decimal values do.
        let [aligned, _] = halves(u64::from(values) << 32 >> (8 * count));
        let number = aligned.swap_bytes();
        let least = [u32::MAX, 0, 0x01_00, 0x01_00_00].get(count as usize);
        least.is_some_and(|least| (*least..=0x02_05_05).contains(&number))
    }

    /// Advances past up to 64 hexadecimal digits and colons. Returns the mask of the colons, and
    /// the number of bytes. Bits of the mask past these bytes are meaningless.
    #[inline(always)]
    pub fn hex_and_colons(&mut self) -> (u64, usize) {
        let (mut colons, mut length) = (0, 0);
        while length < 64 {
            let eight = self.next_eight();
            // The colon follows the digits in US-ASCII.
            let others = !(between(eight, b'0', b':') | letters(eight, b'f')) & HIGHEST;
            colons |= bits(is(eight, b':')) << length;
            let count = (others.trailing_zeros() / 8) as usize;
            self.advance(count);
            length += count;
            if count < 8 {
                break;
            }
        }
        (colons, length)
    }

    /// Advances past letters, digits, hyphens and dots. Returns whether the bytes are labels of a
    /// host name, separated by dots, that all begin with a letter. If `DIGITS` is true, only the
    /// last label must begin with a letter, and the others may begin with a digit.
    #[inline(always)]
    pub fn labels<const DIGITS: bool>(&mut self) -> bool {
        // The rule for the start of a label applies at the start of the name too.
        let (mut dot_before, mut hyphen_before, mut wrong) = (0x80, 0, 0);
        let mut begins_with_letter = true;
        loop {
            let eight = self.next_eight();
            let letters = letters(eight, b'z');
            let dots_and_hyphens = between(eight, b'-', b'.');
            let others = !(letters | between(eight, b'0', b'9') | dots_and_hyphens) & HIGHEST;
            let members = (others & others.wrapping_neg()).wrapping_sub(1) & HIGHEST;
            // The lowest bit of the character distinguishes hyphens from dots.
            let hyphens = dots_and_hyphens & eight << 7 & members;
            let dots = dots_and_hyphens & !(eight << 7) & members;
            let after_dots = dots << 8 | dot_before;
            let after_hyphens = hyphens << 8 | hyphen_before;
            let first = after_dots & members;
            if DIGITS {
                wrong |= first & dots_and_hyphens;
                if first != 0 {
                    // The highest bit belongs to the last label.
                    begins_with_letter = first & letters > first & !letters;
                }
            } else {
                wrong |= first & !letters;
            }
            wrong |= after_hyphens & dots;
            let count = others.trailing_zeros() / 8;
            self.advance(count as usize);
            if count < 8 {
                let last = 0x80 << (8 * count);
                return begins_with_letter && wrong | (after_dots | after_hyphens) & last == 0;
            }
            dot_before = dots >> 56;
            hyphen_before = hyphens >> 56;
        }
    }

    /// Returns the next eight bytes, with zeros past the end of the input.
    #[inline(always)]
    fn next_eight(&self) -> u64 {
        if let Some(eight) = self.rest.first_chunk() {
            return u64::from_le_bytes(*eight);
        }
        match self.text.last_chunk() {
            // The shift drops the bytes that have been read.
            Some(last) if !self.rest.is_empty() => {
                u64::from_le_bytes(*last) >> (8 * (8 - self.rest.len()))
            }
            _ => {
                let rest = self.rest.iter().rev();
                rest.fold(0, |bytes, byte| bytes << 8 | u64::from(*byte))
            }
        }
    }

    // INVARIANT: the bytes are US-ASCII.
    #[inline(always)]
    fn advance(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }
}

// These functions process eight bytes at a time, as one number with the first byte in the lowest
// bits. The highest bit of each byte of a result is the answer for that byte.

/// A number with a 1 in each of its eight bytes.
const EIGHT: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = EIGHT * 0x80;

/// Returns the lower and the upper half of a number.
#[allow(clippy::cast_possible_truncation)] // takes the lower half
#[inline(always)]
const fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// Returns the bytes from `first` to `last`.
#[inline(always)]
const fn between(eight: u64, first: u8, last: u8) -> u64 {
    let first = (eight | HIGHEST) - EIGHT * first as u64;
    let past = (eight | HIGHEST) - EIGHT * (last as u64 + 1);
    first & !past & !eight & HIGHEST
}

/// Returns the letters of either case from A to `last`, which is given in lower case.
#[inline(always)]
const fn letters(eight: u64, last: u8) -> u64 {
    between(eight | (EIGHT * 0x20), b'a', last)
}

/// Returns the bytes equal to `byte`.
#[inline(always)]
const fn is(eight: u64, byte: u8) -> u64 {
    between(eight, byte, byte)
}

/// Moves the answers for eight bytes to the lowest eight bits.
#[inline(always)]
const fn bits(answers: u64) -> u64 {
    ((answers & HIGHEST) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(all(test, feature = "alloc"))]
#[allow(clippy::indexing_slicing)] // a test fails by panicking
mod tests {
    use super::Bytes;
    use crate::{ByteSet, Classes};
    use alloc::vec::Vec;

    /// Calls `check` with all strings of up to five of these characters. Runs of letters before and
    /// after each string move it across the boundaries of the eight-byte numbers.
    fn each_text(characters: &[u8], check: impl Fn(&[u8])) {
        for length in 0..=5 {
            for mut number in 0..characters.len().pow(length) {
                let mut text = Vec::new();
                for _ in 0..length {
                    text.push(characters[number % characters.len()]);
                    number /= characters.len();
                }
                for before in 0..9 {
                    for after in [0, 1, 9] {
                        check(&[&b"aaaaaaaaa"[..before], &text, &b"aaaaaaaaa"[..after]].concat());
                    }
                }
            }
        }
    }

    #[test]
    fn runs_end_at_the_first_byte_outside_their_set() {
        const CLASSES: Classes = Classes::EMPTY
            .with(&ByteSet::range(0, 255).without(ByteSet::of(b"/")), 1)
            .with(&ByteSet::of(b"/"), 2);
        each_text(b"/b\xE9\0", |text| {
            let end = text
                .iter()
                .position(|byte| matches!(byte, 0 | b'/' | 128..));
            for run in [Bytes::run, Bytes::short_run] {
                let mut bytes = Bytes::new(text);
                let next = run(&mut bytes, &CLASSES, 1);
                assert_eq!(bytes.at(), end.unwrap_or(text.len()), "{text:?}");
                assert_eq!(next, text.get(bytes.at()).copied());
            }
        });
    }

    #[test]
    fn labels_begin_and_end_with_letters_or_digits() {
        each_text(b"z0.-/\xE9", |text| {
            let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
            let end = text
                .iter()
                .position(|byte| !is_label(byte))
                .unwrap_or(text.len());
            let mut labels = text[..end].split(|byte| *byte == b'.');
            let has = |label: &[u8], is_good: fn(&u8) -> bool| {
                label.first().is_some_and(is_good) && !label.ends_with(b"-")
            };
            let letters = |label| has(label, u8::is_ascii_alphabetic);
            let mut bytes = Bytes::new(text);
            let all = labels.clone().all(letters);
            assert_eq!(
                (bytes.labels::<false>(), bytes.at()),
                (all, end),
                "{text:?}"
            );
            let mut bytes = Bytes::new(text);
            let digits = labels
                .clone()
                .all(|label| has(label, u8::is_ascii_alphanumeric));
            let digits = digits && labels.next_back().is_some_and(letters);
            assert_eq!(
                (bytes.labels::<true>(), bytes.at()),
                (digits, end),
                "{text:?}"
            );
        });
    }

    #[test]
    fn octets_have_up_to_three_digits() {
        each_text(b"01259/:\xB1", |text| {
            let digits = text.iter().take(3).take_while(|byte| byte.is_ascii_digit());
            let value = digits
                .clone()
                .fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
            let count = digits.count();
            let has_zero = count > 1 && text[0] == b'0';
            let mut bytes = Bytes::new(text);
            let is_octet = count > 0 && value <= 255 && !has_zero;
            assert_eq!(
                (bytes.dec_octet(), bytes.at()),
                (is_octet, count),
                "{text:?}"
            );
        });
    }

    #[test]
    fn runs_of_digits_have_any_length() {
        each_text(b"09:/\xB1", |text| {
            let text = [b"123456789", text].concat();
            let end = text.iter().position(|byte| !byte.is_ascii_digit());
            let mut bytes = Bytes::new(&text);
            bytes.digits();
            assert_eq!(bytes.at(), end.unwrap_or(text.len()), "{text:?}");
        });
    }

    #[test]
    fn masks_of_colons_among_hexadecimal_digits() {
        each_text(b"F:9G@`", |text| {
            let text = [text, text, text, text].concat();
            let (mut colons, mut length) = (0, 0);
            for byte in text.iter().take(64) {
                if !byte.is_ascii_hexdigit() && *byte != b':' {
                    break;
                }
                colons |= u64::from(*byte == b':') << length;
                length += 1;
            }
            let mut bytes = Bytes::new(&text);
            let (found, found_length) = bytes.hex_and_colons();
            let within = u64::MAX
                .checked_shl(u32::try_from(length).unwrap_or(64))
                .map_or(u64::MAX, |past| !past);
            assert_eq!((found & within, found_length), (colons, length));
            assert_eq!(bytes.at(), length);
        });
    }

    #[test]
    fn only_us_ascii_is_skipped() {
        const CLASSES: Classes = Classes::EMPTY.with(&ByteSet::of(b"4F"), 1);
        for place in 0..10 {
            let mut text = *b"http://a.b";
            text[place] = 0xE9;
            let mut bytes = Bytes::new(&text);
            assert_eq!(bytes.skip_up_to_eight(7), place >= 8);
            assert_eq!(bytes.at(), if place >= 8 { 7 } else { 0 });
        }
        assert!(!Bytes::new("é".as_bytes()).skip([0xC3, 0xA9]));
        assert!(!Bytes::new(b"%4").skip_escape(&CLASSES, 1));
        assert!(!Bytes::new(b"%4g").skip_escape(&CLASSES, 1));
        assert!(Bytes::new(b"%4F").skip_escape(&CLASSES, 1));
    }
}
