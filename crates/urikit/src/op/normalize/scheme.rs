//! The rules of single schemes (RFC 3986, 6.2.3): a small table, and what it says of a reference.
//!
//! Only what a text says. A scheme that is not here has no rule.

use crate::AnyRef;
use crate::Standard::{self, Rfc1630, Rfc1738, Rfc2396, Rfc3986};

/// What a scheme's text says about equivalence.
pub(super) struct Rules {
    name: &'static str,
    /// The earliest standard under which the rules hold: the one that the scheme's text builds on.
    since: Standard,
    /// The port that an omitted one stands for.
    port: Option<u16>,
    /// The earliest standard under which an empty path behind an authority is the same as `/`.
    slash_since: Option<Standard>,
}

/// A scheme with a default port.
const fn port(name: &'static str, port: u16, since: Standard) -> Rules {
    Rules {
        name,
        since,
        port: Some(port),
        slash_since: None,
    }
}

impl Rules {
    const fn or_slash(mut self, since: Standard) -> Self {
        self.slash_since = Some(since);
        self
    }
}

static TABLE: [Rules; 18] = [
    // RFC 9110, 4.2.1 and 4.2.3; RFC 2616, 3.2.2 and 3.2.3; RFC 1738, 3.3 ("the `/` may also be
    // omitted"); RFC 1630, Examples of HTTP ("a different port to 80").
    port("http", 80, Rfc1630).or_slash(Rfc1738),
    // RFC 9110, 4.2.2 and 4.2.3.
    port("https", 443, Rfc2396).or_slash(Rfc2396),
    // RFC 1738, 3.2.1 and 3.2.2 ("the whole url-path may be omitted, including the `/`"); RFC 1630, FTP ("the
    // FTP default", which STD 9 gives).
    port("ftp", 21, Rfc1630).or_slash(Rfc1738),
    // RFC 1738, 3.4.1 ("the delimiting `/` is also optional").
    port("gopher", 70, Rfc1738).or_slash(Rfc1738),
    // RFC 1738, 3.8 ("the final `/` character may be omitted").
    port("telnet", 23, Rfc1738).or_slash(Rfc1738),
    // RFC 6455, 3.
    port("ws", 80, Rfc3986).or_slash(Rfc3986),
    port("wss", 443, Rfc3986).or_slash(Rfc3986),
    // RFC 1738, 3.7, 3.9 and 3.11.
    port("nntp", 119, Rfc1738),
    port("wais", 210, Rfc1738),
    port("prospero", 1525, Rfc1738),
    // RFC 5538, 8.1.
    port("snews", 563, Rfc3986),
    // RFC 2255, 3.
    port("ldap", 389, Rfc2396),
    // RFC 2192, 2; RFC 2384, 3; RFC 2224, 1; RFC 2229, 5; RFC 2056, 3 and 4.
    port("imap", 143, Rfc1738),
    port("pop", 110, Rfc1738),
    port("nfs", 2049, Rfc1738),
    port("dict", 2628, Rfc1738),
    port("z39.50s", 210, Rfc1738),
    port("z39.50r", 210, Rfc1738),
];

/// The port that a URL of `scheme` means when it names none, as the scheme's own text says; in any
/// case of letters.
///
/// ```
/// use urikit::op::default_port;
/// assert_eq!(default_port("Gopher"), Some(70)); // RFC 1738, 3.4
/// assert_eq!(default_port("mailto"), None);
/// ```
pub fn default_port(scheme: &str) -> Option<u16> {
    let is_it = |rules: &&Rules| scheme.eq_ignore_ascii_case(rules.name);
    TABLE.iter().find(is_it)?.port
}

/// The rules of the reference's scheme. By the generic production of RFC 1630 or 1738 alone, no
/// scheme's rule is asked.
pub(super) fn rules(reference: AnyRef<'_>) -> Option<&'static Rules> {
    let scheme = reference.scheme().filter(|_| !reference.is_generic())?;
    let rules = TABLE
        .iter()
        .find(|rules| is(reference, scheme, rules.name))?;
    (reference.standard() >= rules.since).then_some(rules)
}

/// Whether a scheme is the one of that name: by the letter under RFC 1630.
fn is(reference: AnyRef<'_>, scheme: &str, name: &str) -> bool {
    if reference.standard() == Rfc1630 {
        scheme == name
    } else {
        scheme.eq_ignore_ascii_case(name)
    }
}

fn has_scheme(reference: AnyRef<'_>, name: &str) -> bool {
    let is_it = |scheme| is(reference, scheme, name);
    !reference.is_generic() && reference.scheme().is_some_and(is_it)
}

/// Whether the port and its colon mean nothing: the port is the scheme's default, or empty.
///
/// An empty port may go under any scheme by RFC 3986, 3.2.3, and by RFC 2396 where the scheme has a
/// default that it stands for.
pub(super) fn is_idle_port(reference: AnyRef<'_>) -> bool {
    let Some((authority, port)) = reference.authority().and_then(|a| Some((a, a.port()?))) else {
        return false;
    };
    let default = || rules(reference).and_then(|rules| rules.port);
    if port.is_empty() {
        reference.standard() >= Rfc3986 || default().is_some()
    } else {
        authority.port_number().is_some() && authority.port_number() == default()
    }
}

/// Whether the path is empty where that is the same as `/`.
pub(super) fn is_slash_omitted(reference: AnyRef<'_>) -> bool {
    // Without a host there is nothing to ask for the path.
    let has_host = |reference: AnyRef<'_>| {
        reference
            .host()
            .is_some_and(|host| !host.as_str().is_empty())
    };
    reference.path().is_empty()
        && has_host(reference)
        && rules(reference)
            .and_then(|rules| rules.slash_since)
            .is_some_and(|since| reference.standard() >= since)
}

/// Whether the host is `localhost` and may be left out: `file` alone has that default (RFC 1630,
/// file; RFC 1738, 3.10; RFC 8089, 2).
pub(super) fn is_local_host(reference: AnyRef<'_>) -> bool {
    reference.authority().is_some_and(|authority| {
        let text = authority.as_str();
        let is_local = if reference.standard() == Rfc1630 {
            text == "localhost"
        } else {
            text.eq_ignore_ascii_case("localhost")
        };
        is_local && has_scheme(reference, "file")
    })
}

/// Whether the authority is absent where that is the same as an empty one: `file:/etc/motd` (RFC
/// 8089, 2 and Appendix B).
pub(super) fn is_authority_omitted(reference: AnyRef<'_>) -> bool {
    reference.standard() >= Rfc3986
        && reference.authority().is_none()
        && reference.path().is_absolute()
        && has_scheme(reference, "file")
}

/// Where the part of the path begins and ends that is the same in either case.
pub(super) fn caseless(reference: AnyRef<'_>) -> (usize, usize) {
    let path = reference.path().as_str();
    // RFC 2141, 5, and RFC 8141, 3.1: the namespace identifier. They build on RFC 2396's syntax.
    if reference.standard() >= Rfc2396 && !path.starts_with('/') && has_scheme(reference, "urn") {
        return (0, path.find(':').unwrap_or(0));
    }
    // RFC 3986, 6.2.3: the domain of `mailto`, where there is one address only.
    if reference.standard() >= Rfc3986
        && has_scheme(reference, "mailto")
        && !path.contains(',')
        && let Some((local, domain)) = path.split_once('@')
        && !domain.contains('@')
    {
        return (local.len() + 1, path.len());
    }
    (0, 0)
}
