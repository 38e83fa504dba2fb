//! Lists directories with `MLSD` (RFC 3659, 7), or with `LIST` or `NLST` (RFC 959, 4.1.3).
//!
//! Each line is passed to the output when it arrives, so memory use does not depend on the length
//! of the listing.

use super::access::Access;
use super::command::Command;
use super::names::{Directory, Name};
use super::{facts, lines};
use crate::command::Argument;
use crate::error::{ErrorKind, Result};
use crate::listing::{Entry, EntryKind};
use crate::net::Connection;
use crate::output::{Metadata, Output};

/// The maximum number of lines without a name in a listing.
const MAX_UNNAMED: usize = 1000;

/// The maximum number of lines to skip in a listing with an unknown format.
const MAX_SKIPPED: usize = 1_000_000;

/// The outcome of a listing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// The listing is complete, and has the given number of entries.
    Complete(u64),
    /// The server refused the command.
    Refused,
    /// The first line from `LIST` has an unknown format. No entry was passed to the output.
    UnknownForm,
}

impl Access<'_, '_, '_> {
    /// Lists the directory with this name or, without a name, the current directory.
    pub(super) fn list(&mut self, name: Option<&Argument>) -> Result<()> {
        let is_entered = match name {
            None => true,
            Some(name) => self.job.settings.details && self.session.enters(name)?,
        };
        if is_entered {
            return self.list_entered();
        }
        // A name that `CWD` refuses, such as a pattern, may still be valid for `NLST` (RFC 1738,
        // 3.2.2).
        let directory = Directory::new(&self.job, false);
        let listed = self.try_commands(name, &directory);
        match listed.map_err(|error| error.with_step("listing"))? {
            // vsftpd sends an empty list for a name that does not exist.
            Ending::Complete(0) => name.map_or(Ok(()), |name| self.session.change_directory(name)),
            _ => Ok(()),
        }
    }

    /// Lists the current directory, which is the directory that the URL refers to.
    pub(super) fn list_entered(&mut self) -> Result<()> {
        let directory = Directory::new(&self.job, true);
        let listed = self.try_commands(None, &directory);
        listed.map(drop).map_err(|error| error.with_step("listing"))
    }

    /// Lists a directory with the first command that works. Tries `MLSD`, `LIST` and `NLST` if
    /// details are enabled, and `NLST` and `LIST` otherwise.
    fn try_commands(
        &mut self,
        name: Option<&Argument>,
        directory: &Directory<'_>,
    ) -> Result<Ending> {
        if self.job.settings.details {
            if name.is_none() && self.session.has_mlst()? {
                self.session.set_listing_type()?;
                let listed = self.list_by_mlsd(directory)?;
                if listed != Ending::Refused {
                    return Ok(listed);
                }
            }
            self.session.set_listing_type()?;
            let listed = self.list_by_list(name, directory, true)?;
            if matches!(listed, Ending::Complete(_)) {
                return Ok(listed);
            }
            return self.list_by_nlst(name, directory);
        }
        self.session.set_listing_type()?;
        match self.list_by_nlst(name, directory) {
            // Twisted refuses NLST for an empty directory, and some servers do not support it.
            Err(error) if self.session.is_refused(&error) && !self.output.has_begun() => {
                match self.list_by_list(name, directory, false)? {
                    Ending::Complete(0) => {
                        self.output.begin(Metadata::listing())?;
                        Ok(Ending::Complete(0))
                    }
                    Ending::Complete(count) => Ok(Ending::Complete(count)),
                    Ending::Refused | Ending::UnknownForm => Err(error),
                }
            }
            listed => listed,
        }
    }

    /// Lists the current directory with `MLSD`.
    fn list_by_mlsd(&mut self, directory: &Directory<'_>) -> Result<Ending> {
        let Some(mut lines) = self.begin_listing(&Command::Mlsd(None))? else {
            return Ok(Ending::Refused);
        };
        self.output.begin(Metadata::listing())?;
        let mut count = 0;
        let mut entry = Entry::new(EntryKind::Other, b"");
        while let Some(line) = lines.next(self.output)? {
            match facts::parse(line) {
                // The directory and its parent are not entries, regardless of the type that the
                // server reports.
                Some(facts) if facts.is_self_or_parent || matches!(facts.name, b"." | b"..") => {}
                Some(facts) => {
                    let name = directory.within(facts.name);
                    directory.describe(&mut entry, name, Some(facts.kind));
                    (entry.size, entry.modified) = (facts.size, facts.modified);
                    entry.set_details(facts.details);
                    self.output.entry_of_several(&entry)?;
                    count += 1;
                }
                None => lines.count_unnamed()?,
            }
        }
        self.end_listing(lines, count)
    }

    /// Lists with `LIST`. A line in an unknown format becomes a text entry. But if `may_give_up`
    /// is true and the first line has an unknown format, no entry is passed to the output.
    fn list_by_list(
        &mut self,
        name: Option<&Argument>,
        directory: &Directory<'_>,
        may_give_up: bool,
    ) -> Result<Ending> {
        let Some(mut lines) = self.begin_listing(&Command::List(name.cloned()))? else {
            return Ok(Ending::Refused);
        };
        let (mut count, mut skipped, mut has_given_up) = (0, 0, false);
        let mut entry = Entry::new(EntryKind::Other, b"");
        while let Some(line) = lines.next(self.output)? {
            if has_given_up {
                // The remaining lines are read so that the session can be used for NLST.
                skipped += 1;
                if skipped > MAX_SKIPPED {
                    lines.count_unnamed()?;
                }
                continue;
            }
            if lines::is_blank_or_total(line) {
                lines.count_unnamed()?;
                continue;
            }
            match lines::parse(line) {
                Some(parsed) => {
                    let Some(name) = directory.parse(parsed.name) else {
                        lines.count_unnamed()?; // `.` and `..`
                        continue;
                    };
                    describe(&mut entry, &parsed, name, directory);
                }
                None if may_give_up && count == 0 => {
                    has_given_up = true;
                    continue;
                }
                None => entry = Entry::new(EntryKind::Text, line),
            }
            if count == 0 {
                self.output.begin(Metadata::listing())?;
            }
            self.output.entry_of_several(&entry)?;
            count += 1;
        }
        let ending = self.end_listing(lines, count)?;
        if has_given_up {
            return Ok(Ending::UnknownForm);
        }
        if count == 0 && may_give_up {
            self.output.begin(Metadata::listing())?;
        }
        Ok(ending)
    }

    /// Lists names only, with `NLST`.
    fn list_by_nlst(
        &mut self,
        name: Option<&Argument>,
        directory: &Directory<'_>,
    ) -> Result<Ending> {
        let data = self.begin(0, &Command::Nlst(name.cloned()))?;
        let mut lines = Lines::new(data);
        self.output.begin(Metadata::listing())?;
        let mut count = 0;
        let mut entry = Entry::new(EntryKind::Other, b"");
        while let Some(line) = lines.next(self.output)? {
            match directory.parse(line) {
                Some(name) => {
                    directory.describe(&mut entry, name, None);
                    self.output.entry_of_several(&entry)?;
                    count += 1;
                }
                None => lines.count_unnamed()?,
            }
        }
        self.end_listing(lines, count)
    }

    /// Begins a listing. Returns `None` if the server refuses the command.
    fn begin_listing(&mut self, command: &Command) -> Result<Option<Lines>> {
        match self.begin(0, command) {
            Ok(data) => Ok(Some(Lines::new(data))),
            Err(error) if self.session.is_refused(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Closes the data connection, and reads the server's reply.
    fn end_listing(&mut self, lines: Lines, count: u64) -> Result<Ending> {
        drop(lines);
        self.session.end_transfer(0)?;
        Ok(Ending::Complete(count))
    }
}

/// Reads the lines of a listing as they arrive.
struct Lines {
    data: Connection,
    /// The current line. The line buffer is reused, because a listing may have a hundred thousand
    /// lines.
    line: Vec<u8>,
    /// The number of lines that contained no name.
    unnamed: usize,
}

impl Lines {
    const fn new(data: Connection) -> Self {
        Self {
            data,
            line: Vec::new(),
            unnamed: 0,
        }
    }

    /// Reads the next line. Returns `None` at the end of the data.
    fn next(&mut self, output: &mut Output<'_>) -> Result<Option<&[u8]>> {
        if !self.data.has_line() {
            output.will_wait();
        }
        let has_line = self.data.read_line_into(&mut self.line)?;
        Ok(has_line.then_some(&*self.line))
    }

    /// Counts a line of the listing that contains no name. Fails after too many of these lines,
    /// because the policy's limits do not cover them.
    fn count_unnamed(&mut self) -> Result<()> {
        self.unnamed += 1;
        if self.unnamed > MAX_UNNAMED {
            let expected = ErrorKind::Protocol("names in the listing");
            return Err(self.data.failed(expected));
        }
        Ok(())
    }
}

/// Sets all fields of an entry from a line that `LIST` returned.
fn describe(entry: &mut Entry, line: &lines::Line<'_>, name: Name<'_>, directory: &Directory<'_>) {
    directory.describe(entry, name, Some(line.kind));
    (entry.size, entry.modified) = (line.size, line.modified);
    let details = [
        ("mode", line.mode),
        ("date", line.date),
        ("target", line.target),
    ];
    let cut = |value| <[u8]>::get(value, ..facts::MAX_DETAIL).unwrap_or(value);
    entry.set_details(
        details
            .into_iter()
            .filter_map(|(key, value)| Some((key, cut(value?)))),
    );
}
