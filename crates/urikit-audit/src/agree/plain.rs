//! A fast path: URLs of which all readers that only split make the same.
//!
//! The rules of `lenient`, `curl`, `urllib`, `java-net-uri` and `legacy-ipv4` differ from those of
//! RFC 3986 in what they accept beyond it, in what they decode, and in what they put into lower
//! case. A URL with an ordinary host gives none of them an occasion, so that one parse does for
//! all. A test compares the voices with those of the readers themselves.

use super::Voice;
use crate::reader::{
    Curl, JavaNetUri, LegacyIpv4, Lenient, Reader as _, Urllib, Whatwg, of_reference,
};
use crate::reading::Reading;
use std::borrow::Cow;
use urikit::{AnyRef, HostKind, Standard};

/// The voices of all voters, if the input is a plain URL.
pub(super) fn voices(input: &str) -> Option<Vec<Voice<'_>>> {
    let reference = Standard::Rfc3986.parse(input).ok()?;
    if !is_plain(reference) {
        return None;
    }
    let reading = of_reference(reference);
    let mut voices = Vec::with_capacity(7);
    let mut say = |reader: &'static str, outcome| voices.push(Voice { reader, outcome });
    say(Standard::Rfc3986.name(), Ok(reading.clone()));
    say(Whatwg.name(), Whatwg.read(input));
    say(Lenient.name(), Ok(reading.clone()));
    let fragment = reading.fragment.clone().filter(|text| !text.is_empty());
    let curl = Reading {
        path: match &*reading.path {
            "" => Cow::Borrowed("/"),
            _ => reading.path.clone(),
        },
        fragment: fragment.clone(),
        ..reading.clone()
    };
    let urllib = Reading {
        query: reading.query.clone().filter(|text| !text.is_empty()),
        fragment,
        ..reading.clone()
    };
    say(Curl.name(), Ok(curl));
    say(Urllib.name(), Ok(urllib));
    say(JavaNetUri.name(), Ok(reading.clone()));
    say(LegacyIpv4.name(), Ok(reading));
    Some(voices)
}

/// A scheme in lower case that curl accepts; a host name in lower case that ends in a label with a
/// letter, or an IPv4 address in the form of RFC 3986; a port as a number is written; a path
/// without dot segments.
fn is_plain(reference: AnyRef<'_>) -> bool {
    let Some((scheme, host)) = reference.scheme().zip(reference.host()) else {
        return false;
    };
    let is_lower = |text: &str| !crate::split::any(text, |byte| byte.is_ascii_uppercase());
    let has_plain_port = match reference.port() {
        None => true,
        Some(digits) => !digits.starts_with('0') && reference.port_number().is_some(),
    };
    let mut pairs = reference.path().as_str().as_bytes().windows(2);
    scheme.len() <= 40
        && scheme != "file"
        && is_lower(scheme)
        && matches!(host.kind(), HostKind::Name | HostKind::Ipv4)
        && is_lower(host.as_str())
        && has_plain_port
        && !pairs.any(|pair| pair == b"/.")
}
