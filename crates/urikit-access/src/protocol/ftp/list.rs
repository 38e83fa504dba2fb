//! Directories: with details, or by `NLST` alone.

use super::command::Command;
use super::config::Ftp;
use super::details::{self, Listed, count_unnamed, next_line};
use super::job::Job;
use super::names::Directory;
use super::session::Session;
use crate::command::Argument;
use crate::context::Context;
use crate::error::Result;
use crate::listing::{Entry, EntryKind};
use crate::output::Output;
use crate::sink::Metadata;

/// Lists the names in a directory; without a name, in the current one.
pub(super) fn list(
    ftp: &Ftp,
    job: &Job<'_>,
    name: Option<&Argument>,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let is_entered = match name {
        None => true,
        Some(name) => ftp.details && session.enters(name)?,
    };
    if is_entered {
        return list_entered(ftp, job, session, context, output);
    }
    // A pattern, or a name as RFC 1738, 3.2.2 has it.
    let directory = Directory::new(job, false);
    let listed = try_each(ftp.details, name, &directory, session, context, output);
    match listed.map_err(|error| error.at("listing"))? {
        // For what does not exist, some servers return an empty list.
        Listed::Done(0) => name.map_or(Ok(()), |name| session.change_directory(name)),
        _ => Ok(()),
    }
}

/// Lists the current directory, which is what the URL names.
pub(super) fn list_entered(
    ftp: &Ftp,
    job: &Job<'_>,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let directory = Directory::new(job, true);
    let listed = try_each(ftp.details, None, &directory, session, context, output);
    listed.map(drop).map_err(|error| error.at("listing"))
}

/// Lists by the first command that the server understands: `MLSD`, `LIST` and `NLST` if details are
/// wanted, else `NLST` and `LIST`.
fn try_each(
    details: bool,
    name: Option<&Argument>,
    directory: &Directory<'_>,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<Listed> {
    if details {
        if name.is_none() && session.has_mlst()? {
            session.set_listing_type()?;
            let listed = details::by_mlsd(directory, session, context, output)?;
            if listed != Listed::Refused {
                return Ok(listed);
            }
        }
        session.set_listing_type()?;
        let listed = details::by_list(name, directory, true, session, context, output)?;
        if matches!(listed, Listed::Done(_)) {
            return Ok(listed);
        }
        return by_nlst(name, directory, session, context, output);
    }
    session.set_listing_type()?;
    match by_nlst(name, directory, session, context, output) {
        // Some servers refuse it for an empty directory, and some do not support it.
        Err(error) if session.is_refused(&error) && !output.has_begun() => {
            match details::by_list(name, directory, false, session, context, output)? {
                Listed::Done(0) => {
                    output.begin(Metadata::listing())?;
                    Ok(Listed::Done(0))
                }
                Listed::Done(count) => Ok(Listed::Done(count)),
                Listed::Refused | Listed::Unknown => Err(error),
            }
        }
        listed => listed,
    }
}

/// Lists the names alone.
fn by_nlst(
    name: Option<&Argument>,
    directory: &Directory<'_>,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<Listed> {
    let mut data = session.begin_transfer(0, &Command::Nlst(name.cloned()), context)?;
    output.begin(Metadata::listing())?;
    let (mut count, mut unnamed) = (0, 0);
    let mut line = Vec::new();
    let mut entry = Entry::new(EntryKind::Other, b"");
    while next_line(&mut data, &mut line, output)? {
        match directory.read(&line) {
            Some(name) => {
                directory.name(&mut entry, name, None);
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

/// Lists what `RETR` refused, if it is a directory. False if it is none.
pub(super) fn list_instead(
    ftp: &Ftp,
    job: &Job<'_>,
    name: &Argument,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<bool> {
    if !session.enters(name)? {
        return Ok(false);
    }
    list_entered(ftp, job, session, context, output)?;
    Ok(true)
}
