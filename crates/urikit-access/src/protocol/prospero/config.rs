//! The settings.

use std::time::Duration;

/// Fetches `prospero` URLs.
///
/// ```no_run
/// use urikit::UriRef;
/// use urikit_access::{Buffer, Client, NoPrompt, Policy, Request};
/// let mut client = Client::new(Policy::new());
/// let url = UriRef::parse("prospero://prospero.isi.edu//pub/prospero")?;
/// let mut buffer = Buffer::default();
/// client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer)?;
/// for entry in &buffer.entries {
///     println!("{}\t{}", entry.kind, entry.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What is sent first for RFC 1738's example (3.11):
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// let url = UriRef::parse("prospero://host.dom//pros/name;OBJECT-VERSION=2")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url))?;
/// let first: Vec<_> = plan.steps().iter().take(4).map(ToString::to_string).collect();
/// assert_eq!(
///     first,
///     [
///         "connect  host.dom:1525",
///         "send     \"VERSION 5 urikit\"",
///         "send     \"AUTHENTICATE '' UNAUTHENTICATED anonymous\"",
///         "send     \"GET-OBJECT-INFO '#ALL' ASCII /pros/name 2\"",
///     ]
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prospero {
    pub(super) wait: Duration,
    pub(super) tries: u32,
}

impl Prospero {
    /// Waits four seconds for an answer, and sends a request up to four times, after twice the time
    /// each: the times of the original client.
    pub const fn new() -> Self {
        Self {
            wait: Duration::from_secs(4),
            tries: 3,
        }
    }

    /// Sets how long to wait before a request is sent again. Each further wait is twice as long.
    ///
    /// ```
    /// use std::time::Duration;
    /// use urikit_access::protocol::Prospero;
    /// use urikit_access::{Client, Policy};
    /// let prospero = Prospero::new().wait(Duration::from_millis(500)).tries(5);
    /// let client = Client::new(Policy::new()).protocol(prospero);
    /// ```
    #[must_use]
    pub const fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets how often a request is sent again, if nothing new is received.
    #[must_use]
    pub const fn tries(mut self, tries: u32) -> Self {
        self.tries = tries;
        self
    }
}

impl Default for Prospero {
    fn default() -> Self {
        Self::new()
    }
}
