//! Receives one message, within limits.

use super::codec::{HEADER_LEN, decode_header};
use crate::error::{ErrorKind, Result};
use crate::net::Connection;

/// The longest answer that is accepted, in octets. Servers exceed the size that was agreed on.
const MAX_ANSWER: usize = 1 << 20;

/// Receives an answer, and returns its APDU, which may be empty. Memory grows with what is
/// received, not with the length that the server announces.
pub(super) fn receive(connection: &mut Connection) -> Result<Vec<u8>> {
    connection.in_one_step(receive_apdu)
}

fn receive_apdu(connection: &mut Connection) -> Result<Vec<u8>> {
    let header = read(connection, HEADER_LEN, None)?;
    let length = <&[u8; HEADER_LEN]>::try_from(header.as_slice());
    let length = length.map_or(Ok(0), decode_header).map_err(|error| {
        let kind = ErrorKind::Protocol(error.expected);
        connection.failed(kind).received(&header)
    })?;
    match usize::try_from(length) {
        Ok(length) if length <= MAX_ANSWER => read(connection, length, Some(length)),
        _ => {
            let kind = ErrorKind::Protocol("an answer of at most 1 MiB");
            Err(connection.failed(kind).received(&header))
        }
    }
}

/// Reads exactly this many octets.
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
