//! What readers can differ about.

use std::fmt;

/// What readers can differ about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Part {
    /// Whether it is valid: `rfc3986` and `whatwg` only.
    Validity,
    /// The scheme.
    Scheme,
    /// The userinfo.
    Userinfo,
    /// The host.
    Host,
    /// The port.
    Port,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Validity,
        Self::Scheme,
        Self::Userinfo,
        Self::Host,
        Self::Port,
    ];

    /// The name: `validity`, `scheme`, `userinfo`, `host` or `port`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Validity => "validity",
            Self::Scheme => "scheme",
            Self::Userinfo => "userinfo",
            Self::Host => "host",
            Self::Port => "port",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A set of [`Part`]s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Parts(u8);

impl Parts {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The set with this part.
    #[must_use]
    pub const fn with(self, part: Part) -> Self {
        Self(self.0 | 1 << part as u8)
    }

    /// Whether the part is in the set.
    pub const fn contains(self, part: Part) -> bool {
        self.0 >> part as u8 & 1 == 1
    }

    /// The parts in the set.
    pub fn iter(self) -> impl Iterator<Item = Part> {
        Part::ALL
            .into_iter()
            .filter(move |part| self.contains(*part))
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
