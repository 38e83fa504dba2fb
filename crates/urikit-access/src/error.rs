//! Errors. Each contains the step that failed, the command that was sent, and the reply.

use crate::cancel::Cancelled;
use crate::event::{Event, Trace};
use crate::hop::Hop;
use crate::mask;
use crate::mask::{Secrets, cut, escape, escape_all};
use crate::policy::Refusal;
use jiff::Timestamp;
use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, io};
use urikit::ParseError;
use urikit_schemes::{GatewayError, PathError, ReadError};

/// An error that occurred during an access.
///
/// `Display` prints one line: the step, the reason, the last line sent and the reply, with
/// secrets masked.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::policy::Refusal;
/// use urikit_access::{Buffer, Client, ErrorKind, NoPrompt, Policy, Request};
/// let url = UriRef::parse("http://127.0.0.1/")?;
/// let error = Client::new(Policy::new())
///     .fetch(&Request::new(url), &mut NoPrompt, &mut Buffer::default())
///     .unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Refused(Refusal::Address { .. })));
/// assert_eq!(
///     error.to_string(),
///     "connecting to 127.0.0.1:80: refused: 127.0.0.1 is a loopback address"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Error(Box<Parts>); // boxed to keep results small

#[derive(Debug)]
struct Parts {
    kind: ErrorKind,
    /// The reason as text with its secrets masked, if the reason contained any secrets.
    masked: Option<String>,
    step: Option<String>,
    sent: Option<Vec<u8>>,
    received: Option<Vec<u8>>,
    events: Vec<Event>,
    hops: Vec<Hop>,
    /// True if the error is about a reference from the network.
    is_of_network: bool,
    /// True if a later attempt may succeed.
    is_transient: bool,
    /// The time to wait before the next attempt, if the server specified one.
    after: Option<Duration>,
}

/// The reason for an error.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not a valid reference.
    Invalid(ParseError),
    /// The reference is relative: it has no scheme.
    Relative,
    /// The URL does not conform to its scheme, or contains something that the protocol cannot
    /// send.
    Url(UrlError),
    /// The gateway does not accept the URL.
    Gateway(GatewayError),
    /// The client has neither a protocol nor a gateway for the scheme.
    NoProtocol {
        /// The scheme.
        scheme: String,
    },
    /// The client does not support the request, for the given reason.
    Unsupported(&'static str),
    /// The policy refused the request.
    Refused(Refusal),
    /// The host name does not resolve.
    HostNotFound,
    /// A connection could not be made, or an open connection failed.
    Network(io::Error),
    /// The server does not speak TLS.
    NoTls,
    /// The certificate of the server is not trusted, for the given reason. The caller can add
    /// [trusted certificates](crate::Client::root_certificates).
    Untrusted(&'static str),
    /// The server's certificate has changed since the last visit, although the [known
    /// certificate](crate::KnownHosts) is still valid.
    CertificateChanged {
        /// The fingerprint of the known certificate: `sha256:` and hexadecimal digits.
        known: String,
        /// The time at which the known certificate expires.
        expires: Timestamp,
        /// The fingerprint of the server's current certificate.
        found: String,
        /// The known-hosts file, if one is used.
        file: Option<PathBuf>,
    },
    /// The caller [cancelled](crate::Cancel) the access.
    Cancelled,
    /// A connection attempt, a wait or the access took too long.
    Timeout(&'static str),
    /// The connection ended too early.
    EndedEarly {
        /// The number of bytes that the server announced, if any.
        expected: Option<u64>,
        /// The number of bytes that were received.
        received: u64,
    },
    /// The server sent more bytes than it had announced.
    TooManyBytes {
        /// The number of bytes that the server announced.
        expected: u64,
    },
    /// A line is too long.
    LineTooLong {
        /// The maximum length of a line, in bytes.
        max: usize,
    },
    /// The server violated the protocol. The text describes what the protocol expects.
    Protocol(&'static str),
    /// The server has no resource at this URL.
    NotFound,
    /// The server denies access regardless of the login.
    Forbidden,
    /// The server requires a login, or refused the login that was sent.
    LoginRequired,
    /// The server refused the request for another reason, or failed.
    Server {
        /// The code of the server's reply, such as 500. `None` if the protocol has no codes.
        code: Option<u16>,
        /// The text of the server's reply. Octets that are not valid UTF-8 are replaced by U+FFFD.
        text: String,
    },
    /// No mailbox contains the message or the part.
    NotInMailbox {
        /// The mailboxes that were searched, and a note about those that could not be searched.
        searched: String,
    },
    /// A password is needed, and the user did not enter one.
    NoPassword,
    /// A configured proxy requires a login.
    ProxyLogin {
        /// True if the proxy refused the login; false if the proxy's URL contains no login.
        is_refused: bool,
    },
    /// The server cannot resume the transfer.
    CannotResume,
    /// The server cannot send part of a body.
    NoRanges,
    /// The remote file is larger than the local one, so the upload cannot be resumed.
    LongerThere {
        /// The size of the remote file in bytes.
        there: u64,
        /// The size of the local file in bytes.
        here: u64,
    },
    /// A local file could not be read or written, or the sink failed.
    Local(io::Error),
}

/// The class of an error, from which a program can derive its exit status.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// The input is not a reference that can be fetched.
    Invalid,
    /// A problem with files or output on this machine.
    Local,
    /// The policy refused the access.
    Refused,
    /// The network or the server failed, or the server violated the protocol.
    Failed,
}

/// A `Result` with this crate's error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Creates an error.
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Parts {
            kind,
            masked: None,
            step: None,
            sent: None,
            received: None,
            events: Vec::new(),
            hops: Vec::new(),
            is_of_network: false,
            is_transient: false,
            after: None,
        }))
    }

    /// Adds the step that failed, such as `connecting to h.dom:21`, unless the error already has
    /// one.
    #[must_use]
    pub fn with_step(mut self, step: impl Into<String>) -> Self {
        self.0.step.get_or_insert_with(|| step.into());
        self
    }

    /// Adds the last line that was sent, unless the error already has one. Masks passwords in URLs.
    #[must_use]
    pub fn with_sent(mut self, sent: &[u8]) -> Self {
        if !sent.is_empty() {
            self.0.sent.get_or_insert_with(|| mask::urls(sent).into());
        }
        self
    }

    /// Adds the octets that were received, unless the error already has some. Masks passwords in
    /// URLs.
    #[must_use]
    pub fn with_received(mut self, received: &[u8]) -> Self {
        let masked = || mask::urls(received).into();
        self.0.received.get_or_insert_with(masked);
        self
    }

    /// Masks the given secrets in every displayed part of the error. This function is called for
    /// every error of an access.
    #[must_use]
    fn masked(mut self, secrets: &Secrets) -> Self {
        let parts = &mut *self.0;
        for octets in [&mut parts.sent, &mut parts.received].into_iter().flatten() {
            *octets = secrets.mask(octets).into_owned();
        }
        if let Some(step) = &mut parts.step {
            *step = secrets.mask_text(step);
        }
        if let ErrorKind::Refused(
            Refusal::Scheme { scheme, .. } | Refusal::Redirect { to: scheme, .. },
        ) = &mut parts.kind
        {
            *scheme = secrets.mask_text(scheme); // a server chose it
        }
        if let ErrorKind::Refused(Refusal::RedirectLoop { urls, .. }) = &mut parts.kind {
            for url in urls {
                *url = secrets.mask_text(url);
            }
        }
        if let ErrorKind::Server { text, .. } = &mut parts.kind {
            *text = secrets.mask_text(text);
        }
        let reason = parts.kind.to_string();
        let masked = secrets.mask_text(&reason);
        parts.masked = (masked != reason).then_some(masked);
        self
    }

    /// Adds the events and responses of the access.
    #[must_use]
    pub(crate) fn with_trace(self, trace: &Trace) -> Self {
        let mut error = self.masked(&trace.secrets());
        error.0.events = trace.events();
        error.0.hops = trace.hops();
        for hop in &mut error.0.hops {
            hop.mask(&trace.secrets());
        }
        error
    }

    /// Adds the events and responses of an access that succeeded, but whose result is unusable.
    #[must_use]
    pub fn with_history(mut self, events: Vec<Event>, hops: Vec<Hop>) -> Self {
        self.0.events = events;
        self.0.hops = hops;
        self
    }

    /// Marks an error about a reference from the network, such as a link in a page or a file name
    /// on a server: the caller's input was valid.
    ///
    /// ```
    /// use urikit_access::{Class, Error, ErrorKind, UrlError};
    /// let part = "file name";
    /// let error = Error::new(ErrorKind::Url(UrlError::Control { octet: 0x1B, part }));
    /// assert_eq!(error.class(), Class::Invalid);
    /// assert_eq!(error.with_network_source().class(), Class::Failed);
    /// ```
    #[must_use]
    pub fn with_network_source(mut self) -> Self {
        self.0.is_of_network = true;
        self
    }

    /// Marks an error as temporary. `after` is the delay that the server asked for, if any.
    #[must_use]
    pub fn with_retry_after(mut self, after: Option<Duration>) -> Self {
        (self.0.is_transient, self.0.after) = (true, after);
        self
    }

    /// Returns true if the same access may succeed later.
    pub fn is_transient(&self) -> bool {
        match self.kind() {
            _ if self.0.is_transient => true,
            ErrorKind::Timeout(_) | ErrorKind::EndedEarly { .. } => true,
            ErrorKind::Network(error) => matches!(
                error.kind(),
                io::ErrorKind::ConnectionReset
                    | io::ErrorKind::ConnectionAborted
                    | io::ErrorKind::BrokenPipe
                    | io::ErrorKind::UnexpectedEof
            ),
            _ => false,
        }
    }

    /// Returns the time to wait before another attempt, if the server specified one (RFC 9110,
    /// 10.2.3).
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.after
    }

    /// Returns the reason for the error.
    pub const fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the events before the error, in order.
    pub fn events(&self) -> &[Event] {
        &self.0.events
    }

    /// Returns the responses before the error, in order, with secrets masked. The last hop may
    /// have no response.
    pub fn hops(&self) -> &[Hop] {
        &self.0.hops
    }

    /// Returns the status code of the last response. `None` if the last server did not respond, or
    /// if its protocol has no codes.
    pub fn status(&self) -> Option<u16> {
        self.0.hops.last().and_then(|hop| hop.status)
    }

    /// Returns the class of the error.
    pub const fn class(&self) -> Class {
        match self.kind() {
            ErrorKind::Invalid(_)
            | ErrorKind::Relative
            | ErrorKind::Url(_)
            | ErrorKind::Gateway(_)
                if !self.0.is_of_network =>
            {
                Class::Invalid
            }
            ErrorKind::Local(_) => Class::Local,
            ErrorKind::Refused(_) => Class::Refused,
            _ => Class::Failed,
        }
    }

    /// Converts an error that occurred while reading from or writing to a connection. A timeout is
    /// converted to a separate error kind.
    pub(crate) fn network(error: io::Error) -> Self {
        let is_cancelled = error.get_ref().is_some_and(|inner| inner.is::<Cancelled>());
        Self::new(match error.kind() {
            _ if is_cancelled => ErrorKind::Cancelled,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                ErrorKind::Timeout("the server did not respond in time")
            }
            _ => ErrorKind::Network(error),
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(step) = &self.0.step {
            write!(f, "{step}: ")?;
        }
        match &self.0.masked {
            Some(reason) => f.write_str(reason),
            None => self.kind().fmt(f),
        }?;
        if let Some(sent) = &self.0.sent {
            write!(f, "; sent \"{}\"", escape_all(&cut(sent)))?;
        }
        if let Some(received) = &self.0.received {
            write!(f, "; received \"{}\"", escape_all(&cut(received)))?;
        }
        Ok(())
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => error.fmt(f),
            Self::Relative => f.write_str("expected a scheme, found a relative reference"),
            Self::Url(error) => error.fmt(f),
            Self::Gateway(error) => error.fmt(f),
            Self::NoProtocol { scheme } => write!(
                f,
                "the scheme `{scheme}` is not supported, and no gateway is set for it"
            ),
            Self::Unsupported(what) | Self::Timeout(what) | Self::Untrusted(what) => {
                f.write_str(what)
            }
            Self::CertificateChanged {
                known,
                expires,
                found,
                file,
            } => {
                write!(
                    f,
                    "the server's certificate has changed, which may be an attack: expected \
                     {known}, which is valid until {expires}, found {found}"
                )?;
                match file {
                    Some(file) => write!(
                        f,
                        "; if the owner confirms the change, remove the server's line from {}",
                        escape(file.as_os_str().as_encoded_bytes())
                    ),
                    None => Ok(()),
                }
            }
            // A redirect loop is the server's mistake, regardless of how many redirects the policy
            // allows.
            Self::Refused(refusal @ Refusal::RedirectLoop { .. }) => refusal.fmt(f),
            Self::Refused(refusal) => write!(f, "refused: {refusal}"),
            Self::HostNotFound => f.write_str("the host name does not resolve"),
            Self::Cancelled => Cancelled.fmt(f),
            Self::Network(error) | Self::Local(error) => error.fmt(f),
            Self::EndedEarly {
                expected: Some(expected),
                received,
            } => write!(f, "expected {expected} bytes, found only {received}"),
            Self::EndedEarly { received, .. } => {
                write!(f, "the connection ended too early, after {received} bytes")
            }
            Self::TooManyBytes { expected } => {
                write!(f, "expected {expected} bytes, found more")
            }
            Self::LineTooLong { max } => write!(
                f,
                "expected a line of at most {max} bytes, found a longer one"
            ),
            Self::Protocol(expected) => write!(f, "expected {expected}"),
            Self::NotFound => f.write_str("not found on the server"),
            Self::Forbidden => f.write_str("the server denied access"),
            Self::LoginRequired => f.write_str("the server requires a valid login"),
            // The error message shows the reply after the reason.
            Self::Server { .. } => f.write_str("the server refused the request"),
            Self::NotInMailbox { searched } => write!(f, "not found in {searched}"),
            Self::NoPassword => f.write_str("a password is needed"),
            Self::ProxyLogin { is_refused: true } => f.write_str("the proxy refused the login"),
            Self::ProxyLogin { is_refused: false } => f.write_str("the proxy requires a login"),
            Self::CannotResume => f.write_str("the server cannot resume the transfer"),
            Self::NoTls => f.write_str("the server does not speak TLS"),
            Self::NoRanges => f.write_str("the server sends complete bodies only, not ranges"),
            Self::LongerThere { there, here } => write!(
                f,
                "the remote file ({there} bytes) is larger than the local one ({here} bytes)"
            ),
        }
    }
}

impl ErrorKind {
    /// Creates the error kind for a refusal with the given text, and with the given code if the
    /// protocol has codes.
    pub fn server(code: impl Into<Option<u16>>, text: &[u8]) -> Self {
        Self::Server {
            code: code.into(),
            text: String::from_utf8_lossy(text).into_owned(),
        }
    }

    /// Returns true if the server refused the request: [`NotFound`](Self::NotFound),
    /// [`Forbidden`](Self::Forbidden), [`LoginRequired`](Self::LoginRequired) or
    /// [`Server`](Self::Server).
    pub const fn is_denial(&self) -> bool {
        matches!(
            self,
            Self::NotFound | Self::Forbidden | Self::LoginRequired | Self::Server { .. }
        )
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Invalid(error) => Some(error),
            ErrorKind::Url(error) => Some(error),
            ErrorKind::Gateway(error) => Some(error),
            ErrorKind::Refused(refusal) => Some(refusal),
            ErrorKind::Network(error) | ErrorKind::Local(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ParseError> for Error {
    fn from(error: ParseError) -> Self {
        Self::new(ErrorKind::Invalid(error))
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::new(ErrorKind::Refused(refusal))
    }
}

impl From<UrlError> for Error {
    fn from(error: UrlError) -> Self {
        Self::new(ErrorKind::Url(error))
    }
}

impl From<urikit_schemes::ReadError> for Error {
    fn from(error: urikit_schemes::ReadError) -> Self {
        Self::new(ErrorKind::Url(UrlError::Read(error)))
    }
}

impl From<GatewayError> for Error {
    fn from(error: GatewayError) -> Self {
        Self::new(ErrorKind::Gateway(error))
    }
}

/// The reason why a client cannot request a URL.
///
/// ```
/// use urikit_access::{Argument, UrlError};
/// let error = Argument::new(*b"a\r\nDELE b", "file name").unwrap_err();
/// assert_eq!(error, UrlError::Control { octet: b'\r', part: "file name" });
/// assert_eq!(error.to_string(), "expected no control character in the file name, found %0D");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UrlError {
    /// The URL does not conform to its scheme.
    Read(ReadError),
    /// The URL has no path that is valid in a file system.
    Path(PathError),
    /// A part of the URL decodes to a control character, which must not be sent.
    Control {
        /// The octet.
        octet: u8,
        /// The part of the URL or of the settings that contains the octet.
        part: &'static str,
    },
    /// A part of the URL decodes to an octet, such as a space, that a protocol argument cannot
    /// contain.
    Unfit {
        /// The octet.
        octet: u8,
        /// The part of the URL that contains the octet.
        part: &'static str,
    },
    /// The request would be longer than the protocol allows.
    TooLong {
        /// The maximum length in bytes.
        max: usize,
    },
    /// The URL has no port, and the scheme has no default port.
    NoPort,
    /// The port is above 65535.
    PortRange,
}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Path(error) => error.fmt(f),
            Self::Control { octet, part } => write!(
                f,
                "expected no control character in the {part}, found %{octet:02X}"
            ),
            Self::Unfit { octet, part } => write!(
                f,
                "expected characters that are allowed in a command, found %{octet:02X} in \
                 the {part}"
            ),
            Self::TooLong { max } => write!(
                f,
                "expected a request of at most {max} bytes, found a longer one"
            ),
            Self::NoPort => f.write_str("expected a port, found none"),
            Self::PortRange => f.write_str("expected a port of at most 65535, found a higher one"),
        }
    }
}

impl std::error::Error for UrlError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Path(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ReadError> for UrlError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, ErrorKind};

    #[test]
    fn a_parse_error_is_an_invalid_reference() {
        let parse = || Ok::<_, Error>(urikit::Uri::parse("http://a.example/b c")?);
        let error = parse().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid(error) if error.offset() == 18));
    }

    #[test]
    fn an_error_is_one_line() {
        let error = Error::new(ErrorKind::NotFound)
            .with_step("retrieving the file")
            .with_sent(b"RETR motd")
            .with_received(b"550 \x1b[2J\"no\"\r\n\xff");
        assert_eq!(
            error.to_string(),
            "retrieving the file: not found on the server; sent \"RETR motd\"; received \
             \"550 \\u{1b}[2J\"no\"\\r\\n\\xff\""
        );
    }
}
