//! Line ends of transfers of TYPE A: CR LF on the network (RFC 959, 3.1.1.1), those of the local
//! system on this machine.

/// Whether lines end in CR LF here too.
const IS_LOCAL: bool = cfg!(windows);

/// Replaces CR LF by the line end of this machine, in pieces. A CR alone stays.
#[derive(Default)]
pub(super) struct LocalLines {
    /// Whether the last octet was a CR, which was not passed on yet.
    has_cr: bool,
    text: Vec<u8>,
}

impl LocalLines {
    /// The local text of the next octets.
    pub(super) fn read(&mut self, octets: &[u8]) -> &[u8] {
        self.text.clear();
        if IS_LOCAL {
            self.text.extend_from_slice(octets);
            return &self.text;
        }
        let mut rest = octets;
        while let Some(first) = rest.first() {
            if std::mem::take(&mut self.has_cr) && *first != b'\n' {
                self.text.push(b'\r');
            }
            let cr = memchr::memchr(b'\r', rest);
            let (text, more) = rest.split_at(cr.unwrap_or(rest.len()));
            self.text.extend_from_slice(text);
            self.has_cr = cr.is_some();
            rest = if self.has_cr {
                more.get(1..).unwrap_or_default()
            } else {
                more
            };
        }
        &self.text
    }

    /// What is left at the end.
    pub(super) fn end(&mut self) -> &[u8] {
        self.text.clear();
        if std::mem::take(&mut self.has_cr) {
            self.text.push(b'\r');
        }
        &self.text
    }
}

/// Replaces LF by CR LF, in pieces. A CR LF stays.
#[derive(Default)]
pub(super) struct NetworkLines {
    has_cr: bool,
    text: Vec<u8>,
}

impl NetworkLines {
    /// The text of the next octets as it is sent.
    pub(super) fn write(&mut self, octets: &[u8]) -> &[u8] {
        self.text.clear();
        for octet in octets {
            if *octet == b'\n' && !self.has_cr {
                self.text.push(b'\r');
            }
            self.has_cr = *octet == b'\r';
            self.text.push(*octet);
        }
        &self.text
    }
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::{LocalLines, NetworkLines};

    #[test]
    fn line_ends_in_pieces() {
        for (network, local) in [
            ("one\r\ntwo\r\n", "one\ntwo\n"),
            ("a\r\r\nb", "a\r\nb"),
            ("a\rb\r", "a\rb\r"),
            ("\r\n\r\n", "\n\n"),
            ("\r\r", "\r\r"),
            ("", ""),
        ] {
            for piece in 1..=network.len().max(1) {
                let mut lines = LocalLines::default();
                let mut found = Vec::new();
                for part in network.as_bytes().chunks(piece) {
                    found.extend_from_slice(lines.read(part));
                }
                found.extend_from_slice(lines.end());
                assert_eq!(found, local.as_bytes(), "{network:?} by {piece}");
            }
        }
        let mut lines = NetworkLines::default();
        assert_eq!(lines.write(b"a\nb\r"), b"a\r\nb\r");
        assert_eq!(lines.write(b"\nc\n\n"), b"\nc\r\n\r\n");
    }
}
