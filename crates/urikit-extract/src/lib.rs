//! Finds links and references in strings, in HTML, Markdown, mail and other documents, in archives,
//! and in streams of any length.
//!
//! The crate finds the links that a human reader sees, including those wrapped as `<URL:…>` and
//! broken across several lines, as in RFCs. For each link, the crate returns the byte range, how
//! the link was recognized, and its target. The search takes linear time, requires constant memory
//! for text and HTML, and accepts any charset.
//!
//! # Links in a string
//!
//! ```
//! use urikit_extract::{Finder, Kind};
//!
//! // after RFC 1738, Appendix
//! let text = "See http://info.cern.ch/ (or <URL:http://ds.internic.\n   net/rfc>).";
//! let links: Vec<_> = Finder::new().links(text).collect();
//!
//! assert_eq!(links[0].as_str(), "http://info.cern.ch/");
//! assert_eq!(links[0].kind(), Kind::Bare);
//! assert_eq!(links[0].range(), 4..24);
//! assert_eq!(links[1].as_str(), "http://ds.internic.net/rfc");
//! assert_eq!(links[1].kind(), Kind::Wrapped);
//! ```
//!
//! # Links in HTML, resolved against a base URI
//!
//! ```
//! use urikit::op::Layer;
//! use urikit_extract::document::{Extractor, Format};
//!
//! let page = br#"<a href="../x">one</a> <img srcset="y.png, z.png 2x"> see http://b.example/"#;
//! let extractor = Extractor::new().base(Layer::Retrieval, "http://a.example/d/e/f")?;
//! let mut targets = Vec::new();
//! extractor.extract(Format::Html, page, &mut |reference| targets.extend(reference.target()))?;
//!
//! assert_eq!(
//!     targets,
//!     [
//!         "http://a.example/d/x",
//!         "http://a.example/d/e/y.png",
//!         "http://a.example/d/e/z.png",
//!         "http://b.example/",
//!     ]
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A `<base href>` in the document takes precedence over the base URI of the extractor (RFC 3986,
//! 5.1).
//!
//! # Links in Markdown
//!
//! ```
//! use urikit_extract::document::{Extractor, Format};
//!
//! let text = b"[one](a/b \"title\"), [two], <http://c.example/>.\n\n[two]: d\n";
//! let mut found = Vec::new();
//! Extractor::new().extract(Format::Markdown, text, &mut |reference| {
//!     found.push((reference.text().to_owned(), reference.uri().to_owned()));
//! })?;
//!
//! // The text and the reference. A use of a definition and the definition are both reported.
//! let found: Vec<_> = found.iter().map(|(text, uri)| (&text[..], &uri[..])).collect();
//! assert_eq!(
//!     found,
//!     [
//!         ("a/b", "a/b"),
//!         ("[two]", "d"),
//!         ("http://c.example/", "http://c.example/"),
//!         ("d", "d"),
//!     ]
//! );
//! # Ok::<(), urikit_extract::document::TooLong>(())
//! ```
//!
//! # Links in mail
//!
//! MIME parts, transfer encodings and charsets are decoded. Ranges are offsets in the file, before
//! decoding.
//!
//! ```
//! use urikit_extract::document::{Extractor, Format};
//!
//! let message = b"List-Archive: <http://a.example/list/>\r\n\
//!     Content-Type: text/html; charset=utf-8\r\n\
//!     Content-Transfer-Encoding: base64\r\n\
//!     \r\n\
//!     PGEgaHJlZj0iaHR0cDovL2IuZXhhbXBsZS8iPg==\r\n";
//! let mut found = Vec::new();
//! Extractor::new().extract(Format::Mail, message, &mut |reference| {
//!     found.push((reference.uri().to_owned(), message[reference.range()].to_vec()));
//! })?;
//!
//! assert_eq!(found[0].0, "http://a.example/list/");
//! assert_eq!(found[1].0, "http://b.example/");
//! assert_eq!(found[1].1, b"aHR0cDovL2IuZXhhbXBsZS8");
//! # Ok::<(), urikit_extract::document::TooLong>(())
//! ```
//!
//! # Links in a stream
//!
//! The input may be split anywhere. [`document::Extraction`] reads documents in pieces.
//!
//! ```
//! use urikit_extract::Finder;
//!
//! let finder = Finder::new();
//! let mut stream = finder.stream();
//! let mut found = Vec::new();
//! for piece in ["see htt", "p://a.exam", "ple/b and so on"] {
//!     stream.push(piece, |link| found.push((link.range(), link.as_str().to_owned())));
//! }
//! stream.finish(|link| found.push((link.range(), link.as_str().to_owned())));
//! assert_eq!(found, [(4..22, "http://a.example/b".to_owned())]);
//! ```
//!
//! # Kinds
//!
//! | [`Kind`] | form | found by |
//! |---|---|---|
//! | `wrapped` | `<URL:http://a/b>`, `<http://a/b>`, or a quoted link broken across lines | default |
//! | `bare` | a link with a scheme: `http://a/b`, `mailto:a@b.example` | default |
//! | `link` | a reference in markup: attributes, CSS, Markdown, header fields | [`document`] |
//! | `abbreviated` | `www.example.org/a`: the scheme is guessed | [`Finder::abbreviated`] |
//! | `address` | `jim@example.org`, as a `mailto` URL | [`Finder::addresses`] |
//! | `defanged` | `hxxp://a[.]example`, refanged | [`Finder::refang`] |
//!
//! # Offsets
//!
//! All offsets and ranges count bytes from the beginning of the complete input, even if it arrives
//! in pieces. In documents they are offsets in the stored file, before charsets, transfer encodings
//! and character references are decoded. [`document::Position`] contains lines and columns for
//! display.
//!
//! # What this crate does not do
//!
//! - The crate does not fetch anything; `urikit-access` does, under a policy.
//! - The crate does not check whether a link works or is safe to follow.
//! - The crate does not change references. Invalid references are reported too.
//!   [`Found::repaired`](document::Found::repaired) and [`Found::target`](document::Found::target)
//!   repair invalid references as browsers do.
//! - The crate does not run scripts or find links in source code. `<script>` in HTML (unless
//!   [requested](document::Extractor::deep)) and code in Markdown are skipped. All parts of a plain
//!   text document are searched.
//! - The crate does not read binary formats other than those of [`container`]. Only
//!   [`Extractor::read`](document::Extractor::read) and `Extractor::unpack` read archives attached
//!   to mail.
//! - The crate does not look up domain names. Host names that end in a country code are not found
//!   without a scheme, `www.` or a path, because file names such as `README.md` would match.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod container;
mod decode;
mod defang;
pub mod document;
mod format;
mod found;
mod html;
mod link;
mod mail;
mod markdown;
mod markup;
mod names;
mod plain;
#[cfg(test)]
mod random;
mod reader;
pub mod uts58;

pub use defang::defang;
pub use link::{Kind, Link, Source};
pub use plain::{Detection, Finder, Links, Stream};

/// Items for the project's tests, not covered by semantic versioning.
#[doc(hidden)]
pub mod internal {
    pub use crate::plain::Colons;
}

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
