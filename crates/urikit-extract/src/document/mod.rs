//! References in documents: plain text, HTML, Markdown, mail and news, and the other formats of
//! [`Format`].
//!
//! An [`Extractor`] contains the options, and an [`Extraction`] reads one document in pieces of any
//! size. For each reference, the extraction calls a closure with a [`Found`]: the kind, the byte
//! range in the file, the text in that range, the reference itself, its base URI, and the target
//! that results from resolving it. Text, tables and HTML are read in constant memory. Markdown
//! requires memory for its longest block, and a mailbox for its largest message. Other documents
//! are buffered in memory until they end.
//! [`container`](crate::container) reads archives.
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

mod extraction;
mod extractor;

use crate::found::Bases;
use crate::html::Html;
use crate::mail::Mailbox;
use crate::markdown::Markdown;
use crate::markup;
use crate::plain::Stream;
use crate::reader::{Buffered, Context, Each, Noticed, Reader};

pub use crate::decode::decoded;
pub use crate::format::Format;
pub use crate::found::{BaseError, Collected, Exceeded, Found, Place, Position, Syntax};
pub use crate::html::{HtmlElement, HtmlPart, html_parts};
pub use crate::reader::TooLong;
pub use extraction::{Extraction, Report};
pub use extractor::Extractor;

/// Creates the reader for a format.
fn open<'e>(format: Format, context: Context<'e>, bases: &Bases) -> Box<dyn Reader + 'e> {
    match format {
        Format::Text => text(context, bases),
        Format::Html => Box::new(Html::new(context, bases)),
        Format::Mail => Box::new(Mailbox::new(context, bases)),
        Format::Markdown => Box::new(Markdown::new(context, bases)),
        #[cfg(feature = "xml")]
        Format::Xml => Buffered::boxed(context, bases, markup::xml::read),
        #[cfg(not(feature = "xml"))]
        Format::Xml => text(context, bases),
        Format::Css => Buffered::boxed(context, bases, markup::css::read),
        Format::Csv => markup::csv::Table::csv(context, bases),
        Format::Tsv => markup::csv::Table::tsv(context, bases),
        Format::Rst => Buffered::boxed(context, bases, markup::rst::read),
        Format::Asciidoc => Buffered::boxed(context, bases, markup::asciidoc::read),
        Format::Org => Buffered::boxed(context, bases, markup::org::read),
        Format::Latex => Buffered::boxed(context, bases, markup::latex::read),
        Format::Roff => Buffered::boxed(context, bases, markup::roff::read),
        Format::Jupyter => Buffered::boxed(context, bases, markup::json::read_notebook),
        Format::Icalendar => Buffered::boxed(context, bases, markup::icalendar::read),
        Format::Har => Buffered::boxed(context, bases, markup::json::read_har),
        Format::Gemtext => Buffered::boxed(context, bases, markup::gemtext::read),
        Format::Wat => Buffered::boxed(context, bases, markup::wat::read),
    }
}

/// Creates the reader for plain text.
fn text<'e>(context: Context<'e>, bases: &Bases) -> Box<dyn Reader + 'e> {
    Box::new(Text {
        stream: context.finder.stream(),
        bases: bases.clone(),
    })
}

/// The reader for plain text.
#[derive(Debug)]
struct Text<'e> {
    stream: Stream<'e>,
    bases: Bases,
}

impl Reader for Text<'_> {
    fn push(&mut self, piece: &[u8], each: &mut Each<'_>) -> Result<(), TooLong> {
        let Self { stream, bases } = self;
        stream.push_written(piece, |link, written| {
            each(Found::plain(link, written, bases));
        });
        Ok(())
    }

    fn undecided_from(&self) -> usize {
        self.stream.undecided_from()
    }

    fn finish(self: Box<Self>, each: &mut Each<'_>) -> Noticed {
        let Self { stream, bases } = *self;
        stream.finish_written(|link, written| {
            each(Found::plain(link, written, &bases));
        });
        Noticed::default()
    }
}

impl Reader for Html<'_> {
    fn push(&mut self, piece: &[u8], each: &mut Each<'_>) -> Result<(), TooLong> {
        self.push(piece, each);
        Ok(())
    }

    fn undecided_from(&self) -> usize {
        self.undecided_from()
    }

    fn finish(self: Box<Self>, each: &mut Each<'_>) -> Noticed {
        (*self).finish(each).into()
    }
}
