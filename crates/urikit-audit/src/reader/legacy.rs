//! Hosts as `inet_aton` reads them.

use super::{Outcome, Reader, standard};
use crate::rejection::Rejection;
use crate::split::any;
use std::net::IpAddr;
use urikit::Standard;

/// The reader `legacy-ipv4`: RFC 3986, but a host is an IPv4 address wherever `inet_aton` of the C
/// library takes it for one, after decoding: octal, hexadecimal and short forms. Clients that
/// give the host to the operating system connect there.
///
/// ```
/// use urikit_audit::{LegacyIpv4, Reader as _};
/// for text in ["http://127.1/", "http://0177.0.0.1/", "http://2130706433/"] {
///     assert_eq!(LegacyIpv4.read(text)?.address, Some([127, 0, 0, 1].into()));
/// }
/// # Ok::<(), urikit_audit::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegacyIpv4;

impl Reader for LegacyIpv4 {
    fn name(&self) -> &'static str {
        "legacy-ipv4"
    }

    fn read<'a>(&self, input: &'a str) -> Outcome<'a> {
        let reference = Standard::Rfc3986.parse(input).map_err(Rejection::Rfc)?;
        let mut reading = standard::reading(reference);
        let host = reading.host.as_deref().unwrap_or_default();
        let begins = host.as_bytes().first().is_some_and(u8::is_ascii_digit);
        if reading.address.is_none() && (begins || any(host, |byte| byte == b'%')) {
            let address = reference.host().and_then(|host| host.legacy_ipv4());
            reading.address = address.map(IpAddr::V4);
        }
        Ok(reading)
    }
}
