//! Compressed files: gzip (RFC 1952) and Zstandard (RFC 8878).
//!
//! A compressed file has one entry, named like it without its extension. If that is an archive, its
//! entries are those of the compressed file: `a.tar.gz!/b`.

use super::input::Peeked;
use super::kind::Container;
use super::limits::Unpacked;
use super::walk::{Entry, Flow, Walk};
use crate::document::Format;
use std::io::Read;

#[cfg(feature = "gzip")]
pub(super) fn gzip(walk: &mut Walk<'_>, path: &str, name: &str, input: &mut dyn Read) -> Flow {
    unpacked(walk, path, name, flate2::read::MultiGzDecoder::new(input))
}

#[cfg(feature = "zstd")]
pub(super) fn zstd(walk: &mut Walk<'_>, path: &str, name: &str, input: &mut dyn Read) -> Flow {
    match zstd::stream::read::Decoder::new(input) {
        Ok(decoder) => unpacked(walk, path, name, decoder),
        Err(error) => walk.failed(path, &error.into()),
    }
}

fn unpacked(walk: &mut Walk<'_>, path: &str, name: &str, inner: impl Read) -> Flow {
    let budget = walk.budget;
    let mut input = Peeked::new(Unpacked { inner, budget }, Format::GUESS_LENGTH);
    let name = inner_name(name);
    let inner = format!("{path}!/{name}");
    match Container::guess(&name, input.head()) {
        Some(container) => walk.container(container, path, &name, &mut input),
        None => walk.entry(Entry::new(&inner, &name), &mut input),
    }
}

/// The name of what is in a compressed file.
fn inner_name(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let Some((stem, extension)) = file.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
        return file.to_owned();
    };
    match extension.to_ascii_lowercase().as_str() {
        "gz" | "gzip" | "zst" | "zstd" => stem.to_owned(),
        "tgz" | "tzst" => format!("{stem}.tar"),
        "svgz" => format!("{stem}.svg"),
        _ => file.to_owned(),
    }
}
