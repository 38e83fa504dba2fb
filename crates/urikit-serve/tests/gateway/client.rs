//! Starts a gateway, and sends requests to it.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;
use urikit_serve::{Config, GatewayConfig, Server};

/// The time that a test waits for a response.
const PATIENCE: Duration = Duration::from_secs(60);

/// The security policy of every response.
const POLICY: &str = "sandbox allow-forms allow-popups allow-popups-to-escape-sandbox \
    allow-downloads; default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'";

/// A gateway that runs until the process ends.
pub(crate) struct Gateway {
    pub(crate) address: SocketAddr,
    /// The address of the page and the API.
    pub(crate) page: SocketAddr,
}

/// The settings of a test.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) is_safe: bool,
    pub(crate) transfers: Option<usize>,
    pub(crate) news_server: Option<String>,
    pub(crate) allow_ports: Vec<u16>,
    pub(crate) public_hosts: Vec<String>,
    pub(crate) trusted_proxies: Vec<IpAddr>,
    pub(crate) requests_per_second: u32,
}

impl Gateway {
    /// Starts a gateway that may connect to loopback.
    pub(crate) fn start() -> Self {
        Self::with(Settings::default())
    }

    pub(crate) fn with(settings: Settings) -> Self {
        let any = "127.0.0.1:0".parse().unwrap();
        let gateway = GatewayConfig::default();
        let mut config = Config {
            listen: vec![any],
            public_hosts: settings.public_hosts,
            trusted_proxies: settings.trusted_proxies,
            gateway: Some(GatewayConfig {
                listen: any,
                allow_private: !settings.is_safe,
                news_server: settings.news_server,
                allow_ports: settings.allow_ports,
                transfers: settings.transfers.unwrap_or(gateway.transfers),
                ..gateway
            }),
            ..Config::default()
        };
        config.limits.requests_per_second = settings.requests_per_second;
        let server = Server::bind(config).unwrap();
        let (page, address) = (server.addresses()[0], server.gateway_address().unwrap());
        std::thread::spawn(|| server.run_until(std::future::pending()));
        Self { address, page }
    }

    /// Connects to the gateway.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends the bytes of a request, and returns the response. Checks that it protects browsers.
    pub(crate) fn send(&self, request: &[u8]) -> Response {
        let response = self.send_unchecked(request);
        assert_eq!(response.field("content-security-policy"), Some(POLICY));
        assert_eq!(response.field("referrer-policy"), Some("no-referrer"));
        assert_eq!(response.field("x-content-type-options"), Some("nosniff"));
        assert_eq!(response.field("set-cookie"), None);
        response
    }

    pub(crate) fn send_unchecked(&self, request: &[u8]) -> Response {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        Response::read(stream)
    }

    /// Sends a request with this line and these fields.
    pub(crate) fn request(&self, line: &str, fields: &str) -> Response {
        self.send(format!("{line}\r\n{fields}\r\n").as_bytes())
    }

    pub(crate) fn get(&self, target: &str) -> Response {
        self.get_with(target, "")
    }

    pub(crate) fn get_with(&self, target: &str, fields: &str) -> Response {
        let fields = format!("Host: {}\r\n{fields}", self.address);
        self.request(&format!("GET {target} HTTP/1.1"), &fields)
    }

    /// Requests a target of the page or the API.
    pub(crate) fn page(&self, target: &str) -> Response {
        let mut stream = TcpStream::connect(self.page).unwrap();
        let head = format!(
            "GET {target} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.page
        );
        stream.write_all(head.as_bytes()).unwrap();
        Response::read(stream)
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        // A server that refuses a request may close the connection before it is sent.
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("{:?}", String::from_utf8_lossy(&bytes)));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut response = Self {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head,
            body: bytes[end + 4..].to_vec(),
        };
        if response.field("transfer-encoding") == Some("chunked") {
            response.body = unchunked(&response.body);
        }
        response
    }

    /// The value of a header field.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.split("\r\n").skip(1);
        lines.find_map(|line| {
            let (own, value) = line.split_once(": ")?;
            own.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// Joins the chunks of a body.
fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut joined = Vec::new();
    while let Some(end) = body.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&body[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        let chunk = &body[end + 2..];
        if length == 0 || chunk.len() < length {
            break;
        }
        joined.extend_from_slice(&chunk[..length]);
        body = chunk.get(length + 2..).unwrap_or_default();
    }
    joined
}

/// Checks that a page contains texts.
pub(crate) fn assert_shows(page: &Response, expected: &[&str]) {
    assert_eq!(page.status, 200, "{}", page.text());
    for expected in expected {
        assert!(
            page.text().contains(expected),
            "{expected}: {}",
            page.text()
        );
    }
}
