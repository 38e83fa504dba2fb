//! The network: names looked up once, addresses judged, connections with limits.
//!
//! Nothing else in this crate opens a socket; `clippy.toml` sees to that.

mod connection;
mod deadline;
mod dial;
mod resolve;
mod tls;

pub use connection::Connection;
pub use deadline::Deadline;
pub(crate) use dial::{Dialer, Peer};
pub use resolve::{Resolver, SystemResolver};
