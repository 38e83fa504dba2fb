//! Parsers that several protocols share, for numbers and times in replies and for servers in
//! settings.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, civil::DateTime};
use urikit::UriRef;

/// Parses a decimal number, which consists of digits without a sign or spaces. Returns `None` for
/// any other text, or if the number is too large.
///
/// ```
/// use urikit_access::protocol::parse::number;
/// assert_eq!(number::<u8>(b"255"), Some(255));
/// assert_eq!((number::<u8>(b"256"), number::<u8>(b"+1")), (None, None));
/// ```
pub fn number<T: TryFrom<u64>>(digits: &[u8]) -> Option<T> {
    if digits.is_empty() {
        return None;
    }
    let mut number: u64 = 0;
    for octet in digits {
        let digit = octet.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    number.try_into().ok()
}

/// Parses a time in UTC, such as `20251121183000.25`, in the format of FTP's `time-val` (RFC 3659,
/// 2.3). Returns `None` if the text has a different format.
///
/// ```
/// use urikit_access::protocol::parse::utc_time;
/// let time = utc_time(b"19990929003355.237").unwrap(); // RFC 3659, 7.4
/// assert_eq!(time.to_string(), "1999-09-29T00:33:55.237Z");
/// ```
pub fn utc_time(text: &[u8]) -> Option<Timestamp> {
    let (whole, fraction) = match text.get(14) {
        Some(b'.') => (text.get(..14)?, text.get(15..)?),
        Some(_) => return None,
        None => (text, &b"0"[..]),
    };
    let all_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if whole.len() != 14 || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let number = |from: usize, to: usize| -> Option<i16> {
        std::str::from_utf8(whole.get(from..to)?).ok()?.parse().ok()
    };
    let part = |from: usize| -> Option<i8> { number(from, from + 2)?.try_into().ok() };
    // A leap second, written as 60, becomes the first second of the next minute.
    let (second, leap) = match part(12)? {
        60 => (59, 1),
        second => (second, 0),
    };
    let nanos = fraction.iter().chain(&[b'0'; 9]).take(9);
    let nanos = nanos.fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'));
    let time = DateTime::new(
        number(0, 4)?,
        part(4)?,
        part(6)?,
        part(8)?,
        part(10)?,
        second,
        nanos,
    );
    let time = time.ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    time.checked_add(SignedDuration::from_secs(leap)).ok()
}

/// Returns the default port of a scheme, or 0 if the scheme has no default port.
pub(crate) fn default_port(scheme: &str) -> u16 {
    let port = urikit::scheme::known(scheme).and_then(|facts| facts.port);
    port.unwrap_or_default()
}

/// Parses `host [ ":" port ]` in settings, where the host is written as in a URL.
pub(super) fn server(text: &str, default: u16) -> Option<(String, u16)> {
    let reference = format!("//{text}");
    let parsed = UriRef::parse(&reference).ok()?;
    let authority = parsed.authority().filter(|it| it.as_str() == text)?;
    let host = authority.host().as_str();
    let port = match authority.port() {
        None | Some("") => default,
        Some(port) => port.parse().ok()?,
    };
    let is_server = !host.is_empty() && authority.userinfo().is_none();
    is_server.then(|| (host.to_owned(), port))
}

#[cfg(test)]
mod tests {
    use super::{default_port, number, utc_time};

    #[test]
    fn default_ports() {
        for (scheme, port) in [
            ("ftp", 21),
            ("ftps", 990),
            ("gopher", 70),
            ("news", 119),
            ("nntp", 119),
            ("snews", 563),
        ] {
            assert_eq!(default_port(scheme), port, "{scheme}");
        }
    }

    #[test]
    fn numbers_are_digits_that_fit() {
        assert_eq!(number::<u64>(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(number::<u64>(b"18446744073709551616"), None);
        assert_eq!(number::<u64>(b"99999999999999999999"), None);
        assert_eq!(number::<u64>(b"00000000000000000000000001"), Some(1));
        assert_eq!(
            (number::<u8>(b"255"), number::<u8>(b"256")),
            (Some(255), None)
        );
        for digits in ["", "+80", "-1", "8 ", " 8", "8:", "8/", "\u{665}"] {
            assert_eq!(number::<u64>(digits.as_bytes()), None, "{digits}");
        }
    }

    #[test]
    fn times() {
        for (text, time) in [
            ("19990929003355.237", "1999-09-29T00:33:55.237Z"), // RFC 3659, 7.4
            ("19990929003355", "1999-09-29T00:33:55Z"),
            ("19981231235960", "1999-01-01T00:00:00Z"),
            (
                "20000229000000.1234567899",
                "2000-02-29T00:00:00.123456789Z",
            ),
        ] {
            assert_eq!(utc_time(text.as_bytes()).unwrap().to_string(), time);
        }
        for text in [
            "",
            "1999092900335",
            "199909290033551",
            "19991329003355",
            "19990230003355",
            "19990929003361",
            "19990929003355.",
            "19990929003355,2",
            "1999092900335x",
            "+9990929003355",
            "191000929003355", // the year 2000, as servers with a Y2K bug write it
        ] {
            assert_eq!(utc_time(text.as_bytes()), None, "{text}");
        }
    }
}
