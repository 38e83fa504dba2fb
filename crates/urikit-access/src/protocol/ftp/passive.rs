//! Data connections: only passive ones, and only to the host of the control connection.

use super::command::Command;
use super::session::Session;
use crate::context::Context;
use crate::error::{ErrorKind, Result};
use crate::net::Connection;
use crate::protocol::digits::number;

impl Session {
    /// Begins a transfer: opens the data connection, then sends `REST`, unless the offset is 0, and
    /// the command.
    ///
    /// When all data has been received, [`end_transfer`](Self::end_transfer) must be called.
    pub(super) fn begin_transfer(
        &mut self,
        offset: u64,
        command: &Command,
        context: &mut Context<'_>,
    ) -> Result<Connection> {
        match self.try_transfer(offset, command, context) {
            Err(error) if self.is_refused(&error) && self.undoubles(command) => {
                let again = self.try_transfer(offset, command, context);
                self.is_undoubled = again.is_ok();
                again
            }
            begun => begun,
        }
    }

    fn try_transfer(
        &mut self,
        offset: u64,
        command: &Command,
        context: &mut Context<'_>,
    ) -> Result<Connection> {
        let port = self.passive_port();
        let port = port.map_err(|error| error.at("asking for a data connection"))?;
        let mut data = context.connect_same_host(&self.connection, port)?;
        data.set_quiet(true);
        if offset > 0 {
            let reply = self.command(&Command::Rest(offset))?;
            if reply.code != 350 {
                let expected = "a reply to REST: 350 or a refusal";
                return Err(if reply.is_refusal() {
                    let error = self.connection.failed(ErrorKind::CannotResume);
                    error.received(reply.text())
                } else {
                    reply.error(&self.connection, expected)
                });
            }
        }
        let reply = self.command(command)?;
        if !matches!(reply.code, 125 | 150) {
            return Err(reply.error(&self.connection, "a preliminary reply: 150 or 125"));
        }
        if let Some(host) = &self.tls {
            data.start_tls(host)?;
        }
        Ok(data)
    }

    /// Reads the reply after the data connection has ended. Without a positive one, the transfer
    /// is incomplete.
    pub(super) fn end_transfer(&mut self, received: u64) -> Result<()> {
        let reply = self.read_reply().map_err(|error| match error.kind() {
            ErrorKind::EndedEarly { .. } => {
                let expected = None;
                self.connection
                    .failed(ErrorKind::EndedEarly { expected, received })
            }
            _ => error,
        });
        let result = reply.and_then(|reply| {
            let expected = "a completion reply: 226 or 250";
            matches!(reply.code, 226 | 250)
                .then_some(())
                .ok_or_else(|| reply.error(&self.connection, expected))
        });
        result.map_err(|error| error.at("ending the transfer"))
    }

    /// The port of the data connection: by `EPSV`, or else by `PASV`.
    fn passive_port(&mut self) -> Result<u16> {
        if !self.no_epsv {
            if let Some(reply) = self.optional(&Command::Epsv)? {
                let expected = "a reply to EPSV: 229 and (|||port|)";
                return Some(&reply)
                    .filter(|reply| reply.code == 229)
                    .and_then(|reply| epsv_port(reply.text()))
                    .ok_or_else(|| reply.error(&self.connection, expected));
            }
            self.no_epsv = true;
        }
        let reply = self.done(&Command::Pasv)?;
        Some(&reply)
            .filter(|reply| reply.code == 227)
            .and_then(|reply| pasv_port(reply.text()))
            .ok_or_else(|| reply.error(&self.connection, "a reply to PASV: 227 and six numbers"))
    }
}

/// The ports in a text, as a reply to `EPSV` and to `PASV`.
pub(super) fn ports(text: &[u8]) -> (Option<u16>, Option<u16>) {
    (epsv_port(text), pasv_port(text))
}

/// The port in a reply to `EPSV` (RFC 2428, 3): `(|||6446|)`, with any delimiter. The fields
/// before the port should be empty, and are ignored: protocol and address are those of the control
/// connection.
fn epsv_port(text: &[u8]) -> Option<u16> {
    let start = text.iter().position(|octet| *octet == b'(')?;
    let inner = text.get(start + 1..)?;
    let delimiter = *inner.first().filter(|octet| octet.is_ascii_graphic())?;
    let mut fields = inner.split(|octet| *octet == delimiter).skip(3);
    let port = number(fields.next()?)?;
    // The port must be followed by the delimiter.
    fields.next()?.starts_with(b")").then_some(port)
}

/// The port in a reply to `PASV`, `h1,h2,h3,h4,p1,p2`. The parentheses of RFC 959 are optional:
/// the numbers begin at the first digit (RFC 1123, 4.1.2.6). The address is ignored.
fn pasv_port(text: &[u8]) -> Option<u16> {
    let start = text.iter().position(u8::is_ascii_digit)?;
    let rest = text.get(start..)?;
    let is_part = |octet: &u8| octet.is_ascii_digit() || *octet == b',';
    let end = rest.iter().position(|octet| !is_part(octet));
    let numbers = rest.get(..end.unwrap_or(rest.len()))?;
    let numbers: Option<Vec<u16>> = numbers.split(|octet| *octet == b',').map(number).collect();
    match numbers?[..] {
        [a, b, c, d, high, low] if [a, b, c, d, high, low].iter().all(|it| *it < 256) => {
            Some(high * 256 + low)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{epsv_port, pasv_port};

    #[test]
    fn ports() {
        for (text, port) in [
            ("Entering Extended Passive Mode (|||6446|)", Some(6446)), // RFC 2428, 3
            ("(!!!1!)", Some(1)),
            ("(|1|132.235.1.2|6275|)", Some(6275)),
            ("ok (|||65536|)", None),
            ("ok (|||+80|)", None),
            ("ok (|||80)", None),
            ("ok (||80|)", None),
            ("ok |||80|", None),
            ("ok (", None),
            ("", None),
        ] {
            assert_eq!(epsv_port(text.as_bytes()), port, "{text}");
        }
        for (text, port) in [
            ("Entering Passive Mode (127,0,0,1,4,1)", Some(1025)), // RFC 959, 4.1.2
            ("Entering Passive Mode. 10,0,0,1,255,255", Some(65535)), // RFC 959, figure 3
            ("=1,2,3,4,0,21", Some(21)),
            ("(1,2,3,4,256,1)", None),
            ("(1,2,3,256,1,1)", None),
            ("(1,2,3,4,5)", None),
            ("(1,2,3,4,5,6,7)", None),
            ("(1,2,3,4,,6)", None),
            ("(1, 2, 3, 4, 5, 6)", None),
            ("none", None),
        ] {
            assert_eq!(pasv_port(text.as_bytes()), port, "{text}");
        }
    }
}
