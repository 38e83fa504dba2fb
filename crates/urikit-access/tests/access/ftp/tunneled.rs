//! FTP through a proxy: both the control connection and the data connections are tunnels.

use super::fake;
use crate::support::{Rendered as _, assert_as_planned, fetch, plan, policy};
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use urikit::Standard;
use urikit_access::{Buffer, Client, Event, NoPrompt, Proxies, Upload};

type Targets = Arc<Mutex<Vec<String>>>;

/// Starts a proxy that connects to the target of `CONNECT`, or only to the port `only`. Returns the
/// port of the proxy, and the requested targets.
fn proxy(only: Option<u16>) -> (u16, Targets) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let targets = Targets::default();
    let to = Arc::clone(&targets);
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let to = Arc::clone(&to);
            thread::spawn(move || relay(client, only, &to));
        }
    });
    (port, targets)
}

fn relay(mut client: TcpStream, only: Option<u16>, targets: &Targets) {
    let mut head = Vec::new();
    let mut octet = [0];
    while !head.ends_with(b"\r\n\r\n") && client.read(&mut octet).unwrap_or(0) == 1 {
        head.push(octet[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let target = head.split(' ').nth(1).unwrap().to_owned();
    targets.lock().unwrap().push(target.clone());
    let is_refused = only.is_some_and(|port| !target.ends_with(&format!(":{port}")));
    if is_refused {
        let _ = client.write_all(b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    let server = TcpStream::connect(target).unwrap();
    client.write_all(b"HTTP/1.1 200 Yes\r\n\r\n").unwrap();
    let (from, into) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let back = thread::spawn(move || pass_on(server, client));
    pass_on(from, into);
    back.join().unwrap();
}

fn pass_on(mut from: TcpStream, mut to: TcpStream) {
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

fn through(port: u16) -> Client {
    let proxy = format!("127.0.0.1:{port}").parse().unwrap();
    Client::new(policy()).proxies(Proxies::new().all(proxy))
}

fn tunnels(events: &[Event]) -> Vec<u16> {
    let port = |event: &Event| match event {
        Event::Tunneled { port, .. } => Some(*port),
        _ => None,
    };
    events.iter().filter_map(port).collect()
}

/// Returns the steps without the requests for data tunnels, whose ports are unknown when the plan
/// is made.
fn without_data(steps: Vec<String>) -> Vec<String> {
    let mut connections = 0;
    let mut is_data = |step: &String| {
        connections += usize::from(step.starts_with("> CONNECT "));
        let is_head = [">", "> ", "<", "< "].contains(&&**step) || step.starts_with("> Host: ");
        connections > 1 && (is_head || step.starts_with("> CONNECT "))
    };
    steps.into_iter().filter(|step| !is_data(step)).collect()
}

#[test]
fn data_goes_through_the_tunnel() {
    let server = fake::start(|_, _| false);
    let (port, targets) = proxy(None);
    for (path, content) in [("a", fake::FILE), ("d/", &b""[..])] {
        let url = format!("ftp://127.0.0.1:{}/{path}", server.port);
        let planned = plan(&through(port), &url).unwrap();
        let asks = "then     asks the proxy to connect to the port that the server specifies";
        assert!(planned.to_string().contains(asks), "{planned}");
        let (response, buffer) = fetch(&mut through(port), &url).unwrap();
        assert_as_planned(&planned, &without_data(response.rendered()));
        assert_eq!(buffer.bytes, content);
        assert_eq!(buffer.entries.is_empty(), path == "a");
        let targets = std::mem::take(&mut *targets.lock().unwrap());
        assert_eq!(targets[0], format!("127.0.0.1:{}", server.port));
        let ports = tunnels(&response.events);
        let asked = ports.iter().map(|port| format!("127.0.0.1:{port}"));
        assert!(ports.len() > 1 && asked.eq(targets), "{ports:?}");
    }
}

/// The data of an upload also goes through the tunnel.
#[test]
fn data_that_is_sent_goes_through_the_tunnel() {
    let stored = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&stored);
    let server = fake::start(move |control, line| {
        if !line.starts_with("STOR ") {
            return false;
        }
        control.say("150 go on");
        let mut content = Vec::new();
        control.data().read_to_end(&mut content).unwrap();
        *to.lock().unwrap() = content;
        control.say("226 stored");
        true
    });
    let (port, targets) = proxy(None);
    let url = format!("ftp://127.0.0.1:{}/a", server.port);
    let upload = Upload::new(Standard::Rfc3986.parse(&url).unwrap());
    let mut source = &b"sent"[..];
    let client = through(port);
    client
        .upload(&upload, &mut NoPrompt, &mut source, &mut Buffer::default())
        .unwrap();
    assert_eq!(*stored.lock().unwrap(), b"sent");
    assert_eq!(targets.lock().unwrap().len(), 2);
}

/// If the proxy connects to the server but not to its data port, the access fails: data connections
/// never bypass the proxy.
#[test]
fn data_never_goes_around_the_proxy() {
    let server = fake::start(|_, _| false);
    let (port, targets) = proxy(Some(server.port));
    let url = format!("ftp://127.0.0.1:{}/a", server.port);
    let error = crate::support::fails(&mut through(port), &url);
    assert!(error.to_string().contains("HTTP/1.1 403 No"), "{error}");
    assert!(targets.lock().unwrap().len() > 1);
    assert_eq!(tunnels(error.events()), [server.port]);
}
