//! File transfers: `RETR`, `STOR` and `APPE` (RFC 959, 4.1.3).
//!
//! With `TYPE A`, lines end in CR LF on the network (RFC 959, 3.1.1.1), and local files have this
//! machine's native line endings.

use super::access::Access;
use super::command::{Command, Type};
use super::job::{File, Job, Transfer};
use super::session::Session;
use super::settings::FtpProtocol;
use crate::command::Argument;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::net::Connection;
use crate::output::{Metadata, Output};
use crate::protocol::stream::pass_on_buffer;
use crate::upload::{Body, Mode, Upload};

/// The reply code for a name that does not exist, or that is not the name of a file (RFC 959,
/// 4.2.2).
const NOT_A_FILE: u16 = 550;

impl Access<'_, '_, '_> {
    /// Retrieves a file, starting at the requested offset. Starts over at the beginning of the
    /// file if it has changed, or if the server cannot resume. If the name refers to a directory,
    /// lists the directory.
    pub(super) fn retrieve(&mut self, file: &File) -> Result<()> {
        self.session.set_type(&file.kind)?;
        let request = self.job.request;
        let mut metadata = self.describe(file)?;
        metadata.offset = request.resume;
        let may_start_over = request.resume > 0 && request.validator.is_some();
        if may_start_over && metadata.validator.as_deref() != request.validator {
            self.context.record(Event::StartedOver);
            metadata.offset = 0;
        }
        if metadata.size.is_some_and(|size| size < metadata.offset) {
            let error = self.session.connection.failed(ErrorKind::CannotResume);
            return Err(error.with_step("resuming past the end of the file"));
        }
        let command = Command::Retr(file.name.clone());
        let mut begun = self.begin(metadata.offset, &command);
        if let Err(error) = &begun
            && matches!(error.kind(), ErrorKind::CannotResume)
            && may_start_over
            && self.session.is_in_order()
        {
            self.context.record(Event::StartedOver);
            metadata.offset = 0;
            begun = self.begin(0, &command);
        }
        // Without a typecode, a URL does not say whether its last segment names a file or a
        // directory.
        if let Err(error) = &begun
            && self.job.settings.details
            && request.resume == 0
            && self.session.is_refused(error)
            && self.session.code == NOT_A_FILE
            && self.session.enters(&file.name)?
        {
            return self.list_entered();
        }
        let mut data = begun.map_err(|error| error.with_step("retrieving the file"))?;
        self.output.begin(metadata)?;
        self.receive(&mut data, &file.kind)?;
        drop(data);
        self.session.end_transfer(self.output.received())
    }

    /// Receives the body.
    fn receive(&mut self, data: &mut Connection, kind: &Type) -> Result<()> {
        let mut lines = matches!(kind, Type::Ascii(_)).then(LocalLines::default);
        loop {
            let bytes = data.peek();
            let bytes = bytes.map_err(|error| error.with_step("receiving the file"))?;
            if bytes.is_empty() {
                break;
            }
            match &mut lines {
                Some(lines) => {
                    let count = bytes.len();
                    self.output.bytes(lines.read(bytes))?;
                    data.consume(count);
                }
                None => pass_on_buffer(data, self.output)?,
            }
        }
        if let Some(rest) = lines.as_mut().map(LocalLines::end)
            && !rest.is_empty()
        {
            self.output.bytes(rest)?;
        }
        Ok(())
    }

    /// Asks for the size and the date of a file. Only the size and the date together identify a
    /// version of the file.
    fn describe(&mut self, file: &File) -> Result<Metadata> {
        let mut metadata = Metadata::default();
        if self.job.settings.details {
            if file.is_image() {
                metadata.size = self.session.size(&file.name)?;
            }
            metadata.modified = self.session.modified(&file.name)?;
        }
        if let (Some(size), Some(modified)) = (metadata.size, metadata.modified) {
            metadata.validator = Some(format!("{size} {modified}"));
        }
        Ok(metadata)
    }
}

/// An upload, with the parts of its URL.
pub(super) struct Store<'a> {
    pub(super) job: Job<'a>,
    pub(super) upload: &'a Upload<'a>,
    pub(super) file: File,
    /// The name under which the body is written. If the name is temporary, the file is renamed
    /// when the body is complete.
    pub(super) written: Argument,
}

/// The suffix of a temporary name.
const SUFFIX: &[u8] = b".part";

impl<'a> Store<'a> {
    /// Prepares an upload. Fails if the upload asks for something that FTP does not support.
    pub(super) fn new(settings: &'a FtpProtocol, upload: &'a Upload<'a>) -> Result<Self> {
        let unsupported = |what| Err(Error::new(ErrorKind::Unsupported(what)));
        let mut job = Job::new(settings, &upload.request)?;
        // Without the doubled octets, the name may refer to another file.
        job.may_undouble = false;
        let Transfer::File(file) = &job.transfer else {
            return unsupported("expected the URL of a file, found the URL of a directory");
        };
        let file = file.clone();
        if upload.mode == Mode::Post {
            return unsupported("FTP does not support POST");
        }
        let appends = upload.mode == Mode::Append;
        if appends && (upload.resumes || upload.via_temporary) {
            return unsupported(
                "a transfer that appends to a file cannot be resumed, and cannot use a temporary name",
            );
        }
        if upload.resumes && !file.is_image() {
            let step = "resuming a transfer that is not of TYPE I (`;type=i`)";
            return Err(Error::new(ErrorKind::CannotResume).with_step(step));
        }
        let written = if upload.via_temporary {
            let name = file.name.octets().iter().chain(SUFFIX);
            Argument::new(name.copied(), "name")?
        } else {
            file.name.clone()
        };
        Ok(Self {
            job,
            upload,
            file,
            written,
        })
    }

    /// Stores the body, or appends it to the file.
    pub(super) fn run(
        self,
        context: &mut Context<'_>,
        body: &mut Body<'_>,
        output: &mut Output<'_>,
    ) -> Result<()> {
        let Self {
            job,
            upload,
            file,
            written,
        } = self;
        let mut access = Access::open(job, context, output)?;
        access.session.set_type(&file.kind)?;
        let mut appends = upload.mode == Mode::Append;
        // Resume with `SIZE` and `APPE`, as curl does. If a server ignored `REST`, `STOR` would
        // overwrite the part that is already stored.
        if upload.resumes {
            let size = access.session.size_to_resume(&written);
            let size = size.map_err(|error| error.with_step("asking for the size of the file"))?;
            if let Some(size) = size {
                body.skip(size)?;
                appends = size > 0;
                access.context.note(format!("resuming at byte {size}"));
            }
        }
        let command = if appends {
            Command::Appe(written.clone())
        } else {
            Command::Stor(written.clone())
        };
        let begun = access.begin(0, &command);
        let mut data = begun.map_err(|error| error.with_step("storing the file"))?;
        let sent = send(&mut data, &file.kind, body);
        let sent = sent.map_err(|error| error.with_step("sending the file"));
        if sent.is_ok() {
            finish(&mut data);
        }
        drop(data);
        let session = &mut access.session;
        if let Err(error) = sent {
            // If the server closed the data connection, its reply on the control connection states
            // the reason.
            let is_network = matches!(error.kind(), ErrorKind::Network(_));
            return Err(match session.end_transfer(0) {
                Err(reason) if is_network && session.is_refused(&reason) => reason,
                _ => error,
            });
        }
        session.end_transfer(body.sent())?;
        if upload.via_temporary {
            let renamed = rename(session, written, file.name);
            renamed.map_err(|error| error.with_step("renaming the complete file"))?;
        }
        if session.is_in_order() {
            access.pool();
        }
        Ok(())
    }
}

/// Sends the body over a data connection.
fn send(data: &mut Connection, kind: &Type, body: &mut Body<'_>) -> Result<()> {
    let mut lines = matches!(kind, Type::Ascii(_)).then(NetworkLines::default);
    loop {
        let bytes = body.read()?;
        if bytes.is_empty() {
            return Ok(());
        }
        match &mut lines {
            Some(lines) => data.send_bytes(lines.write(bytes))?,
            None => data.send_bytes(bytes)?,
        }
    }
}

/// Signals the end of the data, and waits until the server closes the connection.
fn finish(data: &mut Connection) {
    data.finish_sending();
    // Closing a connection that has unread input resets the connection, so data that was already
    // sent may be lost. With TLS, the server sends session tickets, which must be read before
    // closing.
    for _ in 0..64 {
        match data.peek() {
            Ok([]) | Err(_) => return,
            Ok(bytes) => {
                let count = bytes.len();
                data.consume(count);
            }
        }
    }
}

/// Renames a file.
fn rename(session: &mut Session, from: Argument, to: Argument) -> Result<()> {
    let reply = session.command(&Command::Rnfr(from))?;
    if reply.code != 350 {
        let expected = "a reply to RNFR: 350 or a refusal";
        return Err(reply.error(&session.connection, expected));
    }
    session.done(&Command::Rnto(to)).map(drop)
}

/// True if CR LF is also the native line ending of this machine.
const HAS_CRLF: bool = cfg!(windows);

/// Replaces CR LF with the native line ending of this machine, in text that arrives in pieces. A
/// CR that is not followed by an LF is kept.
#[derive(Default)]
struct LocalLines {
    /// True if the last piece ended in a CR, which is held back until the next octet is known.
    has_cr: bool,
    text: Vec<u8>,
}

impl LocalLines {
    /// Converts the next piece to native line endings.
    fn read(&mut self, octets: &[u8]) -> &[u8] {
        self.text.clear();
        if HAS_CRLF {
            self.text.extend_from_slice(octets);
            return &self.text;
        }
        let mut rest = octets;
        while let Some(first) = rest.first() {
            if std::mem::take(&mut self.has_cr) && *first != b'\n' {
                self.text.push(b'\r');
            }
            let cr = memchr::memchr(b'\r', rest);
            let (text, more) = rest.split_at(cr.unwrap_or(rest.len()));
            self.text.extend_from_slice(text);
            self.has_cr = cr.is_some();
            rest = if self.has_cr {
                more.get(1..).unwrap_or_default()
            } else {
                more
            };
        }
        &self.text
    }

    /// Ends the text, and returns the CR that was held back, if any.
    fn end(&mut self) -> &[u8] {
        self.text.clear();
        if std::mem::take(&mut self.has_cr) {
            self.text.push(b'\r');
        }
        &self.text
    }
}

/// Replaces LF with CR LF, in text that is read in pieces. An existing CR LF is kept.
#[derive(Default)]
struct NetworkLines {
    has_cr: bool,
    text: Vec<u8>,
}

impl NetworkLines {
    /// Converts the next piece to network line endings.
    fn write(&mut self, octets: &[u8]) -> &[u8] {
        self.text.clear();
        for octet in octets {
            if *octet == b'\n' && !self.has_cr {
                self.text.push(b'\r');
            }
            self.has_cr = *octet == b'\r';
            self.text.push(*octet);
        }
        &self.text
    }
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::{LocalLines, NetworkLines};

    #[test]
    fn line_ends_in_pieces() {
        for (network, local) in [
            ("one\r\ntwo\r\n", "one\ntwo\n"),
            ("a\r\r\nb", "a\r\nb"),
            ("a\rb\r", "a\rb\r"),
            ("\r\n\r\n", "\n\n"),
            ("\r\r", "\r\r"),
            ("", ""),
        ] {
            for piece in 1..=network.len().max(1) {
                let mut lines = LocalLines::default();
                let mut found = Vec::new();
                for part in network.as_bytes().chunks(piece) {
                    found.extend_from_slice(lines.read(part));
                }
                found.extend_from_slice(lines.end());
                assert_eq!(found, local.as_bytes(), "{network:?} by {piece}");
            }
        }
        let mut lines = NetworkLines::default();
        assert_eq!(lines.write(b"a\nb\r"), b"a\r\nb\r");
        assert_eq!(lines.write(b"\nc\n\n"), b"\nc\r\n\r\n");
    }
}
