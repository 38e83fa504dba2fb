//! `CONNECT`: an HTTP proxy connects to another server (RFC 9110, 9.3.6).

use super::exchange::{Exchange, Sent};
use crate::command::{Argument, Line, Secret};
use crate::error::{ErrorKind, Result};
use crate::net::{Connection, Runtime};
use bytes::Bytes;

/// The lines of the request. The target is a host, in brackets if it is an address of IPv6, and a
/// port; the token is of the "Basic" scheme.
pub(crate) fn connect_lines(host: &str, port: u16, token: Option<&Secret>) -> Result<Vec<Line>> {
    let to = || Argument::new(format!("{host}:{port}").into_bytes(), "host");
    let mut lines = vec![
        Line::new("CONNECT ").argument(to()?).word(" HTTP/1.1"),
        Line::new("Host: ").argument(to()?),
    ];
    if let Some(token) = token {
        lines.push(Line::new("Proxy-Authorization: Basic ").secret(token.clone()));
    }
    lines.push(Line::new(""));
    Ok(lines)
}

/// Asks the proxy for a connection, which then leads to the target. `has_login` says whether the lines
/// contain a token.
pub(crate) fn connect(
    runtime: &Runtime,
    proxy: Connection,
    (lines, has_login): (Vec<Line>, bool),
    longest: usize,
) -> Result<Connection> {
    let sent = Sent {
        method: http::Method::CONNECT,
        head: lines,
        body: Bytes::new(),
    };
    let exchange = Exchange::begin(runtime, proxy, sent, longest)?;
    let status = exchange.head.status;
    if !(200..300).contains(&status) {
        let error = exchange.failed(if status == 407 {
            ErrorKind::ProxyLogin {
                is_refused: has_login,
            }
        } else {
            ErrorKind::server(status, exchange.head.reason())
        });
        return Err(error.received(&exchange.head.line));
    }
    // What the target sent already stays to be read.
    Ok(exchange.end().0)
}
