//! The entries of a container, by its format.

use super::event::{Event, Problem};
#[cfg(feature = "zip")]
use super::input::length;
use super::input::{Input, ReadSeek};
use super::kind::Container;
use super::limits::{Budget, Counted, Limits};
use super::walk::{Each, Entry, Flow, Walk};
use super::warc;
use crate::document::{Extractor, Format};
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
        let mut walk = self.walk(&budget, each);
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

    /// Reads a document that has this name, and the archives that are attached to it: those of
    /// mail. `each` is called as for an entry of a container, between the document's references
    /// with those of each archive, whose path is the name of the attachment after that of the
    /// document: `a.eml!/b.zip!/c.html`. An attachment without a name is called by its number.
    ///
    /// A limit that is exceeded ends the unpacking; the rest of the document is read.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urikit_extract::container::{Event, Limits};
    /// use urikit_extract::document::{Extractor, Format};
    ///
    /// let mail = b"Content-Type: application/warc; name=b.warc\n\nWARC/1.0\nWARC-Type: resource\n\
    ///     WARC-Target-URI: http://a.example/\nContent-Type: text/css\nContent-Length: 12\n\n\
    ///     @import 'c';\n\n";
    /// let mut found = Vec::new();
    /// let limits = Limits::default();
    /// Extractor::new().read(Format::Mail, "a.eml", &mut &mail[..], limits, &mut |path, event| {
    ///     if let Event::Reference(reference) = event {
    ///         found.push((path.to_owned(), reference.target().unwrap()));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// let path = "a.eml!/b.warc!/http://a.example/";
    /// assert_eq!(found, [(path.to_owned(), "http://a.example/c".to_owned())]);
    /// ```
    pub fn read(
        &self,
        format: Format,
        name: &str,
        input: &mut dyn Read,
        limits: Limits,
        each: &mut dyn FnMut(&str, Event<'_>) -> ControlFlow<()>,
    ) {
        let budget = Budget::new(limits);
        let mut walk = self.walk(&budget, each);
        let mut input = Counted {
            budget: &budget,
            inner: input,
        };
        let _ = walk.document(&Entry::new(name, name), format, &mut input);
    }

    /// The reading of a file.
    fn walk<'w>(&'w self, budget: &'w Budget, each: &'w mut Each<'w>) -> Walk<'w> {
        Walk {
            extractor: self,
            budget,
            each,
            opens: open,
            depth: 0,
        }
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
