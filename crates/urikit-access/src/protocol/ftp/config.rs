//! The settings of the protocol.

/// Fetches `ftp` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::Ftp;
/// use urikit_access::{Client, Policy, Request};
/// let ftp = Ftp::new().anonymous_password("guest@example.org");
/// let client = Client::new(Policy::new()).protocol(ftp);
/// let url = UriRef::parse("ftp://ftp.example.org/%2Fetc/motd")?; // RFC 1738, 3.2.2
/// let plan = client.plan(&Request::new(url))?.to_string();
/// assert!(plan.contains("send     \"CWD /etc\"\n"), "{plan}");
/// assert!(plan.contains("send     \"RETR motd\"\n"), "{plan}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Login
///
/// The user and the password of the URL. If the URL has no user, those of the
/// [request](crate::Request::credentials). If it has a user but no password, the request's
/// password if that is for the same user, or else the one that the
/// [prompt](crate::Prompt::password) returns; it is asked only when the server asks. Without any
/// user: `anonymous` (RFC 1738, 3.2.1). A server that requires an account (`ACCT`) is refused, as
/// URLs cannot name one.
///
/// # The body
///
/// The octets of the data connection, unchanged. In a transfer of TYPE A, lines end in CR LF.
///
/// A transfer is complete when the server says so on the control connection (226 or 250). If the
/// server reported the size of a file of TYPE I before, that many octets must have been received.
///
/// Only transfers of TYPE I can be resumed (`;type=i`, or a name that does not look like a text
/// file's): for other types, no standard defines what an offset counts.
///
/// # Listings
///
/// `;type=d`, and a URL that ends in a slash, list the names that NLST returns. Details come from
/// MLSD, or else from lines of LIST in the Unix format; such a line gives kind and size, and its
/// date only as text, since it has no time zone. A name without details is of the kind `other`. In
/// a directory with more than some ten thousand names, only names are listed. If NLST is refused,
/// MLSD alone is used. The URLs of entries contain the user, but not the password.
///
/// # Reuse of connections
///
/// After a successful access, the connection is kept for later ones to the same host and port with
/// the same user and password. It is reused if no `CWD` was sent on it, or if the same `CWD`s in
/// the same order were sent; those are not repeated. Otherwise a new connection is made, as no
/// standard defines how to get from one directory to another (RFC 1738, 3.2.5). A `NOOP` checks
/// first whether the connection is still open.
#[derive(Clone, Debug)]
pub struct Ftp {
    pub(super) anonymous_password: String,
    pub(super) skip_null_directories: bool,
    pub(super) details: bool,
    pub(super) keep: bool,
}

impl Ftp {
    /// The default settings.
    pub fn new() -> Self {
        Self {
            anonymous_password: "anonymous@example.org".to_owned(),
            skip_null_directories: false,
            details: true,
            keep: true,
        }
    }

    /// Sets the password for `anonymous`, sent if the server asks for one: by convention a mail
    /// address (RFC 1738, 3.2.1). It is not secret. The default is `anonymous@example.org`, which
    /// belongs to nobody (RFC 2606).
    ///
    /// ```
    /// use urikit_access::protocol::Ftp;
    /// let ftp = Ftp::new().anonymous_password("guest@example.org");
    /// ```
    #[must_use]
    pub fn anonymous_password(mut self, password: impl Into<String>) -> Self {
        self.anonymous_password = password.into();
        self
    }

    /// Leaves out the `CWD`s without an argument that empty segments (`//`) stand for, because
    /// many servers refuse them. By default they are sent (RFC 1738, 3.2.2).
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::protocol::{Ftp, Protocol as _};
    /// use urikit_access::Request;
    /// let url = UriRef::parse("ftp://myname@host.dom//etc/motd")?; // RFC 1738, 3.2.2
    /// let request = Request::new(url);
    /// assert!(Ftp::new().plan(&request)?.to_string().contains("\"CWD \""));
    /// let skipping = Ftp::new().skip_null_directories(true);
    /// assert!(!skipping.plan(&request)?.to_string().contains("\"CWD \""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn skip_null_directories(mut self, skip: bool) -> Self {
        self.skip_null_directories = skip;
        self
    }

    /// Whether to ask for more than RFC 1738 requires: sizes, dates, and the kinds of the names in
    /// a listing. The default is true. If false, the size of a file is not known in advance, and a
    /// listing consists of names only.
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::protocol::{Ftp, Protocol as _};
    /// use urikit_access::Request;
    /// let url = UriRef::parse("ftp://host.dom/pub/a.gz")?;
    /// let plan = Ftp::new().details(false).plan(&Request::new(url))?.to_string();
    /// assert!(!plan.contains("SIZE"), "{plan}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn details(mut self, details: bool) -> Self {
        self.details = details;
        self
    }

    /// Whether connections are kept for later accesses. The default is true.
    ///
    /// ```
    /// use urikit_access::protocol::Ftp;
    /// let ftp = Ftp::new().keep_connections(false);
    /// ```
    #[must_use]
    pub const fn keep_connections(mut self, keep: bool) -> Self {
        self.keep = keep;
        self
    }
}

impl Default for Ftp {
    fn default() -> Self {
        Self::new()
    }
}
