//! curl.

use super::{Outcome, Reader};
use crate::rejection::Rejection;

/// The reader `curl`: a model of libcurl 7.88.1, as [`curl`](crate::curl) describes it.
///
/// ```
/// use urikit_audit::{Curl, Reader as _};
/// let reading = Curl.read("HTTP:///ex%61mple.com/a/../b")?;
/// assert_eq!(reading.host.as_deref(), Some("example.com"));
/// assert_eq!(reading.path, "/b");
/// assert!(Curl.read("http://a@b@c/").is_err());
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Curl;

impl Reader for Curl {
    fn name(&self) -> &'static str {
        "curl"
    }

    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        crate::curl::read(input).map_err(Rejection::Curl)
    }
}
