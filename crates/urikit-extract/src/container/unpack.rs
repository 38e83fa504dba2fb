//! The entries of a container, by its format.

use super::event::{Event, Problem};
#[cfg(feature = "zip")]
use super::input::length;
use super::input::{Input, ReadSeek};
use super::kind::Container;
use super::limits::{Budget, Counted, Limits};
use super::walk::{Flow, Walk};
use super::warc;
use crate::document::Extractor;
use core::ops::ControlFlow;
#[cfg(feature = "zip")]
use std::io;
use std::io::Read;

impl Extractor {
    /// Reads a container that has this name, and calls `each` with the path of each entry, and
    /// with its references and what else is known of it. Reading ends when `each` breaks off.
    ///
    /// What cannot be read is reported as [`Event::Failed`] with its path; the other entries are
    /// read. A reference within an entry is relative to what the entry declares, or to the URL that
    /// a web archive has it from, or else to the base of this extractor.
    pub fn unpack(
        &self,
        container: Container,
        name: &str,
        input: Input<'_>,
        limits: Limits,
        each: &mut dyn FnMut(&str, Event<'_>) -> ControlFlow<()>,
    ) {
        let budget = Budget::new(limits);
        let mut walk = Walk {
            extractor: self,
            budget: &budget,
            each,
            opens: open,
            depth: 0,
        };
        let _ = match input {
            Input::Stream(input) => {
                let mut input = Counted {
                    budget: &budget,
                    inner: input,
                };
                walk.container(container, name, name, &mut input)
            }
            Input::File(file) => from_file(&mut walk, container, name, file),
        };
    }
}

/// A file that can be read from any place.
fn from_file(
    walk: &mut Walk<'_>,
    container: Container,
    path: &str,
    file: &mut dyn ReadSeek,
) -> Flow {
    match container {
        #[cfg(feature = "zip")]
        Container::Zip => {
            match length(file) {
                Ok(length) => walk.budget.add_source(length),
                Err(error) => return walk.failed(path, &error.into()),
            }
            walk.depth += 1;
            super::zip::entries(walk, path, file)
        }
        _ => {
            if let Err(error) = file.rewind() {
                return walk.failed(path, &error.into());
            }
            let budget = walk.budget;
            let mut input = Counted {
                budget,
                inner: file,
            };
            walk.container(container, path, path, &mut input)
        }
    }
}

/// The entries of a container at a path, from front to end.
fn open(
    walk: &mut Walk<'_>,
    container: Container,
    path: &str,
    name: &str,
    input: &mut dyn Read,
) -> Flow {
    match container {
        #[cfg(feature = "gzip")]
        Container::Gzip => super::compressed::gzip(walk, path, name, input),
        #[cfg(feature = "zstd")]
        Container::Zstd => super::compressed::zstd(walk, path, name, input),
        #[cfg(feature = "tar")]
        Container::Tar => super::tar::entries(walk, path, input),
        #[cfg(feature = "zip")]
        Container::Zip => match walk.in_memory(path, input) {
            Ok(bytes) => super::zip::entries(walk, path, &mut io::Cursor::new(bytes)),
            Err(flow) => flow,
        },
        #[cfg(feature = "pdf")]
        Container::Pdf => match walk.in_memory(path, input) {
            Ok(bytes) => super::pdf::entries(walk, path, &bytes),
            Err(flow) => flow,
        },
        Container::Warc => warc::entries(walk, path, input),
        #[allow(unreachable_patterns)] // if all features are enabled
        other => {
            let _ = name;
            let what = format!("this build does not read {other}");
            walk.failed(path, &Problem::Unsupported(what))
        }
    }
}
