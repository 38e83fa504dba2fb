//! Reads a response from memory, for fuzz targets.

use super::command::Command;
use super::ranges::Range;
use super::response::parse_date;
use crate::error::{Error, ErrorKind};
use crate::http1::{Exchange, Sent};
use crate::net::Connection;
use bytes::Bytes;
use jiff::Timestamp;
use std::fmt::Write as _;

/// Reads the head of a response, and a body of the announced length. Ignores any bytes after the
/// body, because the client notices them only if the input is split in certain ways.
pub fn response(octets: &[u8], piece: usize) -> String {
    let connection = Connection::replay(octets, piece);
    let mut found = String::new();
    match read(connection, &mut found) {
        Ok(()) => found,
        Err(error) => match error.kind() {
            ErrorKind::EndedEarly { .. } => format!("{found}ended early"),
            other => format!("{found}{other:?}"),
        },
    }
}

/// Reads a response, and writes its parts to `found`.
fn read(connection: Connection, found: &mut String) -> Result<(), Error> {
    let sent = Sent {
        method: http::Method::GET,
        head: &[Command::End],
        body: Bytes::new(),
    };
    let mut exchange = Exchange::begin(connection, sent, 64 << 10)?;
    let head = &exchange.head;
    let _ = writeln!(found, "{head:?} {}", head.keeps_connection());
    head.check_framing(true)?;
    for value in head.all("Content-Range") {
        let _ = writeln!(found, "{:?}", Range::parse(value));
    }
    for value in head.all("Last-Modified") {
        let _ = writeln!(found, "{:?}", parse_date(value, Timestamp::UNIX_EPOCH));
    }
    let mut octets = Vec::new();
    let outcome = loop {
        match exchange.chunk() {
            Ok(Some(bytes)) => octets.extend_from_slice(&bytes),
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    let _ = writeln!(found, "{}", octets.escape_ascii());
    outcome
}
