//! Converts file URLs to file system paths, and back. Paths are octets. The file system is not
//! accessed.
//!
//! A Unix path consists of the decoded segments, separated by slashes. A Windows path begins with a
//! drive letter, which is the first segment (RFC 8089, D.2), or it is a UNC string with the host of
//! the URL (E.3.1). An escape never becomes a path separator: `%2F`, `%00` and, for Windows, `%5C`
//! are rejected.

use super::{File, FileBuilder};
use alloc::vec::Vec;
use core::fmt;
use urikit::component::Encoded;

/// The reason why a file URL has no path on a system, or a path has no file URL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PathError {
    /// The file is on another machine.
    OtherHost,
    /// A segment, or the path, contains NUL.
    Nul,
    /// A segment contains a separator: `/` or, on Windows, `\`.
    Separator {
        /// The separator.
        octet: u8,
    },
    /// The path begins with a drive letter, which Unix paths do not have.
    Drive,
    /// The path has neither a drive letter nor a host and a share. Windows requires a drive letter,
    /// or a host and a share.
    NoRoot,
    /// A UNC string cannot contain the host. The host is an address in brackets, or it is `.` or
    /// `?`, which refer to devices and namespaces (RFC 8089, Appendix C).
    Host,
    /// The path is not absolute.
    Relative,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherHost => f.write_str("the file is on another machine"),
            Self::Nul => f.write_str("the path contains NUL"),
            Self::Separator { octet } => {
                write!(
                    f,
                    "expected no separator in a segment, but found %{octet:02X}"
                )
            }
            Self::Drive => f.write_str("a Unix path has no drive letter"),
            Self::NoRoot => f.write_str("a Windows path needs a drive letter or a share"),
            Self::Host => f.write_str("a UNC string cannot contain the host"),
            Self::Relative => f.write_str("the path is relative"),
        }
    }
}

impl core::error::Error for PathError {}

impl<'a> File<'a> {
    /// Returns the decoded path on a Unix system.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::{File, PathError};
    /// let url = Uri::parse("file:///etc/a%20b")?;
    /// let path = File::read(url).unwrap().to_unix_path();
    /// assert_eq!(path.unwrap(), b"/etc/a b");
    /// let url = Uri::parse("file:///etc%2Fmotd")?;
    /// let path = File::read(url).unwrap().to_unix_path();
    /// assert_eq!(path.unwrap_err(), PathError::Separator { octet: b'/' });
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the file is on another machine, a drive precedes the path, or a segment decodes to
    /// NUL or a slash.
    pub fn to_unix_path(&self) -> Result<Vec<u8>, PathError> {
        if self.is_local() {
            self.to_unix_path_on_host()
        } else {
            Err(PathError::OtherHost)
        }
    }

    /// Returns the decoded path on the machine that stores the file, assuming that the machine
    /// runs a Unix system. Use this method if the host of the URL is the machine on which the
    /// program runs.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::File;
    /// let url = Uri::parse("file://host.example.com/path/to/file")?; // RFC 8089, B
    /// let path = File::read(url).unwrap().to_unix_path_on_host();
    /// assert_eq!(path.unwrap(), b"/path/to/file");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if a drive precedes the path, or a segment decodes to NUL or a slash.
    pub fn to_unix_path_on_host(&self) -> Result<Vec<u8>, PathError> {
        if self.drive.is_some() {
            return Err(PathError::Drive);
        }
        let mut path = Vec::new();
        for segment in self.segments() {
            path.push(b'/');
            push(&mut path, segment, b"/")?;
        }
        Ok(path)
    }

    /// Returns the decoded path on Windows. The path has a drive letter, or is the UNC string of a
    /// share on another machine.
    ///
    /// ```
    /// use urikit::Uri;
    /// use urikit_schemes::File;
    /// let url = Uri::parse("file://host.example.com/Share/path/to/file.txt")?; // RFC 8089, E.3.1
    /// let path = File::read(url).unwrap().to_windows_path();
    /// assert_eq!(path.unwrap(), br"\\host.example.com\Share\path\to\file.txt");
    /// let url = Uri::parse("file:///c:/path/to/file")?; // RFC 8089, E.2
    /// let path = File::read(url).unwrap().to_windows_path();
    /// assert_eq!(path.unwrap(), br"c:\path\to\file");
    /// # Ok::<(), urikit::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the path has neither a drive nor a share, or a part decodes to NUL, a slash or a
    /// backslash.
    pub fn to_windows_path(&self) -> Result<Vec<u8>, PathError> {
        let mut path = Vec::new();
        let mut segments = self.segments();
        if let Some(host) = self.host {
            path.extend_from_slice(br"\\");
            push(&mut path, host, br"/\")?;
            let is_namespace = matches!(path.get(2..), Some(b"." | b"?"));
            if is_namespace || path.iter().any(|octet| b"[]:".contains(octet)) {
                return Err(PathError::Host);
            }
            if self.segments().next().is_none_or(Encoded::is_empty) {
                return Err(PathError::NoRoot);
            }
        } else if let Some(drive) = self.drive() {
            if self.drive.is_none() {
                segments.next();
            }
            let mut octets = [0; 4];
            path.extend_from_slice(drive.encode_utf8(&mut octets).as_bytes());
            path.push(b':');
        } else {
            return Err(PathError::NoRoot);
        }
        for segment in segments {
            path.push(b'\\');
            push(&mut path, segment, br"/\")?;
        }
        Ok(path)
    }

    /// Starts building the URL of a file on this machine from its path on a Unix system.
    ///
    /// ```
    /// use urikit_schemes::File;
    /// let url = File::from_unix_path(b"/path/to/100%")?.build()?;
    /// assert_eq!(url.as_str(), "file:///path/to/100%25");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the path does not begin with a slash, or contains NUL.
    pub fn from_unix_path<T: AsRef<[u8]> + ?Sized>(
        path: &'a T,
    ) -> Result<FileBuilder<'a>, PathError> {
        let path = path.as_ref();
        let Some(rest) = path.strip_prefix(b"/") else {
            return Err(PathError::Relative);
        };
        if path.contains(&0) {
            return Err(PathError::Nul);
        }
        Ok(FileBuilder::new("").segments(rest.split(|octet| *octet == b'/')))
    }

    /// Starts building the URL of a file from its path on Windows, which has a drive letter or is a
    /// UNC string. A slash in the path is a separator too.
    ///
    /// ```
    /// use urikit_schemes::File;
    /// // RFC 8089, E.3.1
    /// let url = File::from_windows_path(r"\\host.example.com\Share\path\to\file.txt")?;
    /// assert_eq!(url.build()?.as_str(), "file://host.example.com/Share/path/to/file.txt");
    /// let url = File::from_windows_path(r"C:\a b")?;
    /// assert_eq!(url.build()?.as_str(), "file:///C:/a%20b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the path is not absolute, is in a namespace (`\\?\`, `\\.\`), or contains NUL.
    pub fn from_windows_path<T: AsRef<[u8]> + ?Sized>(
        path: &'a T,
    ) -> Result<FileBuilder<'a>, PathError> {
        let path = path.as_ref();
        if path.contains(&0) {
            return Err(PathError::Nul);
        }
        let is_separator = |octet: &u8| matches!(*octet, b'/' | b'\\');
        match path {
            [first, second, rest @ ..] if is_separator(first) && is_separator(second) => {
                let mut parts = rest.splitn(2, is_separator);
                let host = parts.next().unwrap_or_default();
                let host = core::str::from_utf8(host).map_err(|_| PathError::Host)?;
                if matches!(host, "" | "." | "?") {
                    return Err(PathError::Host);
                }
                let rest = parts.next().unwrap_or_default();
                if rest.first().is_none_or(is_separator) {
                    return Err(PathError::NoRoot);
                }
                Ok(FileBuilder::new(host).segments(rest.split(is_separator)))
            }
            [letter, b':', separator, ..]
                if letter.is_ascii_alphabetic() && is_separator(separator) =>
            {
                Ok(FileBuilder::new("").segments(path.split(is_separator)))
            }
            _ => Err(PathError::Relative),
        }
    }
}

/// Decodes a part and appends it. Fails if the part decodes to NUL or a separator.
fn push(path: &mut Vec<u8>, part: Encoded<'_>, separators: &[u8]) -> Result<(), PathError> {
    for octet in part.decode() {
        if octet == 0 {
            return Err(PathError::Nul);
        }
        if separators.contains(&octet) {
            return Err(PathError::Separator { octet });
        }
        path.push(octet);
    }
    Ok(())
}

#[cfg(all(feature = "std", unix))]
impl<'a> File<'a> {
    /// Returns the result of [`to_unix_path`](Self::to_unix_path) as a `PathBuf`. This function
    /// exists only on Unix; on Windows, use [`to_windows_path`](Self::to_windows_path).
    ///
    /// # Errors
    ///
    /// Fails if [`to_unix_path`](Self::to_unix_path) fails.
    pub fn to_path(&self) -> Result<std::path::PathBuf, PathError> {
        use std::os::unix::ffi::OsStringExt as _;
        let path = std::ffi::OsString::from_vec(self.to_unix_path()?);
        Ok(path.into())
    }

    /// Starts building the URL of a file on this machine from its path. See
    /// [`from_unix_path`](Self::from_unix_path). This function exists only on Unix; on Windows, use
    /// [`from_windows_path`](Self::from_windows_path).
    ///
    /// ```
    /// use std::path::Path;
    /// use urikit_schemes::File;
    /// let path = Path::new("/path/to/file");
    /// let url = File::from_path(path)?.build()?;
    /// assert_eq!(File::read(&url)?.to_path()?, path);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if [`from_unix_path`](Self::from_unix_path) fails.
    pub fn from_path(path: &'a std::path::Path) -> Result<FileBuilder<'a>, PathError> {
        use std::os::unix::ffi::OsStrExt as _;
        Self::from_unix_path(path.as_os_str().as_bytes())
    }
}
