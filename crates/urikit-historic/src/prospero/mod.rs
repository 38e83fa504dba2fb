//! The `prospero` scheme, for objects in the Prospero directory service (RFC 1738, 3.11; RFC 1630,
//! Prospero), using version 5 of its protocol over ARDP and UDP.
//!
//! ```text
//! →  VERSION 5 urikit                                      ardp/       datagrams
//! →  AUTHENTICATE '' UNAUTHENTICATED anonymous             text.rs     lines and words
//! →  GET-OBJECT-INFO '#ALL' ASCII /pros/name 0             object.rs   requests
//! ←  ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 14' bytes'
//! ←  ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D h ASCII '/a' BINARY
//! ```
//!
//! **Objects.** The client requests the attributes of the object. The first access method that has
//! a URL (`AFTP`, `FTP`, `GOPHER` or `WAIS`) becomes a [redirect](Outcome::Redirect), which is
//! subject to the policy. If the only method is `PROSPERO-CONTENTS`, the client fetches the
//! contents with this protocol. The client never follows methods that refer to files on this
//! machine or in a network file system (`LOCAL`, `NFS`, `AFS`). If an object has no other methods,
//! its attributes are returned as a listing.
//!
//! **Directories** have no access method, and are returned as listings. A union link is replaced
//! by the links in its target, which may be on another server. If that server does not respond,
//! the union link becomes an entry of kind [`Error`](urikit_access::listing::EntryKind::Error). An
//! external link is listed with the URL of its access method.
//!
//! **Fields** in the URL identify the object, and are sent with each request (`SELECT`). The
//! `OBJECT-VERSION` field selects the version.
//!
//! **Redirects.** `FORWARDED` and the redirects of ARDP become redirects to another prospero URL.
//!
//! **Datagrams** are sent only to ports 1525 and 191, and to ports that the policy allows. The
//! operating system chooses the local port, and the connection id is unpredictable. The client
//! accepts only datagrams that come from the requested server and contain this id. Limits apply to
//! everything that a server controls: the packets and octets in a response, the words in a line,
//! attributes, entries, union links, redirects and time.

mod access;
pub mod ardp;
mod listing;
mod method;
mod object;
pub mod text;

pub use object::{Attributes, Command, Condition, Quoted, Step};

use access::Access;
use object::Object;
use std::time::Duration;
use urikit_access::protocol::{Outcome, Protocol};
use urikit_access::{Context, Output, Plan, Request, Result};

/// Fetches `prospero` URLs.
///
/// ```no_run
/// use urikit::UriRef;
/// use urikit_access::{Buffer, Client, NoPrompt, Policy, Request};
/// use urikit_historic::ProsperoProtocol;
/// let client = Client::new(Policy::new()).protocol(ProsperoProtocol::new());
/// let url = UriRef::parse("prospero://prospero.isi.edu//pub/prospero")?;
/// let mut buffer = Buffer::default();
/// client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer)?;
/// for entry in &buffer.entries {
///     println!("{}\t{}", entry.kind, entry.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The plan for the example in RFC 1738, 3.11 begins with these steps:
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// use urikit_historic::ProsperoProtocol;
/// let url = UriRef::parse("prospero://host.dom//pros/name;OBJECT-VERSION=2")?;
/// let client = Client::new(Policy::new()).protocol(ProsperoProtocol::new());
/// let plan = client.plan(&Request::new(url))?;
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
pub struct ProsperoProtocol {
    wait: Duration,
    tries: u32,
}

impl ProsperoProtocol {
    /// Returns the default settings, which are those of the original client. A request is repeated
    /// up to three times. The first waiting time is four seconds, and each later waiting time is
    /// twice as long as the previous one.
    pub const fn new() -> Self {
        Self {
            wait: Duration::from_secs(4),
            tries: 3,
        }
    }

    /// Sets the time after which a request is first repeated. Each later waiting time is twice as
    /// long as the previous one.
    ///
    /// ```
    /// use std::time::Duration;
    /// use urikit_historic::ProsperoProtocol;
    /// use urikit_access::{Client, Policy};
    /// let prospero = ProsperoProtocol::new().wait(Duration::from_millis(500)).tries(5);
    /// let client = Client::new(Policy::new()).protocol(prospero);
    /// ```
    #[must_use]
    pub const fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets the number of times that a request is repeated if nothing new is received.
    #[must_use]
    pub const fn tries(mut self, tries: u32) -> Self {
        self.tries = tries;
        self
    }
}

impl Default for ProsperoProtocol {
    fn default() -> Self {
        Self::new()
    }
}

impl Protocol for ProsperoProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["prospero"]
    }

    /// Some servers use the privileged port 191.
    fn own_ports(&self) -> &[u16] {
        &[191]
    }

    /// An access method refers to an object whose URL has one of these schemes.
    fn redirect_schemes(&self) -> &[&'static str] {
        &["ftp", "gopher", "wais"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        Object::of(request)?.plan(request.wanted)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let object = Object::of(request)?;
        // Report errors in the URL before sending anything.
        object.plan(request.wanted)?;
        Access {
            settings: *self,
            object,
            context,
            output,
        }
        .run(request.wanted)
    }
}
