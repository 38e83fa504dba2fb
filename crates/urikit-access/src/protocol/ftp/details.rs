//! The details of the names in a listing: by `MLSD` (RFC 3659, 7), or else by `LIST`.

use super::command::Command;
use super::job::Job;
use super::names::{Detail, Directory, Name};
use super::session::Session;
use super::{facts, unix};
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::listing::EntryKind;
use crate::net::Connection;
use crate::output::Output;
use crate::sink::Metadata;
use std::collections::HashMap;

/// The most octets of details to read.
const MAX_OCTETS: usize = 16 << 20;
/// The most lines without a name to accept in a listing.
const MAX_UNNAMED: usize = 1000;

/// The details of names, in the same order. All `None` if the server refuses them.
pub(super) fn find(
    names: &mut [Name],
    job: &Job<'_>,
    directory: &Directory<'_>,
    session: &mut Session,
    context: &mut Context<'_>,
) -> Result<Vec<Option<Detail>>> {
    let mut found = vec![None; names.len()];
    let has_mlst = session.has_mlst()?;
    let command = if has_mlst {
        Command::Mlsd(job.name())
    } else {
        Command::List(job.name())
    };
    let mut data = match session.begin_transfer(0, &command, context) {
        Ok(data) => data,
        Err(error) if session.is_in_order() && matches!(error.kind(), ErrorKind::Denied) => {
            return Ok(found);
        }
        Err(error) => return Err(error),
    };
    if has_mlst {
        for name in names.iter_mut() {
            directory.settle(name);
        }
    }
    let numbers = names.iter().enumerate();
    let numbers: HashMap<&[u8], usize> = numbers.map(|(at, name)| (&name.text[..], at)).collect();
    let mut octets = 0;
    while let Some(line) = data.read_line()? {
        octets += line.len() + 1;
        if octets > MAX_OCTETS {
            // The session is out of order now, and is not reused.
            context.note("the details are too long, and are left out");
            return Ok(found);
        }
        let detail = if has_mlst {
            by_facts(&line).and_then(|(name, detail)| Some((numbers.get(name)?, detail)))
        } else {
            by_unix(&line, &numbers)
        };
        if let Some((at, detail)) = detail
            && let Some(directory) = found.get_mut(*at)
        {
            *directory = Some(detail);
        }
    }
    drop(data);
    session.end_transfer(0)?;
    Ok(found)
}

/// Lists by `MLSD` alone. False if that is refused too.
pub(super) fn list_by_mlsd(
    job: &Job<'_>,
    directory: &Directory<'_>,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<bool> {
    let mut data: Connection = match session.begin_transfer(0, &Command::Mlsd(job.name()), context)
    {
        Ok(data) => data,
        Err(error) if session.is_in_order() && matches!(error.kind(), ErrorKind::Denied) => {
            return Ok(false);
        }
        Err(error) => return Err(error),
    };
    output.begin(Metadata::listing())?;
    let mut unnamed = 0;
    while let Some(line) = data.read_line()? {
        match by_facts(&line) {
            Some((name, detail)) => {
                output.entry(&directory.entry(&directory.within(name), Some(detail)))?;
            }
            None => count_unnamed(&mut unnamed, &data)?,
        }
    }
    drop(data);
    session.end_transfer(0)?;
    Ok(true)
}

/// Counts a line without a name.
pub(super) fn count_unnamed(unnamed: &mut usize, data: &Connection) -> Result<()> {
    *unnamed += 1;
    if *unnamed > MAX_UNNAMED {
        return Err(data.failed(ErrorKind::Protocol("names in the listing")));
    }
    Ok(())
}

fn by_facts(line: &[u8]) -> Option<(&[u8], Detail)> {
    let is_around = |fact: &facts::Fact<'_>| fact.is_around || matches!(fact.name, b"." | b"..");
    let fact = facts::read(line).filter(|fact| !is_around(fact))?;
    let detail = Detail {
        kind: Some(fact.kind),
        size: fact.size,
        modified: fact.modified,
        others: fact.details,
    };
    Some((fact.name, detail))
}

/// Only a line that contains one of the listed names is certain to be read correctly.
fn by_unix<'n>(line: &[u8], numbers: &'n HashMap<&[u8], usize>) -> Option<(&'n usize, Detail)> {
    const ARROW: &[u8] = b" -> ";
    let line = unix::read(line)?;
    let text = |octets: &[u8]| {
        let octets = octets.get(..facts::MAX_OCTETS).unwrap_or(octets);
        String::from_utf8_lossy(octets).into_owned()
    };
    let mut others = vec![("mode", text(line.mode)), ("date", text(line.date))];
    let at = if line.kind == EntryKind::Link {
        // The name of a link ends at the first arrow that follows a listed name.
        let ends = line.name.windows(ARROW.len()).enumerate();
        let mut ends = ends.filter(|(_, window)| *window == ARROW);
        let (at, end) =
            ends.find_map(|(end, _)| Some((numbers.get(line.name.get(..end)?)?, end)))?;
        let target = line.name.get(end + ARROW.len()..).unwrap_or_default();
        others.push(("target", text(target)));
        at
    } else {
        numbers.get(line.name)?
    };
    let detail = Detail {
        kind: Some(line.kind),
        size: line.size,
        modified: None,
        others,
    };
    Some((at, detail))
}
