//! Custom schemes: their steps are carried out as they are.
//!
//! A scheme that a program adds to the registry says what a client does
//! ([`Step`](urikit_schemes::Step)): connect, and send lines. What the server sends until it
//! closes the connection is the body.

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::Connection;
use crate::output::Output;
use crate::plan::{Action, Plan};
use crate::request::Request;
use urikit_schemes::Scheme;

/// Fetches the URLs of one scheme by its steps.
pub(crate) struct CustomScheme<'a>(pub(crate) &'a dyn Scheme);

impl Protocol for CustomScheme<'_> {
    fn schemes(&self) -> &[&'static str] {
        // It is not chosen by name.
        &[]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let steps = self.0.steps(request.reference, request.edition)?;
        if steps.is_empty() {
            let what = "the scheme defines no steps for a client";
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        Ok(Plan::of(steps))
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let mut connection: Option<Connection> = None;
        for step in self.plan(request)?.steps() {
            match (&step.action, &mut connection) {
                (Action::Connect(host, port), _) => {
                    connection = Some(context.connect(host, *port)?);
                }
                (Action::Send(line), Some(connection)) => connection.send(line)?,
                (Action::SendForm(form), Some(connection)) => connection.send_form(form)?,
                (Action::Act(..), _) => context.record(Event::Step(step.clone())),
                (_, None) => {
                    let what = "the scheme's steps send before they connect";
                    return Err(Error::new(ErrorKind::Unsupported(what)));
                }
            }
        }
        if let Some(mut connection) = connection {
            loop {
                let bytes = connection.peek()?;
                if bytes.is_empty() {
                    break;
                }
                let count = bytes.len();
                output.bytes(bytes)?;
                connection.consume(count);
            }
        }
        Ok(Outcome::Done)
    }
}
