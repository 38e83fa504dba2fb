//! Connects to servers that the policy allows. Only this module of the crate connects to servers:
//! it resolves the name, checks the addresses and connects to one of them.

use super::connection::{Connection, Route};
use super::limits::Limits;
use super::race::{Attempts, race};
use super::resolve;
use super::resolve::Lookups;
use super::tls::Trust;
use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, Trace};
use crate::host::Name;
use crate::plan::{Action, Plan};
use crate::policy::Policy;
use std::borrow::Cow;
use std::io;
use std::net::{SocketAddr, TcpStream};
use tokio_socks::TargetAddr;
use tokio_socks::tcp::Socks5Stream;
use urikit::AnyRef;

/// Opens the connections that the policy allows.
#[derive(Clone)]
pub(crate) struct Dialer {
    pub(crate) policy: Policy,
    pub(crate) resolver: Lookups,
    pub(crate) trust: Trust,
}

/// The server to connect to.
#[derive(Clone, Copy)]
pub(crate) struct Peer<'a> {
    /// The host as written in a URL.
    pub(crate) host: &'a str,
    pub(crate) port: u16,
    /// The ports that the policy allows for this scheme by default.
    pub(crate) own_ports: &'a [u16],
}

/// The target that a proxy is asked to connect to.
pub(crate) enum ProxyTarget {
    /// A checked address.
    Address(SocketAddr),
    /// A host name that the proxy resolves, so that its address cannot be checked.
    Name(String),
}

impl Dialer {
    /// Returns a dialer for one URL, or `None` if the policy has no rules for hosts. The rules
    /// apply to the host of the URL only if `is_trusted` is true.
    pub(crate) fn for_url(&self, url: AnyRef<'_>, is_trusted: bool) -> Option<Self> {
        self.policy.has_hosts().then(|| {
            let policy = self.policy.clone();
            let host = url.host().map(urikit::component::Host::as_str);
            let policy = match host.filter(|host| !host.is_empty()) {
                _ if !is_trusted => policy.trusting_nothing(),
                host => policy.trusting(host),
            };
            Self {
                policy,
                ..self.clone()
            }
        })
    }

    /// Connects to a host, which is written as in a URL.
    pub(crate) fn connect(
        &self,
        peer: Peer<'_>,
        deadline: &Deadline,
        trace: &Trace,
    ) -> Result<Connection> {
        let step = format!("connecting to {}:{}", peer.host, peer.port);
        let connected = self.try_connect(peer, deadline, trace);
        connected.map_err(|error| error.with_step(step))
    }

    fn try_connect(
        &self,
        peer: Peer<'_>,
        deadline: &Deadline,
        trace: &Trace,
    ) -> Result<Connection> {
        let policy = self.policy.at(peer.host, peer.port, peer.own_ports);
        policy.check_port(peer.port, peer.own_ports)?;
        let max = self.policy.connect_timeout;
        // Resolving and connecting share one timeout.
        let connecting = &deadline.within(max);
        let addresses = match resolve::allowed(peer.host, &policy)? {
            Name::Address(address) => vec![address],
            Name::Dns(name) => self.resolver.find(&name, connecting, max)?,
        };
        let addresses: Vec<_> = addresses
            .into_iter()
            .map(|address| SocketAddr::new(address, peer.port))
            .collect();
        let (address, stream) = dial(&addresses, connecting, &policy)?;
        trace.record(Event::Connected {
            host: peer.host.to_owned(),
            port: peer.port,
            address: address.ip(),
        });
        let connection = self.connected(stream, deadline, trace)?;
        let route = Route {
            host: peer.host.to_owned(),
            port: peer.port,
            address: Some(address.ip()),
            tunnel: None,
        };
        let is_to_allowed_host = matches!(policy, Cow::Owned(_));
        Ok(connection
            .by(Some(route))
            .with_allowed_host(is_to_allowed_host))
    }

    /// Connects to a proxy. The user configured the proxy, so its address may be private and any
    /// port is allowed.
    pub(crate) fn connect_proxy(
        &self,
        host: &str,
        port: u16,
        deadline: &Deadline,
        trace: &Trace,
    ) -> Result<Connection> {
        let near = Self {
            policy: self.policy.clone().allow_private(true).allow_port(port),
            ..self.clone()
        };
        let own_ports = &[port];
        let peer = Peer {
            host,
            port,
            own_ports,
        };
        let connected = near.try_connect(peer, deadline, trace);
        connected.map_err(|error| error.with_step(format!("connecting to the proxy {host}:{port}")))
    }

    /// Returns the target that a proxy is asked to connect to. If the host is an address, or if
    /// `resolves` is true, the target is a checked address. Otherwise, the target is the host
    /// name, whose address cannot be checked.
    pub(crate) fn proxy_target(
        &self,
        peer: Peer<'_>,
        resolves: bool,
        deadline: &Deadline,
    ) -> Result<ProxyTarget> {
        let policy = self.policy.at(peer.host, peer.port, peer.own_ports);
        policy.check_port(peer.port, peer.own_ports)?;
        let name = match resolve::allowed(peer.host, &policy)? {
            Name::Address(address) => {
                return Ok(ProxyTarget::Address(SocketAddr::new(address, peer.port)));
            }
            Name::Dns(name) => name,
        };
        if !resolves {
            return Ok(ProxyTarget::Name(name));
        }
        let max = self.policy.connect_timeout;
        let looking = &deadline.within(max);
        let mut refused = None;
        for address in self.resolver.find(&name, looking, max)? {
            match policy.check_address(address) {
                Ok(()) => return Ok(ProxyTarget::Address(SocketAddr::new(address, peer.port))),
                Err(refusal) => refused = Some(refusal),
            }
        }
        let none = || Error::new(crate::error::ErrorKind::HostNotFound);
        Err(refused.map_or_else(none, Error::from))
    }

    /// Checks the servers that a plan connects to, and the host of the reference, to which a
    /// program may connect.
    pub(crate) fn check_plan(
        &self,
        reference: AnyRef<'_>,
        plan: &Plan,
        own_ports: &[u16],
    ) -> Result<()> {
        for step in plan.steps() {
            let Action::Connect(host, port) = &step.action else {
                continue;
            };
            let check = || {
                let policy = self.policy.at(host, *port, own_ports);
                policy.check_port(*port, own_ports)?;
                resolve::check_host(host, &policy)
            };
            check().map_err(|error| error.with_step(format!("connecting to {host}:{port}")))?;
        }
        // The client never connects to the host of a `file` URL.
        let scheme = reference.scheme().unwrap_or_default();
        match reference.host() {
            Some(host) if !scheme.eq_ignore_ascii_case("file") => {
                // A program connects to the port in the URL, or to the scheme's default port.
                let authority = reference.authority();
                let port = authority.and_then(|authority| authority.port_number());
                let port = port.or(own_ports.last().copied()).unwrap_or_default();
                let policy = self.policy.at(host.as_str(), port, own_ports);
                resolve::check_host(host.as_str(), &policy)
            }
            _ => Ok(()),
        }
    }

    /// Connects to another port at the address of an open connection, and checks the address
    /// again.
    pub(crate) fn connect_same_host(
        &self,
        to: &Connection,
        port: u16,
        deadline: &Deadline,
        trace: &Trace,
    ) -> Result<Connection> {
        let address = to.peer().ip();
        let private = to
            .is_to_allowed_host()
            .then(|| self.policy.clone().allow_private(true));
        let policy = private.as_ref().unwrap_or(&self.policy);
        let connect = || {
            policy.check_port(port, &[])?;
            let connecting = &deadline.within(self.policy.connect_timeout);
            let address = SocketAddr::new(address, port);
            let (_, stream) = dial(&[address], connecting, policy)?;
            trace.record(Event::ConnectedForData(address));
            self.connected(stream, deadline, trace)
        };
        connect().map_err(|error: Error| error.with_step(format!("connecting to {address}:{port}")))
    }

    fn connected(
        &self,
        stream: TcpStream,
        deadline: &Deadline,
        trace: &Trace,
    ) -> Result<Connection> {
        let trust = self.trust.clone();
        Connection::new(stream, self.limits(deadline), trust, trace.clone())
    }

    /// Performs the checks of [`connect`](Self::connect) for a program that opens its own
    /// connection. The program may choose any address of the host, so all addresses are checked.
    /// Returns the host name, or the address without brackets.
    pub(crate) fn check_peer(&self, peer: Peer<'_>, deadline: &Deadline) -> Result<String> {
        let policy = self.policy.at(peer.host, peer.port, peer.own_ports);
        policy.check_port(peer.port, peer.own_ports)?;
        let max = self.policy.connect_timeout;
        let looking = &deadline.within(max);
        match resolve::allowed(peer.host, &policy)? {
            Name::Address(address) => Ok(address.to_string()),
            Name::Dns(name) => {
                for address in self.resolver.find(&name, looking, max)? {
                    policy.check_address(address)?;
                }
                Ok(name)
            }
        }
    }

    /// Returns the limits on a connection.
    pub(crate) fn limits(&self, deadline: &Deadline) -> Limits {
        Limits {
            idle: self.policy.idle_timeout,
            max_line: self.policy.max_line,
            deadline: deadline.clone(),
            buffer: self.policy.buffer,
        }
    }

    /// Checks the server of a pooled connection, which another access may have opened under another
    /// policy. Returns true if the connection's address may be private because the policy allows
    /// the host.
    pub(crate) fn check_route(&self, route: &Route, own_ports: &[u16]) -> Result<bool> {
        let policy = self.policy.at(&route.host, route.port, own_ports);
        policy.check_port(route.port, own_ports)?;
        match route.address {
            Some(address) => policy.check_address(address)?,
            // A proxy resolved the host name.
            None => resolve::check_host(&route.host, &policy)?,
        }
        Ok(matches!(policy, Cow::Owned(_)))
    }
}

/// Connects to one of the addresses. Checks each address immediately before trying to connect to
/// it.
fn dial(
    addresses: &[SocketAddr],
    connecting: &Deadline,
    policy: &Policy,
) -> Result<(SocketAddr, TcpStream)> {
    let left = connecting.left(policy.connect_timeout)?;
    race(addresses, left, &mut Attempts::new(policy, connecting))
}

impl Connection {
    /// Asks the proxy at the other end of the connection to connect to a target, using SOCKS5 (RFC
    /// 1928, RFC 1929).
    pub(crate) fn through_socks(
        mut self,
        target: &ProxyTarget,
        port: u16,
        login: Option<(&str, &str)>,
    ) -> Result<Self> {
        let target = match target {
            ProxyTarget::Address(address) => TargetAddr::Ip(*address),
            ProxyTarget::Name(name) => TargetAddr::Domain(name.into(), port),
        };
        let (stream, driver) = self.detach()?;
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
        let answered = driver.wait(self.limits(), |context| asked.as_mut().poll(context))?;
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
