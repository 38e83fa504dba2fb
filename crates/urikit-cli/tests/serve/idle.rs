//! Many clients that are idle or send slowly.

use crate::server::Server;
use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};

/// Connects from this address of loopback, so that each client stays below its limit.
fn connect(from: Ipv4Addr, to: SocketAddr) -> TcpStream {
    use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&socket, &SocketAddr::new(IpAddr::V4(from), 0)).unwrap();
    connect(&socket, &to).unwrap();
    socket.into()
}

/// The resident memory of a process, in kB.
pub(crate) fn resident(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_thousand_clients_take_little_memory() {
    let server = Server::start(&["--quiet", "--head-timeout", "300", "--body-timeout", "300"]);
    let mut clients = Vec::new();
    for number in 0..1000_u16 {
        let last = u8::try_from(number / 50 + 1).unwrap();
        let mut client = connect(Ipv4Addr::new(127, 0, 0, last), server.address);
        match number % 4 {
            // Idle
            0 => {}
            // A part of a head
            1 => client.write_all(b"GET /api/v1/parse?url=").unwrap(),
            // A part of a body
            2 => {
                let head = format!(
                    "POST /api/v1/parse HTTP/1.1\r\nHost: {}\r\n\
                     Content-Type: application/json\r\nContent-Length: 4000000\r\n\r\n",
                    server.address
                );
                client.write_all(head.as_bytes()).unwrap();
                client.write_all(&[b' '; 1000]).unwrap();
            }
            // Idle after a response
            _ => {
                let request = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
                client.write_all(request.as_bytes()).unwrap();
            }
        }
        clients.push(client);
    }
    // The server answers others.
    let record = server.get("/api/v1/explain?url=http://example.com/").json();
    assert_eq!(record["valid"], true);
    let memory = resident(server.id());
    println!("1,000 clients: {memory} kB");
    assert!(memory < 60_000, "{memory} kB");
    drop(clients);
}
