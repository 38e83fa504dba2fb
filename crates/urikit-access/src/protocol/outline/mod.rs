//! Schemes that this crate has no protocol for: what a client of the scheme does, so that it can be
//! explained. Nothing here is carried out.

mod tel;
mod urn;
mod websocket;

use crate::error::Result;
use crate::plan::{self, Plan};
use crate::request::Request;
use std::borrow::Cow;

/// A step of a client that this crate does not implement.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    /// Asks a URN resolver for this name.
    AskUrnResolver(Vec<u8>),
    /// Asks the user before calling.
    AskBeforeCall,
    /// Dials within this context.
    DialWithin(Vec<u8>),
    /// Calls this number, digits only.
    CallNumber(Vec<u8>),
    /// Asks for this extension, digits only.
    AskForExtension(Vec<u8>),
    /// Asks for this ISDN subaddress.
    AskForSubaddress(Vec<u8>),
    /// Sends a WebSocket key: 16 random octets in base64 (RFC 6455, 4.1).
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

/// What a client of the scheme does; `None` for a scheme that is not described here.
pub(crate) fn outline(request: &Request<'_>) -> Result<Option<Plan>> {
    let scheme = request.reference.scheme().unwrap_or_default();
    let is = |name: &str| scheme.eq_ignore_ascii_case(name);
    Ok(Some(if is("urn") {
        urn::outline(request)?
    } else if is("tel") {
        tel::outline(request)?
    } else if is("ws") || is("wss") {
        websocket::outline(request)?
    } else {
        return Ok(None);
    }))
}
