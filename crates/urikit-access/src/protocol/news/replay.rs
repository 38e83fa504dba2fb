//! Reads replies and blocks from memory, for fuzz targets.

use super::block::{self, Lines};
use super::listing::{Summary, decode_words};
use super::session::Reply;
use crate::net::Connection;
use crate::output::{Buffer, Output};
use crate::policy::Policy;
use crate::protocol::message::timestamp;
use crate::request::Request;
use std::fmt::Write as _;
use urikit::Standard;

/// Reads replies, each of which is followed by a block, until the end of the octets.
pub fn replies(octets: &[u8], piece: usize) -> String {
    let mut connection = Connection::replay(octets, piece);
    let mut found = String::new();
    loop {
        let line = match connection.read_complete_line() {
            Ok(line) => line,
            Err(error) => return format!("{found}{:?}", error.kind()),
        };
        match Reply::parse(line) {
            Err(error) => drop(writeln!(found, "{:?}", error.kind())),
            Ok(reply) => {
                let line = reply.line.escape_ascii().to_string();
                let _ = writeln!(found, "{} {line} {:?}", reply.code, reply.numbers());
            }
        }
        let mut lines = Lines::new(&mut connection);
        loop {
            match lines.next() {
                Ok(Some(line)) => found += &summary(&line),
                Ok(None) => break,
                Err(error) => return format!("{found}{:?}", error.kind()),
            }
        }
    }
}

/// Describes a line, and parses it as a line in an overview if possible.
fn summary(line: &[u8]) -> String {
    let text = line.escape_ascii();
    let Some(summary) = Summary::parse(line) else {
        return format!("{text}\n");
    };
    let (date, id) = (timestamp(&summary.date), summary.bare_id());
    let subject = decode_words(&summary.subject).escape_ascii().to_string();
    let (number, bytes, lines) = (summary.number, summary.bytes, summary.lines);
    format!("{text} {number} {date:?} {id:?} {subject} {bytes:?} {lines:?}\n")
}

/// Reads a block twice, first line by line, and then in pieces as it arrives. Returns the two
/// results, or `None` if the block is incomplete.
pub fn block(octets: &[u8], piece: usize) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut connection = Connection::replay(octets, piece);
    let (mut lines, mut first) = (Lines::new(&mut connection), Vec::new());
    while let Some(line) = lines.next().ok()? {
        first.extend_from_slice(&line);
        first.push(b'\n');
    }
    let reference = Standard::Rfc3986.parse("news:a@b").ok()?;
    let (request, policy) = (Request::new(reference), Policy::default());
    let mut sink = Buffer::default();
    let mut output = Output::new(&mut sink, &policy, &request);
    let mut connection = Connection::replay(octets, piece);
    block::deliver(&mut connection, &mut output).ok()?;
    output.end().ok()?;
    Some((first, sink.bytes))
}
