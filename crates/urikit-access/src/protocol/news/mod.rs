//! `news`, `snews` and `nntp`: groups and articles of Usenet news (RFC 977; RFC 3977; RFC 1738, 3.6 and 3.7; RFC 5538).
//!
//! | URL | what comes | by |
//! |---|---|---|
//! | `news:ID`, `news://h/ID` | the article | `ARTICLE <ID>` |
//! | `nntp://h/group/n` | the article | `GROUP`, `ARTICLE n` |
//! | `news:group`, `nntp://h/group` | its articles, as a listing | `GROUP`, and `OVER` or `XOVER` (RFC 2980) in pieces |
//! | `news:*` | the groups | `LIST` |
//! | `news:comp.*` | those that match | `LIST ACTIVE`, or `LIST` where the server has no more |
//!
//! Where a URL names no server, the [configured](News::server) one is asked. `snews` begins with TLS.
//!
//! # Beginning
//!
//! A server may be one for other servers until it is told otherwise: `CAPABILITIES` says so, and then, or where it is
//! not known, `MODE READER` follows (RFC 3977, 3.4.2). Nothing is sent before the answer to what was sent before has come:
//! what comes with `MODE READER` is lost at some servers. A connection is kept for the next URL of the same server and the same
//! user; these first commands are then not sent again.
//!
//! # Who asks
//!
//! A user and a password of the URL, or [credentials](crate::Credentials) of the request, are sent at once, by `AUTHINFO USER`
//! and `AUTHINFO PASS` (RFC 4643). They go in plain text, but for `snews`: the URL shows them to anybody, and the credentials
//! are what the person gave for this server. Otherwise, when the server wants a login (480), or when a password is
//! missing, the person is asked, and asked before whether a password may go in plain text. Nobody else's word sends one. What
//! the person typed serves for this access only.
//!
//! # References in a listing
//!
//! They have the scheme and the server of the URL that was followed, so that they lead to what the listing shows: an article of
//! `nntp://h/group` is `nntp://h/group/n`, one of `news:group` is `news:ID`. An identifier that no news URL can have
//! makes it `nntp://h/group/n` (over TLS, there is none). Users and passwords are not in them.
//!
//! # Sizes
//!
//! The size of an article is what the server counts (RFC 3977, 8.1), which need not be exact: it is told, and no body is held
//! against it. An article ends with a line that is a dot, and without it has ended too early.

mod article;
mod authenticate;
mod block;
mod connect;
mod group;
mod groups;
mod job;
mod link;
mod login;
mod overview;
mod reply;
mod session;

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use job::{Job, Target};

/// Follows `news`, `snews` and `nntp`.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::News;
/// use urikit_access::{Client, Policy, Request};
/// let client = Client::new(Policy::new()).protocol(News::new().server("news.example.org"));
/// let url = UriRef::parse("news:a%25b@host.dom")?;
/// let plan = client.plan(&Request::new(url.as_any()))?;
/// assert_eq!(
///     plan.to_string(),
///     "connect  news.example.org:119\n\
///      send     \"CAPABILITIES\"\n\
///      send     \"MODE READER\"  (if it is offered, or CAPABILITIES is unknown)\n\
///      send     \"ARTICLE <a%b@host.dom>\"\n\
///      then     logs in as the person says, and asks again  (if the server wants a login)\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct News {
    server: Option<String>,
}

impl News {
    /// Without a configured server: a URL that names none is then an error.
    pub const fn new() -> Self {
        Self { server: None }
    }

    /// The server that is asked where a URL names none: a host as a URL has it, and a port behind a colon where it
    /// is not 119 (563 for `snews`). The policy is asked of it as of any other.
    #[must_use]
    pub fn server(mut self, server: impl Into<String>) -> Self {
        self.server = Some(server.into());
        self
    }

    fn job<'a>(&self, request: &Request<'a>) -> Result<Job<'a>> {
        let job = Job::of(request, self.server.as_deref())?;
        if !request.wants_body() && matches!(job.target, Target::Groups { .. }) {
            let what = "a list of groups has no attributes";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Ok(job)
    }
}

impl Protocol for News {
    fn schemes(&self) -> &[&'static str] {
        &["news", "snews", "nntp"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        self.job(request)?.plan(request.wants_body())
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let job = self.job(request)?;
        if request.resume > 0 {
            return Err(Error::new(ErrorKind::CannotResume));
        }
        let body = request.wants_body();
        let session = match &job.target {
            Target::Article { group, article } if body => {
                article::fetch(&job, group.as_ref(), article, context, output)?
            }
            Target::Article { group, article } => {
                article::describe(&job, group.as_ref(), article, context, output)?
            }
            Target::Group { group, .. } if body => group::list(&job, group, context, output)?,
            Target::Group { group, .. } => group::describe(&job, group, context, output)?,
            Target::Groups { groups, list } => groups::list(&job, *groups, list, context, output)?,
        };
        session.keep(&job, context);
        Ok(Outcome::Done)
    }
}
