//! Public suffix lists, and domain names divided into parts.

use psl::{Info, Psl, Type};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The version of the `psl` crate that contains the list.
pub const LIST_VERSION: &str = "psl 2.1.247";

/// The date of the list in the `psl` crate, in ISO 8601.
pub const LIST_DATE: &str = "2026-11-05";

/// A public suffix list, with or without its private part. Cloning is cheap.
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
    /// Returns the compiled-in list, without its private part.
    pub const fn builtin() -> Self {
        Self {
            rules: Rules::Builtin,
            private: false,
        }
    }

    /// Reads a list in the format of `public_suffix_list.dat`. The private part is not used unless
    /// [`with_private`](Self::with_private) turns it on. A Unicode rule also matches its DNS form.
    ///
    /// # Errors
    ///
    /// Fails if no rule follows a line that contains `BEGIN ICANN DOMAINS` or `BEGIN PRIVATE
    /// DOMAINS`, or if a rule is not a name.
    pub fn parse(text: &str) -> Result<Self, ListError> {
        let list: publicsuffix::List = text.parse().map_err(ListError)?;
        Ok(Self {
            rules: Rules::Parsed(Arc::new(list)),
            private: false,
        })
    }

    /// Turns the private part on or off.
    #[must_use]
    pub fn with_private(mut self, private: bool) -> Self {
        self.private = private;
        self
    }

    /// Returns true if the private part is used.
    pub const fn has_private(&self) -> bool {
        self.private
    }

    /// Divides a host into its public suffix and the labels before it. Returns `None` for an
    /// address, an empty host, or a host that is not a domain name because it has an empty label
    /// or its escapes decode to dots or to invalid UTF-8.
    ///
    /// Does not allocate for US-ASCII hosts of up to 256 bytes without escapes.
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
            // `name` and `lower` differ at most in case.
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

    /// Returns the length of the suffix in bytes, and the part of the list that contains it.
    fn suffix(&self, name: &str) -> (usize, Option<Type>) {
        let mut rest = name;
        loop {
            let Info { len, typ } = self
                .rules
                .find(rest.as_bytes().rsplit(|byte| *byte == b'.'));
            if typ == Some(Type::Private) && !self.private {
                let suffix = rest.get(rest.len().saturating_sub(len)..).unwrap_or(rest);
                if let Some((_, parent)) = suffix.split_once('.') {
                    // The matching registry rule is shorter than the private rule.
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
    // Reading every byte, without an early exit, lets the compiler vectorize the loop.
    let has_two_dots = pairs.fold(false, |any, (byte, next)| {
        any | (*byte == b'.') & (*next == b'.')
    });
    has_two_dots || matches!(bytes, [] | [b'.', ..] | [.., b'.'])
}

/// Returns the start of the suffix in `name`, which contains escapes or non-ASCII characters.
/// `lower` is the form of the name that was looked up. The suffix of `lower` is `length` bytes
/// long, and has as many labels as the suffix of `name`. Returns `None` if `name` contains an
/// escaped dot.
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
    /// Returns the compiled-in list, without its private part.
    fn default() -> Self {
        Self::builtin()
    }
}

/// The error for a list that cannot be parsed.
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

/// A domain name, divided at its public suffix. All parts are returned as written, without a
/// trailing dot.
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
    /// The offset of the suffix, in bytes.
    suffix: usize,
    is_listed: bool,
    is_private: bool,
}

impl<'a> Domain<'a> {
    /// Returns the host without its trailing dot.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the public suffix, under which names are registered.
    pub fn suffix(&self) -> &'a str {
        self.name.get(self.suffix..).unwrap_or_default()
    }

    /// Returns the part before the suffix, without the dot. Returns `None` if the host is a suffix.
    fn before(&self) -> Option<&'a str> {
        self.name.get(..self.suffix.checked_sub(1)?)
    }

    /// Returns the registrable domain: the suffix and one more label. Returns `None` if the host is
    /// a suffix.
    pub fn registrable(&self) -> Option<&'a str> {
        // Labels are short, so a simple search is faster than one with a setup cost.
        let before = self.before()?.bytes();
        let start = before.rev().position(|byte| byte == b'.');
        let start = start.map_or(0, |length| self.suffix - 1 - length);
        self.name.get(start..)
    }

    /// Returns the label before the suffix. Returns `None` if the host is a suffix.
    pub fn label(&self) -> Option<&'a str> {
        self.before()?.rsplit('.').next()
    }

    /// Returns the part before the registrable domain, without the dot. Returns `None` if that
    /// part is empty.
    pub fn subdomain(&self) -> Option<&'a str> {
        let before = self.before()?;
        before.rsplit_once('.').map(|(subdomain, _)| subdomain)
    }

    /// Returns true if one of the list's rules matched. If no rule matched, the last label is the
    /// suffix.
    pub const fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// Returns true if the suffix is in the private part of the list.
    pub const fn is_private(&self) -> bool {
        self.is_private
    }
}

/// The longest name that is converted to lower case without allocating. The DNS allows 253 bytes.
const BUFFER: usize = 256;

/// Decodes the escapes in a name and converts the result to lower case, using `buffer` if the name
/// fits. Returns `None` if the result is not UTF-8.
fn lower<'a>(name: &'a str, buffer: &'a mut [u8; BUFFER]) -> Option<Cow<'a, str>> {
    let is_plain = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b'%';
    // Reading every byte, without an early exit, lets the compiler vectorize the loop.
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
    // Non-ASCII characters and escapes are rare.
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

/// Returns true if a host is an IP address. The WHATWG URL Standard treats a host as an IPv4
/// address if its last label is a number (3.5). This rule also covers the forms that the C
/// library's `inet_aton` accepts.
#[allow(clippy::needless_bitwise_bool)]
fn is_address(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host).as_bytes();
    let last = name.rsplit(|byte| *byte == b'.').next().unwrap_or(name);
    // Reading every byte, without an early exit, lets the compiler vectorize the loop.
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
