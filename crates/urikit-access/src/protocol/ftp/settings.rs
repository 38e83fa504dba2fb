//! The settings of `ftp` and `ftps`.

/// Fetches `ftp` URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::FtpProtocol;
/// use urikit_access::{Client, Policy, Request};
/// let ftp = FtpProtocol::new().anonymous_password("guest@example.org");
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
/// The user and the password are taken from the URL. If the URL has no user, the user and password
/// of the [request](crate::Request::credentials) are used. If the URL has a user but no password,
/// and the request has the same user, the password of the request is used. Otherwise, the
/// [prompt](crate::Prompt::password) asks the user for the password, but only if the server
/// requires one. If neither the URL nor the request has a user, the client logs in as `anonymous`
/// (RFC 1738, 3.2.1). The access fails if the server requires an account (`ACCT`), which a URL
/// cannot contain.
///
/// # The body
///
/// Without a typecode, files are transferred as TYPE I, which leaves the octets unchanged. With
/// `;type=a`, files are transferred as text, and their line endings are converted to the line
/// endings of this machine.
///
/// A transfer is complete when the server confirms this on the control connection (226 or 250). If
/// the server reported the size of a file, a TYPE I transfer must also have that size.
///
/// Only TYPE I transfers can be resumed, because no standard defines the unit of offsets for other
/// types.
///
/// # Listings
///
/// A URL with `;type=d` or a slash at its end lists a directory, and so does a URL whose last
/// segment turns out to be a directory. Entries are passed to the sink as they arrive.
///
/// The client lists directories with MLSD. If the server does not support MLSD, the client uses
/// LIST, whose lines may be in Unix, Windows or EPLF format. Dates from LIST remain text, because
/// they have no time zone. If the lines from LIST have another format, or
/// [`details`](Self::details) are disabled, NLST lists the names. Entries without details have the
/// kind `other`. The URLs of entries contain the user name, but not the password. The URLs of
/// directories end in a slash.
///
/// # Names
///
/// The octet 255 is doubled in commands (RFC 959, 4.1; RFC 854). Some servers do not undo the
/// doubling, and report that the file does not exist. After this error, a read-only command is sent
/// again without doubling the octet.
///
/// # TLS
///
/// [`tls`](Self::tls) requires TLS for control and data connections (RFC 4217). Connections for
/// `ftps` URLs, which [`FtpsProtocol`] fetches, use TLS from the beginning. In both cases, nothing
/// is sent without TLS, not even the user name.
///
/// # Reuse of connections
///
/// After a successful access, the connection is kept open for later accesses to the same host and
/// port with the same user and password. To change to another directory, the client returns to the
/// initial directory, which it asked for with `PWD` after the login, and sends the `CWD` commands
/// for the URL. If the server does not report the initial directory, the connection is used only
/// for the current directory and its subdirectories, because no standard defines another way to
/// return (RFC 1738, 3.2.5). A `NOOP` first checks whether the connection is still open.
#[derive(Clone, Debug)]
pub struct FtpProtocol {
    pub(super) anonymous_password: String,
    pub(super) skip_null_directories: bool,
    pub(super) details: bool,
    pub(super) keep: bool,
    pub(super) security: Security,
}

impl FtpProtocol {
    /// Returns the default settings.
    pub fn new() -> Self {
        Self {
            anonymous_password: "anonymous@example.org".to_owned(),
            skip_null_directories: false,
            details: true,
            keep: true,
            security: Security::None,
        }
    }

    /// Sets the password for `anonymous`, which is sent if the server asks for one. By convention,
    /// this password is an email address (RFC 1738, 3.2.1), and is not secret. The default is
    /// `anonymous@example.org`, which is an address in a reserved domain (RFC 2606).
    ///
    /// ```
    /// use urikit_access::protocol::FtpProtocol;
    /// let ftp = FtpProtocol::new().anonymous_password("guest@example.org");
    /// ```
    #[must_use]
    pub fn anonymous_password(mut self, password: impl Into<String>) -> Self {
        self.anonymous_password = password.into();
        self
    }

    /// Sets whether to omit `CWD` commands without an argument, which empty segments (`//`) require
    /// (RFC 1738, 3.2.2). vsftpd and many other servers refuse these commands, and pyftpdlib
    /// changes to the root directory. By default, these commands are sent.
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::protocol::{FtpProtocol, Protocol as _};
    /// use urikit_access::Request;
    /// let url = UriRef::parse("ftp://myname@host.dom//etc/motd")?; // RFC 1738, 3.2.2
    /// let request = Request::new(url);
    /// assert!(FtpProtocol::new().plan(&request)?.to_string().contains("\"CWD \""));
    /// let skipping = FtpProtocol::new().skip_null_directories(true);
    /// assert!(!skipping.plan(&request)?.to_string().contains("\"CWD \""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn skip_null_directories(mut self, skip: bool) -> Self {
        self.skip_null_directories = skip;
        self
    }

    /// Sets whether to ask for more than RFC 1738 requires: sizes, dates, the types of entries in a
    /// listing, the initial directory, and whether a name that is not a file is a directory. The
    /// default is true. If this setting is false, the size of a file is not known in advance, and
    /// listings contain only names.
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::protocol::{FtpProtocol, Protocol as _};
    /// use urikit_access::Request;
    /// let url = UriRef::parse("ftp://host.dom/pub/a.gz")?;
    /// let plan = FtpProtocol::new().details(false).plan(&Request::new(url))?.to_string();
    /// assert!(!plan.contains("SIZE"), "{plan}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn details(mut self, details: bool) -> Self {
        self.details = details;
        self
    }

    /// Sets whether connections are kept open for later accesses. The default is true.
    ///
    /// ```
    /// use urikit_access::protocol::FtpProtocol;
    /// let ftp = FtpProtocol::new().keep_connections(false);
    /// ```
    #[must_use]
    pub const fn keep_connections(mut self, keep: bool) -> Self {
        self.keep = keep;
        self
    }

    /// Sets whether `ftp` URLs require TLS, which the client requests with `AUTH TLS` (RFC 4217).
    /// If the server refuses TLS, the access fails. The default is false.
    ///
    /// ```
    /// use urikit::UriRef;
    /// use urikit_access::protocol::{FtpProtocol, Protocol as _};
    /// use urikit_access::Request;
    /// let url = UriRef::parse("ftp://host.dom/pub/a.gz")?;
    /// let plan = FtpProtocol::new().tls(true).plan(&Request::new(url))?.to_string();
    /// assert!(plan.contains("\"AUTH TLS\"\nthen     starts TLS\n"), "{plan}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn tls(mut self, required: bool) -> Self {
        self.security = if required {
            Security::Explicit
        } else {
            Security::None
        };
        self
    }
}

impl Default for FtpProtocol {
    fn default() -> Self {
        Self::new()
    }
}

/// Fetches `ftps` URLs, which work like `ftp` URLs, except that connections use TLS from the
/// beginning, and the default port is 990.
///
/// No RFC defines this scheme, but curl, lftp and other clients interpret it in this way. For TLS
/// on the `ftp` port, as defined in RFC 4217, see [`FtpProtocol::tls`].
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request};
/// let url = UriRef::parse("ftps://host.dom/motd")?;
/// let plan = Client::new(Policy::new()).plan(&Request::new(url))?.to_string();
/// assert!(plan.starts_with("connect  host.dom:990\nthen     starts TLS\n"), "{plan}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FtpsProtocol(pub(super) FtpProtocol);

impl FtpsProtocol {
    /// Returns the default settings.
    pub fn new() -> Self {
        Self::with(FtpProtocol::new())
    }

    /// Applies the settings of `ftp`, except for [`tls`](FtpProtocol::tls).
    pub const fn with(mut ftp: FtpProtocol) -> Self {
        ftp.security = Security::Implicit;
        Self(ftp)
    }
}

impl Default for FtpsProtocol {
    fn default() -> Self {
        Self::new()
    }
}

/// Determines when connections begin to use TLS, if at all. TLS is either required or not used,
/// but never optional.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Security {
    /// Connections do not use TLS.
    None,
    /// TLS after `AUTH TLS` (RFC 4217).
    Explicit,
    /// Connections use TLS from the beginning, as for `ftps` URLs.
    Implicit,
}

impl Security {
    /// Returns the scheme of the URLs.
    pub(super) const fn scheme(self) -> &'static str {
        match self {
            Self::None | Self::Explicit => "ftp",
            Self::Implicit => "ftps",
        }
    }
}
