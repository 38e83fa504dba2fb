//! The destinations of bodies: standard output, a file, or files in a folder; and safe file names.

use super::body::Target;
use super::partial::{FileName, Partial, Resume, VERSION_SUFFIX};
use crate::output::Spill;
use crate::safe::is_safe;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use urikit::AnyRef;

/// The destination of all bodies, from `-o` and `-O`.
pub(super) enum Destination {
    Stdout,
    File(PathBuf),
    /// Files with the names in the URLs. No name is used twice in one run.
    Folder {
        path: PathBuf,
        used: Mutex<HashSet<OsString>>,
    },
}

/// An error with the path of the file.
pub(super) struct PathError {
    pub(super) path: String,
    pub(super) error: io::Error,
}

impl PathError {
    pub(super) fn new(path: &Path, error: io::Error) -> Self {
        let path = path.to_string_lossy().into_owned();
        Self { path, error }
    }
}

impl Destination {
    /// The destination for `-o OUTPUT`. With `by_name`, names come from the URLs.
    pub(super) fn new(output: Option<PathBuf>, by_name: bool) -> Self {
        let folder = |path| Self::Folder {
            path,
            used: Mutex::default(),
        };
        match output {
            Some(path) if path.as_os_str() == "-" => Self::Stdout,
            Some(path) if path.as_os_str().to_string_lossy().ends_with('/') || path.is_dir() => {
                folder(path)
            }
            Some(path) => Self::File(path),
            None if by_name => folder(PathBuf::from(".")),
            None => Self::Stdout,
        }
    }

    pub(super) const fn has_files(&self) -> bool {
        !matches!(self, Self::Stdout)
    }

    pub(super) const fn takes_several(&self) -> bool {
        matches!(self, Self::Folder { .. })
    }

    /// Chooses the place for the body of one reference.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created.
    pub(super) fn choose(&self, reference: AnyRef<'_>) -> Result<Place, PathError> {
        Ok(match self {
            Self::Stdout => Place::Stdout,
            Self::File(path) => Place::File(FileName::ByUser(path.clone())),
            Self::Folder { path, used } => {
                let mut used = used.lock().unwrap_or_else(PoisonError::into_inner);
                if used.is_empty() {
                    fs::create_dir_all(path).map_err(|error| PathError::new(path, error))?;
                }
                let name = unused(&name_for(reference), &mut used);
                Place::File(FileName::FromUrl(path.join(name)))
            }
        })
    }
}

/// The place for one body. Each attempt opens it again.
pub(super) enum Place {
    Nowhere,
    Stdout,
    File(FileName),
}

impl Place {
    /// Opens the place. Bodies that are fetched at the same time go through `spill`, which keeps
    /// their order on standard output.
    ///
    /// # Errors
    ///
    /// Fails if the partial file cannot be resumed as requested.
    pub(super) fn open(
        &self,
        reference: AnyRef<'_>,
        resume: Option<Resume>,
        spill: Option<&Spill>,
    ) -> Result<Target, PathError> {
        Ok(match (self, spill) {
            (Self::Nowhere, _) => Target::Discard,
            (Self::Stdout, None) => Target::Stdout,
            (Self::Stdout, Some(spill)) => Target::InOrder(spill.clone()),
            (Self::File(name), _) => {
                let partial = Partial::new(name.clone(), url_of(reference), resume)?;
                Target::File(Box::new(partial))
            }
        })
    }
}

/// Returns the URL of a partial file, without password and fragment.
fn url_of(reference: AnyRef<'_>) -> String {
    let text = reference.display_redacted().to_string();
    match (reference.fragment(), text.split_once('#')) {
        (Some(_), Some((url, _))) => url.to_owned(),
        _ => text,
    }
}

/// Returns `name`, with a number if this run already uses it or its partial file.
fn unused(name: &OsString, used: &mut HashSet<OsString>) -> OsString {
    let mut chosen = name.clone();
    let mut count = 2;
    loop {
        let mut partial = chosen.clone();
        partial.push(".part");
        if !used.contains(&chosen) && !used.contains(&partial) {
            used.extend([chosen.clone(), partial]);
            return chosen;
        }
        chosen.clone_from(name);
        chosen.push(format!(".{count}"));
        count += 1;
    }
}

/// Returns a file name for a URL: the last non-empty segment, decoded; or the host; or the scheme.
/// The name is safe (see [`safe_name`]), and has no FTP typecode (RFC 1738, 3.2.2).
fn name_for(reference: AnyRef<'_>) -> OsString {
    let is_ftp = reference
        .scheme()
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("ftp"));
    let mut octets = Vec::new();
    for segment in reference.path().segments() {
        let mut decoded = segment.encoded().to_bytes().into_owned();
        if let Some(at) = decoded
            .windows(6)
            .rposition(|part| part.eq_ignore_ascii_case(b";type="))
            && is_ftp
        {
            decoded.truncate(at);
        }
        if !decoded.is_empty() {
            octets = decoded;
        }
    }
    if octets.is_empty() {
        let host = reference
            .host()
            .map(urikit::component::Host::as_str)
            .filter(|host| !host.is_empty());
        octets = host
            .or(reference.scheme())
            .unwrap_or("body")
            .as_bytes()
            .to_vec();
    }
    safe_name(octets)
}

/// Makes octets a safe file name: a single name without slashes and control characters, other than
/// `.` and `..`, that is neither an option nor a partial file.
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
    // `rm *` in a shell would read a leading hyphen as an option.
    if octets.first() == Some(&b'-') {
        octets.insert(0, b'_');
    }
    // File systems allow 255 bytes. The rest is for suffixes.
    octets.truncate(200);
    // The name must not collide with the partial file of another reference.
    let is_partial = |suffix: &str| octets.ends_with([".part", suffix].concat().as_bytes());
    if is_partial("") || is_partial(VERSION_SUFFIX) {
        octets.push(b'_');
    }
    os_string(octets)
}

#[cfg(unix)]
fn os_string(octets: Vec<u8>) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(octets)
}

#[cfg(not(unix))]
fn os_string(octets: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&octets).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::name_for;
    use urikit::Standard;

    #[test]
    fn names_are_safe() {
        for (url, expected) in [
            ("http://h/a/b.txt?q#f", "b.txt"),
            ("http://h/a/", "a"),
            ("http://h", "h"),
            ("http://h/%2e%2e", "_"),
            ("http://h/..", "_"),
            ("ftp://h/%2Fetc%2Fpasswd;type=a", "_etc_passwd"),
            ("http://h/a;type=b", "a;type=b"),
            ("http://h/a%0Ab", "a_b"),
            ("news:comp.test", "comp.test"),
            ("gopher://h/0C:%5Cx", "0C__x"),
            ("http://h/-rf", "_-rf"),
            ("http://h/a.part", "a.part_"),
            ("http://h/a.part.version", "a.part.version_"),
            ("http://h/%C2%9B2J%E2%80%AEa", "_2J_a"),
        ] {
            let reference = Standard::Rfc3986.parse(url).unwrap();
            assert_eq!(name_for(reference), expected, "{url}");
        }
    }
}
