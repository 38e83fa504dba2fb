//! Tape archives. The crate `tar` reads headers; long names are read here, since it would hold any
//! length of them in memory.

use super::walk::{Entry, Flow, Walk};
use core::ops::ControlFlow;
use std::io::Read;
use tar::{Archive, EntryType};

/// The longest header for a long name that is read, in bytes.
const MAX_NAME: u64 = 64 << 10;

/// Reads the files of an archive.
pub(super) fn entries(walk: &mut Walk<'_>, path: &str, input: &mut dyn Read) -> Flow {
    let mut archive = Archive::new(input);
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
            // A name that cannot be read is that of the header.
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
    ControlFlow::Continue(())
}

/// The record `path` of a pax header: `LENGTH path=NAME LF` (POSIX.1-2017, pax).
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
