//! SOCKS5 (RFC 1928, RFC 1929), by `tokio-socks`, on a connection to the proxy.

use super::connection::Connection;
use super::dial::Judged;
use super::runtime::Runtime;
use crate::error::{Error, ErrorKind, Result};
use std::io;
use tokio_socks::TargetAddr;
use tokio_socks::tcp::Socks5Stream;

impl Connection {
    /// Asks the SOCKS proxy at the other end for a connection, to which this one then leads.
    pub(crate) fn through_socks(
        mut self,
        runtime: &Runtime,
        (target, port): (&Judged, u16),
        login: Option<(&str, &str)>,
    ) -> Result<Self> {
        let target = match target {
            Judged::Address(address) => TargetAddr::Ip(*address),
            Judged::Name(name) => TargetAddr::Domain(name.into(), port),
        };
        let (stream, clock) = self.detach(runtime)?;
        let asked = async {
            match login {
                Some((user, password)) => {
                    Socks5Stream::connect_with_password_and_socket(stream, target, user, password)
                        .await
                }
                None => Socks5Stream::connect_with_socket(stream, target).await,
            }
        };
        let mut asked = Box::pin(asked);
        let answered = runtime.wait(self.limits(), &clock, |context| {
            asked.as_mut().poll(context)
        })?;
        drop(asked);
        let stream = answered.map_err(|error| {
            Error::new(match error {
                tokio_socks::Error::Io(error) => return Error::network(error),
                tokio_socks::Error::PasswordAuthFailure(_) => {
                    ErrorKind::ProxyLogin { is_refused: true }
                }
                tokio_socks::Error::NoAcceptableAuthMethods
                | tokio_socks::Error::AuthorizationRequired
                    if login.is_none() =>
                {
                    ErrorKind::ProxyLogin { is_refused: false }
                }
                other => ErrorKind::Network(io::Error::other(other)),
            })
        })?;
        self.attach(stream.into_inner(), &[]);
        Ok(self)
    }
}
