//! The `news`, `snews` and `nntp` schemes, for the groups and articles of Usenet (RFC 977; RFC
//! 3977; RFC 1738, 3.6 and 3.7; RFC 5538).
//!
//! | URL | result | commands |
//! |---|---|---|
//! | `news:ID`, `news://h/ID` | the article | `ARTICLE <ID>` |
//! | `nntp://h/group/n` | the article | `GROUP`, `ARTICLE n` |
//! | `news:group`, `nntp://h/group` | a listing of the articles | `GROUP`, `OVER` or `XOVER` |
//! | `nntp://h/group/1-5` | a listing of these articles | `GROUP`, `OVER` or `XOVER` |
//! | `news:*` | a listing of the groups | `LIST` |
//! | `news:comp.*` | a listing of matching groups | `LIST ACTIVE`, or `LIST` on older servers |
//!
//! If a URL has no server, the client uses the [configured](NewsProtocol::server) server.
//! Connections for `snews` URLs use TLS from the beginning.
//!
//! # Reader mode
//!
//! A server may start in transit mode, in which it serves other servers. The client sends
//! `CAPABILITIES`, and then `MODE READER` if the server offers this command or does not support
//! `CAPABILITIES` (RFC 3977, 3.4.2). Commands are not pipelined, because some servers lose
//! commands that arrive before they have answered `MODE READER`. A reused connection is already in
//! reader mode.
//!
//! # Login
//!
//! A user and password in the URL, or the [credentials](crate::Credentials) of the request, are
//! sent immediately with `AUTHINFO USER` and `AUTHINFO PASS` (RFC 4643). Only connections for
//! `snews` URLs encrypt the login. If the server requires a login (480), or if the password is
//! missing, the client asks the user to log in, and to agree that the password is sent
//! unencrypted. A login that the user typed is used for this access only.
//!
//! # URLs in a listing
//!
//! URLs in a listing have the scheme and server of the requested URL. In the listing of
//! `nntp://h/group`, articles have URLs such as `nntp://h/group/n`, and in the listing of
//! `news:group`, URLs such as `news:ID`. If the identifier of an article is not valid in a news
//! URL, the article has the URL `nntp://h/group/n`, or no URL in the listing of an `snews` URL. The
//! URLs in a listing do not contain userinfo.
//!
//! # Ranges
//!
//! No RFC defines URLs such as `nntp://h/group/1-5`. Other clients list articles 1 to 5 for this
//! URL, and so does this client if it interprets the URL according to RFC 5538. The range `1-`
//! includes all articles, starting with 1.
//!
//! # Sizes
//!
//! The size of an article is the size that the server reports (RFC 3977, 8.1). The reported size
//! need not be exact, so it is not compared with the size of the body. An article ends with a line
//! that consists of a single dot. If this line is missing, the article is incomplete, which is an
//! error.
//!
//! # Posting
//!
//! An upload to the URL of a group posts an article there with `POST` (RFC 3977, 6.3.1). The
//! article needs the header fields `From` and `Subject`. If the article has no `Newsgroups` field,
//! the client adds one that contains the group in the URL. Otherwise, the existing `Newsgroups`
//! field must contain the group. Line endings become CR LF.

mod access;
mod block;
mod command;
mod job;
mod listing;
#[doc(hidden)]
pub mod replay;
mod session;

pub use command::{Article, Command, Overview};
pub use job::{Condition, Step};

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use crate::upload::{Body, Upload};
use access::{Access, Post};
use job::{Job, Target};

/// Fetches `news`, `snews` and `nntp` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::NewsProtocol;
/// use urikit_access::{Client, Policy, Request};
/// let client = Client::new(Policy::new()).protocol(NewsProtocol::new().server("news.example.org"));
/// let url = UriRef::parse("news:a%25b@host.dom")?;
/// let plan = client.plan(&Request::new(url))?;
/// assert_eq!(
///     plan.to_string(),
///     "connect  news.example.org:119\n\
///      send     \"CAPABILITIES\"\n\
///      send     \"MODE READER\"  (if it is offered, or CAPABILITIES is not supported)\n\
///      send     \"ARTICLE <a%b@host.dom>\"\n\
///      then     asks the user to log in, and tries again  (if the server requires a login)\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct NewsProtocol {
    server: Option<String>,
}

impl NewsProtocol {
    /// Creates settings without a server, so each URL must contain one.
    pub const fn new() -> Self {
        Self { server: None }
    }

    /// Sets the server for URLs that contain no server. `server` is a host as in a URL, followed by
    /// `:` and the port unless the port is 119 (563 for `snews`). The policy also applies to this
    /// server.
    #[must_use]
    pub fn server(mut self, server: impl Into<String>) -> Self {
        self.server = Some(server.into());
        self
    }

    fn job<'a>(&self, request: &Request<'a>) -> Result<Job<'a>> {
        let job = Job::new(request, self.server.as_deref())?;
        if !request.wants_body() && matches!(job.target, Target::Groups { .. }) {
            let what = "a list of groups has no metadata";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Ok(job)
    }

    fn post<'a>(&self, upload: &Upload<'a>) -> Result<Post<'a>> {
        let job = Job::new(&upload.request, self.server.as_deref())?.with_server()?;
        Post::new(job, upload)
    }
}

impl Protocol for NewsProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["news", "snews", "nntp"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let job = self.job(request)?.with_server()?;
        Ok(job.plan(request.wants_body()))
    }

    /// Returns the plan, even if no server is known.
    fn outline(&self, request: &Request<'_>) -> Result<Plan> {
        Ok(self.job(request)?.plan(request.wants_body()))
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let job = self.job(request)?.with_server()?;
        if request.resume > 0 {
            return Err(Error::new(ErrorKind::CannotResume));
        }
        Access::open(job, context, output)?.fetch(request.wants_body())
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        Ok(self.post(upload)?.plan())
    }

    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        output: &mut Output<'_>,
    ) -> Result<()> {
        self.post(upload)?.run(context, body, output)
    }
}
