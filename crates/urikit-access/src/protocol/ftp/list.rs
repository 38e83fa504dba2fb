//! Directories: `NLST`, and the details of each name.

use super::command::Command;
use super::config::Ftp;
use super::details::{self, count_unnamed};
use super::job::Job;
use super::names::{Directory, Name};
use super::session::Session;
use crate::command::Argument;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::output::Output;
use crate::sink::Metadata;

/// Names wait for their details in a buffer of at most this many octets. Beyond that, they are
/// listed without details.
const MAX_BUFFERED: usize = 4 << 20;
/// The approximate size of a buffered name besides its octets.
const NAME: usize = 128;

/// Lists the names in a directory; without a name, in the current one.
pub(super) fn list(
    ftp: &Ftp,
    job: &Job<'_>,
    name: Option<&Argument>,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    let directory = Directory::new(job);
    session.set_listing_type()?;
    let command = Command::Nlst(name.cloned());
    let mut data = match session.begin_transfer(0, &command, context) {
        Ok(data) => data,
        Err(error) => {
            let error = error.at("listing");
            let is_refused = session.is_in_order() && matches!(error.kind(), ErrorKind::Denied);
            // Some servers refuse it for an empty directory, and some support only MLSD.
            if is_refused
                && ftp.details
                && session.has_mlst()?
                && details::list_by_mlsd(job, &directory, session, context, output)?
            {
                return Ok(());
            }
            return Err(error);
        }
    };
    output.begin(Metadata::listing())?;
    // The names that wait for details; `None` once there are too many.
    let mut buffered: Option<Vec<Name>> = ftp.details.then(Vec::new);
    let (mut octets, mut any, mut unnamed) = (0, false, 0);
    while let Some(line) = data.read_line().map_err(|error| error.at("listing"))? {
        let Some(name) = directory.read(&line) else {
            count_unnamed(&mut unnamed, &data)?;
            continue;
        };
        any = true;
        octets += name.text.len() + NAME;
        if octets > MAX_BUFFERED {
            for name in buffered.take().into_iter().flatten() {
                output.entry(&directory.entry(&name, None))?;
            }
        }
        match &mut buffered {
            Some(buffered) => buffered.push(name),
            None => output.entry(&directory.entry(&name, None))?,
        }
    }
    drop(data);
    session.end_transfer(0)?;
    if !any && let Some(name) = name {
        // For what does not exist, some servers return an empty list.
        return session.change_directory(name);
    }
    let Some(mut buffered) = buffered.filter(|buffered| !buffered.is_empty()) else {
        return Ok(());
    };
    let details = details::find(&mut buffered, job, &directory, session, context);
    let details = details.map_err(|error| error.at("finding the details of a listing"))?;
    for (name, detail) in buffered.iter().zip(details) {
        output.entry(&directory.entry(name, detail))?;
    }
    Ok(())
}
