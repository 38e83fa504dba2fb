//! Parses the lines from `LIST`. No standard defines the format of these lines (RFC 959, 4.1.3), so
//! only lines in the following formats are accepted:
//!
//! ```text
//! -rw-r--r--    1 ftp      ftp          7732 Jan 01  1999 name     Unix; also without a group, and
//! lrwxrwxrwx    1 ftp      ftp             3 Nov 21 18:30 a -> b   with `1999-01-01 18:30`
//! 01-01-99  10:00AM                 7732 name                      Windows; also with four digits
//! 01-01-1999  10:00AM       <DIR>        name                      of the year
//! +i8388621.29609,m824255902,r,s280,\tname                         EPLF
//! ```

use crate::listing::EntryKind;
use crate::protocol::parse::number;
use jiff::Timestamp;
use urikit::grammar::ByteSet;

/// The fields of a line.
pub(super) struct Line<'a> {
    pub(super) kind: EntryKind,
    pub(super) size: Option<u64>,
    /// The mode, for example `-rw-r--r--`.
    pub(super) mode: Option<&'a [u8]>,
    /// The date, for example `Jan 01 1999`. The date is kept as text, because the time zone is
    /// unknown.
    pub(super) date: Option<&'a [u8]>,
    /// The date in EPLF, which is in UTC.
    pub(super) modified: Option<Timestamp>,
    pub(super) name: &'a [u8],
    /// The target of a link.
    pub(super) target: Option<&'a [u8]>,
}

/// The characters that may follow the first character of a mode.
static MODE: ByteSet = ByteSet::of(b"-rwxsStT");

/// Returns whether a word is the abbreviated name of a month.
const fn is_month(word: &[u8]) -> bool {
    matches!(
        word,
        b"Jan"
            | b"Feb"
            | b"Mar"
            | b"Apr"
            | b"May"
            | b"Jun"
            | b"Jul"
            | b"Aug"
            | b"Sep"
            | b"Oct"
            | b"Nov"
            | b"Dec"
    )
}

/// Separates the name of a link from its target. No server escapes an arrow within a name, so the
/// name ends at the first arrow.
const ARROW: &[u8] = b" -> ";

/// Parses a line. Returns `None` if the format is unknown.
pub(super) fn parse(line: &[u8]) -> Option<Line<'_>> {
    match line.first()? {
        b'0'..=b'9' => windows(line),
        b'+' => eplf(line),
        _ => unix(line),
    }
}

/// Returns whether a line is empty, or is the block count (`total`) at the beginning of the output
/// of `ls -l`.
pub(super) fn is_blank_or_total(line: &[u8]) -> bool {
    let total = line.strip_prefix(b"total ");
    let is_number = |total: &[u8]| number::<u64>(total.trim_ascii()).is_some();
    line.trim_ascii().is_empty() || total.is_some_and(is_number)
}

/// Parses a line of `ls -l`.
fn unix(line: &[u8]) -> Option<Line<'_>> {
    let mut words = Words::new(line);
    let mode = words.next()?;
    let kind = match mode.first()? {
        b'-' => EntryKind::File,
        b'd' => EntryKind::Directory,
        b'l' => EntryKind::Link,
        b'b' | b'c' | b'p' | b's' => EntryKind::Other,
        _ => return None,
    };
    // A mode has ten characters, and an eleventh (`+`) if the file has an access control list.
    if !matches!(mode.len(), 10 | 11) || !mode.get(1..10)?.iter().all(|octet| MODE.contains(*octet))
    {
        return None;
    }
    let _links: u64 = number(words.next()?)?;
    // The owner and the group may contain spaces (`Domain Users`), and some servers omit the
    // group. Therefore, the size is the first number that is followed by a date.
    let (octets, date, name) = loop {
        let octets = words.next()?;
        if let Some(octets) = number::<u64>(octets)
            && let Some((date, name)) = split_date(words)
        {
            break (octets, date, name);
        }
    };
    let name = Some(name).filter(|name| !name.is_empty())?;
    let arrow = (kind == EntryKind::Link)
        .then(|| name.windows(ARROW.len()).position(|part| part == ARROW))
        .flatten();
    let (name, target) = match arrow.filter(|arrow| *arrow > 0) {
        Some(end) => (name.get(..end)?, name.get(end + ARROW.len()..)),
        None => (name, None),
    };
    Some(Line {
        kind,
        size: (kind == EntryKind::File).then_some(octets),
        mode: Some(mode),
        date: Some(date),
        modified: None,
        name,
        target,
    })
}

/// Splits a date from the name that follows it.
fn split_date(mut words: Words<'_>) -> Option<(&[u8], &[u8])> {
    let before = words.rest_after_spaces();
    let first = words.next()?;
    if is_month(first) {
        let _day: u64 = number(words.next()?).filter(|day| (1..=31).contains(day))?;
        let year = words.next()?;
        let is_year = year.len() == 4 && number::<u16>(year).is_some();
        if !is_year && !is_time(year) {
            return None;
        }
    } else if !has_shape(first, b"0000-00-00") || !is_time(words.next()?) {
        return None;
    }
    let rest = words.rest();
    let date = before.get(..before.len() - rest.len())?;
    // Remove one space only, because a name may begin with a space.
    Some((date, rest.strip_prefix(b" ")?))
}

/// Returns whether a string has the form of a time of day.
fn is_time(text: &[u8]) -> bool {
    has_shape(text, b"00:00") || has_shape(text, b"0:00")
}

/// Returns whether a string matches a pattern in which `0` stands for any digit.
fn has_shape(text: &[u8], shape: &[u8]) -> bool {
    let is_same = |(octet, shape): (&u8, &u8)| match shape {
        b'0' => octet.is_ascii_digit(),
        other => octet == other,
    };
    text.len() == shape.len() && text.iter().zip(shape).all(is_same)
}

/// Parses a line of `dir` on Windows.
fn windows(line: &[u8]) -> Option<Line<'_>> {
    let mut words = Words::new(line);
    let day = words.next()?;
    let time = words.next()?;
    let is_day = has_shape(day, b"00-00-00") || has_shape(day, b"00-00-0000");
    let clock = time.strip_suffix(b"AM").or(time.strip_suffix(b"PM"));
    if !is_day || !is_time(clock.unwrap_or(time)) {
        return None;
    }
    let date = line.get(..line.len() - words.rest().len())?.trim_ascii();
    let (kind, size) = match words.next()? {
        b"<DIR>" => (EntryKind::Directory, None),
        b"<SYMLINK>" | b"<SYMLINKD>" | b"<JUNCTION>" => (EntryKind::Link, None),
        digits => (EntryKind::File, Some(number(digits)?)),
    };
    // The size of a file is followed by one space. Names on Windows do not begin with spaces, so
    // all spaces after `<DIR>` are padding.
    let name = match kind {
        EntryKind::File => words.rest().strip_prefix(b" ")?,
        _ => words.rest_after_spaces(),
    };
    (!name.is_empty()).then_some(Line {
        kind,
        size,
        mode: None,
        date: Some(date),
        modified: None,
        name,
        target: None,
    })
}

/// Parses a line in the Easily Parsed LIST Format (D. J. Bernstein, `cr.yp.to/ftp/list/eplf.html`).
fn eplf(line: &[u8]) -> Option<Line<'_>> {
    let text = line.strip_prefix(b"+")?;
    let tab = text.iter().position(|octet| *octet == b'\t')?;
    let (facts, name) = (text.get(..tab)?, text.get(tab + 1..)?);
    let mut entry = Line {
        kind: EntryKind::Other,
        size: None,
        mode: None,
        date: None,
        modified: None,
        name: Some(name).filter(|name| !name.is_empty())?,
        target: None,
    };
    for fact in facts.split(|octet| *octet == b',') {
        match fact {
            b"r" => entry.kind = EntryKind::File,
            b"/" => entry.kind = EntryKind::Directory,
            [b's', size @ ..] => entry.size = number(size),
            [b'm', seconds @ ..] => {
                let seconds: Option<i64> = number(seconds);
                entry.modified = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
            }
            _ => {}
        }
    }
    Some(entry)
}

/// Iterates over the words of a line.
///
/// The lengths of words differ from line to line, so a processor cannot predict when a loop over
/// the bytes ends. In long listings, this loop took more time than all other work. The positions of
/// spaces are therefore computed without branches, eight bytes at a time.
#[derive(Clone, Copy)]
struct Words<'a> {
    line: &'a [u8],
    /// Bit n is set if byte n of the line is a space.
    spaces: u64,
    /// The position at which the last returned word ended.
    at: usize,
}

/// The number of bytes that the mask of spaces covers.
const MASKED: usize = 64;

impl<'a> Words<'a> {
    #[inline]
    fn new(line: &'a [u8]) -> Self {
        let (groups, _) = line.as_chunks::<8>();
        let mut spaces = 0;
        for (nth, group) in groups.iter().take(MASKED / 8).enumerate() {
            spaces |= spaces_of(*group) << (8 * nth);
        }
        let grouped = 8 * groups.len().min(MASKED / 8);
        for (at, byte) in line.iter().enumerate().take(MASKED).skip(grouped) {
            spaces |= u64::from(*byte == b' ') << at;
        }
        Self {
            line,
            spaces,
            at: 0,
        }
    }

    /// Returns the next word, or `None` if no space follows it.
    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let begin = self.find(self.at, false)?;
        let end = self.find(begin, true)?;
        self.at = end;
        self.line.get(begin..end)
    }

    /// Returns the text after the last word that was returned.
    fn rest(&self) -> &'a [u8] {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// Returns [`rest`](Self::rest) without its leading spaces.
    fn rest_after_spaces(&self) -> &'a [u8] {
        let begin = self.find(self.at, false);
        begin
            .and_then(|begin| self.line.get(begin..))
            .unwrap_or_default()
    }

    /// Finds the first space at or after `at`, or the first non-space byte if `is_space` is false.
    #[inline]
    fn find(&self, mut at: usize, is_space: bool) -> Option<usize> {
        if at < MASKED {
            let wanted = if is_space { self.spaces } else { !self.spaces };
            let wanted = wanted & (u64::MAX << at);
            if wanted != 0 {
                at = wanted.trailing_zeros() as usize;
                return Some(at).filter(|at| *at < self.line.len());
            }
            at = MASKED;
        }
        let mut rest = self.line.get(at..)?.iter();
        let found = rest.position(|byte| (*byte == b' ') == is_space);
        found.map(|found| at + found)
    }
}

/// Returns a mask in which bit n is set if byte n is a space.
fn spaces_of(bytes: [u8; 8]) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let others = u64::from_le_bytes(bytes) ^ u64::from_le_bytes([b' '; 8]);
    // Set the highest bit of each byte that was a space, and clear all other bits.
    let highest = !(((others & LOW) + LOW) | others | LOW);
    // The multiplication collects these eight bits in the highest byte.
    (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::{Words, is_blank_or_total, parse};
    use crate::listing::EntryKind::{Directory, File, Link, Other};

    #[test]
    fn lines_of_unix() {
        for (line, kind, size, date, name) in [
            (
                "-rw-r--r--    1 0        0            7732 Jan 01  1999 a  b",
                File,
                Some(7732),
                "Jan 01  1999",
                "a  b",
            ),
            (
                "drwxr-xr-x+   2 ftp ftp 4096 Nov 21 18:30  x",
                Directory,
                None,
                "Nov 21 18:30",
                " x",
            ),
            (
                "lrwxrwxrwx 1 ftp ftp 3 Nov 1 18:30 a -> b",
                Link,
                None,
                "Nov 1 18:30",
                "a",
            ),
            (
                "-rw-r--r-- 1 ftp 7732 Jan 01  1999 a",
                File,
                Some(7732),
                "Jan 01  1999",
                "a",
            ),
            (
                "-rw-r--r-- 1 ftp Domain Users 7732 Jan 01  1999 a",
                File,
                Some(7732),
                "Jan 01  1999",
                "a",
            ),
            (
                "-rw-r--r-- 1 1000 1000 7732 2024-01-01 10:00 a",
                File,
                Some(7732),
                "2024-01-01 10:00",
                "a",
            ),
            (
                "crw-r--r-- 1 root root 1, 3 Jan 01  1999 null",
                Other,
                None,
                "Jan 01  1999",
                "null",
            ),
            // A name may look like a date.
            (
                "-rw-r--r-- 1 a b 5 Jan 01 1999 6 Feb 02 2000 c",
                File,
                Some(5),
                "Jan 01 1999",
                "6 Feb 02 2000 c",
            ),
        ] {
            let parsed = parse(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((parsed.kind, parsed.size), (kind, size), "{line}");
            assert_eq!(parsed.date, Some(date.as_bytes()), "{line}");
            assert_eq!(parsed.name, name.as_bytes(), "{line}");
        }
        let link = parse(b"lrwxrwxrwx 1 ftp ftp 3 Nov 1 18:30 a -> b -> c").unwrap();
        assert_eq!((link.name, link.target), (&b"a"[..], Some(&b"b -> c"[..])));
    }

    #[test]
    fn lines_of_windows_and_eplf() {
        let line = parse(b"01-01-99  10:00AM                 7732 a b.txt").unwrap();
        assert_eq!((line.kind, line.size), (File, Some(7732)));
        assert_eq!(
            (line.date, line.name),
            (Some(&b"01-01-99  10:00AM"[..]), &b"a b.txt"[..])
        );
        let line = parse(b"11-21-2025  06:30PM       <DIR>          pub").unwrap();
        assert_eq!((line.kind, line.name), (Directory, &b"pub"[..]));
        // https://cr.yp.to/ftp/list/eplf.html
        let line = parse(b"+i8388621.48594,m825718503,r,s280,\tdjb.html").unwrap();
        assert_eq!(
            (line.kind, line.size, line.name),
            (File, Some(280), &b"djb.html"[..])
        );
        assert_eq!(line.modified.unwrap().to_string(), "1996-03-01T22:15:03Z");
        let line = parse(b"+i8388621.50690,m824255907,/,\t514").unwrap();
        assert_eq!(
            (line.kind, line.size, line.name),
            (Directory, None, &b"514"[..])
        );
    }

    #[test]
    fn other_lines() {
        for line in [
            "total 12",
            "-rw-r--r-- 1 ftp ftp 7732 Jan 01  1999 ",
            "-rw-r--r-- 1 ftp ftp 7732 Jan 32  1999 a",
            "-rw-r--r-- 1 ftp ftp 7732 Jan 01 1999",
            "-rw-r--r-- ftp ftp 7732 Jan 01  1999 a",
            "?rw-r--r-- 1 ftp ftp 7732 Jan 01  1999 a",
            "01-01-99  10:00AM  7732 ",
            "01-01-99  10:00AM  <DIR> ",
            "01-01-99  10AM  7732 a",
            "+i1,r",
            "+i1,r,\t",
            "",
        ] {
            assert!(parse(line.as_bytes()).is_none(), "{line}");
        }
        for (line, is) in [
            ("total 12", true),
            ("", true),
            ("total a", false),
            ("a", false),
        ] {
            assert_eq!(is_blank_or_total(line.as_bytes()), is, "{line}");
        }
    }

    #[test]
    fn words_end_at_spaces() {
        // Lines of every length: shorter than the part that the mask covers, and longer.
        for length in 0..140 {
            let mut seed: u32 = length + 1;
            let line: Vec<u8> = (0..length)
                .map(|_| {
                    seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
                    b"  ab\t!\xA0\x00"[(seed >> 16) as usize % 8]
                })
                .collect();
            let mut words = Words::new(&line);
            let mut rest = &line[..];
            loop {
                let begin = rest.iter().position(|byte| *byte != b' ');
                let text = begin.map_or(&b""[..], |begin| &rest[begin..]);
                assert_eq!(words.rest(), rest);
                assert_eq!(words.rest_after_spaces(), text);
                let end = text.iter().position(|byte| *byte == b' ');
                assert_eq!(words.next(), end.map(|end| &text[..end]), "{line:?}");
                let Some(end) = end else { break };
                rest = &text[end..];
            }
        }
    }
}
