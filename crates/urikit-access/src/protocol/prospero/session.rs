//! Asks a server.

use super::ardp::{Exchange, Failure, Progress, Timing};
use super::command::{Command, text};
use super::config::Prospero;
use super::object::Object;
use crate::command::Command as _;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::Deadline;
use crate::policy::Refusal;
use std::net::{SocketAddr, SocketAddrV4};
use std::time::{Duration, Instant};

/// The longest answer, in octets. 65,535 packets of the usual size have 82 million.
const MAX_ANSWER: u64 = 96 << 20;

/// What a server says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// The text of the answer.
    Text(Vec<u8>),
    /// The server at another address is to be asked.
    Elsewhere(SocketAddrV4),
}

/// Why a server did not answer, and whether anything of it was received.
struct Unanswered {
    error: Error,
    is_heard: bool,
}

/// Sends a request to the server of an object, and receives the answer. If nothing comes from the
/// first address of the server, the next one is tried.
pub(super) fn ask(
    prospero: Prospero,
    object: &Object,
    commands: &[Command],
    context: &Context<'_>,
) -> Result<Answer> {
    let step = format!("asking {}:{}", object.host, object.port);
    let asked = try_ask(prospero, object, commands, context);
    asked.map_err(|error| error.at(step))
}

fn try_ask(
    prospero: Prospero,
    object: &Object,
    commands: &[Command],
    context: &Context<'_>,
) -> Result<Answer> {
    let peers = context.datagram_peers(&object.host, object.port)?;
    let request = text(commands);
    let max = context.connect_timeout();
    let connecting = Deadline::after(context.deadline().left(max)?);
    let mut failure: Option<Error> = None;
    for (index, peer) in peers.iter().enumerate() {
        context.record(Event::Connected {
            host: object.host.clone(),
            port: object.port,
            address: peer.ip(),
        });
        if index == 0 {
            for command in commands {
                context.record_sent(command);
            }
        }
        let addresses = u32::try_from(peers.len() - index).unwrap_or(u32::MAX);
        let within = connecting.left(max)? / addresses;
        match exchange(prospero, *peer, &request, within, context) {
            Ok(answer) => return Ok(answer),
            Err(Unanswered { error, is_heard }) => {
                let sent = commands.last().map(|command| command.masked());
                let error = error.sent(&sent.unwrap_or_default());
                if is_heard {
                    return Err(error);
                }
                failure = failure.or(Some(error));
            }
        }
    }
    Err(failure.unwrap_or_else(|| Error::new(ErrorKind::HostNotFound)))
}

/// Asks at one address. The first sign of an answer must come within a time.
fn exchange(
    prospero: Prospero,
    peer: SocketAddr,
    request: &[u8],
    within: Duration,
    context: &Context<'_>,
) -> std::result::Result<Answer, Unanswered> {
    let begin = Instant::now();
    let max = MAX_ANSWER.min(context.max_bytes());
    let new = |error| Unanswered {
        error,
        is_heard: false,
    };
    let mut datagrams = context.datagrams(peer).map_err(new)?;
    let timing = Timing {
        wait: prospero.wait,
        tries: prospero.tries,
        max_wait: context.idle_timeout(),
    };
    let id = connection_id(context).map_err(new)?;
    let octets = usize::try_from(max).unwrap_or(usize::MAX);
    let mut exchange =
        Exchange::new(id, request, octets, timing).map_err(|failure| new(failed(failure, max)))?;
    // The end of patience: for the first sign, and then for anything more.
    let mut end = within;
    loop {
        let is_heard = exchange.is_heard();
        let unanswered = |error| Unanswered { error, is_heard };
        for datagram in exchange.outgoing() {
            datagrams.send(&datagram).map_err(unanswered)?;
        }
        let now = begin.elapsed();
        if now >= end {
            return Err(unanswered(failed(Failure::Silence, max)));
        }
        let wait = exchange.due().min(end).saturating_sub(now);
        if wait.is_zero() {
            let again = exchange.check(now);
            if again.map_err(|failure| unanswered(failed(failure, max)))? {
                context.note("no answer: asking again");
            }
            continue;
        }
        let Some(datagram) = datagrams.receive(wait).map_err(unanswered)? else {
            continue;
        };
        let now = begin.elapsed();
        let progress = exchange.receive(datagram, now);
        if exchange.is_heard() {
            end = now.saturating_add(context.idle_timeout());
        }
        match progress.map_err(|failure| unanswered(failed(failure, max)))? {
            Progress::Waiting => {}
            Progress::Refused => {
                let error = Error::new(ErrorKind::server(None, b"ARDP: connection refused"));
                return Err(Unanswered {
                    error,
                    is_heard: true,
                });
            }
            Progress::Redirected(address) => return Ok(Answer::Elsewhere(address)),
            Progress::Complete => {
                for datagram in exchange.outgoing() {
                    // The answer is complete, whether or not the server learns of it.
                    let _ = datagrams.send(&datagram);
                }
                return Ok(Answer::Text(exchange.into_answer()));
            }
        }
    }
}

/// A connection id that nobody can predict. It is not 0.
fn connection_id(context: &Context<'_>) -> Result<u16> {
    loop {
        let mut octets = [0; 2];
        context.random(&mut octets)?;
        match u16::from_be_bytes(octets) {
            0 => {}
            id => return Ok(id),
        }
    }
}

fn failed(failure: Failure, max: u64) -> Error {
    match failure {
        Failure::TooLong => Refusal::Bytes { max }.into(),
        Failure::Silence => Error::new(ErrorKind::Timeout("the server did not respond in time")),
        Failure::Request => Error::new(ErrorKind::Unsupported("the object name is too long")),
    }
}
