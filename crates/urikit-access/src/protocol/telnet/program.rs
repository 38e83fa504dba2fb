//! `rlogin` and `tn3270`: sessions in an external program.
//!
//! The host comes from an untrusted URL. It is checked like that of a connection, and is passed as
//! one argument that cannot be an option: after `--`, or in brackets. No shell is involved. User
//! and password are not passed.

use super::advice::{advise, begin};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::name_of;
use crate::output::Output;
use crate::plan::Plan;
use crate::protocol::{Outcome, Protocol};
use crate::request::Request;
use std::process::ExitStatus;
use urikit_schemes::{AccessError, Session, Step};

/// Fetches `rlogin` URLs with an external program.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request, protocol::Rlogin};
/// let client = Client::new(Policy::new()).protocol(Rlogin::new().program("/usr/bin/rlogin"));
/// let url = UriRef::parse("rlogin://guest@host.dom/")?;
/// assert_eq!(
///     client.plan(&Request::new(url))?.to_string(),
///     "then     advises the person of the user \"guest\"\n\
///      then     starts an rlogin program for \"host.dom\"\n\
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
/// let client = Client::new(Policy::new()).protocol(Tn3270::new().program("x3270"));
/// let url = UriRef::parse("tn3270://host.dom:992/")?;
/// assert_eq!(
///     client.plan(&Request::new(url))?.to_string(),
///     "then     starts a tn3270 program for \"host.dom:992\"\n\
///      then     asks before starting \"x3270 [host.dom]:992\"\n"
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
        let mut line = self.program.clone();
        for option in self.options(&url)? {
            line = line + " " + &option;
        }
        planned(
            &url,
            &format!("{line} -- {}", name_of(url.host().as_str())?),
        )
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        _: &mut Output<'_>,
    ) -> Result<Outcome> {
        let url = Session::read_as(request.reference, request.edition)?;
        let options = self.options(&url)?;
        let host = ready(request, &url, Self::PORT, context)?;
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        ended(&self.program, context.run(&self.program, &options, &host)?)
    }
}

impl Rlogin {
    /// The options of the program: for a port other than the default.
    fn options(&self, url: &Session<'_>) -> Result<Vec<String>> {
        match (port(url, Self::PORT)?, &self.port_option) {
            (Self::PORT, _) => Ok(Vec::new()),
            (port, Some(option)) => Ok(vec![option.clone(), port.to_string()]),
            (_, None) => {
                let what = "the program for rlogin has no option for a port";
                Err(Error::new(ErrorKind::Unsupported(what)))
            }
        }
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
        let argument = in_brackets(&name_of(url.host().as_str())?, port(&url, Self::PORT)?);
        planned(&url, &format!("{} {argument}", self.program))
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        _: &mut Output<'_>,
    ) -> Result<Outcome> {
        let url = Session::read_as(request.reference, request.edition)?;
        let port = port(&url, Self::PORT)?;
        let host = ready(request, &url, Self::PORT, context)?;
        let argument = in_brackets(&host, port);
        ended(
            &self.program,
            context.run_in_brackets(&self.program, &[], &argument)?,
        )
    }
}

/// The host in the syntax of x3270's programs. Without the brackets, a prefix such as `L:`, an
/// option such as `-e` or the name of a session file could take the place of the host. They do not
/// support `--`.
fn in_brackets(host: &str, port: u16) -> String {
    format!("[{host}]:{port}")
}

/// The port in the URL, or the default.
fn port(url: &Session<'_>, own: u16) -> Result<u16> {
    match url.port() {
        None if url.has_port() => Err(AccessError::NoPort.into()),
        port => Ok(port.unwrap_or(own)),
    }
}

/// The steps of the core, and the program.
fn planned(url: &Session<'_>, line: &str) -> Result<Plan> {
    let mut plan = Plan::of(url.steps()?);
    plan.push(Step::Act {
        what: "asks before starting",
        with: line.as_bytes().into(),
    });
    Ok(plan)
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
    for step in Plan::of(url.steps()?).steps() {
        context.record(Event::Step(step.clone()));
    }
    advise(url, context.prompt());
    Ok(host)
}

/// The result of the program.
fn ended(program: &str, status: ExitStatus) -> Result<Outcome> {
    if status.success() {
        return Ok(Outcome::Done);
    }
    let error = std::io::Error::other(format!("it ended with {status}"));
    Err(Error::new(ErrorKind::Local(error)).at(format!("running {program}")))
}
