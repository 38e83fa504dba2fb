//! One request and its answer: what to send, and when. Time is an argument, counted from the first
//! datagram.

use super::header::{Header, Notice, PLEASE_ACKNOWLEDGE, SEQUENCED_CONTROL};
use super::message::{Message, TooLong};
use std::net::SocketAddrV4;
use std::time::Duration;

/// How much of a request fits one datagram, in octets: what servers send too. The buffer of a
/// server holds 1405 octets.
pub const MAX_DATA: usize = 1250;

/// When a request is sent again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// How long to wait for the first sign of an answer. Each further wait is twice as long.
    pub wait: Duration,
    /// How often to send again without progress.
    pub tries: u32,
    /// The longest wait that a server may ask for.
    pub max_wait: Duration,
}

/// One request and its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    id: u16,
    request: Vec<u8>,
    answer: Message,
    timing: Timing,
    /// The server has these packets of the request.
    accepted: u16,
    /// The wait that the server asked for.
    asked: Duration,
    wait: Duration,
    due: Duration,
    tries: u32,
    is_heard: bool,
    outgoing: Vec<Vec<u8>>,
}

/// What came of a datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The answer is not complete.
    Waiting,
    /// The answer is complete.
    Complete,
    /// The server refused the connection.
    Refused,
    /// The request is for the server at this address.
    Redirected(SocketAddrV4),
}

/// Why an exchange ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The answer is too long.
    TooLong,
    /// The server did not answer, or stopped answering.
    Silence,
    /// The request does not fit 65,535 packets.
    Request,
}

impl Exchange {
    /// Begins with a request, which is outgoing. `max` limits the octets of the answer.
    ///
    /// # Errors
    ///
    /// If the request is too long.
    pub fn new(id: u16, request: &[u8], max: usize, timing: Timing) -> Result<Self, Failure> {
        if u16::try_from(request.len().div_ceil(MAX_DATA)).is_err() {
            return Err(Failure::Request);
        }
        let mut exchange = Self {
            id,
            request: request.to_vec(),
            answer: Message::new(max),
            timing,
            accepted: 0,
            asked: Duration::ZERO,
            wait: timing.wait,
            due: timing.wait,
            tries: timing.tries,
            is_heard: false,
            outgoing: Vec::new(),
        };
        exchange.send_request();
        Ok(exchange)
    }

    /// Takes the datagrams that are to be sent now.
    pub fn outgoing(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.outgoing)
    }

    /// When [`check`](Self::check) is to be called, if nothing is received before.
    pub const fn due(&self) -> Duration {
        self.due
    }

    /// Whether anything of this connection was received.
    pub const fn is_heard(&self) -> bool {
        self.is_heard
    }

    /// The answer as far as it was received without a gap; all of it, once it is complete.
    pub fn into_answer(self) -> Vec<u8> {
        self.answer.into_data()
    }

    /// Takes a datagram that was received now. One of another connection changes nothing.
    ///
    /// # Errors
    ///
    /// If the answer is too long.
    pub fn receive(&mut self, datagram: &[u8], now: Duration) -> Result<Progress, Failure> {
        let Ok((header, data)) = Header::decode(datagram) else {
            return Ok(Progress::Waiting);
        };
        // Prospero P5.3 swaps the octets of the id in what it sends again.
        if header.id != self.id && header.id != self.id.swap_bytes() {
            return Ok(Progress::Waiting);
        }
        self.is_heard = true;
        let through = header.through.min(self.packets());
        self.accepted = match header.notice {
            Notice::Refused => return Ok(Progress::Refused),
            Notice::Redirect(address) => return Ok(Progress::Redirected(address)),
            Notice::Reset => through,
            Notice::None | Notice::Other(_) => self.accepted.max(through),
        };
        if let Some(seconds) = header.wait {
            let asked = Duration::from_secs(seconds.into()).min(self.timing.max_wait);
            if seconds > 0 || asked != self.asked {
                self.asked = asked;
                self.progress(now);
            }
        }
        let data = if header.has(SEQUENCED_CONTROL) {
            &[]
        } else {
            data
        };
        let inserted = self.answer.insert(header.packet, header.total, data);
        if inserted.map_err(|TooLong| Failure::TooLong)? {
            self.progress(now);
        }
        if header.has(PLEASE_ACKNOWLEDGE) {
            self.acknowledge();
        }
        Ok(if self.answer.is_complete() {
            Progress::Complete
        } else {
            Progress::Waiting
        })
    }

    /// Sends again what is [due](Self::due), and says whether anything was.
    ///
    /// # Errors
    ///
    /// If the request was sent as often as allowed.
    pub fn check(&mut self, now: Duration) -> Result<bool, Failure> {
        if now < self.due {
            return Ok(false);
        }
        self.tries = self.tries.checked_sub(1).ok_or(Failure::Silence)?;
        self.wait = self.wait.saturating_mul(2);
        self.due = now.saturating_add(self.wait);
        // An acknowledgement makes the server send what follows again; so does the request, of
        // which it keeps the answer. Either may be lost, or not be understood.
        if self.answer.through() > 0 && self.tries % 2 == self.timing.tries.wrapping_sub(1) % 2 {
            self.acknowledge();
        } else {
            self.send_request();
        }
        Ok(true)
    }

    /// Something new was received: waits as at the beginning.
    fn progress(&mut self, now: Duration) {
        self.wait = self.timing.wait.max(self.asked);
        self.due = now.saturating_add(self.wait);
        self.tries = self.timing.tries;
    }

    /// The number of packets of the request.
    fn packets(&self) -> u16 {
        let packets = self.request.len().div_ceil(MAX_DATA).max(1);
        u16::try_from(packets).unwrap_or(u16::MAX)
    }

    fn send_request(&mut self) {
        let (total, through) = (self.packets(), self.answer.through());
        // A server that has all of the request is asked for the answer by sending it again.
        let accepted = if self.accepted < total {
            self.accepted
        } else {
            0
        };
        for packet in accepted.saturating_add(1)..=total {
            let from = usize::from(packet - 1) * MAX_DATA;
            let rest = self.request.get(from..).unwrap_or_default();
            let data = rest.get(..MAX_DATA).unwrap_or(rest);
            let header = Header::of_packet(self.id, packet, total, through);
            self.outgoing.push(header.encode(data));
        }
    }

    fn acknowledge(&mut self) {
        let header = Header::of_packet(self.id, 0, 0, self.answer.through());
        self.outgoing.push(header.encode(&[]));
    }
}

#[cfg(test)]
mod tests;
