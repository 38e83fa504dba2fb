//! ARDP, the Asynchronous Reliable Delivery Protocol, which sends one message in each direction
//! over UDP.
//!
//! ```text
//! octets  field              default     octets  field                       default
//! 0       version, length    required    9-10    seconds to wait             unchanged
//! 1-2     connection id      0           11      flags                       0
//! 3-4     packet number      1           12      option                      0
//! 5-6     number of packets  see below   13-     fields of flags and option
//! 7-8     received through   0                   data
//! ```
//!
//! A header may end after any field. The number of packets is 0 until it is known, because servers
//! know the number only when they send the last packet. If the number of packets and the packet
//! number are both omitted, the number of packets is 1.
//!
//! This module uses neither sockets nor a clock: [`Exchange`] receives datagrams and the time, and
//! returns the datagrams to send. The module follows the description of the protocol (Neuman, "The
//! Prospero Protocol") and recorded exchanges with servers.
//!
//! ```
//! use std::time::Duration;
//! use urikit_historic::prospero::ardp::{Exchange, Progress, Timing};
//! let timing = Timing {
//!     wait: Duration::from_secs(4),
//!     tries: 3,
//!     max_wait: Duration::from_secs(60),
//! };
//! let mut exchange = Exchange::new(0x1234, b"VERSION\n", 1000, timing).unwrap();
//! assert_eq!(exchange.outgoing(), [b"\x09\x12\x34\0\x01\0\x01\0\0VERSION\n"]);
//! assert_eq!(exchange.due(), Duration::from_secs(4));
//!
//! let response = b"\x03\x12\x34VERSION 5\n";
//! let progress = exchange.receive(response, Duration::from_secs(1));
//! assert_eq!(progress, Ok(Progress::Complete));
//! assert_eq!(exchange.into_response(), b"VERSION 5\n");
//! ```

mod exchange;
#[cfg(test)]
mod tests;

pub use exchange::{Exchange, Failure, MAX_DATA, Message, Progress, Timing, TooLong};

use std::net::{Ipv4Addr, SocketAddrV4};

/// The flag that requests an acknowledgement.
pub const PLEASE_ACKNOWLEDGE: u8 = 0x80;
/// The flag for a packet that has a number but no data.
pub const SEQUENCED_CONTROL: u8 = 0x40;
/// The flag for address information, whose length the protocol does not define. This information
/// comes before the option's fields, as do the priority and the protocol id.
const ADDRESS: u8 = 0x01;
/// The flag for a two-octet priority.
const PRIORITY: u8 = 0x02;
/// The flag for a two-octet protocol id.
const PROTOCOL_ID: u8 = 0x04;

/// The length of a header that ends with the field "received through".
const THROUGH_LENGTH: u8 = 9;

/// The header of a datagram. Omitted fields have their default values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The connection id, or 0.
    pub id: u16,
    /// The number of the packet in its message, counting from 1, or 0 if the packet is not part of
    /// the message.
    pub packet: u16,
    /// The number of packets in the message, or 0 if it is not known yet.
    pub total: u16,
    /// The highest number up to which all packets from the other side have been received.
    pub through: u16,
    /// The number of seconds to wait before sending any packet again.
    pub wait: Option<u16>,
    /// The flags.
    pub flags: u8,
    /// The option.
    pub notice: Notice,
}

/// The option in a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Notice {
    /// The header has no option.
    None,
    /// Option 1: the server refuses the connection.
    Refused,
    /// Option 2: the value of `through` replaces a higher value.
    Reset,
    /// Options 4 and 5: the request must be sent to the server at this address.
    Redirect(SocketAddrV4),
    /// Another option, or an option with missing fields. Clients ignore these options.
    Other(u8),
}

/// The reason why a datagram has no valid header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// The datagram is empty.
    Empty,
    /// The header has a version other than 0.
    Version(u8),
    /// The length of the header is 0, or exceeds the length of the datagram.
    Length(u8),
}

impl Header {
    /// Splits a datagram into its header and its data.
    ///
    /// # Errors
    ///
    /// Fails if the datagram does not begin with a header.
    pub fn decode(datagram: &[u8]) -> Result<(Self, &[u8]), Malformed> {
        let first = *datagram.first().ok_or(Malformed::Empty)?;
        let (version, length) = (first >> 6, first & 0x3F);
        if version != 0 {
            return Err(Malformed::Version(version));
        }
        let (fields, data) = datagram
            .split_at_checked(usize::from(length))
            .ok_or(Malformed::Length(length))?;
        if fields.is_empty() {
            return Err(Malformed::Length(length));
        }
        let number = |at: usize| number(fields, at);
        let octet = |at: usize| fields.get(at).copied().unwrap_or(0);
        let packet = number(3);
        // Without a packet number, this packet is the complete message.
        let total = number(5).unwrap_or(u16::from(packet.is_none()));
        let flags = octet(11);
        let header = Self {
            id: number(1).unwrap_or(0),
            packet: packet.unwrap_or(1),
            total,
            through: number(7).unwrap_or(0),
            wait: number(9),
            flags,
            notice: Notice::of(octet(12), flags, fields),
        };
        Ok((header, data))
    }

    /// Writes a datagram, with this header up to the field "received through", and the data.
    pub fn encode(&self, data: &[u8]) -> Vec<u8> {
        let mut datagram = Vec::with_capacity(usize::from(THROUGH_LENGTH) + data.len());
        datagram.push(THROUGH_LENGTH);
        for field in [self.id, self.packet, self.total, self.through] {
            datagram.extend_from_slice(&field.to_be_bytes());
        }
        datagram.extend_from_slice(data);
        datagram
    }

    /// Creates the header of a packet.
    pub const fn of_packet(id: u16, packet: u16, total: u16, through: u16) -> Self {
        Self {
            id,
            packet,
            total,
            through,
            wait: None,
            flags: 0,
            notice: Notice::None,
        }
    }

    /// Returns true if a flag is set.
    pub const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

impl Notice {
    fn of(option: u8, flags: u8, fields: &[u8]) -> Self {
        match option {
            0 => Self::None,
            1 => Self::Refused,
            2 => Self::Reset,
            4 | 5 => address(flags, fields).map_or(Self::Other(option), Self::Redirect),
            other => Self::Other(other),
        }
    }
}

/// Reads the address of a redirect, which consists of four octets for the host and two for the
/// port. Returns `None` if the header ends before the address, or if the position of the address
/// is unknown.
fn address(flags: u8, fields: &[u8]) -> Option<SocketAddrV4> {
    if flags & ADDRESS != 0 {
        return None;
    }
    let skipped = [PRIORITY, PROTOCOL_ID].map(|flag| usize::from(flags & flag != 0) * 2);
    let at = 13 + skipped.iter().sum::<usize>();
    let octets: [u8; 4] = fields.get(at..)?.first_chunk().copied()?;
    Some(SocketAddrV4::new(
        Ipv4Addr::from(octets),
        number(fields, at + 4)?,
    ))
}

/// Reads a two-octet number in network byte order. Returns `None` if the header ends before the
/// number.
fn number(fields: &[u8], at: usize) -> Option<u16> {
    let octets: [u8; 2] = fields.get(at..)?.first_chunk().copied()?;
    Some(u16::from_be_bytes(octets))
}
