//! Why a URL cannot be requested, although it is a valid reference.

use std::fmt;
use urikit_schemes::{PathError, ReadError};

/// Why a client cannot request a URL.
///
/// ```
/// use urikit_access::{Argument, UrlError};
/// let error = Argument::new(*b"a\r\nDELE b", "file name").unwrap_err();
/// assert_eq!(error, UrlError::Control { octet: b'\r', part: "file name" });
/// assert_eq!(error.to_string(), "expected no control character in the file name, found %0D");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UrlError {
    /// It is not a URL of the scheme.
    Read(ReadError),
    /// It is not a path of a file system.
    Path(PathError),
    /// What would be sent contains a control character.
    Control {
        /// The octet.
        octet: u8,
        /// In which part of the URL or of the settings.
        part: &'static str,
    },
    /// An octet that the protocol's argument cannot contain, such as a space.
    Unfit {
        /// The octet.
        octet: u8,
        /// In which part of the URL.
        part: &'static str,
    },
    /// There is no port, neither in the URL nor as the scheme's default.
    NoPort,
    /// The port is above 65535.
    PortRange,
}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Path(error) => error.fmt(f),
            Self::Control { octet, part } => write!(
                f,
                "expected no control character in the {part}, found %{octet:02X}"
            ),
            Self::Unfit { octet, part } => write!(
                f,
                "expected only characters that a command can contain in the {part}, found \
                 %{octet:02X}"
            ),
            Self::NoPort => f.write_str("expected a port, found none"),
            Self::PortRange => f.write_str("expected a port of at most 65535, found a higher one"),
        }
    }
}

impl std::error::Error for UrlError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Path(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ReadError> for UrlError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}
