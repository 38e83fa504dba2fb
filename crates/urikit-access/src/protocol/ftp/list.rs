//! Directories: `NLST`, with details of each name.

use super::config::Ftp;
use super::details::{self, count_void};
use super::job::Job;
use super::names::{Name, Place};
use super::session::Session;
use crate::context::Context;
use crate::delivery::Delivery;
use crate::error::{ErrorKind, Result};
use crate::sink::Known;
use urikit::scheme::Line;

/// Names are held back for their details until there are so many octets of them. Then the names alone go on.
const MOST_HELD: usize = 4 << 20;
/// What a name takes in memory besides its octets, about.
const NAME: usize = 128;

/// Lists what `NLST` (the `command`) names.
pub(super) fn list(
    ftp: &Ftp,
    job: &Job<'_>,
    command: &Line,
    session: &mut Session,
    context: &mut Context<'_>,
    delivery: &mut Delivery<'_>,
) -> Result<()> {
    let place = Place::new(job);
    session.set_listing_type()?;
    let mut data = match session.begin_transfer(None, command, context) {
        Ok(data) => data,
        Err(error) => {
            let error = error.at("listing");
            let is_refused = session.is_in_order() && matches!(error.kind(), ErrorKind::Denied);
            // Some servers refuse it where a directory is empty, and some have MLSD only.
            if is_refused
                && ftp.details
                && session.has_mlst()?
                && details::alone(job, &place, session, context, delivery)?
            {
                return Ok(());
            }
            return Err(error);
        }
    };
    delivery.begin(Known::listing())?;
    // What waits for its details, and then nothing more.
    let mut held: Option<Vec<Name>> = ftp.details.then(Vec::new);
    let (mut octets, mut any, mut void) = (0, false, 0);
    while let Some(line) = data.read_line().map_err(|error| error.at("listing"))? {
        let Some(name) = place.read(&line) else {
            count_void(&mut void, &data)?;
            continue;
        };
        any = true;
        octets += name.text.len() + NAME;
        if octets > MOST_HELD {
            for name in held.take().into_iter().flatten() {
                delivery.entry(&place.entry(&name, None))?;
            }
        }
        match &mut held {
            Some(held) => held.push(name),
            None => delivery.entry(&place.entry(&name, None))?,
        }
    }
    drop(data);
    session.end_transfer(0)?;
    if !any && !job.url.name().is_empty() {
        // Some servers have an empty list for what is not there.
        let directory = Line::with_argument("CWD", job.url.name(), "name")?;
        return session.change_directory(&directory);
    }
    let Some(mut held) = held.filter(|held| !held.is_empty()) else {
        return Ok(());
    };
    let details = details::of(&mut held, job, &place, session, context);
    let details = details.map_err(|error| error.at("finding the details of a listing"))?;
    for (name, detail) in held.iter().zip(details) {
        delivery.entry(&place.entry(name, detail))?;
    }
    Ok(())
}
