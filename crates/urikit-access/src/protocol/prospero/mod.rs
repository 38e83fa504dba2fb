//! `prospero`: objects of the Prospero directory service (RFC 1738, 3.11; RFC 1630, Prospero), by
//! the version 5 of its protocol over ARDP and UDP.
//!
//! ```text
//! →  VERSION 5 urikit                                      ardp/        datagrams
//! →  AUTHENTICATE '' UNAUTHENTICATED anonymous             text/        lines and words
//! →  GET-OBJECT-INFO '#ALL' ASCII /pros/name 0             command.rs   what is sent
//! ←  ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 14' bytes'
//! ←  ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D h ASCII '/a' BINARY
//! ```
//!
//! **Objects.** The server is asked for the attributes of the object. The first access method that
//! has a URL is a [redirect](super::Outcome::Redirect), to which the policy applies: `AFTP`, `FTP`,
//! `GOPHER` and `WAIS`. The contents themselves are fetched by the protocol
//! (`PROSPERO-CONTENTS`) if that is the only way. Methods that name files of this machine or of a
//! file system (`LOCAL`, `NFS`, `AFS`) are never followed; an object that has no other is displayed
//! as a listing of its attributes.
//!
//! **Directories** have no access method, and are listings. A union link is replaced by the links
//! of its target, which may be on another server; one that cannot be asked is an entry of the kind
//! [`Error`](crate::listing::EntryKind::Error). An external link has the URL of its access method.
//!
//! **Fields** of the URL are sent with each request (`SELECT`), because they identify the object;
//! `OBJECT-VERSION` is the version that is asked for.
//!
//! **Elsewhere.** `FORWARDED` and the redirects of ARDP are redirects to another prospero URL.
//!
//! **Datagrams** are sent only to the ports 1525 and 191 and to those that the policy allows, from
//! a port that the system chooses, with a connection id that cannot be predicted. Only datagrams of
//! that server with that id are accepted. Limits apply to everything that a server can choose: the
//! packets and octets of an answer, the words of a line, attributes, entries, union links, hops and
//! time.

mod access;
#[doc(hidden)]
pub mod ardp;
mod command;
mod entry;
mod information;
mod listing;
mod method;
mod object;
mod plan;
mod session;
#[doc(hidden)]
pub mod text;

pub use command::{Attributes, Command, Quoted};

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use access::Access;
use object::Object;
use std::time::Duration;
use urikit_schemes::Prospero as Url;

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
    wait: Duration,
    tries: u32,
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

    fn object(request: &Request<'_>) -> Result<Object> {
        if request.proxy.is_some() {
            let what = "only an HTTP server can be a proxy, not a Prospero server";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Object::of(&Url::read_as(request.reference, request.edition)?)
    }
}

impl Default for Prospero {
    fn default() -> Self {
        Self::new()
    }
}

impl Protocol for Prospero {
    fn schemes(&self) -> &[&'static str] {
        &["prospero"]
    }

    /// 191 is the port of servers that a system administrator runs.
    fn own_ports(&self) -> &[u16] {
        &[1525, 191]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        plan::plan(&Self::object(request)?, request)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let object = Self::object(request)?;
        // Errors in the URL are reported before anything is sent.
        plan::plan(&object, request)?;
        Access {
            prospero: *self,
            object,
            context,
            output,
        }
        .run(request)
    }
}
