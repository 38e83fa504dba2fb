//! Puts the packets of a message together.

use std::collections::BTreeMap;

/// How far ahead of the first missing packet others are kept. The window of a server is 16.
const MAX_AHEAD: u16 = 1024;

/// A message of which packets are received, in any order and any number of times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The data up to the first missing packet.
    data: Vec<u8>,
    /// All packets up to this one are in it.
    through: u16,
    /// Packets after a missing one.
    ahead: BTreeMap<u16, Vec<u8>>,
    total: Option<u16>,
    /// The number of octets, including those ahead.
    octets: usize,
    max: usize,
}

/// The message has more octets than are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong;

impl Message {
    /// A message of at most `max` octets, of which nothing was received.
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

    /// All packets up to this one were received; 0 for none.
    pub const fn through(&self) -> u16 {
        self.through
    }

    /// Whether all packets were received.
    pub fn is_complete(&self) -> bool {
        self.total == Some(self.through)
    }

    /// The data of a complete message.
    pub fn into_data(self) -> Vec<u8> {
        self.data
    }

    /// Takes a packet, and says whether it was new. A `total` of 0 is unknown. What contradicts
    /// earlier packets is ignored, as a duplicate is.
    ///
    /// # Errors
    ///
    /// If the message becomes too long.
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
        // A duplicate may be the first to have the total.
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

#[cfg(test)]
mod tests {
    use super::{MAX_AHEAD, Message, TooLong};

    fn new() -> Message {
        Message::new(100)
    }

    #[test]
    fn packets_in_any_order() {
        let packets = [(1, 0, "a"), (2, 0, "b"), (3, 3, "c")];
        for order in [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ] {
            let mut message = new();
            for index in order {
                assert!(!message.is_complete());
                let (packet, total, data): (u16, u16, &str) = packets[index];
                assert_eq!(message.insert(packet, total, data.as_bytes()), Ok(true));
                assert_eq!(message.insert(packet, total, b"other"), Ok(false));
            }
            assert!(message.is_complete());
            assert_eq!(message.into_data(), b"abc");
        }
    }

    #[test]
    fn a_duplicate_may_bring_the_total() {
        let mut message = new();
        assert_eq!(message.insert(1, 0, b"a"), Ok(true));
        assert!(!message.is_complete());
        assert_eq!(message.insert(1, 1, b"a"), Ok(false));
        assert!(message.is_complete());
    }

    #[test]
    fn contradictions_are_ignored() {
        let mut message = new();
        for (packet, total, is_new) in [
            (0, 0, false),
            (3, 0, true),
            (1, 2, false),
            (2, 1, false),
            (4, 3, false),
            (1, 4, true),
            (2, 5, false),
            (5, 0, false),
            (2, 0, true),
            (4, 4, true),
        ] {
            let inserted = message.insert(packet, total, b"x");
            assert_eq!(inserted, Ok(is_new), "{packet} of {total}");
        }
        assert!(message.is_complete());
        assert_eq!(message.into_data(), b"xxxx");
    }

    #[test]
    fn limits() {
        let mut message = new();
        assert_eq!(message.insert(MAX_AHEAD + 1, 0, b"x"), Ok(false));
        assert_eq!(message.insert(MAX_AHEAD, 0, b"x"), Ok(true));
        assert_eq!(message.insert(1, 0, &[0; 99]), Ok(true));
        assert_eq!(message.insert(2, 0, b"x"), Err(TooLong));
        let mut message = Message::new(usize::MAX);
        for packet in 1..=u16::MAX {
            assert_eq!(message.insert(packet, 0, b"x"), Ok(true));
        }
        assert_eq!(message.insert(u16::MAX, u16::MAX, b"x"), Ok(false));
        assert!(message.is_complete());
        assert_eq!(message.into_data().len(), 65535);
    }
}
