//! What to fetch.

use crate::mask::Secrets;
use crate::net::Deadline;
use std::fmt;
use urikit::AnyRef;
use urikit_schemes::{Edition, Gateway};

/// A reference to fetch, and how.
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
    /// The reference. It must have a scheme. Its fragment is not sent.
    pub reference: AnyRef<'a>,
    /// Which standards define the scheme: RFC 1738, or its successors.
    pub edition: Edition,
    /// Body, or metadata only.
    pub wanted: Wanted,
    /// The position of the first byte to fetch: how many bytes an earlier transfer delivered.
    pub resume: u64,
    /// The [validator](crate::Metadata::validator) of what the earlier transfer delivered. With it,
    /// the body is fetched from its beginning if it is of another version by now.
    pub validator: Option<&'a str>,
    /// The login for the server in the reference.
    pub credentials: Option<&'a Credentials>,
    /// The HTTP proxy that gets the complete URI. The policy applies to it as to any server.
    pub proxy: Option<&'a Gateway>,
    /// When the access must be complete, computation included. A [`Client`](crate::Client) sets it
    /// by its policy; until then there is none.
    pub deadline: Deadline,
}

/// What to fetch of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The body, and its metadata.
    Body,
    /// The metadata only.
    Metadata,
}

/// A user and a password, for one origin: they are dropped if a redirect leads to another scheme,
/// host or port.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user name, not percent-encoded. It is sent as UTF-8.
    pub user: String,
    /// The password, not percent-encoded. It is sent as UTF-8.
    pub password: String,
}

impl fmt::Debug for Credentials {
    /// The password is masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:***", self.user)
    }
}

impl<'a> Request<'a> {
    /// A request for the body. The edition of the scheme follows from the standard of the
    /// reference.
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
            deadline: Deadline::NONE,
        }
    }

    /// Sets which standards define the scheme.
    #[must_use]
    pub const fn edition(mut self, edition: Edition) -> Self {
        self.edition = edition;
        self
    }

    /// Sets what to fetch.
    #[must_use]
    pub const fn wanted(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }

    /// Resumes a transfer that delivered this many bytes, of whatever version. It is an error if the
    /// server cannot resume.
    #[must_use]
    pub const fn resume(mut self, bytes: u64) -> Self {
        self.resume = bytes;
        self
    }

    /// Resumes a transfer that delivered this many bytes of the version that `validator` identifies.
    /// If the server has another version by now, or cannot resume, the body is fetched from its
    /// beginning: [`Sink::begin`](crate::Sink::begin) gets the offset 0 then.
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

    /// The same request for the complete body.
    pub(crate) const fn of_the_complete_body(mut self) -> Self {
        self.resume = 0;
        self.validator = None;
        self
    }

    /// Sets the login. A password in the URL takes precedence.
    #[must_use]
    pub const fn credentials(mut self, credentials: &'a Credentials) -> Self {
        self.credentials = Some(credentials);
        self
    }

    /// The passwords that are known before anything is sent.
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

    /// Whether the body is requested.
    pub fn wants_body(&self) -> bool {
        self.wanted == Wanted::Body
    }
}
