//! Listings with details: `MLSD` (RFC 3659, 7), or else `LIST`, over one data connection. Each line
//! is passed on as it arrives.

use super::command::Command;
use super::names::{Directory, Name};
use super::session::Session;
use super::{facts, lines};
use crate::command::Argument;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::listing::{Entry, EntryKind};
use crate::net::Connection;
use crate::output::Output;
use crate::sink::Metadata;

/// The most lines without a name to accept in a listing.
const MAX_UNNAMED: usize = 1000;

/// The most lines to skip of a listing of unknown form.
const MAX_SKIPPED: usize = 1_000_000;

/// How a listing ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Listed {
    /// With this many entries.
    Done(u64),
    /// The server refused it.
    Refused,
    /// The first line has an unknown form, and nothing was passed on.
    Unknown,
}

/// Lists the current directory by `MLSD`.
pub(super) fn by_mlsd(
    directory: &Directory<'_>,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<Listed> {
    let Some(mut data) = begin(&Command::Mlsd(None), session, context)? else {
        return Ok(Listed::Refused);
    };
    output.begin(Metadata::listing())?;
    let (mut count, mut unnamed) = (0, 0);
    let mut line = Vec::new();
    let mut entry = Entry::new(EntryKind::Other, b"");
    while next_line(&mut data, &mut line, output)? {
        match facts::read(&line) {
            Some(fact) if fact.is_around || matches!(fact.name, b"." | b"..") => {}
            Some(fact) => {
                directory.name(&mut entry, directory.within(fact.name), Some(fact.kind));
                (entry.size, entry.modified) = (fact.size, fact.modified);
                entry.set_details(fact.details);
                output.entry_of_several(&entry)?;
                count += 1;
            }
            None => count_unnamed(&mut unnamed, &data)?,
        }
    }
    drop(data);
    session.end_transfer(0)?;
    Ok(Listed::Done(count))
}

/// Lists by `LIST`. A line of unknown form is an entry of text; if the first line is one and
/// `may_give_up`, nothing is passed on.
pub(super) fn by_list(
    argument: Option<&Argument>,
    directory: &Directory<'_>,
    may_give_up: bool,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<Listed> {
    let Some(mut data) = begin(&Command::List(argument.cloned()), session, context)? else {
        return Ok(Listed::Refused);
    };
    let (mut count, mut unnamed, mut skipped, mut has_given_up) = (0, 0, 0, false);
    let mut line = Vec::new();
    let mut entry = Entry::new(EntryKind::Other, b"");
    while next_line(&mut data, &mut line, output)? {
        if has_given_up || lines::is_no_entry(&line) {
            // Once it has given up, it reads on, so that the session stays in order.
            skipped += usize::from(has_given_up);
            if !has_given_up || skipped > MAX_SKIPPED {
                count_unnamed(&mut unnamed, &data)?;
            }
            continue;
        }
        match lines::read(&line) {
            Some(read) => {
                let Some(name) = directory.read(read.name) else {
                    count_unnamed(&mut unnamed, &data)?; // `.` and `..`
                    continue;
                };
                describe(&mut entry, &read, name, directory);
            }
            None if may_give_up && count == 0 => {
                has_given_up = true;
                continue;
            }
            None => entry = Entry::new(EntryKind::Text, &line),
        }
        if count == 0 {
            output.begin(Metadata::listing())?;
        }
        output.entry_of_several(&entry)?;
        count += 1;
    }
    drop(data);
    session.end_transfer(0)?;
    if has_given_up {
        return Ok(Listed::Unknown);
    }
    if count == 0 && may_give_up {
        output.begin(Metadata::listing())?;
    }
    Ok(Listed::Done(count))
}

/// Begins a listing; `None` if it is refused.
pub(super) fn begin(
    command: &Command,
    session: &mut Session,
    context: &mut Context<'_>,
) -> Result<Option<Connection>> {
    match session.begin_transfer(0, command, context) {
        Ok(data) => Ok(Some(data)),
        Err(error) if session.is_refused(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the next line, in place of the one before.
pub(super) fn next_line(
    data: &mut Connection,
    line: &mut Vec<u8>,
    output: &mut Output<'_>,
) -> Result<bool> {
    if !data.has_line() {
        output.will_wait();
    }
    data.read_line_into(line)
}

/// Counts a line without a name.
pub(super) fn count_unnamed(unnamed: &mut usize, data: &Connection) -> Result<()> {
    *unnamed += 1;
    if *unnamed > MAX_UNNAMED {
        return Err(data.failed(ErrorKind::Protocol("names in the listing")));
    }
    Ok(())
}

/// Makes an entry that of a line.
fn describe(entry: &mut Entry, line: &lines::Line<'_>, name: Name<'_>, directory: &Directory<'_>) {
    directory.name(entry, name, Some(line.kind));
    (entry.size, entry.modified) = (line.size, line.modified);
    let details = [
        ("mode", line.mode),
        ("date", line.date),
        ("target", line.target),
    ];
    let cut = |value| <[u8]>::get(value, ..facts::MAX_OCTETS).unwrap_or(value);
    entry.set_details(
        details
            .into_iter()
            .filter_map(|(key, value)| Some((key, cut(value?)))),
    );
}
