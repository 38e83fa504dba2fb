//! Replies and listings from memory, for fuzz targets.

use super::reply::Reply;
use super::{facts, passive, unix};
use crate::net::Connection;
use crate::protocol::time;

/// Reads replies one after another, and each of their lines as whatever it could be.
pub fn replies(octets: &[u8], piece: usize) -> String {
    let mut connection = Connection::replay(octets, piece);
    let mut found = String::new();
    loop {
        let reply = match Reply::read(&mut connection, b"secret") {
            Ok(reply) => reply,
            Err(error) => return format!("{found}{:?}", error.kind()),
        };
        found += &format!("{} {} {}", reply.code, reply.class(), reply.is_refusal());
        found += &format!(" {:?}\n", passive::ports(reply.text()));
        for line in reply.lines().iter().chain(reply.inner_lines()) {
            found += &format!("{}\n", line.escape_ascii());
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
        *found += &format!(
            "{name} {:?} {:?} {:?}\n",
            fact.kind, fact.size, fact.modified
        );
        *found += &format!("{} {:?}\n", fact.is_around, fact.details);
    }
    if let Some(unix) = unix::read(line) {
        let (mode, date, name) = (unix.mode, unix.date, unix.name);
        *found += &format!(
            "{:?} {:?} {mode:?} {date:?} {name:?}\n",
            unix.kind, unix.size
        );
    }
    *found += &format!("{:?}\n", time::read(line.get(4..).unwrap_or_default()));
}
