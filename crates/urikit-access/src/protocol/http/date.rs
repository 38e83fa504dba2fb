//! Dates (RFC 9110, 5.6.7): the preferred format, and two obsolete ones that recipients must
//! accept.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::tz::TimeZone;

/// Reads a date. `None` if it is not one. `now` decides the century of two-digit years.
pub(super) fn parse(value: &[u8], now: Timestamp) -> Option<Timestamp> {
    let text = std::str::from_utf8(value).ok()?;
    imf_fixdate(text)
        .or_else(|| rfc850_date(text, now))
        .or_else(|| asctime_date(text))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`
fn imf_fixdate(text: &str) -> Option<Timestamp> {
    // RFC 2822 would also allow a two-digit year.
    let year = text.split(' ').nth(3)?;
    let parsed = DateTimeParser::new().parse_timestamp(text).ok();
    parsed.filter(|_| year.len() == 4 && text.ends_with(" GMT"))
}

/// `Sunday, 06-Nov-94 08:49:37 GMT`. A year more than 50 years in the future is in the past.
fn rfc850_date(text: &str, now: Timestamp) -> Option<Timestamp> {
    let (_, rest) = text.split_once(", ")?;
    let (date, time) = rest.strip_suffix(" GMT")?.split_once(' ')?;
    let mut date = date.split('-');
    let (day, month, year) = (date.next()?, date.next()?, date.next()?);
    if date.next().is_some() || year.len() != 2 || !year.bytes().all(|octet| octet.is_ascii_digit())
    {
        return None;
    }
    let this_year = now.to_zoned(TimeZone::UTC).year();
    let mut year = this_year - this_year % 100 + 100 + year.parse::<i16>().ok()?;
    while year > this_year + 50 {
        year -= 100;
    }
    civil(&format!("{day} {month} {year} {time}"))
}

/// `Sun Nov  6 08:49:37 1994`
fn asctime_date(text: &str) -> Option<Timestamp> {
    let mut words = text.split_ascii_whitespace();
    let (_, month, day) = (words.next()?, words.next()?, words.next()?);
    let (time, year) = (words.next()?, words.next()?);
    if words.next().is_some() || year.len() != 4 {
        return None;
    }
    civil(&format!("{day} {month} {year} {time}"))
}

fn civil(text: &str) -> Option<Timestamp> {
    let date = DateTime::strptime("%d %b %Y %H:%M:%S", text).ok()?;
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_three_forms_are_one_date() {
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let date = "1994-11-06T08:49:37Z".parse().ok();
        // RFC 9110, 5.6.7
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(parse(text.as_bytes(), now), date, "{text}");
        }
        for (text, date) in [
            ("Monday, 06-Nov-76 08:49:37 GMT", "2076-11-06T08:49:37Z"),
            ("Monday, 06-Nov-77 08:49:37 GMT", "1977-11-06T08:49:37Z"),
            ("Monday, 06-Nov-00 08:49:37 GMT", "2000-11-06T08:49:37Z"),
        ] {
            assert_eq!(parse(text.as_bytes(), now), date.parse().ok(), "{text}");
        }
        for text in [
            "",
            "now",
            "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 +0100",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sunday, 06-Nov-994 08:49:37 GMT",
            "Sunday, 06-Nov--4 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994 GMT",
            "Sun Nov  6 25:49:37 1994",
            "Sun, 06 Nov 1994 08:49:37 GMT\u{e9}",
        ] {
            assert_eq!(parse(text.as_bytes(), now), None, "{text}");
        }
    }
}
