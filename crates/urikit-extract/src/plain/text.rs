//! Stage 1: the bytes of the text, its candidates, the classes of its characters, and its escapes.
//!
//! The classes are those of Unicode's UTS #58 (link detection). A link includes all characters of
//! the class `Include`. Soft punctuation is part of a link only if more of the link follows, and a
//! closing bracket only if the link contains the opening bracket. A link ends before a character of
//! the class `Hard`. Non-ASCII characters have the class that UTS #58 assigns to them. Within
//! US-ASCII, the classes follow RFC 3986 and the punctuation that people write around URLs.

use super::start::{is_known, is_scheme_byte};
use crate::link::Source;
use core::cell::Cell;
use memchr::memchr;
use urikit::grammar::ByteSet;
use urikit::grammar::rfc3986::{ALPHA, DIGIT, UNRESERVED};
use urikit_scan::text::{BLOCK, Region, Set};

/// The text to search, or the part of it that has arrived so far.
///
/// All lookahead goes through [`at`](Self::at), which records when a lookahead reaches the end of
/// the bytes while more may follow. A decision that depends on missing bytes is provisional: more
/// input may change it.
pub(super) struct Input<'t> {
    bytes: &'t [u8],
    /// The bytes as a string, if the source guarantees UTF-8.
    string: Option<&'t str>,
    /// True if the text ends with these bytes.
    is_complete: bool,
    /// True if a lookahead reached the end of the bytes while more may follow.
    ran_out: Cell<bool>,
}

impl<'t> Input<'t> {
    pub(super) const fn new(bytes: &'t [u8], is_complete: bool) -> Self {
        Self {
            bytes,
            string: None,
            is_complete,
            ran_out: Cell::new(false),
        }
    }

    /// Creates the input for complete text.
    pub(super) fn complete<T: Source + ?Sized>(source: &'t T) -> Self {
        Self {
            string: source.text(),
            ..Self::new(source.bytes(), true)
        }
    }

    pub(super) const fn bytes(&self) -> &'t [u8] {
        self.bytes
    }

    /// Returns the byte at an offset, or `None` at the end of the text.
    #[inline]
    pub(super) fn at(&self, offset: usize) -> Option<u8> {
        let byte = self.bytes.get(offset).copied();
        if byte.is_none() && !self.is_complete {
            self.ran_out.set(true);
        }
        byte
    }

    /// Returns the byte before an offset. Returns `None` only at the beginning of the text.
    #[inline]
    pub(super) fn before(&self, offset: usize) -> Option<u8> {
        self.bytes.get(offset.checked_sub(1)?).copied()
    }

    /// Returns the end of the run of bytes in `class` that begins at `start`, at most `limit + 1`.
    #[inline]
    pub(super) fn run(&self, start: usize, limit: usize, class: impl Fn(u8) -> bool) -> usize {
        let end = self.bytes.len().min(limit.saturating_add(1));
        let rest = self.bytes.get(start..end).unwrap_or_default();
        if let Some(length) = rest.iter().position(|byte| !class(*byte)) {
            return start + length;
        }
        let end = start + rest.len();
        if end <= limit {
            // The next byte may belong to the run: record the lookahead.
            self.at(end);
        }
        end
    }

    /// Returns the text in a range as a string, or `None` if it is not UTF-8.
    #[inline]
    pub(super) fn string(&self, start: usize, end: usize) -> Option<&'t str> {
        match self.string {
            Some(string) => string.get(start..end),
            None => core::str::from_utf8(self.slice(start, end)).ok(),
        }
    }

    /// Returns the bytes in a range, or no bytes if the range is outside the text.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t [u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Returns the bytes that have arrived, starting at an offset.
    #[inline]
    pub(super) fn slice_from(&self, start: usize) -> &'t [u8] {
        self.bytes.get(start..).unwrap_or_default()
    }

    /// Returns true if `word` is at `offset`, ignoring case.
    pub(super) fn has(&self, offset: usize, word: &[u8]) -> bool {
        word.iter().enumerate().all(|(index, byte)| {
            self.at(offset + index)
                .is_some_and(|there| there.eq_ignore_ascii_case(byte))
        })
    }

    /// Returns true if two hexadecimal digits are at `offset`.
    pub(super) fn has_hex_pair(&self, offset: usize) -> bool {
        let is_digit = |at| self.at(at).is_some_and(|byte| byte.is_ascii_hexdigit());
        is_digit(offset) && is_digit(offset + 1)
    }

    /// Returns the character at an offset and its length in bytes. Returns `None` at the end of the
    /// text and for bytes that are not UTF-8.
    pub(super) fn char_at(&self, offset: usize) -> Option<(char, usize)> {
        let first = self.at(offset)?;
        let length = match first {
            0..=0x7F => return Some((char::from(first), 1)),
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return None,
        };
        // Records the lookahead if the character has not arrived completely.
        self.at(offset + length - 1)?;
        let text = core::str::from_utf8(self.slice(offset, offset + length)).ok()?;
        Some((text.chars().next()?, length))
    }

    /// Returns the character that ends at an offset.
    pub(super) fn char_before(&self, offset: usize) -> Option<char> {
        let start = offset.saturating_sub(4);
        let preceding = self.slice(start, offset);
        let begin = preceding.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
        let text = core::str::from_utf8(preceding.get(begin..)?).ok()?;
        text.chars().next()
    }

    /// Returns whether a lookahead has run out of input since the last call.
    pub(super) fn take_ran_out(&self) -> bool {
        self.ran_out.take()
    }
}

/// Returns the beginning of the character at this offset.
pub(super) fn char_start(text: &Input<'_>, offset: usize) -> usize {
    let bytes = text.slice(offset.saturating_sub(3), offset.saturating_add(1));
    let continues = bytes.iter().rev().take_while(|byte| **byte & 0xC0 == 0x80);
    offset - continues.count().min(3)
}

/// Returns true if `pct-encoded` begins here: `%` and two hexadecimal digits (RFC 3986, 2.1).
pub(super) fn is_pct_encoded(text: &Input<'_>, at: usize) -> bool {
    text.at(at) == Some(b'%') && text.has_hex_pair(at + 1)
}

// Candidates.

/// The candidates in the text, in order: colons and, if guessing is enabled, other bytes.
///
/// Each kind of candidate has a separate search function, which is the fastest one for its bytes.
/// The next match of each kind is remembered until the search has passed that match.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    colons: Colons,
    colon: NextMatch,
    other: NextMatch,
}

/// The next match for one kind of candidate.
#[derive(Clone, Copy, Debug, Default)]
enum NextMatch {
    #[default]
    Unknown,
    At(usize),
    None,
}

impl NextMatch {
    /// Returns the next match at or after `at`. Calls `find` only if the remembered match is before
    /// `at`.
    #[inline]
    fn from(&mut self, at: usize, find: impl FnOnce() -> Option<usize>) -> Option<usize> {
        match *self {
            Self::None => None,
            Self::At(next) if next >= at => Some(next),
            _ => {
                let next = find();
                *self = next.map_or(Self::None, Self::At);
                next
            }
        }
    }
}

impl Candidates {
    /// Returns the next colon at or after `at` that may end a scheme.
    #[inline]
    pub(super) fn colon(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        self.colons.next(bytes, at)
    }

    /// Returns the next candidate: the first match of `find` at or after `at`.
    pub(super) fn other(
        &mut self,
        bytes: &[u8],
        at: usize,
        find: impl Fn(&[u8]) -> Option<usize>,
    ) -> Option<usize> {
        self.other.from(at, || Some(at + find(bytes.get(at..)?)?))
    }

    /// Returns the next candidate at or after `at`: a colon that may end a scheme, or the first
    /// match of `find` at or after `at`.
    #[inline]
    pub(super) fn colon_or(
        &mut self,
        bytes: &[u8],
        at: usize,
        find: impl Fn(&[u8]) -> Option<usize>,
    ) -> Option<usize> {
        let colon = self.colon.from(at, || self.colons.next(bytes, at));
        let other = self.other(bytes, at, find);
        match (colon, other) {
            (Some(colon), Some(other)) => Some(colon.min(other)),
            (colon, other) => colon.or(other),
        }
    }
}

/// The bytes that may follow the colon of a link: a slash or an escaped slash, the first character
/// of a URL without slashes, or the end of the line on which a wrapped link is broken.
static AFTER: ByteSet = ALPHA
    .set()
    .or(*DIGIT.set())
    .or(ByteSet::of(b"/\\+*?,%-_\n\r"));

/// The colons in the text that may end a scheme, in order.
///
/// Most colons in text are next to a space or a quotation mark, and do not end a scheme. If colons
/// are frequent, a byte-by-byte search spends most of its time on restarts and mispredicted
/// branches. The core's scanner therefore examines a large region of the text in one pass, and only
/// blocks with a possible colon are visited.
#[derive(Debug, Default)]
pub struct Colons {
    region: Region,
    /// The beginning of the region.
    start: usize,
    /// The end of the region, where the next region begins.
    end: usize,
    /// The beginning of the current block.
    block: usize,
    /// The remaining colons of the block, one bit for each byte.
    marks: u64,
    /// The offset after the last colon found. The bits in `marks` before this offset are cleared.
    passed: usize,
}

impl Colons {
    /// Returns the next colon at or after `at` that may end a scheme: it is preceded by a character
    /// allowed in schemes, and followed by one that can continue a reference. A colon at the end of
    /// the bytes is also returned, because the next byte is unknown.
    ///
    /// Between calls, `at` must not decrease and the bytes must not change.
    #[inline]
    pub fn next(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if at > self.passed {
            // The last colon was in a link, and the search continues after that link.
            let passed = u32::try_from(at.saturating_sub(self.block)).unwrap_or(u32::MAX);
            self.marks &= u64::MAX.checked_shl(passed).unwrap_or(0);
        }
        loop {
            while self.marks != 0 {
                let found = self.block + self.marks.trailing_zeros() as usize;
                self.marks &= self.marks - 1;
                if may_end_scheme(bytes, found) {
                    self.passed = found + 1;
                    return Some(found);
                }
            }
            if self.region.any != 0 {
                let index = self.region.any.trailing_zeros() as usize;
                self.region.any &= self.region.any - 1;
                self.block = self.start + index * BLOCK;
                let marks = self.region.masks.get(index).copied().unwrap_or(0);
                let passed = u32::try_from(at.saturating_sub(self.block)).unwrap_or(u32::MAX);
                // Neither of two adjacent colons ends a scheme.
                self.marks = marks
                    & !(marks << 1)
                    & !(marks >> 1)
                    & u64::MAX.checked_shl(passed).unwrap_or(0);
            } else {
                self.start = at.max(self.end).max(1);
                self.region.look(bytes, self.start, b':', b' ');
                self.end = self.start + self.region.blocks * BLOCK;
                if self.region.blocks == 0 {
                    return last_colon(bytes, self.start);
                }
            }
        }
    }
}

/// Returns true if the colon at this offset may end a scheme.
#[inline]
fn may_end_scheme(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    let after = bytes.get(at + 1);
    before.is_some_and(|byte| is_scheme_byte(*byte))
        && after.is_none_or(|byte| AFTER.contains(*byte))
}

/// Returns the next colon in a remainder that is too short for a block.
fn last_colon(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr(b':', bytes.get(at..)?)?;
        if may_end_scheme(bytes, at) {
            return Some(at);
        }
        at += 1;
    }
}

// Classes of characters.

/// A class of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Term {
    /// The character is part of a link.
    Include,
    /// The character is part of a link if more of the link follows.
    Soft,
    /// The character is an opening bracket, which the given character closes.
    Open(char),
    /// Closes a bracket.
    Close,
    /// Ends a link.
    Hard,
}

/// Returns the class of a character.
pub(super) fn term(c: char) -> Term {
    match c {
        'a'..='z'
        | 'A'..='Z'
        | '0'..='9'
        | '/'
        | '-'
        | '_'
        | '~'
        | '='
        | '&'
        | '#'
        | '%'
        | '+'
        | '$'
        | '@' => Term::Include,
        '.' | ',' | ':' | ';' | '!' | '?' | '\'' | '*' => Term::Soft,
        '(' => Term::Open(')'),
        ')' => Term::Close,
        // Control characters, the space, quotation marks, `<>`, `[]`, `\^`, backquote and `{|}`,
        // which RFC 3986 does not allow in a path, query or fragment.
        '\0'..='\x7F' => Term::Hard,
        _ => non_ascii(c),
    }
}

/// `unreserved` (RFC 3986, 2.3).
pub(super) static NAME: Set = Set::new(*UNRESERVED.set());

/// The bytes that the scan for the end of a link skips without examining them one by one.
pub(super) static CONTINUE: Set = Set::new(CONTINUE_BYTES);

const CONTINUE_BYTES: ByteSet = UNRESERVED.set().or(ByteSet::of(b"/=+$@,;!"));

/// Returns true if a link may end after the character: it is neither soft punctuation nor an
/// opening bracket.
pub(super) fn can_end(c: char) -> bool {
    !matches!(c, '|' | '[' | '{' | '\\') && !matches!(term(c), Term::Soft | Term::Open(_))
}

/// Returns true if a character is invisible or has no meaning, so a link that ends before the
/// character may have been cut off: soft hyphen, ZWSP, word joiners, directional marks, private
/// use, and U+FFFD, which decoders write for invalid bytes.
// This list can be replaced once the core makes its list of invisible characters public.
pub(super) const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
        | '\u{FFF0}'..='\u{FFFF}' | '\u{E000}'..='\u{F8FF}')
}

/// Returns true if the character belongs to a script that has no spaces between words, or that
/// attaches particles to words in other scripts: Chinese, Japanese, Korean, Thai, Lao, Khmer
/// or Myanmar.
pub(super) const fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1100}'..='\u{11FF}'
        | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FFDC}' | '\u{20000}'..='\u{3FFFD}')
}

/// Returns the class of a non-ASCII character.
fn non_ascii(c: char) -> Term {
    match c {
        // White space, including NBSP.
        _ if c.is_whitespace() || c.is_control() => Term::Hard,
        _ if is_invisible(c) => Term::Hard,
        // Noncharacters, tag characters, and the private-use planes.
        '\u{FDD0}'..='\u{FDEF}' | '\u{E0000}'..='\u{10FFFF}'
        // Quotation marks, except the apostrophe ’, which also occurs in words.
        | '\u{AB}' | '\u{BB}' | '\u{2018}' | '\u{201A}'..='\u{201F}' | '\u{2039}' | '\u{203A}'
        | '\u{2E42}' | '\u{301D}'..='\u{301F}' | '\u{FF02}' => Term::Hard,
        // Noncharacters of the other planes.
        _ if u32::from(c) & 0xFFFE == 0xFFFE => Term::Hard,
        // The apostrophe, and dashes, which may follow a link in a sentence.
        '\u{2019}' | '\u{2013}'..='\u{2015}' => Term::Soft,
        _ => match brackets(c) {
            Some(term) => term,
            None if is_punctuation(c) => Term::Soft,
            None => Term::Include,
        },
    }
}

/// Returns the class of a paired bracket (Unicode's Bidi_Paired_Bracket, and its compatibility
/// forms).
fn brackets(c: char) -> Option<Term> {
    const PAIRS: [(char, char); 44] = [
        ('\u{0F3A}', '\u{0F3B}'),
        ('\u{0F3C}', '\u{0F3D}'),
        ('\u{169B}', '\u{169C}'),
        ('\u{2045}', '\u{2046}'),
        ('\u{207D}', '\u{207E}'),
        ('\u{208D}', '\u{208E}'),
        ('\u{2308}', '\u{2309}'),
        ('\u{230A}', '\u{230B}'),
        ('\u{2329}', '\u{232A}'),
        ('\u{2768}', '\u{2769}'),
        ('\u{276A}', '\u{276B}'),
        ('\u{276C}', '\u{276D}'),
        ('\u{276E}', '\u{276F}'),
        ('\u{2770}', '\u{2771}'),
        ('\u{2772}', '\u{2773}'),
        ('\u{2774}', '\u{2775}'),
        ('\u{27C5}', '\u{27C6}'),
        ('\u{27E6}', '\u{27E7}'),
        ('\u{27E8}', '\u{27E9}'),
        ('\u{27EA}', '\u{27EB}'),
        ('\u{27EC}', '\u{27ED}'),
        ('\u{27EE}', '\u{27EF}'),
        ('\u{2983}', '\u{2984}'),
        ('\u{2985}', '\u{2986}'),
        ('\u{2987}', '\u{2988}'),
        ('\u{2989}', '\u{298A}'),
        ('\u{298B}', '\u{298C}'),
        ('\u{2991}', '\u{2992}'),
        ('\u{2993}', '\u{2994}'),
        ('\u{2995}', '\u{2996}'),
        ('\u{2997}', '\u{2998}'),
        ('\u{29FC}', '\u{29FD}'),
        ('\u{3008}', '\u{3009}'),
        ('\u{300A}', '\u{300B}'),
        ('\u{300C}', '\u{300D}'),
        ('\u{300E}', '\u{300F}'),
        ('\u{3010}', '\u{3011}'),
        ('\u{3014}', '\u{3015}'),
        ('\u{3016}', '\u{3017}'),
        ('\u{3018}', '\u{3019}'),
        ('\u{301A}', '\u{301B}'),
        ('\u{FF08}', '\u{FF09}'),
        ('\u{FF3B}', '\u{FF3D}'),
        ('\u{FF5B}', '\u{FF5D}'),
    ];
    const HALF: (char, char) = ('\u{FF62}', '\u{FF63}');
    let mut pairs = PAIRS.iter().chain([&HALF]);
    pairs.find_map(|&(open, close)| {
        if c == open {
            Some(Term::Open(close))
        } else if c == close {
            Some(Term::Close)
        } else {
            None
        }
    })
}

/// Returns true if the character is punctuation that ends sentences or clauses (Unicode's
/// Terminal_Punctuation, in the Basic Multilingual Plane), the ellipsis or the Katakana middle dot.
fn is_punctuation(c: char) -> bool {
    matches!(c,
        '\u{37E}' | '\u{387}' | '\u{589}' | '\u{5C3}' | '\u{60C}' | '\u{61B}'
        | '\u{61D}'..='\u{61F}' | '\u{6D4}' | '\u{700}'..='\u{70A}' | '\u{70C}' | '\u{7F8}'
        | '\u{7F9}' | '\u{830}'..='\u{83E}' | '\u{85E}' | '\u{964}' | '\u{965}' | '\u{E5A}'
        | '\u{E5B}' | '\u{F08}' | '\u{F0D}'..='\u{F12}' | '\u{104A}' | '\u{104B}'
        | '\u{1361}'..='\u{1368}' | '\u{166E}' | '\u{16EB}'..='\u{16ED}' | '\u{1735}'
        | '\u{1736}' | '\u{17D4}'..='\u{17D6}' | '\u{17DA}' | '\u{1802}'..='\u{1805}'
        | '\u{1808}' | '\u{1809}' | '\u{1944}' | '\u{1945}' | '\u{1AA8}'..='\u{1AAB}'
        | '\u{1B5A}' | '\u{1B5B}' | '\u{1B5D}'..='\u{1B5F}' | '\u{1C3B}'..='\u{1C3F}'
        | '\u{1C7E}' | '\u{1C7F}' | '\u{2026}' | '\u{203C}' | '\u{203D}'
        | '\u{2047}'..='\u{2049}' | '\u{2E2E}' | '\u{2E3C}' | '\u{2E41}' | '\u{3001}'
        | '\u{3002}' | '\u{30FB}' | '\u{A4FE}' | '\u{A4FF}' | '\u{A60D}'..='\u{A60F}'
        | '\u{A6F3}'..='\u{A6F7}' | '\u{A876}' | '\u{A877}' | '\u{A8CE}' | '\u{A8CF}'
        | '\u{A92F}' | '\u{A9C7}'..='\u{A9C9}' | '\u{AA5D}'..='\u{AA5F}' | '\u{AADF}'
        | '\u{AAF0}' | '\u{AAF1}' | '\u{ABEB}' | '\u{FE10}'..='\u{FE16}'
        | '\u{FE50}'..='\u{FE52}' | '\u{FE54}'..='\u{FE57}' | '\u{FF01}' | '\u{FF0C}'
        | '\u{FF0E}' | '\u{FF1A}' | '\u{FF1B}' | '\u{FF1F}' | '\u{FF61}' | '\u{FF64}')
}

/// The maximum number of open brackets in a link. A bracket that would exceed this number ends the
/// link.
const MAX_DEPTH: usize = 32;

/// The open brackets in a link.
pub(super) struct Brackets {
    closers: [char; MAX_DEPTH],
    depth: usize,
}

impl Brackets {
    pub(super) const fn new() -> Self {
        Self {
            closers: ['\0'; MAX_DEPTH],
            depth: 0,
        }
    }

    /// Adds an open bracket that this character will close. Returns `false` if too many brackets
    /// are open.
    pub(super) fn open(&mut self, close: char) -> bool {
        let place = self.closers.get_mut(self.depth);
        let is_there = place.is_some();
        if let Some(place) = place {
            *place = close;
            self.depth += 1;
        }
        is_there
    }

    /// Closes the innermost bracket. Returns `false` if this character does not close that bracket.
    pub(super) fn close(&mut self, c: char) -> bool {
        let open = self.depth.checked_sub(1);
        let is_open = open.and_then(|open| self.closers.get(open)) == Some(&c);
        if is_open {
            self.depth -= 1;
        }
        is_open
    }
}

// Escapes of string literals (`\/` and `\u0026`: RFC 8259, 7), and of LaTeX and Markdown (`\_`).
//
// JSON in a web page contains `\u0026`, `\u003D` and `\u002F` in place of characters that have a
// meaning in HTML. References contain no backslash, so a backslash before `u` and four hexadecimal
// digits, or before a mark that is special in LaTeX or Markdown, can only be an escape.

/// The length of `\u0026`.
pub(super) const ESCAPE_LENGTH: usize = 6;

/// The maximum length of an escape: that of a surrogate pair.
pub(super) const MAX_ESCAPE: usize = 2 * ESCAPE_LENGTH;

/// Returns the character of the `\u` escape at this offset. A character outside the Basic
/// Multilingual Plane is written as a surrogate pair, `\ud83d\ude00` (RFC 8259, 7).
pub(super) fn unicode_escape(text: &Input<'_>, at: usize) -> Option<char> {
    let first = code_unit(text, at)?;
    // Most escapes are complete, so the text after them is not read.
    char::from_u32(first.into()).or_else(|| {
        let pair = [first, code_unit(text, at + ESCAPE_LENGTH)?];
        char::decode_utf16(pair).next()?.ok()
    })
}

/// Returns the UTF-16 code unit of the `\u` escape at this offset.
fn code_unit(text: &Input<'_>, at: usize) -> Option<u16> {
    if text.at(at) != Some(b'\\') || text.at(at + 1) != Some(b'u') {
        return None;
    }
    let mut unit = 0;
    for place in at + 2..at + ESCAPE_LENGTH {
        let digit = char::from(text.at(place)?).to_digit(16)?;
        unit = unit << 4 | u16::try_from(digit).ok()?;
    }
    Some(unit)
}

/// Returns true if the `\u` escape at this offset is half of a surrogate pair without the other
/// half, which represents no character.
pub(super) fn is_lone_surrogate(text: &Input<'_>, at: usize) -> bool {
    code_unit(text, at).is_some() && unicode_escape(text, at).is_none()
}

/// Returns the length of the `\u` escape for a character.
pub(super) const fn unicode_escape_length(c: char) -> usize {
    ESCAPE_LENGTH * c.len_utf16()
}

/// Returns the mark after the backslash at this offset if LaTeX or Markdown escape it in a link.
/// Brackets are not among these marks, because `\(…\)` encloses formulas.
pub(super) fn markup_escape(text: &Input<'_>, at: usize) -> Option<char> {
    let mark = text.at(at + 1)?;
    b"_%#&$~-*+=.@|".contains(&mark).then_some(char::from(mark))
}

/// Returns the length of the escape at this offset.
pub(super) fn escape_length(text: &Input<'_>, at: usize) -> usize {
    unicode_escape(text, at).map_or(2, unicode_escape_length)
}

/// Returns true if the link continues with the character `c`. The escape for `c` is at this offset.
pub(super) fn escape_continues_link(text: &Input<'_>, at: usize, c: char) -> bool {
    match c {
        '%' => text.has_hex_pair(at + ESCAPE_LENGTH),
        '?' => true,
        c => term(c) == Term::Include,
    }
}

/// Returns the link without its escapes.
pub(super) fn unescape(link: &str) -> String {
    let text = Input::new(link.as_bytes(), true);
    let mut out = String::with_capacity(link.len());
    let (mut at, mut kept) = (0, 0);
    while let Some(found) = link
        .get(at..)
        .and_then(|rest| memchr::memchr(b'\\', rest.as_bytes()))
    {
        at += found;
        let (c, length) = match unicode_escape(&text, at) {
            Some(c) => (c, unicode_escape_length(c)),
            None if text.at(at + 1) == Some(b'/') => ('/', 2),
            None => {
                let Some(mark) = markup_escape(&text, at) else {
                    at += 1;
                    continue;
                };
                (mark, 2)
            }
        };
        out.push_str(link.get(kept..at).unwrap_or_default());
        out.push(c);
        at += length;
        kept = at;
    }
    out.push_str(link.get(kept..).unwrap_or_default());
    out
}

/// Returns how many characters at the beginning of a run look like part of a scheme but end an
/// escape: one in a string literal (`\n`, `\x3d`, `\u003d`), in a URL (`%3D`), in quoted-printable
/// (`=3D`), or a terminal colour code (ESC `[0m`).
pub(super) fn leading_escape(text: &Input<'_>, run: usize, colon: usize) -> usize {
    let name = text.slice(run, colon);
    let are_digits = |range: core::ops::Range<usize>| {
        name.get(range)
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let letter = name.iter().position(u8::is_ascii_alphabetic);
    let letters = name.get(letter.unwrap_or(0)..).unwrap_or_default();
    let is_known_after = |length: usize| name.get(length..).is_some_and(is_known);
    match (text.before(run), name.first()) {
        (Some(b'%'), _) if are_digits(0..2) && (is_known_after(2) || !is_known(letters)) => 2,
        (Some(b'='), _) if are_digits(0..2) && is_known_after(2) => 2,
        (Some(b'\\'), Some(b'u')) if are_digits(1..5) => 5,
        (Some(b'\\'), Some(b'x')) if are_digits(1..3) => 3,
        (Some(b'\\'), Some(b'n' | b'r' | b't' | b'b' | b'f' | b'v' | b'0' | b'e' | b'a'))
            if is_known_after(1) =>
        {
            1
        }
        (Some(b'[' | b';'), Some(_)) => {
            let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let before = text.slice(run.saturating_sub(MAX_COLOUR), run);
            let parameters = |byte: &u8| byte.is_ascii_digit() || *byte == b';';
            let opens = before.iter().rposition(|byte| !parameters(byte));
            let is_colour = name.get(digits) == Some(&b'm')
                && opens.is_some_and(|at| {
                    before.get(at) == Some(&b'[')
                        && at.checked_sub(1).and_then(|at| before.get(at)) == Some(&0x1B)
                });
            if is_colour { digits + 1 } else { 0 }
        }
        _ => 0,
    }
}

/// The maximum length of a terminal colour code before its last number, in bytes: ESC, `[`
/// and numbers.
const MAX_COLOUR: usize = 32;

/// The slashes after the colon of a scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slashes {
    /// Two slashes.
    Plain,
    /// Two slashes, each after a backslash, as in string literals of JSON and other languages.
    Escaped,
    /// Two slashes, each written as `\u002F`.
    UnicodeEscaped,
    /// At most one slash.
    None,
}

impl Slashes {
    pub(super) fn at(text: &Input<'_>, offset: usize) -> Self {
        let is_slash = |at| unicode_escape(text, at) == Some('/');
        match text.at(offset) {
            Some(b'/') if text.at(offset + 1) == Some(b'/') => Self::Plain,
            Some(b'\\') if text.has(offset, b"\\/\\/") => Self::Escaped,
            Some(b'\\') if is_slash(offset) && is_slash(offset + ESCAPE_LENGTH) => {
                Self::UnicodeEscaped
            }
            _ => Self::None,
        }
    }

    pub(super) const fn len(self) -> usize {
        match self {
            Self::Plain => 2,
            Self::Escaped => 4,
            Self::UnicodeEscaped => 12,
            Self::None => 0,
        }
    }
}
