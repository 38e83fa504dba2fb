//! HTTP/1.1 exchanges (RFC 9112) with hyper, for the `http` protocol and for tunnels through
//! proxies. The policy has already checked these connections.

mod exchange;
mod head;
mod wire;

pub(crate) use exchange::{Exchange, Sent, connect, connect_lines};
pub(crate) use head::{Head, text};
pub(crate) use wire::Streamed;
