//! Errors that occur when references are built or edited.

use crate::error::{ParseError, SyntaxError};
use crate::visible::Escaped;
use crate::{Rejected, Standard};
use alloc::boxed::Box;
use core::fmt;

/// A component that can be edited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Component {
    /// The scheme.
    Scheme,
    /// The user, the password, or both.
    Userinfo,
    /// The host.
    Host,
    /// The port.
    Port,
    /// The path.
    Path,
    /// The params of RFC 1808.
    Params,
    /// The query.
    Query,
    /// The fragment.
    Fragment,
}

impl Component {
    /// Returns the name.
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

/// The reason why a reference cannot be built or edited.
///
/// ```
/// use urikit::op::Component;
/// use urikit::{EditError, UriBuf, UriBuilder};
/// let path = UriBuilder::new().path("a:b").build_ref().unwrap_err(); // RFC 3986, 4.2
/// assert_eq!(path, EditError::Misread { component: Component::Scheme });
/// assert_eq!(path.to_string(), "the scheme would parse back as a different value");
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
    /// A value is not valid in its place, or the components do not fit together.
    Invalid(Box<Invalid>),
    /// The result would be parsed into different components. Without an authority, the path `//x`
    /// would be parsed as an authority; without a scheme, the start of the path `a:b` would be
    /// parsed as a scheme.
    Misread {
        /// The first component that would differ.
        component: Component,
    },
    /// A value contains the delimiter that ends its component: a `?` in a path, an `@` in a host, a
    /// `/` in a segment.
    Delimiter {
        /// The component.
        component: Component,
        /// The delimiter.
        found: char,
        /// The offset in the value, in bytes.
        offset: usize,
    },
    /// A URI needs a scheme (RFC 3986, 3). `build_ref` builds relative references.
    NeedsScheme,
    /// A userinfo or a port needs a host, even an empty one.
    NeedsHost {
        /// The userinfo or the port.
        component: Component,
    },
    /// A password needs a user, even an empty one.
    NeedsUser,
    /// The value is not a scheme (RFC 3986, 3.1; RFC 2396, 3.1).
    NotAScheme {
        /// The first invalid character, or `None` if the value is empty.
        found: Option<char>,
    },
    /// The value for a port contains a character that is not a digit (RFC 3986, 3.2.3).
    NotAPort {
        /// The first character that is not a digit.
        found: char,
    },
    /// The value for a port is above 65535, the largest port number of TCP and UDP.
    ///
    /// RFC 3986, 3.2.3 allows any number of digits, so parsing accepts a larger port, and editing
    /// another component keeps that port. Setting a larger port is almost always a mistake.
    PortTooLarge,
    /// A path after a host must begin with `/` or be empty (RFC 3986, 3.3).
    NeedsSlash,
    /// A host contains non-ASCII characters and is not an internationalized domain name (RFC 3987,
    /// 3.1). Without the `idna` feature, every non-ASCII host results in this error.
    NotADomainName,
    /// The standard does not define the component: only RFC 1808 defines `params`.
    NoSuchComponent {
        /// The component.
        component: Component,
        /// The standard.
        standard: Standard,
    },
    /// An opaque reference (RFC 2396, 3) has neither segments nor a query.
    Opaque {
        /// The path if the edit concerns segments; otherwise the query.
        component: Component,
    },
    /// The path has fewer segments than the index requires.
    NoSuchSegment {
        /// The index, counted from 0.
        index: usize,
        /// The number of segments.
        segments: usize,
    },
    /// A segment cannot be `.` or `..`, escaped or not (RFC 3986, 3.3).
    DotSegment,
    /// Parsers do not split pairs at this separator: it can be part of an escape or of a pair, or
    /// it is not US-ASCII. Two pairs would be parsed as one.
    NotASeparator {
        /// The separator.
        found: char,
    },
    /// The path could leave its base: it begins with a slash or contains a `..`, or some program
    /// could interpret it that way.
    LeavesBase,
}

/// An invalid value, and the reference that would have resulted.
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
    /// Returns the component that is not valid, or `None` if the error is not within a component.
    pub fn component(&self) -> Option<Component> {
        self.component.map(|(component, _)| component)
    }

    /// Returns the parse error. The error's offset counts bytes of the written form from the start
    /// of the component, or from the start of the result if the error does not concern one
    /// component.
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

    /// Returns the text that would have resulted, and the error from parsing it. The text may
    /// contain a password.
    pub const fn result(&self) -> &Rejected<alloc::string::String> {
        &self.result
    }

    /// Returns the owned [`result`](Self::result).
    pub fn into_result(self) -> Rejected<alloc::string::String> {
        self.result
    }
}

impl EditError {
    /// Returns the error for a result that is valid under the builder's standard but not as the
    /// requested type.
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
                write!(f, "the {component} would parse back as a different value")
            }
            Self::Delimiter {
                component,
                found,
                offset,
            } => {
                let found = Escaped(*found);
                write!(
                    f,
                    "the {component} contains the delimiter `{found}` at byte {offset}"
                )
            }
            Self::NeedsScheme => f.write_str("a URI needs a scheme (RFC 3986, 3)"),
            Self::NeedsHost { component } => write!(f, "a {component} needs a host"),
            Self::NeedsUser => f.write_str("a password needs a user"),
            Self::NotAScheme { found: None } => {
                f.write_str("expected a scheme, but found an empty string")
            }
            Self::NotAScheme { found: Some(found) } => {
                let found = Escaped(*found);
                write!(f, "expected a scheme character, but found `{found}`")
            }
            Self::NotAPort { found } => {
                let found = Escaped(*found);
                write!(f, "expected the digits of a port, but found `{found}`")
            }
            Self::PortTooLarge => f.write_str("expected a port of at most 65535"),
            Self::NeedsSlash => f.write_str("a path after a host must begin with `/`"),
            Self::NotADomainName => f.write_str(
                "the host has non-ASCII characters and is not a domain name (RFC 3987, 3.1)",
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
                "segment index {index} is out of range (number of segments: {segments})"
            ),
            Self::DotSegment => f.write_str("a segment cannot be `.` or `..` (RFC 3986, 3.3)"),
            Self::NotASeparator { found } => {
                let found = Escaped(*found);
                write!(f, "query pairs cannot be separated by `{found}`")
            }
            Self::LeavesBase => {
                f.write_str("expected a path below the base, but found a `..` or a leading slash")
            }
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
