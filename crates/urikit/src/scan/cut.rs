//! References cut into their components, without asking at each cut whether a character begins there.
//!
//! That was asked before: the scanner saw that the text is US-ASCII, or each place was looked at once. A cut is a few instructions
//! then and has no branch; whether a text has a query is hard to guess for a processor.

use super::ascii::Ascii;
use crate::parse::Parts;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use core::ptr;

/// A text and the places where its components begin and end.
///
/// INVARIANT: each range that the parts have begins and ends between two characters of the text, or beyond its end.
#[derive(Clone, Copy)]
pub(crate) struct Cut<'t> {
    text: &'t str,
    parts: Parts,
}

impl<'t> Cut<'t> {
    /// A text that may be cut anywhere.
    #[inline(always)]
    pub(crate) const fn ascii(text: Ascii<'t>, parts: Parts) -> Self {
        Self {
            text: text.as_str(),
            parts,
        }
    }

    /// The parts of any text, whose places are looked at. Parsing finds none within a character; if it did, there would be no
    /// component but the path.
    pub(crate) const fn new(text: &'t str, parts: Parts) -> Self {
        let parts = if are_between_characters(text, &parts) {
            parts
        } else {
            Parts::EMPTY
        };
        Self { text, parts }
    }

    #[inline(always)]
    pub(crate) const fn as_str(self) -> &'t str {
        self.text
    }

    #[inline(always)]
    pub(crate) const fn parts(&self) -> &Parts {
        &self.parts
    }

    /// A range that the parts have. What is beyond the text is left out; what begins behind its end is empty.
    #[inline(always)]
    fn part(self, (start, end): (usize, usize)) -> &'t str {
        let end = end.min(self.text.len());
        let start = start.min(end);
        // SAFETY: in order and within the text, and between characters by the invariant, as the text's own end is.
        unsafe { self.text.get_unchecked(start..end) }
    }

    #[inline(always)]
    pub(crate) fn scheme(self) -> Option<&'t str> {
        Some(self.part(self.parts.scheme_range()?))
    }

    #[inline(always)]
    pub(crate) fn authority(self) -> Option<&'t str> {
        Some(self.part(self.parts.authority_range()?))
    }

    #[inline(always)]
    pub(crate) fn userinfo(self) -> Option<&'t str> {
        Some(self.part(self.parts.userinfo_range()?))
    }

    #[inline(always)]
    pub(crate) fn host(self) -> Option<&'t str> {
        Some(self.part(self.parts.host_range()?))
    }

    #[inline(always)]
    pub(crate) fn port(self) -> Option<&'t str> {
        Some(self.part(self.parts.port_range()?))
    }

    #[inline(always)]
    pub(crate) fn path(self) -> &'t str {
        self.part(self.parts.path_range(self.text.len()))
    }

    #[inline(always)]
    pub(crate) fn params(self) -> Option<&'t str> {
        Some(self.part(self.parts.params_range(self.text.len())?))
    }

    #[inline(always)]
    pub(crate) fn query(self) -> Option<&'t str> {
        Some(self.part(self.parts.query_range(self.text.len())?))
    }

    #[inline(always)]
    pub(crate) fn fragment(self) -> Option<&'t str> {
        Some(self.part(self.parts.fragment_range(self.text.len())?))
    }
}

/// Whether all ranges of the parts begin and end between two characters of the text.
const fn are_between_characters(text: &str, parts: &Parts) -> bool {
    const fn is_one(text: &str, range: Option<(usize, usize)>) -> bool {
        match range {
            Some((start, end)) => text.is_char_boundary(start) && text.is_char_boundary(end),
            None => true,
        }
    }

    // What most texts are is found sooner.
    text.is_ascii()
        || is_one(text, parts.scheme_range())
            && is_one(text, parts.authority_range())
            && is_one(text, parts.userinfo_range())
            && is_one(text, parts.host_range())
            && is_one(text, parts.port_range())
            && is_one(text, Some(parts.path_range(text.len())))
            && is_one(text, parts.params_range(text.len()))
            && is_one(text, parts.query_range(text.len()))
            && is_one(text, parts.fragment_range(text.len()))
}

/// The same with a text of its own.
///
/// INVARIANT: as that of [`Cut`].
#[cfg(feature = "alloc")]
#[derive(Clone)]
pub(crate) struct CutBuf {
    text: String,
    parts: Parts,
}

#[cfg(feature = "alloc")]
impl CutBuf {
    /// A copy.
    pub(crate) fn copied(cut: Cut<'_>) -> Self {
        Self {
            text: String::from(cut.text),
            parts: cut.parts,
        }
    }

    /// As it is cut by a function that is given the text; or the text, where that has an error.
    pub(crate) fn by<E>(
        text: String,
        cut: impl FnOnce(&str) -> Result<Cut<'_>, E>,
    ) -> Result<Self, (String, E)> {
        let cut = cut(&text).map(|cut| (cut.parts, ptr::eq(cut.text, text.as_str())));
        match cut {
            // INVARIANT: those are of the same text.
            Ok((parts, true)) => Ok(Self { text, parts }),
            Ok((parts, false)) => Ok(Self::new(text, parts)),
            Err(error) => Err((text, error)),
        }
    }

    /// As [`Cut::new`].
    pub(crate) fn new(text: String, parts: Parts) -> Self {
        let parts = *Cut::new(&text, parts).parts();
        Self { text, parts }
    }

    #[inline]
    pub(crate) fn as_cut(&self) -> Cut<'_> {
        Cut {
            text: &self.text,
            parts: self.parts,
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_string(self) -> String {
        self.text
    }
}
