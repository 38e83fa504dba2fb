//! What a URL requests from which server, and the commands for it.

use super::command::{self, Article, Command, Overview};
use super::link::Link;
use super::login::Login;
use super::plan::{Condition, Step};
use super::range::Range;
use crate::command::Argument;
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::plan::{Action, Plan, Question};
use crate::protocol::parse;
use crate::request::Request;
use std::borrow::Cow;
use urikit::component::{Encoded, Host};
use urikit_schemes::{Edition, Newsgroups};

/// One access.
pub(super) struct Job<'a> {
    pub(super) server: Server<'a>,
    pub(super) is_tls: bool,
    pub(super) login: Option<Login>,
    pub(super) target: Target<'a>,
    /// The scheme and server of the URL, for the URLs in a listing.
    pub(super) link: Link,
}

/// The server of an access.
pub(super) struct Server<'a> {
    /// As written in the URL or in the settings.
    pub(super) host: Cow<'a, str>,
    pub(super) port: u16,
    /// Whether neither names one. Only an outline is possible then.
    is_missing: bool,
}

/// What is requested.
pub(super) enum Target<'a> {
    Article {
        group: Option<Argument>,
        article: Article,
    },
    Group {
        name: Encoded<'a>,
        group: Argument,
        range: Range,
    },
    Groups {
        groups: Newsgroups<'a>,
        /// `LIST` or `LIST ACTIVE`.
        list: Command,
    },
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
        let default = parse::default_port(if is_tls { "snews" } else { "news" });
        let server = Server::of((url.host(), url.port()), configured, default)?;
        let link = if is_tls { Link::snews } else { Link::news };
        Ok(Self {
            link: link(&server.host, server.port, url.host().is_some()),
            server,
            is_tls,
            login: Login::from_url(url.user(), url.password())?,
            target: Target::of_news(&url)?,
        })
    }

    fn nntp(request: &Request<'a>, configured: Option<&str>) -> Result<Self> {
        let read = |url| urikit_schemes::Nntp::read_as(url, request.edition);
        let (url, range) = match (read(request.reference), Range::split(request.reference)) {
            (Err(_), Some((group, range))) if request.edition == Edition::Successor => {
                (read(group)?, range)
            }
            (url, _) => (url?, Range::ALL),
        };
        let server = Server::of(
            (url.host(), url.port()),
            configured,
            parse::default_port("nntp"),
        )?;
        let group = command::group(url.group().decode())?;
        Ok(Self {
            link: Link::nntp(&server.host, server.port),
            server,
            is_tls: false,
            login: Login::from_url(url.user(), url.password())?,
            target: match url.article() {
                Some(digits) => Target::Article {
                    group: Some(group),
                    article: Article::Number(Argument::new(digits.bytes(), "number")?),
                },
                None => Target::Group {
                    name: url.group(),
                    group,
                    range,
                },
            },
        })
    }

    /// The same, unless there is no server.
    pub(super) fn with_server(self) -> Result<Self> {
        if self.server.is_missing {
            let what = "the URL names no news server, and none is configured";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Ok(self)
    }

    /// The key in the pool.
    pub(super) fn key(&self) -> String {
        let scheme = if self.is_tls { "snews" } else { "nntp" };
        let host = self.server.host.to_ascii_lowercase();
        let login = self.login.as_ref().map(Login::key).unwrap_or_default();
        format!("{scheme} {host}:{} {login}", self.server.port)
    }

    /// The commands that will be sent.
    pub(super) fn plan(&self, wants_body: bool) -> Plan {
        let mut plan = self.begin_plan();
        self.target.plan(wants_body, &mut plan);
        self.end_plan(&mut plan);
        plan
    }

    /// The steps up to the first command for the URL.
    pub(super) fn begin_plan(&self) -> Plan {
        let mut plan = Plan::new();
        plan.push(if self.server.is_missing {
            Action::step(Step::ConnectToConfigured)
        } else {
            Action::Connect(self.server.host.clone().into_owned(), self.server.port)
        });
        if self.is_tls {
            plan.push(Action::StartTls);
        }
        plan.send(Command::Capabilities);
        plan.send_if(Condition::ModeReader, Command::ModeReader);
        if let Some(login) = &self.login {
            login.plan(&mut plan);
        }
        plan
    }

    /// The steps after the commands for the URL.
    pub(super) fn end_plan(&self, plan: &mut Plan) {
        if self.login.is_none() {
            plan.push_if(Condition::LoginRequired, Action::Ask(Question::Login));
        }
    }
}

impl<'a> Server<'a> {
    /// The server in the URL, or else the configured one.
    fn of(
        (host, port): (Option<Host<'a>>, Option<u16>),
        configured: Option<&str>,
        default: u16,
    ) -> Result<Self> {
        let host = host.filter(|host| !host.as_str().is_empty());
        let (host, port) = match (host, configured) {
            (Some(host), _) => (host.as_str().into(), port.ok_or(UrlError::NoPort)?),
            (None, Some(text)) => {
                let error = || {
                    Error::new(ErrorKind::HostNotFound)
                        .with_step("reading the configured news server")
                };
                let (host, port) = parse::server(text, default).ok_or_else(error)?;
                (Cow::Owned(host), port)
            }
            (None, None) => {
                return Ok(Self {
                    host: Cow::Borrowed(""),
                    port: default,
                    is_missing: true,
                });
            }
        };
        Ok(Self {
            host,
            port,
            is_missing: false,
        })
    }
}

impl<'a> Target<'a> {
    fn of_news(url: &urikit_schemes::News<'a>) -> Result<Self> {
        let Some(groups) = url.newsgroups() else {
            let id = url.message_id().into_iter();
            let id = id.flat_map(|id| id.decode().octets());
            let article = Article::Id(command::message_id(id)?);
            let group = None;
            return Ok(Self::Article { group, article });
        };
        Ok(match groups {
            Newsgroups::One(name) => {
                let group = command::group(name.decode())?;
                let range = Range::ALL;
                Self::Group { name, group, range }
            }
            groups => Self::Groups {
                groups,
                list: match groups {
                    Newsgroups::Matching(pattern) => {
                        Command::ListActive(command::pattern(pattern.decode())?)
                    }
                    _ => Command::List,
                },
            },
        })
    }

    fn plan(&self, wants_body: bool, plan: &mut Plan) {
        match self {
            Self::Article { group, article } => {
                if let Some(group) = group {
                    plan.send(Command::Group(group.clone()));
                }
                if wants_body {
                    plan.send(Command::Article(article.clone()));
                    return;
                }
                plan.send(Command::Stat(article.clone()));
                plan.send(Command::Head(article.clone()));
                let overview = Overview::Article(article.clone());
                plan.send(Command::Over(overview.clone()));
                if group.is_some() {
                    plan.send_if(Condition::NoOver, Command::Xover(overview));
                }
            }
            Self::Group { group, .. } => {
                plan.send(Command::Group(group.clone()));
                if wants_body {
                    plan.step(Step::ListArticles);
                }
            }
            Self::Groups { groups, list } => {
                plan.send(list.clone());
                if *groups != Newsgroups::All {
                    plan.send_if(Condition::NoListActive, Command::List);
                }
            }
        }
    }
}
