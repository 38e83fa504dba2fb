//! The groups of a server, or those that match a wildcard.

use super::command::Command;
use super::job::Job;
use super::session::Session;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::listing::{Entry, EntryKind};
use crate::output::{Metadata, Output};
use crate::protocol::parse::number;
use urikit_schemes::Newsgroups;

/// Lists the groups. Those that do not match are left out here too, in case the server ignores the
/// wildcard.
pub(super) fn list(
    job: &Job<'_>,
    groups: Newsgroups<'_>,
    list: &Command,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<Session> {
    let (mut session, mut reply) = Session::begin(job, list, context)?;
    // A server of RFC 977 does not support arguments to `LIST`.
    if groups != Newsgroups::All && matches!(reply.code, 500 | 501 | 503) {
        reply = session.ask(&Command::List, job, context)?;
    }
    session
        .expect(&reply, &[215], "215 and the list of groups")
        .map_err(|error| error.with_step("listing the groups"))?;
    output.begin(Metadata::listing())?;
    let listed = entries(&mut session, job, groups, output);
    listed.map_err(|error| error.with_step("listing the groups"))?;
    Ok(session)
}

fn entries(
    session: &mut Session,
    job: &Job<'_>,
    groups: Newsgroups<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let mut lines = session.lines();
    while let Some(line) = lines.next()? {
        let Some(entry) = entry(job, &line) else {
            let kind =
                ErrorKind::Protocol("a group, its last and its first number, and its status");
            return Err(lines.failed(kind).with_received(&line));
        };
        if groups.contains(&entry.name) {
            output.entry(&entry)?;
        }
    }
    Ok(())
}

/// `group last first status` (RFC 3977, 7.6.3).
fn entry(job: &Job<'_>, line: &[u8]) -> Option<Entry> {
    let mut words = line
        .split(|octet| matches!(octet, b' ' | b'\t'))
        .filter(|word| !word.is_empty());
    let (name, last, first) = (words.next()?, words.next()?, words.next()?);
    let (last, first): (u64, u64) = (number(last)?, number(first)?);
    let mut entry = Entry::new(EntryKind::Group, name)
        .detail("first", first.to_string().as_bytes())
        .detail("last", last.to_string().as_bytes());
    if let Some(status) = words.next() {
        entry = entry.detail("status", status);
    }
    entry.reference = job.link.group(name);
    Some(entry)
}
