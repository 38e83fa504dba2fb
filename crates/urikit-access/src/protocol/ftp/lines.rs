//! Lines of `LIST`. No standard defines them (RFC 959, 4.1.3), so only lines of exactly these forms
//! are read:
//!
//! ```text
//! -rw-r--r--    1 ftp      ftp          7732 Jan 01  1999 name     Unix; also without a group, and
//! lrwxrwxrwx    1 ftp      ftp             3 Nov 21 18:30 a -> b   with `1999-01-01 18:30`
//! 01-01-99  10:00AM                 7732 name                      Windows; also with four digits
//! 01-01-1999  10:00AM       <DIR>        name                      of the year
//! +i8388621.29609,m824255902,r,s280,\tname                         EPLF
//! ```

use super::words::Words;
use crate::listing::EntryKind;
use crate::protocol::digits::number;
use jiff::Timestamp;
use urikit::grammar::ByteSet;

/// The fields of a line.
pub(super) struct Line<'a> {
    pub(super) kind: EntryKind,
    pub(super) size: Option<u64>,
    /// Such as `-rw-r--r--`.
    pub(super) mode: Option<&'a [u8]>,
    /// Such as `Jan 01  1999`, in an unknown time zone.
    pub(super) date: Option<&'a [u8]>,
    /// Where the form has it in UTC.
    pub(super) modified: Option<Timestamp>,
    pub(super) name: &'a [u8],
    /// The target of a link.
    pub(super) target: Option<&'a [u8]>,
}

/// The characters of a mode after the first.
static MODE: ByteSet = ByteSet::of(b"-rwxsStT");

/// Whether a word is the name of a month.
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

/// What separates the name of a link from its target. A name may contain it, which no server marks:
/// the first one counts.
const ARROW: &[u8] = b" -> ";

/// Reads a line. `None` if it has another form.
pub(super) fn read(line: &[u8]) -> Option<Line<'_>> {
    match line.first()? {
        b'0'..=b'9' => windows(line),
        b'+' => eplf(line),
        _ => unix(line),
    }
}

/// Whether a line names nothing: the sum of blocks that `ls -l` begins with, or an empty line.
pub(super) fn is_no_entry(line: &[u8]) -> bool {
    let sum = line.strip_prefix(b"total ");
    let is_number = |sum: &[u8]| number::<u64>(sum.trim_ascii()).is_some();
    line.trim_ascii().is_empty() || sum.is_some_and(is_number)
}

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
    // Ten characters, and one more for an access control list.
    if !matches!(mode.len(), 10 | 11) || !mode.get(1..10)?.iter().all(|octet| MODE.contains(*octet))
    {
        return None;
    }
    let _links: u64 = number(words.next()?)?;
    // Owner and group, which may contain spaces, or be omitted: the size is the first number that a
    // date follows.
    let (octets, date, name) = loop {
        let octets = words.next()?;
        if let Some(octets) = number::<u64>(octets)
            && let Some((date, name)) = dated(words)
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

/// The date at the beginning, and the name after it.
fn dated(mut words: Words<'_>) -> Option<(&[u8], &[u8])> {
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
    // Exactly one space: a name may begin with a space.
    Some((date, rest.strip_prefix(b" ")?))
}

fn is_time(text: &[u8]) -> bool {
    has_shape(text, b"00:00") || has_shape(text, b"0:00")
}

/// Whether a text has digits where the shape has `0`, and otherwise the same octets.
fn has_shape(text: &[u8], shape: &[u8]) -> bool {
    let is_same = |(octet, shape): (&u8, &u8)| match shape {
        b'0' => octet.is_ascii_digit(),
        other => octet == other,
    };
    text.len() == shape.len() && text.iter().zip(shape).all(is_same)
}

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
    let what = words.next()?;
    let (kind, size) = match what {
        b"<DIR>" => (EntryKind::Directory, None),
        b"<SYMLINK>" | b"<SYMLINKD>" | b"<JUNCTION>" => (EntryKind::Link, None),
        digits => (EntryKind::File, Some(number(digits)?)),
    };
    // After a size, exactly one space; names on Windows do not begin with spaces.
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

/// The Easily Parsed LIST Format (D. J. Bernstein, `cr.yp.to/ftp/list/eplf.html`).
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

#[cfg(test)]
mod tests {
    use super::{is_no_entry, read};
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
            // A name that looks like a date is one.
            (
                "-rw-r--r-- 1 a b 5 Jan 01 1999 6 Feb 02 2000 c",
                File,
                Some(5),
                "Jan 01 1999",
                "6 Feb 02 2000 c",
            ),
        ] {
            let read = read(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((read.kind, read.size), (kind, size), "{line}");
            assert_eq!(read.date, Some(date.as_bytes()), "{line}");
            assert_eq!(read.name, name.as_bytes(), "{line}");
        }
        let link = read(b"lrwxrwxrwx 1 ftp ftp 3 Nov 1 18:30 a -> b -> c").unwrap();
        assert_eq!((link.name, link.target), (&b"a"[..], Some(&b"b -> c"[..])));
    }

    #[test]
    fn lines_of_windows_and_eplf() {
        let line = read(b"01-01-99  10:00AM                 7732 a b.txt").unwrap();
        assert_eq!((line.kind, line.size), (File, Some(7732)));
        assert_eq!(
            (line.date, line.name),
            (Some(&b"01-01-99  10:00AM"[..]), &b"a b.txt"[..])
        );
        let line = read(b"11-21-2025  06:30PM       <DIR>          pub").unwrap();
        assert_eq!((line.kind, line.name), (Directory, &b"pub"[..]));
        // https://cr.yp.to/ftp/list/eplf.html
        let line = read(b"+i8388621.48594,m825718503,r,s280,\tdjb.html").unwrap();
        assert_eq!(
            (line.kind, line.size, line.name),
            (File, Some(280), &b"djb.html"[..])
        );
        assert_eq!(line.modified.unwrap().to_string(), "1996-03-01T22:15:03Z");
        let line = read(b"+i8388621.50690,m824255907,/,\t514").unwrap();
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
            assert!(read(line.as_bytes()).is_none(), "{line}");
        }
        for (line, is) in [
            ("total 12", true),
            ("", true),
            ("total a", false),
            ("a", false),
        ] {
            assert_eq!(is_no_entry(line.as_bytes()), is, "{line}");
        }
    }
}
