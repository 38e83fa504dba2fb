//! Starts the server, and sends requests to it.

use serde_json::Value;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

/// The time that a test waits for a response.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that is stopped at the end of a test.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    log: Option<JoinHandle<String>>,
}

impl Server {
    /// Starts `uri serve` on a free port of loopback, with more arguments and without a gateway.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_with("off", arguments).0
    }

    /// Starts `uri serve` with a gateway that may connect to loopback. The returned server has the
    /// address of the gateway; the other address is that of the page.
    pub(crate) fn start_gateway(arguments: &[&str]) -> (Self, SocketAddr) {
        Self::start_safe_gateway(&[&["--allow-private"], arguments].concat())
    }

    /// Starts `uri serve` with a gateway that connects to public addresses only.
    pub(crate) fn start_safe_gateway(arguments: &[&str]) -> (Self, SocketAddr) {
        let (mut server, log) = Self::start_with("127.0.0.1:0", arguments);
        let gateway = log.strip_prefix("Gateway on http://").unwrap();
        let gateway = gateway.strip_suffix("/\n").unwrap().parse().unwrap();
        let page = std::mem::replace(&mut server.address, gateway);
        (server, page)
    }

    /// Starts a server. Returns it with the line about its gateway, if it is on.
    fn start_with(gateway: &str, arguments: &[&str]) -> (Self, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_uri"))
            .args(["serve", "--listen", "127.0.0.1:0", "--max-requests", "0"])
            .args(["--gateway-listen", gateway])
            .args(arguments)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let address = line.strip_prefix("Listening on http://").unwrap();
        let address = address.strip_suffix("/\n").unwrap().parse().unwrap();
        let mut line = String::new();
        if gateway != "off" {
            log.read_line(&mut line).unwrap();
        }
        let log = Some(std::thread::spawn(move || rest(log)));
        let server = Self {
            child,
            address,
            log,
        };
        (server, line)
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Connects to the server.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends the bytes of a request, and returns the response.
    pub(crate) fn send(&self, request: &[u8]) -> Response {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        Response::read(stream)
    }

    /// Requests a target with more header fields.
    pub(crate) fn get_with(&self, target: &str, fields: &str) -> Response {
        let host = self.address;
        self.send(
            format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{fields}\r\n")
                .as_bytes(),
        )
    }

    pub(crate) fn get(&self, target: &str) -> Response {
        self.get_with(target, "")
    }

    /// Requests an operation with these parameters.
    pub(crate) fn ask(&self, operation: &str, parameters: &[(&str, &[u8])]) -> Response {
        let mut target = format!("/api/v1/{operation}?");
        for (name, value) in parameters {
            let _ = write!(target, "{name}={}&", escaped(value));
        }
        self.get(&target)
    }

    /// Posts a body.
    pub(crate) fn post(&self, target: &str, media_type: &str, body: &[u8]) -> Response {
        let (host, length) = (self.address, body.len());
        let head = format!(
            "POST {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n"
        );
        self.send(&[head.as_bytes(), body].concat())
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let signal = format!("-{name}");
        let status = Command::new("kill")
            .args([&signal, &self.id().to_string()])
            .status();
        assert!(status.unwrap().success());
    }

    /// Waits for the end. Returns the exit status and the log.
    pub(crate) fn wait(mut self) -> (i32, String) {
        let status = self.child.wait().unwrap();
        let log = self.log.take().unwrap().join().unwrap();
        (status.code().unwrap_or(-1), log)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn rest(mut log: BufReader<ChildStderr>) -> String {
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    text
}

/// Percent-encodes everything except letters and digits.
fn escaped(value: &[u8]) -> String {
    value.iter().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() {
            text.push(char::from(*byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// Reads a response until the connection ends.
    pub(crate) fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        // A server that refuses a body may close the connection before the client has sent the
        // body.
        let _ = stream.read_to_end(&mut bytes);
        Self::parse(&bytes).unwrap_or_else(|| panic!("{:?}", String::from_utf8_lossy(&bytes)))
    }

    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        let mut response = Self {
            status,
            head,
            body: bytes[end + 4..].to_vec(),
        };
        if response.field("transfer-encoding") == Some("chunked") {
            response.body = unchunked(&response.body);
        }
        Some(response)
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

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The name of the type of a problem. Checks that the problem is complete.
    pub(crate) fn problem(&self) -> String {
        assert_eq!(self.field("content-type"), Some("application/problem+json"));
        let problem = self.json();
        assert_eq!(problem["status"], self.status);
        name_of_problem(&problem)
    }
}

/// The name of the type of a problem. Checks that the documentation describes it.
pub(crate) fn name_of_problem(problem: &Value) -> String {
    assert!(problem["title"].is_string() && problem["detail"].is_string());
    let kind = problem["type"].as_str().unwrap();
    let (page, name) = kind.split_once('#').unwrap();
    assert!(page.ends_with("/docs/serve.md"));
    let page = include_str!("../../../../docs/serve.md");
    assert!(page.contains(&format!("### {name}\n")), "{name}");
    name.to_owned()
}

/// Joins the chunks of a body. The last chunk may be incomplete.
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
