//! Numbers that nobody can predict: those of the system, through the cryptography of TLS.

use crate::error::{Error, ErrorKind, Result};

/// A number other than 0.
pub(crate) fn unpredictable() -> Result<u16> {
    let random = rustls::crypto::ring::default_provider().secure_random;
    loop {
        let mut octets = [0; 2];
        if random.fill(&mut octets).is_err() {
            let error = std::io::Error::other("the system has no random numbers");
            return Err(Error::new(ErrorKind::Local(error)));
        }
        match u16::from_be_bytes(octets) {
            0 => {}
            number => return Ok(number),
        }
    }
}
