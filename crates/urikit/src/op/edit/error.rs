//! Why nothing was built, or a reference was not changed.

use crate::error::{ParseError, SyntaxError};
use crate::visible::Escaped;
use crate::{Rejected, Standard};
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

/// Why nothing was built, or a reference was not changed.
///
/// ```
/// use urikit::op::Component;
/// use urikit::{EditError, UriBuf, UriBuilder};
/// let path = UriBuilder::new().path("a:b").build_ref().unwrap_err(); // RFC 3986, 4.2
/// assert_eq!(path, EditError::Misread { component: Component::Scheme });
/// assert_eq!(path.to_string(), "the result would be parsed with another scheme");
///
/// let mut url = UriBuf::parse("http://a/b")?;
/// let error = url.push_segment("..").unwrap_err();
/// assert_eq!(error, EditError::DotSegment);
/// assert_eq!(url, "http://a/b"); // unchanged
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EditError {
    /// A value is not valid in its place, or the components together are not.
    Invalid(Box<Invalid>),
    /// Parsing would find another component than was meant: a path `//x` without an authority
    /// would be one, and `a:b` without a scheme has one.
    Misread {
        /// The first component that would be another.
        component: Component,
    },
    /// A value contains the delimiter that ends its component: a `?` in a path, an `@` in a host;
    /// or a segment contains a `/`.
    Delimiter {
        /// The component.
        component: Component,
        /// The delimiter.
        found: char,
        /// Its offset, in bytes of the value.
        offset: usize,
    },
    /// A URI has a scheme (RFC 3986, 3); `build_ref` builds relative references.
    NeedsScheme,
    /// A userinfo or a port needs a host, even an empty one.
    NeedsHost {
        /// Which of the two.
        component: Component,
    },
    /// A password needs a user, even an empty one.
    NeedsUser,
    /// The value is not a scheme (RFC 3986, 3.1; RFC 2396, 3.1).
    NotAScheme {
        /// The first invalid character; `None` where the value is empty.
        found: Option<char>,
    },
    /// The value for a port is not only digits (RFC 3986, 3.2.3).
    NotAPort {
        /// The first other character.
        found: char,
    },
    /// The value for a port is above 65535, the largest port of TCP and UDP.
    ///
    /// RFC 3986, 3.2.3 allows any number of digits, so such a reference still parses, and editing
    /// its other components keeps its port. But a port that no program can use is almost always a
    /// mistake, so it cannot be set.
    PortTooLarge,
    /// A path after a host begins with `/` (RFC 3986, 3.3), unless it is empty.
    NeedsSlash,
    /// A host with characters beyond US-ASCII that is not an internationalized domain name (RFC
    /// 3987, 3.1); without the feature `idna`, any such host, since the DNS has no such names.
    NotADomainName,
    /// The standard has no such component: only RFC 1808 has `params`.
    NoSuchComponent {
        /// The component.
        component: Component,
        /// The standard.
        standard: Standard,
    },
    /// An opaque reference (RFC 2396, 3) has no segments and no query.
    Opaque {
        /// The path, where segments were to be changed; or the query.
        component: Component,
    },
    /// The path has fewer segments.
    NoSuchSegment {
        /// The index, from 0.
        index: usize,
        /// How many segments there are.
        segments: usize,
    },
    /// `.` and `..`, escaped or not, do not name a segment (RFC 3986, 3.3).
    DotSegment,
    /// Readers would not separate pairs at this separator: it may be part of an escape or of a
    /// pair, or is not US-ASCII. Two pairs would become one.
    NotASeparator {
        /// The separator.
        found: char,
    },
    /// The path begins with a slash or contains a `..`, at least for some reader, and so could
    /// leave its base.
    LeavesBase,
}

/// A value that is not valid, and the reference that would have resulted.
///
/// ```
/// use urikit::op::Component;
/// use urikit::{EditError, UriBuf};
/// let mut url = UriBuf::parse("http://a/b")?;
/// let Err(EditError::Invalid(invalid)) = url.set_path("/c d") else { unreachable!() };
/// assert_eq!(invalid.component(), Some(Component::Path));
/// assert_eq!(invalid.error().offset(), 2); // in the path
/// assert_eq!(invalid.result().error().offset(), 10); // in `http://a/c d`
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    pub(super) component: Option<(Component, usize)>,
    pub(super) result: Rejected<alloc::string::String>,
}

impl Invalid {
    /// The component that is not valid, where the error lies within one.
    pub fn component(&self) -> Option<Component> {
        self.component.map(|(component, _)| component)
    }

    /// The error. Its offset counts from the start of the component, in bytes as it would be
    /// written; without a component, from the start of the result.
    pub fn error(&self) -> ParseError {
        match (self.component, self.result.error()) {
            (Some((_, start)), ParseError::Syntax(error)) => ParseError::Syntax(SyntaxError {
                offset: error
                    .offset
                    .saturating_sub(crate::layout::offset_u32(start)),
                ..error
            }),
            (_, error) => error,
        }
    }

    /// The text that would have resulted, which may contain a password, and its error.
    pub const fn result(&self) -> &Rejected<alloc::string::String> {
        &self.result
    }

    /// As [`result`](Self::result), by value.
    pub fn into_result(self) -> Rejected<alloc::string::String> {
        self.result
    }
}

impl EditError {
    /// A result that is valid by the builder's standard but not as the requested type.
    pub(super) fn rejected<T: Into<alloc::string::String>>(rejected: Rejected<T>) -> Self {
        let error = rejected.error();
        Self::Invalid(Box::new(Invalid {
            component: None,
            result: Rejected::new(rejected.into_value().into(), error),
        }))
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(invalid) => match invalid.component {
                Some((component, _)) => {
                    write!(f, "the {component} is not valid: {}", invalid.error())
                }
                None => write!(f, "the result would not be valid: {}", invalid.error()),
            },
            Self::Misread { component } => {
                write!(f, "the result would be parsed with another {component}")
            }
            Self::Delimiter {
                component,
                found,
                offset,
            } => {
                let found = Escaped(*found);
                write!(
                    f,
                    "expected a {component}, but found the delimiter `{found}` at byte {offset} of it"
                )
            }
            Self::NeedsScheme => f.write_str("a URI needs a scheme (RFC 3986, 3)"),
            Self::NeedsHost { component } => write!(f, "a {component} needs a host"),
            Self::NeedsUser => f.write_str("a password needs a user"),
            Self::NotAScheme { found: None } => {
                f.write_str("expected a scheme, but found an empty text")
            }
            Self::NotAScheme { found: Some(found) } => {
                let found = Escaped(*found);
                write!(f, "expected a scheme, but found `{found}` in it")
            }
            Self::NotAPort { found } => {
                let found = Escaped(*found);
                write!(f, "expected the digits of a port, but found `{found}`")
            }
            Self::PortTooLarge => f.write_str("expected a port of at most 65535"),
            Self::NeedsSlash => f.write_str("a path after a host begins with `/`"),
            Self::NotADomainName => f.write_str(
                "expected a host that is a domain name, but found characters beyond US-ASCII that are not part of one (RFC 3987, 3.1)",
            ),
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
                "there is no segment {index}: the path has {segments}, counted from 0"
            ),
            Self::DotSegment => f.write_str("a segment cannot be `.` or `..` (RFC 3986, 3.3)"),
            Self::NotASeparator { found } => {
                let found = Escaped(*found);
                write!(f, "expected a separator between pairs, but found `{found}`")
            }
            Self::LeavesBase => f.write_str(
                "expected a path that stays below its base for every reader, but found a `..` or a leading slash",
            ),
        }
    }
}

impl core::error::Error for EditError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Invalid(invalid) => Some(&invalid.result),
            _ => None,
        }
    }
}
