//! Why curl rejects a URL.

use std::fmt;

/// Why curl rejects a URL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CurlError {
    /// No scheme, or one with other characters or more than 40 of them.
    Scheme,
    /// Not one to three slashes after the scheme.
    Slashes,
    /// A control character or a space; in C, a string ends at U+0000.
    Character,
    /// An empty host.
    NoHost,
    /// A character that hosts cannot contain, also after decoding.
    Host,
    /// Not an IPv6 address in brackets, or a zone that is too long.
    Ipv6Address,
    /// Not a decimal number from 0 to 65535.
    Port,
    /// A `file` URL with another host, a drive letter or no path.
    File,
}

impl CurlError {
    /// A description, such as `bad hostname`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scheme => "no scheme, or not a valid one",
            Self::Slashes => "expected one to three slashes after the scheme",
            Self::Character => "a control character or a space",
            Self::NoHost => "no host",
            Self::Host => "a character that a host cannot contain",
            Self::Ipv6Address => "not an IPv6 address in brackets",
            Self::Port => "the port is not a decimal number from 0 to 65535",
            Self::File => "not a file of this machine",
        }
    }
}

impl fmt::Display for CurlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::error::Error for CurlError {}
