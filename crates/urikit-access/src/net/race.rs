//! Connects to one of several addresses (Happy Eyeballs, RFC 8305, sections 4 and 5).
//!
//! An address that does not respond delays the next attempt by a quarter of a second, instead of
//! using up the time for all attempts. [`Attempts`] is the only type in the crate that opens a
//! connection.

use crate::cancel;
use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Result};
use crate::policy::Policy;
use rustix::event::{PollFd, PollFlags};
use rustix::fd::OwnedFd;
use rustix::io::{Errno, FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::net::sockopt::socket_error;
use rustix::net::{AddressFamily, SocketType, connect, socket};
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// "Connection Attempt Delay", with the recommended value (RFC 8305, 5 and 8).
const DELAY: Duration = Duration::from_millis(250);

/// Makes the connection attempts, and provides the clock. Tests replace it.
pub(super) trait Connector {
    /// The result of a successful attempt.
    type Stream;

    /// Returns the current time.
    fn now(&self) -> Instant;

    /// Returns an error if the access has been cancelled.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Begins a connection attempt, if the policy allows the address.
    fn start(&mut self, address: SocketAddr) -> Result<()>;

    /// Waits until an attempt ends, but no longer than `max`.
    fn wait(&mut self, max: Duration) -> Option<(SocketAddr, Result<Self::Stream>)>;
}

/// Connects to the address that accepts a connection first, within `max`. The other attempts end
/// when the connector is dropped.
///
/// # Errors
///
/// Fails if no address accepts a connection. Reports the policy's first refusal or, if the policy
/// refused nothing, the first error.
pub(super) fn race<C: Connector>(
    addresses: &[SocketAddr],
    max: Duration,
    connector: &mut C,
) -> Result<(SocketAddr, C::Stream)> {
    let mut waiting = interleaved(addresses).into_iter();
    let mut failure = Failure(None);
    let mut running = 0_usize;
    let begun = connector.now();
    let mut next_at = begun;
    loop {
        connector.check()?;
        let now = connector.now();
        let left = max.saturating_sub(now.saturating_duration_since(begun));
        if left.is_zero() {
            let kind = ErrorKind::Timeout("connecting took too long");
            return Err(failure.0.unwrap_or_else(|| Error::new(kind)));
        }
        if running == 0 || next_at <= now {
            if let Some(address) = waiting.next() {
                match connector.start(address) {
                    Ok(()) => {
                        running += 1;
                        next_at = now + DELAY;
                    }
                    Err(error) => failure.add(error),
                }
                continue;
            }
            if running == 0 {
                let kind = ErrorKind::HostNotFound;
                return Err(failure.0.unwrap_or_else(|| Error::new(kind)));
            }
        }
        let until_next = next_at.saturating_duration_since(now).min(left);
        let wait = if waiting.len() > 0 { until_next } else { left };
        match connector.wait(wait) {
            Some((address, Ok(stream))) => return Ok((address, stream)),
            Some((_, Err(error))) => {
                running -= 1;
                failure.add(error);
                next_at = now; // the next one need not wait
            }
            None => {}
        }
    }
}

/// The error to report if no attempt succeeds.
struct Failure(Option<Error>);

impl Failure {
    fn add(&mut self, error: Error) {
        let is_refused = |error: &Error| matches!(error.kind(), ErrorKind::Refused(_));
        let first = self.0.as_ref();
        if first.is_none_or(|first| is_refused(&error) && !is_refused(first)) {
            self.0 = Some(error);
        }
    }
}

/// Keeps the resolver's order of the addresses (RFC 6724), but alternates IPv6 and IPv4, beginning
/// with the family of the first address: "First Address Family Count" is 1 (RFC 8305, 4 and 8).
fn interleaved(addresses: &[SocketAddr]) -> Vec<SocketAddr> {
    let first = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let of = |is_first: bool| {
        let is_it = move |address: &&SocketAddr| (address.is_ipv6() == first) == is_first;
        addresses.iter().filter(is_it).copied()
    };
    let (mut preferred, mut other) = (of(true), of(false));
    let mut order = Vec::with_capacity(addresses.len());
    while order.len() < addresses.len() {
        order.extend(preferred.next());
        order.extend(other.next());
    }
    order
}

/// Connection attempts that run at the same time. Dropping this value cancels all of them.
pub(super) struct Attempts<'a> {
    policy: &'a Policy,
    deadline: &'a Deadline,
    running: Vec<(SocketAddr, OwnedFd)>,
}

impl<'a> Attempts<'a> {
    pub(super) const fn new(policy: &'a Policy, deadline: &'a Deadline) -> Self {
        Self {
            policy,
            deadline,
            running: Vec::new(),
        }
    }
}

impl Connector for Attempts<'_> {
    type Stream = TcpStream;

    fn now(&self) -> Instant {
        Instant::now()
    }

    fn check(&self) -> Result<()> {
        self.deadline.check_cancelled()
    }

    fn start(&mut self, address: SocketAddr) -> Result<()> {
        self.policy.check_address(address.ip())?;
        let socket = begin(address).map_err(|error| Error::network(error.into()))?;
        self.running.push((address, socket));
        Ok(())
    }

    fn wait(&mut self, max: Duration) -> Option<(SocketAddr, Result<TcpStream>)> {
        let sockets = self.running.iter().map(|(_, socket)| socket);
        let mut sockets: Vec<_> = sockets
            .map(|socket| PollFd::new(socket, PollFlags::OUT))
            .collect();
        // After an error, the caller waits again.
        cancel::wait(&mut sockets, self.deadline.cancel(), max).ok()?;
        let ended = sockets.iter().position(|it| !it.revents().is_empty())?;
        let (address, socket) = self.running.swap_remove(ended);
        Some((address, connected(socket).map_err(failed)))
    }
}

/// Starts to connect without waiting.
#[allow(clippy::disallowed_methods)] // the address was checked just before
fn begin(address: SocketAddr) -> rustix::io::Result<OwnedFd> {
    let family = if address.is_ipv6() {
        AddressFamily::INET6
    } else {
        AddressFamily::INET
    };
    // The standard library cannot start a connection without waiting for the result.
    let socket = socket(family, SocketType::STREAM, None)?;
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    ioctl_fionbio(&socket, true)?;
    match connect(&socket, &address) {
        Ok(()) | Err(Errno::INPROGRESS | Errno::INTR) => Ok(socket),
        Err(error) => Err(error),
    }
}

/// Returns the stream of a connection attempt that has ended.
fn connected(socket: OwnedFd) -> io::Result<TcpStream> {
    socket_error(&socket)??;
    let stream = TcpStream::from(socket);
    stream.set_nonblocking(false)?;
    Ok(stream)
}

fn failed(error: io::Error) -> Error {
    if error.kind() == io::ErrorKind::TimedOut {
        Error::new(ErrorKind::Timeout("connecting took too long"))
    } else {
        Error::network(error)
    }
}

#[cfg(test)]
mod tests {
    use super::{Connector, interleaved, race};
    use crate::error::{Error, ErrorKind, Result};
    use crate::policy::Policy;
    use std::net::SocketAddr;
    use std::time::{Duration, Instant};

    const MAX: Duration = Duration::from_secs(30);

    /// Attempts that end according to a script, with a simulated clock.
    struct Fake {
        begun: Instant,
        now: Duration,
        /// For each address, the time in milliseconds after which it accepts or fails. `None` if it
        /// never responds.
        script: Vec<(SocketAddr, Option<(u64, bool)>)>,
        /// The attempts, with the time in milliseconds at which each began.
        started: Vec<(u128, String)>,
        running: Vec<(Duration, SocketAddr, bool)>,
    }

    impl Fake {
        fn new(script: &[(&str, Option<(u64, bool)>)]) -> Self {
            let script = script.iter().map(|(ip, ends)| (address(ip), *ends));
            Self {
                begun: Instant::now(),
                now: Duration::ZERO,
                script: script.collect(),
                started: Vec::new(),
                running: Vec::new(),
            }
        }

        fn race(&mut self) -> (String, u128) {
            let addresses: Vec<_> = self.script.iter().map(|(address, _)| *address).collect();
            let result = match race(&addresses, MAX, self) {
                Ok((address, ())) => address.ip().to_string(),
                Err(error) => error.to_string(),
            };
            (result, self.now.as_millis())
        }
    }

    impl Connector for Fake {
        type Stream = ();

        fn now(&self) -> Instant {
            self.begun + self.now
        }

        fn start(&mut self, address: SocketAddr) -> Result<()> {
            let begin = (self.now.as_millis(), address.ip().to_string());
            Policy::new().check_address(address.ip())?;
            self.started.push(begin);
            let (_, ends) = self.script.iter().find(|(it, _)| *it == address).unwrap();
            if let Some((after, accepts)) = ends {
                let end = self.now + Duration::from_millis(*after);
                self.running.push((end, address, *accepts));
            }
            Ok(())
        }

        fn wait(&mut self, max: Duration) -> Option<(SocketAddr, Result<()>)> {
            let until = self.now + max;
            let first = self.running.iter().enumerate();
            let first = first.min_by_key(|(_, (end, ..))| *end).map(|(at, _)| at);
            let Some(at) = first.filter(|at| self.running[*at].0 <= until) else {
                self.now = until;
                return None;
            };
            let (end, address, accepts) = self.running.remove(at);
            self.now = self.now.max(end);
            let kind = || ErrorKind::Network(std::io::ErrorKind::ConnectionRefused.into());
            let result = if accepts {
                Ok(())
            } else {
                Err(Error::new(kind()))
            };
            Some((address, result))
        }
    }

    fn address(ip: &str) -> SocketAddr {
        SocketAddr::new(ip.parse().unwrap(), 80)
    }

    #[test]
    fn families_alternate_and_keep_their_order() {
        for (given, ordered) in [
            (
                "2606:4::1 2606:4::2 2606:4::3 4.0.0.1",
                "2606:4::1 4.0.0.1 2606:4::2 2606:4::3",
            ),
            (
                "4.0.0.1 2606:4::1 4.0.0.2 4.0.0.3",
                "4.0.0.1 2606:4::1 4.0.0.2 4.0.0.3",
            ),
            ("4.0.0.1 4.0.0.2", "4.0.0.1 4.0.0.2"),
            ("", ""),
        ] {
            let given: Vec<_> = given.split_whitespace().map(address).collect();
            let order: Vec<_> = ordered.split_whitespace().map(address).collect();
            assert_eq!(interleaved(&given), order);
        }
    }

    #[test]
    fn an_unresponsive_address_delays_the_next_by_a_quarter_of_a_second() {
        let mut fake = Fake::new(&[
            ("2606:4::1", None),
            ("2606:4::2", None),
            ("4.0.0.1", Some((20, true))),
        ]);
        assert_eq!(fake.race(), ("4.0.0.1".to_owned(), 270));
        let started = [(0, "2606:4::1".to_owned()), (250, "4.0.0.1".to_owned())];
        assert_eq!(fake.started, started);
        // The delay is the same for each of many addresses.
        let many: Vec<String> = (1..=50).map(|number| format!("4.0.0.{number}")).collect();
        let mut script: Vec<_> = many.iter().map(|ip| (ip.as_str(), None)).collect();
        script.push(("4.0.1.1", Some((20, true))));
        assert_eq!(Fake::new(&script).race(), ("4.0.1.1".to_owned(), 12_520));
    }

    #[test]
    fn a_failure_starts_the_next_attempt_at_once() {
        let mut fake = Fake::new(&[
            ("4.0.0.1", Some((10, false))),
            ("4.0.0.2", Some((10, false))),
            ("4.0.0.3", Some((10, true))),
        ]);
        assert_eq!(fake.race(), ("4.0.0.3".to_owned(), 30));
    }

    #[test]
    fn the_first_that_accepts_wins() {
        let mut fake = Fake::new(&[
            ("4.0.0.1", Some((400, true))),
            ("4.0.0.2", Some((10, true))),
        ]);
        assert_eq!(fake.race(), ("4.0.0.2".to_owned(), 260));
        let mut fake = Fake::new(&[
            ("4.0.0.1", Some((255, true))),
            ("4.0.0.2", Some((10, true))),
        ]);
        assert_eq!(fake.race(), ("4.0.0.1".to_owned(), 255));
    }

    #[test]
    fn refused_addresses_are_never_tried() {
        let mut fake = Fake::new(&[
            ("169.254.169.254", Some((0, true))),
            ("::1", Some((0, true))),
            ("4.0.0.1", Some((10, true))),
        ]);
        assert_eq!(fake.race(), ("4.0.0.1".to_owned(), 10));
        assert_eq!(fake.started, [(0, "4.0.0.1".to_owned())]);
        // The refusal is reported although another address failed first.
        let mut fake = Fake::new(&[("4.0.0.1", Some((10, false))), ("127.0.0.1", None)]);
        assert_eq!(fake.race().0, "refused: 127.0.0.1 is a loopback address");
    }

    #[test]
    fn the_time_is_limited() {
        let mut fake = Fake::new(&[("4.0.0.1", None), ("4.0.0.2", None)]);
        assert_eq!(fake.race(), ("connecting took too long".to_owned(), 30_000));
        assert_eq!(Fake::new(&[]).race().0, "the host name does not resolve");
    }
}
