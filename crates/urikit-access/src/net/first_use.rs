//! Trust on first use: a certificate is trusted if it is the server's known certificate, or the
//! first certificate that the server presents.

use super::verify::{Unchecked, Verifier};
use crate::error::ErrorKind;
use crate::known_hosts::{Fingerprint, Judgement, KnownHost, KnownHosts};
use jiff::Timestamp;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Verifies the certificate of one server.
///
/// The certificate is checked during the handshake, because the client may present its own
/// certificate before the handshake ends.
#[derive(Debug)]
pub(super) struct FirstUse {
    hosts: KnownHosts,
    /// The host as written in a URL, in lower case.
    host: String,
    port: u16,
    /// The certificates that the caller added.
    own: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
    /// Verifies signatures.
    unchecked: Unchecked,
    judged: Mutex<Option<(KnownHost, Judgement)>>,
}

/// The server's certificate differs from its known certificate.
#[derive(Clone, Debug)]
struct Changed {
    known: KnownHost,
    found: Fingerprint,
    file: Option<PathBuf>,
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the certificate has changed")
    }
}

impl std::error::Error for Changed {}

/// The known-hosts file cannot be read or written.
#[derive(Debug)]
struct Unusable(std::io::Error);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Unusable {}

impl FirstUse {
    pub(super) fn new(
        hosts: KnownHosts,
        host: &str,
        port: u16,
        own: Vec<CertificateDer<'static>>,
        provider: Arc<CryptoProvider>,
    ) -> Self {
        Self {
            hosts,
            host: host.to_ascii_lowercase(),
            port,
            own,
            unchecked: Unchecked::new(Arc::clone(&provider)),
            provider,
            judged: Mutex::default(),
        }
    }

    /// Stores the certificate after the handshake, in which the server has proved that it has the
    /// private key. Returns a note about the certificate, unless it was already known.
    pub(super) fn store(&self) -> Result<Option<String>, ErrorKind> {
        let judged = self.judged.lock();
        let judged = judged.unwrap_or_else(PoisonError::into_inner).take();
        let Some((found, judgement)) = judged else {
            return Ok(None);
        };
        match self.hosts.store(&found, &judgement) {
            Ok(None) => {}
            Ok(Some(known)) => return Err(self.changed(known, &found).into()),
            Err(error) => return Err(ErrorKind::Local(error)),
        }
        let KnownHost {
            host,
            fingerprint,
            expires,
            ..
        } = &found;
        Ok(match judgement {
            Judgement::Known | Judgement::Changed(_) => None,
            Judgement::New => Some(format!(
                "trusting the certificate of {host} on first use: {fingerprint}, valid until \
                 {expires}"
            )),
            Judgement::Replaced { why, .. } => Some(format!(
                "trusting the new certificate of {host}, because {why}: {fingerprint}, valid until \
                 {expires}"
            )),
        })
    }

    fn changed(&self, known: KnownHost, found: &KnownHost) -> Changed {
        Changed {
            known,
            found: found.fingerprint,
            file: self.hosts.path().map(PathBuf::from),
        }
    }
}

impl From<Changed> for ErrorKind {
    fn from(changed: Changed) -> Self {
        let Changed { known, found, file } = changed;
        Self::CertificateChanged {
            known: known.fingerprint.to_string(),
            expires: known.expires,
            found: found.to_string(),
            file,
        }
    }
}

/// Returns the reason why a handshake failed, if this module refused the certificate.
pub(super) fn refusal(error: &Error) -> Option<ErrorKind> {
    let Error::InvalidCertificate(CertificateError::Other(OtherError(error))) = error else {
        return None;
    };
    if let Some(Unusable(error)) = error.downcast_ref() {
        let error = std::io::Error::new(error.kind(), error.to_string());
        return Some(ErrorKind::Local(error));
    }
    let changed: &Changed = error.downcast_ref()?;
    Some(changed.clone().into())
}

/// Returns the time at which a certificate expires.
///
/// webpki returns this time only in the error for an expired certificate. So the certificate is
/// verified as if the current time were the last possible time. The verification always fails with
/// this error, because webpki checks the dates before anything else.
fn expires(certificate: &CertificateDer<'_>) -> Result<Timestamp, Error> {
    let bad = || Error::InvalidCertificate(CertificateError::BadEncoding);
    let certificate = webpki::EndEntityCert::try_from(certificate).map_err(|_| bad())?;
    let end_of_time = UnixTime::since_unix_epoch(Duration::from_secs(u64::MAX));
    let usage = webpki::KeyUsage::server_auth();
    let verified = certificate.verify_for_usage(&[], &[], &[], end_of_time, usage, None, None);
    match verified {
        Err(webpki::Error::CertExpired { not_after, .. }) => {
            let seconds = i64::try_from(not_after.as_secs()).map_err(|_| bad())?;
            Ok(Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX))
        }
        _ => Err(bad()),
    }
}

impl ServerCertVerifier for FirstUse {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let found = KnownHost {
            host: self.host.clone(),
            port: self.port,
            fingerprint: Fingerprint::of(certificate),
            expires: expires(certificate)?,
        };
        let mut is_signed = || {
            let verifier = Verifier::new(self.own.clone(), &self.provider);
            verifier.is_ok_and(|verifier| {
                verifier
                    .verify_server_cert(certificate, intermediates, name, ocsp_response, now)
                    .is_ok()
            })
        };
        let other = |error: Arc<dyn std::error::Error + Send + Sync>| {
            Error::InvalidCertificate(CertificateError::Other(OtherError(error)))
        };
        let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        let now = Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX);
        let judged = self.hosts.judge(&found, now, &mut is_signed);
        let judgement = judged.map_err(|error| other(Arc::new(Unusable(error))))?;
        if let Judgement::Changed(known) = judgement {
            return Err(other(Arc::new(self.changed(known, &found))));
        }
        let mut judged = self.judged.lock().unwrap_or_else(PoisonError::into_inner);
        *judged = Some((found, judgement));
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.unchecked
            .verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.unchecked
            .verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.unchecked.supported_verify_schemes()
    }
}
