//! The `telnet`, `rlogin` and `tn3270` schemes, for interactive sessions (RFC 1738, 3.8; RFC 4248;
//! RFC 1630).
//!
//! These URLs identify a service, not an object. The user and password in the URL are "advisory
//! only": the client shows them to the user, and never sends them. Without a terminal, the client
//! does not connect or start a program.
//!
//! [`TelnetProtocol`] is implemented in this crate. [`RloginProtocol`] and [`Tn3270Protocol`]
//! start an external program if the user agrees.
//!
//! Data from the server, including escape sequences, is written to the terminal unchanged, as with
//! any remote login. Only the user can request a session, because redirects to these schemes are
//! not allowed. Session data is not recorded in events, and is not written to the sink.

mod keyboard;
mod options;
mod parser;
mod program;
#[doc(hidden)]
pub mod replay;
mod session;

pub use program::{Command, RloginProtocol, Tn3270Protocol};

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::event::Event;
use crate::mask::escape;
use crate::output::Output;
use crate::plan::{self, Action, Plan};
use crate::request::Request;
use session::{EndedBy, Settings};
use std::borrow::Cow;
use std::time::Duration;
use urikit_schemes::Session;

/// Fetches `telnet` URLs with a simple terminal that supports option negotiation (RFC 854, 855,
/// 1143).
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Buffer, NoPrompt, Policy, Request, protocol::TelnetProtocol};
/// let url = UriRef::parse("telnet://melvyl.ucop.edu/")?; // RFC 2396, 1.3
/// let telnet = TelnetProtocol::new().terminal_type("xterm").escape(Some(b'\x1d'));
/// let client = Client::new(Policy::permissive()).protocol(telnet);
/// let request = Request::new(url);
/// assert_eq!(
///     client.plan(&request)?.to_string(),
///     "connect  melvyl.ucop.edu:23\nthen     connects the terminal to the session\n"
/// );
/// let error = client.fetch(&request, &mut NoPrompt, &mut Buffer::default()).unwrap_err();
/// assert_eq!(error.to_string(), "the URL identifies a session, which needs a terminal");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TelnetProtocol {
    escape: Option<u8>,
    terminal_type: Option<String>,
    idle_timeout: Option<Duration>,
}

impl TelnetProtocol {
    /// Creates the default settings: `^]` ends the session, the terminal type is not sent, and the
    /// server may be silent for any length of time.
    pub const fn new() -> Self {
        Self {
            escape: Some(0x1D),
            terminal_type: None,
            idle_timeout: None,
        }
    }

    /// Sets the key that ends the session, as an octet. If the key is `None`, a session ends only
    /// if the server ends it or the input ends.
    #[must_use]
    pub const fn escape(mut self, key: Option<u8>) -> Self {
        self.escape = key;
        self
    }

    /// Sets the terminal type, such as `xterm`, which is sent to servers that ask for it (RFC
    /// 1091).
    #[must_use]
    pub fn terminal_type(mut self, name: impl Into<String>) -> Self {
        self.terminal_type = Some(name.into());
        self
    }

    /// Ends a session if the server sends nothing for this length of time. By default, neither
    /// silence nor the policy's time limits end a session.
    #[must_use]
    pub const fn idle_timeout(mut self, max: Duration) -> Self {
        self.idle_timeout = Some(max);
        self
    }

    /// Returns a message that tells the user which key ends the session.
    fn escape_notice(&self) -> Option<String> {
        let key = match self.escape? {
            key @ 0..0x20 => format!("^{}", char::from(key + b'@')),
            key => escape(&[key]),
        };
        Some(format!("The session ends with {key}."))
    }
}

impl Default for TelnetProtocol {
    fn default() -> Self {
        Self::new()
    }
}

impl Protocol for TelnetProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["telnet"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = Session::read_as(request.reference, request.edition)?;
        let mut plan = advice(&url);
        let port = url.port().ok_or(UrlError::NoPort)?;
        plan.push(Action::Connect(url.host().as_str().to_owned(), port));
        plan.step(Step::ConnectTerminal);
        Ok(plan)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        _: &mut Output<'_>,
    ) -> Result<Outcome> {
        Access::new(request, context)?.connect(self)
    }
}

/// An access in progress. The protocols for `telnet`, `rlogin` and `tn3270` share this type.
struct Access<'a, 'c> {
    request: &'a Request<'a>,
    url: Session<'a>,
    context: &'a mut Context<'c>,
}

impl<'a, 'c> Access<'a, 'c> {
    /// Reads the URL of a request.
    fn new(request: &'a Request<'a>, context: &'a mut Context<'c>) -> Result<Self> {
        Ok(Self {
            request,
            url: Session::read_as(request.reference, request.edition)?,
            context,
        })
    }

    /// Fails unless the request is for the complete body and the user has a terminal.
    fn check(&mut self) -> Result<()> {
        if !self.request.wants_body() {
            let what = "the URL identifies a session, which has no metadata";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        if self.request.resume > 0 {
            return Err(Error::new(ErrorKind::CannotResume));
        }
        if self.context.prompt().has_terminal() {
            Ok(())
        } else {
            Err(no_terminal())
        }
    }

    /// Shows the user name and the password in the URL, which are never sent (RFC 1738, 3.8).
    fn advise(&mut self) {
        let prompt = self.context.prompt();
        if let Some(user) = self.url.user() {
            let user = escape(&user.to_bytes());
            prompt.notify(&format!("Log in as the user: {user}"));
        }
        if let Some(password) = self.url.password() {
            prompt.notify(&format!("The password: {}", escape(&password.to_bytes())));
        }
    }

    /// Connects the terminal to a Telnet server.
    fn connect(mut self, telnet: &TelnetProtocol) -> Result<Outcome> {
        let plan = telnet.plan(self.request)?;
        self.check()?;
        self.advise();
        let mut connection = None;
        for step in plan.steps() {
            match &step.action {
                Action::Connect(host, port) => {
                    connection = Some(self.context.connect(host, *port)?);
                }
                _ => self.context.record(Event::Step(step.clone())),
            }
        }
        let connection = connection.ok_or_else(no_terminal)?;
        if let Some(notice) = telnet.escape_notice() {
            self.context.prompt().notify(&notice);
        }
        let (receiving, sending) = connection.into_split()?;
        let terminal = self.context.prompt().terminal().ok_or_else(no_terminal)?;
        let settings = Settings {
            escape: telnet.escape,
            terminal_type: telnet.terminal_type.clone(),
            idle: telnet.idle_timeout,
        };
        let ended = session::run(receiving, sending, terminal, settings);
        let ended = ended.map_err(|error| error.with_step("in the session"))?;
        let by_server = ended == EndedBy::Server;
        self.context.record(Event::SessionEnded { by_server });
        Ok(Outcome::Done)
    }
}

fn no_terminal() -> Error {
    let what = "the URL identifies a session, which needs a terminal";
    Error::new(ErrorKind::Unsupported(what))
}

/// Plans a step that shows the user and password in a URL.
fn advice(url: &Session<'_>) -> Plan {
    let mut plan = Plan::new();
    if let Some(user) = url.user() {
        let user = user.to_bytes().into_owned();
        plan.step(Step::ShowUser(user));
    }
    if url.password().is_some() {
        plan.step(Step::ShowPassword);
    }
    plan
}

/// A step in the plan for an interactive session.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Shows the user name to log in with.
    ShowUser(Vec<u8>),
    /// Shows the password, which is not included in the plan.
    ShowPassword,
    /// Connects the terminal to the session.
    ConnectTerminal,
    /// Asks for consent to start the program with this name and these arguments.
    AskToStart(Vec<String>),
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::ShowUser(user) => ("shows the user name", user.into()),
            Self::ShowPassword => ("shows the password", b"".into()),
            Self::ConnectTerminal => ("connects the terminal to the session", b"".into()),
            Self::AskToStart(words) => {
                let words = words.join(" ").into_bytes();
                ("asks before starting", words.into())
            }
        }
    }
}
