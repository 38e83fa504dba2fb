//! References in what is packed in a file: compressed files, archives, e-books, office documents,
//! web archives and PDF.
//!
//! A [`Container`] yields entries, each with a path such as `a.zip!/b.html`, which are read like
//! files: by their name and content, and again as a container if they are one. [`Extractor::unpack`]
//! calls a closure with an [`Event`] for each reference, for the end of each entry, and for what
//! could not be read. Ranges and positions are those within the entry. [`Extractor::read`] does the
//! same for mail, which is no container, but may have some attached to it.
//!
//! What a hostile file may cost is limited by [`Limits`]: the bytes that are unpacked, in total and
//! in proportion to the file, the depth of containers in containers, and the number of entries.
//!
//! ```
//! # #[cfg(feature = "tar")] {
//! use std::ops::ControlFlow;
//! use urikit_extract::container::{Container, Event, Input, Limits};
//! use urikit_extract::document::Extractor;
//!
//! let mut archive = tar::Builder::new(Vec::new());
//! let page = &br#"<a href="http://a.example/">"#[..];
//! let mut header = tar::Header::new_gnu();
//! header.set_size(page.len() as u64);
//! archive.append_data(&mut header, "b.html", page).unwrap();
//! let archive = archive.into_inner().unwrap();
//!
//! let container = Container::guess("a.tar", &archive).unwrap();
//! let mut found = Vec::new();
//! Extractor::new().unpack(
//!     container,
//!     "a.tar",
//!     Input::Stream(&mut &archive[..]),
//!     Limits::default(),
//!     &mut |path, event| {
//!         if let Event::Reference(reference) = event {
//!             found.push((path.to_owned(), reference.uri().to_owned()));
//!         }
//!         ControlFlow::Continue(())
//!     },
//! );
//! assert_eq!(found, [("a.tar!/b.html".to_owned(), "http://a.example/".to_owned())]);
//! # }
//! ```
//!
//! [`Extractor::unpack`]: crate::document::Extractor::unpack
//! [`Extractor::read`]: crate::document::Extractor::read

#[cfg(any(feature = "gzip", feature = "zstd"))]
mod compressed;
mod event;
mod input;
mod kind;
// Without a feature that unpacks, there is nothing to limit.
#[cfg_attr(
    not(any(feature = "gzip", feature = "zstd", feature = "pdf")),
    allow(dead_code)
)]
mod limits;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "tar")]
mod tar;
mod unpack;
mod walk;
mod warc;
#[cfg(feature = "zip")]
mod zip;

pub use event::{Event, Problem};
pub use input::{Input, ReadSeek};
pub use kind::{Container, UnknownContainer};
pub use limits::{Limit, Limits};
