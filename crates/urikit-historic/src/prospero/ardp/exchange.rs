//! An exchange of one request and its response, which is assembled from packets. Times are passed
//! as arguments, and are measured from the first datagram.

use super::{Header, Notice, PLEASE_ACKNOWLEDGE, SEQUENCED_CONTROL};
use std::collections::BTreeMap;
use std::net::SocketAddrV4;
use std::time::Duration;

/// The maximum number of request octets in one datagram. Servers also use this size, and have
/// buffers of 1405 octets.
pub const MAX_DATA: usize = 1250;

/// The schedule for sending a request again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// The first waiting time for a response. Each later waiting time is twice as long as the
    /// previous one.
    pub wait: Duration,
    /// The maximum number of repetitions if nothing new is received.
    pub tries: u32,
    /// The maximum waiting time that a server may request.
    pub max_wait: Duration,
}

/// An exchange of one request and its response.
#[derive(Clone, Debug)]
pub struct Exchange {
    id: u16,
    request: Vec<u8>,
    response: Message,
    timing: Timing,
    /// The number of request packets that the server has received.
    accepted: u16,
    /// The waiting time that the server requested.
    requested: Duration,
    wait: Duration,
    due: Duration,
    tries: u32,
    is_heard: bool,
    outgoing: Vec<Vec<u8>>,
}

/// The state of an exchange after a datagram has been received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The response is not complete yet.
    Waiting,
    /// The response is complete.
    Complete,
    /// The server refused the connection.
    Refused,
    /// The request must be sent to the server at this address.
    Redirected(SocketAddrV4),
}

/// The reason why an exchange failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The response is too long.
    TooLong,
    /// The server did not respond, or stopped responding.
    Silence,
    /// The request does not fit in 65,535 packets.
    Request,
}

impl Exchange {
    /// Starts an exchange. `max` is the maximum length of the response in octets. Call
    /// [`outgoing`](Self::outgoing) to get the datagrams of the request.
    ///
    /// # Errors
    ///
    /// Fails if the request is too long.
    pub fn new(id: u16, request: &[u8], max: usize, timing: Timing) -> Result<Self, Failure> {
        if u16::try_from(request.len().div_ceil(MAX_DATA)).is_err() {
            return Err(Failure::Request);
        }
        let mut exchange = Self {
            id,
            request: request.to_vec(),
            response: Message::new(max),
            timing,
            accepted: 0,
            requested: Duration::ZERO,
            wait: timing.wait,
            due: timing.wait,
            tries: timing.tries,
            is_heard: false,
            outgoing: Vec::new(),
        };
        exchange.send_request();
        Ok(exchange)
    }

    /// Removes and returns the datagrams to send now.
    pub fn outgoing(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.outgoing)
    }

    /// Returns the time at which to call [`check`](Self::check) if no datagram arrives first.
    pub const fn due(&self) -> Duration {
        self.due
    }

    /// Returns true if any datagram of this connection has been received.
    pub const fn is_heard(&self) -> bool {
        self.is_heard
    }

    /// Returns the response up to the first missing packet.
    pub fn into_response(self) -> Vec<u8> {
        self.response.into_data()
    }

    /// Processes a datagram that has just been received. Ignores datagrams of other connections.
    ///
    /// # Errors
    ///
    /// Fails if the response is too long.
    pub fn receive(&mut self, datagram: &[u8], now: Duration) -> Result<Progress, Failure> {
        let Ok((header, data)) = Header::decode(datagram) else {
            return Ok(Progress::Waiting);
        };
        // When Prospero P5.3 sends a packet again, it swaps the octets of the id.
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
            let requested = Duration::from_secs(seconds.into()).min(self.timing.max_wait);
            if seconds > 0 || requested != self.requested {
                self.requested = requested;
                self.restart_wait(now);
            }
        }
        let data = if header.has(SEQUENCED_CONTROL) {
            &[]
        } else {
            data
        };
        let inserted = self.response.insert(header.packet, header.total, data);
        if inserted.map_err(|TooLong| Failure::TooLong)? {
            self.restart_wait(now);
        }
        if header.has(PLEASE_ACKNOWLEDGE) {
            self.acknowledge();
        }
        Ok(if self.response.is_complete() {
            Progress::Complete
        } else {
            Progress::Waiting
        })
    }

    /// Repeats the request if it is [due](Self::due). Returns true if the request was repeated.
    ///
    /// # Errors
    ///
    /// Fails if the request has already been repeated the maximum number of times.
    pub fn check(&mut self, now: Duration) -> Result<bool, Failure> {
        if now < self.due {
            return Ok(false);
        }
        self.tries = self.tries.checked_sub(1).ok_or(Failure::Silence)?;
        self.wait = self.wait.saturating_mul(2);
        self.due = now.saturating_add(self.wait);
        // An acknowledgement makes the server repeat the packets after the last acknowledged
        // packet. Repeating the request has the same effect, because the server keeps its
        // response. This code alternates between the two methods, because either message may be
        // lost, and some servers understand only one of them.
        if self.response.through() > 0 && self.tries % 2 == self.timing.tries.wrapping_sub(1) % 2 {
            self.acknowledge();
        } else {
            self.send_request();
        }
        Ok(true)
    }

    /// Resets the waiting time and the number of tries, because something new was received.
    fn restart_wait(&mut self, now: Duration) {
        self.wait = self.timing.wait.max(self.requested);
        self.due = now.saturating_add(self.wait);
        self.tries = self.timing.tries;
    }

    /// Returns the number of packets in the request.
    fn packets(&self) -> u16 {
        let packets = self.request.len().div_ceil(MAX_DATA).max(1);
        u16::try_from(packets).unwrap_or(u16::MAX)
    }

    fn send_request(&mut self) {
        let (total, through) = (self.packets(), self.response.through());
        // If the server already has the complete request, repeating it makes the server repeat its
        // response.
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
        let header = Header::of_packet(self.id, 0, 0, self.response.through());
        self.outgoing.push(header.encode(&[]));
    }
}

/// The maximum distance of a packet from the first missing packet. Packets further ahead are
/// dropped. Servers send up to 16 packets ahead.
pub(super) const MAX_AHEAD: u16 = 1024;

/// Assembles a message from packets, which may arrive in any order and more than once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The data before the first missing packet.
    data: Vec<u8>,
    /// The number of the last packet in `data`.
    through: u16,
    /// The received packets that follow the first missing packet.
    ahead: BTreeMap<u16, Vec<u8>>,
    total: Option<u16>,
    /// The total number of octets in `data` and `ahead`.
    octets: usize,
    max: usize,
}

/// The error for a message with more octets than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong;

impl Message {
    /// Starts a message of at most `max` octets.
    pub const fn new(max: usize) -> Self {
        Self {
            data: Vec::new(),
            through: 0,
            ahead: BTreeMap::new(),
            total: None,
            octets: 0,
            max,
        }
    }

    /// Returns the number of the last packet before the first missing packet, or 0.
    pub const fn through(&self) -> u16 {
        self.through
    }

    /// Returns true if all packets have been received.
    pub fn is_complete(&self) -> bool {
        self.total == Some(self.through)
    }

    /// Returns the data before the first missing packet.
    pub fn into_data(self) -> Vec<u8> {
        self.data
    }

    /// Adds a packet. Returns true if the packet was new. `total` is the number of packets in the
    /// message, or 0 if it is not known. Ignores duplicates, and packets that contradict earlier
    /// packets.
    ///
    /// # Errors
    ///
    /// Fails if the message exceeds its maximum length.
    pub fn insert(&mut self, packet: u16, total: u16, data: &[u8]) -> Result<bool, TooLong> {
        let last = self.ahead.last_key_value().map(|(packet, _)| *packet);
        let last = last.unwrap_or(0).max(self.through).max(packet);
        let total = match (self.total, total) {
            (known, 0) => known,
            (Some(known), total) if total != known => return Ok(false),
            (_, total) => Some(total),
        };
        if packet == 0 || total.is_some_and(|total| last > total) {
            return Ok(false);
        }
        // A duplicate may be the first packet that states the total.
        self.total = total;
        let is_known = packet <= self.through || self.ahead.contains_key(&packet);
        if is_known || packet - self.through > MAX_AHEAD {
            return Ok(false);
        }
        self.octets = self.octets.saturating_add(data.len());
        if self.octets > self.max {
            return Err(TooLong);
        }
        if self.through.checked_add(1) != Some(packet) {
            self.ahead.insert(packet, data.to_vec());
            return Ok(true);
        }
        self.append(data);
        while let Some(next) = self.through.checked_add(1)
            && let Some(data) = self.ahead.remove(&next)
        {
            self.append(&data);
        }
        Ok(true)
    }

    fn append(&mut self, data: &[u8]) {
        self.data.extend_from_slice(data);
        self.through = self.through.saturating_add(1);
    }
}
