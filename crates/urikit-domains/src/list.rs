//! The list.
//! A host, divided by its public suffix.
//! Hosts as the list has them: decoded, and in lower case.
//! Addresses, which are no names.

use psl::{Info, Psl, Type};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The version of the crate `psl` that the list is taken from.
pub const LIST_VERSION: &str = "psl 2.1.247";

/// The day of the list, by ISO 8601: that on which this version of the crate was made from it.
pub const LIST_DATE: &str = "2026-11-05";

/// A public suffix list, and whether its private part is used. Cloning is cheap.
///
/// ```
/// use urikit_domains::List;
/// let list = List::parse("// ===BEGIN ICANN DOMAINS===\nexample\n*.sea\n!north.sea\n")?;
/// let registrable = |host| list.domain(host).unwrap().registrable();
/// assert_eq!(registrable("a.b.example"), Some("b.example"));
/// assert_eq!(registrable("a.b.c.sea"), Some("b.c.sea"));
/// assert_eq!(registrable("a.north.sea"), Some("north.sea"));
/// # Ok::<(), urikit_domains::ListError>(())
/// ```
#[derive(Clone, Debug)]
pub struct List {
    rules: Rules,
    private: bool,
}

#[derive(Clone, Debug)]
enum Rules {
    Builtin,
    Parsed(Arc<publicsuffix::List>),
}

impl Rules {
    fn find<'a>(&self, labels: impl Iterator<Item = &'a [u8]>) -> Info {
        match self {
            Self::Builtin => psl::List.find(labels),
            Self::Parsed(list) => list.find(labels),
        }
    }
}

impl List {
    /// The list that is compiled in, without its private part.
    pub const fn builtin() -> Self {
        Self {
            rules: Rules::Builtin,
            private: false,
        }
    }

    /// Reads a list in the format of `public_suffix_list.dat`; its private part is not used until
    /// [`with_private`](Self::with_private) says so. A rule in Unicode also counts in the form that
    /// the DNS has.
    ///
    /// # Errors
    ///
    /// If there is no rule after a line with `BEGIN ICANN DOMAINS` or `BEGIN PRIVATE DOMAINS`, or
    /// if a rule is no name.
    pub fn parse(text: &str) -> Result<Self, ListError> {
        let list: publicsuffix::List = text.parse().map_err(ListError)?;
        Ok(Self {
            rules: Rules::Parsed(Arc::new(list)),
            private: false,
        })
    }

    /// The same, with or without the private part.
    #[must_use]
    pub fn with_private(mut self, private: bool) -> Self {
        self.private = private;
        self
    }

    /// Whether the private part is used.
    pub const fn has_private(&self) -> bool {
        self.private
    }

    /// Divides a host by its public suffix; `None` if it is an address, empty, or no name: with an
    /// empty label, or with escapes that are not UTF-8 or are dots.
    ///
    /// Nothing is allocated for a host of US-ASCII up to 256 bytes without escapes.
    ///
    /// ```
    /// use urikit_domains::List;
    /// let list = List::builtin();
    /// let suffix = |host| list.domain(host).map(|domain| domain.suffix());
    /// assert_eq!(suffix("EXAMPLE.COM."), Some("COM"));
    /// assert_eq!(suffix("www.食狮.公司.cn"), Some("公司.cn"));
    /// assert_eq!(suffix("www.xn--85x722f.xn--55qx5d.cn"), Some("xn--55qx5d.cn"));
    /// assert_eq!(suffix("ex%61mple.c%6Fm"), Some("c%6Fm"));
    /// assert_eq!(suffix("host.invalid"), Some("invalid")); // not on the list
    /// for host in ["10.0.0.1", "127.1", "[::1]", "", ".", "a..com", ".com"] {
    ///     assert_eq!(suffix(host), None);
    /// }
    /// ```
    pub fn domain<'a>(&self, host: &'a str) -> Option<Domain<'a>> {
        let name = host.strip_suffix('.').unwrap_or(host);
        let mut buffer = [0; BUFFER];
        let lower = lower(name, &mut buffer)?;
        if has_empty_label(&lower) || is_address(&lower) {
            return None;
        }
        let (length, kind) = self.suffix(&lower);
        let suffix = if name.is_ascii() && name.len() == lower.len() {
            // Only the case may differ.
            name.len().checked_sub(length)?
        } else {
            as_written(name, &lower, length)?
        };
        Some(Domain {
            name,
            suffix,
            is_listed: kind.is_some(),
            is_private: kind == Some(Type::Private),
        })
    }

    /// The length of the suffix in bytes, and the part of the list it is from.
    fn suffix(&self, name: &str) -> (usize, Option<Type>) {
        let mut rest = name;
        loop {
            let Info { len, typ } = self
                .rules
                .find(rest.as_bytes().rsplit(|byte| *byte == b'.'));
            if typ == Some(Type::Private) && !self.private {
                let suffix = rest.get(rest.len().saturating_sub(len)..).unwrap_or(rest);
                if let Some((_, parent)) = suffix.split_once('.') {
                    // A rule of registries that matches is shorter than the private one.
                    rest = parent;
                    continue;
                }
            }
            return (len, typ.filter(|typ| self.private || *typ == Type::Icann));
        }
    }
}

#[allow(clippy::needless_bitwise_bool)]
fn has_empty_label(name: &str) -> bool {
    let bytes = name.as_bytes();
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    // All are looked at, so that several can be at once.
    let has_two_dots = pairs.fold(false, |any, (byte, next)| {
        any | (*byte == b'.') & (*next == b'.')
    });
    has_two_dots || matches!(bytes, [] | [b'.', ..] | [.., b'.'])
}

/// Where the suffix begins in a name with escapes or characters beyond US-ASCII, of which `lower`
/// is what was looked up: after as many labels. `None` if a dot is an escape.
fn as_written(name: &str, lower: &str, length: usize) -> Option<usize> {
    let dots = |text: &str| text.bytes().filter(|byte| *byte == b'.').count();
    if dots(lower) != dots(name) {
        return None;
    }
    let suffix = lower.get(lower.len().checked_sub(length)?..)?;
    let mut starts = name.rmatch_indices('.');
    Some(starts.nth(dots(suffix)).map_or(0, |(dot, _)| dot + 1))
}

impl Default for List {
    /// The list that is compiled in, without its private part.
    fn default() -> Self {
        Self::builtin()
    }
}

/// Why a list cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListError(publicsuffix::Error);

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a public suffix list: {}", self.0)
    }
}

impl std::error::Error for ListError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// A host that is a domain name, divided by its public suffix. All parts are as written; a final
/// dot is in none of them.
///
/// ```
/// use urikit_domains::List;
/// let domain = List::builtin().domain("a.b.Example.com.").unwrap();
/// assert_eq!(domain.name(), "a.b.Example.com");
/// assert_eq!(domain.suffix(), "com");
/// assert_eq!(domain.registrable(), Some("Example.com"));
/// assert_eq!(domain.label(), Some("Example"));
/// assert_eq!(domain.subdomain(), Some("a.b"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Domain<'a> {
    name: &'a str,
    /// Where the suffix begins, in bytes.
    suffix: usize,
    is_listed: bool,
    is_private: bool,
}

impl<'a> Domain<'a> {
    /// The host without a final dot.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// The public suffix: what people cannot register.
    pub fn suffix(&self) -> &'a str {
        self.name.get(self.suffix..).unwrap_or_default()
    }

    /// What precedes the suffix, without its dot; `None` if the host is a suffix itself.
    fn before(&self) -> Option<&'a str> {
        self.name.get(..self.suffix.checked_sub(1)?)
    }

    /// The registrable domain: the suffix and one label more; `None` if the host is a suffix
    /// itself.
    pub fn registrable(&self) -> Option<&'a str> {
        // Labels are short: a search that is prepared for long texts takes longer.
        let before = self.before()?.bytes();
        let start = before.rev().position(|byte| byte == b'.');
        let start = start.map_or(0, |length| self.suffix - 1 - length);
        self.name.get(start..)
    }

    /// The label that precedes the suffix; `None` if the host is a suffix itself.
    pub fn label(&self) -> Option<&'a str> {
        self.before()?.rsplit('.').next()
    }

    /// What precedes the registrable domain, without its dot; `None` if nothing does.
    pub fn subdomain(&self) -> Option<&'a str> {
        let before = self.before()?;
        before.rsplit_once('.').map(|(subdomain, _)| subdomain)
    }

    /// Whether a rule of the list gives the suffix, and not its default, by which any last label is
    /// one.
    pub const fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// Whether the suffix is from the part of the list for private domains.
    pub const fn is_private(&self) -> bool {
        self.is_private
    }
}

/// The longest name that is put into lower case without an allocation; the DNS has 253 bytes.
const BUFFER: usize = 256;

/// The name in lower case with its escapes decoded, in a buffer where it fits; `None` if it is not
/// UTF-8.
fn lower<'a>(name: &'a str, buffer: &'a mut [u8; BUFFER]) -> Option<Cow<'a, str>> {
    let is_plain = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b'%';
    // All are looked at, so that several can be at once.
    if name.bytes().fold(true, |all, byte| all & is_plain(byte)) {
        return Some(Cow::Borrowed(name));
    }
    if name.is_ascii() && !name.contains('%') {
        if let Some(place) = buffer.get_mut(..name.len()) {
            place.copy_from_slice(name.as_bytes());
            place.make_ascii_lowercase();
            return str::from_utf8(place).ok().map(Cow::Borrowed);
        }
        return Some(Cow::Owned(name.to_ascii_lowercase()));
    }
    // Characters beyond US-ASCII, and escapes, are rare.
    let text = String::from_utf8(decode(name)).ok()?;
    Some(Cow::Owned(text.to_lowercase()))
}

fn decode(name: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut out = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if let (b'%', [high, low, after @ ..]) = (*byte, after)
            && let Some((high, low)) = digit(*high).zip(digit(*low))
            && let Ok(octet) = u8::try_from(high * 16 + low)
        {
            out.push(octet);
            rest = after;
        } else {
            out.push(*byte);
        }
    }
    out
}

/// Whether a host is an IPv4 address, or what `inet_aton` of the C library reads as one: the WHATWG
/// URL Standard takes a host for an address if its last label is a number (3.5).
#[allow(clippy::needless_bitwise_bool)]
fn is_address(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host).as_bytes();
    let last = name.rsplit(|byte| *byte == b'.').next().unwrap_or(name);
    // All are looked at, so that several can be at once.
    let has_colon = || host.bytes().fold(false, |any, byte| any | (byte == b':'));
    is_number(last) || host.starts_with('[') || has_colon()
}

fn is_number(label: &[u8]) -> bool {
    match label {
        [b'0', b'x' | b'X', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
        _ => !label.is_empty() && label.iter().all(u8::is_ascii_digit),
    }
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn a_last_label_that_is_a_number_is_no_domain() {
        for host in [
            "127.0.0.1",
            "127.0.0.1.",
            "1",
            "0x7f.1",
            "0X",
            "a.1",
            "[::1]",
            "::1",
        ] {
            assert!(is_address(host), "{host}");
        }
        for host in ["a", "1.a", "a.1x", "0xg", "1a", "", ".", "a.."] {
            assert!(!is_address(host), "{host}");
        }
    }
}
