//! The settings of the protocol.

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Http {
    pub(super) user_agent: String,
    pub(super) accept: String,
    pub(super) keeps_connections: bool,
}

impl Http {
    /// The defaults: the user agent `urikit` with its version, all media types, and connections
    /// kept for later requests.
    pub fn new() -> Self {
        Self {
            user_agent: concat!("urikit/", env!("CARGO_PKG_VERSION")).to_owned(),
            accept: "*/*".to_owned(),
            keeps_connections: true,
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
}

impl Default for Http {
    fn default() -> Self {
        Self::new()
    }
}
