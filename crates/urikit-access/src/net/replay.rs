//! What a server sends, from memory: replies are read in tests and by fuzz targets without one.

use std::io::{self, Read};

/// Octets that arrive in pieces of one length, and then the end of the connection.
#[derive(Debug)]
pub(super) struct Replay {
    octets: io::Cursor<Vec<u8>>,
    piece: usize,
}

impl Replay {
    pub(super) fn new(octets: &[u8], piece: usize) -> Self {
        Self {
            octets: io::Cursor::new(octets.to_vec()),
            piece: piece.max(1),
        }
    }
}

impl Read for Replay {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let piece = bytes.len().min(self.piece);
        self.octets.read(bytes.get_mut(..piece).unwrap_or_default())
    }
}
