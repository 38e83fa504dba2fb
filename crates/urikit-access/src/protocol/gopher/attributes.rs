//! Parses attributes, which are the blocks that describe an item (Gopher+, 2.5, 2.7 and Appendix
//! I).
//!
//! ```text
//! +INFO: 0Some file or other<TAB>moo selector<TAB>host2<TAB>port2<TAB>+
//! +ADMIN:
//!  Admin: Frodo Gophermeister <fng@bogus.edu>
//!  Mod-Date: Wed Jul 28 17:02:01 1993 <19930728170201>
//! +VIEWS:
//!  Text/plain: <10k>
//! ```
//!
//! A block begins with a `+` in the first column, and its other lines begin with a space. The
//! first block of an item is `+INFO`.

use super::menu::Menu;
use super::reply::Body;
use crate::error::{Error, ErrorKind, Result};
use crate::listing::Entry;
use crate::output::Metadata;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

pub(super) const INFO: &str = "+INFO";
pub(super) const ADMIN: &str = "+ADMIN";
pub(super) const VIEWS: &str = "+VIEWS";
pub(super) const ASK: &str = "+ASK";

/// A block of an item's attributes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// The name of the block, including its `+`. The name is case-sensitive (Gopher+, 2.5).
    pub(super) name: String,
    /// The text after the name in the first line. In a `+INFO` block, this text is a menu line.
    pub(super) item: Vec<u8>,
    /// The other lines of the block, without the leading space.
    pub(super) lines: Vec<Vec<u8>>,
}

impl Block {
    /// Creates a block from its first line.
    fn begin(line: &[u8]) -> Self {
        let end = line.iter().position(|octet| matches!(octet, b':' | b' '));
        let (name, item) = line
            .split_at_checked(end.unwrap_or(line.len()))
            .unwrap_or_default();
        let item = item.strip_prefix(b":").unwrap_or(item);
        Self {
            name: String::from_utf8_lossy(name).into_owned(),
            item: item.trim_ascii_start().to_vec(),
            lines: Vec::new(),
        }
    }

    /// Writes the block in Gopher+ format.
    pub(super) fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(self.name.as_bytes());
        to.push(b':');
        if !self.item.is_empty() {
            to.push(b' ');
            to.extend_from_slice(&self.item);
        }
        to.extend_from_slice(b"\r\n");
        for line in &self.lines {
            to.push(b' ');
            to.extend_from_slice(line);
            to.extend_from_slice(b"\r\n");
        }
    }

    /// Returns the text of the block, without its name.
    fn text(&self) -> String {
        let first = Some(&self.item).filter(|item| !item.is_empty());
        let lines: Vec<&[u8]> = first
            .into_iter()
            .chain(&self.lines)
            .map(Vec::as_slice)
            .collect();
        String::from_utf8_lossy(&lines.join(&b'\n')).into_owned()
    }

    /// Returns the value in the line with this name, such as `Mod-Date`.
    fn value(&self, name: &str) -> Option<&[u8]> {
        self.lines.iter().find_map(|line| {
            let (found, value) = line.split_at_checked(name.len())?;
            let value = value.strip_prefix(b":")?;
            found.eq_ignore_ascii_case(name.as_bytes()).then_some(value)
        })
    }
}

/// Reads the attributes of the items in a directory, one item at a time.
pub(super) struct Items {
    body: Body,
    /// The maximum total size in bytes of the blocks that describe one item.
    max: usize,
    /// The first line of the next item, if it has already been read.
    next: Option<Vec<u8>>,
}

impl Items {
    pub(super) const fn new(body: Body, max: usize) -> Self {
        Self {
            body,
            max,
            next: None,
        }
    }

    /// Returns the blocks of the next item, or `None` after the last item.
    pub(super) fn next(&mut self) -> Result<Option<Vec<Block>>> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut size = 0;
        loop {
            let line = match self.next.take() {
                Some(line) => Some(line),
                None => self.body.line()?,
            };
            let Some(line) = line else {
                return Ok(Some(blocks).filter(|blocks| !blocks.is_empty()));
            };
            // Each line is counted with a fixed size in addition to its length, so that endless
            // empty lines cannot exhaust memory.
            size += line.len() + size_of::<Vec<u8>>();
            if size > self.max {
                let max = self.max;
                let error = self
                    .body
                    .connection()
                    .failed(ErrorKind::LineTooLong { max });
                return Err(error.with_step("reading the attributes of an item"));
            }
            if line.starts_with(b"+") {
                let block = Block::begin(&line);
                if block.name == INFO && !blocks.is_empty() {
                    self.next = Some(line);
                    return Ok(Some(blocks));
                }
                blocks.push(block);
            } else if let Some(block) = blocks.last_mut() {
                let line = line.strip_prefix(b" ").unwrap_or(&line);
                block.lines.push(line.to_vec());
            } else {
                let what = "attribute blocks, each with a `+` before its name";
                let error = self.body.connection().failed(ErrorKind::Protocol(what));
                return Err(error.with_received(&line));
            }
        }
    }
}

/// Returns the metadata that the blocks of an item contain. The sizes in `+VIEWS` are only
/// "reasonably close" (Gopher+, 2.5), so they are not used.
pub(super) fn metadata(blocks: &[Block]) -> Metadata {
    let mut metadata = Metadata {
        modified: modified(blocks),
        media_type: views(blocks).next().map(|(media_type, _)| media_type),
        ..Metadata::default()
    };
    for block in blocks {
        metadata.attributes.push((block.name.clone(), block.text()));
    }
    metadata
}

/// Converts an item to a listing entry. Fails if its first block is not `+INFO`.
pub(super) fn entry(menu: &mut Menu, blocks: &[Block]) -> Result<Entry> {
    let Some(info) = blocks.first().filter(|block| block.name == INFO) else {
        let what = "a `+INFO` block at the beginning of an item";
        let name = blocks.first().map(|block| block.name.as_bytes());
        return Err(Error::new(ErrorKind::Protocol(what)).with_received(name.unwrap_or_default()));
    };
    let mut entry = menu.entry(&info.item);
    entry.modified = modified(blocks);
    for block in blocks.iter().skip(1) {
        let text = block.text();
        entry = match block.name.as_str() {
            ADMIN => entry.detail("admin", text.as_bytes()),
            VIEWS => entry.detail("views", text.as_bytes()),
            "+ABSTRACT" => entry.detail("abstract", text.as_bytes()),
            ASK => entry.detail("ask", text.as_bytes()),
            name => entry.detail("attribute", format!("{name}: {text}").as_bytes()),
        };
    }
    // The size of the first view is used only if it is a number of bytes, unlike `<10k>`.
    let size = views(blocks)
        .next()
        .and_then(|(_, size)| size?.parse().ok());
    Ok(entry.size(size))
}

/// Returns the modification time of the item, which `Mod-Date` contains as `<YYYYMMDDhhmmss>`.
///
/// Gopher+ does not define the time zone, so UTC is assumed, although pygopherd writes local time.
fn modified(blocks: &[Block]) -> Option<Timestamp> {
    let admin = blocks.iter().find(|block| block.name == ADMIN)?;
    let date = angle(admin.value("Mod-Date")?)?;
    let date = DateTime::strptime("%Y%m%d%H%M%S", date).ok()?;
    let zoned = date.to_zoned(TimeZone::UTC).ok()?;
    Some(zoned.timestamp())
}

/// Iterates over the media types of the views, and their sizes as written.
fn views(blocks: &[Block]) -> impl Iterator<Item = (String, Option<&str>)> {
    let lines = blocks.iter().filter(|block| block.name == VIEWS);
    lines.flat_map(|block| &block.lines).filter_map(|line| {
        let end = line.iter().position(|octet| matches!(octet, b':' | b' '))?;
        let (media_type, rest) = line.split_at_checked(end)?;
        let media_type = std::str::from_utf8(media_type).ok()?;
        Some((media_type.to_ascii_lowercase(), angle(rest)))
    })
}

/// Returns the text between the last pair of angle brackets.
fn angle(text: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(text).ok()?.trim_ascii_end();
    let (_, inside) = text.strip_suffix('>')?.rsplit_once('<')?;
    Some(inside)
}

#[cfg(test)]
mod tests {
    use super::{Block, angle, metadata};

    /// Gopher+, 2.5
    #[test]
    fn metadata_from_blocks() {
        let block = |first: &[u8], lines: &[&str]| {
            let mut block = Block::begin(first);
            block.lines = lines.iter().map(|line| line.as_bytes().to_vec()).collect();
            block
        };
        let blocks = [
            block(
                b"+INFO: 0Some file or other\tmoo selector\thost2\tport2\t+",
                &[],
            ),
            block(
                b"+ADMIN:",
                &[
                    "Admin: Frodo Gophermeister <fng@bogus.edu>",
                    "Mod-Date: Wed Jul 28 17:02:01 1993 <19930728170201>",
                ],
            ),
            block(
                b"+VIEWS:",
                &["Text/plain: <10k>", "Text/plain De_DE: <15k>"],
            ),
            block(b"+ABSTRACT", &[]),
        ];
        let metadata = metadata(&blocks);
        assert_eq!(metadata.media_type.as_deref(), Some("text/plain"));
        assert_eq!(metadata.size, None);
        assert_eq!(
            metadata.modified.unwrap().to_string(),
            "1993-07-28T17:02:01Z"
        );
        let attributes: Vec<(&str, &str)> = metadata
            .attributes
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(
            attributes,
            [
                (
                    "+INFO",
                    "0Some file or other\tmoo selector\thost2\tport2\t+"
                ),
                (
                    "+ADMIN",
                    "Admin: Frodo Gophermeister <fng@bogus.edu>\n\
                     Mod-Date: Wed Jul 28 17:02:01 1993 <19930728170201>"
                ),
                ("+VIEWS", "Text/plain: <10k>\nText/plain De_DE: <15k>"),
                ("+ABSTRACT", ""),
            ]
        );
    }

    #[test]
    fn angle_brackets() {
        assert_eq!(angle(b": <10k> "), Some("10k"));
        assert_eq!(angle(b"a <b> <c>"), Some("c"));
        for text in [&b"a"[..], b"<a", b"a>", b"<\xff>", b"<a> b"] {
            assert_eq!(angle(text), None);
        }
    }
}
