//! Names of registries, as dated data: what is registered is known, whatever else is known of it.

/// The names of IANA's registry of schemes.
static SCHEMES: &str = include_str!("uri-schemes.txt");

/// The top-level domains of IANA's list.
static DOMAINS: &str = include_str!("top-level-domains.txt");

/// No name of a list is longer, in bytes.
const MAX_LENGTH: usize = 64;

/// Whether IANA's registry has this scheme, in any case.
pub(crate) fn is_scheme(name: &[u8]) -> bool {
    contains(SCHEMES, name)
}

/// Whether this is a top-level domain, in any case, as the DNS or as people write it.
pub(crate) fn is_top_level_domain(name: &[u8]) -> bool {
    contains(DOMAINS, name)
}

/// Whether a list, whose lines are sorted by their bytes, has a line with this name in lower case.
fn contains(list: &str, name: &[u8]) -> bool {
    let mut buffer = [0; MAX_LENGTH];
    let Some(wanted) = buffer.get_mut(..name.len()) else {
        return false;
    };
    wanted.copy_from_slice(name);
    wanted.make_ascii_lowercase();
    let list = list.as_bytes();
    let (mut low, mut high) = (0, list.len());
    while low < high {
        // The line around the middle.
        let middle = low + (high - low) / 2;
        let before = list.get(low..middle).unwrap_or_default();
        let start = low
            + before
                .iter()
                .rposition(|b| *b == b'\n')
                .map_or(0, |at| at + 1);
        let rest = list.get(start..).unwrap_or_default();
        let end = start + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        let line = list.get(start..end).unwrap_or_default();
        match line.cmp(wanted) {
            core::cmp::Ordering::Equal => return !name.is_empty(),
            core::cmp::Ordering::Less => low = end + 1,
            core::cmp::Ordering::Greater => high = start,
        }
    }
    false
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
