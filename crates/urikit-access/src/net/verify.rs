//! Verifies the certificates of servers.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme,
};
use std::fmt;
use std::sync::Arc;

/// Trusts the certificates that the caller added, and the system's trust store. If the system has
/// no trust store, trusts Mozilla's list.
#[derive(Debug)]
pub(super) struct Verifier {
    own: Vec<CertificateDer<'static>>,
    /// Verifies a certificate using the added certificates as roots.
    by_own: Option<Arc<WebPkiServerVerifier>>,
    by_system: Arc<dyn ServerCertVerifier>,
}

impl Verifier {
    pub(super) fn new(
        own: Vec<CertificateDer<'static>>,
        provider: &Arc<CryptoProvider>,
    ) -> Result<Self, Error> {
        let by_own = if own.is_empty() {
            None
        } else {
            let mut roots = RootCertStore::empty();
            for certificate in &own {
                roots.add(certificate.clone())?;
            }
            Some(by_roots(roots, provider)?)
        };
        let system = rustls_platform_verifier::Verifier::new(Arc::clone(provider));
        let by_system: Arc<dyn ServerCertVerifier> = if let Ok(system) = system {
            Arc::new(system)
        } else {
            // Small systems, such as containers, may have no trust store.
            let roots = webpki_roots::TLS_SERVER_ROOTS.to_vec();
            by_roots(RootCertStore { roots }, provider)?
        };
        Ok(Self {
            own,
            by_own,
            by_system,
        })
    }

    /// Returns true if a certificate that failed verification is a self-signed certificate that the
    /// caller added. webpki has already checked the dates, and this function checks the host name.
    fn is_own(
        &self,
        certificate: &CertificateDer<'_>,
        name: &ServerName<'_>,
        error: &Error,
    ) -> Result<bool, Error> {
        let is_added = self.own.iter().any(|own| own == certificate);
        if !is_added || !is_authority(error) {
            return Ok(false);
        }
        verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
        Ok(true)
    }
}

fn by_roots(
    roots: RootCertStore,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, Error> {
    let builder =
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider));
    let built = builder.build();
    built.map_err(|error| Error::Other(OtherError(Arc::new(error))))
}

/// Returns true if webpki rejects the certificate only because it belongs to a certificate
/// authority.
pub(super) fn is_authority(error: &Error) -> bool {
    let Error::InvalidCertificate(CertificateError::Other(OtherError(error))) = error else {
        return false;
    };
    matches!(error.downcast_ref(), Some(webpki::Error::CaUsedAsEndEntity))
}

/// The certificate is self-signed, and not trusted.
#[derive(Debug)]
pub(super) struct SelfSigned;

impl fmt::Display for SelfSigned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("self-signed, and not trusted")
    }
}

impl std::error::Error for SelfSigned {}

/// Replaces the error for an untrusted certificate that names itself as its issuer.
fn explained(error: Error, certificate: &CertificateDer<'_>) -> Error {
    let is_unknown = matches!(
        error,
        Error::InvalidCertificate(CertificateError::UnknownIssuer)
    );
    let parsed = webpki::EndEntityCert::try_from(certificate);
    let is_own_issuer = parsed.is_ok_and(|it| it.issuer() == it.subject());
    if is_own_issuer && (is_unknown || is_authority(&error)) {
        let error = OtherError(Arc::new(SelfSigned));
        return Error::InvalidCertificate(CertificateError::Other(error));
    }
    error
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let mut own_error = None;
        if let Some(by_own) = &self.by_own {
            let verified =
                by_own.verify_server_cert(certificate, intermediates, name, ocsp_response, now);
            match verified {
                Ok(verified) => return Ok(verified),
                Err(error) if self.is_own(certificate, name, &error)? => {
                    return Ok(ServerCertVerified::assertion());
                }
                Err(error) => own_error = Some(error),
            }
        }
        let verified =
            self.by_system
                .verify_server_cert(certificate, intermediates, name, ocsp_response, now);
        // The error about an added certificate is more specific than the system's error.
        let is_added = self.own.iter().any(|own| own == certificate);
        verified.map_err(|error| {
            let error = own_error.filter(|_| is_added).unwrap_or(error);
            explained(error, certificate)
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.by_system
            .verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.by_system
            .verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.by_system.supported_verify_schemes()
    }
}

/// Trusts every certificate, as [`Client::unverified`](crate::Client::unverified) requests. The
/// server must still prove that it has the private key.
#[derive(Debug)]
pub(super) struct Unchecked(Arc<CryptoProvider>);

impl Unchecked {
    pub(super) const fn new(provider: Arc<CryptoProvider>) -> Self {
        Self(provider)
    }
}

impl ServerCertVerifier for Unchecked {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
