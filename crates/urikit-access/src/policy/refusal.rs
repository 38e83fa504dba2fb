//! What a policy refuses, and what would allow it.

use super::address::AddressKind;
use super::source::Source;
use std::fmt;
use std::net::IpAddr;

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The scheme may not be followed.
    Scheme {
        /// Its name, in lower case.
        scheme: String,
        /// Who gave the reference.
        source: Source,
    },
    /// The port is another protocol's, or 0.
    Port {
        /// The port.
        port: u16,
    },
    /// The name led to an address that may not be connected to.
    Address {
        /// The address.
        address: IpAddr,
        /// What it is.
        kind: AddressKind,
    },
    /// The network led on too often.
    Hops {
        /// How often it may.
        most: usize,
    },
    /// The network gave a user or a password.
    Credentials,
    /// The body is longer than is allowed.
    Bytes {
        /// How many bytes are.
        most: u64,
    },
    /// The listing is longer than is allowed.
    Items {
        /// How many items are.
        most: u64,
    },
    /// What came is nested deeper than is allowed.
    Depth {
        /// How many levels are.
        most: usize,
    },
    /// A file of another machine is never opened here.
    OtherMachine {
        /// The host, as written.
        host: String,
    },
    /// A program would be started with this argument.
    Program {
        /// The argument.
        argument: String,
    },
    /// Nobody agreed.
    NoConsent,
    /// A program would be started, and there is no terminal before which a person is.
    NoTerminal,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme { scheme, source } => match source {
                Source::User => write!(f, "the scheme `{scheme}` is not allowed"),
                Source::Network => write!(f, "the network may not lead to the scheme `{scheme}`"),
            },
            Self::Port { port: 0 } => f.write_str("port 0 is never connected to"),
            Self::Port { port } => write!(f, "port {port} belongs to another protocol"),
            Self::Address { address, kind } => write!(f, "{address} is {kind}"),
            Self::Hops { most } => write!(f, "the network led on more than {most} times"),
            Self::Credentials => {
                f.write_str("the network gave a user or a password to log in with")
            }
            Self::Bytes { most } => write!(f, "the body is longer than {most} bytes"),
            Self::Items { most } => write!(f, "the listing has more than {most} items"),
            Self::Depth { most } => write!(f, "what came is nested more than {most} levels deep"),
            Self::OtherMachine { host } => {
                write!(
                    f,
                    "the file is on the machine `{host}`, and never opened here instead"
                )
            }
            Self::Program { argument } => {
                write!(f, "no program is started with the argument `{argument}`")
            }
            Self::NoTerminal => f.write_str("a program is started on a terminal only"),
            Self::NoConsent => f.write_str("nobody agreed to it"),
        }
    }
}

impl std::error::Error for Refusal {}
