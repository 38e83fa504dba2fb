//! SURT keys (Sort-friendly URI Reordering Transform), which web archives use to sort URLs.

mod components;
mod fast;
mod host;
mod ia_java;
mod ia_python;

use components::Components;
use std::fmt;
use std::str::FromStr;
use urikit::op::Level;
use urikit::{AnyRef, HostKind, ParseError, Standard, UnknownName, names_of_all};

/// The program whose keys are generated.
///
/// Programs differ, and a record can be found only with the key computed by the program that built
/// the index.
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
/// The programs differ most for unusual URLs:
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
    /// Keys without collisions, for new indexes: the normal form of RFC 3986 with the host
    /// reversed.
    ///
    /// Two URLs have the same key only if they are equivalent under RFC 3986, ignoring the choice
    /// of `http` or `https`, the userinfo and the fragment. [`Steps`](crate::Steps) can remove
    /// more parts before the key is computed.
    #[default]
    Urikit,
    /// The `surt` package from PyPI, by the Internet Archive, which `pywb` and `cdxj-indexer` use.
    IaPython,
    /// `webarchive-commons`, which the Wayback Machine and OpenWayback use.
    IaJava,
    /// The searchable URL of CDXJ 0.1.0, by Webrecorder, as the specification describes it.
    Cdxj,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 4] = [Self::Urikit, Self::IaPython, Self::IaJava, Self::Cdxj];

    /// Returns the name: `urikit`, `ia-python`, `ia-java` or `cdxj`, which [`FromStr`] parses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Urikit => "urikit",
            Self::IaPython => "ia-python",
            Self::IaJava => "ia-java",
            Self::Cdxj => "cdxj",
        }
    }

    /// Returns the key of a URL. For many URLs, use a [`SurtWriter`], which reuses its memory.
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
    /// Fails if the imitated program fails for this URL. The `urikit` profile rejects text that is
    /// not an RFC 3986 URI.
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

impl FromStr for Profile {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name), ignoring case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Profile, name);
        let is_it = |profile: &Self| profile.name().eq_ignore_ascii_case(text);
        let error = UnknownName::new("profile", NAMES);
        Self::ALL.into_iter().find(is_it).ok_or(error)
    }
}

/// Writes keys, and reuses memory: after a few keys, it allocates only for non-ASCII hosts.
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
    /// Creates a writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the key of a URL.
    ///
    /// # Errors
    ///
    /// See [`Profile::surt`]. After an error, `out` is unchanged.
    pub fn write(
        &mut self,
        url: &str,
        profile: Profile,
        out: &mut String,
    ) -> Result<(), SurtError> {
        let length = out.len();
        let write = match profile {
            Profile::Urikit => write_urikit,
            Profile::IaPython => ia_python::write,
            Profile::IaJava => ia_java::write,
            Profile::Cdxj => write_cdxj,
        };
        let outcome = write(url, &mut self.buffers, out);
        if outcome.is_err() {
            out.truncate(length);
        }
        outcome
    }
}

/// The reason why a URL has no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SurtError {
    /// The text contains only spaces, which makes Python's `surt` fail.
    Empty,
    /// The port is not a number that the program accepts.
    Port,
    /// The host has more digits than Python can convert to a number.
    Digits,
    /// The text is not a valid RFC 3986 reference, which only the `urikit` profile requires.
    Syntax(ParseError),
    /// The reference has no scheme, which only the `urikit` profile requires.
    Relative,
}

impl SurtError {
    /// Returns the offset of the error in bytes, if known.
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
            Self::Empty => f.write_str("expected a URL, but found only spaces"),
            Self::Port => f.write_str("the port is not a number that the program accepts"),
            Self::Digits => f.write_str("the host has more than 4300 digits"),
            Self::Syntax(error) => error.fmt(f),
            Self::Relative => f.write_str("expected a scheme, but the reference is relative"),
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

/// Appends the key of the `urikit` profile. Two URLs have the same key only if they are equivalent
/// under RFC 3986, apart from the parts that keys omit: the choice of `http` or `https`, the
/// userinfo, and the fragment.
///
/// The key consists of the normal form (RFC 3986, 6.2; all levels) with the labels of a name
/// reversed and separated by commas, and a `)` after the host and the port. Addresses are not
/// reversed, and an IPv6 address keeps its brackets. Commas and parentheses in a host, which RFC
/// 3986 allows, are escaped. Keys keep `www`, the case of the path, the order of the query and
/// session identifiers. [`Step`](crate::Step)s can change all of these parts beforehand, except
/// for the case.
///
/// The key of a URL with a scheme other than `http` or `https` begins with the scheme:
/// `ftp:(com,example)/`. The key of a URL without a host is its normal form without the fragment.
fn write_urikit(url: &str, buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    let reference = Standard::Rfc3986.parse(url).map_err(SurtError::Syntax)?;
    buffers.normal.clear();
    reference.normalize_into(Level::Scheme, &mut buffers.normal);
    // INVARIANT: a normal form is valid.
    let normal = Standard::Rfc3986.parse(&buffers.normal);
    write_urikit_key(normal.map_err(SurtError::Syntax)?, out)
}

fn write_urikit_key(url: AnyRef<'_>, out: &mut String) -> Result<(), SurtError> {
    let scheme = url.scheme().ok_or(SurtError::Relative)?;
    let Some(host) = url.host().filter(|host| host.kind() != HostKind::Empty) else {
        let text = url.as_str();
        let fragment = url.fragment().map_or(0, |fragment| fragment.len() + 1);
        out.push_str(text.get(..text.len() - fragment).unwrap_or(text));
        return Ok(());
    };
    let is_http = matches!(scheme, "http" | "https");
    if !is_http {
        out.push_str(scheme);
        out.push_str(":(");
    }
    let name = host.as_str();
    match host.kind() {
        HostKind::Ipv4 | HostKind::Ipv6 | HostKind::IpvFuture => out.push_str(name),
        _ => {
            for (number, label) in name.rsplit('.').enumerate() {
                if number > 0 {
                    out.push(',');
                }
                push_label(label, out);
            }
        }
    }
    if let Some(port) = url.port() {
        out.push(':');
        out.push_str(port);
    }
    out.push(')');
    out.push_str(url.path().as_str());
    if let Some(query) = url.query() {
        out.push('?');
        out.push_str(query.as_str());
    }
    Ok(())
}

/// Appends a label, and escapes the delimiters of keys.
fn push_label(label: &str, out: &mut String) {
    if !label.contains(['(', ')', ',']) {
        out.push_str(label);
        return;
    }
    for c in label.chars() {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            ',' => out.push_str("%2C"),
            c => out.push(c),
        }
    }
}

/// Appends the key of the `cdxj` profile: the searchable URL of CDXJ 0.1.0, by Webrecorder
/// (<https://specs.webrecorder.net/cdxj/0.1.0/>).
///
/// According to the specification, the key is the URL in lower case without `http` or `https`: the
/// reversed host name with commas instead of dots, then a `)`, the path and the query. This key
/// keeps `www`, does not sort the query, and omits the fragment. The specification leaves some
/// cases open. Here, the userinfo and the port stay before the `)`, addresses in brackets are not
/// reversed, and URLs with other schemes are only converted to lower case.
///
/// Programs that write CDXJ files use other keys: `cdxj-indexer` uses those of `ia-python`, and
/// `warcio.js` defines its own.
#[allow(clippy::unnecessary_wraps)] // has the signature of the other profiles
fn write_cdxj(url: &str, buffers: &mut Buffers, out: &mut String) -> Result<(), SurtError> {
    buffers.normal.clear();
    if url.is_ascii() {
        buffers.normal.push_str(url);
        buffers.normal.make_ascii_lowercase();
    } else {
        buffers
            .normal
            .extend(url.chars().flat_map(char::to_lowercase));
    }
    let text = buffers.normal.as_str();
    let parts = Components::of(text.as_bytes());
    let scheme = parts.scheme.len();
    let is_http = matches!(parts.scheme, b"http" | b"https")
        && text
            .get(scheme..)
            .is_some_and(|rest| rest.starts_with("://"));
    if !is_http {
        out.push_str(text);
        return Ok(());
    }
    let start = scheme + "://".len();
    let end = start + parts.authority.len();
    let authority = text.get(start..end).unwrap_or_default();
    let rest = text.get(end..).unwrap_or_default();
    let (userinfo, hostport) = match authority.rsplit_once('@') {
        Some((userinfo, hostport)) => (Some(userinfo), hostport),
        None => (None, authority),
    };
    if let Some(userinfo) = userinfo {
        out.push_str(userinfo);
        out.push('@');
    }
    let (host, port) = match hostport
        .rfind(':')
        .filter(|at| !hostport.ends_with(']') && *at > 0)
    {
        Some(colon) => hostport.split_at(colon),
        None => (hostport, ""),
    };
    if host.starts_with('[') {
        out.push_str(host);
    } else {
        for (number, label) in host.rsplit('.').enumerate() {
            if number > 0 {
                out.push(',');
            }
            out.push_str(label);
        }
    }
    out.push_str(port);
    out.push(')');
    out.push_str(rest.split('#').next().unwrap_or_default());
    Ok(())
}

/// Buffers that are reused for each key. No key depends on what an earlier key left in these
/// buffers.
#[derive(Clone, Debug, Default)]
struct Buffers {
    /// The URL, if it must be changed before it is split.
    text: Vec<u8>,
    host: Vec<u8>,
    path: Vec<u8>,
    query: Vec<u8>,
    scratch: Vec<u8>,
    /// The octets of adjacent escapes.
    run: Vec<u8>,
    /// The range of each path segment.
    segments: Vec<(usize, usize)>,
    /// For each query argument, the offsets of its start, the end of its name, and its end.
    arguments: Vec<[usize; 3]>,
    /// The normal form of the URL, or the URL in lower case.
    normal: String,
}

/// Replaces the contents of a buffer.
fn set(buffer: &mut Vec<u8>, text: &[u8]) {
    buffer.clear();
    buffer.extend_from_slice(text);
}

/// Appends bytes that are US-ASCII.
fn push_ascii(out: &mut String, bytes: &[u8]) {
    // INVARIANT: all non-ASCII octets were escaped.
    out.push_str(str::from_utf8(bytes).unwrap_or_default());
}

/// Appends the labels of a host in reverse order, separated by commas.
fn push_reversed(out: &mut String, host: &[u8]) {
    for (number, label) in host.rsplit(|byte| *byte == b'.').enumerate() {
        if number > 0 {
            out.push(',');
        }
        push_ascii(out, label);
    }
}

/// Returns the length of `www\d*\.` at the beginning of a host, ignoring case.
fn www(host: &[u8]) -> Option<usize> {
    let (name, rest) = host.split_at_checked(b"www".len())?;
    if !name.eq_ignore_ascii_case(b"www") {
        return None;
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (rest.get(digits) == Some(&b'.')).then_some(b"www".len() + digits + 1)
}

/// Returns the default port of `http` or `https`, the only default ports in the Internet Archive's
/// programs.
fn default_port(scheme: &[u8]) -> Option<u16> {
    let is_web = scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https");
    let name = str::from_utf8(scheme).ok().filter(|_| is_web)?;
    urikit::scheme::default_port(name)
}
