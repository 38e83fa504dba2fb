//! The settings of the protocol.

/// Follows `ftp` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::Ftp;
/// use urikit_access::{Client, Policy, Request};
/// let client = Client::new(Policy::new()).protocol(Ftp::new().anonymous_password("guest@example.org"));
/// let url = UriRef::parse("ftp://ftp.example.org/%2Fetc/motd")?; // RFC 1738, 3.2.2
/// let plan = client.plan(&Request::new(url.as_any()))?.to_string();
/// assert!(plan.contains("send     \"CWD /etc\"\n"), "{plan}");
/// assert!(plan.contains("send     \"RETR motd\"\n"), "{plan}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Who logs in
///
/// The user and the password of the URL. Where it has none, those of the [request](Request::credentials). Where the
/// URL names a user only, the request's password if it is the same user's, else what the
/// [person](crate::Person::password) says; nobody is asked before the server asks. Without any user: `anonymous` (RFC
/// 1738, 3.2.1). A server that asks for an account (`ACCT`) is refused: no URL gives one.
///
/// # What comes
///
/// The octets of the data connection as they are. In a transfer of TYPE A the server ends lines with CR LF, and so do
/// the lines that are delivered.
///
/// A transfer is whole when the server says so on the control connection (226 or 250), and, where it told the
/// size of a file of TYPE I before, when so many octets came.
///
/// Only a transfer of TYPE I is resumed (`;type=i`, or a name that does not look like text's): in other types, no text
/// says what an offset counts.
///
/// # Listings
///
/// `;type=d`, and a URL that ends in a slash, give the names that NLST gives. The details come from MLSD, or else from
/// lines of LIST that are of the form that Unix has; such a line gives kind and size, and its date only as a text, since
/// it has no time zone. A name without details is of the kind `other`. Of a directory with more than some ten thousands of names, the names alone are given. Where NLST is
/// refused, MLSD alone counts. References to entries keep the user, and no password.
///
/// # When a connection is kept
///
/// After an access that went well, for another one to the same host and port by the same user and password. It is used
/// again where the same `CWD`s in the same order were sent, and then none is; or where none had been sent. Otherwise it
/// is ended, and another one begun: no text says how to get from one directory to another (RFC 1738, 3.2.5). That it
/// lives is asked first (`NOOP`), and where it does not, another one is begun.
#[derive(Clone, Debug)]
pub struct Ftp {
    pub(super) anonymous_password: String,
    pub(super) skip_null_directories: bool,
    pub(super) details: bool,
    pub(super) keep: bool,
}

impl Ftp {
    /// With the defaults.
    pub fn new() -> Self {
        Self {
            anonymous_password: "anonymous@example.org".to_owned(),
            skip_null_directories: false,
            details: true,
            keep: true,
        }
    }

    /// The password that `anonymous` sends where the server asks for one: by convention a mail address (RFC 1738, 3.2.1).
    /// It is not secret. The default is nobody's (`anonymous@example.org`, by RFC 2606).
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

    /// Leaves out the `CWD`s without an argument that empty segments stand for (`//`), which many servers refuse. By
    /// default they are sent (RFC 1738, 3.2.2).
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::protocol::{Ftp, Protocol as _};
    /// use urikit_access::Request;
    /// let url = UriRef::parse("ftp://myname@host.dom//etc/motd")?; // RFC 1738, 3.2.2
    /// let request = Request::new(url.as_any());
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

    /// Whether more is asked for than RFC 1738 has: sizes, dates, what each name in a listing is. It is by default.
    /// Without, a file has no size to be held against, and a listing is names.
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::protocol::{Ftp, Protocol as _};
    /// use urikit_access::Request;
    /// let url = UriRef::parse("ftp://host.dom/pub/a.gz")?;
    /// let plan = Ftp::new().details(false).plan(&Request::new(url.as_any()))?.to_string();
    /// assert!(!plan.contains("SIZE"), "{plan}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn details(mut self, details: bool) -> Self {
        self.details = details;
        self
    }

    /// Whether connections are kept for later accesses, as they are by default.
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
