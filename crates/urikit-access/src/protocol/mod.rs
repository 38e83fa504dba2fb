//! The protocols, one file or folder each. A protocol speaks, and knows nothing of policy: what it may reach, it
//! reaches by its [`Context`].
//!
//! One more protocol is a type that implements [`Protocol`], and a line in [`all`].

mod all;
pub mod data;
mod digits;
pub mod file;
pub mod ftp;
pub mod gopher;
pub mod http;
pub mod mail;
pub mod mailto;
mod message;
pub mod news;
mod server;
pub(crate) mod steps;
pub mod telnet;

pub use all::all;
pub use data::Data;
pub use file::File;
pub use ftp::Ftp;
pub use gopher::Gopher;
pub use http::Http;
pub use mail::Mail;
pub use mailto::Mailto;
pub use news::News;
pub use telnet::{Rlogin, Telnet, Tn3270};

use crate::context::Context;
use crate::error::Result;
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;

/// Follows the URLs of some schemes.
pub trait Protocol: Send + Sync {
    /// The schemes, in lower case.
    fn schemes(&self) -> &[&'static str];

    /// The ports that need no leave, besides the one that the scheme's facts give.
    fn own_ports(&self) -> &[u16] {
        &[]
    }

    /// What would be done. Nothing is connected to, nothing is opened.
    ///
    /// # Errors
    ///
    /// Where the reference is no URL of the scheme, or one that cannot be followed.
    fn plan(&self, request: &Request<'_>) -> Result<Plan>;

    /// Does it.
    ///
    /// # Errors
    ///
    /// Whatever keeps all of it from being delivered.
    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome>;
}

/// How an access went.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// All was delivered.
    Done,
    /// It is elsewhere: a reference, which may be relative. Nothing was delivered. Whether it is followed is for the
    /// policy to say.
    Redirect(String),
}
