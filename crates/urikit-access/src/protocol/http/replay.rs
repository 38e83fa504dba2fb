//! Responses from memory, for fuzz targets.

use super::body::{self, Length};
use super::head::Head;
use super::{date, range::Range};
use crate::error::{Error, ErrorKind};
use crate::net::Connection;
use jiff::Timestamp;

/// Reads responses one after another: each head, and the body that its length gives it.
pub fn responses(octets: &[u8], piece: usize) -> String {
    let mut connection = Connection::replay(octets, piece);
    let mut found = String::new();
    loop {
        match response(&mut connection, &mut found) {
            Ok(()) if connection.peek().is_ok_and(|rest| !rest.is_empty()) => {}
            Ok(()) => return found,
            // More was received than was announced, which depends on how much was.
            Err(error) if matches!(error.kind(), ErrorKind::TooManyBytes { .. }) => return found,
            Err(error) => return format!("{found}{:?}", error.kind()),
        }
    }
}

fn response(connection: &mut Connection, found: &mut String) -> Result<(), Error> {
    let head = Head::read(connection, 64 << 10)?;
    let length = Length::of(&head, false)?;
    *found += &format!("{head:?} {length:?} {}\n", head.keeps_connection());
    for value in head.all("Content-Range") {
        *found += &format!("{:?}\n", Range::parse(value));
    }
    for value in head.all("Last-Modified") {
        *found += &format!("{:?}\n", date::parse(value, Timestamp::UNIX_EPOCH));
    }
    let mut octets = Vec::new();
    let outcome = body::read(connection, length, None, &mut |bytes| {
        octets.extend_from_slice(bytes);
        Ok(())
    });
    *found += &format!("{}\n", octets.escape_ascii());
    outcome
}
