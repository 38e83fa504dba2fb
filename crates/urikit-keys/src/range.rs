//! Ranges of keys, for searches in a sorted index.

use std::fmt;
use std::str::FromStr;

/// Which keys are searched for.
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
    /// This key. What ends the key in a line of an index has to be a space, which is before `!`.
    Exact,
    /// What begins with this key.
    Prefix,
    /// What is on the host of the key, at the default port: from `com,example)/` to `com,example,`.
    Host,
    /// What is on the host of the key and on the hosts below it: from `com,example)/` to
    /// `com,example-`. Another port of the host itself (`com,example:8080)/`) is after that.
    Domain,
}

impl Scope {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Prefix, Self::Host, Self::Domain];

    /// The name: `exact`, `prefix`, `host` or `domain`; what [`FromStr`] takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Prefix => "prefix",
            Self::Host => "host",
            Self::Domain => "domain",
        }
    }

    /// The first key, and the end, which is not included, in the order of bytes. `None` for a host
    /// or a domain if the key has no host, and for a prefix after which there is no text.
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

/// The first text that does not begin with this one and is after it.
fn after(prefix: &str) -> Option<String> {
    let last = prefix.chars().next_back()?;
    let before = prefix.get(..prefix.len() - last.len_utf8())?;
    // The next character, over the gap in Unicode.
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

/// The error for a name that is not a [`Scope`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownScope;

impl fmt::Display for UnknownScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected exact, prefix, host or domain")
    }
}

impl std::error::Error for UnknownScope {}

impl FromStr for Scope {
    type Err = UnknownScope;

    /// Reads a [`name`](Self::name), in any case.
    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        let is_it = |scope: &Self| scope.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(is_it).ok_or(UnknownScope)
    }
}
