//! A response from memory, for fuzz targets.

use super::body::{self, Length};
use super::head::Head;
use super::{date, range::Range};
use crate::error::{Error, ErrorKind};
use crate::net::Connection;
use jiff::Timestamp;
use std::fmt::Write as _;

/// Reads a response: its head, and the body that its length gives it. Whether more follows on the
/// connection depends on how much has arrived, so what does is ignored.
pub fn response(octets: &[u8], piece: usize) -> String {
    let mut connection = Connection::replay(octets, piece);
    let mut found = String::new();
    match read(&mut connection, &mut found) {
        Ok(()) => found,
        Err(error) if matches!(error.kind(), ErrorKind::TooManyBytes { .. }) => found,
        Err(error) => format!("{found}{:?}", error.kind()),
    }
}

fn read(connection: &mut Connection, found: &mut String) -> Result<(), Error> {
    let head = Head::read(connection, 64 << 10)?;
    let length = Length::of(&head, false)?;
    let _ = writeln!(found, "{head:?} {length:?} {}", head.keeps_connection());
    for value in head.all("Content-Range") {
        let _ = writeln!(found, "{:?}", Range::parse(value));
    }
    for value in head.all("Last-Modified") {
        let _ = writeln!(found, "{:?}", date::parse(value, Timestamp::UNIX_EPOCH));
    }
    let mut octets = Vec::new();
    let outcome = body::read(connection, length, None, &mut |bytes| {
        octets.extend_from_slice(bytes);
        Ok(())
    });
    let _ = writeln!(found, "{}", octets.escape_ascii());
    outcome
}
