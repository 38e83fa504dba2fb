//! TLS using rustls, with the system's trust store and the certificates that the caller adds.

use super::first_use::{self, FirstUse};
use super::secured::Secured;
use super::socket::Socket;
use super::verify::{SelfSigned, Unchecked, Verifier, is_authority};
use crate::error::{Error, ErrorKind, Result};
use crate::known_hosts::KnownHosts;
use jiff::Timestamp;
use rustls::client::UnbufferedClientConnection;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{AlertDescription, CertificateError, ClientConfig, OtherError, RootCertStore};
use std::io;
use std::sync::{Arc, OnceLock};

/// The certificates that this client trusts, and the certificate that it presents to servers.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trust(Arc<Inner>);

#[derive(Default, Debug)]
struct Inner {
    /// The certificates that the caller trusts in addition to the system's trust store.
    own: Vec<CertificateDer<'static>>,
    identity: Option<Identity>,
    is_unchecked: bool,
    config: OnceLock<Arc<ClientConfig>>,
}

/// The certificate chain of this client, and its private key.
#[derive(Debug)]
struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Clone for Identity {
    fn clone(&self) -> Self {
        Self {
            chain: self.chain.clone(),
            key: self.key.clone_key(),
        }
    }
}

impl Trust {
    /// Returns a copy of the settings, to be modified.
    fn copy(&self) -> Inner {
        Inner {
            own: self.0.own.clone(),
            identity: self.0.identity.clone(),
            is_unchecked: self.0.is_unchecked,
            config: OnceLock::new(),
        }
    }

    /// Also trusts the certificates in a PEM file (RFC 7468).
    pub(crate) fn and(&self, pem: &[u8]) -> Result<Self> {
        let mut inner = self.copy();
        for certificate in certificates(pem, "reading the root certificates")? {
            // Report an invalid certificate now, rather than when the first connection is opened.
            let added = RootCertStore::empty().add(certificate.clone());
            let step = "reading the root certificates";
            added.map_err(|error| local(error.to_string(), step))?;
            inner.own.push(certificate);
        }
        Ok(Self(Arc::new(inner)))
    }

    /// Sets the client's certificate and its key, from PEM files.
    pub(crate) fn identified(&self, certificate: &[u8], key: &[u8]) -> Result<Self> {
        let step = "reading the client's certificate";
        let mut inner = self.copy();
        let chain = certificates(certificate, step)?;
        let key = PrivateKeyDer::from_pem_slice(key);
        let key = key.map_err(|error| local(format!("the key: {error}"), step))?;
        inner.identity = Some(Identity { chain, key });
        let trust = Self(Arc::new(inner));
        // Build the configuration now, to report a key that does not match the certificate.
        trust
            .config()
            .map_err(|error| local(error.to_string(), step))?;
        Ok(trust)
    }

    /// Trusts every server, regardless of its certificate.
    pub(crate) fn unchecked(&self) -> Self {
        let mut inner = self.copy();
        inner.is_unchecked = true;
        Self(Arc::new(inner))
    }

    /// Returns true if `self` and `other` share one copy of the settings. Equal copies do not
    /// count.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns true if this client trusts every server.
    pub(super) fn is_unchecked(&self) -> bool {
        self.0.is_unchecked
    }

    /// Performs the TLS handshake with `host`, which is a name, or an address with or without
    /// brackets. Offers `protocol` with ALPN.
    pub(super) fn handshake(
        &self,
        socket: Socket,
        host: &str,
        protocol: Option<&[u8]>,
    ) -> Result<Secured> {
        let config = self.config().map_err(|error| failed(host, error.into()))?;
        secure(config, socket, host, protocol)
    }

    /// Performs the TLS handshake with `host`, whose certificate is trusted on first use. Presents
    /// the client's certificate only if `is_identified` is true. Returns a note about the
    /// certificate, unless it was already known.
    pub(super) fn first_use_handshake(
        &self,
        socket: Socket,
        (host, port): (&str, u16),
        hosts: &KnownHosts,
        is_identified: bool,
    ) -> Result<(Secured, Option<String>)> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let own = self.0.own.clone();
        let hosts = hosts.clone();
        let verifier = Arc::new(FirstUse::new(hosts, host, port, own, Arc::clone(&provider)));
        let certificates: Arc<dyn ServerCertVerifier> = Arc::<FirstUse>::clone(&verifier);
        let identity = self.0.identity.clone().filter(|_| is_identified);
        let config = configuration(provider, certificates, identity);
        let config = config.map_err(|error| failed(host, error.into()))?;
        let secured = secure(Arc::new(config), socket, host, None)?;
        let note = verifier.store();
        let note = note.map_err(|kind| Error::new(kind).with_step(step(host)))?;
        Ok((secured, note))
    }

    fn config(&self) -> std::result::Result<Arc<ClientConfig>, rustls::Error> {
        if let Some(config) = self.0.config.get() {
            return Ok(Arc::clone(config));
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier: Arc<dyn ServerCertVerifier> = if self.0.is_unchecked {
            Arc::new(Unchecked::new(Arc::clone(&provider)))
        } else {
            Arc::new(Verifier::new(self.0.own.clone(), &provider)?)
        };
        let config = configuration(provider, verifier, self.0.identity.clone())?;
        Ok(Arc::clone(self.0.config.get_or_init(|| Arc::new(config))))
    }
}

/// Creates a configuration with a verifier, and with the client's certificate, if any.
fn configuration(
    provider: Arc<CryptoProvider>,
    verifier: Arc<dyn ServerCertVerifier>,
    identity: Option<Identity>,
) -> std::result::Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    match identity {
        Some(Identity { chain, key }) => builder.with_client_auth_cert(chain, key),
        None => Ok(builder.with_no_client_auth()),
    }
}

/// Performs a handshake.
fn secure(
    config: Arc<ClientConfig>,
    socket: Socket,
    host: &str,
    protocol: Option<&[u8]>,
) -> Result<Secured> {
    let name = ServerName::try_from(unbracketed(host).to_owned());
    let name = name.map_err(|error| failed(host, error.into()))?;
    let protocols = protocol.map(<[u8]>::to_vec).into_iter().collect();
    let connection = UnbufferedClientConnection::new_with_alpn(config, name, protocols)
        .map_err(|error| failed(host, error.into()))?;
    // Complete the handshake here, so that its errors mention this step.
    Secured::handshake(connection, socket).map_err(|error| {
        let error = match (refusal(&error), untrusted(&error), protocol_error(&error)) {
            (None, Some(why), _) => Error::new(ErrorKind::Untrusted(why)),
            (Some(kind), _, _) | (None, None, Some(kind)) => Error::new(kind),
            (None, None, None) => Error::network(readable(error)),
        };
        error.with_step(step(host))
    })
}

/// Removes the brackets of an IPv6 address.
fn unbracketed(host: &str) -> &str {
    host.strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host)
}

fn step(host: &str) -> String {
    format!("securing {} by TLS", unbracketed(host))
}

fn failed(host: &str, error: Box<dyn std::error::Error + Send + Sync>) -> Error {
    Error::new(ErrorKind::Network(io::Error::other(error))).with_step(step(host))
}

fn refusal(error: &io::Error) -> Option<ErrorKind> {
    first_use::refusal(error.get_ref()?.downcast_ref()?)
}

fn local(why: String, step: &str) -> Error {
    let error = io::Error::new(io::ErrorKind::InvalidData, why);
    Error::new(ErrorKind::Local(error)).with_step(step)
}

fn certificates(pem: &[u8], step: &str) -> Result<Vec<CertificateDer<'static>>> {
    let found: std::result::Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let found = found.map_err(|error| local(error.to_string(), step))?;
    if found.is_empty() {
        let why = "expected a certificate, found none".to_owned();
        return Err(local(why, step));
    }
    Ok(found)
}

/// Explains why an otherwise valid certificate is not trusted.
fn untrusted(error: &io::Error) -> Option<&'static str> {
    let error: &rustls::Error = error.get_ref()?.downcast_ref()?;
    match error {
        rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            Some("the server's certificate is not signed by a trusted authority")
        }
        rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(other)))
            if other.is::<SelfSigned>() =>
        {
            Some("the server's certificate is self-signed, and not trusted")
        }
        error if is_authority(error) => {
            Some("the server uses a CA certificate that is not trusted")
        }
        _ => None,
    }
}

/// Explains a protocol error, which means that the server does not speak TLS, or that it does not
/// support the protocol that was offered with ALPN (RFC 7301, 3.2).
fn protocol_error(error: &io::Error) -> Option<ErrorKind> {
    match error.get_ref()?.downcast_ref()? {
        rustls::Error::InvalidMessage(_) => Some(ErrorKind::NoTls),
        rustls::Error::AlertReceived(AlertDescription::NoApplicationProtocol) => {
            Some(ErrorKind::Unsupported(ONLY_HTTP2))
        }
        _ => None,
    }
}

/// The error message for a server that refuses HTTP/1.1.
pub(crate) const ONLY_HTTP2: &str =
    "the server does not speak HTTP/1.1; HTTP/2 and HTTP/3 are not supported";

/// Rewrites an error about a certificate's dates, because rustls reports them in seconds.
fn readable(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|error| error.downcast_ref());
    let Some(rustls::Error::InvalidCertificate(why)) = inner else {
        return error;
    };
    let date = |time: &UnixTime| {
        let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
        Timestamp::from_second(seconds).map_or_else(|_| seconds.to_string(), |it| it.to_string())
    };
    let text = match why {
        CertificateError::ExpiredContext { not_after, .. } => {
            format!("the certificate expired at {}", date(not_after))
        }
        CertificateError::NotValidYetContext { not_before, .. } => {
            format!("the certificate is not valid before {}", date(not_before))
        }
        _ => return error,
    };
    io::Error::new(error.kind(), format!("invalid peer certificate: {text}"))
}

#[cfg(test)]
mod tests {
    use super::readable;
    use rustls::pki_types::UnixTime;
    use rustls::{CertificateError, Error};
    use std::io;
    use std::time::Duration;

    #[test]
    fn dates_can_be_read() {
        let at = |seconds| UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        let (time, not_after) = (at(1_800_000_000), at(784_111_777));
        let expired = CertificateError::ExpiredContext { time, not_after };
        let early = CertificateError::NotValidYetContext {
            time,
            not_before: at(2_000_000_000),
        };
        for (why, text) in [
            (expired, "the certificate expired at 1994-11-06T08:49:37Z"),
            (
                early,
                "the certificate is not valid before 2033-05-18T03:33:20Z",
            ),
        ] {
            let error = io::Error::other(Error::InvalidCertificate(why));
            let shown = readable(error).to_string();
            assert_eq!(shown, format!("invalid peer certificate: {text}"));
        }
    }
}
