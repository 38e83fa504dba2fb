//! Finds links in HTML and CSS, and converts them into links between the copies.

use super::layout::Layout;
use super::scope::without_fragment;
use crate::command::fetch::partial::create_new;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use urikit::grammar::rfc3986::UNRESERVED;
use urikit::op::Layer;
use urikit::percent::encode_with;
use urikit_extract::Kind;
use urikit_extract::document::{Collected, Extractor, Format, Found};

/// The maximum size of a page whose links are followed, in bytes.
const MAX: u64 = 64 << 20;

/// The page size, in bytes, above which the limit on the page's links no longer grows. The links
/// are kept in memory and may occupy at most 257 MiB. The same limit applies to the URLs of a
/// listing, and to all URLs of a copy.
pub(super) const MAX_COUNTED: usize = 4 << 20;

/// A copied page.
pub(super) struct Page {
    path: PathBuf,
    format: Format,
    /// The URL of the page, after redirects.
    pub(super) base: String,
}

/// Returns the format of a media type whose links are followed: HTML or CSS.
pub(super) fn format_of(media_type: &str) -> Option<Format> {
    let name = media_type.split(';').next().unwrap_or_default().trim();
    let formats = [
        ("text/html", Format::Html),
        ("application/xhtml+xml", Format::Html),
        ("text/css", Format::Css),
    ];
    let mut formats = formats.into_iter();
    formats.find_map(|(known, format)| known.eq_ignore_ascii_case(name).then_some(format))
}

impl Page {
    pub(super) const fn new(path: PathBuf, format: Format, base: String) -> Self {
        Self { path, format, base }
    }

    /// Returns the URLs of the links, without fragments.
    pub(super) fn links(&self) -> io::Result<Vec<String>> {
        let text = self.read()?;
        let mut links = Vec::new();
        let mut collected = Collected::new(text.len().min(MAX_COUNTED));
        self.each(&text, &mut |_, target| {
            let link = without_fragment(target);
            if collected.take(link.len()) {
                links.push(link.to_owned());
            }
        })?;
        self.check(&collected)?;
        Ok(links)
    }

    /// Makes links to copies relative, and other links absolute.
    pub(super) fn convert(&self, copies: &Layout<'_>) -> io::Result<()> {
        let text = self.read()?;
        // A browser would resolve the converted links against the <base>.
        let is_base = |part: &[u8]| part.eq_ignore_ascii_case(b"<base");
        if text.windows(5).any(is_base) {
            let what = "links on a page with <base> are not converted";
            return Err(io::Error::other(format!("{}: {what}", self.path.display())));
        }
        let mut converted = Vec::with_capacity(text.len());
        let mut end = 0;
        let mut collected = Collected::new(text.len().min(MAX_COUNTED));
        self.each(&text, &mut |found, target| {
            let range = found.range();
            if found.text().starts_with('#') || range.start < end {
                return;
            }
            let place = found.place();
            let is_raw = place.element() == Some("style") && place.attribute().is_none();
            let has_references = matches!(self.format, Format::Html) && !is_raw;
            let url = without_fragment(target);
            let fragment = target.get(url.len()..).unwrap_or_default();
            let link = match copies.of(url) {
                Some(file) => relative(&self.path, copies.path(file)) + fragment,
                None => target.to_owned(),
            };
            let mut link = link.replace('"', "%22").replace('\'', "%27");
            let before = text.get(..range.start).unwrap_or_default();
            if before.trim_ascii_end().ends_with(b"(") {
                // A literal parenthesis would end `url(…)`.
                link = link.replace('(', "%28").replace(')', "%29");
            }
            if has_references {
                link = link.replace('&', "&amp;");
            }
            if !collected.take(link.len()) {
                return;
            }
            converted.extend_from_slice(text.get(end..range.start).unwrap_or_default());
            converted.extend_from_slice(link.as_bytes());
            end = range.end;
        })?;
        self.check(&collected)?;
        converted.extend_from_slice(text.get(end..).unwrap_or_default());
        let mut partial = self.path.clone().into_os_string();
        partial.push(".part");
        let mut file = create_new(partial.as_ref())?;
        file.write_all(&converted)?;
        fs::rename(partial, &self.path)
    }

    /// Fails if links were omitted.
    fn check(&self, collected: &Collected) -> io::Result<()> {
        match collected.omitted() {
            0 => Ok(()),
            omitted => Err(io::Error::other(format!(
                "{}: {omitted} links omitted, because together the links are more than {} times as \
                 large as the page, or larger than 257 MiB",
                self.path.display(),
                Collected::PER_BYTE
            ))),
        }
    }

    fn read(&self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        fs::File::open(&self.path)?
            .take(MAX)
            .read_to_end(&mut text)?;
        if u64::try_from(text.len()).unwrap_or(u64::MAX) == MAX {
            let what = format!(
                "{}: the page is too large, so its links are not followed",
                self.path.display()
            );
            return Err(io::Error::other(what));
        }
        Ok(text)
    }

    /// Calls `each` for each link in markup, with its target.
    fn each(&self, text: &[u8], each: &mut dyn FnMut(&Found<'_>, &str)) -> io::Result<()> {
        let extractor = Extractor::new().base(Layer::Retrieval, &self.base);
        let extractor = extractor.map_err(|error| io::Error::other(error.to_string()))?;
        let found = extractor.extract(self.format, text, &mut |reference| {
            if reference.kind() == Kind::Link
                && let Some(target) = reference.target()
            {
                each(&reference, &target);
            }
        });
        found
            .map(drop)
            .map_err(|error| io::Error::other(error.to_string()))
    }
}

/// Returns the relative reference from one file to another.
fn relative(from: &Path, to: &Path) -> String {
    let from: Vec<_> = from
        .parent()
        .into_iter()
        .flat_map(Path::components)
        .collect();
    let to: Vec<_> = to.components().collect();
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(same).map(|_| "..".to_owned());
    let down = to.iter().skip(same).map(|part| {
        let name = part.as_os_str().as_encoded_bytes();
        encode_with(name, UNRESERVED.set()).to_string()
    });
    let path = up.chain(down).collect::<Vec<_>>().join("/");
    // Without a leading `./`, the text before a colon in the first segment would be parsed as a
    // scheme (RFC 3986, 4.2).
    if path.starts_with("..") {
        path
    } else {
        format!("./{path}")
    }
}

#[cfg(test)]
mod tests {
    use super::relative;
    use std::path::Path;

    #[test]
    fn relative_references() {
        for (from, to, reference) in [
            ("m/a.html", "m/b.html", "./b.html"),
            ("m/x/a.html", "m/b c.html", "../b%20c.html"),
            ("m/a.html", "m/x/y:z", "./x/y%3Az"),
            ("m/a.html", "m/a.html", "./a.html"),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)), reference);
        }
    }
}
