//! Reasons why the policy refuses an access.

use crate::mask::escape;
use std::fmt;
use std::net::IpAddr;
use urikit::component::AddressKind;

/// The source of a reference. References from the user are less restricted than references from
/// the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The user, or the program that calls this crate.
    User,
    /// The network: a redirect, or a link that a gopher URL contains.
    Network,
}

/// The reason why the policy refused something.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The scheme is not allowed.
    Scheme {
        /// The name of the scheme, in lower case.
        scheme: String,
        /// The source of the reference.
        source: Source,
    },
    /// The server may not redirect to this scheme.
    Redirect {
        /// The scheme of the server, in lower case.
        from: String,
        /// The scheme of the target, in lower case.
        to: String,
    },
    /// The caller's [`Redirects`](crate::Redirects) declined this redirect.
    Target {
        /// The target, with its password masked.
        to: String,
    },
    /// A redirect goes from `https` to `http`.
    Downgrade,
    /// The port belongs to another protocol, or is 0.
    Port {
        /// The port.
        port: u16,
    },
    /// This port is neither a default port of the scheme nor an allowed port, so datagrams must not
    /// be sent to it.
    DatagramPort {
        /// The port.
        port: u16,
    },
    /// The host resolved to an address that is not allowed.
    Address {
        /// The address.
        address: IpAddr,
        /// The kind of address, such as loopback or private.
        kind: AddressKind,
    },
    /// Too many redirects.
    Redirects {
        /// The maximum number of redirects.
        max: usize,
    },
    /// Too many redirects, because they form a loop.
    RedirectLoop {
        /// The maximum number of redirects.
        max: usize,
        /// The URLs in the loop. The first and the last URL are the same. Passwords are masked.
        urls: Vec<String>,
    },
    /// A redirect contained a user or a password.
    Credentials,
    /// The proxy for the server cannot relay datagrams or connections made by other programs.
    Proxy {
        /// The proxy, without its password.
        proxy: String,
    },
    /// The body is too long.
    Bytes {
        /// The maximum number of bytes.
        max: u64,
    },
    /// The decoded body is far longer than the compressed body.
    Expansion {
        /// The maximum number of decoded bytes, given the number of bytes received.
        max: u64,
    },
    /// The listing has too many items.
    Items {
        /// The maximum number of items.
        max: u64,
    },
    /// The data is nested too deeply.
    Depth {
        /// The maximum number of levels.
        max: usize,
    },
    /// The file is on another machine.
    OtherMachine {
        /// The host, as written in the URL.
        host: String,
    },
    /// An argument from the URL is not safe to pass to a program.
    Program {
        /// The argument, with control characters escaped.
        argument: String,
    },
    /// The user did not consent.
    NoConsent,
    /// The program must run on a terminal, but none is available.
    NoTerminal,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme { scheme, source } => match source {
                Source::User => write!(f, "the scheme `{scheme}` is not allowed"),
                Source::Network => write!(f, "a redirect to the scheme `{scheme}` is not allowed"),
            },
            Self::Redirect { from, to } => {
                write!(
                    f,
                    "a redirect from the scheme `{from}` to `{to}` is not allowed"
                )
            }
            Self::Target { to } => write!(f, "the redirect to {to} is not followed"),
            Self::Downgrade => f.write_str("a redirect from https to http is not allowed"),
            Self::Port { port: 0 } => f.write_str("port 0 cannot be the port of a server"),
            Self::Port { port } => write!(f, "port {port} belongs to another protocol"),
            Self::DatagramPort { port } => {
                write!(f, "datagrams to port {port} are not allowed")
            }
            Self::Address { address, kind } => write!(f, "{address} is {kind}"),
            Self::Redirects { max } => write!(f, "more than {max} redirects"),
            Self::RedirectLoop { max, urls } => {
                write!(
                    f,
                    "redirect loop: {} (stopped after {max})",
                    shown_loop(urls)
                )
            }
            Self::Credentials => f.write_str("the redirect contains a user or a password"),
            Self::Proxy { proxy } => write!(
                f,
                "the proxy {proxy} cannot relay datagrams or the connections of other programs"
            ),
            Self::Bytes { max } => write!(f, "the body is longer than {max} bytes"),
            Self::Expansion { max } => write!(
                f,
                "the compressed body decodes to more than {max} bytes, far more than were received"
            ),
            Self::Items { max } => write!(f, "the listing has more than {max} items"),
            Self::Depth { max } => write!(f, "the data is nested more than {max} levels deep"),
            Self::OtherMachine { host } => {
                write!(f, "the file is on the machine `{host}`, not on this one")
            }
            Self::Program { argument } => {
                write!(
                    f,
                    "the argument `{argument}` is not safe to pass to a program"
                )
            }
            Self::NoTerminal => f.write_str("programs are started only from a terminal"),
            Self::NoConsent => f.write_str("the user did not agree"),
        }
    }
}

/// The maximum number of URLs to display for a redirect loop.
const MAX_URLS: usize = 5;

/// Displays the URLs of a redirect loop. Omits the scheme and authority if all URLs share them.
fn shown_loop(urls: &[String]) -> String {
    let path = |url: &String| {
        let authority = url.find("://").map_or(0, |at| at + 3);
        let rest = url.get(authority..).unwrap_or_default();
        rest.find(['/', '?']).map_or(url.len(), |at| authority + at)
    };
    let prefix = urls
        .first()
        .and_then(|url| url.get(..path(url)))
        .unwrap_or_default();
    let is_same = urls.iter().all(|url| url.get(..path(url)) == Some(prefix));
    let cut = |url: &String| {
        escape(match url.get(prefix.len()..) {
            Some(rest) if is_same && !rest.is_empty() => rest.as_bytes(),
            _ => url.as_bytes(),
        })
    };
    let mut shown: Vec<_> = urls.iter().take(MAX_URLS).map(cut).collect();
    if let Some(last) = urls.last().filter(|_| urls.len() > MAX_URLS) {
        shown.extend(["…".to_owned(), cut(last)]);
    }
    shown.join(" → ")
}

impl std::error::Error for Refusal {}
