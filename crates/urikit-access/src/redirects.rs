//! Where redirects may lead, as far as the policy allows.

use std::fmt;
use urikit::AnyRef;

/// Which redirects of one access are followed: fewer than the policy allows.
///
/// ```
/// use urikit::{AnyRef, UriRef};
/// use urikit_access::{Redirects, Request};
///
/// #[derive(Debug)]
/// struct SameHost<'a>(AnyRef<'a>);
///
/// impl Redirects for SameHost<'_> {
///     fn follows(&self, to: AnyRef<'_>) -> bool {
///         to.host().map(|host| host.as_str()) == self.0.host().map(|host| host.as_str())
///     }
/// }
///
/// let url = UriRef::parse("http://example.org/a")?;
/// let rule = SameHost(url.into());
/// let request = Request::new(url).redirects(&rule);
/// assert!(!rule.follows(UriRef::parse("http://example.com/")?.into()));
/// # Ok::<(), urikit::ParseError>(())
/// ```
pub trait Redirects: fmt::Debug + Sync {
    /// Whether the redirect to this URL is followed. It is asked after the policy, and before
    /// anything is sent there; a refused one ends the access with
    /// [`Refusal::Target`](crate::policy::Refusal::Target).
    fn follows(&self, to: AnyRef<'_>) -> bool;
}
