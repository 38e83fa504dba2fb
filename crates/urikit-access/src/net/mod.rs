//! The network: resolving names, checking addresses, connections with limits.
//!
//! Nothing else in this crate opens a socket, which `clippy.toml` enforces.

mod attempts;
mod connection;
mod datagram;
mod deadline;
mod detached;
mod dial;
mod idle;
mod limits;
mod name;
mod race;
mod random;
mod replay;
mod resolve;
mod runtime;
mod socket;
mod socks;
mod split;
mod tls;
mod verify;

pub use connection::Connection;
pub use datagram::Datagrams;
pub use deadline::Deadline;
pub(crate) use detached::Detached;
pub(crate) use dial::{Dialer, Judged, Peer};
pub(crate) use idle::Idle;
pub(crate) use name::{name_of, with_dns_host};
pub(crate) use random::random;
pub use resolve::{Resolver, SystemResolver};
pub(crate) use runtime::{Clock, Runtime};
pub use split::{ReadHalf, WriteHalf};
pub(crate) use tls::Trust;
