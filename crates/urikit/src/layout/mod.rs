//! Where the components of a reference begin and end: offsets into its text, and nothing else.
//!
//! [`Layout`] is the same for every standard; a component that a standard does not have is absent.
//! All offsets are in bytes and are character boundaries, so a component is a slice of the text.
//! An absent component has no delimiter, an empty one has nothing after its delimiter:
//!
//! ```text
//! ftp://foo:@host:21/motd?#x
//!     ^      ^   ^  ^     ^^
//! scheme 4, userinfo 11, host_end 15, path 18, query 24 (empty), fragment 25
//! ```

mod host_kind;

pub use host_kind::HostKind;

/// The length of the longest text that can be parsed: 4 GiB - 1.
///
/// Offsets are stored as 32 bits. A longer text is refused before it is parsed, as
/// [`ParseError::TooLong`](crate::ParseError::TooLong).
pub const MAX_LEN: usize = u32::MAX as usize;

/// An offset as it is stored.
#[allow(clippy::cast_possible_truncation)] // INVARIANT: parsing rejects texts longer than MAX_LEN first
#[inline]
pub(crate) const fn offset_u32(offset: usize) -> u32 {
    offset as u32
}

/// The offset just past a delimiter; 0 where the delimiter is absent.
///
/// A component begins past its delimiter, so it can be sliced without a branch on whether the
/// delimiter is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delimiter(u32);

impl Delimiter {
    pub(crate) const ABSENT: Self = Self(0);

    /// The delimiter whose byte is at `offset`.
    #[inline]
    pub(crate) const fn at(offset: usize) -> Self {
        // INVARIANT: the byte exists, so the offset past it is at most the text's length.
        Self(offset_u32(offset + 1))
    }

    /// The delimiter at `offset` if `is_there`.
    #[inline]
    pub(crate) const fn at_if(offset: usize, is_there: bool) -> Self {
        if is_there {
            Self::at(offset)
        } else {
            Self::ABSENT
        }
    }

    /// The inverse of [`to_bits`](Self::to_bits).
    #[inline]
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The offset past it, as it is stored.
    #[inline]
    pub(crate) const fn to_bits(self) -> u32 {
        self.0
    }

    /// The offset of its byte.
    #[inline]
    pub(crate) const fn get(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }

    #[inline]
    pub(crate) const fn is_there(self) -> bool {
        self.0 != 0
    }

    /// The offset of its byte, or `other` where it is absent.
    #[inline]
    pub(crate) const fn or(self, other: usize) -> usize {
        if self.0 == 0 {
            other
        } else {
            self.0 as usize - 1
        }
    }

    /// The offset past it; 0 where it is absent.
    #[inline]
    pub(crate) const fn end(self) -> usize {
        self.0 as usize
    }

    /// The component that follows it and ends at `end`.
    #[inline]
    const fn component(self, end: usize) -> Option<(usize, usize)> {
        if self.0 == 0 {
            None
        } else {
            Some((self.0 as usize, end))
        }
    }
}

/// What parsing finds. Nothing is decoded and nothing is copied.
///
/// The components are in this order, each except the path with its delimiter, and all except the
/// path optional:
///
/// ```text
/// scheme ":" "//" userinfo "@" host ":" port path ";" params "?" query "#" fragment
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The colon after the scheme.
    pub(crate) scheme: Delimiter,
    /// The `@` after the userinfo.
    pub(crate) userinfo: Delimiter,
    /// The end of the host; a colon follows where there is a port.
    pub(crate) host_end: u32,
    /// The start of the path, which is the end of the authority where there is one.
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
    /// Whether RFC 1630's or RFC 1738's generic production was used.
    pub(crate) generic: bool,
}

impl Layout {
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

    /// Records an authority whose host ends at `host_end` and which itself ends at `end`.
    pub(crate) const fn set_host(&mut self, kind: HostKind, host_end: usize, end: usize) {
        self.host_kind = Some(kind);
        self.host_end = offset_u32(host_end);
        self.path = offset_u32(end);
    }

    /// The offset past the scheme's colon; 0 without a scheme.
    #[inline]
    pub(crate) const fn after_scheme(&self) -> usize {
        self.scheme.end()
    }

    #[inline]
    pub(crate) const fn scheme_range(&self) -> Option<(usize, usize)> {
        match self.scheme.get() {
            Some(colon) => Some((0, colon)),
            None => None,
        }
    }

    /// The authority, without its `//`.
    #[inline]
    pub(crate) const fn authority_range(&self) -> Option<(usize, usize)> {
        match self.host_kind {
            Some(_) => Some((self.authority(), self.path as usize)),
            None => None,
        }
    }

    #[inline]
    pub(crate) const fn userinfo_range(&self) -> Option<(usize, usize)> {
        match (self.host_kind, self.userinfo.get()) {
            (Some(_), Some(at)) => Some((self.authority(), at)),
            _ => None,
        }
    }

    #[inline]
    pub(crate) const fn host_range(&self) -> Option<(usize, usize)> {
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

    /// The port, without its colon.
    #[inline]
    pub(crate) const fn port_range(&self) -> Option<(usize, usize)> {
        if self.host_kind.is_some() && self.host_end < self.path {
            Some((self.host_end as usize + 1, self.path as usize))
        } else {
            None
        }
    }

    /// The path of a text of this length.
    #[inline]
    pub(crate) const fn path_range(&self, length: usize) -> (usize, usize) {
        let end = self.params.or(self.query.or(self.fragment.or(length)));
        (self.path as usize, end)
    }

    #[inline]
    pub(crate) const fn params_range(&self, length: usize) -> Option<(usize, usize)> {
        self.params
            .component(self.query.or(self.fragment.or(length)))
    }

    #[inline]
    pub(crate) const fn query_range(&self, length: usize) -> Option<(usize, usize)> {
        self.query.component(self.fragment.or(length))
    }

    #[inline]
    pub(crate) const fn fragment_range(&self, length: usize) -> Option<(usize, usize)> {
        self.fragment.component(length)
    }

    /// Where the authority begins, if there is one.
    #[inline]
    const fn authority(&self) -> usize {
        self.after_scheme() + b"//".len()
    }
}
