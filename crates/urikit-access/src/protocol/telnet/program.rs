//! `rlogin` and `tn3270`: sessions in an external program.
//!
//! The host comes from an untrusted URL. It is checked like that of a connection, and is passed as
//! one argument that cannot be an option: after `--`, or in brackets. No shell is involved. User
//! and password are not passed.

use super::advice::{advice, advise, begin};
use super::command::Command;
use super::plan::Step;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::event::Event;
use crate::net::name_of;
use crate::output::Output;
use crate::plan::Plan;
use crate::protocol::{Outcome, Protocol};
use crate::request::Request;
use urikit_schemes::Session;

/// Fetches `rlogin` URLs with an external program.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request, protocol::Rlogin};
/// let rlogin = Rlogin::new().program("/usr/bin/rlogin");
/// let client = Client::new(Policy::permissive()).protocol(rlogin);
/// let url = UriRef::parse("rlogin://guest@host.dom/")?;
/// assert_eq!(
///     client.plan(&Request::new(url))?.to_string(),
///     "then     shows the user name \"guest\"\n\
///      then     asks before starting \"/usr/bin/rlogin -- host.dom\"\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rlogin {
    program: String,
    port_option: Option<String>,
}

impl Rlogin {
    /// The default port (RFC 1282).
    const PORT: u16 = 513;

    /// Uses the program `rlogin` from the search path.
    pub fn new() -> Self {
        Self {
            program: "rlogin".to_owned(),
            port_option: None,
        }
    }

    /// Sets another program. It must accept a host after `--`.
    #[must_use]
    pub fn program(mut self, program: impl Into<String>) -> Self {
        self.program = program.into();
        self
    }

    /// Sets the option of the program that precedes a port, such as `-p`. `rlogin` itself has
    /// none, so that without this setting URLs with a port other than 513 are refused.
    #[must_use]
    pub fn port_option(mut self, option: impl Into<String>) -> Self {
        self.port_option = Some(option.into());
        self
    }
}

impl Default for Rlogin {
    fn default() -> Self {
        Self::new()
    }
}

/// Fetches `tn3270` URLs with an external program: one of x3270's, or a compatible one.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request, protocol::Tn3270};
/// let client = Client::new(Policy::permissive()).protocol(Tn3270::new().program("x3270"));
/// let url = UriRef::parse("tn3270://host.dom:992/")?;
/// assert_eq!(
///     client.plan(&Request::new(url))?.to_string(),
///     "then     asks before starting \"x3270 [host.dom]:992\"\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tn3270 {
    program: String,
}

impl Tn3270 {
    /// The default port: that of Telnet, which 3270 sessions begin with (RFC 1576).
    const PORT: u16 = 23;

    /// Uses the program `c3270` from the search path.
    pub fn new() -> Self {
        Self {
            program: "c3270".to_owned(),
        }
    }

    /// Sets another program. It must accept `[host]:port`.
    #[must_use]
    pub fn program(mut self, program: impl Into<String>) -> Self {
        self.program = program.into();
        self
    }
}

impl Default for Tn3270 {
    fn default() -> Self {
        Self::new()
    }
}

impl Protocol for Rlogin {
    fn schemes(&self) -> &[&'static str] {
        &["rlogin"]
    }

    fn own_ports(&self) -> &[u16] {
        &[Self::PORT]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = Session::read_as(request.reference, request.edition)?;
        let command = self.command(&url, name_of(url.host().as_str())?)?;
        Ok(planned(&url, &command))
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        _: &mut Output<'_>,
    ) -> Result<Outcome> {
        let url = Session::read_as(request.reference, request.edition)?;
        // An unusable port is reported before anything is resolved.
        self.command(&url, String::new())?;
        let host = ready(request, &url, Self::PORT, context)?;
        ended(&self.command(&url, host)?, context)
    }
}

impl Rlogin {
    fn command(&self, url: &Session<'_>, host: String) -> Result<Command> {
        let port = match (port(url, Self::PORT)?, &self.port_option) {
            (Self::PORT, _) => None,
            (port, Some(option)) => Some((option.clone(), port)),
            (_, None) => {
                let what = "the program for rlogin has no option for a port";
                return Err(Error::new(ErrorKind::Unsupported(what)));
            }
        };
        let program = self.program.clone();
        Ok(Command::Rlogin {
            program,
            port,
            host,
        })
    }
}

impl Protocol for Tn3270 {
    fn schemes(&self) -> &[&'static str] {
        &["tn3270"]
    }

    fn own_ports(&self) -> &[u16] {
        &[Self::PORT]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = Session::read_as(request.reference, request.edition)?;
        let command = self.command(&url, name_of(url.host().as_str())?)?;
        Ok(planned(&url, &command))
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        _: &mut Output<'_>,
    ) -> Result<Outcome> {
        let url = Session::read_as(request.reference, request.edition)?;
        let host = ready(request, &url, Self::PORT, context)?;
        ended(&self.command(&url, host)?, context)
    }
}

impl Tn3270 {
    fn command(&self, url: &Session<'_>, host: String) -> Result<Command> {
        let program = self.program.clone();
        let port = port(url, Self::PORT)?;
        Ok(Command::Tn3270 {
            program,
            host,
            port,
        })
    }
}

/// The port in the URL, or the default.
fn port(url: &Session<'_>, own: u16) -> Result<u16> {
    match url.port() {
        None if url.has_port() => Err(UrlError::PortRange.into()),
        port => Ok(port.unwrap_or(own)),
    }
}

/// The advice, and the program.
fn planned(url: &Session<'_>, command: &Command) -> Plan {
    let mut plan = advice(url);
    plan.step(Step::AskToStart(command.words()));
    plan
}

/// Everything before the program is started: checks, and the advice for the user. Returns the
/// host.
fn ready(
    request: &Request<'_>,
    url: &Session<'_>,
    own: u16,
    context: &mut Context<'_>,
) -> Result<String> {
    begin(request, context)?;
    let host = context.check_host(url.host().as_str(), port(url, own)?)?;
    for step in advice(url).steps() {
        context.record(Event::Step(step.clone()));
    }
    advise(url, context.prompt());
    Ok(host)
}

/// Starts the program, and waits for its end.
fn ended(command: &Command, context: &mut Context<'_>) -> Result<Outcome> {
    let status = command.run(context)?;
    if status.success() {
        return Ok(Outcome::Done);
    }
    let error = std::io::Error::other(format!("it ended with {status}"));
    Err(Error::new(ErrorKind::Local(error)).with_step(format!("running {}", command.program())))
}
