//! What a policy refused.

use super::source::Source;
use std::fmt;
use std::net::IpAddr;
use urikit::component::AddressKind;

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The scheme is not allowed.
    Scheme {
        /// Its name, in lower case.
        scheme: String,
        /// Who gave the reference.
        source: Source,
    },
    /// A redirect leads from one scheme to another, which is not allowed by default.
    Redirect {
        /// The scheme that leads there, in lower case.
        from: String,
        /// The scheme that it leads to, in lower case.
        to: String,
    },
    /// A redirect leads to a URL that the caller's [`Redirects`](crate::Redirects) do not follow.
    Target {
        /// The URL, with its password masked.
        to: String,
    },
    /// A redirect leads from `https` to `http`, which a [strict](super::Policy::strict) policy
    /// refuses.
    Downgrade,
    /// The port belongs to another protocol, or is 0.
    Port {
        /// The port.
        port: u16,
    },
    /// Datagrams are sent only to the ports of their scheme, and this is none of them.
    DatagramPort {
        /// The port.
        port: u16,
    },
    /// The host resolved to an address that is not allowed.
    Address {
        /// The address.
        address: IpAddr,
        /// What kind of address it is.
        kind: AddressKind,
    },
    /// Too many redirects.
    Redirects {
        /// How many are allowed.
        max: usize,
    },
    /// A redirect contained a user or a password.
    Credentials,
    /// A proxy is configured for the server, and cannot do what is needed.
    Proxy {
        /// The proxy, without its password.
        proxy: String,
    },
    /// The body is too long.
    Bytes {
        /// How many bytes are allowed.
        max: u64,
    },
    /// A compressed body decodes to far more than was received.
    Expansion {
        /// How many bytes are allowed for what was received.
        max: u64,
    },
    /// The listing is too long.
    Items {
        /// How many items are allowed.
        max: u64,
    },
    /// The data is nested too deeply.
    Depth {
        /// How many levels are allowed.
        max: usize,
    },
    /// The file is on another machine. It is not looked for on this one.
    OtherMachine {
        /// The host, as written.
        host: String,
    },
    /// The URL would give a program this argument.
    Program {
        /// The argument, control characters escaped.
        argument: String,
    },
    /// The user did not consent.
    NoConsent,
    /// A program needs a terminal, and there is none.
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
            Self::Target { to } => write!(f, "the redirect leads to {to}"),
            Self::Downgrade => f.write_str("the redirect leads from https to http"),
            Self::Port { port: 0 } => f.write_str("port 0 cannot be connected to"),
            Self::Port { port } => write!(f, "port {port} belongs to another protocol"),
            Self::DatagramPort { port } => {
                write!(f, "datagrams to port {port} are not allowed")
            }
            Self::Address { address, kind } => write!(f, "{address} is {kind}"),
            Self::Redirects { max } => write!(f, "more than {max} redirects"),
            Self::Credentials => f.write_str("the redirect contains a user or a password"),
            Self::Proxy { proxy } => write!(
                f,
                "the proxy {proxy} cannot pass on datagrams or the connections of other programs"
            ),
            Self::Bytes { max } => write!(f, "the body is longer than {max} bytes"),
            Self::Expansion { max } => write!(
                f,
                "the compressed body decodes to more than {max} bytes, far more than was received"
            ),
            Self::Items { max } => write!(f, "the listing has more than {max} items"),
            Self::Depth { max } => write!(f, "the data is nested more than {max} levels deep"),
            Self::OtherMachine { host } => {
                write!(f, "the file is on the machine `{host}`, not on this one")
            }
            Self::Program { argument } => {
                write!(f, "no program is started with the argument `{argument}`")
            }
            Self::NoTerminal => f.write_str("programs are started only from a terminal"),
            Self::NoConsent => f.write_str("the user did not agree"),
        }
    }
}

impl std::error::Error for Refusal {}
