//! Ranges of keys for searches in a sorted index.

use std::fmt;
use std::str::FromStr;
use urikit::{UnknownName, names_of_all};

/// The keys that a search in a sorted index covers.
///
/// ```
/// use urikit_keys::Scope;
/// let range = |scope: Scope| scope.range("com,example)/a").unwrap();
/// assert_eq!(range(Scope::Exact), ("com,example)/a".into(), "com,example)/a!".into()));
/// assert_eq!(range(Scope::Prefix), ("com,example)/a".into(), "com,example)/b".into()));
/// assert_eq!(range(Scope::Host), ("com,example)/".into(), "com,example,".into()));
/// assert_eq!(range(Scope::Domain), ("com,example)/".into(), "com,example-".into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Scope {
    /// This key only. The range requires that a space, which sorts before `!`, follows the key in
    /// each line of the index.
    Exact,
    /// All keys that begin with this key.
    Prefix,
    /// All keys of the host with its default port: from `com,example)/` to `com,example,`.
    Host,
    /// All keys of the host and its subdomains: from `com,example)/` to `com,example-`. Keys for
    /// other ports of the host itself (`com,example:8080)/`) sort after this range and are not
    /// included.
    Domain,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Prefix, Self::Host, Self::Domain];

    /// Returns the name: `exact`, `prefix`, `host` or `domain`, which [`FromStr`] parses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Prefix => "prefix",
            Self::Host => "host",
            Self::Domain => "domain",
        }
    }

    /// Returns the first key and the exclusive end of the range, in byte order.
    ///
    /// Returns `None` for a host or a domain if the key has no host, and for a prefix without an
    /// upper bound: an empty prefix, or one that consists only of U+10FFFF.
    pub fn range(self, key: &str) -> Option<(String, String)> {
        let host = || {
            let (host, _) = key.split_once(')')?;
            Some((format!("{host})/"), host))
        };
        Some(match self {
            Self::Exact => (key.to_owned(), format!("{key}!")),
            Self::Prefix => (key.to_owned(), after(key)?),
            Self::Host => {
                let (start, host) = host()?;
                (start, format!("{host},"))
            }
            Self::Domain => {
                let (start, host) = host()?;
                (start, format!("{host}-"))
            }
        })
    }
}

/// Returns the first string that sorts after all strings that begin with `prefix`.
fn after(prefix: &str) -> Option<String> {
    let last = prefix.chars().next_back()?;
    let before = prefix.get(..prefix.len() - last.len_utf8())?;
    // `from_u32` skips the surrogates.
    let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
    match next {
        Some(next) => Some(format!("{before}{next}")),
        None => after(before),
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Scope {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name), ignoring case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Scope, name);
        let is_it = |scope: &Self| scope.name().eq_ignore_ascii_case(text);
        let error = UnknownName::new("scope", NAMES);
        Self::ALL.into_iter().find(is_it).ok_or(error)
    }
}
