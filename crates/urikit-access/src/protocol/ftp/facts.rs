//! Parses facts, which `MLSD` returns for each name in a directory, and `MLST` for one name (RFC
//! 3659, 7.2).
//!
//! ```text
//! type=file;size=25730;modify=19940728095854; cap60.pl198.tar.gz
//! ```

use crate::listing::EntryKind;
use crate::protocol::parse::{number, utc_time};
use jiff::Timestamp;

/// A line from `MLSD` or `MLST`, which contains a name and the facts about it.
pub(super) struct Facts<'a> {
    pub(super) name: &'a [u8],
    pub(super) kind: EntryKind,
    /// True if the line describes the listed directory or its parent (`cdir`, `pdir`).
    pub(super) is_self_or_parent: bool,
    pub(super) size: Option<u64>,
    pub(super) modified: Option<Timestamp>,
    pub(super) details: Vec<(&'static str, &'a [u8])>,
}

/// The facts that are copied to the details of an entry, each with the name of its detail.
const DETAILS: &[(&str, &str)] = &[
    ("perm", "permissions"),
    ("unix.mode", "mode"),
    ("unix.owner", "owner"),
    ("unix.group", "group"),
    ("create", "created"),
    ("media-type", "media type"),
    ("charset", "charset"),
    ("lang", "language"),
];

/// The maximum length of a detail, in octets. Longer values are truncated.
pub(super) const MAX_DETAIL: usize = 256;

/// Parses a line from `MLSD` or `MLST`. Returns `None` if the line has no space, or no name after
/// the space.
pub(super) fn parse(line: &[u8]) -> Option<Facts<'_>> {
    let space = line.iter().position(|octet| *octet == b' ')?;
    let (facts, name) = (line.get(..space)?, line.get(space + 1..)?);
    if name.is_empty() {
        return None;
    }
    let mut entry = Facts {
        name,
        kind: EntryKind::Other,
        is_self_or_parent: false,
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
            entry.is_self_or_parent = matches!(&value[..], b"cdir" | b"pdir");
            entry.kind = match &value[..] {
                b"file" => EntryKind::File,
                b"dir" | b"cdir" | b"pdir" => EntryKind::Directory,
                // These two names for the link type are not registered, but many servers send one
                // or the other.
                kind if kind.starts_with(b"os.unix=slink") => EntryKind::Link,
                kind if kind.starts_with(b"os.unix=symlink") => EntryKind::Link,
                _ => EntryKind::Other,
            };
        } else if is("size") {
            entry.size = number(value);
        } else if is("modify") {
            entry.modified = utc_time(value);
        } else if let Some((_, detail)) = DETAILS.iter().find(|(name, _)| is(name))
            && entry.details.len() < DETAILS.len()
        {
            let value = value.get(..MAX_DETAIL).unwrap_or(value);
            entry.details.push((detail, value));
        }
    }
    // The size of a directory is ignored, because it is only the space that the list of names
    // occupies.
    entry.size = entry.size.filter(|_| entry.kind != EntryKind::Directory);
    Some(entry)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::listing::EntryKind;

    #[test]
    fn entries() {
        // RFC 3659, 7.7.2 and 7.7.4
        let line = b"type=file;perm=r;size=7732;modify=19990101123456; file with spaces";
        let fact =
            parse(b"Type=file;Size=25730;Modify=19940728095854;Perm=; cap60.pl198.tar.gz").unwrap();
        assert_eq!(
            (fact.name, fact.kind),
            (&b"cap60.pl198.tar.gz"[..], EntryKind::File)
        );
        assert_eq!(fact.size, Some(25730));
        assert_eq!(fact.modified.unwrap().to_string(), "1994-07-28T09:58:54Z");
        assert_eq!(fact.details, [("permissions", &b""[..])]);
        let fact = parse(line).unwrap();
        assert_eq!(fact.name, b"file with spaces");
        let fact = parse(b"Type=cdir;Perm=el;Unique=keVO1+ZF4; test").unwrap();
        assert!(fact.is_self_or_parent && fact.kind == EntryKind::Directory);
        let fact = parse(b"Type=OS.unix=slink:/foobar;Perm=; foobar").unwrap();
        assert_eq!(fact.kind, EntryKind::Link);
        // Without facts, the line begins with a space (7.2).
        let fact = parse(b" ; =x").unwrap();
        assert_eq!((fact.name, fact.kind), (&b"; =x"[..], EntryKind::Other));
        assert!(
            parse(b"type=file;").is_none()
                && parse(b"type=file; ").is_none()
                && parse(b"").is_none()
        );
        assert_eq!(parse(b"size=-1;modify=now; a").unwrap().size, None);
    }
}
