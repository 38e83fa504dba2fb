//! Events of an access, as data. Events are only converted to text for display.

use crate::hop::Hop;
use crate::mask::{Secrets, cut, escape, escape_all};
use crate::plan::Planned;
use crate::request::Request;
use std::borrow::Cow;
use std::fmt;
use std::mem;
use std::net::{IpAddr, SocketAddr};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// An event of an access.
///
/// `Display` prints one line, escapes control characters, and masks passwords, even in URLs from
/// the server.
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
    /// Reused an open connection to this address from the pool.
    Reused(SocketAddr),
    /// The pooled connection had been closed, so a new connection is opened.
    PoolStale,
    /// The server had sent unsolicited data on the pooled connection, so a new one is opened.
    Unrequested,
    /// The file has changed since the earlier transfer, or the server cannot confirm that it is
    /// unchanged. The body is fetched from its beginning.
    StartedOver,
    /// The TLS handshake succeeded.
    Secured,
    /// The certificate of this host was not verified, because the caller disabled verification.
    Unverified(String),
    /// A proxy resolves the name of this host, so the policy could not check its address.
    Unchecked(String),
    /// Sent a command.
    Sent {
        /// The [name](crate::Command::name) of the command.
        command: &'static str,
        /// The octets without the last CR LF, with passwords masked, truncated after 200 octets.
        line: Vec<u8>,
    },
    /// Received a line: the octets without the line ending, with passwords masked, truncated after
    /// 200 octets.
    Received(Vec<u8>),
    /// The server sent nothing more for this length of time, so the reply was assumed to be
    /// complete.
    Quiet(Duration),
    /// Followed a redirect, a gopher link or a moved item.
    Redirected {
        /// The resolved URL, with its password masked.
        to: String,
    },
    /// A redirect goes from `https` to `http`. The rest of the access is unencrypted, and uses no
    /// credentials.
    Downgraded,
    /// Took a planned step other than connecting or sending.
    Step(Planned),
    /// The path in a `file` URL is a symbolic link.
    SymbolicLink {
        /// The path that the symbolic link contains.
        to: PathBuf,
    },
    /// Searched the mailbox file, Maildir, MH folder or message file at this path.
    Searched(PathBuf),
    /// Left a header field of a `mailto` URL out of the message.
    FieldLeftOut(String),
    /// A message will be sent to these recipients, each preceded by the name of its field.
    Recipients(String),
    /// An SMTP server accepted a message.
    MessageSent {
        /// The server, as written in the settings.
        host: String,
        /// The size of the message in bytes.
        bytes: usize,
    },
    /// Started a program, with these arguments.
    ProgramStarted(Vec<String>),
    /// An interactive session ended.
    SessionEnded {
        /// True if the server ended the session; false if the user did.
        by_server: bool,
    },
    /// A note from the protocol.
    Note(Cow<'static, str>),
    /// Later events were not recorded, because the limit was reached. An [`Observer`] receives them
    /// nevertheless, but not this event.
    Truncated,
}

impl Event {
    /// Masks secrets in all text that a server may have sent.
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
            Self::Unrequested => f.write_str("the server had sent unsolicited data"),
            Self::StartedOver => f.write_str("starting over: the file may have changed"),
            Self::Secured => f.write_str("secured by TLS"),
            Self::Unverified(host) => write!(
                f,
                "the certificate of {host} is not verified: anyone on the network path can read \
                 and change the data"
            ),
            Self::Unchecked(host) => {
                write!(
                    f,
                    "the proxy resolves {host}, so its address was not checked"
                )
            }
            Self::Sent { line, .. } => write!(f, "> {}", escape_all(line)),
            Self::Received(line) => write!(f, "< {}", escape_all(line)),
            Self::Quiet(time) => write!(f, "received nothing more for {} s", time.as_secs_f64()),
            Self::Redirected { to } => write!(f, "redirected to {to}"),
            Self::Downgraded => {
                f.write_str("redirected from https to http: the rest is unencrypted")
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
                write!(f, "{host} accepted the message ({bytes} bytes)")
            }
            Self::ProgramStarted(words) => write!(f, "started {}", words.join(" ")),
            Self::SessionEnded { by_server: true } => f.write_str("the server ended the session"),
            Self::SessionEnded { by_server: false } => f.write_str("the user ended the session"),
            Self::Note(text) => f.write_str(text),
            Self::Truncated => f.write_str("further events are not recorded"),
        }
    }
}

/// Receives each event as it happens, with secrets masked. [`Response`](crate::Response) and
/// [`Error`](crate::Error) list the first 1,000 events at the end of the access; an observer
/// receives all of them.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use urikit::UriRef;
/// use urikit_access::{Buffer, Client, Event, NoPrompt, Observer, Policy, Request};
///
/// #[derive(Default)]
/// struct Lines(Mutex<Vec<String>>);
///
/// impl Observer for Lines {
///     fn event(&self, event: &Event) {
///         self.0.lock().unwrap().push(event.to_string());
///     }
/// }
///
/// let lines = Arc::new(Lines::default());
/// let observer: Arc<dyn Observer> = lines.clone();
/// let request = Request::new(UriRef::parse("data:,A%20brief%20note")?).observer(&observer);
/// Client::new(Policy::permissive()).fetch(&request, &mut NoPrompt, &mut Buffer::default())?;
/// assert_eq!(*lines.0.lock().unwrap(), ["decoded the data in the URL"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer: Send + Sync {
    /// Receives an event. The access waits until this function returns.
    fn event(&self, event: &Event);
}

impl fmt::Debug for dyn Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// The maximum number of events in a list. Without a limit, a server could exhaust the memory with
/// events.
const MAX_EVENTS: usize = 1000;

/// The events and responses of one access, and the secrets to mask in them. All connections of the
/// access share this trace.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trace(Arc<Mutex<Inner>>);

#[derive(Default, Debug)]
struct Inner {
    events: Vec<Event>,
    secrets: Secrets,
    hops: Vec<Hop>,
    /// The time at which the last hop began.
    begun: Option<Instant>,
    observer: Option<Arc<dyn Observer>>,
    /// True if events are not added to the list.
    is_unlisted: bool,
}

impl Trace {
    /// Creates a trace that masks the secrets of a request and any secrets that are sent later.
    pub(crate) fn new(request: &Request<'_>) -> Self {
        Self(Arc::new(Mutex::new(Inner {
            secrets: request.secrets(),
            observer: request.observer.cloned(),
            is_unlisted: !request.lists_events,
            ..Inner::default()
        })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an event, and masks secrets in it.
    pub(crate) fn record(&self, event: Event) {
        self.inner().record(|secrets| event.masked(secrets));
    }

    /// Adds the secrets in an outgoing line to the secrets that the trace masks.
    pub(crate) fn learn(&self, line: &[u8], secrets: &[Range<usize>]) {
        for range in secrets {
            self.inner().secrets.add_sent(line, range.clone());
        }
    }

    /// Records a command whose own secrets have already been masked.
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

    /// Returns the secrets that are known so far.
    pub(crate) fn secrets(&self) -> Secrets {
        self.inner().secrets.clone()
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.inner().events.clone()
    }

    /// Begins the request for the next URL.
    pub(crate) fn begin_hop(&self, uri: &str) {
        self.inner().begin_hop(Hop::new(uri));
    }

    /// Records the head of a response. If the current hop already has a head, the client has
    /// repeated the request, so a new hop begins.
    pub(crate) fn respond(&self, response: Hop) {
        let mut inner = self.inner();
        let Some(last) = inner.hops.last() else {
            return; // an upload
        };
        if last.status.is_some() {
            let next = Hop::new(&last.uri);
            inner.begin_hop(next);
        }
        let reason = response.reason.map(|text| inner.secrets.mask_text(&text));
        if let Some(hop) = inner.hops.last_mut() {
            hop.status = response.status;
            hop.reason = reason;
            hop.version = response.version;
            hop.attributes = response.attributes;
        }
    }

    /// Records a reply with its code. The new reply replaces the hop's previous reply.
    pub(crate) fn reply(&self, code: u16, text: &[u8]) {
        let mut inner = self.inner();
        let reason = String::from_utf8_lossy(&cut(&inner.secrets.mask(text))).into_owned();
        if let Some(hop) = inner.hops.last_mut() {
            (hop.status, hop.reason) = (Some(code), Some(reason));
        }
    }

    /// Records the target of a redirect.
    pub(crate) fn locate(&self, target: &str) {
        if let Some(hop) = self.inner().hops.last_mut() {
            hop.location = Some(target.to_owned());
        }
    }

    /// Returns the responses so far. Marks the last response as ended.
    pub(crate) fn hops(&self) -> Vec<Hop> {
        let mut inner = self.inner();
        inner.end_hop();
        inner.hops.clone()
    }

    /// Moves the responses and the events out of the trace of an access that has ended.
    pub(crate) fn take(&self) -> (Vec<Hop>, Vec<Event>) {
        let mut inner = self.inner();
        inner.end_hop();
        (mem::take(&mut inner.hops), mem::take(&mut inner.events))
    }
}

impl Inner {
    fn begin_hop(&mut self, hop: Hop) {
        self.end_hop();
        self.hops.push(hop);
        self.begun = Some(Instant::now());
    }

    fn end_hop(&mut self) {
        if let (Some(hop), Some(begun)) = (self.hops.last_mut(), self.begun) {
            hop.time = begun.elapsed();
        }
    }

    fn record(&mut self, event: impl FnOnce(&Secrets) -> Event) {
        let is_full = self.events.len() > MAX_EVENTS;
        if (self.is_unlisted || is_full) && self.observer.is_none() {
            return;
        }
        let event = event(&self.secrets);
        // The limit is for stored events only: otherwise, a server could hide later events, such as
        // a redirect, from a log.
        if let Some(observer) = &self.observer {
            observer.event(&event);
        }
        if self.is_unlisted {
            return;
        }
        match self.events.len() {
            ..MAX_EVENTS => self.events.push(event),
            MAX_EVENTS => self.events.push(Event::Truncated),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, MAX_EVENTS, Observer, Trace};
    use crate::request::Request;
    use std::sync::{Arc, Mutex};
    use urikit::UriRef;

    #[derive(Default)]
    struct Collected(Mutex<Vec<Event>>);

    impl Observer for Collected {
        fn event(&self, event: &Event) {
            self.0.lock().unwrap().push(event.clone());
        }
    }

    /// Otherwise, a server could hide the last events from a log.
    #[test]
    fn the_limit_applies_only_to_the_list() {
        for is_listed in [true, false] {
            let collected = Arc::new(Collected::default());
            let observer: Arc<dyn Observer> = collected.clone();
            let request = Request::new(UriRef::parse("http://a.example/").unwrap());
            let request = request.observer(&observer);
            let request = if is_listed {
                request
            } else {
                request.without_events()
            };
            let trace = Trace::new(&request);
            for _ in 0..MAX_EVENTS + 10 {
                trace.received(b"X-A: b");
            }
            trace.record(Event::Downgraded);
            let received = collected.0.lock().unwrap();
            assert_eq!(received.len(), MAX_EVENTS + 11);
            assert_eq!(received.last(), Some(&Event::Downgraded));
            assert!(!received.contains(&Event::Truncated));
            let listed = trace.events();
            if is_listed {
                assert_eq!(listed.len(), MAX_EVENTS + 1);
                assert_eq!(listed.last(), Some(&Event::Truncated));
            } else {
                assert_eq!(listed, []);
            }
        }
    }
}
