//! What a URL requests from which server, and the commands for it.

use super::link::Link;
use super::login::Login;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::Plan;
use crate::protocol::server;
use crate::request::Request;
use std::borrow::Cow;
use urikit::component::Encoded;
use urikit_schemes::{AccessError, Line, Newsgroups, Step};

/// The commands for one access.
pub(super) struct Job<'a> {
    /// As written in the URL.
    pub(super) host: Cow<'a, str>,
    pub(super) port: u16,
    pub(super) is_tls: bool,
    pub(super) login: Option<Login>,
    pub(super) target: Target<'a>,
    /// The scheme and server of the URL, for the URLs in a listing.
    pub(super) link: Link,
}

/// What is requested.
pub(super) enum Target<'a> {
    Article { group: Option<Line>, article: Line },
    Group { name: Encoded<'a>, group: Line },
    Groups { groups: Newsgroups<'a>, list: Line },
}

impl<'a> Job<'a> {
    /// Reads the URL of a request.
    pub(super) fn of(request: &Request<'a>, configured: Option<&str>) -> Result<Self> {
        let scheme = request.reference.scheme().unwrap_or_default();
        let mut job = if scheme.eq_ignore_ascii_case("nntp") {
            Self::nntp(request, configured)?
        } else {
            Self::news(request, configured)?
        };
        job.login = match (job.login.take(), request.credentials) {
            // A password in the URL takes precedence, and one for another user is not sent.
            (Some(login), Some(credentials))
                if login.has_password() || !login.is_of(&credentials.user) =>
            {
                Some(login)
            }
            (_, Some(credentials)) => Some(Login::of(credentials)?),
            (login, None) => login,
        };
        Ok(job)
    }

    fn news(request: &Request<'a>, configured: Option<&str>) -> Result<Self> {
        let url = urikit_schemes::News::read_as(request.reference, request.edition)?;
        let is_tls = url.is_snews();
        let steps = Lines::of(url.steps()?, configured, if is_tls { 563 } else { 119 })?;
        let mut lines = steps.commands.into_iter();
        let first = lines.next().ok_or_else(no_line)?;
        let target = match url.newsgroups() {
            None => Target::Article {
                group: None,
                article: first,
            },
            Some(Newsgroups::One(name)) => Target::Group { name, group: first },
            Some(groups) => Target::Groups {
                groups,
                list: first,
            },
        };
        let link = if is_tls { Link::snews } else { Link::news };
        Ok(Self {
            link: link(&steps.host, steps.port, url.host().is_some()),
            host: steps.host,
            port: steps.port,
            is_tls,
            login: Login::from_url(steps.login, url.user()),
            target,
        })
    }

    fn nntp(request: &Request<'a>, configured: Option<&str>) -> Result<Self> {
        let url = urikit_schemes::Nntp::read_as(request.reference, request.edition)?;
        let steps = Lines::of(url.steps()?, configured, 119)?;
        let mut lines = steps.commands.into_iter();
        let group = lines.next().ok_or_else(no_line)?;
        let target = match lines.next() {
            Some(article) => Target::Article {
                group: Some(group),
                article,
            },
            None => Target::Group {
                name: url.group(),
                group,
            },
        };
        Ok(Self {
            link: Link::nntp(&steps.host, steps.port),
            host: steps.host,
            port: steps.port,
            is_tls: false,
            login: Login::from_url(steps.login, url.user()),
            target,
        })
    }

    /// The key in the pool.
    pub(super) fn key(&self) -> String {
        let scheme = if self.is_tls { "snews" } else { "nntp" };
        let host = self.host.to_ascii_lowercase();
        let login = self.login.as_ref().map(Login::key).unwrap_or_default();
        format!("{scheme} {host}:{} {login}", self.port)
    }

    /// The commands that will be sent.
    pub(super) fn plan(&self, wants_body: bool) -> Result<Plan> {
        let mut plan = Plan::new();
        plan.push(Step::Connect {
            host: Cow::Borrowed(&self.host),
            port: self.port,
        });
        if self.is_tls {
            plan.push(Step::say("begins TLS"));
        }
        plan.push(Step::Send(capabilities()));
        let when = "if it is offered, or CAPABILITIES is not supported";
        plan.push_if(when, Step::Send(mode_reader()));
        if let Some(login) = &self.login {
            login.plan(&mut plan);
        }
        self.target.plan(wants_body, &mut plan)?;
        if self.login.is_none() {
            let step = Step::say("asks the user to log in, and tries again");
            plan.push_if("if the server requires a login", step);
        }
        Ok(plan)
    }
}

impl Target<'_> {
    fn plan(&self, wants_body: bool, plan: &mut Plan) -> Result<()> {
        match self {
            Target::Article { group, article } => {
                if let Some(group) = group {
                    plan.push(Step::Send(group.clone()));
                }
                if wants_body {
                    plan.push(Step::Send(article.clone()));
                    return Ok(());
                }
                plan.push(Step::Send(stat(article)?));
                plan.push(Step::Send(head(article)?));
                plan.push(Step::Send(over(article)?));
                if group.is_some() {
                    plan.push_if("if OVER is refused", Step::Send(xover(article)?));
                }
            }
            Target::Group { group, .. } => {
                plan.push(Step::Send(group.clone()));
                if wants_body {
                    plan.push(Step::say(
                        "lists the articles in ranges, by OVER, or by XOVER if that is refused",
                    ));
                }
            }
            Target::Groups { groups, list } => {
                plan.push(Step::Send(list.clone()));
                if *groups != Newsgroups::All {
                    let all = Step::Send(Line::command("LIST"));
                    plan.push_if("if LIST ACTIVE is refused", all);
                }
            }
        }
        Ok(())
    }
}

pub(super) fn capabilities() -> Line {
    Line::command("CAPABILITIES")
}

pub(super) fn mode_reader() -> Line {
    Line::command("MODE READER")
}

pub(super) fn stat(article: &Line) -> Result<Line> {
    of_the_same("STAT ", article)
}

pub(super) fn head(article: &Line) -> Result<Line> {
    of_the_same("HEAD ", article)
}

pub(super) fn over(article: &Line) -> Result<Line> {
    of_the_same("OVER ", article)
}

pub(super) fn xover(article: &Line) -> Result<Line> {
    of_the_same("XOVER ", article)
}

/// Another command with the argument of `ARTICLE`.
fn of_the_same(command: &'static str, article: &Line) -> Result<Line> {
    let argument = article.octets().strip_prefix(b"ARTICLE ");
    let mut line = Line::command(command);
    line.push(
        argument.unwrap_or_default().iter().copied(),
        "message identifier",
    )?;
    Ok(line)
}

/// The steps of a URL, by purpose.
struct Lines<'a> {
    host: Cow<'a, str>,
    port: u16,
    login: Vec<Line>,
    commands: Vec<Line>,
}

impl<'a> Lines<'a> {
    fn of(steps: Vec<Step<'a>>, configured: Option<&str>, port: u16) -> Result<Self> {
        let mut named = None;
        let (mut login, mut commands) = (Vec::new(), Vec::new());
        for step in steps {
            match step {
                Step::Connect { host, port } => named = Some((host, port)),
                Step::Send(line) if line.octets().starts_with(b"AUTHINFO ") => login.push(line),
                Step::Send(line) => commands.push(line),
                _ => {}
            }
        }
        let (host, port) = match (named, configured) {
            (Some(named), _) => named,
            (None, Some(text)) => {
                let error =
                    || Error::new(ErrorKind::HostNotFound).at("reading the configured news server");
                let (host, port) = server::read(text, port).ok_or_else(error)?;
                (Cow::Owned(host), port)
            }
            (None, None) => {
                let what = "the URL names no news server, and none is configured";
                return Err(Error::new(ErrorKind::Unsupported(what)));
            }
        };
        Ok(Self {
            host,
            port,
            login,
            commands,
        })
    }
}

/// Unreachable: the core's steps always contain a command.
fn no_line() -> Error {
    Error::from(AccessError::NoPort)
}
