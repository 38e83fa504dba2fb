//! `news`, `snews` and `nntp`: groups and articles of Usenet (RFC 977; RFC 3977; RFC 1738, 3.6 and
//! 3.7; RFC 5538).
//!
//! | URL | result | commands |
//! |---|---|---|
//! | `news:ID`, `news://h/ID` | the article | `ARTICLE <ID>` |
//! | `nntp://h/group/n` | the article | `GROUP`, `ARTICLE n` |
//! | `news:group`, `nntp://h/group` | a listing of the articles | `GROUP`, then `OVER` or `XOVER` |
//! | `nntp://h/group/1-5` | a listing of these articles | `GROUP`, then `OVER` or `XOVER` |
//! | `news:*` | a listing of the groups | `LIST` |
//! | `news:comp.*` | a listing of those that match | `LIST ACTIVE`, or `LIST` on older servers |
//!
//! If a URL names no server, the [configured](News::server) one is used. `snews` begins with TLS.
//!
//! # Reader mode
//!
//! A server may start in transit mode, for other servers. `CAPABILITIES` says so; `MODE READER`
//! follows if it is offered, or if `CAPABILITIES` is not supported (RFC 3977, 3.4.2). Each command
//! waits for the reply to the one before: some servers lose what follows `MODE READER` too early.
//! On a reused connection, these commands are not repeated.
//!
//! # Login
//!
//! A user and password in the URL, or the [credentials](crate::Credentials) of the request, are
//! sent at once, by `AUTHINFO USER` and `AUTHINFO PASS` (RFC 4643). Except with `snews`, they are
//! sent unencrypted. Otherwise, if the server requires a login (480), or if the password is
//! missing, the user is asked for it, and for consent to send it unencrypted. A login that the
//! user typed is valid for this access only.
//!
//! # URLs in a listing
//!
//! They have the scheme and server of the requested URL: articles in the listing of
//! `nntp://h/group` are `nntp://h/group/n`, and those of `news:group` are `news:ID`. An article
//! whose identifier is not valid in a news URL is `nntp://h/group/n`; over TLS, there is no URL
//! for it. URLs do not contain userinfo.
//!
//! # Ranges
//!
//! No RFC defines URLs such as `nntp://h/group/1-5`; other clients read them as these articles, and
//! so does this one where the URL is read by RFC 5538. `1-` has no end.
//!
//! # Sizes
//!
//! The size of an article is what the server reports (RFC 3977, 8.1), which need not be exact, so
//! it is not compared with the body. An article ends with a line that is a single dot; without it,
//! the article is incomplete, which is an error.
//!
//! # Posting
//!
//! What is sent to the URL of a group is posted there by `POST` (RFC 3977, 6.3.1): an article with
//! the header fields `From` and `Subject`. If it has no `Newsgroups`, that of the URL is added; if
//! it has one, that must name the group. Line ends become CR LF.

mod article;
mod authenticate;
mod block;
mod command;
mod connect;
mod group;
mod groups;
mod job;
mod link;
mod login;
mod overview;
mod plan;
mod post;
mod range;
#[doc(hidden)]
pub mod replay;
mod reply;
mod session;

pub use command::{Article, Command, Overview};
pub use plan::{Condition, Step};

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::Output;
use crate::plan::Plan;
use crate::request::Request;
use crate::upload::{Body, Upload};
use job::{Job, Target};

/// Fetches `news`, `snews` and `nntp` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::News;
/// use urikit_access::{Client, Policy, Request};
/// let client = Client::new(Policy::new()).protocol(News::new().server("news.example.org"));
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
pub struct News {
    server: Option<String>,
}

impl News {
    /// Without a configured server: a URL that names none is an error.
    pub const fn new() -> Self {
        Self { server: None }
    }

    /// Sets the server for URLs that name none: a host as in a URL, followed by `:` and a port
    /// unless it is 119 (563 for `snews`). The policy applies to it as to any server.
    #[must_use]
    pub fn server(mut self, server: impl Into<String>) -> Self {
        self.server = Some(server.into());
        self
    }

    fn job<'a>(&self, request: &Request<'a>) -> Result<Job<'a>> {
        let job = Job::of(request, self.server.as_deref())?;
        if !request.wants_body() && matches!(job.target, Target::Groups { .. }) {
            let what = "a list of groups has no metadata";
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
        let job = self.job(request)?.with_server()?;
        Ok(job.plan(request.wants_body()))
    }

    /// The plan, even if no server is known.
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
        let body = request.wants_body();
        let session = match &job.target {
            Target::Article { group, article } if body => {
                article::fetch(&job, group.as_ref(), article, context, output)?
            }
            Target::Article { group, article } => {
                article::describe(&job, group.as_ref(), article, context, output)?
            }
            Target::Group { group, range, .. } if body => {
                group::list(&job, group, *range, context, output)?
            }
            Target::Group { group, .. } => group::describe(&job, group, context, output)?,
            Target::Groups { groups, list } => groups::list(&job, *groups, list, context, output)?,
        };
        session.keep(&job, context);
        Ok(Outcome::Done)
    }

    fn plan_upload(&self, upload: &Upload<'_>) -> Result<Plan> {
        let job = Job::of(&upload.request, self.server.as_deref())?.with_server()?;
        post::check(upload, &job)?;
        Ok(post::plan(&job))
    }

    fn upload(
        &self,
        upload: &Upload<'_>,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        _: &mut Output<'_>,
    ) -> Result<()> {
        let job = Job::of(&upload.request, self.server.as_deref())?.with_server()?;
        post::check(upload, &job)?;
        post::post(&job, context, body)
    }
}
