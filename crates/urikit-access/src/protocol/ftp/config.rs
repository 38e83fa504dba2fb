//! The settings of the protocol.

use super::security::Security;

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
/// Without a typecode, files are transferred as TYPE I: the octets of the data connection,
/// unchanged. With `;type=a`, as text, whose lines end as on this machine.
///
/// A transfer is complete when the server says so on the control connection (226 or 250). If the
/// server reported the size of a file of TYPE I before, that many octets must have been received.
///
/// Only transfers of TYPE I can be resumed: for other types, no standard defines what an offset
/// counts.
///
/// # Listings
///
/// `;type=d`, and a URL that ends in a slash, list a directory, and so does a URL whose last segment
/// turns out to be a directory. The entries and their details come from MLSD, or else from LIST, in
/// the forms of Unix and Windows servers, and in EPLF; they are passed on as they arrive. A date in
/// LIST is only text, since it has no time zone. Where LIST has another form, and where
/// [`details`](Self::details) are not wanted, the names are those of NLST; a name without details is
/// of the kind `other`. The URLs of entries contain the user, but not the password; those of
/// directories end in a slash.
///
/// # Names
///
/// The octet 255 is doubled in commands (RFC 959, 4.1; RFC 854). A server that does not understand
/// this finds no such name: what is read is then requested once more with the octet as it is.
///
/// # TLS
///
/// [`tls`](Self::tls) requires TLS for control and data connections (RFC 4217); `ftps` URLs, of
/// [`Ftps`](super::Ftps), use it from the beginning. Without TLS nothing is sent then, not even the
/// user.
///
/// # Reuse of connections
///
/// After a successful access, the connection is kept for later ones to the same host and port with
/// the same user and password. To another directory it leads by a `CWD` to the directory of the
/// login, which `PWD` asks for at the beginning, and the `CWD`s of the URL from there. If the server
/// does not name that directory, the connection is only used for what is in or below the current
/// one, as no standard defines another way (RFC 1738, 3.2.5). A `NOOP` checks first whether the
/// connection is still open.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate setting
pub struct Ftp {
    pub(super) anonymous_password: String,
    pub(super) skip_null_directories: bool,
    pub(super) details: bool,
    pub(super) keep: bool,
    pub(super) tls: bool,
}

impl Ftp {
    /// The default settings.
    pub fn new() -> Self {
        Self {
            anonymous_password: "anonymous@example.org".to_owned(),
            skip_null_directories: false,
            details: true,
            keep: true,
            tls: false,
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

    /// Whether to ask for more than RFC 1738 requires: sizes, dates, the kinds of the names in a
    /// listing, the directory of the login, and whether what is not a file is a directory. The
    /// default is true. If false, the size of a file is not known in advance, and a listing consists
    /// of names only.
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

    /// Whether `ftp` URLs are accessed by TLS only, which the server is asked for by `AUTH TLS` (RFC
    /// 4217). If it refuses, the access fails. The default is false.
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::protocol::{Ftp, Protocol as _};
    /// use urikit_access::Request;
    /// let url = UriRef::parse("ftp://host.dom/pub/a.gz")?;
    /// let plan = Ftp::new().tls(true).plan(&Request::new(url))?.to_string();
    /// assert!(plan.contains("\"AUTH TLS\"\nthen     starts TLS\n"), "{plan}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn tls(mut self, required: bool) -> Self {
        self.tls = required;
        self
    }

    /// How an `ftp` URL is secured.
    pub(super) const fn security(&self) -> Security {
        if self.tls {
            Security::Explicit
        } else {
            Security::None
        }
    }
}

impl Default for Ftp {
    fn default() -> Self {
        Self::new()
    }
}
