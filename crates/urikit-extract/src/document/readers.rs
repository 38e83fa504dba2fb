//! The reader of each format.

use crate::format::Format;
use crate::found::{Bases, Reference};
use crate::html::Html;
use crate::mail::Mailbox;
use crate::markdown;
use crate::markup;
use crate::plain::Stream;
use crate::reader::{Context, Each, Noticed, Reader, TooLong, Whole};

/// Makes the reader for a format.
pub(super) fn open<'e>(
    format: Format,
    context: Context<'e>,
    bases: &Bases,
) -> Box<dyn Reader + 'e> {
    match format {
        Format::Text => text(context, bases),
        Format::Html => Box::new(Html::new(context, bases)),
        Format::Mail => Box::new(Mailbox::new(context, bases)),
        Format::Markdown => Whole::boxed(context, bases, markdown::read),
        #[cfg(feature = "xml")]
        Format::Xml => Whole::boxed(context, bases, markup::xml::read),
        #[cfg(not(feature = "xml"))]
        Format::Xml => text(context, bases),
        Format::Css => Whole::boxed(context, bases, markup::css::read),
        Format::Rst => Whole::boxed(context, bases, markup::rst::read),
        Format::Asciidoc => Whole::boxed(context, bases, markup::asciidoc::read),
        Format::Org => Whole::boxed(context, bases, markup::org::read),
        Format::Latex => Whole::boxed(context, bases, markup::latex::read),
        Format::Roff => Whole::boxed(context, bases, markup::roff::read),
        Format::Jupyter => Whole::boxed(context, bases, markup::json::read_notebook),
        Format::Icalendar => Whole::boxed(context, bases, markup::icalendar::read),
        Format::Har => Whole::boxed(context, bases, markup::json::read_har),
    }
}

fn text<'e>(context: Context<'e>, bases: &Bases) -> Box<dyn Reader + 'e> {
    Box::new(Text {
        stream: context.finder.stream(),
        bases: bases.clone(),
    })
}

/// Plain text.
#[derive(Debug)]
struct Text<'e> {
    stream: Stream<'e>,
    bases: Bases,
}

impl Reader for Text<'_> {
    fn push(&mut self, piece: &[u8], each: &mut Each<'_>) -> Result<(), TooLong> {
        let Self { stream, bases } = self;
        stream.push_written(piece, |link, written| {
            each(Reference::plain(link, written, bases));
        });
        Ok(())
    }

    fn undecided_from(&self) -> usize {
        self.stream.undecided_from()
    }

    fn finish(self: Box<Self>, each: &mut Each<'_>) -> Noticed {
        let Self { stream, bases } = *self;
        stream.finish_written(|link, written| {
            each(Reference::plain(link, written, &bases));
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
