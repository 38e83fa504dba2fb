//! Batches: reads JSON lines, and writes a JSON line for each of them while the request is still
//! arriving.

use super::body::{Buffer, frame, held};
use super::operation::Operation;
use super::values::Values;
use super::{from_json, json, slow};
use crate::guard::Shared;
use crate::problem::{Problem, ProblemType};
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http_body_util::channel::{Channel, Sender};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};
use urikit_access::Client;

/// The number of output pieces that may wait for the client.
const WAITING: usize = 1;

/// The length in bytes at which a piece of output is sent.
const FULL: usize = 256 << 10;

/// Answers a batch. Each line is an object with parameters, or a string if exactly one parameter is
/// required; `defaults` are the parameters in the query. If a line fails, its result is a problem
/// object. A problem with the batch itself becomes the last line of the response.
pub(super) fn answer(
    operation: &'static Operation,
    defaults: Values,
    body: Body,
    shared: &Arc<Shared>,
) -> Result<Response, Problem> {
    let turn = shared.batches.clone().try_acquire_owned();
    let turn = turn.map_err(|_| Problem::new(ProblemType::Busy, "too many batches at once"))?;
    let (mut sender, channel) = Channel::<Bytes, Infallible>::new(WAITING);
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        if let Err(problem) = copy(operation, defaults, body, &shared, &mut sender).await {
            let line = problem.json() + "\n";
            // An error only means that the client has disconnected.
            let _ = sender.send_data(line.into()).await;
        }
        drop(turn);
    });
    Ok(json(Body::new(channel), "application/x-ndjson"))
}

/// Reads lines, and sends their results.
async fn copy(
    operation: &'static Operation,
    defaults: Values,
    mut body: Body,
    shared: &Shared,
    sender: &mut Sender<Bytes, Infallible>,
) -> Result<(), Problem> {
    let limits = &shared.limits;
    let deadline = Instant::now() + limits.batch_time;
    let defaults = Arc::new(defaults);
    let mut buffer = Buffer::new();
    let mut count = 0;
    loop {
        let data = frame(&mut body, deadline).await?;
        if let Some(data) = &data {
            buffer.append(data, shared)?;
        }
        let end = match buffer.iter().rposition(|byte| *byte == b'\n') {
            _ if data.is_none() => buffer.len(),
            Some(last) => last + 1,
            None => 0,
        };
        let rest = buffer.len() - end;
        if rest > limits.body {
            let detail = format!("the maximum for a line is {} bytes", limits.body);
            return Err(Problem::new(ProblemType::BodyTooLarge, detail));
        }
        let mut lines = buffer.split_to(end);
        while !lines.is_empty() {
            let (defaults, most) = (Arc::clone(&defaults), limits.batch - count);
            let piece = lines.clone();
            let planner = shared.planner.clone();
            let work = move || Ok(results(operation, &defaults, &planner, &piece, most));
            let (out, done, length) = slow(shared, work).await?;
            count += done;
            let _ = lines.split_to(length.min(lines.len()));
            if length == 0 {
                let detail = format!("the maximum is {} lines", limits.batch);
                return Err(Problem::new(ProblemType::BatchTooLong, detail));
            }
            let out = held(out, shared)?;
            match timeout_at(deadline, sender.send_data(out)).await {
                Ok(Ok(())) => {}
                // The client has disconnected.
                Ok(Err(_)) => return Ok(()),
                Err(_) => {
                    let detail = "the results were not received in time";
                    return Err(Problem::new(ProblemType::Timeout, detail));
                }
            }
        }
        if data.is_none() {
            return Ok(());
        }
    }
}

/// Returns the results of the first lines, at most `most` of them, with the number and the total
/// length of these lines. The length is 0 if no more lines are allowed.
fn results(
    operation: &Operation,
    defaults: &Values,
    planner: &Client,
    lines: &[u8],
    most: usize,
) -> (Vec<u8>, usize, usize) {
    let mut out = Vec::new();
    let (mut count, mut length) = (0, 0);
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii();
        if out.len() >= FULL || count == most && !text.is_empty() {
            break;
        }
        length += line.len();
        if text.is_empty() {
            continue;
        }
        count += 1;
        let before = out.len();
        let values = from_json(text, operation).map(|values| values.or(defaults));
        if let Err(problem) = values.and_then(|values| operation.run(&values, planner, &mut out)) {
            out.truncate(before);
            out.extend_from_slice(problem.json().as_bytes());
            out.push(b'\n');
        }
    }
    (out, count, length)
}
