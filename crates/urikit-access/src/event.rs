//! What happens during an access, as data. Words are made of it only where it is displayed.

use crate::mask::{Secrets, cut, escape, escape_all};
use crate::plan::Planned;
use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Something that happened during an access.
///
/// `Display` is one line in plain English. Control characters are escaped, and passwords are
/// masked, also in URLs that a server sent.
///
/// ```
/// use urikit_access::Event;
/// let event = Event::Redirected { to: "https://example.org/".to_owned() };
/// assert_eq!(event.to_string(), "redirected to https://example.org/");
/// let event = Event::Sent { command: "RETR", line: b"RETR motd".to_vec() };
/// assert_eq!(event.to_string(), "> RETR motd");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Connected to a server.
    Connected {
        /// The host as written in the URL.
        host: String,
        /// The port.
        port: u16,
        /// The address that the host resolved to.
        address: IpAddr,
    },
    /// A proxy connected to this server.
    Tunneled {
        /// The host as written in the URL.
        host: String,
        /// The port.
        port: u16,
    },
    /// Opened a second connection to the same server, for data.
    ConnectedForData(SocketAddr),
    /// Took an open connection to this address from the pool.
    Reused(SocketAddr),
    /// The pooled connection turned out to be closed, so that a new one is made.
    PoolStale,
    /// The server had sent something on the pooled connection that was not requested, so that a
    /// new one is made.
    Unrequested,
    /// What an earlier transfer delivered is of another version, or it cannot be shown that it is
    /// of the same, so that the body is fetched from its beginning.
    StartedOver,
    /// The TLS handshake succeeded.
    Secured,
    /// The certificate of this host was not verified, because the caller wants it so.
    Unverified(String),
    /// A proxy resolves the name of this host, so that its address cannot be judged here.
    Unjudged(String),
    /// Sent a command.
    Sent {
        /// Its [name](crate::Command::name).
        command: &'static str,
        /// Its octets without the last CR LF, passwords masked, cut after 200 octets.
        line: Vec<u8>,
    },
    /// Received a line: its octets without the line end, passwords masked, cut after 200 octets.
    Received(Vec<u8>),
    /// The server sent nothing more for this long, which was taken for the end.
    Quiet(Duration),
    /// Followed a redirect, a gopher link or a moved item.
    Redirected {
        /// The resolved URL, its password masked.
        to: String,
    },
    /// A redirect leads from `https` to `http`: what follows is unencrypted, and without
    /// credentials.
    Downgraded,
    /// Carried out a planned step other than connecting or sending.
    Step(Planned),
    /// The path in a `file` URL is a symbolic link.
    SymbolicLink {
        /// The path that the link contains.
        to: PathBuf,
    },
    /// Searched a mailbox, a Maildir, an MH folder or a message file.
    Searched(PathBuf),
    /// Left a header field of a `mailto` URL out of the message.
    FieldLeftOut(String),
    /// Is about to send a message to these recipients, each after the name of its field.
    Recipients(String),
    /// Handed a message to an SMTP server, which accepted it.
    MessageSent {
        /// The server, as configured.
        host: String,
        /// The size of the message in bytes.
        bytes: usize,
    },
    /// Started a program, with these arguments.
    ProgramStarted(Vec<String>),
    /// An interactive session ended.
    SessionEnded {
        /// Whether the server ended it, and not the user.
        by_server: bool,
    },
    /// A remark by the protocol, in words.
    Note(Cow<'static, str>),
    /// Later events were not recorded: there were too many.
    Truncated,
}

impl Event {
    /// The event with secrets masked in everything that a server may have chosen.
    pub(crate) fn masked(self, secrets: &Secrets) -> Self {
        let text = |text: String| secrets.mask_text(&text);
        match self {
            Self::Connected {
                host,
                port,
                address,
            } => Self::Connected {
                host: text(host),
                port,
                address,
            },
            Self::Sent { command, line } => Self::Sent {
                command,
                line: secrets.mask(&line).into_owned(),
            },
            Self::Received(line) => Self::Received(secrets.mask(&line).into_owned()),
            Self::Redirected { to } => Self::Redirected { to: text(to) },
            Self::FieldLeftOut(name) => Self::FieldLeftOut(text(name)),
            Self::ProgramStarted(words) => {
                Self::ProgramStarted(words.into_iter().map(text).collect())
            }
            Self::Note(note) => Self::Note(text(note.into_owned()).into()),
            other => other,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connected {
                host,
                port,
                address,
            } => write!(f, "connected to {host}:{port} ({address})"),
            Self::Tunneled { host, port } => write!(f, "the proxy connected to {host}:{port}"),
            Self::ConnectedForData(address) => write!(f, "connected to {address} for data"),
            Self::Reused(address) => write!(f, "reusing the connection to {address}"),
            Self::PoolStale => f.write_str("the server had closed the connection"),
            Self::Unrequested => f.write_str("the server had sent data that was not requested"),
            Self::StartedOver => {
                f.write_str("starting over: what there is may be of another version")
            }
            Self::Secured => f.write_str("secured by TLS"),
            Self::Unverified(host) => write!(
                f,
                "the certificate of {host} is not verified: anyone may read and change what is sent"
            ),
            Self::Unjudged(host) => {
                write!(
                    f,
                    "the proxy resolves {host}: its address is not judged here"
                )
            }
            Self::Sent { line, .. } => write!(f, "> {}", escape_all(line)),
            Self::Received(line) => write!(f, "< {}", escape_all(line)),
            Self::Quiet(time) => write!(f, "nothing more for {} s", time.as_secs_f64()),
            Self::Redirected { to } => write!(f, "redirected to {to}"),
            Self::Downgraded => {
                f.write_str("the redirect leads from https to http: what follows is unencrypted")
            }
            Self::Step(step) => step.fmt(f),
            Self::SymbolicLink { to } => {
                let to = escape(to.as_os_str().as_encoded_bytes());
                write!(f, "symbolic link to {to}")
            }
            Self::Searched(path) => write!(f, "searched {}", path.display()),
            Self::FieldLeftOut(name) => write!(f, "left out the header field {name}"),
            Self::Recipients(all) => write!(f, "sending the message; {all}"),
            Self::MessageSent { host, bytes } => {
                write!(f, "{host} accepted the message of {bytes} bytes")
            }
            Self::ProgramStarted(words) => write!(f, "started {}", words.join(" ")),
            Self::SessionEnded { by_server: true } => f.write_str("the server ended the session"),
            Self::SessionEnded { by_server: false } => f.write_str("the user ended the session"),
            Self::Note(text) => f.write_str(text),
            Self::Truncated => f.write_str("further events are not recorded"),
        }
    }
}

/// A server can cause any number of events. More than these are not recorded.
const MAX_EVENTS: usize = 1000;

/// The events of one access, and the secrets that are masked in them; shared by its connections.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trace(Arc<Mutex<Inner>>);

#[derive(Default, Debug)]
struct Inner {
    events: Vec<Event>,
    secrets: Secrets,
}

impl Trace {
    /// A trace that masks these secrets, and those that are sent.
    pub(crate) fn new(secrets: Secrets) -> Self {
        let events = Vec::new();
        Self(Arc::new(Mutex::new(Inner { events, secrets })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an event, with secrets masked.
    pub(crate) fn record(&self, event: Event) {
        self.inner().record(|secrets| event.masked(secrets));
    }

    /// Takes note of the secrets in a line that is sent.
    pub(crate) fn learn(&self, line: &[u8], secrets: &[Range<usize>]) {
        for range in secrets {
            self.inner().secrets.add_sent(line, range.clone());
        }
    }

    /// Records a command that was sent, secrets masked already.
    pub(crate) fn sent(&self, command: &'static str, line: &[u8]) {
        self.inner().record(|secrets| {
            let line = cut(&secrets.mask(line)).into_owned();
            Event::Sent { command, line }
        });
    }

    /// Records a line that was received.
    pub(crate) fn received(&self, line: &[u8]) {
        self.inner()
            .record(|secrets| Event::Received(cut(&secrets.mask(line)).into_owned()));
    }

    /// The secrets that are known by now.
    pub(crate) fn secrets(&self) -> Secrets {
        self.inner().secrets.clone()
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.inner().events.clone()
    }
}

impl Inner {
    fn record(&mut self, event: impl FnOnce(&Secrets) -> Event) {
        if self.events.len() < MAX_EVENTS {
            let event = event(&self.secrets);
            self.events.push(event);
        } else if self.events.len() == MAX_EVENTS {
            self.events.push(Event::Truncated);
        }
    }
}
