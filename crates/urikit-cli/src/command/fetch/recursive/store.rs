//! Writes a body into the folder, or collects the entries of a listing.

use super::landing::Landing;
use crate::command::fetch::partial::{Name, Partial};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use urikit::AnyRef;
use urikit_access::listing::{Entry, EntryKind};
use urikit_access::{Metadata, Sink};

/// Where the body of one URL goes.
pub(super) struct Store<'a> {
    folder: &'a Path,
    landing: &'a Landing<'a>,
    reference: AnyRef<'a>,
    max: u64,
    file: Option<(PathBuf, Partial)>,
    entries: Vec<String>,
}

impl<'a> Store<'a> {
    pub(super) fn new(
        folder: &'a Path,
        landing: &'a Landing<'a>,
        reference: AnyRef<'a>,
        max: u64,
    ) -> Self {
        Self {
            folder,
            landing,
            reference,
            max,
            file: None,
            entries: Vec::new(),
        }
    }

    /// Ends it. Returns the URLs of the entries, or the path of the file.
    pub(super) fn end(self, is_complete: bool) -> io::Result<(Vec<String>, Option<PathBuf>)> {
        let Some((path, partial)) = self.file else {
            return Ok((self.entries, None));
        };
        partial.end(is_complete)?;
        Ok((Vec::new(), Some(path)))
    }

    /// Makes the folders of these names. None of them is a link, which could lead elsewhere.
    fn folders(&self, names: &[OsString]) -> io::Result<PathBuf> {
        fs::create_dir_all(self.folder)?;
        let mut path = self.folder.to_owned();
        for name in names {
            path.push(name);
            match fs::symlink_metadata(&path) {
                Ok(there) if there.is_dir() => {}
                Ok(_) => {
                    let what = format!("{}: this is not a folder", path.display());
                    return Err(io::Error::other(what));
                }
                Err(_) => fs::create_dir(&path)?,
            }
        }
        Ok(path)
    }
}

impl Sink for Store<'_> {
    fn begin(&mut self, known: &Metadata) -> io::Result<()> {
        let nothing = OsString::new();
        let path = self.landing.names(self.reference);
        let path = path.ok_or_else(|| io::Error::other("this has no tree to copy"))?;
        let (last, names) = path.split_last().unwrap_or((&nothing, &[]));
        if known.is_listing {
            self.folders(names)?;
            if !last.is_empty() {
                self.folders(&path)?;
            }
            return Ok(());
        }
        let index = OsString::from("index.html");
        let name = if last.is_empty() { &index } else { last };
        let path = self.folders(names)?.join(name);
        if fs::symlink_metadata(&path).is_ok_and(|there| there.is_dir()) {
            let what = format!("{}: this is a folder", path.display());
            return Err(io::Error::other(what));
        }
        let url = self.reference.redact().to_string();
        let partial = Partial::of(Name::OfUrl(path.clone()), url, None);
        let mut partial = partial.map_err(|(_, error)| error)?;
        partial.begin(known)?;
        self.file = Some((path, partial));
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
                return Err(io::Error::other("more URLs than --max-items allows"));
            }
            self.entries.push(reference.clone());
        }
        Ok(())
    }
}
