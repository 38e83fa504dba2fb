//! A connection to a WAIS server, and the exchanges on it.

use super::Command;
use super::codec::{DecodeError, Diagnostic, InitResponse};
use super::exchange::receive;
use super::job::Job;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::net::Connection;

/// The size of messages that the client asks for, in octets. A search may return as many documents
/// as fit into a message.
pub(super) const MAX_MESSAGE: u32 = 64 << 10;

/// The first message.
pub(super) const INIT: Command = Command::Init {
    max_message: MAX_MESSAGE,
};

/// A connection after Init.
pub(super) struct Session {
    connection: Connection,
    /// The largest message, in octets.
    pub(super) max_message: u64,
}

impl Session {
    /// Connects to the server of the URL, and sends Init.
    ///
    /// The result of Init is not tested: freeWAIS declines some clients, and answers them all the
    /// same. A server that closes the connection on Init is asked again without it: a search does
    /// not need it.
    pub(super) fn open(job: &Job, context: &mut Context<'_>) -> Result<Self> {
        let mut session = Self {
            connection: context.connect(&job.host, job.port)?,
            max_message: MAX_MESSAGE.into(),
        };
        match session.ask(&INIT) {
            Ok(apdu) if apdu.is_empty() => {}
            Ok(apdu) => session.read_init(&apdu, context)?,
            Err(error) if is_closed(&error) => {
                context.note("the server closed the connection: continuing without Init");
                session.connection = context.connect(&job.host, job.port)?;
            }
            Err(error) => return Err(error.at("agreeing on the size of messages")),
        }
        Ok(session)
    }

    fn read_init(&mut self, apdu: &[u8], context: &Context<'_>) -> Result<()> {
        let response = InitResponse::decode(apdu);
        let response = response.map_err(|error| self.failed(error))?;
        if let Some(agreed) = response.agreed() {
            self.max_message = self.max_message.min(agreed);
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

    /// Sends a message, and receives the APDU of the answer. It is empty where the answer would
    /// not have fit into the largest message.
    pub(super) fn ask(&mut self, command: &Command) -> Result<Vec<u8>> {
        // An answer that nothing asked for would be taken for the next one.
        if self.connection.has_more() {
            let kind = ErrorKind::Protocol("one answer to each message, found more");
            return Err(self.connection.failed(kind));
        }
        self.connection.send_message(command)?;
        receive(&mut self.connection)
    }

    /// An error of an answer that is not one.
    pub(super) fn failed(&self, error: DecodeError) -> Error {
        let place = format!("reading the answer, at octet {}", error.offset);
        let kind = ErrorKind::Protocol(error.expected);
        self.connection.failed(kind).at(place)
    }

    /// An error of this kind, with the last message.
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        self.connection.failed(kind)
    }

    /// The error that a diagnostic reports.
    pub(super) fn denied(&self, diagnostic: Diagnostic<'_>) -> Error {
        let text = text(diagnostic);
        self.connection
            .failed(ErrorKind::server(None, &text))
            .received(&text)
    }
}

/// A diagnostic as its code and its text.
pub(super) fn text(diagnostic: Diagnostic<'_>) -> Vec<u8> {
    [&diagnostic.code, &b" "[..], diagnostic.text].concat()
}

/// Whether the server closed the connection before it answered.
pub(super) const fn is_closed(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Network(_) | ErrorKind::EndedEarly { received: 0, .. }
    )
}
