//! The `rlogin` and `tn3270` schemes, whose sessions run in an external program.
//!
//! The host comes from an untrusted URL. The policy checks the host as it does for a connection.
//! The program receives the host as one argument, which cannot be an option because it follows `--`
//! or is in brackets. No shell is involved. The program does not receive the user or the password.

use super::{Access, Step, advice};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result, UrlError};
use crate::event::Event;
use crate::host::name_of;
use crate::output::Output;
use crate::plan::Plan;
use crate::protocol::{Outcome, Protocol};
use crate::request::Request;
use std::process::ExitStatus;
use urikit_schemes::Session;

/// Fetches `rlogin` URLs with an external program.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request, protocol::RloginProtocol};
/// let rlogin = RloginProtocol::new().program("/usr/bin/rlogin");
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
pub struct RloginProtocol {
    program: String,
    port_option: Option<String>,
}

impl RloginProtocol {
    /// The default port (RFC 1282).
    const PORT: u16 = 513;

    /// Uses the `rlogin` program in the search path.
    pub fn new() -> Self {
        Self {
            program: "rlogin".to_owned(),
            port_option: None,
        }
    }

    /// Sets the program to start, which must accept a host after `--`.
    #[must_use]
    pub fn program(mut self, program: impl Into<String>) -> Self {
        self.program = program.into();
        self
    }

    /// Sets the command-line option that precedes a port, such as `-p`. `rlogin` itself has no
    /// such option. Without this setting, URLs with a port other than 513 are errors.
    #[must_use]
    pub fn port_option(mut self, option: impl Into<String>) -> Self {
        self.port_option = Some(option.into());
        self
    }
}

impl Default for RloginProtocol {
    fn default() -> Self {
        Self::new()
    }
}

/// Fetches `tn3270` URLs with an external program from the x3270 suite, or a compatible program.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request, protocol::Tn3270Protocol};
/// let client = Client::new(Policy::permissive()).protocol(Tn3270Protocol::new().program("x3270"));
/// let url = UriRef::parse("tn3270://host.dom:992/")?;
/// assert_eq!(
///     client.plan(&Request::new(url))?.to_string(),
///     "then     asks before starting \"x3270 [host.dom]:992\"\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tn3270Protocol {
    program: String,
}

impl Tn3270Protocol {
    /// The default port. 3270 sessions begin as Telnet sessions (RFC 1576).
    const PORT: u16 = 23;

    /// Uses the `c3270` program in the search path.
    pub fn new() -> Self {
        Self {
            program: "c3270".to_owned(),
        }
    }

    /// Sets the program to start, which must accept `[host]:port`.
    #[must_use]
    pub fn program(mut self, program: impl Into<String>) -> Self {
        self.program = program.into();
        self
    }
}

impl Default for Tn3270Protocol {
    fn default() -> Self {
        Self::new()
    }
}

impl Protocol for RloginProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["rlogin"]
    }

    fn own_ports(&self) -> &[u16] {
        &[Self::PORT]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = Session::read_as(request.reference, request.edition)?;
        let command = self.command(&url, program_host(&url)?)?;
        Ok(plan(&url, &command))
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        _: &mut Output<'_>,
    ) -> Result<Outcome> {
        let mut access = Access::new(request, context)?;
        // An unusable port is reported before the host name is resolved.
        self.command(&access.url, String::new())?;
        let host = access.prepare(Self::PORT)?;
        let command = self.command(&access.url, host)?;
        access.start(&command)
    }
}

impl RloginProtocol {
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

impl Protocol for Tn3270Protocol {
    fn schemes(&self) -> &[&'static str] {
        &["tn3270"]
    }

    fn own_ports(&self) -> &[u16] {
        &[Self::PORT]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let url = Session::read_as(request.reference, request.edition)?;
        let command = self.command(&url, program_host(&url)?)?;
        Ok(plan(&url, &command))
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        _: &mut Output<'_>,
    ) -> Result<Outcome> {
        let mut access = Access::new(request, context)?;
        let host = access.prepare(Self::PORT)?;
        let command = self.command(&access.url, host)?;
        access.start(&command)
    }
}

impl Tn3270Protocol {
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

/// Returns the port in the URL, or the default port.
fn port(url: &Session<'_>, default: u16) -> Result<u16> {
    match url.port() {
        None if url.has_port() => Err(UrlError::PortRange.into()),
        port => Ok(port.unwrap_or(default)),
    }
}

/// Plans the steps that show the user and password and start the program.
fn plan(url: &Session<'_>, command: &Command) -> Plan {
    let mut plan = advice(url);
    plan.step(Step::AskToStart(command.words()));
    plan
}

impl Access<'_, '_> {
    /// Checks the request and the host, and shows the user and password. Returns the host.
    fn prepare(&mut self, default_port: u16) -> Result<String> {
        self.check()?;
        let port = port(&self.url, default_port)?;
        let host = self.context.check_host(self.url.host().as_str(), port)?;
        for step in advice(&self.url).steps() {
            self.context.record(Event::Step(step.clone()));
        }
        self.advise();
        Ok(host)
    }

    /// Starts the program, and waits for it to end.
    fn start(self, command: &Command) -> Result<Outcome> {
        let status = command.run(self.context)?;
        if status.success() {
            return Ok(Outcome::Done);
        }
        let error = std::io::Error::other(format!("it ended with {status}"));
        let step = format!("running {}", command.program());
        Err(Error::new(ErrorKind::Local(error)).with_step(step))
    }
}

/// A program and its arguments. The host and the port come from a URL, and everything else comes
/// from the settings.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `PROGRAM [OPTION PORT] -- HOST`
    Rlogin {
        /// The program.
        program: String,
        /// The option that precedes the port, and the port, if it is not the default port.
        port: Option<(String, u16)>,
        /// The host, without brackets.
        host: String,
    },
    /// `PROGRAM [HOST]:PORT`, which is the form that the programs in the x3270 suite expect.
    /// Without the brackets, these programs would accept a prefix such as `L:`, an option such as
    /// `-e`, or the name of a session file in place of the host. These programs do not support
    /// `--`.
    Tn3270 {
        /// The program.
        program: String,
        /// The host, without brackets.
        host: String,
        /// The port.
        port: u16,
    },
}

impl Command {
    /// Returns the program.
    pub fn program(&self) -> &str {
        match self {
            Self::Rlogin { program, .. } | Self::Tn3270 { program, .. } => program,
        }
    }

    /// Returns the options that precede the host on the command line.
    fn options(&self) -> Vec<String> {
        match self {
            Self::Rlogin {
                port: Some((option, port)),
                ..
            } => vec![option.clone(), port.to_string()],
            _ => Vec::new(),
        }
    }

    /// Returns the program and all its arguments.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![self.program().to_owned()];
        words.extend(self.options());
        match self {
            Self::Rlogin { host, .. } => words.extend(["--".to_owned(), host.clone()]),
            Self::Tn3270 { host, port, .. } => words.push(in_brackets(host, *port)),
        }
        words
    }

    /// Starts the program with the user's consent, and waits for it to end.
    fn run(&self, context: &mut Context<'_>) -> Result<ExitStatus> {
        let options = self.options();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        match self {
            Self::Rlogin { program, host, .. } => context.run(program, &options, host),
            Self::Tn3270 {
                program,
                host,
                port,
            } => context.run_in_brackets(program, &options, &in_brackets(host, *port)),
        }
    }
}

fn in_brackets(host: &str, port: u16) -> String {
    format!("[{host}]:{port}")
}

/// Returns the host of a session in the form that a program expects.
fn program_host(url: &Session<'_>) -> Result<String> {
    name_of(url.host().as_str()).ok_or_else(|| Error::new(ErrorKind::HostNotFound))
}
