//! TLS by rustls, with Mozilla's root certificates and those that the caller adds.

use super::socket::Socket;
use crate::error::{Error, ErrorKind, Result};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io;
use std::sync::{Arc, OnceLock};

/// A TLS stream.
pub(super) type Secured = StreamOwned<ClientConnection, Socket>;

/// The trusted root certificates.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trust(Arc<Inner>);

#[derive(Default, Debug)]
struct Inner {
    /// Those that the caller added to Mozilla's.
    own: Vec<CertificateDer<'static>>,
    config: OnceLock<Arc<ClientConfig>>,
}

impl Trust {
    /// Adds the certificates of a PEM file (RFC 7468).
    pub(crate) fn and(&self, pem: &[u8]) -> Result<Self> {
        let failed = |why: String| {
            let error = io::Error::new(io::ErrorKind::InvalidData, why);
            Error::new(ErrorKind::Local(error)).at("reading the root certificates")
        };
        let mut own = self.0.own.clone();
        let before = own.len();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let certificate = certificate.map_err(|error| failed(error.to_string()))?;
            // An invalid certificate is reported here, not at the first connection.
            let added = RootCertStore::empty().add(certificate.clone());
            added.map_err(|error| failed(error.to_string()))?;
            own.push(certificate);
        }
        if own.len() == before {
            return Err(failed("expected a certificate, found none".to_owned()));
        }
        let config = OnceLock::new();
        Ok(Self(Arc::new(Inner { own, config })))
    }

    /// Makes the TLS handshake with `host`: a name, or an address with or without brackets.
    pub(super) fn handshake(&self, stream: Socket, host: &str) -> Result<Secured> {
        let host = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'))
            .unwrap_or(host);
        let failed = |error: Box<dyn std::error::Error + Send + Sync>| {
            Error::new(ErrorKind::Network(io::Error::other(error)))
                .at(format!("securing {host} by TLS"))
        };
        let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(error.into()))?;
        let config = self.config().map_err(|error| failed(error.into()))?;
        let connection =
            ClientConnection::new(config, name).map_err(|error| failed(error.into()))?;
        let mut secured = StreamOwned::new(connection, stream);
        // The handshake is completed here, so that its errors are reported as such.
        while secured.conn.is_handshaking() {
            secured
                .conn
                .complete_io(&mut secured.sock)
                .map_err(|error| Error::network(error).at(format!("securing {host} by TLS")))?;
        }
        Ok(secured)
    }

    fn config(&self) -> std::result::Result<Arc<ClientConfig>, rustls::Error> {
        if let Some(config) = self.0.config.get() {
            return Ok(Arc::clone(config));
        }
        let mut roots = RootCertStore {
            roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
        };
        for certificate in &self.0.own {
            roots.add(certificate.clone())?;
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Arc::clone(self.0.config.get_or_init(|| Arc::new(config))))
    }
}
