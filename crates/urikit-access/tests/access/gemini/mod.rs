//! Gemini.

mod certificates;
mod hostile;
mod real;
mod responses;

use crate::http::tls::{certificate, server_config};
use crate::support::{fails, fetch, policy};
use rustls::{ServerConnection, StreamOwned};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use urikit_access::{Buffer, Client, Error, Response, Result};
use urikit_testkit::servers::Folder;

/// The server's side of a connection.
type Stream = BufReader<StreamOwned<ServerConnection, TcpStream>>;

/// Answers a request.
type Answer = Arc<dyn Fn(&str, &mut Stream) + Send + Sync>;

/// A TLS server that is scripted by a test.
struct Server {
    port: u16,
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server with the certificate in the folder. For each connection, the server reads
    /// the request, and calls `answer` with it.
    fn start(folder: &Folder, answer: impl Fn(&str, &mut Stream) + Send + Sync + 'static) -> Self {
        Self::boxed(folder, Arc::new(answer))
    }

    fn boxed(folder: &Folder, answer: Answer) -> Self {
        let config = Arc::new(server_config(folder));
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let log = Arc::new(Mutex::new(Vec::new()));
        let requests = Arc::clone(&log);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (config, answer) = (Arc::clone(&config), Arc::clone(&answer));
                let requests = Arc::clone(&requests);
                std::thread::spawn(move || {
                    let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
                    let connection = ServerConnection::new(config).unwrap();
                    let mut stream = BufReader::new(StreamOwned::new(connection, stream));
                    let mut line = String::new();
                    if stream.read_line(&mut line).unwrap_or(0) > 0 {
                        requests.lock().unwrap().push(line.clone());
                        answer(&line, &mut stream);
                    }
                });
            }
        });
        Self { port, log }
    }

    /// Starts a server that gives the same answer to every request.
    fn replies(folder: &Folder, reply: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self::start(folder, move |_, stream| say(stream, reply.as_ref()))
    }

    /// Returns the URL with this path.
    fn url(&self, path: &str) -> String {
        format!("gemini://127.0.0.1:{}{path}", self.port)
    }

    /// Returns the requests, with their line endings.
    fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    fn get(&self, path: &str) -> Result<(Response, Buffer)> {
        fetch(&mut Client::new(policy()), &self.url(path))
    }

    fn get_fails(&self, path: &str) -> Error {
        fails(&mut Client::new(policy()), &self.url(path))
    }
}

/// Sends an answer, and ends the connection with an alert.
fn say(stream: &mut Stream, reply: &[u8]) {
    send(stream, reply);
    let stream = stream.get_mut();
    stream.conn.send_close_notify();
    let _ = stream.flush();
    let _ = stream.conn.complete_io(&mut stream.sock);
}

/// Sends octets. The client may have closed the connection.
fn send(stream: &mut Stream, octets: &[u8]) -> bool {
    let stream = stream.get_mut();
    stream
        .write_all(octets)
        .and_then(|()| stream.flush())
        .is_ok()
}

/// Creates the certificate of a server in a folder; `None` if openssl is not installed.
fn folder(test: &str) -> Option<Folder> {
    let folder = Folder::new("gemini");
    certificate(test, &folder).map(|_| folder)
}
