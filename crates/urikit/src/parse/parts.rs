//! Where the components of a reference begin and end.

use crate::component::HostKind;

/// An offset that may be absent.
///
/// INVARIANT: it is always the offset of a byte that is there (a delimiter), so that it is below
/// the length, which is at most `u32::MAX`; that value is free to mean "absent".
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delimiter(u32);

impl Delimiter {
    pub(crate) const ABSENT: Self = Self(u32::MAX);

    #[inline]
    pub(crate) const fn at(offset: usize) -> Self {
        Self(offset_u32(offset))
    }

    /// The offset if `is_there`.
    #[inline]
    pub(crate) const fn at_if(offset: usize, is_there: bool) -> Self {
        Self(if is_there {
            offset_u32(offset)
        } else {
            u32::MAX
        })
    }

    /// As [`to_bits`](Self::to_bits) gave it.
    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The offset; all ones where it is absent.
    #[inline]
    pub(super) const fn to_bits(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) const fn get(self) -> Option<usize> {
        if self.0 == u32::MAX {
            None
        } else {
            Some(self.0 as usize)
        }
    }
}

/// An offset as it is stored. Parsing begins by refusing texts that are too long for this.
#[allow(clippy::cast_possible_truncation)] // INVARIANT: `offset <= len <= u32::MAX`, by `parse::reference`.
#[inline]
pub(crate) const fn offset_u32(offset: usize) -> u32 {
    offset as u32
}

/// What parsing finds: offsets into the text, nothing decoded and nothing copied.
///
/// A text is laid out in this order, each part but the path with its delimiter, all but the path
/// optional:
///
/// ```text
/// scheme ":" "//" userinfo "@" host ":" port path ";" params "?" query "#" fragment
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    /// The colon behind the scheme.
    pub(crate) scheme: Delimiter,
    /// The `@` behind the userinfo.
    pub(crate) userinfo: Delimiter,
    /// The end of the host; a colon follows where there is a port.
    pub(crate) host_end: u32,
    /// Where the authority ends, or would end, and the path begins.
    pub(crate) path: u32,
    /// The semicolon before RFC 1808's params.
    pub(crate) params: Delimiter,
    /// The `?` before the query.
    pub(crate) query: Delimiter,
    /// The `#` before the fragment.
    pub(crate) fragment: Delimiter,
    /// What the host is; `None` where there is no authority.
    pub(crate) host_kind: Option<HostKind>,
    /// Whether the authority is RFC 2396's `reg_name` and not a `server`.
    pub(crate) registry: bool,
    /// Whether it was read by RFC 1630's or 1738's generic production although the scheme has one
    /// of its own.
    pub(crate) generic: bool,
}

impl Parts {
    pub(crate) const EMPTY: Self = Self {
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

    /// Notes an authority whose host ends at `host_end` and which itself ends at `end`.
    pub(crate) const fn set_host(&mut self, kind: HostKind, host_end: usize, end: usize) {
        self.host_kind = Some(kind);
        self.host_end = offset_u32(host_end);
        self.path = offset_u32(end);
    }

    /// Where the scheme's colon ends, or the text begins.
    #[inline]
    pub(crate) const fn after_scheme(&self) -> usize {
        match self.scheme.get() {
            Some(colon) => colon + 1,
            None => 0,
        }
    }
}
