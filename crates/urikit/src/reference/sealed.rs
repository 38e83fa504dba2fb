//! What all ten types have in common, for generic code.

use super::AnyRef;

/// Any of the ten types of reference.
///
/// The methods are on the types themselves; this trait is for generic code, and cannot be
/// implemented outside this crate.
///
/// ```
/// use urikit::{Reference, Uri, UriRefBuf};
/// fn is_secure(reference: &impl Reference) -> bool {
///     reference.as_any().scheme() == Some("https")
/// }
/// assert!(is_secure(&Uri::parse("https://example.com/")?));
/// assert!(!is_secure(&UriRefBuf::parse("../a")?));
/// # Ok::<(), urikit::ParseError>(())
/// ```
pub trait Reference: Sealed {
    /// The reference with its standard as a value.
    fn as_any(&self) -> AnyRef<'_>;
}

pub trait Sealed {}
