//! Safe file names, with numbers appended to names that are already used.

use super::partial::VERSION_SUFFIX;
use crate::safe::is_safe;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};

/// The maximum length of a safe name in bytes. File systems allow 255; the remaining bytes are
/// left for suffixes.
const MAX: usize = 200;

/// True on systems where names that differ only in case usually denote the same file.
const FOLDS_CASE: bool = cfg!(any(windows, target_os = "macos"));

/// Converts octets to a safe file name: a single name without slashes or control characters, other
/// than `.` and `..`, that cannot be mistaken for an option or a partial file or, on Windows, for a
/// device.
pub(super) fn safe_name(mut octets: Vec<u8>) -> OsString {
    for octet in &mut octets {
        if *octet < b' ' || *octet == 0x7F || b"/\\:".contains(octet) {
            *octet = b'_';
        }
    }
    if let Ok(text) = std::str::from_utf8(&octets) {
        let safe = |c| if is_safe(c) { c } else { '_' };
        octets = text.chars().map(safe).collect::<String>().into_bytes();
    }
    if octets == b"." || octets == b".." {
        octets = b"_".to_vec();
    }
    // With `rm *` in a shell, a name with a leading hyphen would become an option.
    if octets.first() == Some(&b'-') {
        octets.insert(0, b'_');
    }
    octets.truncate(cut_at(&octets));
    if cfg!(windows) {
        octets = for_windows(octets);
    }
    // The name must not collide with the partial file of another reference.
    let is_partial = |suffix: &str| octets.ends_with([".part", suffix].concat().as_bytes());
    if is_partial("") || is_partial(VERSION_SUFFIX) {
        octets.push(b'_');
    }
    os_string(octets)
}

/// Converts octets that a server chose to a [safe](safe_name) file name that does not begin with a
/// dot. Files with a leading dot are hidden, and some of them contain settings of other programs.
pub(super) fn visible_name(mut octets: Vec<u8>) -> OsString {
    if octets.first() == Some(&b'.') {
        octets.insert(0, b'_');
    }
    safe_name(octets)
}

/// Returns the length to which a name is shortened. Characters are never split.
fn cut_at(octets: &[u8]) -> usize {
    let is_start = |at: &usize| octets.get(*at).is_none_or(|octet| octet & 0xC0 != 0x80);
    let mut ends = (MAX.saturating_sub(3)..=octets.len().min(MAX)).rev();
    ends.find(is_start).unwrap_or(MAX)
}

/// Makes a name usable on Windows, where some characters denote wildcards or streams, some names
/// denote devices regardless of their extension, and a dot or space at the end is ignored.
fn for_windows(mut octets: Vec<u8>) -> Vec<u8> {
    for octet in &mut octets {
        if b"<>\"|?*".contains(octet) {
            *octet = b'_';
        }
    }
    if let Some(last) = octets.last_mut()
        && b". ".contains(last)
    {
        *last = b'_';
    }
    let stem = octets.split(|octet| *octet == b'.').next();
    let stem = stem.unwrap_or_default().trim_ascii().to_ascii_lowercase();
    let is_device = match stem.as_slice() {
        b"con" | b"prn" | b"aux" | b"nul" | b"conin$" | b"conout$" => true,
        [b'c', b'o', b'm', digit] | [b'l', b'p', b't', digit] => digit.is_ascii_digit(),
        _ => false,
    };
    if is_device {
        octets.insert(0, b'_');
    }
    octets
}

/// Converts octets to a name, unchanged if the system allows it.
#[cfg(unix)]
pub(super) fn os_string(octets: Vec<u8>) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(octets)
}

/// Converts octets to a name, unchanged if the system allows it.
#[cfg(not(unix))]
pub(super) fn os_string(octets: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&octets).into_owned().into()
}

/// Returns the name with a number appended: `NAME`, `NAME.1`, `NAME.2` and so on.
pub(super) fn numbered(name: &OsStr, number: u64) -> OsString {
    let mut name = name.to_owned();
    if number > 0 {
        name.push(format!(".{number}"));
    }
    name
}

/// The names or paths that a run has already used.
#[derive(Debug)]
pub(super) struct Taken<T> {
    files: HashMap<OsString, T>,
    /// The last number added to each name.
    numbers: HashMap<OsString, u64>,
    folds_case: bool,
}

impl<T> Default for Taken<T> {
    fn default() -> Self {
        Self {
            files: HashMap::new(),
            numbers: HashMap::new(),
            folds_case: FOLDS_CASE,
        }
    }
}

impl<T> Taken<T> {
    /// Returns this name if it is usable and not taken, and otherwise the first numbered name that
    /// is free.
    pub(super) fn free(&mut self, name: &OsStr, is_usable: impl Fn(&OsStr) -> bool) -> OsString {
        let key = self.key(name);
        let mut number = self.numbers.get(&key).copied().unwrap_or(0);
        loop {
            let free = numbered(name, number);
            if !self.files.contains_key(&self.key(&free)) && is_usable(&free) {
                if number > 0 {
                    self.numbers.insert(key, number);
                }
                return free;
            }
            number += 1;
        }
    }

    pub(super) fn insert(&mut self, name: &OsStr, file: T) {
        self.files.insert(self.key(name), file);
    }

    pub(super) fn remove(&mut self, name: &OsStr) -> Option<T> {
        self.files.remove(&self.key(name))
    }

    /// Returns true if no name is taken.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns a key that is equal for all names of the same file.
    fn key(&self, name: &OsStr) -> OsString {
        match name.to_str() {
            Some(name) if self.folds_case => name.to_lowercase().into(),
            _ => name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Taken, for_windows, safe_name, visible_name};
    use std::ffi::OsStr;

    #[test]
    fn long_names_are_cut_between_characters() {
        for (name, length) in [
            ("a".repeat(200), 200),
            ("a".repeat(300), 200),
            ("é".repeat(150), 200),
            (["a", &*"é".repeat(150)].concat(), 199),
            (["ab", &*"𝄞".repeat(60)].concat(), 198),
        ] {
            let safe = safe_name(name.clone().into_bytes());
            assert_eq!(safe.len(), length, "{name}");
            assert!(name.starts_with(safe.to_str().unwrap()));
        }
        // Octets that are not characters can be cut anywhere.
        assert_eq!(safe_name(vec![0x80; 300]).len(), 200);
    }

    #[test]
    fn names_from_servers_are_visible() {
        for (name, expected) in [
            (".bashrc", "_.bashrc"),
            ("..", "_.."),
            (".", "_."),
            (".-a/b", "_.-a_b"),
            ("a.b", "a.b"),
            ("-a", "_-a"),
        ] {
            assert_eq!(visible_name(name.as_bytes().to_vec()), expected);
        }
    }

    #[test]
    fn names_for_windows() {
        for (name, expected) in [
            ("a.txt", "a.txt"),
            ("b?c=<d>", "b_c=_d_"),
            ("nul", "_nul"),
            ("Aux.txt", "_Aux.txt"),
            ("COM1.tar.gz", "_COM1.tar.gz"),
            ("com10", "com10"),
            ("console", "console"),
            ("dot.", "dot_"),
            ("space ", "space_"),
        ] {
            let found = for_windows(name.as_bytes().to_vec());
            assert_eq!(String::from_utf8(found).unwrap(), expected);
        }
    }

    #[test]
    fn taken_names_get_numbers() {
        for (folds_case, expected) in [
            (false, ["a", "A", "a.1", "a.3", "b"]),
            (true, ["a", "A.1", "a.3", "a.4", "b"]),
        ] {
            let mut taken = Taken {
                folds_case,
                ..Taken::default()
            };
            let names = ["a", "A", "a", "a", "b"].map(|name| {
                let free = taken.free(OsStr::new(name), |name| name != "a.2");
                taken.insert(&free, ());
                free
            });
            assert_eq!(names, expected);
        }
    }
}
