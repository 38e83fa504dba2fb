//! Parses the message format that mail and news share (RFC 5322).

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use urikit_mime::header;

/// Returns the fields of a header, unfolded (RFC 5322, 2.2.3), in order. Octets that are not valid
/// UTF-8 are replaced with U+FFFD.
pub(super) fn fields(header: &[u8]) -> Vec<(String, String)> {
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    let fields = header::fields(header);
    fields
        .map(|field| (text(field.name), text(&field.unfolded())))
        .collect()
}

/// Returns the date that the `Date` field in a header contains.
pub(super) fn date(fields: &[(String, String)]) -> Option<Timestamp> {
    let is_date = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("date");
    let (_, value) = fields.iter().find(is_date)?;
    timestamp(value.as_bytes())
}

/// Reads a date (RFC 5322, 3.3). Does not check the day of the week.
pub(super) fn timestamp(date: &[u8]) -> Option<Timestamp> {
    let date = std::str::from_utf8(date).ok()?.trim();
    let parser = DateTimeParser::new().relaxed_weekday(true);
    parser.parse_timestamp(date).ok()
}

/// Doubles dots at the beginning of lines (RFC 5321, 4.5.2; RFC 3977, 3.1.1).
pub(super) fn stuffed(message: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(message.len() + 16);
    for line in message.split_inclusive(|octet| *octet == b'\n') {
        if line.first() == Some(&b'.') {
            text.push(b'.');
        }
        text.extend_from_slice(line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{date, fields};

    #[test]
    fn a_header() {
        let header =
            b"Subject: a\r\n b\r\nno field\r\nDATE: 6 Oct 1998 04:38:40 -0500\r\n\xff: x\n";
        let fields = fields(header);
        let names: Vec<_> = fields
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        let date_value = "6 Oct 1998 04:38:40 -0500";
        assert_eq!(
            names,
            [("Subject", "a b"), ("DATE", date_value), ("\u{FFFD}", "x")]
        );
        assert_eq!(date(&fields).unwrap().to_string(), "1998-10-06T09:38:40Z");
    }
}
