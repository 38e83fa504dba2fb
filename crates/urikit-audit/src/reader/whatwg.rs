//! The WHATWG URL Standard.

use super::{Outcome, Reader};
use crate::reading::Reading;
use crate::rejection::Rejection;
use crate::split::{ends_authority, rsplit_once, split_at};
use std::borrow::Cow;
use std::net::IpAddr;
use url::{Host, Url};

/// The reader `whatwg`: the URL Standard, which browsers and Node follow, by the crate `url`.
///
/// Components are those of the URL record: decoded, in lower case and escaped where the standard
/// does so, without a default port. A relative reference is rejected, since it has no base.
///
/// The crate accepts two things that the standard does not, which are rejected here: a backslash,
/// and an empty host after an `@`, in the authority of a scheme that browsers do not know. It also
/// drops the host of a `file` URL with a drive letter, and slashes of such paths.
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
        Ok(reading(input, &self.parse(input)?))
    }
}

impl Whatwg {
    /// Parses a URL as [`read`](Reader::read) does, for those who need the URL record.
    ///
    /// ```
    /// use urikit_audit::Whatwg;
    /// assert_eq!(Whatwg.parse("HTTP://Example.com:80")?.as_str(), "http://example.com/");
    /// # Ok::<(), urikit_audit::Rejection>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the URL is rejected.
    pub fn parse(&self, input: &str) -> Result<Url, Rejection> {
        let url = Url::parse(input).map_err(Rejection::Whatwg)?;
        check(input, &url).map_err(Rejection::Whatwg)?;
        Ok(url)
    }

    /// Reads a reference, which may be relative, as a browser does on a page with this URL.
    ///
    /// ```
    /// use urikit_audit::Whatwg;
    /// // a redirect to a path of the same site, it seems
    /// let reading = Whatwg.read_on_page("https://good.example/login", "/\\evil.example/")?;
    /// assert_eq!(reading.host.as_deref(), Some("evil.example"));
    /// # Ok::<(), urikit_audit::Rejection>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the URL of the page or the reference is rejected.
    pub fn read_on_page<'a>(&self, page: &str, input: &'a str) -> Outcome<'a> {
        let page = Url::parse(page).map_err(Rejection::Whatwg)?;
        let url = page.join(input).map_err(Rejection::Whatwg)?;
        Ok(reading(input, &url))
    }
}

/// What the standard rejects in the authority of a scheme that it does not know, and the crate
/// does not: a backslash, which is no slash there (4.4, authority state; 3.2, forbidden host code
/// points), and an empty host after an `@`.
fn check(input: &str, url: &Url) -> Result<(), url::ParseError> {
    if url.is_special() || !url.has_authority() {
        return Ok(());
    }
    let is_kept = |c: &char| !matches!(c, '\t' | '\r' | '\n');
    let text: String = input.chars().filter(is_kept).collect();
    let (_, rest) = split_at(&text, |byte| byte == b':');
    let rest = rest.strip_prefix("://").unwrap_or_default();
    let (authority, _) = split_at(rest, ends_authority);
    // At the end of the input, blanks are removed.
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

fn reading<'a>(input: &'a str, url: &Url) -> Reading<'a> {
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
        address: url.host().as_ref().and_then(address),
        port: port.map(lent),
        path: lent(url.path()),
        query: url.query().map(lent),
        fragment: url.fragment().map(lent),
        has_null_host: false,
    }
}

/// `part` of the serialized URL, borrowed from the input where it is there at the same offset.
fn share<'a>(input: &'a str, url: &str, part: &str) -> Cow<'a, str> {
    // An empty part may be a constant of the crate.
    let offset = (part.as_ptr() as usize).checked_sub(url.as_ptr() as usize);
    let same = offset.and_then(|offset| input.get(offset..offset.checked_add(part.len())?));
    match same {
        Some(same) if same == part => Cow::Borrowed(same),
        _ => Cow::Owned(part.to_owned()),
    }
}

fn address(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address)),
        // A host of a scheme that the standard does not know.
        Host::Domain(name) if name.ends_with(|c: char| c.is_ascii_digit()) => {
            name.parse().ok().map(IpAddr::V4)
        }
        Host::Domain(_) => None,
    }
}
