//! Collects the references in a document, and reports them in order.

use super::window::{Positions, Window};
use crate::decode::{OffsetMap, SUBSTITUTE};
use crate::found::{Bases, Exceeded, Found, Held, Place, SharedPlaces, Syntax, Unresolved};
use crate::html::{Event as HtmlEvent, Scan};
use crate::link::{Kind, Link, Marks};
use crate::reader::{Context, Each};
use core::fmt;
use core::ops::Range;
use std::borrow::Cow;

/// The number of references to collect before the first sort.
const MIN_SORTED: usize = 4096;

/// The maximum number of references to collect while HTML is incomplete.
const MAX_WAITING: usize = 1 << 16;

/// The references that have not been reported, and the reader for all HTML in the document.
pub(super) struct Collector<'f> {
    context: Context<'f>,
    /// References without their text, which is taken from the document when they are reported.
    found: Vec<Held<'static>>,
    /// The smallest start of these references.
    first: usize,
    places: SharedPlaces,
    /// The number of references at which the next sort happens: twice the number that remained
    /// after the last sort, which keeps the work linear.
    sort_at: usize,
    /// The reader for HTML, and the map from its input to the document.
    html: Option<(Scan<'f>, OffsetMap)>,
    pub(super) exceeded: Exceeded,
}

impl<'f> Collector<'f> {
    pub(super) fn new(context: Context<'f>) -> Self {
        Self {
            context,
            found: Vec::new(),
            first: usize::MAX,
            places: SharedPlaces::default(),
            sort_at: MIN_SORTED,
            html: None,
            exceeded: Exceeded::default(),
        }
    }

    pub(super) const fn context(&self) -> Context<'f> {
        self.context
    }

    /// Returns true if references should be reported before the section ends.
    pub(super) fn is_long(&self) -> bool {
        self.found.len() >= self.sort_at
    }

    /// Returns the offset at which incomplete HTML begins. References after it cannot be reported.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        let (scan, map) = self.html.as_ref()?;
        let undecided = scan.undecided_from();
        (undecided < map.len()).then(|| map.start(undecided))
    }

    /// Adds a reference in markup.
    pub(super) fn markup(
        &mut self,
        range: Range<usize>,
        kind: Kind,
        uri: Cow<'static, str>,
        syntax: Syntax,
    ) {
        let uri = if uri.contains(char::from(SUBSTITUTE)) {
            let shown = char::REPLACEMENT_CHARACTER.to_string();
            Cow::Owned(uri.replace(char::from(SUBSTITUTE), &shown))
        } else {
            uri
        };
        self.push(Unresolved {
            text: Cow::Borrowed(&[]),
            range,
            kind,
            uri,
            alternative: None,
            codebase: None,
            place: Place::in_syntax(syntax),
            marks: Marks::MARKUP,
        });
    }

    /// Adds a link in text.
    pub(super) fn text(&mut self, range: Range<usize>, link: Link<'_>) {
        self.push(Unresolved {
            text: Cow::Borrowed(&[]),
            range,
            kind: link.kind(),
            alternative: link.alternative,
            marks: link.marks,
            uri: link.uri,
            codebase: None,
            place: Place::default(),
        });
    }

    fn push(&mut self, found: Unresolved<'_>) {
        let found = found.held(Cow::Borrowed(&[]), &mut self.places);
        self.first = self.first.min(found.range.start);
        self.found.push(found);
    }

    /// Reads the next piece of HTML, which begins at this offset in the document.
    pub(super) fn html(&mut self, piece: &[u8], start: usize) {
        let context = self.context;
        let (scan, map) = self
            .html
            .get_or_insert_with(|| (Scan::new(context), OffsetMap::new(0)));
        map.skip_to(start);
        map.copied(piece.len());
        let (map, found, places) = (&*map, &mut self.found, &mut self.places);
        let first = &mut self.first;
        scan.push(piece, &mut |event| {
            let reference = locate(event, map, places);
            *first = (*first).min(reference.range.start);
            found.push(reference);
        });
    }

    /// Ends the HTML.
    pub(super) fn end_html(&mut self) {
        if let Some((scan, map)) = self.html.take() {
            let (found, places, first) = (&mut self.found, &mut self.places, &mut self.first);
            self.exceeded.long_tags += scan.finish(&mut |event| {
                let reference = locate(event, &map, places);
                *first = (*first).min(reference.range.start);
                found.push(reference);
            });
        }
    }

    /// Ends a section: reports the references before `end`, unless incomplete HTML precedes them.
    /// HTML that remains incomplete for longer than `limit` ends here.
    pub(super) fn end_section(&mut self, end: usize, limit: usize, output: &mut Output<'_, '_>) {
        if let Some(start) = self.undecided_from()
            && (end.saturating_sub(start) > limit || self.found.len() >= MAX_WAITING)
        {
            self.end_html();
        } else if let Some((scan, map)) = &mut self.html {
            map.discard_before(scan.undecided_from());
        }
        self.release(end, output);
    }

    /// Reports the references before `offset`, in order. Stops where incomplete HTML begins,
    /// because more references may be found in it.
    pub(super) fn release(&mut self, offset: usize, output: &mut Output<'_, '_>) {
        let offset = self.undecided_from().map_or(offset, |at| at.min(offset));
        if self.first >= offset {
            return;
        }
        self.found
            .sort_by_key(|found| (found.range.start, found.range.end));
        let count = self
            .found
            .partition_point(|found| found.range.start < offset);
        for found in self.found.drain(..count) {
            output.report(found);
        }
        self.first = self
            .found
            .first()
            .map_or(usize::MAX, |found| found.range.start);
        self.sort_at = MIN_SORTED.max(2 * self.found.len());
    }
}

impl fmt::Debug for Collector<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collector").finish_non_exhaustive()
    }
}

/// Maps a reference in HTML to its range in the document. A `<base>` is reported as an ordinary
/// reference.
fn locate(event: HtmlEvent<'_>, map: &OffsetMap, places: &mut SharedPlaces) -> Held<'static> {
    let mut found = event.into_reference();
    found.range = map.range(found.range);
    found.held(Cow::Borrowed(&[]), places)
}

/// Reports references with their text and position.
pub(super) struct Output<'o, 'c> {
    pub(super) window: &'o Window,
    pub(super) positions: &'o mut Positions,
    pub(super) bases: &'o Bases,
    pub(super) context: Context<'o>,
    pub(super) each: &'o mut Each<'c>,
}

impl Output<'_, '_> {
    fn report(&mut self, found: Held<'static>) {
        let window = self.window;
        let mut found: Held<'_> = found;
        found.text = Cow::Borrowed(window.get(found.range.clone()));
        found.release(|found| {
            let mut found: Found<'_> = found.into_reference(Cow::Borrowed(self.bases));
            found.marks.standard = self.context.standard;
            if (self.context.wants_position)(&found) {
                found.position = self.positions.at(found.range.start, window);
            }
            (self.each)(found);
        });
    }
}
