//! Files: `RETR`.

use super::command::{Command, Type};
use super::config::Ftp;
use super::job::{File, Job};
use super::list;
use super::session::Session;
use super::text::LocalLines;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::event::Event;
use crate::net::Connection;
use crate::output::Output;
use crate::request::Request;
use crate::sink::Metadata;

/// Retrieves a file, beginning at the requested offset. If that is of another version, or the server
/// cannot resume, the file is retrieved from its beginning. What is a directory is listed.
pub(super) fn retrieve(
    ftp: &Ftp,
    job: &Job<'_>,
    file: &File,
    request: &Request<'_>,
    session: &mut Session,
    context: &mut Context<'_>,
    output: &mut Output<'_>,
) -> Result<()> {
    session.set_type(&file.kind)?;
    let mut metadata = describe(ftp, file, session)?;
    metadata.offset = request.resume;
    let may_start_over = request.resume > 0 && request.validator.is_some();
    if may_start_over && metadata.validator.as_deref() != request.validator {
        context.record(Event::StartedOver);
        metadata.offset = 0;
    }
    if metadata.size.is_some_and(|size| size < metadata.offset) {
        let error = session.connection.failed(ErrorKind::CannotResume);
        return Err(error.at("resuming past the end of the file"));
    }
    let command = Command::Retr(file.name.clone());
    let mut begun = session.begin_transfer(metadata.offset, &command, context);
    if let Err(error) = &begun
        && matches!(error.kind(), ErrorKind::CannotResume)
        && may_start_over
        && session.is_in_order()
    {
        context.record(Event::StartedOver);
        metadata.offset = 0;
        begun = session.begin_transfer(0, &command, context);
    }
    if let Err(error) = &begun
        && ftp.details
        && request.resume == 0
        && session.is_refused(error)
        && session.code == NOT_FOUND
        && list::list_instead(ftp, job, &file.name, session, context, output)?
    {
        return Ok(());
    }
    let mut data = begun.map_err(|error| error.at("retrieving the file"))?;
    output.begin(metadata)?;
    receive(&mut data, &file.kind, output)?;
    drop(data);
    session.end_transfer(output.received())
}

/// The reply for what is not there, or is not a file (RFC 959, 4.2.2).
const NOT_FOUND: u16 = 550;

/// Receives the body. In text, lines end as on this machine (RFC 959, 3.1.1.1).
fn receive(data: &mut Connection, kind: &Type, output: &mut Output<'_>) -> Result<()> {
    let mut lines = matches!(kind, Type::Ascii(_)).then(LocalLines::default);
    loop {
        let bytes = data.peek();
        let bytes = bytes.map_err(|error| error.at("receiving the file"))?;
        if bytes.is_empty() {
            break;
        }
        let count = bytes.len();
        match &mut lines {
            Some(lines) => output.bytes(lines.read(bytes))?,
            None => output.bytes(bytes)?,
        }
        data.consume(count);
    }
    if let Some(rest) = lines.as_mut().map(LocalLines::end)
        && !rest.is_empty()
    {
        output.bytes(rest)?;
    }
    Ok(())
}

/// What the server says of the file. Only size and date together identify a version.
fn describe(ftp: &Ftp, file: &File, session: &mut Session) -> Result<Metadata> {
    let mut metadata = Metadata::default();
    if ftp.details {
        if file.is_image() {
            metadata.size = session.size(&file.name)?;
        }
        metadata.modified = session.modified(&file.name)?;
    }
    if let (Some(size), Some(modified)) = (metadata.size, metadata.modified) {
        metadata.validator = Some(format!("{size} {modified}"));
    }
    Ok(metadata)
}
