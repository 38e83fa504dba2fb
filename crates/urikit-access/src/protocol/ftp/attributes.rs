//! Metadata only: `SIZE`, `MDTM` and `MLST` (RFC 3659, 3, 4 and 7).

use super::command::{Command, Type};
use super::config::Ftp;
use super::facts;
use super::job::{Job, Transfer};
use super::session::Session;
use crate::command::Argument;
use crate::error::Result;
use crate::listing::{EntryKind, text};
use crate::output::Output;
use crate::protocol::digits::number;
use crate::protocol::time;
use crate::sink::Metadata;
use jiff::Timestamp;

/// Finds the metadata of what the URL names: by `MLST` if the server supports it, or else by
/// `SIZE` and `MDTM`. What has no size is a directory if `CWD` accepts it.
pub(super) fn find(
    ftp: &Ftp,
    job: &Job<'_>,
    session: &mut Session,
    output: &mut Output<'_>,
) -> Result<()> {
    let asks_mlst = ftp.details && session.has_mlst()?;
    if asks_mlst && let Some(metadata) = by_mlst(job, session)? {
        return output.begin(metadata);
    }
    output.begin(by_others(job, session)?)
}

/// `None` if `MLST` is refused, its reply has no facts, or they are those of a symbolic link.
fn by_mlst(job: &Job<'_>, session: &mut Session) -> Result<Option<Metadata>> {
    let Some(reply) = session.optional(&Command::Mlst(job.name()))? else {
        return Ok(None);
    };
    // The line begins with a space (RFC 3659, 7.2), which some servers omit.
    let line = reply.inner_lines().first();
    let fact = line.and_then(|line| facts::read(line.strip_prefix(b" ").unwrap_or(line)));
    // Of a link, these would be the facts of the link itself, and not of what it leads to.
    let fact = fact.filter(|found| found.kind != EntryKind::Link);
    Ok(fact.map(|found| Metadata {
        is_listing: found.kind == EntryKind::Directory,
        size: found.size,
        modified: found.modified,
        attributes: found.details.into_iter().map(owned).collect(),
        ..Metadata::default()
    }))
}

fn owned((name, value): (&'static str, &[u8])) -> (String, String) {
    (name.to_owned(), text(value))
}

fn by_others(job: &Job<'_>, session: &mut Session) -> Result<Metadata> {
    let Some(name) = job.transfer.name() else {
        // The `CWD`s of the URL have succeeded.
        return Ok(Metadata::listing());
    };
    let (mut size, mut modified) = (None, None);
    if let Transfer::File(_) = job.transfer {
        session.set_type(&Type::Image)?;
        size = session.size(name)?;
        modified = session.modified(name)?;
    }
    let mut is_listing = false;
    if size.is_none() {
        // Some servers have dates for directories too.
        match session.change_directory(name) {
            Ok(()) => is_listing = true,
            Err(error) if !session.is_in_order() || modified.is_none() => {
                return Err(error.at("finding the metadata"));
            }
            Err(_) => {}
        }
    }
    Ok(Metadata {
        size,
        modified,
        is_listing,
        ..Metadata::default()
    })
}

impl Session {
    /// The size of the file in the current type; `None` if the server does not report it.
    pub(super) fn size(&mut self, name: &Argument) -> Result<Option<u64>> {
        let reply = self.optional(&Command::Size(name.clone()))?;
        Ok(reply
            .filter(|reply| reply.code == 213)
            .and_then(|reply| number(reply.text().trim_ascii())))
    }

    /// When the file was last modified; `None` if the server does not report it.
    pub(super) fn modified(&mut self, name: &Argument) -> Result<Option<Timestamp>> {
        let reply = self.optional(&Command::Mdtm(name.clone()))?;
        Ok(reply
            .filter(|reply| reply.code == 213)
            .and_then(|reply| time::read(reply.text().trim_ascii())))
    }
}
