//! A connection to a server: lines, bytes and commands, within limits.

use super::limits::{Limits, Socket};
use super::runtime::{Attached, Clock, Detached, Idle, Runtime};
use super::split;
use super::split::{ReadHalf, WriteHalf};
use super::tls::{Secured, Trust};
use crate::command::{Command, Wire};
use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, Trace};
use std::io;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
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
    /// Empty until it is first needed, because hyper has its own buffers.
    buffer: Box<[u8]>,
    /// The length of the buffer, once it is allocated.
    space: usize,
    /// The received part of the buffer that has not been read yet.
    filled: std::ops::Range<usize>,
    /// The last line that was sent, with secrets masked.
    sent: Vec<u8>,
    is_quiet: bool,
    /// The host at the end of a tunnel, as written in a URL, and the scheme of that URL.
    tunnel: Option<(String, String)>,
    /// True if the other end is a proxy. The policy does not check the address of a proxy.
    is_by_proxy: bool,
    /// True if the address may be private because the policy allows the host.
    is_to_allowed_host: bool,
}

#[derive(Debug)]
enum Stream {
    Plain(Socket),
    Tls(Box<Secured>),
    /// Octets from memory, in place of a server.
    Replay(Replay),
    /// The stream is still registered with the runtime, for the next future.
    Detached(Box<Detached>),
    /// The stream was moved out: during a TLS handshake, after a failed one, or while futures use
    /// it.
    None,
}

impl Stream {
    const fn socket(&mut self) -> Option<&mut Socket> {
        match self {
            Self::Plain(stream) => Some(stream),
            Self::Tls(stream) => Some(&mut stream.sock),
            Self::Replay(_) | Self::Detached(_) | Self::None => None,
        }
    }
}

impl Connection {
    pub(super) fn new(
        stream: TcpStream,
        limits: Limits,
        trust: Trust,
        trace: Trace,
    ) -> Result<Self> {
        let socket = Socket::new(stream, limits).map_err(Error::network)?;
        let peer = socket.peer().map_err(Error::network)?;
        Ok(Self {
            stream: Stream::Plain(socket),
            peer,
            limits,
            trust,
            trace,
            buffer: Box::default(),
            space: 64 << 10,
            filled: 0..0,
            sent: Vec::new(),
            is_quiet: false,
            tunnel: None,
            is_by_proxy: false,
            is_to_allowed_host: false,
        })
    }

    /// Replays octets from memory in pieces of equal length. Everything that is sent is
    /// discarded. This is meant for tests and fuzz targets of protocols.
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
            },
            trust: Trust::default(),
            trace: Trace::default(),
            buffer: Box::default(),
            space: 4 << 10,
            filled: 0..0,
            sent: Vec::new(),
            is_quiet: false,
            tunnel: None,
            is_by_proxy: false,
            is_to_allowed_host: false,
        }
    }

    /// Returns the address of the server.
    pub const fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Marks a connection through a proxy, and records the host and the scheme at the end of a
    /// tunnel.
    pub(crate) fn by_proxy(mut self, tunnel: Option<(String, String)>) -> Self {
        (self.tunnel, self.is_by_proxy) = (tunnel, true);
        self
    }

    /// Returns true if the connection goes through a proxy.
    pub(crate) const fn is_by_proxy(&self) -> bool {
        self.is_by_proxy
    }

    /// Marks a connection whose address may be private because the policy allows the host.
    pub(crate) fn with_allowed_host(mut self) -> Self {
        self.is_to_allowed_host = true;
        self
    }

    /// Returns true if the address may be private because the policy allows the host.
    pub(crate) const fn is_to_allowed_host(&self) -> bool {
        self.is_to_allowed_host
    }

    /// Returns the host at the end of a tunnel through a proxy, and the scheme of the URL.
    pub(crate) const fn tunnel(&self) -> Option<&(String, String)> {
        self.tunnel.as_ref()
    }

    /// Checks whether another access may use the connection: it must be open, and must not have
    /// received unsolicited data.
    pub(crate) fn idle(&mut self) -> Idle {
        if self.has_more() {
            return Idle::Unrequested;
        }
        match &mut self.stream {
            Stream::Plain(socket) => Idle::of(socket.stream()),
            Stream::Tls(stream) => Idle::of_tls(&mut stream.conn, stream.sock.stream()),
            Stream::Detached(stream) => stream.idle(),
            Stream::Replay(_) | Stream::None => Idle::Closed,
        }
    }

    /// Prepares a pooled connection for another access.
    pub(crate) fn reuse(&mut self, limits: Limits, trace: Trace) {
        self.set_limits(limits);
        self.trace = trace;
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
        let before = self.limits;
        self.set_limits(before.of_one_step());
        before
    }

    pub(crate) fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        if let Some(socket) = self.stream.socket() {
            socket.limits = limits;
        }
    }

    /// Stops recording lines as events, for bodies and for the keys that a user types.
    pub const fn set_quiet(&mut self, is_quiet: bool) {
        self.is_quiet = is_quiet;
    }

    /// Starts TLS, and verifies the certificate for `host`, as written in a URL.
    ///
    /// # Errors
    ///
    /// Fails if the certificate is not valid for the host, if the server does not speak TLS, or if
    /// anything was received before the handshake: anyone on the network path may have sent it (RFC
    /// 3207, 6). The connection is then unusable.
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
        self.blocking().map_err(Error::network)?;
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

    /// Returns the limits of each wait.
    pub(crate) const fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns true if the connection uses TLS.
    pub const fn is_secure(&self) -> bool {
        match &self.stream {
            Stream::Tls(_) => true,
            Stream::Detached(stream) => stream.is_secure(),
            Stream::Plain(_) | Stream::Replay(_) | Stream::None => false,
        }
    }

    /// Splits the connection into its two directions, for an interactive session. Receiving has no
    /// time limit, because a user may pause for any length of time; sending is subject to the idle
    /// timeout.
    ///
    /// # Errors
    ///
    /// Fails if the connection is closed, or uses TLS, which is not supported here.
    pub fn into_split(mut self) -> Result<(ReadHalf, WriteHalf)> {
        self.blocking().map_err(Error::network)?;
        let first = self.buffer.get(self.filled).unwrap_or_default().to_vec();
        match self.stream {
            Stream::Plain(socket) => split::part(socket.into_stream(), first, self.limits),
            Stream::Tls(_) => {
                let what = "interactive sessions over TLS are not supported";
                Err(Error::new(ErrorKind::Unsupported(what)))
            }
            Stream::Replay(_) | Stream::Detached(_) | Stream::None => {
                Err(Error::network(io::ErrorKind::NotConnected.into()))
            }
        }
    }

    /// Shuts down the sending direction.
    pub fn finish_sending(&mut self) {
        // If this fails, the next read reports it.
        let _ = self.blocking();
        if let Stream::Tls(stream) = &mut self.stream {
            stream.conn.send_close_notify();
            // If the connection is closed, the next read reports it.
            let _ = stream.flush();
        }
        if let Some(socket) = self.stream.socket() {
            socket.finish_sending();
        }
    }

    /// Returns the last line that was sent, with secrets masked.
    pub(crate) fn last_sent(&self) -> &[u8] {
        &self.sent
    }

    /// Creates an error that quotes the last line sent.
    pub fn failed(&self, kind: ErrorKind) -> Error {
        Error::new(kind).with_sent(&self.sent)
    }

    /// Receives more data into the buffer. Returns false at the end of the connection.
    fn fill(&mut self) -> Result<bool> {
        self.check_deadline()?;
        if self.buffer.is_empty() {
            self.buffer = vec![0; self.space].into_boxed_slice();
        }
        self.blocking().map_err(Error::network)?;
        let read = match &mut self.stream {
            Stream::Plain(stream) => retry(|| stream.read(&mut self.buffer)),
            Stream::Tls(stream) => retry(|| stream.read(&mut self.buffer)),
            Stream::Replay(stream) => stream.read(&mut self.buffer),
            Stream::Detached(_) | Stream::None => Err(io::ErrorKind::NotConnected.into()),
        };
        match read {
            Ok(count) => {
                self.filled = 0..count;
                Ok(count > 0)
            }
            Err(error) => Err(Error::network(error).with_sent(&self.sent)),
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            self.check_deadline()?;
            let written = match self.blocking().map_err(Error::network)? {
                Stream::Plain(stream) => retry(|| stream.write(bytes)),
                Stream::Tls(stream) => retry(|| stream.write(bytes)),
                Stream::Replay(_) => Ok(bytes.len()),
                Stream::Detached(_) | Stream::None => Err(io::ErrorKind::NotConnected.into()),
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

/// Repeats a call that a signal interrupted.
fn retry(mut work: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match work() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
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

    /// Reads a line that must end in LF. Use it for replies, because a truncated reply could have
    /// another meaning.
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

    /// Reads a line like [`read_line`](Self::read_line), but into `line`, replacing its content.
    /// Returns false at the end of the connection.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`read_line`](Self::read_line).
    pub fn read_line_into(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        line.clear();
        Ok(self.read_noted_line(line)?.is_some())
    }

    /// Reads and records a line. Returns whether it ended in LF, or `None` at the end of the
    /// connection.
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

    /// Reads some bytes, and returns their number: 0 at the end of the connection.
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

    /// Returns the buffered bytes, and waits until there is at least one. The result is empty at
    /// the end of the connection. Then call [`consume`](Self::consume) with the number of bytes
    /// used.
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

    /// Returns true if the buffer has unread bytes.
    pub fn has_more(&self) -> bool {
        !self.filled.is_empty()
    }

    /// Returns true if the buffer has a complete line, so that reading it does not wait.
    pub(crate) fn has_line(&self) -> bool {
        let received = self.buffer.get(self.filled.clone()).unwrap_or_default();
        memchr::memchr(b'\n', received).is_some()
    }

    /// Skips bytes returned by [`peek`](Self::peek).
    pub fn consume(&mut self, count: usize) {
        self.filled.start = self.filled.end.min(self.filled.start + count);
    }

    /// Waits for `patience`, and returns true if the server sends nothing more in that time or
    /// closes the connection. Records an event if the server stays silent. Use it after replies
    /// that mark their own end, because some servers then leave the connection open.
    ///
    /// # Errors
    ///
    /// Fails if the connection fails, or if the deadline of the access passes first.
    pub fn at_end_within(&mut self, patience: Duration) -> Result<bool> {
        let limits = self.limits;
        let idle = limits.idle.min(patience);
        // The wait may also end because the deadline has passed, which is an error.
        let left = limits.deadline.left(limits.idle);
        let is_patience = left.is_ok_and(|left| left >= idle);
        self.set_limits(Limits { idle, ..limits });
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
    /// Fails if it cannot be sent in time.
    pub fn send(&mut self, command: &dyn Command) -> Result<()> {
        let mut octets = self.noted(command);
        octets.extend_from_slice(b"\r\n");
        self.write(&octets)
    }

    /// Sends several commands at once, such as the head of a request. Errors quote the first
    /// command.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be sent in time.
    pub fn send_all<'c, C: Command>(
        &mut self,
        commands: impl IntoIterator<Item = &'c C>,
    ) -> Result<()> {
        let octets = self.noted_lines(commands);
        self.write(&octets)
    }

    /// Records several commands, and returns their octets to send. Errors quote the first command.
    pub(crate) fn noted_lines<'c, C: Command>(
        &mut self,
        commands: impl IntoIterator<Item = &'c C>,
    ) -> Vec<u8> {
        let mut octets = Vec::new();
        let mut first = None;
        for command in commands {
            octets.append(&mut self.noted(command));
            octets.extend_from_slice(b"\r\n");
            first.get_or_insert_with(|| self.sent.clone());
        }
        self.sent = first.unwrap_or_default();
        octets
    }

    /// Sends a command over a Telnet connection, and doubles the octet 255 (`IAC`; RFC 959, 4.1;
    /// RFC 854).
    ///
    /// # Errors
    ///
    /// Fails if it cannot be sent in time.
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
    /// Fails if it cannot be sent in time.
    pub fn send_message(&mut self, message: &dyn Command) -> Result<()> {
        let octets = self.noted(message);
        self.write(&octets)
    }

    /// Records a command, and returns its octets to send.
    fn noted(&mut self, command: &dyn Command) -> Vec<u8> {
        let mut wire = Wire::default();
        command.write(&mut wire);
        let (octets, secrets, masked) = wire.into_parts();
        self.trace.learn(&octets, &secrets);
        let shown = command.words().map_or(masked, String::into_bytes);
        self.record_sent(command.name(), &shown);
        octets
    }

    /// Sends bytes unchanged, for bodies and for protocols without lines. They must not contain
    /// octets of a URL that the server could interpret as a command.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be sent in time.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(bytes)
    }

    /// Records a command that is sent by other means, for events and error messages: its name,
    /// and its octets with secrets masked.
    pub fn record_sent(&mut self, command: &'static str, masked: &[u8]) {
        self.sent.clear();
        self.sent.extend_from_slice(masked);
        if !self.is_quiet {
            self.trace.sent(command, masked);
        }
    }
}

impl Connection {
    /// Lends the stream to futures until [`attach`](Self::attach) is called. The clock records when
    /// data was last sent or received.
    pub(crate) fn detach(&mut self, runtime: &Runtime) -> Result<(Detached, Clock)> {
        let clock = Clock::new();
        let mut detach = || {
            let _within = runtime.get()?.enter();
            match std::mem::replace(&mut self.stream, Stream::None) {
                Stream::Plain(socket) => Detached::plain(socket, clock.clone()),
                Stream::Tls(secured) => Detached::tls(*secured, clock.clone()),
                Stream::Replay(replay) => Ok(Detached::replay(replay, clock.clone())),
                Stream::Detached(stream) => Ok(stream.again(clock.clone())),
                Stream::None => Err(io::ErrorKind::NotConnected.into()),
            }
        };
        let stream =
            detach().map_err(|error: io::Error| Error::network(error).with_sent(&self.sent))?;
        Ok((stream, clock))
    }

    /// Takes back the stream, with any octets that were received but not used.
    ///
    /// The stream stays registered with the runtime until blocking code uses it.
    /// Registering it again for each request on a pooled connection would cost time.
    pub(crate) fn attach(&mut self, stream: Detached, unread: &[u8]) {
        self.stream = Stream::Detached(Box::new(stream));
        if !unread.is_empty() {
            let mut buffer = unread.to_vec();
            buffer.resize(unread.len().max(self.space), 0);
            self.buffer = buffer.into_boxed_slice();
            self.filled = 0..unread.len();
        }
    }

    /// Makes the stream blocking again.
    fn blocking(&mut self) -> io::Result<&mut Stream> {
        if let Stream::Detached(_) = self.stream
            && let Stream::Detached(stream) = std::mem::replace(&mut self.stream, Stream::None)
        {
            self.stream = match stream.into_stream()? {
                Some(Attached::Plain(stream)) => Stream::Plain(Socket::again(stream, self.limits)),
                Some(Attached::Tls(tls, stream)) => {
                    let socket = Socket::again(stream, self.limits);
                    Stream::Tls(Box::new(Secured::new(*tls, socket)))
                }
                Some(Attached::Replay(replay)) => Stream::Replay(replay),
                None => Stream::None,
            };
        }
        Ok(&mut self.stream)
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
