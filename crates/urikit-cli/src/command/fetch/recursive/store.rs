//! Writes a body into the folder, or collects the entries of a listing.

use super::layout::{FileId, Layout};
use super::links::MAX_COUNTED;
use super::scope::RedirectScope;
use super::{too_long, too_many};
use crate::command::fetch::partial::{FileName, Partial};
use std::ffi::OsString;
use std::fs;
use std::io;
use urikit::AnyRef;
use urikit_access::listing::{Entry, EntryKind};
use urikit_access::{Metadata, Sink};
use urikit_extract::document::Collected;

/// The sink for the body of one URL.
pub(super) struct Store<'a, 'f> {
    layout: &'a mut Layout<'f>,
    redirects: &'a RedirectScope<'a>,
    reference: AnyRef<'a>,
    max: u64,
    file: Option<(FileId, Partial)>,
    /// True if a file with this name existed.
    is_replaced: bool,
    entries: Vec<String>,
    collected: Collected,
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
            is_replaced: false,
            entries: Vec::new(),
            collected: Collected::new(MAX_COUNTED),
        }
    }

    /// Returns true if a complete file will replace an existing one.
    pub(super) const fn is_replaced(&self) -> bool {
        self.is_replaced
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
        self.is_replaced = fs::symlink_metadata(&path).is_ok();
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
            if !self.collected.take(reference.len()) {
                return Err(too_long());
            }
            self.entries.push(reference.clone());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, RedirectScope, Store};
    use std::path::Path;
    use urikit::Standard;
    use urikit_access::Sink as _;
    use urikit_access::listing::{Entry, EntryKind};
    use urikit_extract::document::Collected;

    #[test]
    fn the_urls_of_a_listing_are_limited() {
        let mut layout = Layout::new(Path::new("unused"));
        let redirects = RedirectScope::new(None);
        let reference = Standard::Rfc3986.parse("gopher://a.example/1/").unwrap();
        let mut store = Store::new(&mut layout, &redirects, reference, 1000);
        store.collected = Collected::default();
        let long = format!("gopher://a.example/0/{}", "x".repeat(60_000));
        let entry = Entry::new(EntryKind::File, b"a").reference(long);
        let taken = (0..1000)
            .take_while(|_| store.entry(&entry).is_ok())
            .count();
        assert_eq!(taken, 17);
        let error = store.entry(&entry).unwrap_err();
        assert!(error.to_string().contains("257 MiB"), "{error}");
    }
}
