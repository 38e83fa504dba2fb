//! A connection to a server, which sends and receives lines, bytes and commands within limits.

use super::drive::{Detached, Driver, Idle, Stream, retry};
use super::limits::Limits;
use super::socket::Socket;
use super::split;
use super::split::{ReadHalf, WriteHalf};
use super::tls::Trust;
use crate::command::{Command, Wire};
use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, Trace};
use crate::known_hosts::KnownHosts;
use crate::proxy::Proxy;
use std::io;
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;

/// A connection to a server.
///
/// Each wait has a time limit, and each line has a length limit. Lines are sent as
/// [commands](crate::command::Command), in which no part of a URL contains control characters.
#[derive(Debug)]
pub struct Connection {
    stream: Stream,
    peer: SocketAddr,
    limits: Limits,
    trust: Trust,
    trace: Trace,
    /// The buffer for received octets, which is only allocated when needed, because hyper has its
    /// own buffers.
    buffer: Vec<u8>,
    /// The minimum capacity of the buffer, once it is allocated.
    space: usize,
    /// The number of octets that were received.
    received: usize,
    /// The received part of the buffer that has not been read yet.
    filled: std::ops::Range<usize>,
    /// The last line that was sent, with secrets masked.
    sent: Vec<u8>,
    is_quiet: bool,
    /// The server at the other end of the connection. `None` if the other end is a proxy that
    /// receives complete URIs.
    route: Option<Box<Route>>,
    /// True if the server's address may be private because the policy allows the host.
    is_to_allowed_host: bool,
}

/// The maximum time that closing a pooled connection may take.
const PARTING: Duration = Duration::from_secs(1);

/// The server at the other end of a connection, and the route to it.
#[derive(Debug)]
pub(crate) struct Route {
    /// The host, as written in a URL.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// The address that the policy must allow. `None` if a proxy resolved the host name.
    pub(crate) address: Option<IpAddr>,
    /// The proxy, if the connection is a tunnel through a proxy.
    pub(crate) tunnel: Option<Proxy>,
}

/// The size of the buffer, in bytes, once [`MUCH`] octets have been received.
const LARGE: usize = 64 << 10;

/// After this many received octets, larger buffers are used, which saves system calls.
pub(super) const MUCH: usize = 8 << 20;

impl Connection {
    pub(super) fn new(
        stream: TcpStream,
        limits: Limits,
        trust: Trust,
        trace: Trace,
    ) -> Result<Self> {
        let socket = Socket::new(stream, limits.clone()).map_err(Error::network)?;
        let peer = socket.peer().map_err(Error::network)?;
        Ok(Self {
            stream: Stream::Plain(socket),
            peer,
            space: limits.buffer,
            received: 0,
            limits,
            trust,
            trace,
            buffer: Vec::new(),
            filled: 0..0,
            sent: Vec::new(),
            is_quiet: false,
            route: None,
            is_to_allowed_host: false,
        })
    }

    /// Creates a connection for tests and fuzz targets, which replays octets from memory in pieces
    /// of equal length, and discards everything that is sent.
    #[doc(hidden)]
    pub fn replay(octets: &[u8], piece: usize) -> Self {
        let idle = Duration::from_secs(60);
        Self {
            stream: Stream::Replay(Replay::new(octets, piece)),
            peer: SocketAddr::from(([127, 0, 0, 1], 0)),
            limits: Limits {
                idle,
                max_line: 64 << 10,
                deadline: Deadline::after(idle),
                buffer: 4 << 10,
            },
            trust: Trust::default(),
            trace: Trace::default(),
            buffer: Vec::new(),
            space: 4 << 10,
            received: 0,
            filled: 0..0,
            sent: Vec::new(),
            is_quiet: false,
            route: None,
            is_to_allowed_host: false,
        }
    }

    /// Returns the address of the server.
    pub const fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Records the server at the other end of the connection.
    pub(crate) fn by(mut self, route: Option<Route>) -> Self {
        self.route = route.map(Box::new);
        self
    }

    /// Returns the server at the other end of the connection. Returns `None` if the other end is a
    /// proxy that receives complete URIs.
    pub(crate) fn route(&self) -> Option<&Route> {
        self.route.as_deref()
    }

    /// Returns true if the connection was made with these trust settings.
    pub(crate) fn has_trust(&self, trust: &Trust) -> bool {
        self.trust.is_same(trust)
    }

    /// Records whether the server's address may be private because the policy allows the host.
    pub(crate) fn with_allowed_host(mut self, is_to_allowed_host: bool) -> Self {
        self.is_to_allowed_host = is_to_allowed_host;
        self
    }

    /// Returns true if the server's address may be private because the policy allows the host.
    pub(crate) const fn is_to_allowed_host(&self) -> bool {
        self.is_to_allowed_host
    }

    /// Checks whether another access may use the connection, which must be open and must not have
    /// received unsolicited data.
    pub(crate) fn idle(&mut self) -> Idle {
        if self.has_more() {
            return Idle::Unrequested;
        }
        self.stream.idle()
    }

    /// Prepares a pooled connection for another access.
    pub(crate) fn reuse(&mut self, limits: Limits, trace: Trace, is_to_allowed_host: bool) {
        self.set_limits(limits);
        self.trace = trace;
        self.is_to_allowed_host = is_to_allowed_host;
    }

    /// Prepares a connection for the pool. Releases the resources of the last access.
    pub(crate) fn park(&mut self) {
        self.set_limits(Limits {
            // The pool may close a session during another access, and the session may then send a
            // last command, such as `QUIT`.
            idle: PARTING,
            max_line: self.limits.max_line,
            deadline: Deadline::NONE,
            buffer: self.limits.buffer,
        });
        self.trace = Trace::default();
        self.sent = Vec::new();
        if self.filled.is_empty() {
            self.buffer = Vec::new();
        }
    }

    /// Runs a step, such as reading a multi-line reply, and limits its total time.
    ///
    /// # Errors
    ///
    /// Fails if the step fails, or takes longer than five times the idle timeout of the policy.
    pub fn in_one_step<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.begin_step();
        let result = step(self);
        self.set_limits(before);
        result
    }

    /// Begins a step. To end the step, restore the limits that this method returns.
    pub(crate) fn begin_step(&mut self) -> Limits {
        let step = self.limits.of_one_step();
        let before = self.limits.clone();
        self.set_limits(step);
        before
    }

    pub(crate) fn set_limits(&mut self, limits: Limits) {
        if let Some(socket) = self.stream.socket() {
            socket.limits = limits.clone();
        }
        self.limits = limits;
    }

    /// Sets whether lines are left out of the events, which is useful for bodies and for the keys
    /// that a user types.
    pub const fn set_quiet(&mut self, is_quiet: bool) {
        self.is_quiet = is_quiet;
    }

    /// Starts TLS, and verifies the certificate for `host`, which is written as in a URL.
    ///
    /// # Errors
    ///
    /// Fails if the certificate is not valid for the host, or if the server does not speak TLS.
    /// Also fails if any data was received before the handshake, because anyone on the network
    /// path may have sent it (RFC 3207, 6). After such a failure, the connection is unusable.
    pub fn start_tls(&mut self, host: &str) -> Result<()> {
        self.start_tls_for(host, None)
    }

    /// Starts TLS, and offers this protocol with ALPN (RFC 7301).
    pub(crate) fn start_tls_for(&mut self, host: &str, protocol: Option<&[u8]>) -> Result<()> {
        self.check_deadline()?;
        if self.has_more() {
            self.stream = Stream::None;
            let expected = "no data between the reply and the TLS handshake";
            return Err(self.failed(ErrorKind::Protocol(expected)));
        }
        match std::mem::replace(&mut self.stream, Stream::None) {
            Stream::Plain(stream) => {
                self.stream = Stream::Tls(Box::new(self.trust.handshake(stream, host, protocol)?));
                self.trace.record(Event::Secured);
                if self.trust.is_unchecked() {
                    self.trace.record(Event::Unverified(host.to_owned()));
                }
                Ok(())
            }
            other => {
                self.stream = other;
                Ok(())
            }
        }
    }

    /// Starts TLS with a server whose certificate is trusted on first use. Presents the client's
    /// certificate only if `is_identified` is true.
    ///
    /// If the client does not verify certificates, the server's certificate is neither compared
    /// nor stored.
    pub(crate) fn start_tls_on_first_use(
        &mut self,
        host: &str,
        port: u16,
        hosts: &KnownHosts,
        is_identified: bool,
    ) -> Result<()> {
        if self.trust.is_unchecked() {
            return self.start_tls(host);
        }
        self.check_deadline()?;
        match std::mem::replace(&mut self.stream, Stream::None) {
            Stream::Plain(stream) => {
                let server = (host, port);
                let trust = &self.trust;
                let (secured, note) =
                    trust.first_use_handshake(stream, server, hosts, is_identified)?;
                self.stream = Stream::Tls(Box::new(secured));
                self.trace.record(Event::Secured);
                if let Some(note) = note {
                    self.trace.record(Event::Note(note.into()));
                }
            }
            other => self.stream = other,
        }
        Ok(())
    }

    /// Returns the limits on each wait.
    pub(crate) const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns true if the connection uses TLS.
    pub const fn is_secure(&self) -> bool {
        matches!(self.stream, Stream::Tls(_))
    }

    /// Splits the connection into its two directions, for an interactive session. Receiving has no
    /// time limit, because a user may pause for any length of time; sending is subject to the idle
    /// timeout.
    ///
    /// # Errors
    ///
    /// Fails if the connection is closed, or if it uses TLS, because sessions over TLS are not
    /// supported.
    pub fn into_split(self) -> Result<(ReadHalf, WriteHalf)> {
        let first = self.buffer.get(self.filled).unwrap_or_default().to_vec();
        match self.stream {
            Stream::Plain(socket) => {
                let stream = socket.into_stream().map_err(Error::network)?;
                split::part(stream, first, &self.limits)
            }
            Stream::Tls(_) => {
                let what = "interactive sessions over TLS are not supported";
                Err(Error::new(ErrorKind::Unsupported(what)))
            }
            Stream::Replay(_) | Stream::None => {
                Err(Error::network(io::ErrorKind::NotConnected.into()))
            }
        }
    }

    /// Shuts down the sending direction.
    pub fn finish_sending(&mut self) {
        if let Stream::Tls(stream) = &mut self.stream {
            // Errors are ignored: if the connection is closed, the next read reports it.
            let _ = stream.close();
        }
        if let Some(socket) = self.stream.socket() {
            socket.finish_sending();
        }
    }

    /// Returns the last line that was sent, with secrets masked.
    pub(crate) fn last_sent(&self) -> &[u8] {
        &self.sent
    }

    /// Creates an error that quotes the last line that was sent.
    pub fn failed(&self, kind: ErrorKind) -> Error {
        Error::new(kind).with_sent(&self.sent)
    }

    /// Receives more data into the buffer. Returns false at the end of the connection.
    fn fill(&mut self) -> Result<bool> {
        self.check_deadline()?;
        // INVARIANT: all octets in the buffer have already been read.
        self.filled = 0..0;
        if self.buffer.capacity() < self.space {
            self.buffer = Vec::with_capacity(self.space);
        }
        if let Stream::Plain(_) = &self.stream {
            self.buffer.clear();
        } else if self.buffer.len() < self.space {
            self.buffer.resize(self.space, 0);
        }
        let read = match &mut self.stream {
            Stream::Plain(stream) => retry(|| stream.receive(&mut self.buffer)),
            Stream::Tls(stream) => retry(|| stream.read(&mut self.buffer)),
            Stream::Replay(stream) => stream.read(&mut self.buffer),
            Stream::None => Err(io::ErrorKind::NotConnected.into()),
        };
        match read {
            Ok(count) => {
                self.filled = 0..count;
                self.received = self.received.saturating_add(count);
                if self.received > MUCH {
                    self.space = self.space.max(LARGE);
                }
                Ok(count > 0)
            }
            Err(error) => Err(Error::network(error).with_sent(&self.sent)),
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            self.check_deadline()?;
            let written = match &mut self.stream {
                Stream::Plain(stream) => retry(|| stream.write(bytes)),
                Stream::Tls(stream) => retry(|| stream.write(bytes)),
                Stream::Replay(_) => Ok(bytes.len()),
                Stream::None => Err(io::ErrorKind::NotConnected.into()),
            };
            match written {
                Ok(0) => {
                    return Err(self.failed(ErrorKind::Network(io::ErrorKind::WriteZero.into())));
                }
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) => return Err(Error::network(error).with_sent(&self.sent)),
            }
        }
        if let Stream::Tls(stream) = &mut self.stream {
            stream.flush().map_err(Error::network)?;
        }
        Ok(())
    }

    /// Fails if the deadline has passed.
    fn check_deadline(&self) -> Result<()> {
        let left = self.limits.deadline.left(self.limits.idle);
        left.map(drop).map_err(|error| error.with_sent(&self.sent))
    }
}

impl Connection {
    /// Records a line that was received.
    pub(crate) fn record_received(&self, line: &[u8]) {
        self.trace.received(line);
    }

    /// Records the code and the text of a reply as the status of the response.
    pub(crate) fn record_reply(&self, code: u16, text: &[u8]) {
        self.trace.reply(code, text);
    }

    /// Reads a line, and removes the LF or CR LF at its end. The last line need not have a line
    /// ending. Returns `None` at the end of the connection.
    ///
    /// # Errors
    ///
    /// Fails if nothing is received in time, or if the line is too long.
    pub fn read_line(&mut self) -> Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        Ok(self.read_line_into(&mut line)?.then_some(line))
    }

    /// Reads a line that must end in LF. Use this method for replies, because a truncated reply
    /// could have another meaning.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`read_line`](Self::read_line), or if the connection ends
    /// before the LF.
    pub fn read_complete_line(&mut self) -> Result<Vec<u8>> {
        let mut line = Vec::new();
        if self.read_noted_line(&mut line)? == Some(true) {
            return Ok(line);
        }
        Err(self.failed(ErrorKind::EndedEarly {
            expected: None,
            received: u64::try_from(line.len()).unwrap_or(u64::MAX),
        }))
    }

    /// Reads a line that must end in LF and may have at most `max` octets, without the line ending.
    pub(crate) fn read_short_line(&mut self, max: usize) -> Result<Vec<u8>> {
        let limits = self.limits.clone();
        self.set_limits(Limits {
            // The line ending may begin with a CR.
            max_line: limits.max_line.min(max + 1),
            ..limits.clone()
        });
        let line = self.read_complete_line();
        self.set_limits(limits);
        line
    }

    /// Reads a line as [`read_line`](Self::read_line) does, but into `line`, replacing its content.
    /// Returns false at the end of the connection.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`read_line`](Self::read_line).
    pub fn read_line_into(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        line.clear();
        Ok(self.read_noted_line(line)?.is_some())
    }

    /// Reads and records a line. Returns whether the line ended in LF, or `None` if the connection
    /// has ended.
    fn read_noted_line(&mut self, line: &mut Vec<u8>) -> Result<Option<bool>> {
        let is_complete = self.read_whole_line(line)?;
        if is_complete.is_some() && !self.is_quiet {
            self.trace.received(line);
        }
        Ok(is_complete)
    }

    fn read_whole_line(&mut self, line: &mut Vec<u8>) -> Result<Option<bool>> {
        if self.take_received_line(line) {
            return Ok(Some(true));
        }
        self.in_one_step(|connection| connection.read_limited_line(line))
    }

    /// Removes the next line from the buffer, if the line is complete and not too long.
    fn take_received_line(&mut self, line: &mut Vec<u8>) -> bool {
        let received = self.buffer.get(self.filled.clone()).unwrap_or_default();
        let Some(end) = memchr::memchr(b'\n', received) else {
            return false;
        };
        let Some(found) = received.get(..end).filter(|_| end <= self.limits.max_line) else {
            return false;
        };
        line.extend_from_slice(found.strip_suffix(b"\r").unwrap_or(found));
        self.filled.start += end + 1;
        true
    }

    fn read_limited_line(&mut self, line: &mut Vec<u8>) -> Result<Option<bool>> {
        loop {
            if self.filled.is_empty() && !self.fill()? {
                return Ok((!line.is_empty()).then_some(false));
            }
            let received = self.buffer.get(self.filled.clone()).unwrap_or_default();
            let end = memchr::memchr(b'\n', received);
            let taken = received.get(..end.unwrap_or(received.len()));
            line.extend_from_slice(taken.unwrap_or_default());
            self.filled.start += end.map_or(received.len(), |end| end + 1);
            if line.len() > self.limits.max_line {
                let max = self.limits.max_line;
                return Err(self.failed(ErrorKind::LineTooLong { max }));
            }
            if end.is_some() {
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return Ok(Some(true));
            }
        }
    }

    /// Reads some bytes, and returns their number, which is 0 at the end of the connection.
    ///
    /// # Errors
    ///
    /// Fails if nothing is received in time.
    pub fn read_bytes(&mut self, bytes: &mut [u8]) -> Result<usize> {
        let some = self.peek()?;
        let count = some.len().min(bytes.len());
        for (to, from) in bytes.iter_mut().zip(some) {
            *to = *from;
        }
        self.consume(count);
        Ok(count)
    }

    /// Returns the buffered bytes, after waiting for at least one. The result is empty at the end
    /// of the connection. After using some of the bytes, call [`consume`](Self::consume) with
    /// their number.
    ///
    /// # Errors
    ///
    /// Fails if nothing is received in time.
    pub fn peek(&mut self) -> Result<&[u8]> {
        if self.filled.is_empty() {
            self.fill()?;
        }
        Ok(self.buffer.get(self.filled.clone()).unwrap_or_default())
    }

    /// Skips `count` bytes that [`peek`](Self::peek) returned, and returns the buffer, which the
    /// caller may replace. Skips nothing and returns `None` if the buffer contains anything else,
    /// as it usually does with TLS.
    pub(crate) fn take_buffer(&mut self, count: usize) -> Option<&mut Vec<u8>> {
        if self.filled != (0..count) || self.buffer.len() != count {
            return None;
        }
        self.filled = 0..0;
        Some(&mut self.buffer)
    }

    /// Returns true if the buffer contains unread bytes.
    pub fn has_more(&self) -> bool {
        !self.filled.is_empty()
    }

    /// Returns true if the buffer contains a complete line, which can be read without waiting.
    pub(crate) fn has_line(&self) -> bool {
        let received = self.buffer.get(self.filled.clone()).unwrap_or_default();
        memchr::memchr(b'\n', received).is_some()
    }

    /// Skips `count` bytes that [`peek`](Self::peek) returned.
    pub fn consume(&mut self, count: usize) {
        self.filled.start = self.filled.end.min(self.filled.start + count);
    }

    /// Waits for at most `patience`. Returns true if the server sends nothing more in that time,
    /// or if it closes the connection. Records an event if the server stays silent. Use this
    /// method after replies whose end is marked, because some servers leave the connection open
    /// after such replies.
    ///
    /// # Errors
    ///
    /// Fails if the connection fails, or if the deadline of the access passes first.
    pub fn at_end_within(&mut self, patience: Duration) -> Result<bool> {
        let limits = self.limits.clone();
        let idle = limits.idle.min(patience);
        // A wait that ends because the deadline has passed is an error.
        let left = limits.deadline.left(limits.idle);
        let is_patience = left.is_ok_and(|left| left >= idle);
        self.set_limits(Limits {
            idle,
            ..limits.clone()
        });
        let nothing = self.peek().map(<[u8]>::is_empty);
        self.set_limits(limits);
        match nothing {
            Err(error) if is_patience && matches!(error.kind(), ErrorKind::Timeout(_)) => {
                self.trace.record(Event::Quiet(idle));
                Ok(true)
            }
            other => other,
        }
    }
}

impl Connection {
    /// Sends a command, followed by CR LF.
    ///
    /// # Errors
    ///
    /// Fails if the command cannot be sent in time.
    pub fn send(&mut self, command: &dyn Command) -> Result<()> {
        let mut octets = self.noted(command);
        octets.extend_from_slice(b"\r\n");
        self.write(&octets)
    }

    /// Sends several commands together, such as the head of a request. Later errors quote the
    /// first of these commands.
    ///
    /// # Errors
    ///
    /// Fails if the commands cannot be sent in time.
    pub fn send_all<'c, C: Command>(
        &mut self,
        commands: impl IntoIterator<Item = &'c C>,
    ) -> Result<()> {
        let octets = self.noted_lines(commands);
        self.write(&octets)
    }

    /// Records several commands, and returns the octets to send. Later errors quote the first of
    /// these commands.
    pub(crate) fn noted_lines<'c, C: Command>(
        &mut self,
        commands: impl IntoIterator<Item = &'c C>,
    ) -> Vec<u8> {
        let mut octets = Vec::with_capacity(512);
        let mut wire = Wire::new();
        let mut first = None;
        for command in commands {
            self.note(command, &mut wire);
            octets.extend_from_slice(wire.octets());
            octets.extend_from_slice(b"\r\n");
            first.get_or_insert_with(|| std::mem::take(&mut self.sent));
        }
        self.sent = first.unwrap_or_default();
        octets
    }

    /// Sends a command over a Telnet connection, and doubles the octet 255 (`IAC`; RFC 959, 4.1;
    /// RFC 854).
    ///
    /// # Errors
    ///
    /// Fails if the command cannot be sent in time.
    pub fn send_telnet(&mut self, command: &dyn Command) -> Result<()> {
        let line = self.noted(command);
        let mut octets = Vec::with_capacity(line.len() + 2);
        for octet in line {
            octets.push(octet);
            if octet == 255 {
                octets.push(octet);
            }
        }
        octets.extend_from_slice(b"\r\n");
        self.write(&octets)
    }

    /// Sends a message of a binary protocol, without a line ending.
    ///
    /// # Errors
    ///
    /// Fails if the message cannot be sent in time.
    pub fn send_message(&mut self, message: &dyn Command) -> Result<()> {
        let octets = self.noted(message);
        self.write(&octets)
    }

    /// Records a command, and returns the octets to send.
    fn noted(&mut self, command: &dyn Command) -> Vec<u8> {
        let mut wire = Wire::new();
        self.note(command, &mut wire);
        wire.into_octets()
    }

    /// Records a command, and replaces the content of `wire` with it.
    fn note(&mut self, command: &dyn Command, wire: &mut Wire) {
        wire.clear();
        command.write(wire);
        self.trace.learn(wire.octets(), wire.secrets());
        match command.words() {
            Some(words) => self.record_sent(command.name(), words.as_bytes()),
            None => self.record_sent(command.name(), wire.masked()),
        }
    }

    /// Sends bytes unchanged, for bodies and for protocols that do not use lines. The bytes must
    /// not contain any part of a URL that the server could interpret as a command.
    ///
    /// # Errors
    ///
    /// Fails if the bytes cannot be sent in time.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(bytes)
    }

    /// Records a command that is sent by other means, for display in events and error messages.
    /// `command` is the name of the command, and `masked` contains its octets with secrets masked.
    pub fn record_sent(&mut self, command: &'static str, masked: &[u8]) {
        self.sent.clear();
        self.sent.extend_from_slice(masked);
        if !self.is_quiet {
            self.trace.sent(command, masked);
        }
    }
}

impl Connection {
    /// Lends the stream to futures until [`attach`](Self::attach) is called. The driver runs these
    /// futures, and waits for them.
    pub(crate) fn detach(&mut self) -> Result<(Detached, Driver)> {
        match std::mem::replace(&mut self.stream, Stream::None) {
            Stream::None => {
                Err(self.failed(ErrorKind::Network(io::ErrorKind::NotConnected.into())))
            }
            stream => Ok(Detached::new(stream)),
        }
    }

    /// Takes back the stream, and any octets that were received but not used.
    pub(crate) fn attach(&mut self, stream: Detached, unread: &[u8]) {
        self.stream = stream.into_stream();
        if !unread.is_empty() {
            let mut buffer = unread.to_vec();
            buffer.resize(unread.len().max(self.space), 0);
            self.buffer = buffer;
            self.filled = 0..unread.len();
        }
    }
}

/// Octets in memory that arrive in pieces of equal length, followed by the end of the connection.
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

impl Write for Replay {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
