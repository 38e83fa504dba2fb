//! The names in two dated copies of IANA registries: schemes and top-level domains.
//!
//! The search needs only the names. The lists stay out of the core, which contains only data about
//! schemes that it interprets.

/// The names in IANA's registry of schemes.
static SCHEMES: &str = include_str!("uri-schemes.txt");

/// The top-level domains in IANA's list.
static DOMAINS: &str = include_str!("top-level-domains.txt");

/// The hash table with the offset of each name.
static SCHEMES_BY_HASH: [u16; 1024] = by_hash(SCHEMES.as_bytes());
static DOMAINS_BY_HASH: [u16; 4096] = by_hash(DOMAINS.as_bytes());

/// The maximum length of a name, in bytes.
const MAX_LENGTH: usize = 64;

/// Returns true if IANA's registry contains this scheme, ignoring case.
pub(crate) fn is_scheme(name: &[u8]) -> bool {
    contains(SCHEMES, &SCHEMES_BY_HASH, name)
}

/// Returns true if this is a top-level domain, in Punycode or in Unicode, ignoring case.
pub(crate) fn is_top_level_domain(name: &[u8]) -> bool {
    contains(DOMAINS, &DOMAINS_BY_HASH, name)
}

/// Returns the hash table for a list. A name is stored in its slot or, if that is taken, in the
/// next free one, as the offset of its line plus 1. Empty slots contain 0.
#[allow(clippy::indexing_slicing)] // in a constant, where an index that is too large does not compile
#[allow(clippy::cast_possible_truncation)] // the lists are shorter than 64 KiB
const fn by_hash<const SLOTS: usize>(list: &[u8]) -> [u16; SLOTS] {
    assert!(list.len() < u16::MAX as usize);
    let mut table = [0; SLOTS];
    let mut start = 0;
    while start < list.len() {
        let mut hash = INITIAL_HASH;
        let mut end = start;
        while end < list.len() && list[end] != b'\n' {
            hash = hash_with(hash, list[end]);
            end += 1;
        }
        if end > start && list[start] != b'#' {
            let mut slot = hash as usize % SLOTS;
            while table[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            table[slot] = start as u16 + 1;
        }
        start = end + 1;
    }
    table
}

/// The initial value of FNV-1a.
const INITIAL_HASH: u32 = 0x811C_9DC5;

/// Adds a byte to an FNV-1a hash. The high bits of FNV are better distributed, so they are mixed
/// into the low bits, which select the slot.
const fn hash_with(hash: u32, byte: u8) -> u32 {
    let hash = (hash ^ byte as u32).wrapping_mul(0x0100_0193);
    hash ^ hash >> 15
}

/// Returns true if a list contains this name, ignoring case.
fn contains(list: &str, table: &[u16], name: &[u8]) -> bool {
    if name.len() > MAX_LENGTH {
        return false;
    }
    let lower = name.iter().map(u8::to_ascii_lowercase);
    let hash = lower.fold(INITIAL_HASH, hash_with);
    let first = hash as usize % table.len();
    let (before, from) = table.split_at_checked(first).unwrap_or_default();
    let starts = from
        .iter()
        .chain(before)
        .map_while(|start| start.checked_sub(1));
    starts.map(usize::from).any(|start| {
        let line = list.as_bytes().get(start..).unwrap_or_default();
        let length = line.iter().position(|byte| *byte == b'\n');
        let line = line.get(..length.unwrap_or(line.len()));
        line.is_some_and(|line| line.eq_ignore_ascii_case(name))
    })
}

#[cfg(test)]
mod tests {
    use super::{DOMAINS, MAX_LENGTH, SCHEMES, is_scheme, is_top_level_domain};

    #[test]
    fn finds_each_name_of_the_lists() {
        for (list, is_in, count) in [
            (SCHEMES, is_scheme as fn(&[u8]) -> bool, 379),
            (DOMAINS, is_top_level_domain, 1589),
        ] {
            let lines: Vec<&str> = list.lines().collect();
            assert!(lines.windows(2).all(|pair| pair[0] < pair[1]));
            let names: Vec<&str> = lines.into_iter().filter(|n| !n.starts_with('#')).collect();
            assert_eq!(names.len(), count);
            for name in names {
                assert!(name.len() <= MAX_LENGTH && is_in(name.as_bytes()), "{name}");
                assert!(is_in(name.to_ascii_uppercase().as_bytes()), "{name}");
            }
            for other in ["", "#", "a-b", "zzzzzz", "~", "\n", "aaa\naaas"] {
                assert!(!is_in(other.as_bytes()), "{other}");
            }
        }
        assert!(!is_scheme(&[b'a'; 1000]));
    }
}
