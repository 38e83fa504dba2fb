//! Custom schemes that only connect, send lines and receive the response.

use super::stream::pass_on;
use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::Connection;
use crate::output::Output;
use crate::plan::{Action, Plan};
use crate::request::Request;

/// A custom scheme, defined by a plan that the client carries out.
///
/// The client connects, starts TLS and sends commands as planned, and records other steps as
/// [events](Event::Step). The body is everything that the server sends before it closes the
/// connection. A scheme that requires more, such as reading a reply before sending the next
/// command, must implement [`Protocol`].
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::protocol::CustomAccess;
/// use urikit_access::{Action, Argument, Client, Line, Plan, Policy, Request, Result, UrlError};
///
/// /// `x-finger://host.dom/user` (RFC 1288)
/// struct Finger;
///
/// impl CustomAccess for Finger {
///     fn schemes(&self) -> &[&'static str] {
///         &["x-finger"]
///     }
///     fn own_ports(&self) -> &[u16] {
///         &[79]
///     }
///     fn plan(&self, request: &Request<'_>) -> Result<Plan> {
///         let url = request.reference;
///         let host = url.host().map_or("", |host| host.as_str());
///         let port = url.port().map_or(Ok(79), |port| port.parse());
///         let mut line = Line::default();
///         for user in url.path().segments().take(1) {
///             line = line.argument(Argument::new(user.decode(), "user")?);
///         }
///         let mut plan = Plan::new();
///         plan.push(Action::Connect(host.to_owned(), port.map_err(|_| UrlError::NoPort)?));
///         plan.send(line);
///         Ok(plan)
///     }
/// }
///
/// let client = Client::new(Policy::new()).custom(Finger);
/// let url = UriRef::parse("x-finger://host.dom/timbl")?;
/// assert_eq!(
///     client.plan(&Request::new(url))?.to_string(),
///     "connect  host.dom:79\nsend     \"timbl\"\n"
/// );
/// let two_lines = UriRef::parse("x-finger://host.dom/a%0D%0Ab")?;
/// assert!(client.plan(&Request::new(two_lines)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait CustomAccess: Send + Sync {
    /// Returns the schemes, in lower case.
    fn schemes(&self) -> &[&'static str];

    /// Returns the ports that are allowed by default.
    fn own_ports(&self) -> &[u16] {
        &[]
    }

    /// Returns the steps of the access, which must not have conditions.
    ///
    /// # Errors
    ///
    /// Fails if the URL does not conform to its scheme, or if it cannot be fetched.
    fn plan(&self, request: &Request<'_>) -> Result<Plan>;
}

/// Adapts a [`CustomAccess`] to a protocol.
pub(crate) struct Custom<T>(pub(crate) T);

impl<T: CustomAccess> Protocol for Custom<T> {
    fn schemes(&self) -> &[&'static str] {
        self.0.schemes()
    }

    fn own_ports(&self) -> &[u16] {
        self.0.own_ports()
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        self.0.plan(request)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let plan = self.plan(request)?;
        let unsupported = |what| Err(Error::new(ErrorKind::Unsupported(what)));
        if plan.steps().iter().any(|step| step.when.is_some()) {
            return unsupported("the plan of a custom scheme must not have conditions");
        }
        let mut open: Option<(Connection, String)> = None;
        for step in plan.steps() {
            match (&step.action, &mut open) {
                (Action::Connect(host, port), _) => {
                    open = Some((context.connect(host, *port)?, host.clone()));
                }
                (Action::StartTls, Some((connection, host))) => connection.start_tls(host)?,
                (Action::Send(command), Some((connection, _))) => connection.send(&**command)?,
                (Action::StartTls | Action::Send(_), None) => {
                    return unsupported(
                        "the plan of a custom scheme sends data before it connects",
                    );
                }
                _ => context.record(Event::Step(step.clone())),
            }
        }
        if let Some((mut connection, _)) = open {
            pass_on(&mut connection, output)?;
        }
        Ok(Outcome::Done)
    }
}
