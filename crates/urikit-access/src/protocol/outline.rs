//! Plans for `urn`, `tel`, `ws` and `wss`, which this crate does not implement. The plans only
//! explain what a client would do.

use super::http::{Command, Field, Method, Target};
use crate::error::{Result, UrlError};
use crate::plan::{self, Action, Plan};
use crate::request::Request;
use std::borrow::Cow;
use urikit_schemes::{ReadError, Tel, Urn, WebSocket};

/// A step that a client takes for a scheme that this crate does not implement.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    /// Asks a URN resolver to resolve the given name.
    AskUrnResolver(Vec<u8>),
    /// Asks the user for consent before calling.
    AskBeforeCall,
    /// Dials within the given phone context.
    DialWithin(Vec<u8>),
    /// Calls the given number, which consists of digits only.
    CallNumber(Vec<u8>),
    /// Asks for the given extension, which consists of digits only.
    AskForExtension(Vec<u8>),
    /// Asks for the given ISDN subaddress.
    AskForSubaddress(Vec<u8>),
    /// Sends a WebSocket key, which is 16 random octets in base64 (RFC 6455, 4.1).
    SendKey,
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::AskUrnResolver(name) => ("asks a URN resolver for", name.into()),
            Self::AskBeforeCall => ("asks the user before calling", b"".into()),
            Self::DialWithin(context) => ("dials within the context", context.into()),
            Self::CallNumber(digits) => ("calls the number", digits.into()),
            Self::AskForExtension(digits) => ("asks for the extension", digits.into()),
            Self::AskForSubaddress(address) => ("asks for the ISDN subaddress", address.into()),
            Self::SendKey => (
                "sends Sec-WebSocket-Key: and 16 random octets in base64",
                b"".into(),
            ),
        }
    }
}

/// Plans the steps that a client takes for one of these schemes. Returns `None` for other schemes.
pub(crate) fn outline(request: &Request<'_>) -> Result<Option<Plan>> {
    let scheme = request.reference.scheme().unwrap_or_default();
    let is = |name: &str| scheme.eq_ignore_ascii_case(name);
    Ok(Some(if is("urn") {
        urn(request)?
    } else if is("tel") {
        tel(request)?
    } else if is("ws") || is("wss") {
        websocket(request)?
    } else {
        return Ok(None);
    }))
}

/// Plans a call. The client asks the user for consent before it calls (RFC 3966, 11).
fn tel(request: &Request<'_>) -> Result<Plan> {
    let url = Tel::read_as(request.reference, request.edition)?;
    // A number with an unknown mandatory parameter must not be used (RFC 3966, 5.4).
    if let Some(mismatch) = url.unknown_mandatory() {
        return Err(ReadError::Mismatch(mismatch).into());
    }
    let mut plan = Plan::new();
    plan.step(Step::AskBeforeCall);
    let mut push = |step| plan.step(step);
    if let Some(context) = url.phone_context() {
        push(Step::DialWithin(context.as_bytes().to_vec()));
    }
    let digits = url.digits().collect::<String>();
    push(Step::CallNumber(digits.into_bytes()));
    if let Some(digits) = url.ext_digits() {
        let digits = digits.collect::<String>();
        push(Step::AskForExtension(digits.into_bytes()));
    }
    if let Some(subaddress) = url.isub() {
        push(Step::AskForSubaddress(subaddress.to_bytes().into_owned()));
    }
    Ok(plan)
}

/// Plans the resolution of a URN. The resolver receives the URN and its r-component (RFC 2141,
/// Appendix A; RFC 8141, 2.3).
fn urn(request: &Request<'_>) -> Result<Plan> {
    let url = Urn::read_as(request.reference, request.edition)?;
    let name = url.request().as_bytes().to_vec();
    let mut plan = Plan::new();
    plan.step(Step::AskUrnResolver(name));
    Ok(plan)
}

/// Plans the opening handshake of a WebSocket (RFC 6455, 4.1).
fn websocket(request: &Request<'_>) -> Result<Plan> {
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
