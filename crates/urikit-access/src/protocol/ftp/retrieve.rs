//! Files: `RETR`.

use super::config::Ftp;
use super::job::{File, Job};
use super::session::Session;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::output::Output;
use crate::sink::Metadata;
use urikit_schemes::Line;

/// Retrieves a file, beginning at the offset `resume`.
pub(super) fn retrieve(
    ftp: &Ftp,
    job: &Job<'_>,
    file: &File,
    resume: u64,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    session.set_type(&file.kind)?;
    let mut metadata = Metadata {
        offset: resume,
        ..Metadata::default()
    };
    if ftp.details {
        if file.is_image() {
            metadata.size = session.size(job)?;
        }
        metadata.modified = session.modified(job)?;
    }
    if metadata.size.is_some_and(|size| size < resume) {
        let error = session.connection.failed(ErrorKind::CannotResume);
        return Err(error.at("resuming past the end of the file"));
    }
    let restart = (resume > 0).then(|| rest(resume)).transpose()?;
    let data = session.begin_transfer(restart.as_ref(), &file.command, context);
    let mut data = data.map_err(|error| error.at("retrieving the file"))?;
    output.begin(metadata)?;
    loop {
        let bytes = data.peek();
        let bytes = bytes.map_err(|error| error.at("receiving the file"))?;
        if bytes.is_empty() {
            break;
        }
        let count = bytes.len();
        output.bytes(bytes)?;
        data.consume(count);
    }
    drop(data);
    session.end_transfer(output.received())
}

/// `REST`: the offset to begin at (RFC 3659, 5.3).
pub(super) fn rest(resume: u64) -> Result<Line> {
    let mut line = Line::command("REST ");
    line.push(resume.to_string().into_bytes(), "offset")?;
    Ok(line)
}
