//! `rlogin` and `tn3270`: sessions that another program holds.
//!
//! The host comes from a URL that anyone may have written, so that it is judged as for a connection of ours, and goes to the
//! program as one argument that can be no option: behind `--`, or in brackets. There is no shell. User and
//! password are not among the arguments.

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
use urikit::scheme::{AccessError, Session, Step};

/// Follows `rlogin` URLs, by a program of the person's system.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request, protocol::Rlogin};
/// let client = Client::new(Policy::new()).protocol(Rlogin::new().program("/usr/bin/rlogin"));
/// let url = UriRef::parse("rlogin://guest@host.dom/")?;
/// assert_eq!(
///     client.plan(&Request::new(url.as_any()))?.to_string(),
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
    /// The port of rlogin (RFC 1282).
    const PORT: u16 = 513;

    /// With the program `rlogin`, wherever it is found.
    pub fn new() -> Self {
        Self {
            program: "rlogin".to_owned(),
            port_option: None,
        }
    }

    /// With another program, which takes a host behind `--`.
    #[must_use]
    pub fn program(mut self, program: impl Into<String>) -> Self {
        self.program = program.into();
        self
    }

    /// With the option of the program that a port follows, such as `-p`. `rlogin` itself has none, and a URL
    /// with another port than 513 is refused.
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

/// Follows `tn3270` URLs, by a program of the person's system: x3270's, or one that takes a host as it does.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Policy, Request, protocol::Tn3270};
/// let client = Client::new(Policy::new()).protocol(Tn3270::new().program("x3270"));
/// let url = UriRef::parse("tn3270://host.dom:992/")?;
/// assert_eq!(
///     client.plan(&Request::new(url.as_any()))?.to_string(),
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
    /// The port of Telnet, which 3270 sessions begin with (RFC 1576).
    const PORT: u16 = 23;

    /// With the program `c3270`, wherever it is found.
    pub fn new() -> Self {
        Self {
            program: "c3270".to_owned(),
        }
    }

    /// With another program, which takes `[host]:port`.
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
    /// The options of the program: for the port, where it is not its own.
    fn options(&self, url: &Session<'_>) -> Result<Vec<String>> {
        match (port(url, Self::PORT)?, &self.port_option) {
            (Self::PORT, _) => Ok(Vec::new()),
            (port, Some(option)) => Ok(vec![option.clone(), port.to_string()]),
            (_, None) => {
                let what = "the program for rlogin takes no port";
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

/// The host as x3270's programs take it. Without the brackets, `L:`, `-e` or a name of a file of settings before
/// the colon would be something else than a host; `--` ends their arguments, and not the options.
fn in_brackets(host: &str, port: u16) -> String {
    format!("[{host}]:{port}")
}

/// The port, or the service's own.
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

/// All that comes before starting: a terminal, the policy's leave, what the person is told. Gives the host.
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

/// What its end says.
fn ended(program: &str, status: ExitStatus) -> Result<Outcome> {
    if status.success() {
        return Ok(Outcome::Done);
    }
    let error = std::io::Error::other(format!("it ended with {status}"));
    Err(Error::new(ErrorKind::Local(error)).at(format!("running {program}")))
}
