//! Reads replies and listings from memory, for fuzz targets.

use super::reply::{Reply, epsv_port, pasv_port};
use super::{facts, lines};
use crate::net::Connection;
use crate::protocol::parse::utc_time;
use std::fmt::Write as _;

/// Parses a sequence of replies, and tries each listing parser on every line.
pub fn replies(octets: &[u8], piece: usize) -> String {
    let mut connection = Connection::replay(octets, piece);
    let mut found = String::new();
    loop {
        let reply = match Reply::read(&mut connection) {
            Ok(reply) => reply,
            Err(error) => return format!("{found}{:?}", error.kind()),
        };
        let _ = write!(
            found,
            "{} {} {}",
            reply.code,
            reply.class(),
            reply.is_refusal()
        );
        let ports = (epsv_port(reply.text()), pasv_port(reply.text()));
        let _ = writeln!(found, " {ports:?}");
        for line in reply.lines().iter().chain(reply.inner_lines()) {
            let _ = writeln!(found, "{}", line.escape_ascii());
            entry(line, &mut found);
        }
    }
}

/// Writes the values that the listing parsers find in a line.
fn entry(line: &[u8], found: &mut String) {
    // Lines from MLST begin with a space.
    let fact = facts::parse(line.strip_prefix(b" ").unwrap_or(line));
    if let Some(fact) = fact {
        let name = fact.name.escape_ascii();
        let _ = writeln!(
            found,
            "{name} {:?} {:?} {:?}",
            fact.kind, fact.size, fact.modified
        );
        let _ = writeln!(found, "{} {:?}", fact.is_self_or_parent, fact.details);
    }
    if let Some(read) = lines::parse(line) {
        let (mode, date, name) = (read.mode, read.date, read.name);
        let _ = writeln!(
            found,
            "{:?} {:?} {:?} {mode:?} {date:?} {name:?} {:?}",
            read.kind, read.size, read.modified, read.target
        );
    }
    let _ = writeln!(found, "{:?}", utc_time(line.get(4..).unwrap_or_default()));
}
