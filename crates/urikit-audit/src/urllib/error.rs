//! Why Python rejects a URL.

use std::fmt;

/// Why Python's `urlsplit`, or `port` of its result, raises a `ValueError`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum UrllibError {
    /// One bracket without the other.
    Bracket,
    /// Between brackets, neither an IPv6 nor a future address.
    Address,
    /// The authority has one of `/?#@:` after NFKC normalization.
    Normalization,
    /// The port is not a decimal number.
    Port,
    /// The port is above 65535.
    PortRange,
}

impl UrllibError {
    /// A description, such as `the port is above 65535`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bracket => "one bracket without the other",
            Self::Address => "no IPv6 address between brackets",
            Self::Normalization => "a delimiter after NFKC normalization of the authority",
            Self::Port => "the port is not a decimal number",
            Self::PortRange => "the port is above 65535",
        }
    }
}

impl fmt::Display for UrllibError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::error::Error for UrllibError {}
