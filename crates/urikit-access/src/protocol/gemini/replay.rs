//! Reads responses from memory, for fuzz targets.

use super::header::{Category, Header};
use crate::net::Connection;
use std::fmt::Write as _;

/// Reads the header of a response, and counts the octets of the body.
pub fn response(octets: &[u8], piece: usize) -> String {
    let mut connection = Connection::replay(octets, piece);
    let header = match Header::receive(&mut connection) {
        Ok(header) => header,
        Err(error) => return format!("{:?}", error.kind()),
    };
    let mut found = format!("{header:?} {:?}", header.category());
    match header.category() {
        Category::Success => {
            let _ = write!(found, " {:?}", header.metadata());
        }
        _ => {
            let _ = write!(found, " {:?}", header.failure(&connection).kind());
        }
    }
    let mut length = 0;
    while let Ok(bytes) = connection.peek()
        && !bytes.is_empty()
    {
        let count = bytes.len();
        length += count;
        connection.consume(count);
    }
    let _ = write!(found, " {length}");
    found
}
