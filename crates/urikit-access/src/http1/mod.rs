//! HTTP/1.1 exchanges (RFC 9112), by hyper, on connections that the policy checked: for the protocol
//! `http`, and for tunnels through proxies.

mod exchange;
mod head;
mod heads;
mod outgoing;
mod tunnel;
mod wire;

pub(crate) use exchange::{Exchange, Sent};
pub(crate) use head::{Head, text};
pub(crate) use outgoing::Streamed;
pub(crate) use tunnel::{connect, connect_lines};
