//! Facts (RFC 3659, 7.2): `type=file;size=25730;modify=19940728095854; cap60.pl198.tar.gz`.

use crate::listing::EntryKind;
use crate::protocol::digits::number;
use crate::protocol::time;
use jiff::Timestamp;

/// The facts about one name.
pub(super) struct Fact<'a> {
    pub(super) name: &'a [u8],
    pub(super) kind: EntryKind,
    /// Whether it is the listed directory itself, or its parent.
    pub(super) is_around: bool,
    pub(super) size: Option<u64>,
    pub(super) modified: Option<Timestamp>,
    pub(super) details: Vec<(&'static str, &'a [u8])>,
}

/// Facts that are passed on as they are, and their names in a listing.
const OTHERS: &[(&str, &str)] = &[
    ("perm", "permissions"),
    ("unix.mode", "mode"),
    ("unix.owner", "owner"),
    ("unix.group", "group"),
    ("create", "created"),
    ("media-type", "media type"),
    ("charset", "charset"),
    ("lang", "language"),
];

/// Longer values are cut to this many octets.
pub(super) const MAX_OCTETS: usize = 256;

/// Reads an entry. `None` if it is not one.
pub(super) fn read(line: &[u8]) -> Option<Fact<'_>> {
    let space = line.iter().position(|octet| *octet == b' ')?;
    let (facts, name) = (line.get(..space)?, line.get(space + 1..)?);
    if name.is_empty() {
        return None;
    }
    let mut entry = Fact {
        name,
        kind: EntryKind::Other,
        is_around: false,
        size: None,
        modified: None,
        details: Vec::new(),
    };
    for fact in facts.split(|octet| *octet == b';') {
        let Some(equals) = fact.iter().position(|octet| *octet == b'=') else {
            continue;
        };
        let (key, value) = (fact.get(..equals)?, fact.get(equals + 1..)?);
        let is = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
        if is("type") {
            let value = value.to_ascii_lowercase();
            entry.is_around = matches!(&value[..], b"cdir" | b"pdir");
            entry.kind = match &value[..] {
                b"file" => EntryKind::File,
                b"dir" | b"cdir" | b"pdir" => EntryKind::Directory,
                // `OS.unix=symlink` and `OS.unix=slink:/target` are not registered, but many
                // servers send them.
                kind if kind.starts_with(b"os.unix=slink") => EntryKind::Link,
                kind if kind.starts_with(b"os.unix=symlink") => EntryKind::Link,
                _ => EntryKind::Other,
            };
        } else if is("size") {
            entry.size = number(value);
        } else if is("modify") {
            entry.modified = time::read(value);
        } else if let Some((_, called)) = OTHERS.iter().find(|(name, _)| is(name))
            && entry.details.len() < OTHERS.len()
        {
            let value = value.get(..MAX_OCTETS).unwrap_or(value);
            entry.details.push((called, value));
        }
    }
    // The size of a directory is that of its list of names in the file system.
    entry.size = entry.size.filter(|_| entry.kind != EntryKind::Directory);
    Some(entry)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::listing::EntryKind;

    #[test]
    fn entries() {
        // RFC 3659, 7.7.2 and 7.7.4
        let line = b"type=file;perm=r;size=7732;modify=19990101123456; file with spaces";
        let fact =
            read(b"Type=file;Size=25730;Modify=19940728095854;Perm=; cap60.pl198.tar.gz").unwrap();
        assert_eq!(
            (fact.name, fact.kind),
            (&b"cap60.pl198.tar.gz"[..], EntryKind::File)
        );
        assert_eq!(fact.size, Some(25730));
        assert_eq!(fact.modified.unwrap().to_string(), "1994-07-28T09:58:54Z");
        assert_eq!(fact.details, [("permissions", &b""[..])]);
        let fact = read(line).unwrap();
        assert_eq!(fact.name, b"file with spaces");
        let fact = read(b"Type=cdir;Perm=el;Unique=keVO1+ZF4; test").unwrap();
        assert!(fact.is_around && fact.kind == EntryKind::Directory);
        let fact = read(b"Type=OS.unix=slink:/foobar;Perm=; foobar").unwrap();
        assert_eq!(fact.kind, EntryKind::Link);
        // No facts, only a name (7.2).
        let fact = read(b" ; =x").unwrap();
        assert_eq!((fact.name, fact.kind), (&b"; =x"[..], EntryKind::Other));
        assert!(
            read(b"type=file;").is_none() && read(b"type=file; ").is_none() && read(b"").is_none()
        );
        assert_eq!(read(b"size=-1;modify=now; a").unwrap().size, None);
    }
}
