//! The protocols, one folder each. A protocol knows nothing of the policy: it reaches the network
//! only through its [`Context`], which asks the policy.
//!
//! To add a protocol, implement [`Protocol`] and pass it to
//! [`Client::protocol`](crate::Client::protocol); for one that only sends lines, [`CustomAccess`]
//! is enough. Those that are part of this crate are listed in [`all()`]. Each has its commands in
//! `command.rs`, which its plan and its session share.

mod all;
mod custom;
pub mod data;
pub mod file;
pub mod ftp;
pub mod gopher;
pub mod http;
pub mod mail;
pub mod mailto;
mod message;
pub mod news;
mod outline;
pub mod parse;
pub mod prospero;
mod server;
pub mod telnet;
pub mod wais;

pub use all::all;
pub(crate) use custom::Custom;
pub use custom::CustomAccess;
pub use data::Data;
pub use file::File;
pub use ftp::{Ftp, Ftps};
pub use gopher::Gopher;
pub use http::Http;
pub use mail::Mail;
pub use mailto::Mailto;
pub use news::News;
pub(crate) use outline::outline;
pub(crate) use parse as digits;
pub use prospero::Prospero;
pub use telnet::{Rlogin, Telnet, Tn3270};
pub use wais::Wais;
/// Until the protocols import `parse`.
pub(crate) mod time {
    pub(crate) use super::parse::utc_time as read;
}

use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use crate::upload::{Body, Upload};

/// Fetches the URLs of some schemes.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::{Outcome, Protocol};
/// use std::borrow::Cow;
/// use urikit_access::{
///     Buffer, Client, Context, NoPrompt, Output, Plan, Policy, Request, Result, Step,
/// };
///
/// /// `x-echo:text` names the text itself.
/// struct Echo;
///
/// #[derive(Debug)]
/// struct ReturnPath;
///
/// impl Step for ReturnPath {
///     fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
///         ("returns the path", b"".into())
///     }
/// }
///
/// impl Protocol for Echo {
///     fn schemes(&self) -> &[&'static str] {
///         &["x-echo"]
///     }
///     fn plan(&self, _: &Request<'_>) -> Result<Plan> {
///         let mut plan = Plan::new();
///         plan.step(ReturnPath);
///         Ok(plan)
///     }
///     fn access(
///         &self,
///         request: &Request<'_>,
///         context: &mut Context<'_>,
///         output: &mut Output<'_>,
///     ) -> Result<Outcome> {
///         context.note("returned the path");
///         output.bytes(request.reference.path().as_str().as_bytes())?;
///         Ok(Outcome::Done)
///     }
/// }
///
/// let url = UriRef::parse("x-echo:hello")?;
/// let mut client = Client::new(Policy::new()).protocol(Echo);
/// let mut buffer = Buffer::default();
/// let response = client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer)?;
/// assert_eq!(buffer.bytes, b"hello");
/// assert_eq!(response.events[0].to_string(), "returned the path");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Protocol: Send + Sync {
    /// The schemes, in lower case.
    fn schemes(&self) -> &[&'static str];

    /// The ports that are allowed by default, besides the default port of the scheme.
    fn own_ports(&self) -> &[u16] {
        &[]
    }

    /// The schemes that a server may redirect to by default, besides the scheme of the URL itself.
    fn redirect_schemes(&self) -> &[&'static str] {
        &[]
    }

    /// Whether a [part](crate::ByteRange) of a body can be fetched. By default not.
    fn has_ranges(&self) -> bool {
        false
    }

    /// What [`access`](Self::access) would do. Nothing is connected to or opened.
    ///
    /// # Errors
    ///
    /// If the URL does not conform to the scheme, or cannot be fetched.
    fn plan(&self, request: &Request<'_>) -> Result<Plan>;

    /// The same plan, also where only a setting or this machine is in the way, such as for news
    /// without a news server. By default, as [`plan`](Self::plan).
    ///
    /// # Errors
    ///
    /// If the URL does not conform to the scheme, or cannot be fetched by anyone.
    fn outline(&self, request: &Request<'_>) -> Result<Plan> {
        self.plan(request)
    }

    /// Fetches what the URL names, and writes it to `output`.
    ///
    /// # Errors
    ///
    /// If any part of it cannot be fetched.
    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome>;

    /// What [`upload`](Self::upload) would do. Nothing is connected to or opened.
    ///
    /// # Errors
    ///
    /// If nothing can be sent to such a URL, which is the default.
    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        let _ = upload;
        Err(Error::new(ErrorKind::Unsupported(NO_UPLOAD)))
    }

    /// Sends `body` to what the URL names. What the server returns besides a reply is written to
    /// `output`.
    ///
    /// # Errors
    ///
    /// If it cannot be sent completely. By default always.
    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        output: &mut Output<'_>,
    ) -> Result<()> {
        let _ = (upload, context, body, output);
        Err(Error::new(ErrorKind::Unsupported(NO_UPLOAD)))
    }
}

/// Why nothing is sent by default.
const NO_UPLOAD: &str = "nothing can be sent to a URL of this scheme";

/// The result of an access.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// Everything was written to the output.
    Done,
    /// Nothing was written; the resource is at this URL reference, which may be relative. The
    /// policy decides whether it is followed.
    Redirect(String),
    /// The same, but the request for it has no data and the method `GET`, whatever this one had
    /// (RFC 9110, 15.4.4).
    SeeOther(String),
}
