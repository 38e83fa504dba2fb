//! Listens, accepts connections within the limits, and finishes the requests in progress before it
//! stops.

use crate::config::{Config, ConfigError, Limits};
use crate::gateway::{Gateway, LineError, Replayed, read_line};
use crate::guard::{Client, Clients, Connected, Shared};
use crate::router;
use axum::Router;
use axum::body::Body;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::io;
use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tower_service::Service as _;

/// The reason why a server did not start.
#[derive(Debug)]
pub enum ServeError {
    /// The configuration is wrong.
    Config(ConfigError),
    /// An address cannot be used, for example because another program is already listening on it.
    Listen(SocketAddr, io::Error),
    /// The operating system refuses a resource.
    System(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(f),
            Self::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ServeError {}

/// A server that listens, but does not yet accept connections.
///
/// ```
/// use urikit_serve::{Config, Server};
/// let config = Config {
///     listen: vec!["127.0.0.1:0".parse()?], // any free port
///     ..Config::default()
/// };
/// let server = Server::bind(config)?;
/// assert_ne!(server.addresses()[0].port(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Server {
    runtime: Runtime,
    listeners: Vec<TcpListener>,
    addresses: Vec<SocketAddr>,
    gateway: Option<(TcpListener, SocketAddr)>,
    config: Config,
}

/// The number of connections that may wait to be accepted.
const BACKLOG: u32 = 1024;

/// The maximum length of a request head, in bytes.
const MOST_HEAD: usize = 64 << 10;

/// The maximum length of the fields of a request to the gateway, in bytes. hyper also holds this
/// much of a response.
const MOST_FIELDS: usize = 8 << 10;

/// The time after which a failed `accept` is repeated.
const PAUSE: Duration = Duration::from_millis(50);

/// The response to a connection that exceeds a limit.
const BUSY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\
    Retry-After: 5\r\nContent-Length: 0\r\n\r\n";

impl Server {
    /// Listens on the addresses of a configuration.
    ///
    /// # Errors
    ///
    /// Fails if the configuration is wrong, or an address cannot be used.
    pub fn bind(config: Config) -> Result<Self, ServeError> {
        config.check().map_err(ServeError::Config)?;
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(ServeError::System)?;
        let (mut listeners, mut addresses) = (Vec::new(), Vec::new());
        let listen = |address| {
            let _context = runtime.enter();
            let failed = |error| ServeError::Listen(address, error);
            let listener = listen(address).map_err(failed)?;
            let address = listener.local_addr().map_err(failed)?;
            Ok((listener, address))
        };
        for address in &config.listen {
            let (listener, address) = listen(*address)?;
            addresses.push(address);
            listeners.push(listener);
        }
        let gateway = config.gateway.as_ref();
        let gateway = gateway.map(|gateway| listen(gateway.listen)).transpose()?;
        Ok(Self {
            runtime,
            listeners,
            addresses,
            gateway,
            config,
        })
    }

    /// Returns the address on which the gateway listens, if it is on.
    pub fn gateway_address(&self) -> Option<SocketAddr> {
        self.gateway.as_ref().map(|(_, address)| *address)
    }

    /// Returns the addresses on which the server listens. Port 0 has been replaced with the port
    /// that the system chose.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Serves until the process receives SIGTERM or SIGINT, and then finishes the requests under
    /// way.
    ///
    /// # Errors
    ///
    /// Fails if signals cannot be received.
    pub fn run(self) -> Result<(), ServeError> {
        let signals = {
            let _context = self.runtime.enter();
            signals().map_err(ServeError::System)?
        };
        self.run_until(signals);
        Ok(())
    }

    /// Serves until `stop` is ready, and then finishes the requests in progress.
    pub fn run_until(self, stop: impl Future<Output = &'static str>) {
        let Self {
            runtime,
            listeners,
            addresses,
            gateway,
            config,
        } = self;
        let grace = config.limits.grace;
        let (settings, hosts) = (config.gateway.clone(), config.public_hosts.clone());
        let address = gateway.as_ref().map(|(_, address)| *address);
        let shared = Arc::new(Shared::new(config, &addresses, address));
        let gateway = gateway
            .zip(settings)
            .map(|((listener, address), settings)| {
                let gateway = Gateway::new(&settings, &hosts, address, Arc::clone(&shared));
                (listener, Arc::new(gateway))
            });
        if let Some((_, gateway)) = &gateway {
            let _ = shared.schemes.set(gateway.schemes());
        }
        let own = gateway.as_ref().map(|(_, gateway)| Arc::clone(gateway));
        let (stopped, stops) = watch::channel(());
        let (alive, mut all) = mpsc::channel::<()>(1);
        let acceptor = Acceptor {
            limits: Arc::new(shared.limits.clone()),
            shared: Arc::clone(&shared),
            service: Service::Router(router(shared, own)),
            stops,
            alive,
        };
        runtime.block_on(async move {
            for listener in listeners {
                tokio::spawn(acceptor.clone().accept(listener));
            }
            if let Some((listener, gateway)) = gateway {
                let service = Service::Gateway(gateway);
                let acceptor = Acceptor {
                    service,
                    ..acceptor.clone()
                };
                tokio::spawn(acceptor.accept(listener));
            }
            drop(acceptor);
            let reason = stop.await;
            tracing::info!(reason, "stopping");
            drop(stopped);
            // Nothing is ever sent on this channel, which closes when the last connection ends.
            if tokio::time::timeout(grace, all.recv()).await.is_err() {
                tracing::warn!("some requests were not finished in time");
            }
        });
        runtime.shutdown_timeout(Duration::from_secs(1));
    }
}

/// Listens on an address, even if another server on this address was stopped a moment ago.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => tokio::net::TcpSocket::new_v4()?,
        SocketAddr::V6(_) => tokio::net::TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Waits for a signal to stop.
fn signals() -> io::Result<impl Future<Output = &'static str>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "SIGINT",
        }
    })
}

/// Accepts connections.
#[derive(Clone)]
struct Acceptor {
    limits: Arc<Limits>,
    shared: Arc<Shared>,
    service: Service,
    /// A channel that closes when the server stops.
    stops: watch::Receiver<()>,
    /// Each connection has a copy of this sender.
    alive: mpsc::Sender<()>,
}

/// Answers the requests to a listener.
#[derive(Clone)]
enum Service {
    /// The page and the API.
    Router(Router),
    Gateway(Arc<Gateway>),
}

/// A connection that was accepted.
struct Accepted {
    stream: Pin<Box<TimeoutStream<TcpStream>>>,
    address: IpAddr,
    /// Counts the connection.
    _connected: Connected,
    _alive: mpsc::Sender<()>,
}

impl Acceptor {
    /// Accepts connections until the server stops.
    async fn accept(mut self, listener: TcpListener) {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = self.stops.changed() => return,
            };
            match accepted {
                Ok((stream, address)) => self.serve(stream, address.ip()),
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    /// Serves the requests on a connection.
    fn serve(&self, stream: TcpStream, address: IpAddr) {
        let is_proxy = self.shared.proxies.trusts(address);
        let clients: &Arc<Clients> = &self.shared.clients;
        let Some(connected) = clients.connect(address, is_proxy) else {
            tracing::warn!(client = %address, "too many connections");
            // If the client cannot receive the response at once, the response is dropped.
            let _ = stream.into_std().and_then(|mut stream| stream.write(BUSY));
            return;
        };
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.limits.write_time));
        let accepted = Accepted {
            stream: Box::pin(stream),
            address,
            _connected: connected,
            _alive: self.alive.clone(),
        };
        let this = self.clone();
        match &self.service {
            Service::Router(router) => {
                let router = router.clone();
                tokio::spawn(async move { this.route(accepted, router).await });
            }
            Service::Gateway(gateway) => {
                let gateway = Arc::clone(gateway);
                tokio::spawn(async move { this.browse(accepted, gateway).await });
            }
        }
    }

    /// Returns the settings of connections.
    fn builder(&self) -> http1::Builder {
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.head_time)
            .max_buf_size(MOST_HEAD);
        builder
    }

    /// Answers with the page and the API.
    async fn route(mut self, accepted: Accepted, router: Router) {
        let address = accepted.address;
        let has_request = Arc::new(AtomicBool::new(false));
        let begins = Arc::clone(&has_request);
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            begins.store(true, Ordering::Relaxed);
            request.extensions_mut().insert(Client(address));
            router.clone().call(request.map(Body::new))
        });
        let connection = self
            .builder()
            .half_close(true)
            .serve_connection(TokioIo::new(accepted.stream), service);
        let mut connection = std::pin::pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => Some(ended),
            _ = self.stops.changed() => None,
        };
        let ended = match ended {
            // Browsers open connections before they need them. When the server stops, it need not
            // wait for the first request on such a connection.
            None if !has_request.load(Ordering::Relaxed) => Ok(()),
            None => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
            Some(ended) => ended,
        };
        if let Err(error) = ended {
            tracing::debug!(client = %address, %error, "a connection failed");
        }
    }

    /// Answers one request with the gateway. If the client closes the connection, the response is
    /// dropped, which cancels its transfer.
    async fn browse(mut self, accepted: Accepted, gateway: Arc<Gateway>) {
        let Accepted {
            mut stream,
            address,
            ..
        } = accepted;
        let line = tokio::select! {
            line = timeout(self.limits.head_time, read_line(&mut stream)) => line,
            _ = self.stops.changed() => return,
        };
        let (line, first) = match line.unwrap_or(Err(LineError::Closed)) {
            Ok(line) => line,
            Err(error) => {
                let _ = stream.write_all(error.response()).await;
                return;
            }
        };
        let line = Arc::new(line);
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let (gateway, line) = (Arc::clone(&gateway), Arc::clone(&line));
            async move {
                let response = gateway.answer((*line).clone(), request, address).await;
                Ok::<Response, Infallible>(response)
            }
        });
        let stream = TokioIo::new(Replayed::new(first, stream));
        let connection = self
            .builder()
            .max_buf_size(MOST_FIELDS)
            .keep_alive(false)
            .serve_connection(stream, service);
        if let Err(error) = connection.await {
            tracing::debug!(client = %address, %error, "a connection failed");
        }
    }
}
