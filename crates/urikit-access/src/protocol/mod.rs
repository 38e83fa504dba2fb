//! The protocols, each in its own module. A protocol has no access to the policy. A protocol uses
//! the network only through its [`Context`], which checks the policy.
//!
//! To add a protocol, implement [`Protocol`] and pass it to
//! [`Client::protocol`](crate::Client::protocol). For a protocol that only sends lines,
//! [`CustomAccess`] is enough. Each protocol in this crate defines its commands in `command.rs`,
//! and uses them for both its plans and its sessions.

mod custom;
pub mod data;
pub mod file;
pub mod finger;
pub mod ftp;
pub mod gemini;
pub mod gopher;
pub mod http;
pub mod mail;
pub mod mailto;
mod message;
pub mod news;
pub mod nex;
mod outline;
pub mod parse;
pub mod spartan;
mod stream;
pub mod telnet;

pub(crate) use custom::Custom;
pub use custom::CustomAccess;
pub use data::DataProtocol;
pub use file::FileProtocol;
pub use finger::FingerProtocol;
pub use ftp::{FtpProtocol, FtpsProtocol};
pub use gemini::GeminiProtocol;
pub use gopher::GopherProtocol;
pub use http::HttpProtocol;
pub use mail::MailProtocol;
pub use mailto::MailtoProtocol;
pub use news::NewsProtocol;
pub use nex::NexProtocol;
pub(crate) use outline::outline;
pub use spartan::SpartanProtocol;
pub use telnet::{RloginProtocol, TelnetProtocol, Tn3270Protocol};

use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use crate::upload::{Body, Upload};

/// Returns all protocols in this crate, with their default settings.
#[rustfmt::skip] // one per line
pub fn all() -> Vec<Box<dyn Protocol>> {
    vec![
        Box::new(DataProtocol::new()),
        Box::new(FileProtocol::new()),
        Box::new(FingerProtocol::new()),
        Box::new(FtpProtocol::new()),
        Box::new(FtpsProtocol::new()),
        Box::new(GeminiProtocol::new()),
        Box::new(GopherProtocol::new()),
        Box::new(HttpProtocol::new()),
        Box::new(MailProtocol::new()),
        Box::new(MailtoProtocol::new()),
        Box::new(NewsProtocol::new()),
        Box::new(NexProtocol::new()),
        Box::new(RloginProtocol::new()),
        Box::new(SpartanProtocol::new()),
        Box::new(TelnetProtocol::new()),
        Box::new(Tn3270Protocol::new()),
    ]
}

/// Fetches the URLs of one or more schemes.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::{Outcome, Protocol};
/// use std::borrow::Cow;
/// use urikit_access::{
///     Buffer, Client, Context, NoPrompt, Output, Plan, Policy, Request, Result, Step,
/// };
///
/// /// A URL `x-echo:text` contains the text itself.
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
/// let client = Client::new(Policy::new()).protocol(Echo);
/// let mut buffer = Buffer::default();
/// let response = client.fetch(&Request::new(url), &mut NoPrompt, &mut buffer)?;
/// assert_eq!(buffer.bytes, b"hello");
/// assert_eq!(response.events[0].to_string(), "returned the path");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Protocol: Send + Sync {
    /// Returns the schemes that the protocol supports, in lower case.
    fn schemes(&self) -> &[&'static str];

    /// Returns the ports that are allowed by default, in addition to the default port of the
    /// scheme.
    fn own_ports(&self) -> &[u16] {
        &[]
    }

    /// Returns the schemes that a server may redirect to by default, in addition to the scheme of
    /// the URL itself.
    fn redirect_schemes(&self) -> &[&'static str] {
        &[]
    }

    /// Returns the number of redirects that the protocol's specification allows. The policy may
    /// allow fewer redirects. By default, their number is not limited.
    fn max_redirects(&self) -> usize {
        usize::MAX
    }

    /// Returns true if the protocol can fetch a [part](crate::ByteRange) of a body. The default is
    /// false.
    fn has_ranges(&self) -> bool {
        false
    }

    /// Returns what [`access`](Self::access) would do, without connecting or opening anything.
    ///
    /// # Errors
    ///
    /// Fails if the URL does not conform to the scheme, or if it cannot be fetched.
    fn plan(&self, request: &Request<'_>) -> Result<Plan>;

    /// Returns the plan even if this client lacks a setting, such as the news server. The default
    /// implementation calls [`plan`](Self::plan).
    ///
    /// # Errors
    ///
    /// Fails if the URL does not conform to the scheme, or if no client can fetch it.
    fn outline(&self, request: &Request<'_>) -> Result<Plan> {
        self.plan(request)
    }

    /// Fetches the resource at the URL, and writes it to `output`.
    ///
    /// # Errors
    ///
    /// Fails if the resource cannot be fetched completely.
    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome>;

    /// Returns what [`upload`](Self::upload) would do, without connecting or opening anything.
    ///
    /// # Errors
    ///
    /// Fails if the URL does not support uploads. The default implementation always fails.
    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        let _ = upload;
        Err(Error::new(ErrorKind::Unsupported(NO_UPLOAD)))
    }

    /// Sends `body` to the URL. Writes the body of the server's response, if it has one, to
    /// `output`.
    ///
    /// # Errors
    ///
    /// Fails if the body cannot be sent completely. The default implementation always fails.
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

/// The error message of the default `upload` and `plan_upload` methods.
const NO_UPLOAD: &str = "URLs of this scheme do not support uploads";

/// The result of an access.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// Everything was written to the output.
    Done,
    /// The resource is at this URL reference, which may be relative, and nothing was written to
    /// the output. The policy decides whether the client follows the reference.
    Redirect(String),
    /// An optional redirect. If the target cannot be fetched, the access is repeated, and
    /// [`Context::redirect_failed`] returns true.
    TryFirst(String),
    /// A redirect that must be followed with `GET` and without data, regardless of the request's
    /// method (RFC 9110, 15.4.4).
    SeeOther(String),
}
