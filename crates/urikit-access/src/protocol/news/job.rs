//! Reads the server, the login and the articles or groups from URLs, and plans the commands for
//! accessing them.

use super::command::{self, Article, Command, Overview};
use super::listing::Summary;
use crate::command::{Argument, Secret};
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::plan::{self, Action, Plan, Question};
use crate::protocol::parse::{self, default_port, number};
use crate::request::{Credentials, Request};
use std::borrow::Cow;
use urikit::AnyRef;
use urikit::component::{Encoded, Host};
use urikit_schemes::{Edition, News, NewsBuilder, Newsgroups, Nntp};

/// A parsed URL, and the login for its server.
pub(super) struct Job<'a> {
    pub(super) server: Server<'a>,
    pub(super) is_tls: bool,
    pub(super) login: Option<Login>,
    pub(super) target: Target<'a>,
    /// The scheme and the server at the beginning of every URL in a listing.
    pub(super) origin: Origin,
}

/// A news server.
pub(super) struct Server<'a> {
    /// The host, as written in the URL or in the settings.
    pub(super) host: Cow<'a, str>,
    pub(super) port: u16,
    /// True if neither the URL nor the settings contain a server. Without a server, only a plan is
    /// possible.
    is_missing: bool,
}

/// The resource that a URL identifies.
#[derive(Clone)]
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
    pub(super) fn new(request: &Request<'a>, configured: Option<&str>) -> Result<Self> {
        let scheme = request.reference.scheme().unwrap_or_default();
        let mut job = if scheme.eq_ignore_ascii_case("nntp") {
            Self::nntp(request, configured)?
        } else {
            Self::news(request, configured)?
        };
        job.login = match (job.login.take(), request.credentials) {
            // A password in the URL takes precedence. A password for another user must not be sent.
            (Some(login), Some(credentials))
                if login.password.is_some() || !login.is_for(&credentials.user) =>
            {
                Some(login)
            }
            (_, Some(credentials)) => Some(Login::new(credentials)?),
            (login, None) => login,
        };
        Ok(job)
    }

    fn news(request: &Request<'a>, configured: Option<&str>) -> Result<Self> {
        let url = News::read_as(request.reference, request.edition)?;
        let is_tls = url.is_snews();
        let scheme = if is_tls { Scheme::Snews } else { Scheme::News };
        let server = Server::new(url.host(), url.port(), configured, scheme)?;
        Ok(Self {
            origin: Origin::new(scheme, &server, url.host().is_some()),
            server,
            is_tls,
            login: Login::from_url(url.user(), url.password())?,
            target: Target::of_news(&url)?,
        })
    }

    fn nntp(request: &Request<'a>, configured: Option<&str>) -> Result<Self> {
        let read = |url| Nntp::read_as(url, request.edition);
        let (url, range) = match (read(request.reference), Range::split(request.reference)) {
            (Err(_), Some((group, range))) if request.edition == Edition::Successor => {
                (read(group)?, range)
            }
            (url, _) => (url?, Range::ALL),
        };
        let server = Server::new(url.host(), url.port(), configured, Scheme::Nntp)?;
        let group = command::group(url.group().decode())?;
        Ok(Self {
            origin: Origin::new(Scheme::Nntp, &server, true),
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

    /// Returns the job. Fails if the job has no server.
    pub(super) fn with_server(self) -> Result<Self> {
        if self.server.is_missing {
            let what = "the URL has no news server, and none is configured";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Ok(self)
    }

    /// Returns the key of the session in the pool. The key contains the password, so it must not be
    /// displayed.
    pub(super) fn key(&self) -> String {
        let scheme = if self.is_tls { "snews" } else { "nntp" };
        let host = self.server.host.to_ascii_lowercase();
        let login = self.login.as_ref().map(Login::key).unwrap_or_default();
        format!("{scheme} {host}:{} {login}", self.server.port)
    }

    /// Plans a fetch.
    pub(super) fn plan(&self, wants_body: bool) -> Plan {
        let mut plan = self.begin_plan();
        self.target.plan(wants_body, &mut plan);
        self.end_plan(&mut plan);
        plan
    }

    /// Plans the steps that precede the first command for the URL.
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

    /// Plans the steps that follow the commands for the URL.
    pub(super) fn end_plan(&self, plan: &mut Plan) {
        if self.login.is_none() {
            plan.push_if(Condition::LoginRequired, Action::Ask(Question::Login));
        }
    }
}

impl<'a> Server<'a> {
    /// Returns the server in the URL, or the configured server if the URL has no server.
    fn new(
        host: Option<Host<'a>>,
        port: Option<u16>,
        configured: Option<&str>,
        scheme: Scheme,
    ) -> Result<Self> {
        let default = scheme.default_port();
        let host = host.filter(|host| !host.as_str().is_empty());
        let (host, port) = match (host, configured) {
            (Some(host), _) => (host.as_str().into(), port.ok_or(UrlError::NoPort)?),
            (None, Some(text)) => {
                let invalid = || {
                    Error::new(ErrorKind::HostNotFound)
                        .with_step("reading the configured news server")
                };
                let (host, port) = parse::server(text, default).ok_or_else(invalid)?;
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
    fn of_news(url: &News<'a>) -> Result<Self> {
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

/// A user, and the password if it is known (RFC 4643, 2.3).
pub(super) struct Login {
    pub(super) user: Argument,
    pub(super) password: Option<Secret>,
}

impl Login {
    /// Checks the user and password in a URL. Returns `None` if the URL has no user.
    fn from_url(user: Option<Encoded<'_>>, password: Option<Encoded<'_>>) -> Result<Option<Self>> {
        let Some(user) = user.filter(|user| !user.is_empty()) else {
            return Ok(None);
        };
        let password = password.map(|password| command::password(password.decode()));
        Ok(Some(Self {
            user: command::user(user.decode())?,
            password: password.transpose()?,
        }))
    }

    /// Checks the credentials of a request.
    fn new(credentials: &Credentials) -> Result<Self> {
        Ok(Self {
            user: Argument::new(credentials.user.bytes(), "user")?,
            password: Some(Secret::new(credentials.password.bytes(), "password")?),
        })
    }

    /// Returns the part of the pool key that identifies the login.
    fn key(&self) -> String {
        let password = self.password.as_ref().map(Secret::octets);
        format!("{:?} {password:?}", self.user.octets())
    }

    fn plan(&self, plan: &mut Plan) {
        plan.send(Command::AuthinfoUser(self.user.clone()));
        plan.push_if(
            Condition::PasswordAsked,
            match &self.password {
                Some(password) => Action::send(Command::AuthinfoPass(password.clone())),
                None => Action::Ask(Question::Password),
            },
        );
    }

    fn is_for(&self, user: &str) -> bool {
        self.user.octets() == user.as_bytes()
    }

    /// Returns the user name for display in prompts.
    pub(super) fn name(&self) -> String {
        String::from_utf8_lossy(self.user.octets()).into_owned()
    }
}

/// A range of articles, given by the numbers of the first and the last article.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Range {
    /// The range of all articles.
    pub(super) const ALL: Self = Self {
        first: 0,
        last: u64::MAX,
    };

    /// Splits `nntp://h/group/FIRST-LAST` into the URL of the group and the range. Without `LAST`,
    /// the range is open-ended, as in NNTP (RFC 3977, 6.1.2 and 9.8). Returns `None` if the last
    /// segment is not a range, or if a query follows it.
    ///
    /// Lynx and later clients support these URLs, but no RFC defines them. `urikit-schemes`
    /// therefore rejects these URLs.
    fn split(url: AnyRef<'_>) -> Option<(AnyRef<'_>, Self)> {
        let path = url.path().as_str();
        let segment = path.rsplit('/').next()?;
        let (first, last) = segment.split_once('-')?;
        let range = Self {
            first: number(first.as_bytes())?,
            last: match last {
                "" => u64::MAX,
                last => number(last.as_bytes())?,
            },
        };
        let text = url.as_str().split(['?', '#']).next()?;
        let group = text.strip_suffix(segment)?.strip_suffix('/')?;
        let is_range = url.query().is_none() && range.first <= range.last;
        let group = url.standard().parse(group).ok()?;
        is_range.then_some((group, range))
    }
}

/// The scheme and server of a URL, without its userinfo. URLs in a listing begin with this scheme
/// and server.
pub(super) struct Origin {
    scheme: Scheme,
    host: String,
    /// The port, unless it is the default port of the scheme.
    port: Option<u16>,
    /// True if the requested URL contains the server.
    has_server: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    News,
    Snews,
    Nntp,
}

impl Scheme {
    fn default_port(self) -> u16 {
        default_port(match self {
            Self::News => "news",
            Self::Snews => "snews",
            Self::Nntp => "nntp",
        })
    }
}

impl Origin {
    fn new(scheme: Scheme, server: &Server<'_>, has_server: bool) -> Self {
        Self {
            scheme,
            host: server.host.clone().into_owned(),
            port: (server.port != scheme.default_port()).then_some(server.port),
            has_server,
        }
    }

    /// Returns the URL of an article in a group. Returns `None` if the scheme has no URL for the
    /// article.
    pub(super) fn article(&self, group: &[u8], summary: &Summary) -> Option<String> {
        let by_id = || self.news_url(News::article(summary.bare_id()?));
        let by_number = || {
            let url = Nntp::builder(&self.host, group).article(summary.number);
            let url = self.port.map_or(url.clone(), |port| url.port(port));
            url.build().ok().map(|url| url.as_str().to_owned())
        };
        match self.scheme {
            // RFC 5538 defines no URL for some message identifiers.
            Scheme::News => by_id().or_else(by_number),
            Scheme::Snews => by_id(),
            Scheme::Nntp => by_number(),
        }
    }

    /// Returns the URL of a group.
    pub(super) fn group(&self, name: &[u8]) -> Option<String> {
        self.news_url(News::group(name))
    }

    fn news_url<'n>(&'n self, mut url: NewsBuilder<'n>) -> Option<String> {
        if self.scheme == Scheme::Snews {
            url = url.snews();
        }
        if self.has_server {
            url = url.server(&self.host);
            url = self.port.map_or(url.clone(), |port| url.port(port));
        }
        url.build().ok().map(|url| url.as_str().to_owned())
    }
}

/// A condition in an NNTP plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The server offers reader mode, or does not support `CAPABILITIES` (RFC 3977, 3.4.2).
    ModeReader,
    /// The server asks for a password.
    PasswordAsked,
    /// The server requires a login.
    LoginRequired,
    /// The server refuses `OVER` (RFC 3977, 8.3).
    NoOver,
    /// The server refuses `LIST ACTIVE` with a pattern (RFC 3977, 7.6.3).
    NoListActive,
}

impl plan::Condition for Condition {
    fn words(&self) -> &'static str {
        match self {
            Self::ModeReader => "it is offered, or CAPABILITIES is not supported",
            Self::PasswordAsked => "the server asks for a password",
            Self::LoginRequired => "the server requires a login",
            Self::NoOver => "OVER is refused",
            Self::NoListActive => "LIST ACTIVE is refused",
        }
    }
}

/// A step in an NNTP plan, other than a command.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Connects to the server in the settings, because the URL has none.
    ConnectToConfigured,
    /// Lists the articles in the selected group, one range at a time, with `OVER` or `XOVER`.
    ListArticles,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        let words = match self {
            Self::ConnectToConfigured => "connects to the configured server",
            Self::ListArticles => {
                "lists the articles in ranges, with OVER, or with XOVER if that is refused"
            }
        };
        (words, Cow::Borrowed(&[]))
    }
}

#[cfg(test)]
mod tests {
    use super::Range;
    use urikit::Standard;

    #[test]
    fn the_last_segment_is_a_range() {
        let split = |url| {
            let url = Standard::Rfc3986.parse(url).unwrap();
            Range::split(url).map(|(group, range)| (group.to_string(), range.first, range.last))
        };
        let group = || "nntp://h/g".to_owned();
        assert_eq!(split("nntp://h/g/1-5"), Some((group(), 1, 5)));
        assert_eq!(split("nntp://h/g/7-7#x"), Some((group(), 7, 7)));
        assert_eq!(split("nntp://h/g/7-"), Some((group(), 7, u64::MAX)));
        for url in [
            "nntp://h/g/5",
            "nntp://h/g/5-1",
            "nntp://h/g/-5",
            "nntp://h/g/1-5x",
            "nntp://h/g/1-99999999999999999999",
            "nntp://h/g/1%2D5",
            "nntp://h/g/1-5?q",
            "nntp://h/comp-test",
            "nntp:",
        ] {
            assert_eq!(split(url), None, "{url}");
        }
    }
}
