//! Why an edit is refused.

use super::super::owned::RejectedText;
use crate::Standard;
use alloc::boxed::Box;
use core::fmt;

/// A component that can be edited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Component {
    /// `scheme`
    Scheme,
    /// `user`, `password` or both
    Userinfo,
    /// `host`
    Host,
    /// `port`
    Port,
    /// `path`
    Path,
    /// RFC 1808's `params`
    Params,
    /// `query`
    Query,
    /// `fragment`
    Fragment,
}

impl Component {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scheme => "scheme",
            Self::Userinfo => "userinfo",
            Self::Host => "host",
            Self::Port => "port",
            Self::Path => "path",
            Self::Params => "params",
            Self::Query => "query",
            Self::Fragment => "fragment",
        }
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why an edit is refused; the reference is then as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EditError {
    /// The result would be no reference of the standard. The text may have a password in it.
    Refused(Box<RejectedText>),
    /// The result would be read otherwise than it is meant: the path `//x` without an authority, `a:b` without a
    /// scheme.
    Misread {
        /// The first component that would not be what is meant.
        component: Component,
    },
    /// A userinfo or port needs a host, if an empty one.
    NeedsHost {
        /// Which of the two.
        component: Component,
    },
    /// A password needs a user, if an empty one.
    NeedsUser,
    /// The text for a scheme is none of the standard's (RFC 3986, 3.1; RFC 2396, 3.1).
    NotAScheme {
        /// The first character that cannot be there; `None` where the text is empty.
        found: Option<char>,
    },
    /// The text for a port is more than digits (RFC 3986, 3.2.3).
    NotAPort {
        /// The first character that is none.
        found: char,
    },
    /// A path behind a host begins with `/` (RFC 3986, 3.3), unless it is empty.
    NeedsSlash,
    /// A host is never escaped around a delimiter, which is rather a mistake.
    DelimiterInHost {
        /// The delimiter.
        found: char,
    },
    /// The standard has no such component: `params` are RFC 1808's only.
    NoSuchComponent {
        /// The component.
        component: Component,
        /// The standard.
        standard: Standard,
    },
    /// An opaque reference (RFC 2396, 3) has no segments and no query.
    Opaque {
        /// The path, of which segments were asked for, or the query.
        component: Component,
    },
    /// The path has fewer segments.
    NoSuchSegment {
        /// Which was asked for, from 0.
        index: usize,
        /// How many there are.
        segments: usize,
    },
    /// `.` and `..`, escaped or not, are no names of segments.
    DotSegment,
    /// The path begins with a slash or has a `..`, for some reader at least, and so could leave its base.
    LeavesBase,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(rejected) => {
                write!(f, "the result would not be valid: {}", rejected.error())
            }
            Self::Misread { component } => {
                write!(f, "in the result, the {component} would be read otherwise")
            }
            Self::NeedsHost { component } => write!(f, "a {component} needs a host"),
            Self::NeedsUser => f.write_str("a password needs a user"),
            Self::NotAScheme { found: None } => {
                f.write_str("expected a scheme, but found an empty text")
            }
            Self::NotAScheme { found: Some(found) } => {
                let found = found.escape_debug();
                write!(f, "expected a scheme, but found `{found}` in it")
            }
            Self::NotAPort { found } => {
                let found = found.escape_debug();
                write!(f, "expected the digits of a port, but found `{found}`")
            }
            Self::NeedsSlash => f.write_str("a path behind a host begins with `/`"),
            Self::DelimiterInHost { found } => {
                write!(
                    f,
                    "expected a host, but found the delimiter `{found}` in it"
                )
            }
            Self::NoSuchComponent {
                component,
                standard,
            } => write!(f, "{} has no {component}", standard.document()),
            Self::Opaque { component } => {
                let what = match component {
                    Component::Path => "segments",
                    other => other.as_str(),
                };
                write!(f, "an opaque reference has no {what} (RFC 2396, 3)")
            }
            Self::NoSuchSegment { index, segments } => write!(
                f,
                "expected the index of one of {segments} segments, but found {index}"
            ),
            Self::DotSegment => f.write_str("expected the name of a segment, but found dots"),
            Self::LeavesBase => f.write_str(
                "expected a path that stays below its base for every reader, but found a `..` or a slash at its beginning",
            ),
        }
    }
}

impl core::error::Error for EditError {}
