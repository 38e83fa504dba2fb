//! Answers from memory, for fuzz targets.

use super::exchange::receive;
use crate::net::Connection;
use std::fmt::Write as _;

/// Reads answers until there is none, and returns their APDUs as text, and what ended them.
pub fn answers(octets: &[u8], piece: usize) -> String {
    let mut connection = Connection::replay(octets, piece);
    let mut found = String::new();
    loop {
        match receive(&mut connection) {
            Ok(apdu) => drop(writeln!(found, "{}", apdu.escape_ascii())),
            Err(error) => return format!("{found}{:?}", error.kind()),
        }
    }
}
