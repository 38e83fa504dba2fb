//! Finds references in text: bare ones, and those that people and RFCs put into wrappers and break over lines.
//!
//! ```
//! use urikit_extract::Finder;
//! // RFC 1738, Appendix: a URL that is broken over two lines
//! let text = "<URL:http://ds.internic.\n   net/instructions/overview.html#WARNING>";
//! let link = Finder::new().links(text).next().unwrap();
//! assert_eq!(link.as_str(), "http://ds.internic.net/instructions/overview.html#WARNING");
//! assert_eq!(link.range(), 0..text.len());
//! ```
//!
//! [`document`] finds them in HTML, Markdown, mail and news too, each with its place and its target:
//!
//! ```
//! use urikit_extract::document::{Extractor, Format};
//! // RFC 2396, Appendix D
//! let page = br#"<BASE href="http://www.ics.uci.edu/Test/a/b/c"><A href="../x">a hypertext anchor</A>"#;
//! let mut targets = Vec::new();
//! Extractor::new().extract(Format::Html, page, &mut |reference| targets.push(reference.target()))?;
//! assert_eq!(targets[1].as_deref(), Some("http://www.ics.uci.edu/Test/a/x"));
//! # Ok::<(), urikit_extract::document::TooLong>(())
//! ```

mod decode;
pub mod document;
mod found;
mod html;
mod link;
mod mail;
mod markdown;
mod plain;
mod source;

pub use link::{Kind, Link};
pub use plain::{Finder, Links, Stream};
pub use source::Source;
