//! Links in HTML: where they lead, and their conversion to links to the copies.

use super::layout::Layout;
use super::urls::{relative, without_fragment};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use urikit::op::Layer;
use urikit_extract::Kind;
use urikit_extract::document::{Extractor, Format};

/// The longest page whose links are followed, in bytes.
const MAX: u64 = 64 << 20;

/// A copied page.
pub(super) struct Page {
    path: PathBuf,
    /// Its URL, after redirects.
    pub(super) base: String,
}

/// Whether a media type is that of a page with links.
pub(super) fn is_html(media_type: &str) -> bool {
    let name = media_type.split(';').next().unwrap_or_default().trim();
    ["text/html", "application/xhtml+xml"]
        .iter()
        .any(|html| html.eq_ignore_ascii_case(name))
}

impl Page {
    pub(super) const fn new(path: PathBuf, base: String) -> Self {
        Self { path, base }
    }

    /// The URLs of its links, without fragments.
    pub(super) fn links(&self) -> io::Result<Vec<String>> {
        let text = self.read()?;
        let mut links = Vec::new();
        self.each(&text, &mut |_, _, target| {
            links.push(without_fragment(target).to_owned());
        })?;
        Ok(links)
    }

    /// Makes its links to copies lead there, and all others absolute.
    pub(super) fn convert(&self, copies: &Layout<'_>) -> io::Result<()> {
        let text = self.read()?;
        let is_base = |part: &[u8]| part.eq_ignore_ascii_case(b"<base");
        if text.windows(5).any(is_base) {
            let what = "a page with a <base> keeps its links";
            return Err(io::Error::other(format!("{}: {what}", self.path.display())));
        }
        let mut converted = Vec::with_capacity(text.len());
        let mut end = 0;
        self.each(&text, &mut |range, written, target| {
            if written.starts_with('#') || range.start < end {
                return;
            }
            let url = without_fragment(target);
            let fragment = target.get(url.len()..).unwrap_or_default();
            let link = match copies.of(url) {
                Some(file) => relative(&self.path, copies.path(file)) + fragment,
                None => target.to_owned(),
            };
            converted.extend_from_slice(text.get(end..range.start).unwrap_or_default());
            let link = link
                .replace('&', "&amp;")
                .replace('"', "%22")
                .replace('\'', "%27");
            converted.extend_from_slice(link.as_bytes());
            end = range.end;
        })?;
        converted.extend_from_slice(text.get(end..).unwrap_or_default());
        let mut partial = self.path.clone().into_os_string();
        partial.push(".part");
        let mut file = crate::command::fetch::kept::create(partial.as_ref())?;
        file.write_all(&converted)?;
        fs::rename(partial, &self.path)
    }

    fn read(&self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        fs::File::open(&self.path)?
            .take(MAX)
            .read_to_end(&mut text)?;
        if u64::try_from(text.len()).unwrap_or(u64::MAX) == MAX {
            let what = format!("{}: too long for its links", self.path.display());
            return Err(io::Error::other(what));
        }
        Ok(text)
    }

    /// Calls back for each link in markup: its place, as it is written, and its target.
    fn each(
        &self,
        text: &[u8],
        each: &mut dyn FnMut(std::ops::Range<usize>, &str, &str),
    ) -> io::Result<()> {
        let extractor = Extractor::new().base(Layer::Retrieval, &self.base);
        let extractor = extractor.map_err(|error| io::Error::other(error.to_string()))?;
        let found = extractor.extract(Format::Html, text, &mut |reference| {
            if reference.kind() == Kind::Link
                && let Some(target) = reference.target()
            {
                each(reference.range(), reference.text(), &target);
            }
        });
        found
            .map(drop)
            .map_err(|error| io::Error::other(error.to_string()))
    }
}
