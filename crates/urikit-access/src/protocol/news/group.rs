//! One group: its articles, or their number.

use super::command::{Command, Overview};
use super::job::{Job, Target};
use super::overview::{self, Record};
use super::range::Range;
use super::session::Session;
use crate::command::Argument;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::listing::{Entry, EntryKind};
use crate::output::{Metadata, Output};
use crate::protocol::message;

/// The size of the first ranges. Servers compose a complete reply before they send it, and a reply
/// that breaks off has to be requested again.
const PIECE: u64 = 1000;

/// The numbers in the reply to `GROUP` (RFC 3977, 6.1.1).
struct Numbers {
    count: u64,
    first: u64,
    last: u64,
}

/// Lists the articles in a range.
pub(super) fn list(
    job: &Job<'_>,
    group: &Argument,
    range: Range,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<Session> {
    let (mut session, numbers) = select(job, group, context)?;
    output.begin(numbers.metadata())?;
    let wanted = Numbers {
        count: numbers.count,
        first: numbers.first.max(range.first),
        last: numbers.last.min(range.last),
    };
    let listed = pieces(&mut session, job, &wanted, context, output);
    listed.map_err(|error| error.with_step("listing the articles"))?;
    Ok(session)
}

/// Reports how many articles there are, and their numbers.
pub(super) fn describe(
    job: &Job<'_>,
    group: &Argument,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<Session> {
    let (session, numbers) = select(job, group, context)?;
    output.begin(numbers.metadata())?;
    Ok(session)
}

fn select(
    job: &Job<'_>,
    group: &Argument,
    context: &mut Context<'_>,
) -> Result<(Session, Numbers)> {
    let (session, reply) = Session::begin(job, &Command::Group(group.clone()), context)?;
    let expected = "211 and the group's numbers";
    let selected =
        session
            .expect(&reply, &[211], expected)
            .and_then(|()| match reply.numbers().as_slice() {
                [count, first, last] => Ok(Numbers {
                    count: *count,
                    first: *first,
                    last: *last,
                }),
                _ => Err(Error::new(ErrorKind::Protocol(expected)).with_received(&reply.line)),
            });
    let numbers = selected.map_err(|error| error.with_step("selecting the group"))?;
    Ok((session, numbers))
}

impl Numbers {
    fn metadata(&self) -> Metadata {
        let attributes = [
            ("articles", self.count),
            ("first", self.first),
            ("last", self.last),
        ];
        let attributes = attributes.map(|(name, number)| (name.to_owned(), number.to_string()));
        Metadata {
            attributes: attributes.to_vec(),
            ..Metadata::listing()
        }
    }
}

/// Requests one range of numbers after another. If the ranges contain few articles, they grow, so
/// that a server cannot cause any number of requests by reporting a large range.
fn pieces(
    session: &mut Session,
    job: &Job<'_>,
    numbers: &Numbers,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let (mut next, mut span) = (numbers.first, PIECE);
    while numbers.count > 0 && next <= numbers.last {
        let last = next.saturating_add(span - 1).min(numbers.last);
        let found = piece(session, job, (next, last), context, output)?;
        if found < span / 4 {
            span = span.saturating_mul(2);
        }
        match last.checked_add(1) {
            Some(after) => next = after,
            None => break,
        }
    }
    Ok(())
}

/// Lists a range. Returns how many articles it contains.
fn piece(
    session: &mut Session,
    job: &Job<'_>,
    (first, last): (u64, u64),
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<u64> {
    let range = Overview::Range(first, last);
    let mut reply = None;
    if !session.needs_xover {
        let over = session.ask(&Command::Over(range.clone()), job, context)?;
        if overview::is_refused(over.code) {
            session.needs_xover = true;
        } else {
            reply = Some(over);
        }
    }
    let reply = match reply {
        Some(reply) => reply,
        None => session.ask(&Command::Xover(range), job, context)?,
    };
    // The range contains no articles: RFC 3977, 8.3.1; RFC 2980, 2.8.
    if matches!(reply.code, 420 | 423) {
        return Ok(0);
    }
    session.expect(&reply, &[224], "224 and the overview")?;
    let mut count = 0;
    let mut lines = session.lines();
    while let Some(line) = lines.next()? {
        let record = Record::read(&line);
        let Some(record) = record.filter(|record| (first..=last).contains(&record.number)) else {
            let kind = ErrorKind::Protocol("the overview of an article in the range");
            return Err(lines.failed(kind).with_received(&line));
        };
        count += 1;
        output.entry(&entry(job, &record))?;
    }
    Ok(count)
}

fn entry(job: &Job<'_>, record: &Record) -> Entry {
    let mut entry = Entry::new(EntryKind::Article, &overview::decoded(&record.subject))
        .size(record.bytes)
        .modified(message::timestamp(&record.date))
        .detail("number", record.number.to_string().as_bytes())
        .detail("from", &overview::decoded(&record.from));
    let name = match &job.target {
        Target::Group { name, .. } => name.to_bytes(),
        _ => Vec::new().into(),
    };
    entry.reference = job.link.article(&name, record);
    if let Some(id) = record.bare_id() {
        entry = entry.detail("message_id", id);
    }
    if let Some(lines) = record.lines {
        entry = entry.detail("lines", lines.to_string().as_bytes());
    }
    entry
}
