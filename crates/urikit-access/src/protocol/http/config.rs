//! The settings of the protocol.

use super::cookies::Cookies;
use super::own::Own;
use crate::error::Result;
use bytes::Bytes;

/// Fetches `http` and `https` URLs, and URLs of any scheme through HTTP proxies.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::http::Http;
/// use urikit_access::{Client, Policy, Request};
/// let client = Client::new(Policy::new()).protocol(Http::new().user_agent("example/1.0"));
/// let url = UriRef::parse("http://www.example.org/where?q=now#top")?; // RFC 7230, 5.3.1
/// let plan = client.plan(&Request::new(url))?;
/// let lines = plan.commands().map(|(line, _)| String::from_utf8_lossy(&line.octets()).into_owned());
/// assert_eq!(
///     lines.collect::<Vec<_>>(),
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
pub struct Http {
    pub(super) user_agent: String,
    pub(super) accept: String,
    pub(super) keeps_connections: bool,
    pub(super) own: Own,
    pub(super) cookies: Option<Cookies>,
    pub(super) decodes: bool,
    pub(super) uses_digest: bool,
}

impl Http {
    /// The defaults: the user agent `urikit` with its version, all media types, and connections
    /// kept for later requests.
    pub fn new() -> Self {
        Self {
            user_agent: concat!("urikit/", env!("CARGO_PKG_VERSION")).to_owned(),
            accept: "*/*".to_owned(),
            keeps_connections: true,
            own: Own::default(),
            cookies: None,
            decodes: false,
            uses_digest: false,
        }
    }

    /// Sets the `User-Agent` field (RFC 9110, 10.1.5). It is omitted if empty. A control character
    /// in it makes requests fail.
    #[must_use]
    pub fn user_agent(mut self, name: impl Into<String>) -> Self {
        self.user_agent = name.into();
        self
    }

    /// Sets the `Accept` field (RFC 9110, 12.5.1): media types such as `text/html,*/*;q=0.1`.
    #[must_use]
    pub fn accept(mut self, types: impl Into<String>) -> Self {
        self.accept = types.into();
        self
    }

    /// Whether connections are kept for later requests to the same server (RFC 9112, 9.3). If not,
    /// requests contain `Connection: close`.
    #[must_use]
    pub const fn keep_connections(mut self, keep: bool) -> Self {
        self.keeps_connections = keep;
        self
    }

    /// Adds a field to each request; it replaces the default one of this name. The value is masked
    /// in plans, events and errors if the name is that of a secret: if it contains `auth`, `cookie`,
    /// `key`, `pass`, `secret`, `session`, `signature` or `token`. Such a field is not sent to another
    /// origin that a redirect leads to.
    ///
    /// ```
    /// use urikit_access::protocol::Http;
    /// let http = Http::new().field("Accept-Language", "de")?.field("X-Api-Key", "hunter2")?;
    /// assert!(Http::new().field("Content-Length", "5").is_err());
    /// # Ok::<(), urikit_access::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the name is not a token (RFC 9110, 5.1), the value has a control character, or the field
    /// says how long a message is or what becomes of its connection.
    pub fn field(mut self, name: &str, value: &str) -> Result<Self> {
        self.own.set(name, Some(value))?;
        Ok(self)
    }

    /// Leaves out the default field of this name, such as `Accept`.
    ///
    /// # Errors
    ///
    /// As [`field`](Self::field).
    pub fn without_field(mut self, name: &str) -> Result<Self> {
        self.own.set(name, None)?;
        Ok(self)
    }

    /// Sets the method of requests for a body; by default `GET`, or `POST` with
    /// [`data`](Self::data).
    ///
    /// Redirects change it as RFC 9110, 15.4 says: to `GET` by 303, and from `POST` by 301 and 302.
    ///
    /// # Errors
    ///
    /// If it is not a token (RFC 9110, 9.1), and for `CONNECT` and `HEAD`.
    pub fn method(mut self, name: &str) -> Result<Self> {
        self.own.set_method(name)?;
        Ok(self)
    }

    /// Sends this as the body of requests, by `POST` unless there is another
    /// [`method`](Self::method). Its media type is `application/x-www-form-urlencoded` unless a field
    /// `Content-Type` says otherwise. A redirect to another origin that would send it again is an
    /// error.
    #[must_use]
    pub fn data(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.own.data = Some(Bytes::from(bytes.into()));
        self
    }

    /// Stores and sends cookies (RFC 6265). By default, there are none.
    #[must_use]
    pub fn cookies(mut self, cookies: Cookies) -> Self {
        self.cookies = Some(cookies);
        self
    }

    /// Whether servers may compress bodies: by gzip, brotli or zstd. They are decoded, and their
    /// decoded size is limited by the policy, and to 64 MiB or 256 times what was received.
    #[must_use]
    pub const fn compressed(mut self, compressed: bool) -> Self {
        self.decodes = compressed;
        self
    }

    /// Whether credentials are sent by the "Digest" scheme (RFC 7616), once a server asks for it. By
    /// default, they are sent by "Basic", at once.
    #[must_use]
    pub const fn digest(mut self, digest: bool) -> Self {
        self.uses_digest = digest;
        self
    }
}

impl Default for Http {
    fn default() -> Self {
        Self::new()
    }
}
