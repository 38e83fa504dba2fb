//! The offsets of the components of a reference, and text with its offsets.

use super::ascii::Ascii;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use core::ptr;

/// The length of the longest text that can be parsed: 4 GiB - 1.
///
/// Offsets are stored as 32 bits. The parser rejects longer text without reading it, and returns
/// `ParseError::TooLong`.
pub const MAX_LEN: usize = u32::MAX as usize;

/// Converts an offset, at most [`MAX_LEN`], to the 32 bits in which it is stored.
#[allow(clippy::cast_possible_truncation)] // a wrong offset gives a wrong component
#[must_use]
#[inline]
pub const fn offset_u32(offset: usize) -> u32 {
    offset as u32
}

/// The offset just past a delimiter, or 0 if the delimiter is absent.
///
/// A component begins after its delimiter, so slicing it does not require testing whether the
/// delimiter is present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delimiter(u32);

impl Delimiter {
    /// An absent delimiter.
    pub const ABSENT: Self = Self(0);

    /// Returns the delimiter whose byte is at `offset`.
    #[inline]
    pub const fn at(offset: usize) -> Self {
        // INVARIANT: the byte exists, so the offset past it is at most the text's length.
        Self(offset_u32(offset + 1))
    }

    /// Returns the delimiter at `offset` if `is_there` is true, and otherwise an absent delimiter.
    #[inline]
    pub const fn at_if(offset: usize, is_there: bool) -> Self {
        if is_there {
            Self::at(offset)
        } else {
            Self::ABSENT
        }
    }

    /// Returns the delimiter that is stored as `bits`.
    #[inline]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Returns the offset past the delimiter, as stored.
    #[inline]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// Returns the offset of the delimiter itself.
    #[inline]
    pub const fn get(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }

    /// Returns whether the delimiter is present.
    #[inline]
    pub const fn is_there(self) -> bool {
        self.0 != 0
    }

    /// Returns the offset of the delimiter itself, or `other` if it is absent.
    #[inline]
    pub const fn or(self, other: usize) -> usize {
        if self.0 == 0 {
            other
        } else {
            self.0 as usize - 1
        }
    }

    /// Returns the offset past the delimiter, or 0 if it is absent.
    #[inline]
    pub const fn end(self) -> usize {
        self.0 as usize
    }

    /// Returns the component that follows the delimiter and ends at `end`.
    #[inline]
    const fn component(self, end: usize) -> Option<(usize, usize)> {
        if self.0 == 0 {
            None
        } else {
            Some((self.0 as usize, end))
        }
    }
}

/// The offsets of the components of a reference, as found by a parser. `K` is the kind of host.
///
/// All standards have the same layout. A component that a standard does not define is absent.
/// Offsets are in bytes. An absent component has no delimiter; an empty component has a delimiter
/// with nothing after it:
///
/// ```text
/// ftp://foo:@host:21/motd?#x
///     ^      ^   ^  ^     ^^
/// scheme 4, userinfo 11, host_end 15, path 18, query 24 (empty), fragment 25
/// ```
///
/// The components appear in this order. All except the path are optional and have a delimiter:
///
/// ```text
/// scheme ":" "//" userinfo "@" host ":" port path ";" params "?" query "#" fragment
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout<K> {
    /// The colon after the scheme.
    pub scheme: Delimiter,
    /// The `@` after the userinfo.
    pub userinfo: Delimiter,
    /// The end of the host. A colon follows if the reference has a port.
    pub host_end: u32,
    /// The start of the path, which is the end of the authority.
    pub path: u32,
    /// The semicolon before RFC 1808's params.
    pub params: Delimiter,
    /// The `?` before the query.
    pub query: Delimiter,
    /// The `#` before the fragment.
    pub fragment: Delimiter,
    /// The kind of host, or `None` if the reference has no authority.
    pub host_kind: Option<K>,
    /// True if the authority is RFC 2396's `reg_name` rather than a `server`.
    pub registry: bool,
    /// True if RFC 1630's or RFC 1738's generic production was used.
    pub generic: bool,
}

impl<K: Copy> Layout<K> {
    /// The layout of a reference that is only a path.
    pub const EMPTY: Self = Self {
        scheme: Delimiter::ABSENT,
        userinfo: Delimiter::ABSENT,
        host_end: 0,
        path: 0,
        params: Delimiter::ABSENT,
        query: Delimiter::ABSENT,
        fragment: Delimiter::ABSENT,
        host_kind: None,
        registry: false,
        generic: false,
    };

    /// Records an authority that ends at `end` and whose host ends at `host_end`.
    #[inline]
    pub const fn set_host(&mut self, kind: K, host_end: usize, end: usize) {
        self.host_kind = Some(kind);
        self.host_end = offset_u32(host_end);
        self.path = offset_u32(end);
    }

    /// Returns the offset after the colon of the scheme, or 0 if the reference has no scheme.
    #[inline]
    pub const fn after_scheme(&self) -> usize {
        self.scheme.end()
    }

    /// Returns the range of the scheme, without its colon.
    #[inline]
    pub const fn scheme_range(&self) -> Option<(usize, usize)> {
        match self.scheme.get() {
            Some(colon) => Some((0, colon)),
            None => None,
        }
    }

    /// Returns the range of the authority, without its `//`.
    #[inline]
    pub const fn authority_range(&self) -> Option<(usize, usize)> {
        match self.host_kind {
            Some(_) => Some((self.authority(), self.path as usize)),
            None => None,
        }
    }

    /// Returns the range of the userinfo, without its `@`.
    #[inline]
    pub const fn userinfo_range(&self) -> Option<(usize, usize)> {
        match (self.host_kind, self.userinfo.get()) {
            (Some(_), Some(at)) => Some((self.authority(), at)),
            _ => None,
        }
    }

    /// Returns the range of the host.
    #[inline]
    pub const fn host_range(&self) -> Option<(usize, usize)> {
        let (userinfo, authority) = (self.userinfo.end(), self.authority());
        let start = if userinfo > authority {
            userinfo
        } else {
            authority
        };
        match self.host_kind {
            Some(_) => Some((start, self.host_end as usize)),
            None => None,
        }
    }

    /// Returns the range of the port, excluding the colon.
    #[inline]
    pub const fn port_range(&self) -> Option<(usize, usize)> {
        if self.host_kind.is_some() && self.host_end < self.path {
            Some((self.host_end as usize + 1, self.path as usize))
        } else {
            None
        }
    }

    /// Returns the range of the path, given the length of the text.
    #[inline]
    pub const fn path_range(&self, length: usize) -> (usize, usize) {
        let end = self.params.or(self.query.or(self.fragment.or(length)));
        (self.path as usize, end)
    }

    /// Returns the range of the params, excluding the leading `;`, given the length of the text.
    #[inline]
    pub const fn params_range(&self, length: usize) -> Option<(usize, usize)> {
        self.params
            .component(self.query.or(self.fragment.or(length)))
    }

    /// Returns the range of the query, excluding the leading `?`, given the length of the text.
    #[inline]
    pub const fn query_range(&self, length: usize) -> Option<(usize, usize)> {
        self.query.component(self.fragment.or(length))
    }

    /// Returns the range of the fragment, excluding the leading `#`, given the length of the text.
    #[inline]
    pub const fn fragment_range(&self, length: usize) -> Option<(usize, usize)> {
        self.fragment.component(length)
    }

    /// Returns the start of the authority in a reference that has one.
    #[inline]
    const fn authority(&self) -> usize {
        self.after_scheme() + b"//".len()
    }
}

/// Text with its [`Layout`], for slicing components without checking each slice.
///
/// Indexing a `str` checks that both ends of a slice are character boundaries. This type checks
/// them only once: either the scanner found that the text is US-ASCII, or [`Components::new`]
/// checked every offset. A slice then takes a few instructions without a branch. A processor would
/// often mispredict a branch that depends, for example, on whether a reference has a query.
// INVARIANT: the ends of each range of the layout, clamped to the text, are character boundaries.
#[derive(Clone, Copy, Debug)]
pub struct Components<'t, K> {
    text: &'t str,
    layout: Layout<K>,
}

impl<'t, K: Copy> Components<'t, K> {
    /// Returns the components of US-ASCII text, in which every offset is a character boundary.
    #[inline(always)]
    pub const fn ascii(text: Ascii<'t>, layout: Layout<K>) -> Self {
        Self {
            text: text.as_str(),
            layout,
        }
    }

    /// Checks all offsets, and returns the components. If an offset is within a character or
    /// beyond the text, the complete text becomes the path. Parsers never produce these offsets.
    pub const fn new(text: &'t str, layout: Layout<K>) -> Self {
        let layout = if is_sliceable(text, &layout) {
            layout
        } else {
            Layout::EMPTY
        };
        Self { text, layout }
    }

    /// Returns the complete text.
    #[inline(always)]
    pub const fn as_str(&self) -> &'t str {
        self.text
    }

    /// Returns the offsets.
    #[inline(always)]
    pub const fn layout(&self) -> &Layout<K> {
        &self.layout
    }

    /// Returns the components without the fragment and its `#`.
    #[must_use]
    pub const fn without_fragment(&self) -> Self {
        let mut layout = self.layout;
        layout.fragment = Delimiter::ABSENT;
        Self {
            text: self.slice((0, self.layout.fragment.or(self.text.len()))),
            layout,
        }
    }

    /// Returns a range of the layout, clamped to the text.
    #[inline(always)]
    const fn slice(&self, (start, end): (usize, usize)) -> &'t str {
        let length = self.text.len();
        let end = if end < length { end } else { length };
        let start = if start < end { start } else { end };
        // SAFETY: `start <= end <= length` by the lines above. Both are character boundaries
        // because of the invariant, or because they are the ends of the text.
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

    /// Returns the scheme.
    #[inline(always)]
    pub const fn scheme(&self) -> Option<&'t str> {
        self.optional(self.layout.scheme_range())
    }

    /// Returns the authority.
    #[inline(always)]
    pub const fn authority(&self) -> Option<&'t str> {
        self.optional(self.layout.authority_range())
    }

    /// Returns the userinfo.
    #[inline(always)]
    pub const fn userinfo(&self) -> Option<&'t str> {
        self.optional(self.layout.userinfo_range())
    }

    /// Returns the host.
    #[inline(always)]
    pub const fn host(&self) -> Option<&'t str> {
        self.optional(self.layout.host_range())
    }

    /// Returns the port.
    #[inline(always)]
    pub const fn port(&self) -> Option<&'t str> {
        self.optional(self.layout.port_range())
    }

    /// Returns the path, which may be empty.
    #[inline(always)]
    pub const fn path(&self) -> &'t str {
        self.slice(self.layout.path_range(self.text.len()))
    }

    /// Returns the params.
    #[inline(always)]
    pub const fn params(&self) -> Option<&'t str> {
        self.optional(self.layout.params_range(self.text.len()))
    }

    /// Returns the query.
    #[inline(always)]
    pub const fn query(&self) -> Option<&'t str> {
        self.optional(self.layout.query_range(self.text.len()))
    }

    /// Returns the fragment.
    #[inline(always)]
    pub const fn fragment(&self) -> Option<&'t str> {
        self.optional(self.layout.fragment_range(self.text.len()))
    }
}

/// Returns true if all ranges of the layout begin and end at character boundaries of the text.
const fn is_sliceable<K: Copy>(text: &str, layout: &Layout<K>) -> bool {
    // Kept out of line, because few references contain characters other than US-ASCII.
    #[inline(never)]
    const fn are_boundaries(text: &str, range: Option<(usize, usize)>) -> bool {
        match range {
            Some((start, end)) => text.is_char_boundary(start) && text.is_char_boundary(end),
            None => true,
        }
    }

    // Most references are US-ASCII, which is faster to check.
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

/// [`Components`] with owned text. INVARIANT: the invariant of `Components` applies.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct ComponentsBuf<K> {
    text: String,
    layout: Layout<K>,
}

#[cfg(feature = "alloc")]
impl<K: Copy> ComponentsBuf<K> {
    /// Copies borrowed components.
    pub fn copied(components: &Components<'_, K>) -> Self {
        Self {
            text: String::from(components.text),
            layout: components.layout,
        }
    }

    /// Parses `text` with `parse`.
    ///
    /// # Errors
    ///
    /// Returns the text and the error if `parse` fails.
    pub fn parse<E>(
        text: String,
        parse: impl FnOnce(&str) -> Result<Components<'_, K>, E>,
    ) -> Result<Self, (String, E)> {
        let parsed = parse(&text).map(|found| (found.layout, ptr::eq(found.text, text.as_str())));
        match parsed {
            // INVARIANT: the layout belongs to this text. `parse` could have returned the
            // components of a different text.
            Ok((layout, true)) => Ok(Self { text, layout }),
            Ok((layout, false)) => Ok(Self::new(text, layout)),
            Err(error) => Err((text, error)),
        }
    }

    /// Checks all offsets, as [`Components::new`] does.
    pub fn new(text: String, layout: Layout<K>) -> Self {
        let layout = *Components::new(&text, layout).layout();
        Self { text, layout }
    }

    /// Returns the components, borrowed.
    #[inline]
    pub const fn as_components(&self) -> Components<'_, K> {
        Components {
            text: self.text.as_str(),
            layout: self.layout,
        }
    }

    /// Removes the fragment and its `#`.
    pub fn remove_fragment(&mut self) {
        if let Some(at) = self.layout.fragment.get() {
            self.text.truncate(at);
            self.layout.fragment = Delimiter::ABSENT;
        }
    }

    /// Returns the text.
    pub fn into_string(self) -> String {
        self.text
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::{Components, ComponentsBuf, Delimiter, Layout};
    use alloc::string::String;

    /// Tries arbitrary offsets, including offsets past the end, out of order and within characters.
    #[test]
    fn a_wrong_layout_gives_slices_of_the_text() {
        let text = "aé:日/ü?#x";
        let length = u32::try_from(text.len()).unwrap();
        let offsets = [
            0,
            1,
            2,
            3,
            4,
            5,
            7,
            9,
            length - 1,
            length,
            length + 1,
            u32::MAX,
        ];
        let mut accepted = 0;
        let mut seed = 1_u32;
        for _ in 0..200_000 {
            let mut next = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                offsets[(seed >> 16) as usize % offsets.len()]
            };
            let layout = Layout {
                scheme: Delimiter::from_bits(next()),
                userinfo: Delimiter::from_bits(next()),
                host_end: next(),
                path: next(),
                params: Delimiter::from_bits(next()),
                query: Delimiter::from_bits(next()),
                fragment: Delimiter::from_bits(next()),
                host_kind: (next() > 2).then_some(()),
                registry: false,
                generic: false,
            };
            let components = Components::new(text, layout);
            accepted += usize::from(*components.layout() == layout);
            let without = components.without_fragment();
            for components in [components, without] {
                let slices = [
                    components.scheme(),
                    components.authority(),
                    components.userinfo(),
                    components.host(),
                    components.port(),
                    Some(components.path()),
                    components.params(),
                    components.query(),
                    components.fragment(),
                ];
                for slice in slices.into_iter().flatten() {
                    assert!(core::str::from_utf8(slice.as_bytes()).is_ok());
                    assert!(text.contains(slice), "{layout:?}");
                }
            }
            let mut owned = ComponentsBuf::new(String::from(text), layout);
            owned.remove_fragment();
            assert_eq!(owned.as_components().path(), without.path());
        }
        assert!(accepted > 100, "{accepted}");
    }

    /// Tests that a layout is checked again if it belongs to a different text.
    #[test]
    fn a_parser_cannot_return_another_text() {
        let other = "abcdef";
        let parsed = ComponentsBuf::parse(String::from("é日本"), |_| {
            let layout = Layout::<()> {
                path: 1,
                ..Layout::EMPTY
            };
            Ok::<_, ()>(Components::new(other, layout))
        });
        assert_eq!(parsed.unwrap().as_components().path(), "é日本");
    }
}
