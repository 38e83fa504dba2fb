//! Files: `RETR`.

use super::command::Command;
use super::config::Ftp;
use super::job::File;
use super::session::Session;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::output::Output;
use crate::sink::Metadata;

/// Retrieves a file, beginning at the offset `resume`.
pub(super) fn retrieve(
    ftp: &Ftp,
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
            metadata.size = session.size(&file.name)?;
        }
        metadata.modified = session.modified(&file.name)?;
    }
    if metadata.size.is_some_and(|size| size < resume) {
        let error = session.connection.failed(ErrorKind::CannotResume);
        return Err(error.at("resuming past the end of the file"));
    }
    let command = Command::Retr(file.name.clone());
    let data = session.begin_transfer(resume, &command, context);
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
