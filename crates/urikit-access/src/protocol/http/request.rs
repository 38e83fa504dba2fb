//! The head of a request, and where it is sent (RFC 9112, 3).

use super::basic;
use super::config::Http;
use super::head::Head;
use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;
use crate::plan::Plan;
use crate::request::Request;
use std::ops::Range;
use urikit::UriBuf;
use urikit::component::password_in;
use urikit_schemes::{Edition, Gateway, Line, Step};

/// A request, ready to be sent.
pub(super) struct HttpRequest {
    /// All steps, including the lines to send.
    pub(super) plan: Plan,
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
        message.field("User-Agent: ", http.user_agent.as_bytes(), "user agent")?;
        message.field("Accept: ", http.accept.as_bytes(), "accepted types")?;
        // Without it, "any content coding is considered acceptable" (RFC 9110, 12.5.3).
        message.field("Accept-Encoding: ", b"identity", "")?;
        if !http.keeps_connections {
            message.field("Connection: ", b"close", "")?;
        }
        if request.resume > 0 && request.wants_body() {
            let range = format!("bytes={}-", request.resume);
            message.field("Range: ", range.as_bytes(), "")?;
        }
        if let Some(credentials) = request.credentials {
            message.plan.push(Step::Send(basic::line(credentials)?));
        }
        message.plan.push(Step::Send(Line::command("")));
        Ok(message)
    }

    /// In origin form (RFC 9112, 3.2.1), by the core's steps.
    fn of_server(request: &Request<'_>) -> Result<Self> {
        let http = urikit_schemes::Http::read_as(request.reference, request.edition)?;
        let target = http.request_target();
        let mut message = Self::to(&http, http.user().is_some());
        let mut is_first = true;
        for step in http.steps()? {
            message.plan.push(match step {
                // The request line: the same target, with the method of this request.
                Step::Send(_) if std::mem::take(&mut is_first) => {
                    Step::Send(request_line(request, &target)?)
                }
                other => other,
            });
        }
        Ok(message)
    }

    /// In absolute form (RFC 9112, 3.2.2): the complete URI, of any scheme.
    fn of_proxy(request: &Request<'_>, proxy: &Gateway) -> Result<Self> {
        let url = proxy.url().borrow();
        let server = urikit_schemes::Http::read_as(url, Edition::Successor)?;
        let (uri, has_userinfo) = complete_uri(request, proxy)?;
        let mut message = Self::to(&server, has_userinfo || server.user().is_some());
        for step in server.steps()? {
            if !matches!(step, Step::Send(_)) {
                message.plan.push(step);
            }
        }
        message
            .plan
            .push(Step::Send(request_line(request, uri.as_str())?));
        let authority = uri.borrow().authority();
        let authority = authority.map_or("", |authority| authority.as_str());
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        // The field is required even if its value is empty (RFC 9112, 3.2).
        let mut line = Line::command("Host: ");
        line.push(host.bytes(), "host")?;
        message.plan.push(Step::Send(line));
        Ok(message)
    }

    fn to(server: &urikit_schemes::Http<'_>, has_userinfo: bool) -> Self {
        Self {
            plan: Plan::new(),
            host: server.host().as_str().to_owned(),
            // For a port above 65535, `steps` fails.
            port: server.port().unwrap_or_default(),
            is_secure: server.is_secure(),
            has_userinfo,
        }
    }

    /// Adds a field, unless its value is empty.
    fn field(&mut self, name: &'static str, value: &[u8], part: &'static str) -> Result<()> {
        if !value.is_empty() {
            let mut line = Line::command(name);
            line.push(value.iter().copied(), part)?;
            self.plan.push(Step::Send(line));
        }
        Ok(())
    }

    /// The key in the pool.
    pub(super) fn origin(&self) -> String {
        let scheme = if self.is_secure { "https" } else { "http" };
        let host = self.host.to_ascii_lowercase();
        format!("{scheme}://{host}:{}", self.port)
    }

    /// Sends the request, and reads the head of the response.
    pub(super) fn exchange(&self, connection: &mut Connection, longest: usize) -> Result<Head> {
        connection.set_quiet(false);
        connection.send_lines(self.plan.lines().map(|(line, _)| line))?;
        Head::read(connection, longest)
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

/// The request line. What may be a password in its URI is masked.
fn request_line(request: &Request<'_>, target: &str) -> Result<Line> {
    let mut line = Line::command(if request.wants_body() {
        "GET "
    } else {
        "HEAD "
    });
    let secret = secret_in(target).unwrap_or(target.len()..target.len());
    let part = |range: Range<usize>| target.get(range).unwrap_or_default().bytes();
    line.push(part(0..secret.start), "path")?;
    if !secret.is_empty() {
        line.push_secret(part(secret.clone()), "password")?;
    }
    line.push(part(secret.end..target.len()), "path")?;
    line.push(*b" HTTP/1.1", "path")?;
    Ok(line)
}

/// The password in a URI that is sent to a proxy, or that is appended to the prefix of a gateway.
fn secret_in(target: &str) -> Option<Range<usize>> {
    let (before, rest) = target.split_once("//")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let secret = password_in(rest.get(..end)?.as_bytes())?;
    let start = before.len() + "//".len();
    Some(start + secret.start..start + secret.end)
}
