//! The head of a request, and where it is sent (RFC 9112, 3).

use super::command::{Command, Field, Method, Target};
use super::config::Http;
use super::plan::Step;
use super::{basic, decode, digest};
use crate::context::Context;
use crate::credentials::Credentials;
use crate::error::{Error, ErrorKind, Result};
use crate::http1::{Head, Sent};
use crate::plan::{Action, Plan};
use crate::proxy::Proxy;
use crate::request::Request;
use crate::upload::{Mode, Upload};
use crate::url_error::UrlError;
use bytes::Bytes;
use urikit::UriBuf;
use urikit_schemes::{Edition, Gateway};

/// A request, ready to be sent.
pub(super) struct HttpRequest {
    /// The lines of the head, without the empty one.
    head: Vec<Command>,
    method: Method,
    target: String,
    body: Bytes,
    /// How many challenges were answered.
    answers: u8,
    /// Whether a userinfo in the URL is sent; `None` if the URL has no userinfo.
    sends_userinfo: Option<bool>,
    /// The server, or the proxy, as written in its URL.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) is_secure: bool,
    /// The configured proxy that is asked.
    pub(super) via: Option<Proxy>,
    /// The server that it is asked for.
    pub(super) target_peer: (String, u16),
}

impl HttpRequest {
    /// Builds the head for a request.
    pub(super) fn new(http: &Http, request: &Request<'_>) -> Result<Self> {
        let mut message = Self::begun(http, request, method(http, request)?)?;
        if request.resume > 0 && request.wants_body() {
            let range = format!("bytes={}-", request.resume);
            message.field(http, Field::Range, &range, "")?;
            let validator = request.validator.unwrap_or_default();
            message.field(http, Field::IfRange, validator, "validator")?;
        } else if let Some(range) = request.range {
            message.field(http, Field::Range, &format!("bytes={range}"), "")?;
        }
        message.data(http, request)?;
        message.end(http, request)
    }

    /// Builds the head for an upload. The size is that of the body, if it is known; without it, the
    /// body is sent in chunks.
    pub(super) fn of_upload(http: &Http, upload: &Upload<'_>, size: Option<u64>) -> Result<Self> {
        let request = &Request {
            range: None,
            ..upload.request
        };
        let method = match &http.own.method {
            Some(name) => Method::own(name)?,
            None if upload.mode == Mode::Post => Method::Post,
            None => Method::Put,
        };
        let mut message = Self::begun(http, request, method)?;
        let media_type = upload.media_type.unwrap_or_default();
        message.field(http, Field::ContentType, media_type, "media type")?;
        match size {
            Some(size) => message.field(http, Field::ContentLength, &size.to_string(), "")?,
            None => message.field(http, Field::TransferEncoding, "chunked", "")?,
        }
        message.end(http, request)
    }

    /// The head up to the fields about a connection.
    fn begun(http: &Http, request: &Request<'_>, method: Method) -> Result<Self> {
        let mut message = match (request.proxy, request.via) {
            (Some(proxy), _) => Self::of_proxy(http, request, method, proxy)?,
            (None, Some(proxy)) => {
                let mut message = Self::of_proxy(http, request, method, &proxy.gateway)?;
                message.via = Some(proxy.clone());
                message.target_peer = peer_of(request)?;
                if let Some(token) = proxy.token() {
                    message.head.push(Command::ProxyAuthorization(token));
                }
                if message.sends_userinfo.is_some() && request.chain.from_url {
                    message.sends_userinfo = Some(true);
                }
                message
            }
            (None, None) => Self::of_server(http, request, method)?,
        };
        message.field(http, Field::UserAgent, &http.user_agent, "user agent")?;
        message.field(http, Field::Accept, &http.accept, "accepted types")?;
        // Without it, "any content coding is considered acceptable" (RFC 9110, 12.5.3). A part of
        // what is encoded cannot be decoded.
        let is_part = request.resume > 0 || request.range.is_some();
        let codings = if http.decodes && !is_part {
            decode::ACCEPTED
        } else {
            "identity"
        };
        message.field(http, Field::AcceptEncoding, codings, "")?;
        if !http.keeps_connections {
            message.field(http, Field::Connection, "close", "")?;
        }
        Ok(message)
    }

    /// Adds the fields that follow those about a body: logins, cookies, and those of the caller.
    fn end(mut self, http: &Http, request: &Request<'_>) -> Result<Self> {
        if let Some(credentials) = request.credentials
            && !http.uses_digest
            && !http.own.has("Authorization")
        {
            self.head.push(basic::field(credentials)?);
        }
        if let Some(cookies) = &http.cookies
            && !request.is_by_gateway()
            && !http.own.has("Cookie")
            && let Some(cookies) =
                cookies.field(request.reference.as_str(), request.chain.is_foreign)?
        {
            self.head.push(Command::Cookie(cookies));
        }
        self.head.extend(http.own.lines(request.chain.is_foreign)?);
        Ok(self)
    }

    /// Adds the data and its length.
    fn data(&mut self, http: &Http, request: &Request<'_>) -> Result<()> {
        let Some(data) = &http.own.data else {
            return Ok(());
        };
        if request.chain.by_get || !request.wants_body() {
            return Ok(());
        }
        if request.chain.is_foreign {
            let what = "a redirect leads to another server, to which the data is not sent again";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let form = "application/x-www-form-urlencoded";
        self.field(http, Field::ContentType, form, "")?;
        self.field(http, Field::ContentLength, &data.len().to_string(), "")?;
        self.body = data.clone();
        Ok(())
    }

    /// In origin form (RFC 9112, 3.2.1).
    fn of_server(http: &Http, request: &Request<'_>, method: Method) -> Result<Self> {
        let server = urikit_schemes::Http::read_as(request.reference, request.edition)?;
        let mut message = Self::to(&server, method)?;
        if server.user().is_some() {
            let is_sent = request.chain.from_url && request.credentials.is_some();
            message.sends_userinfo = Some(is_sent);
        }
        message.begin(http, &server.request_target(), &server.host_field())?;
        Ok(message)
    }

    /// In absolute form (RFC 9112, 3.2.2): the complete URI, of any scheme.
    fn of_proxy(
        http: &Http,
        request: &Request<'_>,
        method: Method,
        proxy: &Gateway,
    ) -> Result<Self> {
        let url = proxy.url().borrow();
        let server = urikit_schemes::Http::read_as(url, Edition::Successor)?;
        let (uri, has_userinfo) = complete_uri(request, proxy)?;
        let mut message = Self::to(&server, method)?;
        if has_userinfo || server.user().is_some() {
            message.sends_userinfo = Some(false);
        }
        let authority = uri.borrow().authority();
        let authority = authority.map_or("", |authority| authority.as_str());
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        message.begin(http, uri.as_str(), host)?;
        Ok(message)
    }

    /// Adds the request line, and the `Host` field, which is required even if its value is empty
    /// (RFC 9112, 3.2).
    fn begin(&mut self, http: &Http, target: &str, host: &str) -> Result<()> {
        target.clone_into(&mut self.target);
        let target = Target::new(target)?;
        self.head
            .push(Command::Request(self.method.clone(), target));
        if !http.own.has("Host") {
            self.head.push(Command::field(Field::Host, host, "host")?);
        }
        Ok(())
    }

    fn to(server: &urikit_schemes::Http<'_>, method: Method) -> Result<Self> {
        Ok(Self {
            head: Vec::new(),
            method,
            target: String::new(),
            body: Bytes::new(),
            answers: 0,
            sends_userinfo: None,
            host: server.host().as_str().to_owned(),
            port: server.port().ok_or(UrlError::NoPort)?,
            is_secure: server.is_secure(),
            via: None,
            target_peer: Default::default(),
        })
    }

    /// All steps, up to the head of the response.
    pub(super) fn plan(&self) -> Plan {
        let mut plan = Plan::new();
        if let Some(is_sent) = self.sends_userinfo {
            plan.step(Step::WarnOfUserinfo { is_sent });
        }
        let (host, port) = (self.host.clone(), self.port);
        plan.push(if self.via.is_some() {
            Action::ConnectProxy(host, port)
        } else {
            Action::Connect(host, port)
        });
        if self.is_secure {
            plan.push(Action::StartTls);
        }
        for line in self.head() {
            plan.send(line);
        }
        if !self.body.is_empty() {
            let count = u64::try_from(self.body.len()).unwrap_or(u64::MAX);
            plan.step(Step::SendData(count));
        }
        plan
    }

    /// Adds a field, unless its value is empty, or the caller decided about it.
    fn field(&mut self, http: &Http, field: Field, value: &str, part: &'static str) -> Result<()> {
        if !value.is_empty() && !http.own.has(field.name()) {
            self.head.push(Command::field(field, value, part)?);
        }
        Ok(())
    }

    /// Adds the answer to the challenge in a response, if there is one. False if nothing is to be
    /// sent again.
    ///
    /// A second challenge is answered only if it says that the nonce of the first was stale, and none
    /// after it: a server could say so for ever.
    pub(super) fn answer(&mut self, head: &Head, credentials: &Credentials) -> Result<bool> {
        if head.status != 401 || self.answers > 1 {
            return Ok(false);
        }
        let method = self.method.to_http();
        let request = (method.as_str(), self.target.as_str(), &*self.body);
        let Some(answer) = digest::answer(head, credentials, request)? else {
            return Ok(false);
        };
        if self.answers > 0 && !answer.is_stale {
            return Ok(false);
        }
        self.head.retain(|line| !matches!(line, Command::Digest(_)));
        self.head.push(answer.field);
        self.answers += 1;
        Ok(true)
    }

    /// The key in the pool.
    pub(super) fn origin(&self) -> String {
        let scheme = if self.is_secure { "https" } else { "http" };
        let host = self.host.to_ascii_lowercase();
        let through = if self.via.is_some() { "proxy " } else { "" };
        format!("{through}{scheme}://{host}:{}", self.port)
    }

    /// The lines of the head, with the empty one at its end.
    fn head(&self) -> Vec<Command> {
        let mut head = self.head.clone();
        head.push(Command::End);
        head
    }

    /// Sets the complete body of an upload.
    pub(super) fn set_body(&mut self, body: Bytes) {
        self.body = body;
    }

    /// The body, if it is in memory.
    pub(super) const fn body(&self) -> &Bytes {
        &self.body
    }

    /// Warns of a userinfo in the URL.
    pub(super) fn warn(&self, context: &mut Context<'_>) {
        let advice = match self.sends_userinfo {
            None => return,
            Some(true) => {
                "the userinfo in the URL is sent as credentials to the host after the @: such URLs \
                 are deprecated (RFC 9110, 4.2.4)"
            }
            Some(false) => {
                "the userinfo in the URL is not sent: servers ask for it (RFC 9110, 4.2.4)"
            }
        };
        context.note(advice);
        context.prompt().notify(advice);
    }

    /// What is sent.
    pub(super) fn sent(&self) -> Sent<Command> {
        Sent {
            method: self.method.to_http(),
            head: self.head(),
            body: self.body.clone(),
        }
    }

    /// Whether it may be repeated when its response is lost (RFC 9110, 9.2.2).
    pub(super) fn is_idempotent(&self) -> bool {
        self.method.to_http().is_idempotent()
    }

    /// Adds this step to an error.
    pub(super) fn at(&self, error: Error) -> Error {
        error.at(format!("asking {}:{}", self.host, self.port))
    }
}

/// The method of a request that fetches something.
fn method(http: &Http, request: &Request<'_>) -> Result<Method> {
    Ok(match &http.own.method {
        _ if !request.wants_body() => Method::Head,
        _ if request.chain.by_get => Method::Get,
        Some(name) => Method::own(name)?,
        None if http.own.data.is_some() => Method::Post,
        None => Method::Get,
    })
}

/// The server of the URL.
fn peer_of(request: &Request<'_>) -> Result<(String, u16)> {
    let server = urikit_schemes::Http::read_as(request.reference, request.edition)?;
    let port = server.port().ok_or(UrlError::NoPort)?;
    Ok((server.host().as_str().to_owned(), port))
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
