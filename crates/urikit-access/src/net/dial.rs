//! The one way to a server: look up, judge, connect to what was judged.

use super::connection::Connection;
use super::limits::Limits;
use super::{Deadline, Resolver, Trust, resolve};
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::policy::{Policy, Refusal};
use crate::trace::Trace;
use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::Arc;
use urikit::UriRef;

/// Connects, under a policy.
#[derive(Clone)]
pub(crate) struct Dialer {
    pub(crate) policy: Policy,
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) trust: Trust,
}

/// Where to connect, as a URL has it.
#[derive(Clone, Copy)]
pub(crate) struct Peer<'a> {
    /// The host as written.
    pub(crate) host: &'a str,
    pub(crate) port: u16,
    /// The ports that need no leave.
    pub(crate) own_ports: &'a [u16],
}

impl Dialer {
    /// Connects to a host of a URL.
    pub(crate) fn connect(
        &self,
        peer: Peer<'_>,
        deadline: Deadline,
        trace: &Trace,
    ) -> Result<Connection> {
        let step = format!("connecting to {}:{}", peer.host, peer.port);
        let connected = self.try_connect(peer, deadline, trace);
        connected.map_err(|error| error.at(step))
    }

    fn try_connect(&self, peer: Peer<'_>, deadline: Deadline, trace: &Trace) -> Result<Connection> {
        self.policy.check_port(peer.port, peer.own_ports)?;
        let max = self.policy.connect_timeout;
        // Looking up and connecting share one time.
        let connecting = Deadline::after(deadline.left(max)?);
        let addresses = match Name::of(peer.host)? {
            Name::Address(address) => vec![address],
            Name::Dns(name) => resolve::within(&self.resolver, &name, connecting, max)?,
        };
        let mut failure: Option<Error> = None;
        for address in addresses {
            let stream = self.dial(SocketAddr::new(address, peer.port), connecting);
            match stream {
                Ok(stream) => {
                    trace.record(Event::Connected {
                        host: peer.host.to_owned(),
                        port: peer.port,
                        address,
                    });
                    return self.connected(stream, deadline, trace);
                }
                // What is said first counts, but that something was refused counts more.
                Err(error) => {
                    let is_refused = |error: &Error| matches!(error.kind(), ErrorKind::Refused(_));
                    if failure
                        .as_ref()
                        .is_none_or(|first| is_refused(&error) && !is_refused(first))
                    {
                        failure = Some(error);
                    }
                }
            }
        }
        Err(failure.unwrap_or_else(|| Error::new(ErrorKind::HostNotFound)))
    }

    /// Connects to another port of a host that was connected to: the address is the same, and is judged again.
    pub(crate) fn connect_same_host(
        &self,
        address: IpAddr,
        port: u16,
        deadline: Deadline,
        trace: &Trace,
    ) -> Result<Connection> {
        let connect = || {
            self.policy.check_port(port, &[])?;
            let connecting = Deadline::after(deadline.left(self.policy.connect_timeout)?);
            let address = SocketAddr::new(address, port);
            let stream = self.dial(address, connecting)?;
            trace.record(Event::ConnectedForData(address));
            self.connected(stream, deadline, trace)
        };
        connect().map_err(|error: Error| error.at(format!("connecting to {address}:{port}")))
    }

    /// The only place that opens a connection: to an address that the policy allows.
    #[allow(clippy::disallowed_methods)]
    fn dial(&self, address: SocketAddr, connecting: Deadline) -> Result<TcpStream> {
        self.policy.check_address(address.ip())?;
        let left = connecting.left(self.policy.connect_timeout)?;
        TcpStream::connect_timeout(&address, left).map_err(|error| {
            if error.kind() == std::io::ErrorKind::TimedOut {
                Error::new(ErrorKind::Timeout("connecting took too long"))
            } else {
                Error::network(error)
            }
        })
    }

    fn connected(
        &self,
        stream: TcpStream,
        deadline: Deadline,
        trace: &Trace,
    ) -> Result<Connection> {
        let trust = self.trust.clone();
        Connection::new(stream, self.limits(deadline), trust, trace.clone())
    }

    /// Asks for a host and a port what is asked before connecting: of all its addresses, for whoever connects may take
    /// any. Gives the name, or the address without brackets.
    pub(crate) fn check_peer(&self, peer: Peer<'_>, deadline: Deadline) -> Result<String> {
        self.policy.check_port(peer.port, peer.own_ports)?;
        let max = self.policy.connect_timeout;
        let looking = Deadline::after(deadline.left(max)?);
        match Name::of(peer.host)? {
            Name::Address(address) => {
                self.check(address)?;
                Ok(address.to_string())
            }
            Name::Dns(name) => {
                for address in resolve::within(&self.resolver, &name, looking, max)? {
                    self.check(address)?;
                }
                Ok(name)
            }
        }
    }

    /// The limits of a connection.
    pub(crate) fn limits(&self, deadline: Deadline) -> Limits {
        Limits {
            idle: self.policy.idle_timeout,
            max_line: self.policy.max_line,
            deadline,
        }
    }

    /// Whether this address may be connected to.
    pub(crate) fn check(&self, address: IpAddr) -> std::result::Result<(), Refusal> {
        self.policy.check_address(address)
    }
}

/// What a host of a URL is to a program: an address without brackets, or a name as the DNS has it.
pub(crate) fn name_of(host: &str) -> Result<String> {
    Ok(match Name::of(host)? {
        Name::Address(address) => address.to_string(),
        Name::Dns(name) => name,
    })
}

/// What a host of a URL is, to whoever looks it up.
enum Name {
    Address(IpAddr),
    Dns(String),
}

impl Name {
    /// An address in brackets, or a name: decoded, and as the DNS has it (RFC 3986, 3.2.2).
    fn of(host: &str) -> Result<Self> {
        let text = format!("//{host}");
        let parsed = UriRef::parse(&text)
            .ok()
            .and_then(|reference| reference.host());
        let Some(host) = parsed.filter(|parsed| parsed.as_str() == host) else {
            return Err(Error::new(ErrorKind::HostNotFound));
        };
        if let Some(address) = host.to_ipv6() {
            return Ok(Self::Address(address.into()));
        }
        if let Some(address) = host.to_ipv4() {
            return Ok(Self::Address(address.into()));
        }
        let name = host
            .to_ascii()
            .map_err(|_| Error::new(ErrorKind::HostNotFound))?;
        let name = match name {
            Cow::Borrowed(_) => host.encoded().to_bytes().into_owned(),
            Cow::Owned(name) => name.into_bytes(),
        };
        // What no name has is not handed to the system, which may read it in its own way.
        let is_name = |octet: &u8| octet.is_ascii_alphanumeric() || b"-._".contains(octet);
        match String::from_utf8(name) {
            Ok(name) if !name.is_empty() && name.bytes().all(|octet| is_name(&octet)) => {
                Ok(Self::Dns(name))
            }
            _ => Err(Error::new(ErrorKind::HostNotFound)),
        }
    }
}
