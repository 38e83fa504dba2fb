//! `telnet`, `rlogin` and `tn3270`: interactive sessions (RFC 1738, 3.8; RFC 4248; RFC 1630).
//!
//! Such a URL names a service, not an object. User and password in the URL "are advisory only":
//! they are shown to the user, and never sent. Without a terminal, nothing is connected to and no
//! program is started.
//!
//! `telnet` is implemented here ([`Telnet`]). For the other two an external program is started
//! ([`Rlogin`], [`Tn3270`]), if the user agrees.
//!
//! What a server sends goes to the terminal unchanged, including escape sequences, as in any
//! remote login: the user requested the session, as redirects to these schemes are not allowed. It
//! goes nowhere else, neither into events nor to the sink.

mod advice;
mod command;
mod keyboard;
mod options;
mod parser;
mod plan;
mod program;
#[doc(hidden)]
pub mod replay;
mod session;

pub use command::Command;
pub use plan::Step;
pub use program::{Rlogin, Tn3270};

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Result, UrlError};
use crate::event::Event;
use crate::mask::escape;
use crate::output::Output;
use crate::plan::{Action, Plan};
use crate::request::Request;
use advice::{advice, advise, begin, no_terminal};
use session::{EndedBy, Settings};
use std::time::Duration;
use urikit_schemes::Session;

/// Fetches `telnet` URLs: a simple terminal with option negotiation (RFC 854, 855, 1143).
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Buffer, NoPrompt, Policy, Request, protocol::Telnet};
/// let url = UriRef::parse("telnet://192.0.2.16:80/")?; // RFC 3986, 1.1.2
/// let telnet = Telnet::new().terminal_type("xterm").escape(Some(b'\x1d'));
/// let mut client = Client::new(Policy::permissive()).protocol(telnet);
/// let request = Request::new(url);
/// assert_eq!(
///     client.plan(&request)?.to_string(),
///     "connect  192.0.2.16:80\nthen     connects the terminal to the session\n"
/// );
/// let error = client.fetch(&request, &mut NoPrompt, &mut Buffer::default()).unwrap_err();
/// assert_eq!(error.to_string(), "the URL names a session, which needs a terminal");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Telnet {
    escape: Option<u8>,
    terminal_type: Option<String>,
    idle_timeout: Option<Duration>,
}

impl Telnet {
    /// The defaults: `^]` ends the session, the terminal type is not reported, and silence is not
    /// limited.
    pub const fn new() -> Self {
        Self {
            escape: Some(0x1D),
            terminal_type: None,
            idle_timeout: None,
        }
    }

    /// Sets the key that ends the session, as an octet. With `None`, only the server or the end of
    /// the input can end it.
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

    /// Ends a session in which the server sends nothing for this long. By default, neither silence
    /// nor the policy's time limits end a session.
    #[must_use]
    pub const fn idle_timeout(mut self, max: Duration) -> Self {
        self.idle_timeout = Some(max);
        self
    }

    /// Tells the user how to end the session.
    fn way_out(&self) -> Option<String> {
        let key = match self.escape? {
            key @ 0..0x20 => format!("^{}", char::from(key + b'@')),
            key => escape(&[key]),
        };
        Some(format!("The session ends with {key}."))
    }
}

impl Default for Telnet {
    fn default() -> Self {
        Self::new()
    }
}

impl Protocol for Telnet {
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
        let plan = self.plan(request)?;
        let url = Session::read_as(request.reference, request.edition)?;
        begin(request, context)?;
        advise(&url, context.prompt());
        let mut connection = None;
        for step in plan.steps() {
            match &step.action {
                Action::Connect(host, port) => connection = Some(context.connect(host, *port)?),
                _ => context.record(Event::Step(step.clone())),
            }
        }
        let Some(connection) = connection else {
            return Err(no_terminal());
        };
        if let Some(advice) = self.way_out() {
            context.prompt().notify(&advice);
        }
        let halves = connection.into_split()?;
        let terminal = context.prompt().terminal().ok_or_else(no_terminal)?;
        let settings = Settings {
            escape: self.escape,
            terminal_type: self.terminal_type.clone(),
            idle: self.idle_timeout,
        };
        let ended = session::run(halves, terminal, settings)
            .map_err(|error| error.with_step("in the session"))?;
        let by_server = ended == EndedBy::Server;
        context.record(Event::SessionEnded { by_server });
        Ok(Outcome::Done)
    }
}
