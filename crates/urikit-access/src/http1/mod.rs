//! HTTP/1.1 exchanges (RFC 9112), by hyper, on connections that the policy checked: for the protocol
//! `http`, and for tunnels through proxies.

mod exchange;
mod head;
mod wire;

pub(crate) use exchange::{Exchange, Sent, connect, connect_lines};
pub(crate) use head::{Head, text};
pub(crate) use wire::Streamed;
