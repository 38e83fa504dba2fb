//! The WHATWG URL Standard.

use super::{Outcome, Reader};
use crate::reading::Reading;
use crate::rejection::Rejection;
use std::borrow::Cow;
use std::net::IpAddr;
use url::{Host, Url};

/// The reader `whatwg`: the URL Standard, which browsers and Node follow, by the crate `url`.
///
/// Components are those of the URL record: decoded, in lower case and escaped where the standard
/// does so, without a default port. A relative reference is rejected, since it has no base.
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
        let url = Url::parse(input).map_err(Rejection::Whatwg)?;
        Ok(reading(input, &url))
    }
}

impl Whatwg {
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

fn reading<'a>(input: &'a str, url: &Url) -> Reading<'a> {
    let lent = |text: &str| share(input, url.as_str(), text);
    let authority = url.has_authority().then(|| url.authority());
    let port = url
        .port()
        .and_then(|_| Some(authority?.rsplit_once(':')?.1));
    Reading {
        scheme: Some(lent(url.scheme())),
        userinfo: authority.and_then(|text| Some(lent(text.rsplit_once('@')?.0))),
        host: authority.map(|_| url.host_str().map_or(Cow::Borrowed(""), lent)),
        address: url.host().as_ref().and_then(address),
        port: port.map(lent),
        path: lent(url.path()),
        has_null_host: false,
    }
}

/// `part` of the serialized URL, borrowed from the input where it is there at the same offset.
fn share<'a>(input: &'a str, url: &str, part: &str) -> Cow<'a, str> {
    let offset = part.as_ptr() as usize - url.as_ptr() as usize;
    match input.get(offset..offset + part.len()) {
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
