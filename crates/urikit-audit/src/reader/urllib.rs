//! Python.

use super::{Outcome, Reader};
use crate::rejection::Rejection;

/// The reader `urllib`: a model of `urllib.parse.urlsplit` of CPython 3.13.0, as
/// [`urllib`](crate::urllib) describes it.
///
/// ```
/// use urikit_audit::{Reader as _, Urllib};
/// let reading = Urllib.read(" ht\ntp://Good.example\\@evil.example/")?;
/// assert_eq!(reading.scheme.as_deref(), Some("http"));
/// assert_eq!(reading.host.as_deref(), Some("evil.example"));
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Urllib;

impl Reader for Urllib {
    fn name(&self) -> &'static str {
        "urllib"
    }

    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        crate::urllib::read(input).map_err(Rejection::Urllib)
    }
}
