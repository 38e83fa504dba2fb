//! The head of a request, and where it is sent (RFC 9112, 3).

use super::basic;
use super::command::{Command, Field, Method, Target};
use super::config::Http;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{Action, Plan, Show};
use crate::request::Request;
use crate::url_error::UrlError;
use urikit::UriBuf;
use urikit_schemes::{Edition, Gateway};

/// A request, ready to be sent.
pub(super) struct HttpRequest {
    /// The lines of the head.
    head: Vec<Command>,
    /// The server, or the proxy, as written in its URL.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) is_secure: bool,
    /// Whether a userinfo was left out.
    pub(super) has_userinfo: bool,
}

impl HttpRequest {
    /// Builds the head for a request.
    pub(super) fn new(http: &Http, request: &Request<'_>) -> Result<Self> {
        let mut message = match request.proxy {
            Some(proxy) => Self::of_proxy(request, proxy)?,
            None => Self::of_server(request)?,
        };
        message.field(Field::UserAgent, &http.user_agent, "user agent")?;
        message.field(Field::Accept, &http.accept, "accepted types")?;
        // Without it, "any content coding is considered acceptable" (RFC 9110, 12.5.3).
        message.field(Field::AcceptEncoding, "identity", "")?;
        if !http.keeps_connections {
            message.field(Field::Connection, "close", "")?;
        }
        if request.resume > 0 && request.wants_body() {
            let range = format!("bytes={}-", request.resume);
            message.field(Field::Range, &range, "")?;
            let validator = request.validator.unwrap_or_default();
            message.field(Field::IfRange, validator, "validator")?;
        }
        if let Some(credentials) = request.credentials {
            message.head.push(basic::field(credentials)?);
        }
        message.head.push(Command::End);
        Ok(message)
    }

    /// In origin form (RFC 9112, 3.2.1).
    fn of_server(request: &Request<'_>) -> Result<Self> {
        let http = urikit_schemes::Http::read_as(request.reference, request.edition)?;
        let mut message = Self::to(&http, http.user().is_some())?;
        message.begin(request, &http.request_target(), &http.host_field())?;
        Ok(message)
    }

    /// In absolute form (RFC 9112, 3.2.2): the complete URI, of any scheme.
    fn of_proxy(request: &Request<'_>, proxy: &Gateway) -> Result<Self> {
        let url = proxy.url().borrow();
        let server = urikit_schemes::Http::read_as(url, Edition::Successor)?;
        let (uri, has_userinfo) = complete_uri(request, proxy)?;
        let mut message = Self::to(&server, has_userinfo || server.user().is_some())?;
        let authority = uri.borrow().authority();
        let authority = authority.map_or("", |authority| authority.as_str());
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        message.begin(request, uri.as_str(), host)?;
        Ok(message)
    }

    /// Adds the request line, and the `Host` field, which is required even if its value is empty
    /// (RFC 9112, 3.2).
    fn begin(&mut self, request: &Request<'_>, target: &str, host: &str) -> Result<()> {
        let method = if request.wants_body() {
            Method::Get
        } else {
            Method::Head
        };
        let target = Target::new(target)?;
        self.head.push(Command::Request(method, target));
        self.head.push(Command::field(Field::Host, host, "host")?);
        Ok(())
    }

    fn to(server: &urikit_schemes::Http<'_>, has_userinfo: bool) -> Result<Self> {
        Ok(Self {
            head: Vec::new(),
            host: server.host().as_str().to_owned(),
            port: server.port().ok_or(UrlError::NoPort)?,
            is_secure: server.is_secure(),
            has_userinfo,
        })
    }

    /// All steps, up to the head of the response.
    pub(super) fn plan(&self) -> Plan {
        let mut plan = Plan::new();
        if self.has_userinfo {
            plan.push(Action::Show(Show::Userinfo));
        }
        plan.push(Action::Connect(self.host.clone(), self.port));
        if self.is_secure {
            plan.push(Action::StartTls);
        }
        for line in &self.head {
            plan.send(line.clone());
        }
        plan
    }

    /// Adds a field, unless its value is empty.
    fn field(&mut self, field: Field, value: &str, part: &'static str) -> Result<()> {
        if !value.is_empty() {
            self.head.push(Command::field(field, value, part)?);
        }
        Ok(())
    }

    /// The key in the pool.
    pub(super) fn origin(&self) -> String {
        let scheme = if self.is_secure { "https" } else { "http" };
        let host = self.host.to_ascii_lowercase();
        format!("{scheme}://{host}:{}", self.port)
    }

    /// The lines of the head, with the empty one at its end.
    pub(super) fn head(&self) -> &[Command] {
        &self.head
    }

    /// The method, by which it is known whether the response has a body.
    pub(super) fn method(&self) -> http::Method {
        match self.head.first() {
            Some(Command::Request(Method::Head, _)) => http::Method::HEAD,
            _ => http::Method::GET,
        }
    }

    /// Adds this step to an error.
    pub(super) fn at(&self, error: Error) -> Error {
        error.at(format!("asking {}:{}", self.host, self.port))
    }
}

/// The URI for a proxy, and whether a userinfo was removed from it.
fn complete_uri(request: &Request<'_>, proxy: &Gateway) -> Result<(UriBuf, bool)> {
    let uri = proxy.ask(request.reference)?;
    let scheme = uri.scheme();
    let is_http = ["http", "https"]
        .into_iter()
        .any(|name| scheme.eq_ignore_ascii_case(name));
    // "MUST NOT generate the userinfo" (RFC 9110, 4.2.4). In other schemes the proxy may need it.
    if !is_http || uri.userinfo().is_none() {
        return Ok((uri, false));
    }
    let what = "the URI is not valid without its userinfo";
    let without = uri.to_builder().remove_userinfo().build();
    let uri = without.map_err(|_| Error::new(ErrorKind::Unsupported(what)))?;
    Ok((uri, true))
}
