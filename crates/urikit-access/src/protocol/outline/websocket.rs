//! `ws` and `wss`: the opening handshake (RFC 6455, 4.1).

use super::Step;
use crate::error::{Result, UrlError};
use crate::plan::{Action, Plan};
use crate::protocol::http::{Command, Field, Method, Target};
use crate::request::Request;
use urikit_schemes::WebSocket;

pub(super) fn outline(request: &Request<'_>) -> Result<Plan> {
    let url = WebSocket::read_as(request.reference, request.edition)?;
    let port = url.port().ok_or(UrlError::NoPort)?;
    let mut plan = Plan::new();
    plan.push(Action::Connect(url.host().as_str().to_owned(), port));
    if url.is_secure() {
        plan.push(Action::StartTls);
    }
    let target = Target::new(&url.resource_name())?;
    plan.send(Command::Request(Method::Get, target));
    plan.send(Command::field(Field::Host, &url.host_field(), "host")?);
    plan.send(Command::field(Field::Upgrade, "websocket", "")?);
    plan.send(Command::field(Field::Connection, "Upgrade", "")?);
    plan.step(Step::SendKey);
    plan.send(Command::field(Field::WebSocketVersion, "13", "")?);
    plan.send(Command::End);
    Ok(plan)
}
