//! Sending: `PUT`, which stores the body under the URL, or `POST`, by which the URL decides (RFC
//! 9110, 9.3). The body is read while it is sent.

use super::config::Http;
use super::plan::{Condition, Step};
use super::request::HttpRequest;
use super::{connected, judge, response};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::http1::{Exchange, Streamed};
use crate::output::Output;
use crate::plan::{Action, Plan};
use crate::policy::Refusal;
use crate::protocol::Outcome;
use crate::upload::{Body, Mode, Upload};
use bytes::Bytes;

/// The most bytes that are sent with an answer to a challenge: they are sent more than once, so that
/// they are kept in memory.
const MAX_AGAIN: usize = 16 << 20;

/// What would be sent.
pub(super) fn plan(http: &Http, upload: &Upload<'_>) -> Result<Plan> {
    check(upload)?;
    let mut plan = HttpRequest::of_upload(http, upload, upload.size)?.plan();
    plan.push(Action::SendBody);
    if http.uses_digest && upload.request.credentials.is_some() {
        plan.step_if(Condition::LoginRequired, Step::AnswerChallenge);
    }
    Ok(plan)
}

/// Sends the body. What the response contains is written to `output`.
pub(super) fn send(
    http: &Http,
    upload: &Upload<'_>,
    context: &mut Context<'_>,
    body: &mut Body<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    check(upload)?;
    let request = &upload.request;
    let mut message = HttpRequest::of_upload(http, upload, body.size())?;
    message.warn(context);
    if body.size() == Some(0) {
        // Nothing else reads it.
        body.read()?;
    }
    let mut exchange = match request.credentials.filter(|_| http.uses_digest) {
        None => streamed(&message, context, body.size(), &mut || next(body))?,
        Some(credentials) => {
            let size = body.size();
            message.set_body(Bytes::from(kept(body)?));
            loop {
                let exchange = again(&message, context, size)?;
                if !message.answer(&exchange.head, credentials)? {
                    break exchange;
                }
                http.store_cookies(&exchange.head, request);
            }
        }
    };
    http.store_cookies(&exchange.head, request);
    let taken = response::take(request, &mut exchange, http.decodes, output);
    match taken.map_err(|error| message.at(error))? {
        Outcome::Done => {}
        Outcome::Redirect(to) | Outcome::SeeOther(to) => {
            let what = "the server redirects to another URL, to which nothing is sent";
            let error = Error::new(ErrorKind::Unsupported(what));
            let to = [&*exchange.head.line, b", to ", to.as_bytes()].concat();
            return Err(message.at(error.received(&to)));
        }
    }
    http.put_back(exchange, &message, context);
    Ok(())
}

/// Refuses what HTTP cannot do.
fn check(upload: &Upload<'_>) -> Result<()> {
    let what = if upload.mode == Mode::Append {
        "HTTP cannot append"
    } else if upload.resumes {
        "HTTP cannot resume what is sent"
    } else if upload.via_temporary {
        "HTTP has no temporary names: a server stores complete bodies only"
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::Unsupported(what)))
}

/// Sends a request with a body, over a new connection: it could not be repeated if a pooled one has
/// ended.
fn streamed(
    message: &HttpRequest,
    context: &mut Context<'_>,
    size: Option<u64>,
    next: &mut dyn FnMut() -> Result<Bytes>,
) -> Result<Exchange> {
    let longest = context.max_line();
    let mut exchange = || {
        judge(message, context)?;
        let connection = connected(message, context)?;
        let body = Streamed { size, next };
        Exchange::begin_streamed(context.runtime(), connection, message.sent(), body, longest)
    };
    exchange().map_err(|error| message.at(error))
}

/// Sends a request with a body that is in memory.
fn again(message: &HttpRequest, context: &mut Context<'_>, size: Option<u64>) -> Result<Exchange> {
    let mut rest = message.body().clone();
    streamed(message, context, size, &mut || {
        Ok(std::mem::take(&mut rest))
    })
}

/// The next bytes of a body. The last ones are returned only if its size is as announced.
fn next(body: &mut Body<'_>) -> Result<Bytes> {
    let piece = Bytes::copy_from_slice(body.read()?);
    if body.size() == Some(body.sent()) && !piece.is_empty() {
        body.read()?;
    }
    Ok(piece)
}

/// All of a body that may be sent again.
fn kept(body: &mut Body<'_>) -> Result<Vec<u8>> {
    let all = body.read_all(MAX_AGAIN);
    all.map_err(|error| match error.kind() {
        ErrorKind::Refused(Refusal::Bytes { max }) if usize::try_from(*max) == Ok(MAX_AGAIN) => {
            let what = "with Digest, at most 16 MiB can be sent, as they may be sent again";
            Error::new(ErrorKind::Unsupported(what))
        }
        _ => error,
    })
}
