//! The destinations of bodies: standard output, a file, or files in a folder.

use super::body::Target;
use super::names::{Taken, os_string, safe_name, visible_name};
use super::partial::{FileName, Partial, Resume};
use crate::output::Spill;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use urikit::AnyRef;
use urikit_access::Metadata;
use urikit_mime::parameter::ContentType;

/// The destination of all bodies, from `-o` and `-O`.
pub(super) enum Destination {
    Stdout {
        /// True for `-o -`, which writes bodies unchanged, even to a terminal.
        is_explicit: bool,
    },
    File(PathBuf),
    /// Files named after the URLs. No name is used twice in one run.
    Folder {
        path: PathBuf,
        taken: Mutex<Taken<()>>,
        /// True with `-J`: the server may choose the names.
        by_header: bool,
    },
}

/// An error, and the path of the file that it concerns.
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
    pub(super) fn new(output: Option<PathBuf>, by_name: bool, by_header: bool) -> Self {
        let folder = |path| Self::Folder {
            path,
            taken: Mutex::default(),
            by_header,
        };
        match output {
            Some(path) if path.as_os_str() == "-" => Self::Stdout { is_explicit: true },
            Some(path) if path.as_os_str().to_string_lossy().ends_with('/') || path.is_dir() => {
                folder(path)
            }
            Some(path) => Self::File(path),
            None if by_name => folder(PathBuf::from(".")),
            None => Self::Stdout { is_explicit: false },
        }
    }

    pub(super) const fn has_files(&self) -> bool {
        !matches!(self, Self::Stdout { .. })
    }

    pub(super) const fn takes_several(&self) -> bool {
        matches!(self, Self::Folder { .. })
    }

    /// Chooses the destination for the body of one reference.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be created.
    pub(super) fn choose(&self, reference: AnyRef<'_>) -> Result<Place, PathError> {
        Ok(match self {
            Self::Stdout { is_explicit } => Place::Stdout {
                is_explicit: *is_explicit,
            },
            Self::File(path) => Place::File {
                name: FileName::ByUser(path.clone()),
                is_renamed: false,
            },
            Self::Folder {
                path,
                taken,
                by_header,
            } => {
                let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
                if taken.is_empty() {
                    fs::create_dir_all(path).map_err(|error| PathError::new(path, error))?;
                }
                let in_url = name_of(reference);
                let safe = safe_name(in_url.clone());
                if *by_header {
                    taken.insert(&safe, ());
                    return Ok(Place::ByHeader {
                        folder: path.clone(),
                        otherwise: safe,
                        in_url: os_string(in_url),
                    });
                }
                let name = taken.free(&safe, |_| true);
                taken.insert(&name, ());
                Place::File {
                    is_renamed: name != os_string(in_url),
                    name: FileName::FromUrl(path.join(name)),
                }
            }
        })
    }
}

/// A file that was written.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    pub(super) path: PathBuf,
    /// True if the name differs from the one in the URL.
    pub(super) is_renamed: bool,
}

/// The destination of one body. Each attempt opens the destination again.
pub(super) enum Place {
    Nowhere,
    Stdout {
        is_explicit: bool,
    },
    File {
        name: FileName,
        /// True if the name differs from the one in the URL.
        is_renamed: bool,
    },
    /// A new file in this folder. The server may choose the name; if it does not, the name in
    /// `otherwise` is used.
    ByHeader {
        folder: PathBuf,
        otherwise: OsString,
        /// The name in the URL, which might not be safe.
        in_url: OsString,
    },
}

impl Place {
    /// Opens the destination. Bodies fetched at the same time go through `spill`, which keeps their
    /// order on standard output.
    ///
    /// # Errors
    ///
    /// Fails if the transfer cannot be resumed as requested.
    pub(super) fn open(
        &self,
        reference: AnyRef<'_>,
        resume: Option<Resume>,
        spill: Option<&Spill>,
    ) -> Result<Target, PathError> {
        Ok(match (self, spill) {
            (Self::Nowhere, _) => Target::Discard,
            (Self::Stdout { is_explicit }, None) => Target::Stdout {
                is_explicit: *is_explicit,
            },
            (Self::Stdout { .. }, Some(spill)) => Target::InOrder(spill.clone()),
            (
                Self::ByHeader {
                    folder, otherwise, ..
                },
                _,
            ) => Target::ByHeader {
                folder: folder.clone(),
                otherwise: otherwise.clone(),
            },
            (Self::File { name, .. }, _) => {
                let partial = Partial::new(name.clone(), url_of(reference), resume)?;
                Target::File(Box::new(partial))
            }
        })
    }
}

impl Place {
    /// Returns the file. `chosen` is the file's path if the server chose the name.
    pub(super) fn saved(&self, chosen: Option<PathBuf>) -> Option<Saved> {
        match self {
            Self::File {
                name: FileName::ByUser(path) | FileName::FromUrl(path),
                is_renamed,
            } => Some(Saved {
                path: path.clone(),
                is_renamed: *is_renamed,
            }),
            Self::ByHeader { in_url, .. } => chosen.map(|path| Saved {
                is_renamed: path.file_name() != Some(in_url),
                path,
            }),
            Self::Nowhere | Self::Stdout { .. } => None,
        }
    }
}

/// Returns the file name from the `Content-Disposition` of a response (RFC 6266), made safe and
/// [visible](visible_name). A path before the name is ignored.
pub(super) fn name_in(metadata: &Metadata) -> Option<OsString> {
    let is_it =
        |attribute: &&(String, String)| attribute.0.eq_ignore_ascii_case("Content-Disposition");
    let value = &metadata.attributes.iter().find(is_it)?.1;
    let disposition = ContentType::parse(value.as_bytes())?;
    let name = disposition.parameters().get_extended("filename")?;
    let is_latin_1 = |charset: &[u8]| charset.eq_ignore_ascii_case(b"iso-8859-1");
    let octets = if name.charset.is_some_and(is_latin_1) {
        let text: String = name.octets.iter().copied().map(char::from).collect();
        text.into_bytes()
    } else {
        name.octets.into_owned()
    };
    let last = octets.rsplit(|octet| b"/\\".contains(octet)).next();
    let last = last.filter(|name| !name.is_empty())?;
    Some(visible_name(last.to_vec()))
}

/// Returns the URL of a partial file, without its password or fragment.
fn url_of(reference: AnyRef<'_>) -> String {
    let text = reference.display_redacted().to_string();
    match (reference.fragment(), text.split_once('#')) {
        (Some(_), Some((url, _))) => url.to_owned(),
        _ => text,
    }
}

/// Returns the file name in a URL, not yet made [safe](safe_name): the last non-empty segment,
/// decoded and without an FTP typecode (RFC 1738, 3.2.2), or else the host or the scheme.
fn name_of(reference: AnyRef<'_>) -> Vec<u8> {
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
    octets
}

#[cfg(test)]
mod tests {
    use super::name_of;
    use crate::command::fetch::names::safe_name;
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
            assert_eq!(safe_name(name_of(reference)), expected, "{url}");
        }
    }
}
