//! What more is known of the names in a listing: by `MLSD` (RFC 3659, 7), or else by `LIST`.

use super::job::Job;
use super::names::{Detail, Name, Place};
use super::session::Session;
use super::{facts, unix};
use crate::context::Context;
use crate::delivery::Delivery;
use crate::error::{ErrorKind, Result};
use crate::listing::EntryKind;
use crate::net::Connection;
use crate::sink::Known;
use std::collections::HashMap;

/// Octets more than these are not read for the details of the names that are held.
const MOST_OCTETS: usize = 16 << 20;
/// Lines without any name, more than these, are no listing.
const MOST_VOID: usize = 1000;

/// The details of names, in their order. Where the server refuses them, there are none.
pub(super) fn of(
    names: &mut [Name],
    job: &Job<'_>,
    place: &Place<'_>,
    session: &mut Session,
    context: &mut Context<'_>,
) -> Result<Vec<Option<Detail>>> {
    let mut found = vec![None; names.len()];
    let has_mlst = session.has_mlst()?;
    let command = job.about(if has_mlst { "MLSD" } else { "LIST" })?;
    let mut data = match session.begin_transfer(None, &command, context) {
        Ok(data) => data,
        Err(error) if session.is_in_order() && matches!(error.kind(), ErrorKind::Denied) => {
            return Ok(found);
        }
        Err(error) => return Err(error),
    };
    if has_mlst {
        for name in names.iter_mut() {
            place.settle(name);
        }
    }
    let numbers = names.iter().enumerate();
    let numbers: HashMap<&[u8], usize> = numbers.map(|(at, name)| (&name.text[..], at)).collect();
    let mut octets = 0;
    while let Some(line) = data.read_line()? {
        octets += line.len() + 1;
        if octets > MOST_OCTETS {
            // The session is out of order from here, and is not used again.
            context.note("the details are longer than the names, and are left out");
            return Ok(found);
        }
        let detail = if has_mlst {
            by_facts(&line).and_then(|(name, detail)| Some((numbers.get(name)?, detail)))
        } else {
            by_unix(&line, &numbers)
        };
        if let Some((at, detail)) = detail
            && let Some(place) = found.get_mut(*at)
        {
            *place = Some(detail);
        }
    }
    drop(data);
    session.end_transfer(0)?;
    Ok(found)
}

/// Lists by `MLSD` alone. False where that is refused too.
pub(super) fn alone(
    job: &Job<'_>,
    place: &Place<'_>,
    session: &mut Session,
    context: &mut Context<'_>,
    delivery: &mut Delivery<'_>,
) -> Result<bool> {
    let mut data: Connection = match session.begin_transfer(None, &job.about("MLSD")?, context) {
        Ok(data) => data,
        Err(error) if session.is_in_order() && matches!(error.kind(), ErrorKind::Denied) => {
            return Ok(false);
        }
        Err(error) => return Err(error),
    };
    delivery.begin(Known::listing())?;
    let mut void = 0;
    while let Some(line) = data.read_line()? {
        match by_facts(&line) {
            Some((name, detail)) => {
                delivery.entry(&place.entry(&place.within(name), Some(detail)))?;
            }
            None => count_void(&mut void, &data)?,
        }
    }
    drop(data);
    session.end_transfer(0)?;
    Ok(true)
}

/// Counts a line that names nothing.
pub(super) fn count_void(void: &mut usize, data: &Connection) -> Result<()> {
    *void += 1;
    if *void > MOST_VOID {
        return Err(data.failed(ErrorKind::Protocol("names in a list of names")));
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

/// Only what names one of the names that were listed is certain to be read rightly.
fn by_unix<'n>(line: &[u8], numbers: &'n HashMap<&[u8], usize>) -> Option<(&'n usize, Detail)> {
    const ARROW: &[u8] = b" -> ";
    let line = unix::read(line)?;
    let text = |octets: &[u8]| {
        let octets = octets.get(..facts::MOST_OCTETS).unwrap_or(octets);
        String::from_utf8_lossy(octets).into_owned()
    };
    let mut others = vec![("mode", text(line.mode)), ("date", text(line.date))];
    let at = if line.kind == EntryKind::Link {
        // It leads on behind the first arrow whose name was listed.
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
