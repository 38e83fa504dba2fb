//! Why a reader rejects an input.

use crate::curl::CurlError;
use crate::java::JavaError;
use crate::urllib::UrllibError;
use std::fmt;

/// Why a reader rejects an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Rejection {
    /// It does not match the grammar of an RFC.
    Rfc(urikit::ParseError),
    /// The error of the WHATWG URL parser.
    Whatwg(url::ParseError),
    /// The error of `java.net.URI`.
    Java(JavaError),
    /// The error of curl.
    Curl(CurlError),
    /// The error of Python's `urllib.parse`.
    Urllib(UrllibError),
    /// The reason of a reader that is not in this crate.
    Other(&'static str),
}

impl Rejection {
    /// The offset of the error in bytes, if the reader gives one.
    pub const fn offset(&self) -> Option<usize> {
        match self {
            Self::Rfc(error) => Some(error.offset()),
            Self::Java(error) => Some(error.offset()),
            Self::Whatwg(_) | Self::Curl(_) | Self::Urllib(_) | Self::Other(_) => None,
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rfc(error) => error.fmt(f),
            Self::Whatwg(error) => error.fmt(f),
            Self::Java(error) => error.fmt(f),
            Self::Curl(error) => error.fmt(f),
            Self::Urllib(error) => error.fmt(f),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Rejection {}
