//! TLS by rustls, with the roots that Mozilla trusts.

use crate::error::{Error, ErrorKind, Result};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io;
use std::net::TcpStream;
use std::sync::{Arc, OnceLock};

/// A stream that is secured.
pub(super) type Secured = StreamOwned<ClientConnection, TcpStream>;

/// Secures a stream to `host`, which is a name, or an address with or without brackets.
pub(super) fn secure(stream: TcpStream, host: &str) -> Result<Secured> {
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| {
        Error::new(ErrorKind::Network(io::Error::other(error)))
            .at(format!("securing {host} by TLS"))
    };
    let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(error.into()))?;
    let config = config().map_err(|error| failed(error.into()))?;
    let connection = ClientConnection::new(config, name).map_err(|error| failed(error.into()))?;
    let mut secured = StreamOwned::new(connection, stream);
    // The handshake, so that its errors are told as such.
    while secured.conn.is_handshaking() {
        secured
            .conn
            .complete_io(&mut secured.sock)
            .map_err(|error| Error::network(error).at(format!("securing {host} by TLS")))?;
    }
    Ok(secured)
}

fn config() -> std::result::Result<Arc<ClientConfig>, rustls::Error> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(Arc::clone(config));
    }
    let roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::clone(CONFIG.get_or_init(|| Arc::new(config))))
}
