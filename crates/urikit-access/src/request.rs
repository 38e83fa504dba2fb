//! Requests, including their credentials and redirects, and responses.

use crate::cancel::Cancel;
use crate::deadline::{self, Deadline};
use crate::event::{Event, Observer};
use crate::hop::Hop;
use crate::mask::{MaskedUrl, Secrets};
use crate::output::Metadata;
use crate::proxy::Proxy;
use std::fmt;
use std::sync::Arc;
use urikit::AnyRef;
use urikit_schemes::{Edition, Gateway};

/// A reference to fetch, with options.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Request, Wanted};
/// let url = UriRef::parse("ftp://ftp.example.org/pub/README")?;
/// let request = Request::new(url).wanted(Wanted::Metadata);
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The reference, which must have a scheme. Its fragment is not sent.
    pub reference: AnyRef<'a>,
    /// The standards that define the scheme, which are RFC 1738 or its successors.
    pub edition: Edition,
    /// Whether to fetch the body, or only the metadata.
    pub wanted: Wanted,
    /// The position of the first byte to fetch, which is the number of bytes that an earlier
    /// transfer delivered.
    pub resume: u64,
    /// The [validator](crate::Metadata::validator) of the earlier transfer. If a validator is set
    /// and the body has changed, the body is fetched from the beginning.
    pub validator: Option<&'a str>,
    /// The login for the server in the reference.
    pub credentials: Option<&'a Credentials>,
    /// The HTTP gateway that receives the complete URI. The policy applies to the gateway as it
    /// does to any server.
    pub proxy: Option<&'a Gateway>,
    /// The part of the body to fetch. Only some protocols support
    /// [ranges](crate::protocol::Protocol::has_ranges).
    pub range: Option<ByteRange>,
    /// Decides which redirects to follow. If `None`, all redirects that the policy allows are
    /// followed.
    pub redirects: Option<&'a dyn Redirects>,
    /// Receives each event as it happens.
    pub observer: Option<&'a Arc<dyn Observer>>,
    /// True if responses and errors list the events of the access.
    pub lists_events: bool,
    /// True if redirects are returned instead of followed.
    pub takes_redirects: bool,
    /// Cancels the access from another thread.
    pub cancel: Option<&'a Cancel>,
    /// Selects the error responses whose bodies are passed to the sink.
    pub error_bodies: ErrorBodies,
    /// The configured proxy, which receives the complete URL in requests for `http` URLs.
    pub(crate) via: Option<&'a Proxy>,
    /// The changes that redirects have made to the request.
    pub(crate) chain: Chain,
    /// The time by which the access must be complete. The [`Client`](crate::Client) sets this time
    /// according to its policy.
    pub deadline: &'a Deadline,
}

/// The changes that redirects make to a request.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Chain {
    /// True if the origin differs from the origin of the first request.
    pub(crate) is_foreign: bool,
    /// True if a redirect changed the request to `GET` without data.
    pub(crate) by_get: bool,
    /// True if the user and the password come from the caller's URL.
    pub(crate) from_url: bool,
}

/// A range of bytes in a body (RFC 9110, 14.1.2). `Display` writes the range as in HTTP, and
/// `FromStr` parses the same form.
///
/// ```
/// use urikit_access::ByteRange;
/// assert_eq!("0-499".parse(), Ok(ByteRange::From(0, Some(499))));
/// assert_eq!("9500-".parse(), Ok(ByteRange::From(9500, None)));
/// assert_eq!("-500".parse(), Ok(ByteRange::Last(500)));
/// assert!("5-4".parse::<ByteRange>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteRange {
    /// The bytes from the first position up to and including the second position, or up to the end
    /// of the body. Positions are counted from 0.
    From(u64, Option<u64>),
    /// The given number of bytes at the end of the body.
    Last(u64),
}

/// The error for a string that is not a [`ByteRange`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RangeError;

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a range of bytes: FIRST-LAST, FIRST- or -LENGTH")
    }
}

impl std::error::Error for RangeError {}

impl std::str::FromStr for ByteRange {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, RangeError> {
        let number = |digits: &str| {
            let is_number = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
            let number = digits.parse().ok();
            number.filter(|_| is_number).ok_or(RangeError)
        };
        let (first, last) = text.split_once('-').ok_or(RangeError)?;
        match (first, last) {
            ("", last) => match number(last)? {
                0 => Err(RangeError),
                length => Ok(Self::Last(length)),
            },
            (first, "") => Ok(Self::From(number(first)?, None)),
            (first, last) => {
                let (first, last) = (number(first)?, number(last)?);
                if first > last {
                    return Err(RangeError);
                }
                Ok(Self::From(first, Some(last)))
            }
        }
    }
}

impl fmt::Display for ByteRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::From(first, Some(last)) => write!(f, "{first}-{last}"),
            Self::From(first, None) => write!(f, "{first}-"),
            Self::Last(length) => write!(f, "-{length}"),
        }
    }
}

/// The part of a resource to fetch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The metadata and the body.
    Body,
    /// The metadata only.
    Metadata,
}

/// Selects the HTTP responses with a 4xx or 5xx status whose bodies are passed to the sink. The
/// access fails whether or not the body is passed to the sink. If a transfer is being resumed, the
/// body of an error response is never passed to the sink.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ErrorBodies {
    /// No bodies.
    #[default]
    None,
    /// The bodies of error responses, except those of [transient](crate::Error::is_transient)
    /// failures.
    Final,
    /// The bodies of all error responses.
    All,
}

impl<'a> Request<'a> {
    /// Creates a request for the body. The standard under which the reference was parsed determines
    /// the edition of the scheme's specification.
    pub fn new(reference: impl Into<AnyRef<'a>>) -> Self {
        let reference = reference.into();
        Self {
            reference,
            edition: Edition::of(reference.standard()),
            wanted: Wanted::Body,
            resume: 0,
            validator: None,
            credentials: None,
            proxy: None,
            range: None,
            redirects: None,
            observer: None,
            lists_events: true,
            takes_redirects: false,
            cancel: None,
            error_bodies: ErrorBodies::None,
            via: None,
            chain: Chain::default(),
            deadline: &deadline::NONE,
        }
    }

    /// Sets which standards define the scheme.
    #[must_use]
    pub const fn edition(mut self, edition: Edition) -> Self {
        self.edition = edition;
        self
    }

    /// Sets whether to fetch the body, or only the metadata.
    #[must_use]
    pub const fn wanted(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }

    /// Resumes a transfer that delivered this many bytes, without checking that the file is
    /// unchanged. The access fails if the server cannot resume.
    #[must_use]
    pub const fn resume(mut self, bytes: u64) -> Self {
        self.resume = bytes;
        self
    }

    /// Resumes a transfer that delivered this many bytes of the version that `validator`
    /// identifies. If the file has changed, or the server cannot resume, the body is fetched from
    /// its beginning, and [`Sink::begin`](crate::Sink::begin) is called with offset 0.
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::{Client, Policy, Request};
    /// let url = UriRef::parse("http://www.example.org/large.iso")?;
    /// let request = Request::new(url).resume_version(4096, "\"xyzzy\""); // RFC 9110, 8.8.3
    /// let plan = Client::new(Policy::new()).plan(&request)?.to_string();
    /// assert!(plan.contains("Range: bytes=4096-\"\n") && plan.contains("If-Range: "), "{plan}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn resume_version(mut self, bytes: u64, validator: &'a str) -> Self {
        self.resume = bytes;
        self.validator = Some(validator);
        self
    }

    /// Requests the complete body.
    pub(crate) const fn of_the_complete_body(mut self) -> Self {
        self.resume = 0;
        self.validator = None;
        self
    }

    /// Requests part of the body. The access fails if the server sends the complete body.
    #[must_use]
    pub const fn range(mut self, range: ByteRange) -> Self {
        self.range = Some(range);
        self
    }

    /// Sets which of the redirects that the policy allows are followed.
    #[must_use]
    pub const fn redirects(mut self, redirects: &'a dyn Redirects) -> Self {
        self.redirects = Some(redirects);
        self
    }

    /// Sets the observer, which receives each event as it happens.
    #[must_use]
    pub const fn observer(mut self, observer: &'a Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Leaves the list of events empty, which saves time and memory. An observer still receives
    /// the events.
    #[must_use]
    pub const fn without_events(mut self) -> Self {
        self.lists_events = false;
        self
    }

    /// Sets the token that cancels the access from another thread.
    #[must_use]
    pub const fn cancel(mut self, cancel: &'a Cancel) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Returns the first response, even if it is a redirect. The target of the redirect is the
    /// [location](crate::Hop::location) of the last hop.
    #[must_use]
    pub const fn take_redirects(mut self) -> Self {
        self.takes_redirects = true;
        self
    }

    /// Selects the error responses whose bodies are passed to the sink. The metadata of such a body
    /// [marks it as an error response](crate::Metadata::is_error).
    #[must_use]
    pub const fn error_bodies(mut self, bodies: ErrorBodies) -> Self {
        self.error_bodies = bodies;
        self
    }

    /// Marks the reference as coming from a redirect or a link on another origin. As after a
    /// redirect, neither the data nor the secret fields are sent. The caller must leave out the
    /// credentials.
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::{Client, Policy, Request, protocol::HttpProtocol};
    /// let http = HttpProtocol::new().field("X-Api-Key", "secret")?;
    /// let client = Client::new(Policy::new()).protocol(http);
    /// let request = Request::new(UriRef::parse("http://www.example.com/")?);
    /// assert!(client.plan(&request)?.to_string().contains("X-Api-Key"));
    /// assert!(!client.plan(&request.foreign())?.to_string().contains("X-Api-Key"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn foreign(mut self) -> Self {
        self.chain.is_foreign = true;
        self
    }

    /// Uses the credentials in the URL, if the URL has a password or the request has no other
    /// credentials.
    pub(crate) fn with_url_credentials(mut self, in_url: Option<&'a Credentials>) -> Self {
        let has_password = in_url.is_some_and(|login| !login.password.is_empty());
        if has_password || self.credentials.is_none() && in_url.is_some() {
            self.credentials = in_url;
            self.chain.from_url = true;
        }
        self
    }

    /// Sets the login. A password in the URL takes precedence.
    #[must_use]
    pub const fn credentials(mut self, credentials: &'a Credentials) -> Self {
        self.credentials = Some(credentials);
        self
    }

    /// Returns true if the request goes to a gateway, which receives no credentials.
    pub(crate) const fn is_by_gateway(&self) -> bool {
        self.proxy.is_some()
    }

    /// Returns the passwords that are known before anything is sent.
    pub(crate) fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::new();
        if let Some(credentials) = self.credentials {
            let (user, password) = (&credentials.user, &credentials.password);
            secrets.add_login(user.as_bytes(), password.as_bytes());
        }
        if let Some(password) = self.reference.password() {
            let user = self.reference.user().map(|user| user.to_bytes());
            secrets.add_login(&user.unwrap_or_default(), &password.to_bytes());
        }
        secrets
    }

    /// Returns true if the body is requested.
    pub fn wants_body(&self) -> bool {
        self.wanted == Wanted::Body
    }
}

impl Response {
    /// Returns the status code of the final response. `None` if the protocol has no codes.
    pub fn status(&self) -> Option<u16> {
        self.hops.last().and_then(|hop| hop.status)
    }
}

/// A user and a password for one origin. Credentials are not sent after a redirect to another
/// scheme, host or port.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user name, which is not percent-encoded. The name is sent as UTF-8.
    pub user: String,
    /// The password, which is not percent-encoded. The password is sent as UTF-8.
    pub password: String,
}

impl Credentials {
    /// Returns the decoded credentials in an `http` or `https` URL. Returns `None` if the URL has
    /// no credentials, or if they are not valid UTF-8.
    pub(crate) fn in_url(reference: AnyRef<'_>) -> Option<Self> {
        let scheme = reference.scheme()?;
        if !["http", "https"]
            .iter()
            .any(|it| it.eq_ignore_ascii_case(scheme))
        {
            return None;
        }
        Self::of(reference)
    }

    /// Returns the credentials in a URL with any scheme.
    pub(crate) fn of(reference: AnyRef<'_>) -> Option<Self> {
        let user = reference.user().map(|user| user.to_bytes().into_owned());
        let password = reference.password().map(|it| it.to_bytes().into_owned());
        let user = String::from_utf8(user?).ok()?;
        let password = String::from_utf8(password.unwrap_or_default()).ok()?;
        (!user.is_empty() || !password.is_empty()).then_some(Self { user, password })
    }
}

impl fmt::Debug for Credentials {
    /// Writes the user name, and masks the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:***", self.user)
    }
}

/// Decides which of the redirects that the policy allows are followed.
///
/// ```
/// use urikit::{AnyRef, UriRef};
/// use urikit_access::{Redirects, Request};
///
/// #[derive(Debug)]
/// struct SameHost<'a>(AnyRef<'a>);
///
/// impl Redirects for SameHost<'_> {
///     fn follows(&self, to: AnyRef<'_>) -> bool {
///         to.host().map(|host| host.as_str()) == self.0.host().map(|host| host.as_str())
///     }
/// }
///
/// let url = UriRef::parse("http://example.org/a")?;
/// let rule = SameHost(url.into());
/// let request = Request::new(url).redirects(&rule);
/// assert!(!rule.follows(UriRef::parse("http://example.com/")?.into()));
/// # Ok::<(), urikit::ParseError>(())
/// ```
pub trait Redirects: fmt::Debug + Sync {
    /// Decides whether to follow the redirect to this URL. The policy has already allowed the
    /// redirect, and nothing has been sent yet. If this method returns false, the access fails
    /// with [`Refusal::Target`](crate::policy::Refusal::Target).
    fn follows(&self, to: AnyRef<'_>) -> bool;
}

/// The result of a successful [`fetch`](crate::Client::fetch). The body itself was written to the
/// [`Sink`](crate::Sink).
///
/// The strings are exact, and may contain secrets. `Debug` masks the passwords in URLs.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// The requested reference, as written.
    pub uri: String,
    /// The target of the last redirect, or the requested URL if no redirect was followed, without
    /// a fragment.
    pub final_uri: String,
    /// The last fragment in the chain of redirects, with its percent-encoding unchanged.
    pub fragment: Option<String>,
    /// The scheme of `final_uri`, in lower case.
    pub scheme: String,
    /// The metadata, such as the type, the size and the date.
    pub metadata: Metadata,
    /// The number of bytes of the body that were received, including bytes that were received
    /// before the transfer was resumed.
    pub received: u64,
    /// The responses in order, including redirects. The last element is the final response.
    pub hops: Vec<Hop>,
    /// The events of the access, in order.
    pub events: Vec<Event>,
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("uri", &MaskedUrl(&self.uri))
            .field("final_uri", &MaskedUrl(&self.final_uri))
            .field("fragment", &self.fragment)
            .field("scheme", &self.scheme)
            .field("metadata", &self.metadata)
            .field("received", &self.received)
            .field("hops", &self.hops)
            .field("events", &self.events)
            .finish()
    }
}
