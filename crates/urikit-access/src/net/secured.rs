//! A TLS connection on a [`Socket`]. Depending on the mode of the socket, a call that cannot
//! proceed either waits or fails.
//!
//! This module provides its own buffers to rustls, using its "unbuffered" API. The internal
//! buffers of rustls would grow to 32 KiB for the largest records, and rustls would read only 4
//! KiB at a time.

use super::drive::Idle;
use super::socket::Socket;
use rustix::net::{RecvFlags, recv};
use rustls::client::UnbufferedClientConnection;
use rustls::unbuffered::{ConnectionState, EncodeError, EncryptError, UnbufferedStatus};
use std::fmt;
use std::io::{self, Read, Write};

/// The size of the buffer for received octets, which holds one record of the maximum size (RFC
/// 8446, 5.2) and its header.
const RECORD: usize = (16 << 10) + 256 + 5;

/// The maximum size of a handshake message, which may take several records. rustls accepts 64 KiB.
const MESSAGE: usize = (64 << 10) + RECORD;

/// The maximum number of octets that fit in one record.
const PLAIN: usize = 16 << 10;

/// An upper bound on the number of octets that a record adds to its data, in any version of TLS.
const OVERHEAD: usize = 64;

/// A TLS connection. The buffers are empty while the connection is idle.
pub(super) struct Secured {
    connection: UnbufferedClientConnection,
    pub(super) socket: Socket,
    /// Received octets. The first `filled` octets have not been decrypted yet.
    incoming: Vec<u8>,
    filled: usize,
    /// Decrypted octets. The first `taken` octets have already been read.
    plain: Vec<u8>,
    taken: usize,
    /// Encrypted octets. The first `sent` octets have already been sent.
    outgoing: Vec<u8>,
    sent: usize,
    /// True if the server ended the connection with an alert.
    is_ended: bool,
}

/// The operation to perform once the state of the TLS connection allows it.
enum Intent<'a> {
    Wait,
    Read(&'a mut [u8]),
    Write(&'a [u8]),
    Close,
}

/// The outcome of processing the octets that the server sent.
enum Event {
    /// Octets were decrypted, and this number of them was copied to the caller's buffer.
    Data(usize),
    /// The handshake is complete, and this number of octets was encrypted.
    Ready(usize),
    /// The handshake needs more octets.
    Handshake,
    /// The server ended the connection.
    Ended,
}

impl Secured {
    /// Performs the handshake.
    pub(super) fn handshake(
        connection: UnbufferedClientConnection,
        socket: Socket,
    ) -> io::Result<Self> {
        let mut secured = Self {
            connection,
            socket,
            incoming: Vec::new(),
            filled: 0,
            plain: Vec::new(),
            taken: 0,
            outgoing: Vec::new(),
            sent: 0,
            is_ended: false,
        };
        loop {
            let event = secured.advance(Intent::Wait)?;
            secured.flush()?;
            match event {
                Event::Ready(_) => return Ok(secured),
                Event::Data(_) => {}
                Event::Handshake => secured.receive()?,
                Event::Ended => {
                    return Err(ended("the connection was closed during the TLS handshake"));
                }
            }
        }
    }

    /// Processes received octets until the intended operation is complete, or until more octets
    /// are needed.
    fn advance(&mut self, mut intent: Intent<'_>) -> io::Result<Event> {
        loop {
            let received = self.incoming.get_mut(..self.filled).unwrap_or_default();
            let UnbufferedStatus {
                mut discard, state, ..
            } = self.connection.process_tls_records(received);
            let event = match state {
                Ok(ConnectionState::ReadTraffic(mut traffic)) => {
                    let mut count = 0;
                    while let Some(record) = traffic.next_record() {
                        let record = record.map_err(invalid)?;
                        discard += record.discard;
                        let rest = match &mut intent {
                            Intent::Read(bytes) if count == 0 => {
                                count = bytes.len().min(record.payload.len());
                                let (now, rest) = record.payload.split_at(count);
                                if let Some(to) = bytes.get_mut(..count) {
                                    to.copy_from_slice(now);
                                }
                                rest
                            }
                            _ => record.payload,
                        };
                        self.plain.extend_from_slice(rest);
                    }
                    Some(Event::Data(count))
                }
                Ok(ConnectionState::EncodeTlsData(mut data)) => {
                    encode(&mut self.outgoing, |buffer| match data.encode(buffer) {
                        Ok(count) => Ok(count),
                        Err(EncodeError::InsufficientSize(size)) => Err(Some(size.required_size)),
                        Err(EncodeError::AlreadyEncoded) => Err(None),
                    })?;
                    None
                }
                Ok(ConnectionState::TransmitTlsData(data)) => {
                    data.done();
                    None
                }
                Ok(ConnectionState::WriteTraffic(mut traffic)) => {
                    let count = match intent {
                        Intent::Write(bytes) => {
                            encode(&mut self.outgoing, |buffer| {
                                sized(traffic.encrypt(bytes, buffer))
                            })?;
                            bytes.len()
                        }
                        Intent::Close => encode(&mut self.outgoing, |buffer| {
                            sized(traffic.queue_close_notify(buffer))
                        })?,
                        Intent::Wait | Intent::Read(_) => 0,
                    };
                    intent = Intent::Wait;
                    Some(Event::Ready(count))
                }
                Ok(ConnectionState::BlockedHandshake) => Some(Event::Handshake),
                Ok(ConnectionState::PeerClosed) => {
                    self.is_ended = true;
                    // The client may still be able to send.
                    match intent {
                        Intent::Write(_) | Intent::Close => None,
                        Intent::Wait | Intent::Read(_) => Some(Event::Ended),
                    }
                }
                Ok(ConnectionState::Closed) => Some(Event::Ended),
                Ok(_) => return Err(io::ErrorKind::Unsupported.into()),
                Err(error) => {
                    self.alert();
                    return Err(invalid(error));
                }
            };
            self.incoming
                .copy_within(discard.min(self.filled)..self.filled, 0);
            self.filled = self.filled.saturating_sub(discard);
            if let Some(event) = event {
                return Ok(event);
            }
        }
    }

    /// Sends the alert that reports an error to the server, if that is possible without waiting.
    fn alert(&mut self) {
        let state = self.connection.process_tls_records(&mut []).state;
        if let Ok(ConnectionState::EncodeTlsData(mut data)) = state {
            let encoded = encode(&mut self.outgoing, |buffer| {
                data.encode(buffer).map_err(|_| None)
            });
            if encoded.is_ok() {
                // Errors are ignored: the connection is unusable whether or not the server receives
                // the alert.
                let _ = self.flush();
            }
        }
    }

    /// Receives more octets.
    fn receive(&mut self) -> io::Result<()> {
        if self.filled == self.incoming.len() {
            let size = self.incoming.len().saturating_mul(2).clamp(RECORD, MESSAGE);
            if size == self.filled {
                let why = "a TLS message is too long";
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
            self.incoming.reserve_exact(size - self.filled);
            self.incoming.resize(size, 0);
        }
        let space = self.incoming.get_mut(self.filled..).unwrap_or_default();
        let count = self.socket.read(space)?;
        if count == 0 {
            return Err(ended("the connection ended without a TLS close alert"));
        }
        self.filled += count;
        Ok(())
    }

    /// Tells the server that nothing more will be sent.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.advance(Intent::Close)?;
        self.flush()
    }

    /// Returns the state of the connection while no response is expected on it. The server may
    /// send TLS messages, such as session tickets, at any time (RFC 8446, 4.6).
    pub(super) fn idle(&mut self) -> Idle {
        if self.taken < self.plain.len() {
            return Idle::Unrequested;
        }
        let flags = RecvFlags::DONTWAIT | RecvFlags::PEEK;
        let peeked = match self.socket.stream() {
            Ok(stream) => recv(stream, &mut [0], flags).map_err(io::Error::from),
            Err(error) => Err(error),
        };
        match peeked {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Idle::Free,
            Ok((1.., _)) => {}
            _ => return Idle::Closed,
        }
        self.socket.set_detached(true);
        let idle = self.idle_after_messages();
        self.socket.set_detached(false);
        self.free_buffers();
        idle
    }

    fn idle_after_messages(&mut self) -> Idle {
        loop {
            match self.advance(Intent::Wait) {
                Ok(Event::Data(_)) if !self.plain.is_empty() => return Idle::Unrequested,
                Ok(Event::Data(_) | Event::Handshake | Event::Ready(_)) => {}
                Ok(Event::Ended) | Err(_) => return Idle::Closed,
            }
            match self.receive() {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Idle::Free,
                Err(_) => return Idle::Closed,
            }
        }
    }

    /// Returns true if some received octets have not been read yet.
    pub(super) fn has_received(&self) -> bool {
        self.taken < self.plain.len() || self.filled > 0
    }

    /// Frees the buffers of a connection that is not in use.
    pub(super) fn free_buffers(&mut self) {
        if self.filled == 0 {
            self.incoming = Vec::new();
        }
        if self.taken == self.plain.len() {
            (self.plain, self.taken) = (Vec::new(), 0);
        }
        if self.sent == self.outgoing.len() {
            (self.outgoing, self.sent) = (Vec::new(), 0);
        }
    }
}

/// Appends the output of `write` to a buffer. `write` returns the required size if it needs more
/// space.
fn encode(
    outgoing: &mut Vec<u8>,
    mut write: impl FnMut(&mut [u8]) -> std::result::Result<usize, Option<usize>>,
) -> io::Result<usize> {
    let begin = outgoing.len();
    let mut size = OVERHEAD;
    loop {
        outgoing.resize(begin + size, 0);
        match write(outgoing.get_mut(begin..).unwrap_or_default()) {
            Ok(count) => {
                outgoing.truncate(begin + count);
                return Ok(count);
            }
            Err(Some(needed)) if needed > size => size = needed,
            Err(_) => {
                outgoing.truncate(begin);
                return Err(io::Error::other("TLS cannot encrypt more data"));
            }
        }
    }
}

fn sized(
    result: std::result::Result<usize, EncryptError>,
) -> std::result::Result<usize, Option<usize>> {
    result.map_err(|error| match error {
        EncryptError::InsufficientSize(size) => Some(size.required_size),
        EncryptError::EncryptExhausted => None,
    })
}

fn invalid(error: rustls::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

fn ended(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, why)
}

impl Read for Secured {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            let plain = self.plain.get(self.taken..).unwrap_or_default();
            if !plain.is_empty() || bytes.is_empty() {
                let count = plain.len().min(bytes.len());
                let (now, _) = plain.split_at(count);
                if let Some(to) = bytes.get_mut(..count) {
                    to.copy_from_slice(now);
                }
                self.taken += count;
                if self.taken == self.plain.len() {
                    self.plain.clear();
                    self.taken = 0;
                }
                return Ok(count);
            }
            if self.is_ended {
                return Ok(0);
            }
            match self.advance(Intent::Read(bytes))? {
                Event::Data(0) => {}
                Event::Data(count) => return Ok(count),
                Event::Ended => return Ok(0),
                Event::Ready(_) | Event::Handshake => {
                    // Octets may be waiting to be sent, such as the response to a key update.
                    self.send()?;
                    self.receive()?;
                }
            }
        }
    }
}

impl Secured {
    /// Sends encrypted octets, and keeps any octets that cannot be sent without waiting.
    fn send(&mut self) -> io::Result<()> {
        match self.flush() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            sent => sent,
        }
    }
}

impl Write for Secured {
    /// Encrypts data. First sends data that was encrypted earlier, so that at most one record is
    /// queued.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.flush()?;
        let bytes = bytes.get(..PLAIN).unwrap_or(bytes);
        loop {
            // Data that arrives in the meantime is kept. Decrypted data is never larger than the
            // TLS record that contained it.
            match self.advance(Intent::Write(bytes))? {
                Event::Ready(count) => return Ok(count),
                Event::Data(_) => {}
                Event::Handshake | Event::Ended => return Err(io::ErrorKind::NotConnected.into()),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        while self.sent < self.outgoing.len() {
            let rest = self.outgoing.get(self.sent..).unwrap_or_default();
            match self.socket.write(rest)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                count => self.sent += count,
            }
        }
        self.outgoing.clear();
        self.sent = 0;
        Ok(())
    }
}

impl fmt::Debug for Secured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secured")
            .field("socket", &self.socket)
            .finish_non_exhaustive()
    }
}
