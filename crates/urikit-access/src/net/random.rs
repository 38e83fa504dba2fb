//! Random numbers of the system, through the cryptography of TLS.

use crate::error::{Error, ErrorKind, Result};

/// Fills `octets` with random ones, which nobody can predict.
pub(crate) fn random(octets: &mut [u8]) -> Result<()> {
    let random = rustls::crypto::ring::default_provider().secure_random;
    random.fill(octets).map_err(|_| {
        let error = std::io::Error::other("the system has no random numbers");
        Error::new(ErrorKind::Local(error))
    })
}
