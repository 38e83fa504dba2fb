//! The interface between a protocol and the outside world. Each method checks the policy, so that
//! protocols need not do so.

use crate::command::Command;
use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, Trace};
use crate::mask::escape_all;
use crate::net::{Connection, Datagrams, Dialer, Idle, Peer, ProxyTarget, Route};
use crate::policy::{Policy, Refusal, Source};
use crate::pool::Pool;
use crate::prompt::{NoPrompt, Prompt};
use crate::proxy::{Kind, Proxies, Proxy};
use crate::{http1, net};
use std::any::Any;
use std::borrow::Cow;
use std::net::SocketAddr;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// The only way for a protocol to connect, prompt the user or run programs. Checks each of these
/// operations against the [`Policy`].
pub struct Context<'a> {
    pub(crate) dialer: &'a Dialer,
    pub(crate) deadline: &'a Deadline,
    pub(crate) trace: &'a Trace,
    pub(crate) own_ports: &'a [u16],
    pub(crate) source: Source,
    pub(crate) prompt: &'a mut dyn Prompt,
    pub(crate) no_prompt: NoPrompt,
    pub(crate) pool: &'a Pool,
    pub(crate) proxies: &'a Proxies,
    /// The scheme of the reference, which determines the proxy.
    pub(crate) scheme: &'a str,
    /// The schemes that servers of the protocol may redirect to by default.
    pub(crate) redirect_schemes: &'a [&'static str],
    /// True if this access is a second attempt, because the target of its redirect could not be
    /// fetched.
    pub(crate) redirect_failed: bool,
}

impl Context<'_> {
    /// Connects to a port of a host, which is written as in a URL.
    ///
    /// # Errors
    ///
    /// Fails if the policy refuses the port or the address, if the host name does not resolve, or
    /// if the connection fails or takes too long.
    pub fn connect(&mut self, host: &str, port: u16) -> Result<Connection> {
        let own_ports = self.own_ports;
        let peer = Peer {
            host,
            port,
            own_ports,
        };
        match self.proxies.find(self.scheme, host) {
            Some(proxy) => self.tunnel(proxy, peer),
            None => self.dialer.connect(peer, self.deadline, self.trace),
        }
    }

    /// Connects through a proxy.
    fn tunnel(&self, proxy: &Proxy, peer: Peer<'_>) -> Result<Connection> {
        let Peer { host, port, .. } = peer;
        let step = format!("connecting to {host}:{port} through the proxy {proxy}");
        let tunnel = || {
            let resolves = proxy.kind == Kind::Socks5;
            let target = self.dialer.proxy_target(peer, resolves, self.deadline)?;
            let connection = self.connect_proxy(proxy)?;
            if let ProxyTarget::Name(name) = &target {
                self.record(Event::Unchecked(name.clone()));
            }
            let connection = if proxy.kind == Kind::Http {
                let host = match &target {
                    ProxyTarget::Address(address) if address.is_ipv6() => {
                        format!("[{}]", address.ip())
                    }
                    ProxyTarget::Address(address) => address.ip().to_string(),
                    ProxyTarget::Name(name) => name.clone(),
                };
                let token = proxy.token();
                let lines = http1::connect_lines(&host, port, token.as_ref())?;
                let has_login = token.is_some();
                http1::connect(connection, &lines, has_login, self.max_line())?
            } else {
                let login = proxy.credentials.as_ref();
                let login = login.map(|login| (&*login.user, &*login.password));
                connection.through_socks(&target, port, login)?
            };
            let address = match &target {
                ProxyTarget::Address(address) => Some(address.ip()),
                ProxyTarget::Name(_) => None,
            };
            let route = Route {
                host: host.to_owned(),
                port,
                address,
                tunnel: Some(proxy.clone()),
            };
            self.record(Event::Tunneled {
                host: host.to_owned(),
                port,
            });
            Ok(connection.by(Some(route)))
        };
        tunnel().map_err(|error: Error| error.with_step(step))
    }

    /// Connects to a proxy itself, rather than to a server through the proxy.
    pub(crate) fn connect_proxy(&self, proxy: &Proxy) -> Result<Connection> {
        let (dialer, deadline) = (self.dialer, self.deadline);
        let connection = dialer.connect_proxy(&proxy.host, proxy.port, deadline, self.trace)?;
        Ok(connection.by(None))
    }

    /// Fails if a proxy is set for this host, because the proxy must not be bypassed.
    fn check_direct(&self, host: &str) -> Result<()> {
        match self.proxies.find(self.scheme, host) {
            Some(proxy) => Err(Refusal::Proxy {
                proxy: proxy.to_string(),
            }
            .into()),
            None => Ok(()),
        }
    }

    /// Checks the server in a request line that is sent to a proxy.
    pub(crate) fn proxy_target(&self, host: &str, port: u16) -> Result<()> {
        let own_ports = self.own_ports;
        let peer = Peer {
            host,
            port,
            own_ports,
        };
        if let ProxyTarget::Name(name) = self.dialer.proxy_target(peer, false, self.deadline)? {
            self.record(Event::Unchecked(name));
        }
        Ok(())
    }

    /// Opens a data connection to the address of an open connection, but to another port. Ignores
    /// the address that the server sends, which could belong to any machine.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`connect`](Self::connect). Refuses ports that other
    /// protocols use.
    pub fn connect_same_host(&mut self, to: &Connection, port: u16) -> Result<Connection> {
        if let Some(Route { host, tunnel, .. }) = to.route()
            && let Some(proxy) = tunnel
        {
            let own_ports = &[];
            let peer = Peer {
                host,
                port,
                own_ports,
            };
            return self.tunnel(proxy, peer);
        }
        self.dialer
            .connect_same_host(to, port, self.deadline, self.trace)
    }

    /// Takes a connection from the [pool](Self::pool). `origin` must contain everything that
    /// distinguishes one connection from another: the scheme, host, port and login.
    ///
    /// Another clone of the client, with other settings, may have opened the connection. So the
    /// policy checks the server again, and the connection is used only if it was opened with the
    /// certificates and the proxy of this client.
    ///
    /// Returns `None` if the pool has no such connection. Drops connections that are closed, or on
    /// which the server sent unsolicited data. If the server closes the connection later, the
    /// client detects this only when it uses the connection.
    pub fn pooled<T: Pooled>(&mut self, origin: &str) -> Option<T> {
        loop {
            let mut is_to_allowed_host = false;
            let may_use = |value: &mut T| match self.may_use(value.connection()) {
                Some(is_allowed) => {
                    is_to_allowed_host = is_allowed;
                    true
                }
                None => false,
            };
            let mut value = self.pool.take(origin, Instant::now(), may_use)?;
            let connection = value.connection();
            match connection.idle() {
                Idle::Free => {
                    let limits = self.dialer.limits(self.deadline);
                    connection.reuse(limits, self.trace.clone(), is_to_allowed_host);
                    self.trace.record(Event::Reused(connection.peer()));
                    return Some(value);
                }
                Idle::Closed => self.trace.record(Event::PoolStale),
                Idle::Unrequested => self.trace.record(Event::Unrequested),
            }
        }
    }

    /// Returns `None` if this access must not use the pooled connection. Otherwise, returns
    /// whether the address of the connection may be private because the policy allows the host.
    fn may_use(&self, connection: &Connection) -> Option<bool> {
        if !connection.has_trust(&self.dialer.trust) {
            return None;
        }
        let Some(route) = connection.route() else {
            // The origin names the proxy, and `proxy_target` checks the server.
            return Some(false);
        };
        let proxy = self.proxies.find(self.scheme, &route.host);
        if proxy != route.tunnel.as_ref() {
            return None;
        }
        self.dialer.check_route(route, self.own_ports).ok()
    }

    /// Puts a connection into the pool, for a later access to the same origin.
    pub fn pool<T: Pooled>(&mut self, origin: &str, mut value: T) {
        value.connection().park();
        self.pool.put(origin, Instant::now(), value);
    }

    /// Returns the prompt for questions to the user. If the reference came from the network, the
    /// prompt declines every question.
    pub fn prompt(&mut self) -> &mut dyn Prompt {
        match self.source {
            Source::User => self.prompt,
            Source::Network => &mut self.no_prompt,
        }
    }

    /// Records an event. The event must not contain secrets.
    pub fn record(&self, event: Event) {
        self.trace.record(event);
    }

    /// Records a note.
    pub fn note(&self, text: impl Into<Cow<'static, str>>) {
        self.record(Event::Note(text.into()));
    }

    /// Records a line that was received on a [quiet](Connection::set_quiet) connection. The line
    /// must not contain secrets.
    pub fn received(&self, line: &[u8]) {
        self.trace.received(line);
    }

    /// Returns how deeply data may be nested.
    pub fn max_depth(&self) -> usize {
        self.policy().max_depth
    }

    /// Checks the nesting depth of data.
    ///
    /// # Errors
    ///
    /// Fails if the policy allows fewer than `depth` levels.
    pub fn check_depth(&self, depth: usize) -> Result<()> {
        let max = self.max_depth();
        if depth > max {
            return Err(Refusal::Depth { max }.into());
        }
        Ok(())
    }

    /// Returns the maximum length, in bytes, of a line from a server, or of a record in a listing.
    pub fn max_line(&self) -> usize {
        self.policy().max_line
    }

    /// Returns the time by which the access must be complete.
    pub const fn deadline(&self) -> &Deadline {
        self.deadline
    }

    /// Resolves a host, written as in a URL, and returns the addresses that datagrams may be sent
    /// to, with IPv4 addresses first. [`datagrams`](Self::datagrams) opens a socket for one of
    /// these addresses.
    ///
    /// # Errors
    ///
    /// Fails if the policy refuses the port or every address, if the name does not resolve, or if a
    /// proxy is set for the host: proxies do not relay datagrams.
    pub fn datagram_peers(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>> {
        self.check_direct(host)?;
        let own_ports = self.own_ports;
        let peer = Peer {
            host,
            port,
            own_ports,
        };
        self.dialer.datagram_peers(peer, self.deadline)
    }

    /// Opens a socket for datagrams to and from one of the [addresses](Self::datagram_peers) of a
    /// host.
    ///
    /// # Errors
    ///
    /// Fails if the policy refuses the port or the address, or if the system cannot provide a
    /// socket.
    pub fn datagrams(&self, host: &str, peer: SocketAddr) -> Result<Datagrams> {
        self.dialer
            .datagrams(host, peer, self.own_ports, self.deadline)
    }

    /// Records a command that is sent in datagrams, with its secrets masked. Connections record
    /// their commands themselves.
    pub fn record_sent(&self, command: &dyn Command) {
        self.trace.sent(command.name(), &command.masked());
    }

    /// Checks whether the server may redirect to a URL of another scheme. Only protocols that
    /// follow links themselves need this method, because the client checks each
    /// [`Outcome::Redirect`].
    ///
    /// # Errors
    ///
    /// Fails if the policy refuses the redirect.
    ///
    /// [`Outcome::Redirect`]: crate::protocol::Outcome::Redirect
    pub fn check_redirect(&self, to: &str) -> Result<()> {
        let refused = self
            .policy()
            .check_redirect(self.scheme, to, self.redirect_schemes);
        Ok(refused?)
    }

    /// Returns true if this access is a second attempt, because the target of its
    /// [`Outcome::TryFirst`] could not be fetched.
    ///
    /// [`Outcome::TryFirst`]: crate::protocol::Outcome::TryFirst
    pub const fn redirect_failed(&self) -> bool {
        self.redirect_failed
    }

    /// Checks whether the policy allows another redirect after this many redirects.
    ///
    /// # Errors
    ///
    /// Fails if the policy allows no further redirect.
    pub fn check_redirects(&self, redirects: usize) -> Result<()> {
        Ok(self.policy().check_redirects(redirects)?)
    }

    /// Fills `octets` with unpredictable random numbers.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot provide random numbers.
    pub fn random(&self, octets: &mut [u8]) -> Result<()> {
        net::random(octets)
    }

    /// Returns how long to wait for the first answer from a server.
    pub fn connect_timeout(&self) -> Duration {
        self.policy().connect_timeout
    }

    /// Returns how long a server may stay silent.
    pub fn idle_timeout(&self) -> Duration {
        self.policy().idle_timeout
    }

    /// Returns the maximum size of a body, in bytes.
    pub fn max_bytes(&self) -> u64 {
        self.policy().max_bytes
    }

    /// Checks the port that a program will connect to, and all addresses of the host. Returns the
    /// host name, or the address without brackets.
    ///
    /// The program resolves the name again, and that result cannot be checked.
    ///
    /// # Errors
    ///
    /// Fails if the policy refuses the port or any address, or if the name does not resolve.
    pub fn check_host(&mut self, host: &str, port: u16) -> Result<String> {
        self.check_direct(host)?;
        let own_ports = self.own_ports;
        let peer = Peer {
            host,
            port,
            own_ports,
        };
        let checked = self.dialer.check_peer(peer, self.deadline);
        checked.map_err(|error| error.with_step(format!("resolving {host}")))
    }

    /// Runs a program with trusted options, `--`, and one argument from a URL. First asks the user
    /// for consent. Returns when the program ends.
    ///
    /// # Errors
    ///
    /// Fails if the argument begins with `-`, if there is no terminal, if the user does not
    /// consent, or if the program cannot be started.
    pub fn run(&mut self, program: &str, options: &[&str], argument: &str) -> Result<ExitStatus> {
        if argument.starts_with('-') {
            return Err(not_started(argument));
        }
        self.run_checked(program, &[options, &["--"]].concat(), argument)
    }

    /// Runs a program that does not support `--`. The argument must begin with `[`, so that it
    /// cannot be mistaken for an option.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`run`](Self::run), or if the argument does not begin with
    /// `[`.
    pub fn run_in_brackets(
        &mut self,
        program: &str,
        options: &[&str],
        argument: &str,
    ) -> Result<ExitStatus> {
        if !argument.starts_with('[') {
            return Err(not_started(argument));
        }
        self.run_checked(program, options, argument)
    }

    #[allow(clippy::disallowed_methods)] // the only place that starts a program
    fn run_checked(
        &mut self,
        program: &str,
        options: &[&str],
        argument: &str,
    ) -> Result<ExitStatus> {
        if argument.contains(|c: char| c.is_control()) {
            return Err(not_started(argument));
        }
        let words = [&[program], options, &[argument]].concat();
        if !self.prompt().has_terminal() {
            return Err(Refusal::NoTerminal.into());
        }
        if !self.prompt().confirm(&format!(
            "Start `{}`?",
            escape_all(words.join(" ").as_bytes())
        )) {
            return Err(Refusal::NoConsent.into());
        }
        let words = words.into_iter().map(str::to_owned).collect();
        self.record(Event::ProgramStarted(words));
        std::process::Command::new(program)
            .args(options)
            .arg(argument)
            .status()
            .map_err(|error| {
                Error::new(ErrorKind::Local(error)).with_step(format!("starting {program}"))
            })
    }

    fn policy(&self) -> &Policy {
        &self.dialer.policy
    }
}

fn not_started(argument: &str) -> Error {
    let argument = escape_all(argument.as_bytes());
    Refusal::Program { argument }.into()
}

/// A connection in the pool, with the state that its protocol stores with it.
pub trait Pooled: Any + Send {
    /// Returns the connection.
    fn connection(&mut self) -> &mut Connection;
}
