//! Writes a body into the folder, or collects the entries of a listing.

use super::layout::{FileId, Layout};
use super::scope::RedirectScope;
use super::too_many;
use crate::command::fetch::partial::{FileName, Partial};
use std::ffi::OsString;
use std::io;
use urikit::AnyRef;
use urikit_access::listing::{Entry, EntryKind};
use urikit_access::{Metadata, Sink};

/// The sink for the body of one URL.
pub(super) struct Store<'a, 'f> {
    layout: &'a mut Layout<'f>,
    redirects: &'a RedirectScope<'a>,
    reference: AnyRef<'a>,
    max: u64,
    file: Option<(FileId, Partial)>,
    entries: Vec<String>,
}

impl<'a, 'f> Store<'a, 'f> {
    pub(super) fn new(
        layout: &'a mut Layout<'f>,
        redirects: &'a RedirectScope<'a>,
        reference: AnyRef<'a>,
        max: u64,
    ) -> Self {
        Self {
            layout,
            redirects,
            reference,
            max,
            file: None,
            entries: Vec::new(),
        }
    }

    /// Closes the file. Returns the URLs of a listing's entries, or the file.
    pub(super) fn end(self, is_complete: bool) -> io::Result<(Vec<String>, Option<FileId>)> {
        let Some((file, partial)) = self.file else {
            return Ok((self.entries, None));
        };
        partial.end(is_complete)?;
        Ok((Vec::new(), Some(file)))
    }
}

impl Sink for Store<'_, '_> {
    fn begin(&mut self, metadata: &Metadata) -> io::Result<()> {
        let found = self.redirects.names(self.reference);
        let (url, names) =
            found.ok_or_else(|| io::Error::other("this URL cannot be copied recursively"))?;
        if metadata.is_listing {
            let names = &names.names;
            let names = names.strip_suffix(&[OsString::new()]).unwrap_or(names);
            return self.layout.folders(names).map(drop);
        }
        let file = self.layout.choose(&url, &names)?;
        let path = self.layout.path(file).to_owned();
        let shown = self.reference.display_redacted().to_string();
        let partial = Partial::new(FileName::FromUrl(path), shown, None);
        let mut partial = partial.map_err(|error| error.error)?;
        partial.begin(metadata)?;
        self.file = Some((file, partial));
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.file {
            Some((_, partial)) => partial.write(bytes),
            None => Ok(()),
        }
    }

    fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        let is_followed = matches!(
            entry.kind,
            EntryKind::File | EntryKind::Directory | EntryKind::Link | EntryKind::Other
        );
        if is_followed && let Some(reference) = &entry.reference {
            if u64::try_from(self.entries.len()).unwrap_or(u64::MAX) >= self.max {
                return Err(too_many());
            }
            self.entries.push(reference.clone());
        }
        Ok(())
    }
}
