//! Searches mailboxes in memory, for fuzz targets.

use super::lines::{Lines, ReadAt};
use super::search::{Search, Target};
use crate::deadline::Deadline;
use crate::output::{Buffer, Output};
use crate::policy::Policy;
use crate::request::Request;
use std::fmt::Write as _;
use std::io::{BufReader, Read as _};
use std::time::Duration;
use urikit::Standard;

/// Searches a mailbox for a message and for a part, which both have the identifier `a@b`. Reads
/// `piece` octets at a time.
pub fn search(octets: &[u8], piece: usize) -> String {
    let id = b"a@b".to_vec();
    let targets = [
        Target::Message(id.clone()),
        Target::Part {
            message: None,
            part: id.clone(),
        },
        Target::Part {
            message: Some(id.clone()),
            part: id,
        },
    ];
    let found = targets.map(|target| {
        let mut search = Search::new(target, true, 8);
        let found =
            [false, true].map(|is_mailbox| search_file(&mut search, octets, piece, is_mailbox));
        format!(
            "{} {} {} {found:?}",
            search.deepest, search.messages, search.truncated_fields
        )
    });
    found.join("\n")
}

fn search_file(
    search: &mut Search,
    octets: &[u8],
    piece: usize,
    is_mailbox: bool,
) -> Option<String> {
    let reference = Standard::Rfc3986.parse("mid:a@b").ok()?;
    let (request, policy) = (Request::new(reference), Policy::default());
    let mut sink = Buffer::default();
    let mut output = Output::new(&mut sink, &policy, &request);
    let read_at = |offset, into: &mut [u8]| {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|from| octets.get(from..));
        rest.unwrap_or_default().read(into)
    };
    let input = BufReader::with_capacity(piece.max(1), octets);
    let mut lines = Lines::new(input, is_mailbox.then_some(&read_at as &ReadAt<'_>));
    let mut outcomes = String::new();
    while lines.next_message().ok()? {
        let outcome = search.message(
            &mut lines,
            &Deadline::after(Duration::from_secs(60)),
            &mut output,
        );
        let outcome = outcome.map_err(|error| format!("{:?}", error.kind()));
        let is_last = outcome != Ok(false);
        let _ = writeln!(outcomes, "{outcome:?}");
        if is_last {
            break;
        }
    }
    drop(output);
    Some(format!(
        "{outcomes}{:?} {}",
        sink.metadata,
        sink.bytes.escape_ascii()
    ))
}
