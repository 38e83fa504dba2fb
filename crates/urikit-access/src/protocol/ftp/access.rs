//! Manages the session of an access, and determines the metadata of files and directories.

use super::command::{Command, Type};
use super::facts;
use super::job::{Job, Transfer};
use super::session::Session;
use crate::command::Argument;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::listing::{EntryKind, text};
use crate::net::Connection;
use crate::output::{Metadata, Output};
use crate::protocol::Outcome;
use crate::protocol::parse::{number, utc_time};
use crate::request::Wanted;
use jiff::Timestamp;

/// An access in progress. `files.rs` transfers files, and `list.rs` lists directories.
pub(super) struct Access<'a, 'c, 'd> {
    pub(super) job: Job<'a>,
    pub(super) session: Session,
    pub(super) context: &'a mut Context<'c>,
    pub(super) output: &'a mut Output<'d>,
}

impl<'a, 'c, 'd> Access<'a, 'c, 'd> {
    /// Opens a session and enters the directory of the URL.
    pub(super) fn open(
        job: Job<'a>,
        context: &'a mut Context<'c>,
        output: &'a mut Output<'d>,
    ) -> Result<Self> {
        Ok(Self {
            session: Session::open(&job, context)?,
            job,
            context,
            output,
        })
    }

    /// Fetches the file or directory at the URL.
    pub(super) fn fetch(mut self) -> Result<Outcome> {
        let done = match (self.job.request.wanted, self.job.transfer.clone()) {
            (Wanted::Metadata, _) => self.metadata(),
            (Wanted::Body, Transfer::File(file)) => self.retrieve(&file),
            (Wanted::Body, Transfer::List(name)) => self.list(name.as_ref()),
        };
        let is_usable = match &done {
            Ok(()) => self.session.is_in_order(),
            // A refusal concerns only this file, so the session can be used for further accesses.
            Err(error) => self.session.is_refused(error),
        };
        if is_usable {
            self.pool();
        }
        done.map(|()| Outcome::Done)
    }

    /// Puts the session into the pool for later accesses.
    pub(super) fn pool(self) {
        if self.job.settings.keep {
            self.context.pool(&self.job.origin, self.session);
        }
    }

    /// Begins a transfer at an offset.
    pub(super) fn begin(&mut self, offset: u64, command: &Command) -> Result<Connection> {
        self.session.begin_transfer(offset, command, self.context)
    }

    /// Determines the metadata with `MLST` (RFC 3659, 7), or with `SIZE` and `MDTM` (3 and 4) if
    /// the server does not support `MLST`. A name without a size is a directory if `CWD` accepts
    /// it.
    fn metadata(&mut self) -> Result<()> {
        // vsftpd and Twisted do not support MLST.
        let asks_mlst = self.job.settings.details && self.session.has_mlst()?;
        let metadata = match asks_mlst.then(|| self.metadata_by_mlst()).transpose()? {
            Some(Some(metadata)) => metadata,
            Some(None) | None => self.metadata_by_size()?,
        };
        self.output.begin(metadata)
    }

    /// Gets the metadata with `MLST`. Returns `None` if the server refuses `MLST`, or if its
    /// reply contains no usable facts.
    fn metadata_by_mlst(&mut self) -> Result<Option<Metadata>> {
        let name = self.job.transfer.name().cloned();
        let Some(reply) = self.session.optional(&Command::Mlst(name))? else {
            return Ok(None);
        };
        // The line begins with a space (RFC 3659, 7.2), which some servers omit.
        let line = reply.inner_lines().first();
        let facts = line.and_then(|line| facts::parse(line.strip_prefix(b" ").unwrap_or(line)));
        // For a link, the facts describe the link itself, whereas `SIZE` and `MDTM` follow the
        // link.
        let facts = facts.filter(|facts| facts.kind != EntryKind::Link);
        let owned = |(name, value): (&'static str, &[u8])| (name.to_owned(), text(value));
        Ok(facts.map(|facts| Metadata {
            is_listing: facts.kind == EntryKind::Directory,
            size: facts.size,
            modified: facts.modified,
            attributes: facts.details.into_iter().map(owned).collect(),
            ..Metadata::default()
        }))
    }

    /// Determines the metadata with `SIZE`, `MDTM` and `CWD`.
    fn metadata_by_size(&mut self) -> Result<Metadata> {
        let Some(name) = self.job.transfer.name() else {
            // The URL refers to the current directory, which exists, because every `CWD` succeeded.
            return Ok(Metadata::listing());
        };
        let session = &mut self.session;
        let (mut size, mut modified) = (None, None);
        if let Transfer::File(_) = self.job.transfer {
            session.set_type(&Type::Image)?;
            size = session.size(name)?;
            modified = session.modified(name)?;
        }
        let mut is_listing = false;
        if size.is_none() {
            // Some servers report dates for directories too, so a date does not prove that the name
            // refers to a file.
            match session.change_directory(name) {
                Ok(()) => is_listing = true,
                Err(error) if !session.is_in_order() || modified.is_none() => {
                    return Err(error.with_step("finding the metadata"));
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
}

impl Session {
    /// Asks for the size that a file has in the current transfer type. Returns `None` if the
    /// server does not report the size.
    pub(super) fn size(&mut self, name: &Argument) -> Result<Option<u64>> {
        let reply = self.optional(&Command::Size(name.clone()))?;
        Ok(reply
            .filter(|reply| reply.code == 213)
            .and_then(|reply| number(reply.text().trim_ascii())))
    }

    /// Asks for the size of the file to which a resumed upload is appended. Returns `None` if the
    /// server has no such file.
    ///
    /// Fails if the size is unknown, because `STOR` would replace the part that the server already
    /// has. Servers answer `SIZE` with 550 if the file is missing, but some also send 550 if they
    /// do not allow `SIZE`. So the file is considered missing only if `MDTM` does not find it
    /// either.
    pub(super) fn size_to_resume(&mut self, name: &Argument) -> Result<Option<u64>> {
        match self.done(&Command::Size(name.clone())) {
            Ok(reply) if reply.code == 213 => {
                let size = number(reply.text().trim_ascii());
                let unknown = || self.connection.failed(ErrorKind::CannotResume);
                size.map(Some).ok_or_else(unknown)
            }
            Err(error) if !self.is_refused(&error) => Err(error),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound) => {
                match self.modified(name)? {
                    None => Ok(None),
                    Some(_) => Err(self.connection.failed(ErrorKind::CannotResume)),
                }
            }
            _ => Err(self.connection.failed(ErrorKind::CannotResume)),
        }
    }

    /// Asks for the modification time of a file. Returns `None` if the server does not report the
    /// time.
    pub(super) fn modified(&mut self, name: &Argument) -> Result<Option<Timestamp>> {
        let reply = self.optional(&Command::Mdtm(name.clone()))?;
        Ok(reply
            .filter(|reply| reply.code == 213)
            .and_then(|reply| utc_time(reply.text().trim_ascii())))
    }
}
