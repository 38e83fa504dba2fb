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
mod config;
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
pub use config::Prospero;
pub use plan::{Condition, Step};

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use access::Access;
use object::Object;
use urikit_schemes::Prospero as Url;

impl Protocol for Prospero {
    fn schemes(&self) -> &[&'static str] {
        &["prospero"]
    }

    /// 191 is the same among the ports that only system administrators may use.
    fn own_ports(&self) -> &[u16] {
        &[1525, 191]
    }

    /// A Prospero object may be fetched by other protocols.
    fn redirect_schemes(&self) -> &[&'static str] {
        &["ftp", "gopher", "wais"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        plan::plan(&object(request)?, request)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let object = object(request)?;
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

/// What a URL names.
fn object(request: &Request<'_>) -> Result<Object> {
    if request.proxy.is_some() {
        let what = "only an HTTP server can be a proxy, not a Prospero server";
        return Err(Error::new(ErrorKind::Unsupported(what)));
    }
    Object::of(&Url::read_as(request.reference, request.edition)?)
}
