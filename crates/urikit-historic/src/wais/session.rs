//! A connection to a WAIS server, which receives messages within limits.

use super::Command;
use super::codec::{DecodeError, Diagnostic, HEADER_LEN, InitResponse, decode_header};
use super::job::{INIT, Job, MAX_MESSAGE};
use urikit_access::{Connection, Context, Error, ErrorKind, Result};

/// The maximum length of a response in octets. Servers may exceed the size that was agreed on
/// during Init.
const MAX_RESPONSE: usize = 1 << 20;

/// A connection after Init.
pub(super) struct Session {
    connection: Connection,
    /// The maximum size of messages in octets.
    pub(super) max_message: u64,
}

impl Session {
    /// Connects to the server of the URL, and sends Init.
    pub(super) fn open(job: &Job, context: &mut Context<'_>) -> Result<Self> {
        let mut session = Self {
            connection: context.connect(&job.host, job.port)?,
            max_message: MAX_MESSAGE.into(),
        };
        match session.ask(&INIT) {
            Ok(apdu) if apdu.is_empty() => {}
            Ok(apdu) => session.read_init(&apdu, context)?,
            // Some servers do not support Init, which is not required for a search.
            Err(error) if is_closed(&error) => {
                context.note("the server closed the connection: continuing without Init");
                session.connection = context.connect(&job.host, job.port)?;
            }
            Err(error) => return Err(error.with_step("agreeing on the size of messages")),
        }
        Ok(session)
    }

    /// Lowers the maximum size of messages to the size in an Init response.
    fn read_init(&mut self, apdu: &[u8], context: &Context<'_>) -> Result<()> {
        let response = InitResponse::decode(apdu);
        // The result is ignored, because freeWAIS declines some clients, but serves them anyway.
        let response = response.map_err(|error| self.malformed(error))?;
        if let Some(max) = response.max_message() {
            self.max_message = self.max_message.min(max);
        }
        let fields = response.fields;
        let name = [
            fields.implementation_id,
            fields.implementation_name,
            fields.implementation_version,
        ];
        let max = self.max_message;
        let mut text = format!("Init response: messages of at most {max} bytes").into_bytes();
        for part in name.iter().filter(|part| !part.is_empty()) {
            text.extend_from_slice(b", ");
            text.extend_from_slice(part);
        }
        context.received(&text);
        Ok(())
    }

    /// Sends a message, and returns the APDU of the response. If the response would exceed the
    /// maximum size, the server sends an empty message.
    pub(super) fn ask(&mut self, command: &Command) -> Result<Vec<u8>> {
        // Unsolicited data would be mistaken for the response.
        if self.connection.has_more() {
            let kind = ErrorKind::Protocol("one response to each message, found more");
            return Err(self.connection.failed(kind));
        }
        self.connection.send_message(command)?;
        self.connection.in_one_step(receive)
    }

    /// Creates an error for a response that cannot be decoded.
    pub(super) fn malformed(&self, error: DecodeError) -> Error {
        let place = format!("reading the response, at octet {}", error.offset);
        let kind = ErrorKind::Protocol(error.expected);
        self.connection.failed(kind).with_step(place)
    }

    /// Creates an error that mentions the last message that was sent.
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        self.connection.failed(kind)
    }

    /// Converts a diagnostic to an error.
    pub(super) fn denied(&self, diagnostic: Diagnostic<'_>) -> Error {
        let line = diagnostic.line();
        self.error(ErrorKind::server(None, &line))
            .with_received(&line)
    }
}

/// Returns true if the server closed the connection before it responded.
pub(super) const fn is_closed(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Network(_) | ErrorKind::EndedEarly { received: 0, .. }
    )
}

/// Receives a message, and returns its APDU, which may be empty. Memory use grows with the data
/// received, not with the length that the server announces.
fn receive(connection: &mut Connection) -> Result<Vec<u8>> {
    let header = read(connection, HEADER_LEN, None)?;
    let length = <&[u8; HEADER_LEN]>::try_from(header.as_slice());
    let length = length.map_or(Ok(0), decode_header).map_err(|error| {
        let kind = ErrorKind::Protocol(error.expected);
        connection.failed(kind).with_received(&header)
    })?;
    match usize::try_from(length) {
        Ok(length) if length <= MAX_RESPONSE => read(connection, length, Some(length)),
        _ => {
            let kind = ErrorKind::Protocol("a response of at most 1 MiB");
            Err(connection.failed(kind).with_received(&header))
        }
    }
}

/// Reads exactly `count` octets.
fn read(connection: &mut Connection, count: usize, announced: Option<usize>) -> Result<Vec<u8>> {
    let mut octets = Vec::new();
    while octets.len() < count {
        let some = connection.peek()?;
        let left = count - octets.len();
        let taken = some.get(..left).unwrap_or(some);
        if taken.is_empty() {
            let size = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
            let (expected, received) = (announced.map(size), size(octets.len()));
            return Err(connection.failed(ErrorKind::EndedEarly { expected, received }));
        }
        let taken_len = taken.len();
        octets.extend_from_slice(taken);
        connection.consume(taken_len);
    }
    Ok(octets)
}

/// Reads messages that arrive in pieces of `piece` octets, for fuzz targets. Returns their APDUs
/// as text, followed by the final error.
#[doc(hidden)]
pub fn replay(octets: &[u8], piece: usize) -> String {
    use std::fmt::Write as _;
    let mut connection = Connection::replay(octets, piece);
    let mut found = String::new();
    loop {
        match connection.in_one_step(receive) {
            Ok(apdu) => drop(writeln!(found, "{}", apdu.escape_ascii())),
            Err(error) => return format!("{found}{:?}", error.kind()),
        }
    }
}
