//! Files: `RETR`.

use super::config::Ftp;
use super::job::{File, Job};
use super::session::Session;
use crate::context::Context;
use crate::delivery::Delivery;
use crate::error::{ErrorKind, Result};
use crate::sink::Known;
use urikit::scheme::Line;

/// Retrieves a file, from the byte `resume` on.
pub(super) fn retrieve(
    ftp: &Ftp,
    job: &Job<'_>,
    file: &File,
    resume: u64,
    session: &mut Session,
    context: &mut Context<'_>,
    delivery: &mut Delivery<'_>,
) -> Result<()> {
    session.set_type(&file.kind)?;
    let mut known = Known {
        offset: resume,
        ..Known::default()
    };
    if ftp.details {
        if file.is_image() {
            known.size = session.size(job)?;
        }
        known.modified = session.modified(job)?;
    }
    if known.size.is_some_and(|size| size < resume) {
        let error = session.connection.failed(ErrorKind::NoResuming);
        return Err(error.at("resuming behind the end of the file"));
    }
    let restart = (resume > 0).then(|| rest(resume)).transpose()?;
    let data = session.begin_transfer(restart.as_ref(), &file.command, context);
    let mut data = data.map_err(|error| error.at("retrieving the file"))?;
    delivery.begin(known)?;
    loop {
        let bytes = data.peek();
        let bytes = bytes.map_err(|error| error.at("receiving the file"))?;
        if bytes.is_empty() {
            break;
        }
        let count = bytes.len();
        delivery.bytes(bytes)?;
        data.consume(count);
    }
    drop(data);
    session.end_transfer(delivery.received())
}

/// Where to begin (RFC 3659, 5.3).
pub(super) fn rest(resume: u64) -> Result<Line> {
    let mut line = Line::command("REST ");
    line.push(resume.to_string().into_bytes(), "offset")?;
    Ok(line)
}
