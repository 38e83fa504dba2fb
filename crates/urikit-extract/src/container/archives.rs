//! The entries of archives (tar, zip) and of compressed files (gzip, Zstandard, xz, bzip2).
//!
//! A compressed file has one entry, whose name is that of the file without its extension. If the
//! entry is an archive, the paths of its entries omit that name: `a.tar.gz!/b`.

#[cfg(all(feature = "zip", feature = "xml"))]
use super::package::{self, Package, Role};
use super::walk::{Entry, Flow, Walk};
#[cfg(any(feature = "gzip", feature = "zstd", feature = "xz", feature = "bzip2"))]
use super::{Container, limits::Unpacked, walk::Peeked};
#[cfg(feature = "zip")]
use super::{Problem, walk::ReadSeek};
#[cfg(any(feature = "gzip", feature = "zstd", feature = "xz", feature = "bzip2"))]
use crate::document::Format;
#[cfg(any(feature = "tar", feature = "zip"))]
use core::ops::ControlFlow;
#[cfg(any(feature = "tar", feature = "zip"))]
use std::io;
use std::io::Read;
#[cfg(feature = "tar")]
use tar::{Archive, EntryType};
#[cfg(feature = "zip")]
use zip::{ZipArchive, result::ZipError};

// The `tar` crate reads headers. This module reads long names itself, because the crate would
// buffer names of any length in memory.

/// The maximum length of a header for a long name, in bytes.
#[cfg(feature = "tar")]
const MAX_NAME: u64 = 64 << 10;

/// Reads the files in a tape archive.
#[cfg(feature = "tar")]
pub(super) fn tar_entries(walk: &mut Walk<'_>, path: &str, input: &mut dyn Read) -> Flow {
    let mut archive = Archive::new(&mut *input);
    let entries = match archive.entries() {
        Ok(entries) => entries.raw(true),
        Err(error) => return walk.failed(path, &error.into()),
    };
    let mut long = None;
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => return walk.failed(path, &error.into()),
        };
        let kind = entry.header().entry_type();
        let mut text = |length: u64| {
            let mut text = Vec::new();
            // If the long name cannot be read, the name in the header is used.
            let _ = (&mut entry).take(length).read_to_end(&mut text);
            text
        };
        match kind {
            EntryType::GNULongName => {
                let mut name = text(MAX_NAME);
                name.retain(|byte| *byte != 0);
                long = Some(name);
            }
            EntryType::XHeader => long = pax_path(&text(MAX_NAME)).or(long),
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                let short = || entry.header().path_bytes().into_owned();
                let name = long.take().unwrap_or_else(short);
                let name = String::from_utf8_lossy(&name).into_owned();
                let inner = format!("{path}!/{name}");
                walk.entry(Entry::new(&inner, &name), &mut entry)?;
            }
            EntryType::XGlobalHeader | EntryType::GNULongLink => {}
            _ => long = None,
        }
    }
    // The checksum of a compressed archive follows the end of the archive.
    match io::copy(input, &mut io::sink()) {
        Ok(_) => ControlFlow::Continue(()),
        Err(error) => walk.failed(path, &error.into()),
    }
}

/// Returns the `path` record of a pax header: `LENGTH path=NAME LF` (POSIX.1-2017, pax).
#[cfg(feature = "tar")]
fn pax_path(text: &[u8]) -> Option<Vec<u8>> {
    let mut rest = text;
    loop {
        let space = memchr::memchr(b' ', rest)?;
        let length = core::str::from_utf8(rest.get(..space)?).ok()?;
        let length: usize = length.parse().ok()?;
        let record = rest.get(space + 1..length)?;
        if let Some(name) = record.strip_prefix(b"path=") {
            return Some(name.strip_suffix(b"\n").unwrap_or(name).to_vec());
        }
        rest = rest.get(length..)?;
    }
}

/// Reads the files in a zip archive, in the order of its directory.
#[cfg(feature = "zip")]
pub(super) fn zip_entries(walk: &mut Walk<'_>, path: &str, input: &mut dyn ReadSeek) -> Flow {
    let mut archive = match ZipArchive::new(input) {
        Ok(archive) => archive,
        Err(error) => return walk.failed(path, &zip_problem(error)),
    };
    #[cfg(feature = "xml")]
    let package = match Package::open(walk, path, &mut archive) {
        Ok(package) => package,
        Err(flow) => return flow,
    };
    for index in 0..archive.len() {
        #[cfg(feature = "xml")]
        let part = match &package {
            Some(package) => {
                let name = package::name(&archive, index);
                match package.role(&name) {
                    Role::Hidden => continue,
                    Role::File => None,
                    Role::Part => match package.part(walk, path, &mut archive, &name) {
                        Ok(part) => Some(part),
                        Err(flow) => return flow,
                    },
                }
            }
            None => None,
        };
        // The directory has names even for entries that cannot be read, such as encrypted ones.
        let listed = match archive.name_for_index(index) {
            Some(Ok(name)) => name.into_owned(),
            _ => (index + 1).to_string(),
        };
        let file = match archive.by_index(index) {
            Ok(file) => file,
            Err(error) => {
                walk.failed(&format!("{path}!/{listed}"), &zip_problem(error))?;
                continue;
            }
        };
        let name = String::from_utf8_lossy(file.name_raw()).into_owned();
        if name.ends_with('/') {
            continue;
        }
        let inner = format!("{path}!/{name}");
        let mut file = Unpacked {
            inner: file,
            budget: walk.budget,
        };
        let entry = Entry::new(&inner, &name);
        #[cfg(feature = "xml")]
        let entry = Entry {
            format: part.as_ref().map(|_| Format::Xml),
            part: part.as_ref(),
            ..entry
        };
        walk.entry(entry, &mut file)?;
    }
    ControlFlow::Continue(())
}

#[cfg(feature = "zip")]
pub(super) fn zip_problem(error: ZipError) -> Problem {
    match error {
        ZipError::Io(error) => Problem::Io(error),
        ZipError::UnsupportedArchive(what) => Problem::Unsupported(what.to_string()),
        error => Problem::Io(io::Error::new(io::ErrorKind::InvalidData, error)),
    }
}

/// Unpacks a gzip file, and reads its content as a single entry.
#[cfg(feature = "gzip")]
pub(super) fn gzip_entry(
    walk: &mut Walk<'_>,
    path: &str,
    name: &str,
    input: &mut dyn Read,
) -> Flow {
    compressed_entry(walk, path, name, super::GzipMembers::new(input))
}

/// Returns the binary logarithm of the largest allowed window of a Zstandard or xz file.
///
/// For the file itself, this window is 128 MiB, which `zstd --ultra -22` uses; `xz -9` uses 64 MiB.
/// For a file within another file, the window is 8 MiB (RFC 8878, 3.1.1.1.2), the default of `xz`.
/// Each level of nesting needs a window.
#[cfg(any(feature = "zstd", feature = "xz"))]
const fn max_window_log(walk: &Walk<'_>) -> u32 {
    match walk.depth {
        0 | 1 => 27,
        _ => 23,
    }
}

/// Unpacks a Zstandard file, and reads its content as a single entry.
#[cfg(feature = "zstd")]
pub(super) fn zstd_entry(
    walk: &mut Walk<'_>,
    path: &str,
    name: &str,
    input: &mut dyn Read,
) -> Flow {
    let window = max_window_log(walk);
    let decoder = zstd::stream::read::Decoder::new(input).and_then(|mut decoder| {
        decoder.window_log_max(window)?;
        Ok(decoder)
    });
    match decoder {
        Ok(decoder) => compressed_entry(walk, path, name, decoder),
        Err(error) => walk.failed(path, &error.into()),
    }
}

/// Unpacks an xz file, and reads its content as a single entry.
#[cfg(feature = "xz")]
pub(super) fn xz_entry(walk: &mut Walk<'_>, path: &str, name: &str, input: &mut dyn Read) -> Flow {
    let memory = lzma_rust2::lzma2_get_memory_usage(1 << max_window_log(walk));
    let decoder = lzma_rust2::XzReader::new_mem_limit(input, true, memory);
    compressed_entry(walk, path, name, decoder)
}

/// Unpacks a bzip2 file, and reads its content as a single entry. The format limits a block, and
/// therefore the memory needed, to 900 kB.
#[cfg(feature = "bzip2")]
pub(super) fn bzip2_entry(
    walk: &mut Walk<'_>,
    path: &str,
    name: &str,
    input: &mut dyn Read,
) -> Flow {
    compressed_entry(walk, path, name, bzip2::read::MultiBzDecoder::new(input))
}

#[cfg(any(feature = "gzip", feature = "zstd", feature = "xz", feature = "bzip2"))]
fn compressed_entry(walk: &mut Walk<'_>, path: &str, name: &str, inner: impl Read) -> Flow {
    let budget = walk.budget;
    let mut input = Peeked::new(Unpacked { inner, budget }, Format::GUESS_LENGTH);
    let name = inner_name(name);
    let inner = format!("{path}!/{name}");
    match Container::guess(&name, input.head()) {
        Some(container) => walk.container(container, path, &name, &mut input),
        None => walk.entry(Entry::new(&inner, &name), &mut input),
    }
}

/// Returns the name of the entry in a compressed file.
#[cfg(any(feature = "gzip", feature = "zstd", feature = "xz", feature = "bzip2"))]
fn inner_name(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let Some((stem, extension)) = file.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
        return file.to_owned();
    };
    match extension.to_ascii_lowercase().as_str() {
        "gz" | "gzip" | "zst" | "zstd" | "xz" | "bz2" => stem.to_owned(),
        "tgz" | "tzst" | "txz" | "tbz" | "tbz2" => format!("{stem}.tar"),
        "svgz" => format!("{stem}.svg"),
        _ => file.to_owned(),
    }
}
