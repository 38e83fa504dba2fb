//! The network: name resolution, address checks, and connections with limits.
//!
//! `clippy.toml` forbids opening a socket anywhere else in the crate.

mod connection;
mod datagram;
mod dial;
mod drive;
mod first_use;
mod limits;
mod race;
mod resolve;
mod secured;
mod socket;
mod split;
mod tls;
mod verify;

pub use connection::Connection;
pub(crate) use connection::Route;
pub use datagram::Datagrams;
pub(crate) use dial::{Dialer, Peer, ProxyTarget};
pub(crate) use drive::{Detached, Driver, Idle};
pub(crate) use resolve::{Lookups, check_host};
pub use resolve::{Resolver, SystemResolver};
pub use split::{ReadHalf, WriteHalf};
pub(crate) use tls::{ONLY_HTTP2, Trust};

use crate::error::{Error, ErrorKind, Result};

/// Fills `octets` with unpredictable random numbers from the system.
pub(crate) fn random(octets: &mut [u8]) -> Result<()> {
    let random = rustls::crypto::ring::default_provider().secure_random;
    random.fill(octets).map_err(|_| {
        let error = std::io::Error::other("the system cannot provide random numbers");
        Error::new(ErrorKind::Local(error))
    })
}
