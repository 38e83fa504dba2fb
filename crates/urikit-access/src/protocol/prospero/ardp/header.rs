//! The header of a datagram.

use std::net::{Ipv4Addr, SocketAddrV4};

/// The flag that asks for an acknowledgement.
pub const PLEASE_ACKNOWLEDGE: u8 = 0x80;
/// The flag of a packet that has a number, and no data.
pub const SEQUENCED_CONTROL: u8 = 0x40;
/// Flags whose fields come before those of the option: address information, whose length is not
/// defined, a priority and a protocol id of two octets each.
const ADDRESS: u8 = 0x01;
const PRIORITY: u8 = 0x02;
const PROTOCOL_ID: u8 = 0x04;

/// The length of a header up to the field "received through".
const THROUGH_LENGTH: u8 = 9;

/// The header of a datagram. A field that is left out has its default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The connection id; 0 for none.
    pub id: u16,
    /// The number of the packet in its message, from 1; 0 for a packet that is not part of it.
    pub packet: u16,
    /// The number of packets in the message; 0 if it is not known yet.
    pub total: u16,
    /// All packets of the other direction up to this one were received.
    pub through: u16,
    /// How many seconds to wait before anything is sent again.
    pub wait: Option<u16>,
    /// The flags.
    pub flags: u8,
    /// The option.
    pub notice: Notice,
}

/// The option of a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Notice {
    /// No option.
    None,
    /// 1: the connection is refused.
    Refused,
    /// 2: the received-through value replaces a higher one.
    Reset,
    /// 4 and 5: the request is for the server at this address.
    Redirect(SocketAddrV4),
    /// Another option, or one whose fields are missing. It changes nothing.
    Other(u8),
}

/// Why a datagram has no header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// It is empty.
    Empty,
    /// The version is not 0.
    Version(u8),
    /// The length is 0, or greater than that of the datagram.
    Length(u8),
}

impl Header {
    /// Splits a datagram into header and data.
    ///
    /// # Errors
    ///
    /// If it does not begin with a header.
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
        // Without a packet number, the message is this packet.
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

    /// A datagram with this header, up to the field "received through", and data.
    pub fn encode(&self, data: &[u8]) -> Vec<u8> {
        let mut datagram = Vec::with_capacity(usize::from(THROUGH_LENGTH) + data.len());
        datagram.push(THROUGH_LENGTH);
        for field in [self.id, self.packet, self.total, self.through] {
            datagram.extend_from_slice(&field.to_be_bytes());
        }
        datagram.extend_from_slice(data);
        datagram
    }

    /// A header of a packet with data.
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

    /// Whether a flag is set.
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

/// The address of a redirect: four octets, and two for the port.
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

/// A number of two octets in network order; `None` if the header ends before it does.
fn number(fields: &[u8], at: usize) -> Option<u16> {
    let octets: [u8; 2] = fields.get(at..)?.first_chunk().copied()?;
    Some(u16::from_be_bytes(octets))
}

#[cfg(test)]
mod tests {
    use super::{Header, Malformed, Notice};

    #[test]
    fn every_field_may_be_left_out() {
        let full = [
            17, 0x12, 0x34, 0, 2, 0, 3, 0, 1, 0, 9, 0x80, 254, 1, 2, 3, 4, b'x',
        ];
        for length in 1..=17_u8 {
            let mut datagram = full.get(..usize::from(length)).unwrap().to_vec();
            datagram[0] = length;
            datagram.push(b'x');
            let (header, data) = Header::decode(&datagram).unwrap();
            let has = |end: u8| length >= end;
            assert_eq!(data, b"x");
            assert_eq!(header.id, if has(3) { 0x1234 } else { 0 });
            assert_eq!(header.packet, if has(5) { 2 } else { 1 });
            let total = if has(7) { 3 } else { u16::from(!has(5)) };
            assert_eq!(header.total, total);
            assert_eq!(header.through, u16::from(has(9)));
            assert_eq!(header.wait, has(11).then_some(9));
            assert_eq!(header.flags, if has(12) { 0x80 } else { 0 });
            let notice = if has(13) {
                Notice::Other(254)
            } else {
                Notice::None
            };
            assert_eq!(header.notice, notice);
        }
    }

    #[test]
    fn datagrams_without_a_header() {
        for (datagram, error) in [
            (&b""[..], Malformed::Empty),
            (b"\0data", Malformed::Length(0)),
            (b"\x03\x12", Malformed::Length(3)),
            (b"\x3Fabc", Malformed::Length(63)),
            (b"\x43\x12\x34", Malformed::Version(1)),
            (b"VERSION 1", Malformed::Version(1)),
            (b"\xC9\x12\x34", Malformed::Version(3)),
        ] {
            assert_eq!(Header::decode(datagram), Err(error));
        }
    }

    #[test]
    fn a_redirect_has_an_address_after_the_fields_of_the_flags() {
        let address = "10.1.2.3:1525".parse().unwrap();
        for (flags, skipped) in [(0, 0), (0x02, 2), (0x04, 2), (0x86, 4)] {
            let mut datagram = vec![19 + skipped, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, flags, 4];
            datagram.resize(13 + usize::from(skipped), 0xEE);
            datagram.extend_from_slice(&[10, 1, 2, 3, 0x05, 0xF5]);
            let (header, _) = Header::decode(&datagram).unwrap();
            assert_eq!(header.notice, Notice::Redirect(address), "{flags}");
            // One octet less, and there is no address.
            datagram[0] -= 1;
            let (header, _) = Header::decode(&datagram).unwrap();
            assert_eq!(header.notice, Notice::Other(4));
        }
        let mut unknown = vec![19, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 4];
        unknown.extend_from_slice(&[10, 1, 2, 3, 0x05, 0xF5]);
        let (header, _) = Header::decode(&unknown).unwrap();
        assert_eq!(header.notice, Notice::Other(4));
    }

    #[test]
    fn a_request_in_one_packet() {
        let header = Header::of_packet(0x1211, 1, 1, 0);
        let datagram = header.encode(b"VERSION\n");
        assert_eq!(datagram, b"\x09\x12\x11\0\x01\0\x01\0\0VERSION\n");
        assert_eq!(Header::decode(&datagram), Ok((header, &b"VERSION\n"[..])));
    }
}
