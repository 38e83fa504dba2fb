//! Keys by which web archives sort URLs: the Sort-friendly URI Reordering Transform.

mod address;
mod buffers;
mod cdxj;
mod escapes;
mod ia_java;
mod ia_python;
mod idna2003;
mod own;
mod path;
mod plain;
mod query;
mod session;
mod split;

use buffers::Buffers;
use std::fmt;
use std::str::FromStr;
use urikit::ParseError;

/// Whose keys: indexes of web archives are only found by the keys that they were made with.
///
/// ```
/// use urikit_keys::Profile;
/// let url = "https://user@www2.Example.com:8080/A/../b/?z&a=1#top";
/// let keys = Profile::ALL.map(|profile| profile.surt(url).unwrap());
/// assert_eq!(keys, [
///     "com,example,www2:8080)/b/?z&a=1",
///     "com,example:8080)/b?a=1&z",
///     "com,example:8080)/b?a=1&z",
///     "user@com,example,www2:8080)/a/../b/?z&a=1",
/// ]);
/// ```
///
/// They differ most where URLs are unusual:
///
/// ```
/// use urikit_keys::Profile;
/// let keys = |url| Profile::ALL.map(|profile| profile.surt(url).unwrap_or("-error-".into()));
/// assert_eq!(keys("http://www3288.com/"), ["com,www3288)/", "com)/", "com)/", "com,www3288)/"]);
/// assert_eq!(keys("http://[::1]/"), ["[::1])/", "::1)/", "-error-", "[::1])/"]);
/// assert_eq!(keys("http://www.www2.a/"), ["a,www2,www)/", "a,www2)/", "a)/", "a,www2,www)/"]);
/// assert_eq!(keys("http://1.2/"), ["2,1)/", "2,0,0,1)/", "2,1)/", "2,1)/"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Profile {
    /// Keys without collisions, for new indexes: the normal form of RFC 3986, with the host
    /// reversed. Two URLs have one key only if they are the same resource by RFC 3986, whether by
    /// `http` or `https`, with or without userinfo and fragment. See [`Steps`](crate::Steps) for
    /// what else can be removed first.
    #[default]
    Urikit,
    /// The package `surt` of PyPI, by the Internet Archive, which `pywb` and `cdxj-indexer` use.
    IaPython,
    /// `webarchive-commons`, which the Wayback Machine and OpenWayback use.
    IaJava,
    /// The searchable URL of CDXJ 0.1.0, by Webrecorder, as the specification describes it.
    Cdxj,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Urikit, Self::IaPython, Self::IaJava, Self::Cdxj];

    /// The name: `urikit`, `ia-python`, `ia-java` or `cdxj`; what [`FromStr`] takes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Urikit => "urikit",
            Self::IaPython => "ia-python",
            Self::IaJava => "ia-java",
            Self::Cdxj => "cdxj",
        }
    }

    /// The key of a URL. For many, a [`SurtWriter`] keeps its memory from one to the next.
    ///
    /// ```
    /// use urikit_keys::Profile;
    /// let key = Profile::IaPython.surt("http://www.archive.org/goo/?b&a")?;
    /// assert_eq!(key, "org,archive)/goo?a&b");
    /// # Ok::<(), urikit_keys::SurtError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the program that the profile is named after has none, or if the URL is not valid under
    /// `urikit`.
    pub fn surt(self, url: &str) -> Result<String, SurtError> {
        let mut out = String::new();
        SurtWriter::new().write(url, self, &mut out)?;
        Ok(out)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that is not a [`Profile`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownProfile;

impl fmt::Display for UnknownProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected urikit, ia-python, ia-java or cdxj")
    }
}

impl std::error::Error for UnknownProfile {}

impl FromStr for Profile {
    type Err = UnknownProfile;

    /// Reads a [`name`](Self::name), in any case.
    fn from_str(text: &str) -> Result<Self, UnknownProfile> {
        let is_it = |profile: &Self| profile.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(is_it).ok_or(UnknownProfile)
    }
}

/// Writes keys, and keeps its memory from one to the next: after a few, nothing is allocated,
/// except for hosts beyond US-ASCII.
///
/// ```
/// use urikit_keys::{Profile, SurtWriter};
/// let mut writer = SurtWriter::new();
/// let mut keys = String::new();
/// for url in ["http://a.example/", "http://b.example/x"] {
///     writer.write(url, Profile::Urikit, &mut keys)?;
///     keys.push('\n');
/// }
/// assert_eq!(keys, "example,a)/\nexample,b)/x\n");
/// # Ok::<(), urikit_keys::SurtError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SurtWriter {
    buffers: Buffers,
}

impl SurtWriter {
    /// One that has not written anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the key of a URL.
    ///
    /// # Errors
    ///
    /// As [`Profile::surt`]; nothing is appended then.
    pub fn write(
        &mut self,
        url: &str,
        profile: Profile,
        out: &mut String,
    ) -> Result<(), SurtError> {
        let length = out.len();
        let write = match profile {
            Profile::Urikit => own::write,
            Profile::IaPython => ia_python::write,
            Profile::IaJava => ia_java::write,
            Profile::Cdxj => cdxj::write,
        };
        let outcome = write(url, &mut self.buffers, out);
        if outcome.is_err() {
            out.truncate(length);
        }
        outcome
    }
}

/// Why a URL has no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SurtError {
    /// There is nothing but spaces, which `surt` fails at.
    Empty,
    /// The port is not a number that the program reads.
    Port,
    /// The host has more digits than Python reads.
    Digits,
    /// It is no reference of RFC 3986, which `urikit` needs.
    Syntax(ParseError),
    /// It has no scheme, which `urikit` needs.
    Relative,
}

impl SurtError {
    /// The offset of the error in bytes, where one is known.
    pub const fn offset(&self) -> Option<usize> {
        match self {
            Self::Syntax(error) => Some(error.offset()),
            _ => None,
        }
    }
}

impl fmt::Display for SurtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("expected a URL, but found spaces only"),
            Self::Port => f.write_str("expected a port that is a number"),
            Self::Digits => f.write_str("expected at most 4300 digits in the host"),
            Self::Syntax(error) => error.fmt(f),
            Self::Relative => f.write_str("expected a URL with a scheme, but it is relative"),
        }
    }
}

impl std::error::Error for SurtError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(error),
            _ => None,
        }
    }
}
