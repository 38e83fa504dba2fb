//! A server of datagrams: UDP on a free loopback port.

use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

type Answer = dyn FnMut(&[u8], SocketAddr) -> Vec<Vec<u8>> + Send;

/// A server that answers each datagram with datagrams.
pub struct Datagrams {
    /// Its port.
    pub port: u16,
    received: Arc<Mutex<Vec<Vec<u8>>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Datagrams {
    /// Starts a server. `answer` gets each datagram, and where it came from.
    ///
    /// # Panics
    ///
    /// If there is no port.
    pub fn start(answer: impl FnMut(&[u8], SocketAddr) -> Vec<Vec<u8>> + Send + 'static) -> Self {
        Self::with(Box::new(answer))
    }

    /// The same for all functions, so that it is compiled once and not for each test.
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

    /// The datagrams that were received.
    ///
    /// # Panics
    ///
    /// If the server panicked.
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
