//! TCP and UDP servers scripted by a test, including misbehaving ones.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::thread::JoinHandle;
use std::time::Duration;

/// A TCP server that runs a function supplied by the test for each connection.
#[derive(Debug)]
pub struct Scripted {
    /// The loopback port.
    pub port: u16,
    log: Arc<Mutex<Vec<String>>>,
}

/// The server's side of a connection. After the client has closed the connection, writes are
/// ignored and reads report the end of the input.
#[derive(Debug)]
pub struct Conversation {
    reader: BufReader<TcpStream>,
    log: Arc<Mutex<Vec<String>>>,
    /// The number of the connection, counting from 0.
    pub number: usize,
}

impl Scripted {
    /// Listens on a free port, and calls `serve` for each connection in a new thread.
    ///
    /// # Panics
    ///
    /// Panics if the server cannot listen.
    pub fn start(serve: impl Fn(&mut Conversation) + Send + Sync + 'static) -> Self {
        Self::with(Arc::new(serve))
    }

    /// Works like [`start`](Self::start), but with a boxed function, so that this code is compiled
    /// once, not once for each test.
    fn with(serve: Arc<dyn Fn(&mut Conversation) + Send + Sync>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let log = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&log);
        thread::spawn(move || {
            for (number, stream) in listener.incoming().flatten().enumerate() {
                let (serve, log) = (Arc::clone(&serve), Arc::clone(&to));
                // Without this option, a second small write would wait until the client
                // acknowledges the first.
                let _ = stream.set_nodelay(true);
                let reader = BufReader::new(stream);
                thread::spawn(move || {
                    serve(&mut Conversation {
                        reader,
                        log,
                        number,
                    });
                });
            }
        });
        Self { port, log }
    }

    /// Returns the lines received on all connections, without line endings.
    pub fn log(&self) -> Vec<String> {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Conversation {
    /// Reads a line, and returns it without its line ending. Returns `None` at the end of the
    /// input.
    pub fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let count = self.reader.read_until(b'\n', &mut line).unwrap_or(0);
        if count == 0 {
            return None;
        }
        let line = String::from_utf8_lossy(&line)
            .trim_end_matches(['\r', '\n'])
            .to_owned();
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line.clone());
        Some(line)
    }

    /// Reads `count` bytes, or fewer at the end of the input.
    pub fn bytes(&mut self, count: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let _ = self.reader.by_ref().take(count).read_to_end(&mut bytes);
        bytes
    }

    /// Discards all input that arrives within the given time, like a server that hands a connection
    /// over to another process.
    pub fn lose(&mut self, within: Duration) {
        thread::sleep(within);
        let _ = self.reader.get_ref().set_nonblocking(true);
        loop {
            let buffered = self.reader.buffer().len();
            self.reader.consume(buffered);
            match self.reader.fill_buf() {
                Ok(bytes) if !bytes.is_empty() => {}
                _ => break,
            }
        }
        let _ = self.reader.get_ref().set_nonblocking(false);
    }

    /// Sends bytes. Returns false if the client has closed the connection.
    pub fn say(&mut self, text: impl AsRef<[u8]>) -> bool {
        self.reader.get_mut().write_all(text.as_ref()).is_ok()
    }

    /// Sends the same bytes again and again until the client closes the connection.
    pub fn say_forever(&mut self, text: impl AsRef<[u8]>) {
        while self.say(&text) {}
    }

    /// Sends the text again and again, one byte after each `pause`, until the client closes the
    /// connection.
    pub fn drip(&mut self, text: impl AsRef<[u8]>, pause: Duration) {
        for byte in text.as_ref().iter().cycle() {
            if !self.say([*byte]) {
                return;
            }
            thread::sleep(pause);
        }
    }

    /// Stops sending, and waits until the client closes the connection.
    pub fn hang(&mut self) {
        let mut buffer = [0; 4096];
        while self.reader.read(&mut buffer).is_ok_and(|count| count > 0) {}
    }

    /// Closes the connection.
    pub fn close(&mut self) {
        let _ = self.reader.get_mut().shutdown(Shutdown::Both);
    }
}

type Answer = dyn FnMut(&[u8], SocketAddr) -> Vec<Vec<u8>> + Send;

/// A UDP server that answers each datagram with any number of datagrams.
pub struct Datagrams {
    /// The loopback port.
    pub port: u16,
    received: Arc<Mutex<Vec<Vec<u8>>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Datagrams {
    /// Starts a server. `answer` receives each datagram and the address of its sender.
    ///
    /// # Panics
    ///
    /// Panics if no port is free.
    pub fn start(answer: impl FnMut(&[u8], SocketAddr) -> Vec<Vec<u8>> + Send + 'static) -> Self {
        Self::with(Box::new(answer))
    }

    /// Works like [`start`](Self::start), but with a boxed function, so that this code is compiled
    /// once, not once for each test.
    #[allow(clippy::disallowed_methods)] // a test server
    fn with(mut answer: Box<Answer>) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket
            .set_read_timeout(Some(Duration::from_millis(20)))
            .unwrap();
        let port = socket.local_addr().unwrap().port();
        let (received, stop) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let (log, stopped) = (Arc::clone(&received), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            let log: Arc<Mutex<Vec<Vec<u8>>>> = log;
            let mut buffer = vec![0; 64 << 10];
            while !stopped.load(Ordering::Relaxed) {
                let Ok((length, peer)) = socket.recv_from(&mut buffer) else {
                    continue;
                };
                log.lock().unwrap().push(buffer[..length].to_vec());
                for datagram in answer(&buffer[..length], peer) {
                    let _ = socket.send_to(&datagram, peer);
                }
            }
        });
        Self {
            port,
            received,
            stop,
            thread: Some(thread),
        }
    }

    /// Returns the received datagrams.
    ///
    /// # Panics
    ///
    /// Panics if the server's thread has panicked.
    pub fn received(&self) -> Vec<Vec<u8>> {
        self.received.lock().unwrap().clone()
    }
}

impl Drop for Datagrams {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
