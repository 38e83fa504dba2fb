//! `uri serve`: a server with a page and an API.

use crate::exit::{Exit, Stop};
use crate::options::bytes;
use crate::screen::say;
use crate::style::ERROR;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use urikit_serve::{Config, GatewayConfig, Limits, LogFormat, Server};

/// Serve a page that explains URLs, and an API with the results of --json
///
/// The page is at `/`. The API has a path under `/api/v1/` for each operation, such as
/// `/api/v1/explain?url=http://a/`, and returns the lines that the subcommand prints with --json.
/// `/api/v1/openapi.json` describes the API, and `/healthz` answers while the server runs.
///
/// The gateway, at http://127.0.0.1:8739/, shows resources of ftp, gopher, news, wais, prospero,
/// gemini, spartan, nex and finger servers as pages: append the URL of a resource to the gateway's
/// address, or set the gateway as the proxy for these schemes.
///
/// By default, only programs on this machine can connect. Requests with a foreign Host or Origin
/// field are refused, so other sites cannot use the server through a browser. Only the gateway
/// makes connections, and only to public addresses. The server reads no files.
///
/// SIGTERM and Ctrl-C stop the server. Requests in progress then have 10 seconds to finish.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  uri serve
  uri serve --listen 127.0.0.1:0 --listen '[::1]:8738'
  uri serve --listen 0.0.0.0:80 --public-host uri.example.org --gateway-listen off
  lynx http://localhost:8739/gopher://gopher.floodgap.com/
  ftp_proxy=http://localhost:8739 lynx ftp://ftp.gnu.org/
  curl -G localhost:8738/api/v1/parse --data-urlencode url=http://a/b

Exit status:
  0  stopped by a signal
  2  usage error
  3  an address cannot be used")]
pub(crate) struct Arguments {
    /// Listen on this address; may be repeated. Port 0 means any free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8738")]
    listen: Vec<SocketAddr>,

    /// Listen on this address for the gateway; `off` turns it off
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:8739",
        value_parser = gateway
    )]
    gateway_listen: GatewayListen,

    /// URL under which browsers reach the gateway [default: the host of the page, with the port of
    /// the gateway]
    #[arg(long, value_name = "URL", value_parser = gateway_url)]
    gateway_url: Option<String>,

    /// Allow the gateway to connect to loopback and private addresses
    #[arg(long)]
    allow_private: bool,

    /// Allow the gateway to connect to port N, even if the port belongs to another protocol; may be
    /// repeated
    #[arg(long, value_name = "N")]
    allow_port: Vec<u16>,

    /// News server for URLs that do not name one
    #[arg(long, value_name = "HOST[:PORT]")]
    news_server: Option<String>,

    /// Maximum number of simultaneous transfers through the gateway
    #[arg(long, value_name = "N", default_value_t = GatewayConfig::default().transfers)]
    max_transfers: usize,

    /// Trust the X-Forwarded-For and X-Forwarded-Proto fields of the proxy at this address; may be
    /// repeated
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<IpAddr>,

    /// Accept requests for this host name; may be repeated
    ///
    /// With this option, the gateway cannot be used as a proxy. This option is required if
    /// --listen is not a loopback address. A proxy with TLS must pass on the name in the Host
    /// field.
    #[arg(long, value_name = "NAME")]
    public_host: Vec<String>,

    /// Format of the log on standard error: text or json
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        value_parser = crate::options::words::<LogFormat>(LogFormat::ALL.map(LogFormat::name)),
        hide_possible_values = true
    )]
    log_format: LogFormat,

    /// Do not log requests
    #[arg(short, long)]
    quiet: bool,

    /// Maximum size of a body, and of a line in a batch; the suffixes k, M and G multiply by powers
    /// of 1024
    #[arg(long, value_name = "BYTES", default_value = "4M", value_parser = bytes)]
    max_body: u64,

    /// Maximum number of lines in a batch
    #[arg(long, value_name = "N", default_value_t = Limits::default().batch)]
    max_batch: usize,

    /// Maximum number of connections
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,

    /// Maximum number of connections from one client: an IPv4 address or an IPv6 /64 network
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_client)]
    max_client_connections: usize,

    /// Maximum number of requests per second from one client, on average; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = Limits::default().requests_per_second)]
    max_requests: u32,

    /// Seconds that a client has to send the head of a request; also the time that a connection
    /// may be idle
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().head_time.as_secs())]
    head_timeout: u64,

    /// Seconds that a client has to send the body of a request
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().body_time.as_secs())]
    body_timeout: u64,

    /// Seconds that a batch may take
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().batch_time.as_secs())]
    batch_timeout: u64,
}

/// The value of `--gateway-listen`.
#[derive(Clone, Copy, Debug)]
enum GatewayListen {
    Off,
    On(SocketAddr),
}

fn gateway(text: &str) -> Result<GatewayListen, String> {
    match text {
        "off" => Ok(GatewayListen::Off),
        text => (text.parse().map(GatewayListen::On))
            .map_err(|_| "expected an address with a port, or off".to_owned()),
    }
}

/// Checks the value of `--gateway-url`.
fn gateway_url(text: &str) -> Result<String, String> {
    let is_http = urikit::Uri::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https") && url.host().is_some() && url.query().is_none()
    });
    if is_http {
        Ok(text.to_owned())
    } else {
        Err("expected an http or https URL".to_owned())
    }
}

/// Serves requests until a signal arrives.
pub(crate) fn run(arguments: Arguments) -> Result<Exit, Stop> {
    let gateway = match arguments.gateway_listen {
        GatewayListen::Off => None,
        GatewayListen::On(listen) => Some(GatewayConfig {
            listen,
            url: arguments.gateway_url,
            allow_private: arguments.allow_private,
            allow_ports: arguments.allow_port,
            news_server: arguments.news_server,
            transfers: arguments.max_transfers,
        }),
    };
    let config = Config {
        listen: arguments.listen,
        public_hosts: arguments.public_host,
        trusted_proxies: arguments.trusted_proxy,
        gateway,
        limits: Limits {
            body: usize::try_from(arguments.max_body).unwrap_or(usize::MAX),
            batch: arguments.max_batch,
            connections: arguments.max_connections,
            connections_per_client: arguments.max_client_connections,
            requests_per_second: arguments.max_requests,
            head_time: Duration::from_secs(arguments.head_timeout),
            body_time: Duration::from_secs(arguments.body_timeout),
            batch_time: Duration::from_secs(arguments.batch_timeout),
            ..Limits::default()
        },
    };
    config
        .check()
        .map_err(|error| Stop::usage("serve", error.to_string()))?;
    let server = match Server::bind(config) {
        Ok(server) => server,
        Err(error) => {
            say!("{ERROR}uri:{ERROR:#} {error}");
            return Ok(Exit::Io);
        }
    };
    for address in server.addresses() {
        say!("Listening on http://{address}/");
    }
    if let Some(address) = server.gateway_address() {
        say!("Gateway on http://{address}/");
    }
    if !arguments.quiet {
        arguments.log_format.start();
    }
    match server.run() {
        Ok(()) => Ok(Exit::Good),
        Err(error) => {
            say!("{ERROR}uri:{ERROR:#} {error}");
            Ok(Exit::Io)
        }
    }
}
