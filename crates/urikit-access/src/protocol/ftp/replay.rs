//! Replies and listings from memory, for fuzz targets.

use super::reply::Reply;
use super::{facts, lines, passive};
use crate::net::Connection;
use crate::protocol::time;
use std::fmt::Write as _;

/// Reads replies one after another, and each of their lines as whatever it could be.
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
        let _ = writeln!(found, " {:?}", passive::ports(reply.text()));
        for line in reply.lines().iter().chain(reply.inner_lines()) {
            let _ = writeln!(found, "{}", line.escape_ascii());
            entry(line, &mut found);
        }
    }
}

/// A line of a listing.
fn entry(line: &[u8], found: &mut String) {
    // The lines of MLST begin with a space.
    let fact = facts::read(line.strip_prefix(b" ").unwrap_or(line));
    if let Some(fact) = fact {
        let name = fact.name.escape_ascii();
        let _ = writeln!(
            found,
            "{name} {:?} {:?} {:?}",
            fact.kind, fact.size, fact.modified
        );
        let _ = writeln!(found, "{} {:?}", fact.is_around, fact.details);
    }
    if let Some(read) = lines::read(line) {
        let (mode, date, name) = (read.mode, read.date, read.name);
        let _ = writeln!(
            found,
            "{:?} {:?} {:?} {mode:?} {date:?} {name:?} {:?}",
            read.kind, read.size, read.modified, read.target
        );
    }
    let _ = writeln!(found, "{:?}", time::read(line.get(4..).unwrap_or_default()));
}
