//! Readers: parsers under one interface.

mod curl;
mod java;
mod legacy;
mod lenient;
mod standard;
mod urllib;
mod whatwg;

pub use self::curl::Curl;
pub use self::java::JavaNetUri;
pub use self::legacy::LegacyIpv4;
pub use self::lenient::Lenient;
pub(crate) use self::lenient::Slices;
pub(crate) use self::standard::reading as of_reference;
pub use self::urllib::Urllib;
pub use self::whatwg::Whatwg;

use crate::reading::Reading;
use crate::rejection::Rejection;
use urikit::Standard;

/// What a reader says about an input.
pub type Outcome<'a> = Result<Reading<'a>, Rejection>;

/// A parser of references.
///
/// ```
/// use urikit_audit::{Reader, Reading, Rejection, agree_with};
///
/// /// Takes everything after the last `@` for the host, wherever it is.
/// struct Naive;
///
/// impl Reader for Naive {
///     fn name(&self) -> &'static str {
///         "naive"
///     }
///
///     fn read<'a>(&self, input: &'a str) -> Result<Reading<'a>, Rejection> {
///         let (scheme, rest) = input.split_once("://").ok_or(Rejection::Other("no scheme"))?;
///         let host = rest.rsplit('@').next().and_then(|rest| rest.split('/').next());
///         Ok(Reading {
///             scheme: Some(scheme.into()),
///             host: host.map(Into::into),
///             ..Reading::default()
///         })
///     }
/// }
///
/// let readers: [&dyn Reader; 2] = [&Naive, &urikit::Standard::Rfc3986];
/// assert!(agree_with("http://good.example/", &readers).is_unanimous());
/// assert!(!agree_with("http://good.example/?@evil.example/", &readers).is_unanimous());
/// ```
pub trait Reader {
    /// A short name, such as `rfc3986`.
    fn name(&self) -> &'static str;

    /// Reads an input.
    ///
    /// # Errors
    ///
    /// If this reader rejects the input, with its reason.
    fn read<'a>(&self, input: &'a str) -> Outcome<'a>;
}

/// The readers that vote in [`agree`](crate::agree): today's standards, and parsers in use.
pub const VOTERS: [&dyn Reader; 7] = [
    &Standard::Rfc3986,
    &Whatwg,
    &Lenient,
    &Curl,
    &Urllib,
    &JavaNetUri,
    &LegacyIpv4,
];

/// All readers of this crate: the standards, oldest first, then the parsers.
///
/// ```
/// let names: Vec<_> = urikit_audit::READERS.iter().map(|reader| reader.name()).collect();
/// assert_eq!(names.join(" "), "rfc1630 rfc1738 rfc1808 rfc2396 rfc2732 rfc3986 rfc3987 \
///     whatwg lenient curl urllib java-net-uri legacy-ipv4");
/// ```
pub const READERS: [&dyn Reader; 13] = [
    &Standard::Rfc1630,
    &Standard::Rfc1738,
    &Standard::Rfc1808,
    &Standard::Rfc2396,
    &Standard::Rfc2732,
    &Standard::Rfc3986,
    &Standard::Rfc3987,
    &Whatwg,
    &Lenient,
    &Curl,
    &Urllib,
    &JavaNetUri,
    &LegacyIpv4,
];
