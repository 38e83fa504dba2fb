//! The data in a command: octets that no server can take for the end of the line.

use crate::url_error::UrlError;
use std::fmt;
use urikit::grammar::ByteSet;

/// An argument of a command: decoded octets without control characters.
///
/// Every protocol makes its arguments here, so that no part of a URL can end a line or begin
/// another one.
///
/// INVARIANT: no octet is below 32 or equal to 127.
///
/// ```
/// use urikit::Uri;
/// use urikit_schemes::Ftp;
/// use urikit_access::Argument;
/// let directories = |url| -> Result<Vec<Argument>, Box<dyn std::error::Error>> {
///     let url = Ftp::read(Uri::parse(url)?)?;
///     let cwd = url.cwd().map(|cwd| Argument::new(cwd.decode(), "directory"));
///     Ok(cwd.collect::<Result<_, _>>()?)
/// };
/// let found = directories("ftp://host.dom/%2Fetc/motd")?;
/// assert_eq!(found[0].octets(), b"/etc"); // RFC 1738, 3.2.2
/// assert!(directories("ftp://host.dom/a%0D%0ADELE%20b/motd").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Argument(Vec<u8>);

/// An argument that is displayed as three asterisks, such as a password.
///
/// ```
/// use urikit_access::Secret;
/// let password = Secret::new(*b"hunter2", "password")?;
/// assert_eq!(format!("{password:?}"), "***");
/// # Ok::<(), urikit_access::UrlError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Argument);

impl Argument {
    /// Takes decoded octets.
    ///
    /// # Errors
    ///
    /// At a control character. The error then names `part`, such as `file name`.
    pub fn new(octets: impl IntoIterator<Item = u8>, part: &'static str) -> Result<Self, UrlError> {
        let octets: Vec<u8> = octets.into_iter().collect();
        match octets.iter().find(|octet| octet.is_ascii_control()) {
            Some(&octet) => Err(UrlError::Control { octet, part }),
            None => Ok(Self(octets)),
        }
    }

    /// Takes decoded octets that are all in a set.
    ///
    /// # Errors
    ///
    /// At a control character, and at any other octet that is not in the set.
    pub(crate) fn of(
        octets: impl IntoIterator<Item = u8>,
        set: &ByteSet,
        part: &'static str,
    ) -> Result<Self, UrlError> {
        let argument = Self::new(octets, part)?;
        match argument.0.iter().find(|octet| !set.contains(**octet)) {
            Some(&octet) => Err(UrlError::Unfit { octet, part }),
            None => Ok(argument),
        }
    }

    /// The octets, which are sent as they are.
    pub fn octets(&self) -> &[u8] {
        &self.0
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Secret {
    /// Takes decoded octets.
    ///
    /// # Errors
    ///
    /// As [`Argument::new`].
    pub fn new(octets: impl IntoIterator<Item = u8>, part: &'static str) -> Result<Self, UrlError> {
        Argument::new(octets, part).map(Self)
    }

    /// The octets, which are sent as they are. They must not be displayed.
    pub fn octets(&self) -> &[u8] {
        self.0.octets()
    }
}

impl From<Argument> for Secret {
    fn from(argument: Argument) -> Self {
        Self(argument)
    }
}

impl fmt::Debug for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(urikit::component::MASK)
    }
}
