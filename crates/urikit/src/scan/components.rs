//! A text with its [`Layout`]: components are sliced without checking each slice.
//!
//! `str` indexing checks that both ends of a slice are character boundaries. Here that has been
//! checked before: either the scanner found that the text is US-ASCII, or every offset was checked
//! once. A slice then takes a few instructions without a branch. This matters because a branch on
//! whether a reference has a query, for example, is hard to predict for a processor.

use super::ascii::Ascii;
use crate::layout::Layout;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use core::ptr;

/// A text, and where its components begin and end.
///
/// INVARIANT: the ends of each range of the layout, clamped to the text, are character boundaries.
#[derive(Clone, Copy)]
pub(crate) struct Components<'t> {
    text: &'t str,
    layout: Layout,
}

impl<'t> Components<'t> {
    /// The components of a US-ASCII text, in which every offset is a character boundary.
    #[inline(always)]
    pub(crate) const fn ascii(text: Ascii<'t>, layout: Layout) -> Self {
        Self {
            text: text.as_str(),
            layout,
        }
    }

    /// The components of any text, whose offsets are checked. If one were within a character, all
    /// of the text would be the path; parsing never finds such an offset.
    pub(crate) const fn new(text: &'t str, layout: Layout) -> Self {
        let layout = if is_sliceable(text, &layout) {
            layout
        } else {
            Layout::EMPTY
        };
        Self { text, layout }
    }

    #[inline(always)]
    pub(crate) const fn as_str(&self) -> &'t str {
        self.text
    }

    #[inline(always)]
    pub(crate) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The components without the fragment and its `#`.
    pub(crate) const fn without_fragment(&self) -> Self {
        let mut layout = self.layout;
        layout.fragment = crate::layout::Delimiter::ABSENT;
        Self {
            text: self.slice((0, self.layout.fragment.or(self.text.len()))),
            layout,
        }
    }

    /// A range of the layout, clamped to the text.
    #[inline(always)]
    const fn slice(&self, (start, end): (usize, usize)) -> &'t str {
        let length = self.text.len();
        let end = if end < length { end } else { length };
        let start = if start < end { start } else { end };
        // SAFETY: `start <= end <= length` by the lines above. Both are character boundaries by
        // the invariant, or because they are the ends of the text.
        unsafe {
            let first = self.text.as_ptr().add(start);
            core::str::from_utf8_unchecked(core::slice::from_raw_parts(first, end - start))
        }
    }

    #[inline(always)]
    const fn optional(&self, range: Option<(usize, usize)>) -> Option<&'t str> {
        match range {
            Some(range) => Some(self.slice(range)),
            None => None,
        }
    }

    #[inline(always)]
    pub(crate) const fn scheme(&self) -> Option<&'t str> {
        self.optional(self.layout.scheme_range())
    }

    #[inline(always)]
    pub(crate) const fn authority(&self) -> Option<&'t str> {
        self.optional(self.layout.authority_range())
    }

    #[inline(always)]
    pub(crate) const fn userinfo(&self) -> Option<&'t str> {
        self.optional(self.layout.userinfo_range())
    }

    #[inline(always)]
    pub(crate) const fn host(&self) -> Option<&'t str> {
        self.optional(self.layout.host_range())
    }

    #[inline(always)]
    pub(crate) const fn port(&self) -> Option<&'t str> {
        self.optional(self.layout.port_range())
    }

    #[inline(always)]
    pub(crate) const fn path(&self) -> &'t str {
        self.slice(self.layout.path_range(self.text.len()))
    }

    #[inline(always)]
    pub(crate) const fn params(&self) -> Option<&'t str> {
        self.optional(self.layout.params_range(self.text.len()))
    }

    #[inline(always)]
    pub(crate) const fn query(&self) -> Option<&'t str> {
        self.optional(self.layout.query_range(self.text.len()))
    }

    #[inline(always)]
    pub(crate) const fn fragment(&self) -> Option<&'t str> {
        self.optional(self.layout.fragment_range(self.text.len()))
    }
}

/// Whether the ends of all ranges of the layout are character boundaries of the text.
const fn is_sliceable(text: &str, layout: &Layout) -> bool {
    const fn are_boundaries(text: &str, range: Option<(usize, usize)>) -> bool {
        match range {
            Some((start, end)) => text.is_char_boundary(start) && text.is_char_boundary(end),
            None => true,
        }
    }

    // Most references are US-ASCII, which is quicker to check.
    text.is_ascii()
        || are_boundaries(text, layout.scheme_range())
            && are_boundaries(text, layout.authority_range())
            && are_boundaries(text, layout.userinfo_range())
            && are_boundaries(text, layout.host_range())
            && are_boundaries(text, layout.port_range())
            && are_boundaries(text, Some(layout.path_range(text.len())))
            && are_boundaries(text, layout.params_range(text.len()))
            && are_boundaries(text, layout.query_range(text.len()))
            && are_boundaries(text, layout.fragment_range(text.len()))
}

/// [`Components`] with an owned text.
///
/// INVARIANT: that of [`Components`].
#[cfg(feature = "alloc")]
#[derive(Clone)]
pub(crate) struct ComponentsBuf {
    text: String,
    layout: Layout,
}

#[cfg(feature = "alloc")]
impl ComponentsBuf {
    /// A copy of borrowed components.
    pub(crate) fn copied(components: &Components<'_>) -> Self {
        Self {
            text: String::from(components.text),
            layout: components.layout,
        }
    }

    /// Parses `text` with `parse`. Returns the text with the error if that fails.
    pub(crate) fn parse<E>(
        text: String,
        parse: impl FnOnce(&str) -> Result<Components<'_>, E>,
    ) -> Result<Self, (String, E)> {
        let parsed = parse(&text).map(|found| (found.layout, ptr::eq(found.text, text.as_str())));
        match parsed {
            // INVARIANT: the layout is that of this text and not of another, which `parse` could
            // return.
            Ok((layout, true)) => Ok(Self { text, layout }),
            Ok((layout, false)) => Ok(Self::new(text, layout)),
            Err(error) => Err((text, error)),
        }
    }

    /// As [`Components::new`].
    pub(crate) fn new(text: String, layout: Layout) -> Self {
        let layout = *Components::new(&text, layout).layout();
        Self { text, layout }
    }

    #[inline]
    pub(crate) const fn as_components(&self) -> Components<'_> {
        Components {
            text: self.text.as_str(),
            layout: self.layout,
        }
    }

    /// Removes the fragment and its `#`.
    pub(crate) fn remove_fragment(&mut self) {
        if let Some(at) = self.layout.fragment.get() {
            self.text.truncate(at);
            self.layout.fragment = crate::layout::Delimiter::ABSENT;
        }
    }

    pub(crate) fn into_string(self) -> String {
        self.text
    }
}
