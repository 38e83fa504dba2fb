//! Where the components of a reference begin and end.

use crate::component::HostKind;

/// Where a delimiter ends, if there is one: the offset behind its byte, and 0 where it is absent.
///
/// What it begins stands there, so that a component is cut out without a branch that asks whether its delimiter is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delimiter(u32);

impl Delimiter {
    pub(crate) const ABSENT: Self = Self(0);

    /// The delimiter at `offset`.
    #[inline]
    pub(crate) const fn at(offset: usize) -> Self {
        // INVARIANT: a byte is there, so that what is behind it is no more than the length.
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

    /// As [`to_bits`](Self::to_bits) gave it.
    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The offset behind it; 0 where it is absent.
    #[inline]
    pub(super) const fn to_bits(self) -> u32 {
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

    /// The offset of its byte, or another where it is absent.
    #[inline]
    pub(crate) const fn or(self, other: usize) -> usize {
        if self.0 == 0 {
            other
        } else {
            self.0 as usize - 1
        }
    }

    /// What it begins and ends there, if it is not absent.
    #[inline]
    const fn begins(self, end: usize) -> Option<(usize, usize)> {
        if self.0 == 0 {
            None
        } else {
            Some((self.0 as usize, end))
        }
    }

    /// The offset behind it; 0 where it is absent.
    #[inline]
    pub(crate) const fn behind(self) -> usize {
        self.0 as usize
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
        self.scheme.behind()
    }

    /// The scheme, from where to where.
    #[inline]
    pub(crate) const fn scheme_range(&self) -> Option<(usize, usize)> {
        match self.scheme.get() {
            Some(colon) => Some((0, colon)),
            None => None,
        }
    }

    /// The authority: what stands between `//` and the path.
    #[inline]
    pub(crate) const fn authority_range(&self) -> Option<(usize, usize)> {
        match self.host_kind {
            Some(_) => Some((self.authority(), self.path as usize)),
            None => None,
        }
    }

    /// The userinfo, where there is an authority.
    #[inline]
    pub(crate) const fn userinfo_range(&self) -> Option<(usize, usize)> {
        match (self.host_kind, self.userinfo.get()) {
            (Some(_), Some(at)) => Some((self.authority(), at)),
            _ => None,
        }
    }

    /// The host.
    #[inline]
    pub(crate) const fn host_range(&self) -> Option<(usize, usize)> {
        let (userinfo, authority) = (self.userinfo.behind(), self.authority());
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

    /// The port, behind its colon.
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

    /// The params.
    #[inline]
    pub(crate) const fn params_range(&self, length: usize) -> Option<(usize, usize)> {
        self.params.begins(self.query.or(self.fragment.or(length)))
    }

    /// The query.
    #[inline]
    pub(crate) const fn query_range(&self, length: usize) -> Option<(usize, usize)> {
        self.query.begins(self.fragment.or(length))
    }

    /// The fragment.
    #[inline]
    pub(crate) const fn fragment_range(&self, length: usize) -> Option<(usize, usize)> {
        self.fragment.begins(length)
    }

    /// Where the authority begins, if there is one.
    #[inline]
    const fn authority(&self) -> usize {
        self.after_scheme() + b"//".len()
    }
}
