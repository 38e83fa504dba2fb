//! The `whatwg` reader.

use crate::plain::is_plain_name;
use crate::reader::{Outcome, Reader};
use crate::reading::{Reading, Rejection};
use crate::split::{ends_authority, rsplit_once, split_at};
use std::borrow::Cow;
use std::net::IpAddr;
use urikit::UriRef;
use url::{Host, Url};

/// The `whatwg` reader: the URL Standard, which browsers and Node follow, implemented by the `url`
/// crate.
///
/// Components are those of the URL record: decoded, converted to lower case and escaped according
/// to the standard, and without a default port. Relative references are rejected because they have
/// no base.
///
/// In URLs whose scheme is not special, the crate accepts a backslash in the host, and an empty
/// host after an `@`. The standard rejects both, so this reader rejects them too. For `file` URLs
/// with a drive letter, the crate wrongly drops the host and some slashes, which this reader does
/// not correct.
///
/// ```
/// use urikit_audit::{Reader as _, Whatwg};
/// let reading = Whatwg.read("http:\\\\Good.example\\@evil.example\\")?;
/// assert_eq!(reading.host.as_deref(), Some("good.example"));
/// assert_eq!(reading.path, "/@evil.example/");
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Whatwg;

impl Reader for Whatwg {
    fn name(&self) -> &'static str {
        "whatwg"
    }

    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        match read_kept(input) {
            Some(reading) => Ok(reading),
            None => Ok(of_record(input, &self.parse(input)?)),
        }
    }
}

impl Whatwg {
    /// Parses a URL as [`read`](Reader::read) does, and returns the URL record.
    ///
    /// ```
    /// use urikit_audit::Whatwg;
    /// assert_eq!(Whatwg.parse("HTTP://Example.com:80")?.as_str(), "http://example.com/");
    /// # Ok::<(), urikit_audit::Rejection>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the URL is rejected.
    pub fn parse(&self, input: &str) -> Result<Url, Rejection> {
        let url = Url::parse(input).map_err(Rejection::Whatwg)?;
        check(input, &url).map_err(Rejection::Whatwg)?;
        Ok(url)
    }

    /// Returns the reference if it is a URL that the standard does not change: the URL record
    /// serializes to the same text. Most URLs on the Web are of this form, and this check is much
    /// faster than [`parse`](Self::parse).
    ///
    /// `None` does not mean that the URL is invalid: `parse` decides that.
    ///
    /// ```
    /// use urikit_audit::Whatwg;
    /// let url = Whatwg.unchanged("https://example.com/a?b").ok_or("changed")?;
    /// assert_eq!(url.host().map(|host| host.as_str()), Some("example.com"));
    /// assert!(Whatwg.unchanged("https://Example.com").is_none());
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn unchanged<'a>(&self, input: &'a str) -> Option<UriRef<'a>> {
        kept(input).filter(|url| !url.path().as_str().is_empty())
    }

    /// Reads an absolute or relative reference on a page as a browser would.
    ///
    /// ```
    /// use urikit_audit::Whatwg;
    /// // It looks like a redirect to a path of the same site.
    /// let reading = Whatwg.read_on_page("https://good.example/login", "/\\evil.example/")?;
    /// assert_eq!(reading.host.as_deref(), Some("evil.example"));
    /// # Ok::<(), urikit_audit::Rejection>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the standard rejects the URL of the page or the reference.
    pub fn read_on_page<'a>(&self, page: &str, input: &'a str) -> Outcome<'a> {
        let page = Url::parse(page).map_err(Rejection::Whatwg)?;
        Ok(of_record(input, &self.join(&page, input)?))
    }

    /// Resolves a reference against a base with the basic URL parser, and returns the URL record.
    ///
    /// `Url::join` rejects three or more slashes at the beginning of a reference. This method
    /// follows the standard, which ignores all but two of the slashes.
    ///
    /// ```
    /// use urikit_audit::Whatwg;
    /// let base = Whatwg.parse("https://good.example/login")?;
    /// assert_eq!(Whatwg.join(&base, "///evil.example")?.as_str(), "https://evil.example/");
    /// # Ok::<(), urikit_audit::Rejection>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the reference is rejected.
    pub fn join(&self, base: &Url, input: &str) -> Result<Url, Rejection> {
        let two = with_two_slashes(base, input);
        let input = two.as_deref().unwrap_or(input);
        let url = base.join(input).map_err(Rejection::Whatwg)?;
        check(input, &url).map_err(Rejection::Whatwg)?;
        Ok(url)
    }
}

/// Parses a URL whose components the standard does not change, except that an empty path becomes
/// `/`. Returns `None` for all other URLs.
///
/// Such a URL is valid under RFC 3986. The standard does not escape the characters that RFC 3986
/// allows, except for `'` in a query (1.3, special-query percent-encode set). The scheme and the
/// host are in lower case, the URL has neither a userinfo nor a default port, and its path has no
/// dot segments.
fn kept(input: &str) -> Option<UriRef<'_>> {
    let url = UriRef::parse(input).ok()?;
    let default_port = match url.scheme()? {
        "https" | "wss" => "443",
        "http" | "ws" => "80",
        "ftp" => "21",
        _ => return None,
    };
    let (host, port) = host_and_port(url.authority()?.as_str());
    let is_kept =
        |port: &str| port != default_port && !port.starts_with('0') && port.parse::<u16>().is_ok();
    let changes = !is_plain_name(host)
        || !port.is_none_or(is_kept)
        || has_dot_segments(url.path().as_str())
        || url
            .query()
            .is_some_and(|query| query.as_str().contains('\''));
    (!changes).then_some(url)
}

/// Splits an authority without a userinfo into host and port.
fn host_and_port(authority: &str) -> (&str, Option<&str>) {
    match authority.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    }
}

/// Reads a URL that [`kept`] accepts. Does not use the `url` crate, which writes a new URL and
/// therefore takes longer.
fn read_kept(input: &str) -> Option<Reading<'_>> {
    let url = kept(input)?;
    let authority = url.authority()?.as_str();
    let (host, port) = host_and_port(authority);
    let path = Some(url.path().as_str()).filter(|path| !path.is_empty());
    Some(Reading {
        scheme: url.scheme().map(Cow::Borrowed),
        authority: Some(Cow::Borrowed(authority)),
        userinfo: None,
        host: Some(Cow::Borrowed(host)),
        address: None,
        port: port.map(Cow::Borrowed),
        path: Cow::Borrowed(path.unwrap_or("/")),
        query: url.query().map(|query| Cow::Borrowed(query.as_str())),
        fragment: url
            .fragment()
            .map(|fragment| Cow::Borrowed(fragment.as_str())),
        has_null_host: false,
    })
}

/// Returns whether a segment of a path begins with a dot, as written or escaped. Dot segments do.
fn has_dot_segments(path: &str) -> bool {
    let mut before = 0;
    path.bytes().enumerate().any(|(at, byte)| {
        let begins = std::mem::replace(&mut before, byte) == b'/';
        begins
            && match byte {
                b'.' => true,
                b'%' => matches!(path.as_bytes().get(at..), Some([_, b'2', b'e' | b'E', ..])),
                _ => false,
            }
    })
}

/// Replaces more than two slashes at the beginning of a reference with two. Returns `None` if the
/// reference begins with fewer than three slashes.
///
/// The standard ignores the additional slashes if the scheme of the page is special and not `file`
/// (4.4, special authority ignore slashes state). The crate rejects the additional slashes if the
/// reference has no scheme.
fn with_two_slashes(page: &Url, input: &str) -> Option<String> {
    if !page.is_special() || page.scheme() == "file" {
        return None;
    }
    let trimmed = input.trim_start_matches(|c: char| c <= ' ');
    let mut slashes = 0;
    let mut end = 0;
    for (at, byte) in trimmed.bytes().enumerate() {
        match byte {
            b'/' | b'\\' => {
                slashes += 1;
                end = at + 1;
            }
            b'\t' | b'\r' | b'\n' => {}
            _ => break,
        }
    }
    (slashes > 2).then(|| format!("//{}", trimmed.get(end..).unwrap_or_default()))
}

/// Rejects two errors that the crate accepts in URLs whose scheme is not special: a backslash in
/// the host, which is not a slash in these URLs (4.4, authority state) and not allowed in a host
/// (3.2, forbidden host code points), and an empty host after an `@`.
fn check(input: &str, url: &Url) -> Result<(), url::ParseError> {
    if url.is_special() || !url.has_authority() {
        return Ok(());
    }
    let is_kept = |c: &char| !matches!(c, '\t' | '\r' | '\n');
    let text: String = input.chars().filter(is_kept).collect();
    let (_, rest) = split_at(&text, |byte| byte == b':');
    let rest = rest.strip_prefix("://").unwrap_or_default();
    let (authority, _) = split_at(rest, ends_authority);
    // The standard removes spaces at the end of the input.
    let authority = authority.trim_end_matches(|c: char| c <= ' ');
    match rsplit_once(authority, b'@') {
        Some((_, host)) if host.is_empty() || host.starts_with(':') => {
            Err(url::ParseError::EmptyHost)
        }
        _ if authority
            .rsplit('@')
            .next()
            .is_some_and(|host| host.contains('\\')) =>
        {
            Err(url::ParseError::InvalidDomainCharacter)
        }
        _ => Ok(()),
    }
}

pub(crate) fn of_record<'a>(input: &'a str, url: &Url) -> Reading<'a> {
    let lent = |text: &str| share(input, url.as_str(), text);
    let authority = url.has_authority().then(|| url.authority());
    let port = url
        .port()
        .and_then(|_| Some(authority?.rsplit_once(':')?.1));
    Reading {
        scheme: Some(lent(url.scheme())),
        authority: authority.map(lent),
        userinfo: authority.and_then(|text| Some(lent(text.rsplit_once('@')?.0))),
        host: authority.map(|_| url.host_str().map_or(Cow::Borrowed(""), lent)),
        address: url.host().as_ref().and_then(record_address),
        port: port.map(lent),
        path: lent(url.path()),
        query: url.query().map(lent),
        fragment: url.fragment().map(lent),
        has_null_host: false,
    }
}

/// Returns `part` of the serialized URL, borrowed from the input if the input has the same text at
/// the same offset.
fn share<'a>(input: &'a str, url: &str, part: &str) -> Cow<'a, str> {
    // The crate returns some empty parts as constants, which are not slices of `url`.
    let offset = (part.as_ptr() as usize).checked_sub(url.as_ptr() as usize);
    let same = offset.and_then(|offset| input.get(offset..offset.checked_add(part.len())?));
    match same {
        Some(same) if same == part => Cow::Borrowed(same),
        _ => Cow::Owned(part.to_owned()),
    }
}

fn record_address(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address)),
        // The host of a URL with a scheme that is not special.
        Host::Domain(name) if name.ends_with(|c: char| c.is_ascii_digit()) => {
            name.parse().ok().map(IpAddr::V4)
        }
        Host::Domain(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `read_kept` returns the same result as the crate, including for strings that differ in one
    /// byte from those that `kept` accepts.
    #[test]
    fn kept_urls_are_read_as_the_crate_reads_them() {
        let pieces = [
            "http",
            "https",
            "ws",
            "wss",
            "ftp",
            "file",
            "HTTP",
            "a",
            ":",
            "://",
            "//",
            "/",
            "a.b",
            "example.com",
            "Example.com",
            "xn--a",
            "a-b.c",
            "a--b.c",
            "a_b.c",
            "1.2",
            "0x7f.1",
            "a.1",
            "a.b.",
            ".",
            "..",
            ":80",
            ":443",
            ":21",
            ":8080",
            ":080",
            ":",
            ":65536",
            "@",
            "u@",
            "/a",
            "/.",
            "/..",
            "/.a",
            "/%2e",
            "/%2E%2e",
            "/a.",
            "/a/../b",
            "/%41",
            "/%7e",
            "'",
            "?",
            "?'",
            "?q=1",
            "#",
            "#f'",
            "#f",
            "|",
            " ",
            "\\",
            "\t",
            "é",
            "%",
            "%zz",
            "!$&()*+,;=",
            "-._~",
        ];
        // A published crate does not use the project's own generator.
        let mut state = 1738_u64;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state >> 33).expect("31 bits") % limit
        };
        let mut accepted = 0;
        for _ in 0..300_000 {
            let mut text = String::new();
            if below(4) > 0 {
                text.push_str(["http://", "https://", "ftp://", "wss://"][below(4)]);
                text.push_str(["a.b", "example.com", "x", "a-b.c1"][below(4)]);
            }
            for _ in 0..below(5) {
                text.push_str(pieces[below(pieces.len())]);
            }
            let Some(fast) = read_kept(&text) else {
                continue;
            };
            accepted += 1;
            let url = Whatwg.parse(&text).expect(&text);
            assert_eq!(fast, of_record(&text, &url), "{text}");
            if Whatwg.unchanged(&text).is_some() {
                assert_eq!(url.as_str(), text);
            }
        }
        assert!(accepted > 20_000, "{accepted}");
    }
}
