//! HTTP requests, with the lines of the head and the server or proxy that receives them (RFC 9112,
//! 3).

use super::command::{Command, Field, Method, Target};
use super::settings::HttpProtocol;
use super::{auth, coding};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::http1::{Head, Sent};
use crate::proxy::Proxy;
use crate::request::{Credentials, Request};
use crate::upload::{Mode, Upload};
use bytes::Bytes;
use digest_auth::{AuthContext, HttpMethod};
use urikit::UriBuf;
use urikit_schemes::{Edition, Gateway};

/// A request that is ready to be sent.
pub(super) struct HttpRequest<'a> {
    settings: &'a HttpProtocol,
    /// The lines of the head. Once the request is complete, the last line is empty.
    head: Vec<Command>,
    method: Method,
    target: String,
    body: Bytes,
    /// The number of challenges that have been answered.
    answers: u8,
    /// True if the userinfo in the URL is sent, or `None` if the URL has no userinfo.
    pub(super) sends_userinfo: Option<bool>,
    /// The host of the server or the proxy, as written in its URL.
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) is_secure: bool,
    /// The configured proxy, and the server that the proxy is asked to connect to.
    pub(super) via: Option<Via>,
}

/// A configured proxy, and the server of the URL.
pub(super) struct Via {
    pub(super) proxy: Proxy,
    /// The host of the server.
    pub(super) host: String,
    /// The port of the server.
    pub(super) port: u16,
}

impl<'a> HttpRequest<'a> {
    /// Builds the request for a fetch.
    pub(super) fn new(settings: &'a HttpProtocol, request: &Request<'_>) -> Result<Self> {
        let mut message = Self::begun(settings, request, method(settings, request)?)?;
        if request.resume > 0 && request.wants_body() {
            let range = format!("bytes={}-", request.resume);
            message.field(Field::Range, &range, "")?;
            let validator = request.validator.unwrap_or_default();
            message.field(Field::IfRange, validator, "validator")?;
        } else if let Some(range) = request.range {
            message.field(Field::Range, &format!("bytes={range}"), "")?;
        }
        message.data(request)?;
        message.end(request)
    }

    /// Builds the request for an upload, which uses `PUT` to store the body at the URL, or `POST`
    /// to let the resource process the body (RFC 9110, 9.3). If the size is unknown, the body is
    /// sent in chunks.
    pub(super) fn of_upload(
        settings: &'a HttpProtocol,
        upload: &Upload<'_>,
        size: Option<u64>,
    ) -> Result<Self> {
        let request = &Request {
            range: None,
            ..upload.request
        };
        let method = match &settings.custom.method {
            Some(name) => Method::custom(name)?,
            None if upload.mode == Mode::Post => Method::Post,
            None => Method::Put,
        };
        let mut message = Self::begun(settings, request, method)?;
        let media_type = upload.media_type.unwrap_or_default();
        message.field(Field::ContentType, media_type, "media type")?;
        match size {
            Some(size) => message.field(Field::ContentLength, &size.to_string(), "")?,
            None => message.field(Field::TransferEncoding, "chunked", "")?,
        }
        message.end(request)
    }

    /// Builds the head, except for the fields that describe the body.
    fn begun(settings: &'a HttpProtocol, request: &Request<'_>, method: Method) -> Result<Self> {
        let mut message = match (request.proxy, request.via) {
            (Some(proxy), _) => Self::of_proxy(settings, request, method, proxy)?,
            (None, Some(proxy)) => {
                let mut message = Self::of_proxy(settings, request, method, &proxy.gateway)?;
                let server = urikit_schemes::Http::read_as(request.reference, request.edition)?;
                message.via = Some(Via {
                    proxy: proxy.clone(),
                    host: server.host().as_str().to_owned(),
                    port: server.port().ok_or(UrlError::NoPort)?,
                });
                if let Some(token) = proxy.token() {
                    message.head.push(Command::ProxyAuthorization(token));
                }
                if message.sends_userinfo.is_some() && request.chain.from_url {
                    message.sends_userinfo = Some(true);
                }
                message
            }
            (None, None) => Self::of_server(settings, request, method)?,
        };
        message.field(Field::UserAgent, &settings.user_agent, "user agent")?;
        message.field(Field::Accept, &settings.accept, "accepted types")?;
        // Without the `Accept-Encoding` field, "any content coding is considered acceptable" (RFC
        // 9110, 12.5.3). Part of an encoded body could not be decoded without the rest.
        let is_part = request.resume > 0 || request.range.is_some();
        let codings = if settings.decodes && !is_part {
            coding::ACCEPTED
        } else {
            "identity"
        };
        message.field(Field::AcceptEncoding, codings, "")?;
        if !settings.keeps_connections {
            message.field(Field::Connection, "close", "")?;
        }
        Ok(message)
    }

    /// Adds the remaining fields, which are the login, the cookies and the caller's fields, and the
    /// empty line.
    fn end(mut self, request: &Request<'_>) -> Result<Self> {
        let settings = self.settings;
        if let Some(credentials) = request.credentials
            && !settings.uses_digest
            && !settings.custom.has("Authorization")
        {
            self.head.push(auth::basic(credentials)?);
        }
        if let Some(cookies) = &settings.cookies
            && !request.is_by_gateway()
            && !settings.custom.has("Cookie")
            && let Some(cookies) =
                cookies.field(request.reference.as_str(), request.chain.is_foreign)?
        {
            self.head.push(Command::Cookie(cookies));
        }
        let fields = settings.custom.lines(request.chain.is_foreign)?;
        self.head.extend(fields);
        self.head.push(Command::End);
        Ok(self)
    }

    /// Adds the request data from the settings, and the length of the data.
    fn data(&mut self, request: &Request<'_>) -> Result<()> {
        let Some(data) = &self.settings.custom.data else {
            return Ok(());
        };
        if request.chain.by_get || !request.wants_body() {
            return Ok(());
        }
        if request.chain.is_foreign {
            let what = "the data is not sent again after a redirect to another server";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let form = "application/x-www-form-urlencoded";
        self.field(Field::ContentType, form, "")?;
        self.field(Field::ContentLength, &data.len().to_string(), "")?;
        self.body = data.clone();
        Ok(())
    }

    /// Builds a request to a server, in origin form (RFC 9112, 3.2.1).
    fn of_server(
        settings: &'a HttpProtocol,
        request: &Request<'_>,
        method: Method,
    ) -> Result<Self> {
        let server = urikit_schemes::Http::read_as(request.reference, request.edition)?;
        let mut message = Self::to(settings, &server, method)?;
        if server.user().is_some() {
            let is_sent = request.chain.from_url && request.credentials.is_some();
            message.sends_userinfo = Some(is_sent);
        }
        message.begin(&server.request_target(), &server.host_field())?;
        Ok(message)
    }

    /// Builds a request to a proxy, in absolute form (RFC 9112, 3.2.2), which contains the
    /// complete URI, whatever its scheme.
    fn of_proxy(
        settings: &'a HttpProtocol,
        request: &Request<'_>,
        method: Method,
        proxy: &Gateway,
    ) -> Result<Self> {
        let url = proxy.url().as_uri();
        let server = urikit_schemes::Http::read_as(url, Edition::Successor)?;
        let (uri, has_userinfo) = complete_uri(request, proxy)?;
        let mut message = Self::to(settings, &server, method)?;
        if has_userinfo || server.user().is_some() {
            message.sends_userinfo = Some(false);
        }
        // Even for a proxy, `Host` contains the host in the URI, or nothing if the URI has no host
        // (RFC 9112, 3.2).
        let authority = uri.as_uri().authority();
        let authority = authority.map_or("", |authority| authority.as_str());
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        message.begin(uri.as_str(), host)?;
        Ok(message)
    }

    /// Adds the request line, and the `Host` field, which is required even if its value is empty
    /// (RFC 9112, 3.2).
    fn begin(&mut self, target: &str, host: &str) -> Result<()> {
        target.clone_into(&mut self.target);
        let target = Target::new(target)?;
        self.head
            .push(Command::Request(self.method.clone(), target));
        if !self.settings.custom.has("Host") {
            self.head.push(Command::field(Field::Host, host, "host")?);
        }
        Ok(())
    }

    /// Returns a request without a head, for the given server or proxy.
    fn to(
        settings: &'a HttpProtocol,
        server: &urikit_schemes::Http<'_>,
        method: Method,
    ) -> Result<Self> {
        Ok(Self {
            settings,
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
        })
    }

    /// Adds a field, unless its value is empty or the settings replace or omit the field.
    fn field(&mut self, field: Field, value: &str, part: &'static str) -> Result<()> {
        if !value.is_empty() && !self.settings.custom.has(field.name()) {
            self.head.push(Command::field(field, value, part)?);
        }
        Ok(())
    }

    /// Adds the answer to the Digest challenge in a response. Returns false if the request must
    /// not be sent again.
    ///
    /// Answers a second challenge only if it marks the first nonce as stale (RFC 7616, 3.3). Never
    /// answers a third challenge, because a server could send stale challenges forever.
    pub(super) fn answer(&mut self, head: &Head, credentials: &Credentials) -> Result<bool> {
        if head.status != 401 || self.answers > 1 {
            return Ok(false);
        }
        let context = AuthContext::new_with_method(
            &*credentials.user,
            &*credentials.password,
            &*self.target,
            Some(&*self.body),
            HttpMethod::from(self.method.to_http().as_str().to_owned()),
        );
        let Some(answer) = auth::answer(head, &context)? else {
            return Ok(false);
        };
        if self.answers > 0 && !answer.is_stale {
            return Ok(false);
        }
        self.head
            .retain(|line| !matches!(line, Command::Digest(_) | Command::End));
        self.head.extend([answer.field, Command::End]);
        self.answers += 1;
        Ok(true)
    }

    /// Returns the key of the connection in the pool.
    pub(super) fn origin(&self) -> String {
        let scheme = if self.is_secure {
            "https://"
        } else {
            "http://"
        };
        let host = self.host.to_ascii_lowercase();
        let login = |via: &Via| {
            let login = via.proxy.credentials.as_ref();
            let login = login.map(|login| (login.user.clone(), login.password.clone()));
            format!("proxy {login:?} ")
        };
        let through = self.via.as_ref().map(login).unwrap_or_default();
        // Each access builds two of these keys, and `format!` would take several times as long as
        // `concat`.
        [&*through, scheme, &host, ":", &self.port.to_string()].concat()
    }

    /// Returns the lines of the head, including the empty line at its end.
    pub(super) fn head(&self) -> &[Command] {
        &self.head
    }

    /// Sets the complete body of an upload.
    pub(super) fn set_body(&mut self, body: Bytes) {
        self.body = body;
    }

    /// Returns the body, if it is in memory.
    pub(super) const fn body(&self) -> &Bytes {
        &self.body
    }

    /// Warns about userinfo in the URL.
    pub(super) fn warn(&self, context: &mut Context<'_>) {
        let advice = match self.sends_userinfo {
            None => return,
            Some(true) => {
                "the userinfo in the URL is sent as credentials to the host after the @: such URLs \
                 are deprecated (RFC 9110, 4.2.4)"
            }
            Some(false) => {
                "the userinfo in the URL is not sent unless the server asks for it (RFC 9110, \
                 4.2.4)"
            }
        };
        context.note(advice);
        context.prompt().notify(advice);
    }

    /// Returns the HTTP message to send in an exchange.
    pub(super) fn sent(&self) -> Sent<'_, Command> {
        Sent {
            method: self.method.to_http(),
            head: &self.head,
            body: self.body.clone(),
        }
    }

    /// Returns whether the request may be repeated if its response is lost (RFC 9110, 9.2.2).
    pub(super) fn is_idempotent(&self) -> bool {
        self.method.to_http().is_idempotent()
    }

    /// Adds the name of the server or the proxy to an error.
    pub(super) fn at(&self, error: Error) -> Error {
        error.with_step(format!("asking {}:{}", self.host, self.port))
    }
}

/// Returns the method of a request that is not an upload.
fn method(settings: &HttpProtocol, request: &Request<'_>) -> Result<Method> {
    Ok(match &settings.custom.method {
        _ if !request.wants_body() => Method::Head,
        _ if request.chain.by_get => Method::Get,
        Some(name) => Method::custom(name)?,
        None if settings.custom.data.is_some() => Method::Post,
        None => Method::Get,
    })
}

/// Returns the URI that is sent to a proxy, and whether userinfo was removed from it.
fn complete_uri(request: &Request<'_>, proxy: &Gateway) -> Result<(UriBuf, bool)> {
    let uri = proxy.ask(request.reference)?;
    let scheme = uri.scheme();
    let is_http = ["http", "https"]
        .into_iter()
        .any(|name| scheme.eq_ignore_ascii_case(name));
    // A sender "MUST NOT generate the userinfo" of http and https (RFC 9110, 4.2.4). For other
    // schemes, the proxy may need the userinfo.
    if !is_http || uri.userinfo().is_none() {
        return Ok((uri, false));
    }
    let what = "the URI is not valid without its userinfo";
    let without = uri.to_builder().remove_userinfo().build();
    let uri = without.map_err(|_| Error::new(ErrorKind::Unsupported(what)))?;
    Ok((uri, true))
}
