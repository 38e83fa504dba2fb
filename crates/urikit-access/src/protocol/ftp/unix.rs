//! Lines of `LIST` as Unix servers write them. No standard defines the output of `LIST` (RFC 959,
//! 4.1.3), so only lines of exactly this format are read:
//!
//! ```text
//! -rw-r--r--    1 ftp      ftp          7732 Jan 01  1999 name
//! ```

use crate::listing::EntryKind;
use crate::protocol::digits::number;

/// The fields of a line.
pub(super) struct UnixLine<'a> {
    pub(super) kind: EntryKind,
    pub(super) size: Option<u64>,
    pub(super) mode: &'a [u8],
    /// Such as `Jan 01  1999`, in an unknown time zone.
    pub(super) date: &'a [u8],
    /// The name. For a link: the name, ` -> ` and its target.
    pub(super) name: &'a [u8],
}

const MONTHS: &[&[u8]] = &[
    b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec",
];

/// Reads a line. `None` if it has another format.
pub(super) fn read(line: &[u8]) -> Option<UnixLine<'_>> {
    let mut rest = line;
    let mode = word(&mut rest)?;
    let kind = match mode.first()? {
        b'-' => EntryKind::File,
        b'd' => EntryKind::Directory,
        b'l' => EntryKind::Link,
        _ => return None,
    };
    // Ten characters, and one more for an access control list.
    let is_mode = |octet: &u8| b"-rwxsStT".contains(octet);
    if !matches!(mode.len(), 10 | 11) || !mode.get(1..10)?.iter().all(is_mode) {
        return None;
    }
    let _links: u64 = number(word(&mut rest)?)?;
    let (_owner, _group) = (word(&mut rest)?, word(&mut rest)?);
    let octets = number(word(&mut rest)?)?;
    let before = rest.trim_ascii_start();
    let month = word(&mut rest)?;
    let _day: u64 = number(word(&mut rest)?).filter(|day| (1..=31).contains(day))?;
    let year = word(&mut rest)?;
    let is_time = |text: &[u8]| match text {
        [a, b, b':', c, d] => [a, b, c, d].iter().all(|octet| octet.is_ascii_digit()),
        _ => false,
    };
    let is_year = year.len() == 4 && number::<u16>(year).is_some();
    if !MONTHS.contains(&month) || !(is_year || is_time(year)) {
        return None;
    }
    let date = before.get(..before.len() - rest.len())?;
    // Exactly one space: a name may begin with a space.
    let name = rest.strip_prefix(b" ").filter(|name| !name.is_empty())?;
    Some(UnixLine {
        kind,
        size: (kind == EntryKind::File).then_some(octets),
        mode,
        date,
        name,
    })
}

/// The next word, after spaces.
fn word<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let text = rest.trim_ascii_start();
    let end = text.iter().position(|octet| *octet == b' ')?;
    let word;
    (word, *rest) = text.split_at_checked(end)?;
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::listing::EntryKind;

    #[test]
    fn lines() {
        let line = read(b"-rw-r--r--    1 0        0            7732 Jan 01  1999 a  b").unwrap();
        assert_eq!((line.kind, line.size), (EntryKind::File, Some(7732)));
        assert_eq!((line.date, line.name), (&b"Jan 01  1999"[..], &b"a  b"[..]));
        let line = read(b"drwxr-xr-x+   2 ftp ftp 4096 Nov 21 18:30  x").unwrap();
        assert_eq!((line.kind, line.size), (EntryKind::Directory, None));
        assert_eq!((line.mode, line.name), (&b"drwxr-xr-x+"[..], &b" x"[..]));
        let line = read(b"lrwxrwxrwx 1 ftp ftp 3 Nov 1 18:30 a -> b").unwrap();
        assert_eq!((line.kind, line.name), (EntryKind::Link, &b"a -> b"[..]));
        for line in [
            "total 12",
            "-rw-r--r-- 1 ftp ftp 7732 Jan 01  1999 ",
            "-rw-r--r-- 1 ftp ftp 7732 Jan 32  1999 a",
            "-rw-r--r-- 1 ftp ftp 7732 2024-01-01 10:00 a",
            "-rw-r--r-- 1 ftp ftp ftp 7732 Jan 01  1999 a", // which name contains the space?
            "-rw-r--r-- 1 ftp 7732 Jan 01  1999 a",
            "crw-r--r-- 1 root root 1, 3 Jan 01  1999 null",
            "01-01-99  10:00AM  7732 a.txt",
            "+i8388621.29609,m824255902,/,\tdir",
            "",
        ] {
            assert!(read(line.as_bytes()).is_none(), "{line}");
        }
    }
}
