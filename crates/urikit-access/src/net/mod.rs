//! The network: resolving names, checking addresses, connections with limits.
//!
//! Nothing else in this crate opens a socket, which `clippy.toml` enforces.

mod attempts;
mod connection;
mod deadline;
mod dial;
mod idle;
mod limits;
mod race;
mod resolve;
mod socket;
mod split;
mod tls;

pub use connection::Connection;
pub use deadline::Deadline;
pub(crate) use dial::{Dialer, Peer, name_of};
pub(crate) use idle::Idle;
pub use resolve::{Resolver, SystemResolver};
pub use split::{ReadHalf, WriteHalf};
pub(crate) use tls::Trust;
