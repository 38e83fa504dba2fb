//! Schemes that this crate has no protocol for: what a client of the scheme does, so that it can be
//! explained. Nothing here is carried out.

mod tel;
mod urn;
mod websocket;

use crate::error::Result;
use crate::plan::Plan;
use crate::request::Request;

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
