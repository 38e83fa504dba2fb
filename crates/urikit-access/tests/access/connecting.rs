//! Connecting to hosts with several addresses, some of which do not respond (RFC 8305).

use crate::support::Rendered as _;
use crate::support::{client, fetch, policy};
use rustix::net::{AddressFamily, SocketType, bind, getsockname, listen, socket};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};
use urikit_access::{Client, ErrorKind, Resolver};
use urikit_testkit::servers::Scripted;

/// The addresses of one name.
struct Addresses(Vec<IpAddr>);

impl Resolver for Addresses {
    fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(self.0.clone())
    }
}

/// An address on which connections are neither accepted nor refused: a listening socket whose
/// backlog is full.
pub(crate) struct Unresponsive {
    socket: rustix::fd::OwnedFd,
    _waiting: Vec<TcpStream>,
}

impl Unresponsive {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let listener = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
        bind(&listener, &address).unwrap();
        listen(&listener, 0).unwrap();
        let address: SocketAddr = getsockname(&listener).unwrap().try_into().unwrap();
        let fill = || TcpStream::connect_timeout(&address, Duration::from_millis(50));
        let waiting: Vec<_> = std::iter::from_fn(|| fill().ok()).take(16).collect();
        assert!(waiting.len() < 16, "the backlog is never full");
        Self {
            socket: listener,
            _waiting: waiting,
        }
    }

    pub(crate) fn port(&self) -> u16 {
        let address: SocketAddr = getsockname(&self.socket).unwrap().try_into().unwrap();
        address.port()
    }
}

/// Starts an HTTP server on 127.0.0.1, and this number of unresponsive addresses with the same
/// port.
fn servers(unresponsive: u8) -> (Scripted, Vec<Unresponsive>, Vec<IpAddr>) {
    let server = Scripted::start(|client| {
        while client.line().is_some_and(|line| !line.is_empty()) {}
        client.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
    });
    let mut addresses: Vec<IpAddr> = Vec::new();
    let mut silent = Vec::new();
    for number in 0..unresponsive {
        let address = IpAddr::from([127, 0, 0, 10 + number]);
        silent.push(Unresponsive::new((address, server.port).into()));
        addresses.push(address);
    }
    (server, silent, addresses)
}

#[test]
fn unresponsive_addresses_do_not_use_up_the_time_of_others() {
    let (server, _silent, mut addresses) = servers(3);
    addresses.push([127, 0, 0, 1].into());
    let mut client = Client::new(policy().connect_timeout(Duration::from_secs(3)));
    client = client.resolver(Addresses(addresses));
    let begin = Instant::now();
    let url = format!("http://several.example:{}/", server.port);
    let (response, buffer) = fetch(&mut client, &url).unwrap();
    assert_eq!(buffer.bytes, b"hello");
    // The delay is three times a quarter of a second, or more on a busy machine.
    let time = begin.elapsed();
    assert!(
        time >= Duration::from_millis(700) && time < Duration::from_millis(2500),
        "{time:?}"
    );
    let connected = format!("connected to several.example:{} (127.0.0.1)", server.port);
    assert_eq!(response.rendered()[0], connected);
}

#[test]
fn without_any_response_the_time_is_limited() {
    let (server, _silent, addresses) = servers(2);
    let policy = policy().connect_timeout(Duration::from_millis(600));
    let mut client = Client::new(policy).resolver(Addresses(addresses));
    let begin = Instant::now();
    let error = fetch(
        &mut client,
        &format!("http://several.example:{}/", server.port),
    )
    .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Timeout(_)), "{error}");
    assert!(
        begin.elapsed() < Duration::from_secs(2),
        "{:?}",
        begin.elapsed()
    );
    assert!(server.log().is_empty());
}

/// An address that refuses connections costs no time, and one that the policy refuses is not tried.
#[test]
fn refusals_cost_no_time() {
    let (server, _silent, _) = servers(0);
    // An attempt to connect to this address would take time.
    let link_local: IpAddr = [169, 254, 1, 1].into();
    let others = [
        link_local,
        [127, 0, 0, 3].into(),
        "::1".parse().unwrap(),
        [127, 0, 0, 1].into(),
    ];
    let mut client = client().resolver(Addresses(others.to_vec()));
    let begin = Instant::now();
    let (_, buffer) = fetch(&mut client, &format!("http://a.example:{}/", server.port)).unwrap();
    assert_eq!(buffer.bytes, b"hello");
    assert!(
        begin.elapsed() < Duration::from_millis(700),
        "{:?}",
        begin.elapsed()
    );
}

/// If the first address accepts, the client does not connect to another, even if the response is
/// late.
#[test]
fn only_one_connection_is_made() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let second = TcpListener::bind(("127.0.0.2", port)).unwrap();
    second.set_nonblocking(true).unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        std::thread::sleep(Duration::from_millis(400));
        let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 204 No\r\n\r\n");
    });
    let addresses = vec![[127, 0, 0, 1].into(), [127, 0, 0, 2].into()];
    let mut client = client().resolver(Addresses(addresses));
    fetch(&mut client, &format!("http://a.example:{port}/")).unwrap();
    assert!(second.accept().is_err());
}
