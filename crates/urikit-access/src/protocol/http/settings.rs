//! The settings of `http` and `https`.

use super::command::Command;
use super::cookies::Cookies;
use crate::command::{Argument, Secret};
use crate::error::{Error, ErrorKind, Result};
use bytes::Bytes;

/// Fetches `http` and `https` URLs, and URLs of any scheme through HTTP proxies.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::http::HttpProtocol;
/// use urikit_access::{Client, Policy, Request};
/// let client = Client::new(Policy::new()).protocol(HttpProtocol::new().user_agent("example/1.0"));
/// let url = UriRef::parse("http://www.example.org/where?q=now#top")?; // RFC 7230, 5.3.1
/// let plan = client.plan(&Request::new(url))?;
/// let text = |octets: Vec<u8>| String::from_utf8_lossy(&octets).into_owned();
/// let lines: Vec<_> = plan.commands().map(|(line, _)| text(line.octets())).collect();
/// assert_eq!(
///     lines,
///     [
///         "GET /where?q=now HTTP/1.1",
///         "Host: www.example.org",
///         "User-Agent: example/1.0",
///         "Accept: */*",
///         "Accept-Encoding: identity",
///         "",
///     ]
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate setting
pub struct HttpProtocol {
    pub(super) user_agent: String,
    pub(super) accept: String,
    pub(super) keeps_connections: bool,
    pub(super) custom: Custom,
    pub(super) cookies: Option<Cookies>,
    pub(super) decodes: bool,
    pub(super) uses_digest: bool,
}

impl HttpProtocol {
    /// Returns the default settings, which identify the client as `urikit` with its version,
    /// accept all media types, and reuse connections.
    pub fn new() -> Self {
        Self {
            user_agent: concat!("urikit/", env!("CARGO_PKG_VERSION")).to_owned(),
            accept: "*/*".to_owned(),
            keeps_connections: true,
            custom: Custom::default(),
            cookies: None,
            decodes: false,
            uses_digest: false,
        }
    }

    /// Sets the `User-Agent` field (RFC 9110, 10.1.5), which is omitted if it is empty. Requests
    /// fail if the value contains a control character.
    #[must_use]
    pub fn user_agent(mut self, name: impl Into<String>) -> Self {
        self.user_agent = name.into();
        self
    }

    /// Sets the `Accept` field (RFC 9110, 12.5.1), which lists media types, as in
    /// `text/html,*/*;q=0.1`.
    #[must_use]
    pub fn accept(mut self, types: impl Into<String>) -> Self {
        self.accept = types.into();
        self
    }

    /// Sets whether connections are kept open for later requests to the same server (RFC 9112,
    /// 9.3). If connections are not kept open, requests contain `Connection: close`. The default is
    /// true.
    #[must_use]
    pub const fn keep_connections(mut self, keep: bool) -> Self {
        self.keeps_connections = keep;
        self
    }

    /// Adds a header field to each request, replacing any default field with the same name.
    ///
    /// A value is secret if the field's name contains `auth`, `cookie`, `key`, `pass`, `secret`,
    /// `session`, `signature` or `token`. Secret values are masked in plans, events and errors,
    /// and not sent after a redirect to another origin.
    ///
    /// ```
    /// use urikit_access::protocol::HttpProtocol;
    /// let http = HttpProtocol::new().field("Accept-Language", "de")?;
    /// let http = http.field("X-Api-Key", "hunter2")?;
    /// assert!(HttpProtocol::new().field("Content-Length", "5").is_err());
    /// # Ok::<(), urikit_access::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the name is not a token (RFC 9110, 5.1), if the value contains a control character,
    /// or if the field controls the length of the message or its connection.
    pub fn field(mut self, name: &str, value: &str) -> Result<Self> {
        self.custom.set(name, Some(value))?;
        Ok(self)
    }

    /// Omits the default header field with this name, such as `Accept`.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`field`](Self::field).
    pub fn without_field(mut self, name: &str) -> Result<Self> {
        self.custom.set(name, None)?;
        Ok(self)
    }

    /// Sets the method of requests for a body. The default is `GET`, or `POST` if
    /// [`data`](Self::data) is set.
    ///
    /// Redirects change the method according to RFC 9110, 15.4: 303 changes it to `GET`, and 301
    /// and 302 change `POST` to `GET`.
    ///
    /// # Errors
    ///
    /// Fails if the name is not a token (RFC 9110, 9.1), or if it is `CONNECT` or `HEAD`.
    pub fn method(mut self, name: &str) -> Result<Self> {
        self.custom.set_method(name)?;
        Ok(self)
    }

    /// Sets the body of requests, which are sent with `POST` unless a [`method`](Self::method) is
    /// set. The media type of the body is `application/x-www-form-urlencoded`, unless a
    /// `Content-Type` field is set. If the body would be sent again after a redirect to another
    /// origin, the access fails.
    #[must_use]
    pub fn data(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.custom.data = Some(Bytes::from(bytes.into()));
        self
    }

    /// Sets the store of cookies (RFC 6265). By default, cookies are neither stored nor sent.
    #[must_use]
    pub fn cookies(mut self, cookies: Cookies) -> Self {
        self.cookies = Some(cookies);
        self
    }

    /// Sets whether servers may compress bodies with gzip, brotli or zstd. Compressed bodies are
    /// decoded. In addition to the policy's limit, the decoded size is limited to 64 MiB or 256
    /// times the received size, whichever is larger. The default is false.
    #[must_use]
    pub const fn compressed(mut self, compressed: bool) -> Self {
        self.decodes = compressed;
        self
    }

    /// Sets whether credentials are sent with the "Digest" scheme (RFC 7616), after a challenge
    /// from the server. By default, they are sent with the first request, using the "Basic" scheme.
    #[must_use]
    pub const fn digest(mut self, digest: bool) -> Self {
        self.uses_digest = digest;
        self
    }
}

impl Default for HttpProtocol {
    fn default() -> Self {
        Self::new()
    }
}

/// Fields that determine the length of a message or control its connection. By setting these
/// fields, a caller could smuggle in a second request.
const FRAMING: &[&str] = &[
    "connection",
    "content-length",
    "expect",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The value of a field is secret if the field's name contains one of these strings.
const SECRET: &[&str] = &[
    "auth",
    "cookie",
    "key",
    "pass",
    "secret",
    "session",
    "signature",
    "token",
];

/// The fields, the method and the data set by the caller.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Custom {
    /// The header fields, in order. If the value is `None`, the default field with this name is
    /// omitted.
    fields: Vec<(String, Option<String>)>,
    pub(super) method: Option<String>,
    pub(super) data: Option<Bytes>,
}

impl Custom {
    /// Adds a field, or omits the default field if `value` is `None`.
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<()> {
        if !is_token(name) {
            return Err(Error::new(ErrorKind::Unsupported(
                "the name of the field is not a token (RFC 9110, 5.1)",
            )));
        }
        if FRAMING.contains(&&*name.to_ascii_lowercase()) {
            return Err(Error::new(ErrorKind::Unsupported(
                "the client sets this field itself, because the field controls the length of the \
                 message or the connection",
            )));
        }
        if let Some(value) = value {
            Argument::new(value.bytes(), "value of the field")?;
        }
        let value = value.map(|value| value.trim().to_owned());
        self.fields.push((name.to_owned(), value));
        Ok(())
    }

    /// Sets the method.
    fn set_method(&mut self, name: &str) -> Result<()> {
        if !is_token(name) {
            return Err(Error::new(ErrorKind::Unsupported(
                "the method is not a token (RFC 9110, 9.1)",
            )));
        }
        if ["CONNECT", "HEAD"].contains(&name) {
            return Err(Error::new(ErrorKind::Unsupported(
                "CONNECT is for proxies only, and a request for metadata sends HEAD",
            )));
        }
        self.method = Some(name.to_owned());
        Ok(())
    }

    /// Returns whether the caller has set or omitted the field with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let mut names = self.fields.iter().map(|(name, _)| name);
        names.any(|custom| custom.eq_ignore_ascii_case(name))
    }

    /// Returns the header lines. Leaves out secret fields if `is_foreign` is true, which means
    /// that the request follows a redirect to another origin.
    pub(super) fn lines(&self, is_foreign: bool) -> Result<Vec<Command>> {
        let mut lines = Vec::new();
        for (name, value) in &self.fields {
            let Some(value) = value else { continue };
            let name = Argument::new(name.bytes(), "name of the field")?;
            if !is_secret(&name) {
                let value = Argument::new(value.bytes(), "value of the field")?;
                lines.push(Command::Custom(name, value));
            } else if !is_foreign {
                let value = Secret::new(value.bytes(), "value of the field")?;
                lines.push(Command::CustomSecret(name, value));
            }
        }
        Ok(lines)
    }
}

impl std::fmt::Debug for Custom {
    // Omits the values, which may be secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.fields.iter().map(|(name, _)| name);
        f.debug_struct("Custom")
            .field("fields", &names.collect::<Vec<_>>())
            .field("method", &self.method)
            .field("data", &self.data.as_ref().map(Bytes::len))
            .finish()
    }
}

/// Returns whether the value of the field with this name is secret.
fn is_secret(name: &Argument) -> bool {
    let name = String::from_utf8_lossy(name.octets()).to_ascii_lowercase();
    SECRET.iter().any(|part| name.contains(part))
}

/// Returns whether a string is a token: `token = 1*tchar` (RFC 9110, 5.6.2).
fn is_token(text: &str) -> bool {
    let is_tchar = |octet: u8| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&octet);
    !text.is_empty() && text.bytes().all(is_tchar)
}
