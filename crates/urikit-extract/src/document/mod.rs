//! References out of documents: plain text, HTML, Markdown, mail and news, and the other formats that
//! [`Format`] lists.
//!
//! An [`Extractor`] holds the options, and an [`Extraction`] reads one document, in pieces of any
//! size. For each reference it calls a closure with a [`Reference`]: the kind, the byte range in
//! the file, the text as written, the reference itself, its base URI, and the target that results
//! from resolving it. Text and HTML are read in constant memory, and mailboxes in that of their largest
//! message; other documents are held in memory until they end. [`container`](crate::container) has
//! archives.
//!
//! ```
//! use urikit::op::Layer;
//! use urikit_extract::document::{Extractor, Format};
//!
//! let extractor = Extractor::new().base(Layer::Retrieval, "http://a/b/c")?.positions(true);
//! let mut found = Vec::new();
//! let mut extraction = extractor.begin(Format::Text);
//! for piece in [&b"at\n<URL:http://x/"[..], b"y\n/z>"] {
//!     extraction.push(piece, &mut |reference| {
//!         found.push((reference.position(), reference.target()));
//!     })?;
//! }
//! let report = extraction.finish(&mut |reference| {
//!     found.push((reference.position(), reference.target()));
//! });
//! let (position, target) = &found[0];
//! assert_eq!(position.map(|at| (at.line, at.column)), Some((2, 1)));
//! assert_eq!(target.as_deref(), Some("http://x/y/z"));
//! assert_eq!(report.invalid_bytes, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod charset;
mod extraction;
mod extractor;
mod readers;

pub use crate::format::{Format, UnknownFormat};
pub use crate::found::{BaseError, Exceeded, Place, Position, Reference, Syntax};
pub use crate::reader::TooLong;
pub use extraction::{Extraction, Report};
pub use extractor::Extractor;
