//! Handles responses according to their status codes (RFC 9110, 15), and parses the dates in them
//! (5.6.7).

use super::access::Access;
use super::coding::{self, Coding};
use super::ranges::Range;
use crate::error::{Error, ErrorKind, Result};
use crate::http1::{Exchange, Head, text};
use crate::output::{Metadata, Output};
use crate::protocol::Outcome;
use crate::protocol::parse::number;
use crate::request::{ByteRange, ErrorBodies};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::tz::TimeZone;
use std::time::Duration;
use urikit::octet::escape;

/// The maximum length of a body that is skipped so that its connection can be used again.
pub(super) const MAX_SKIPPED: u64 = 1 << 20;

impl Access<'_, '_, '_> {
    /// Passes the body of a successful response to the output, or returns the target of a
    /// redirect.
    pub(super) fn take(&mut self, exchange: &mut Exchange) -> Result<Outcome> {
        let head = &exchange.head;
        let wants_body = self.request.wants_body();
        head.check_framing(wants_body && !matches!(head.status, 204 | 304))?;
        match head.status {
            206 if wants_body && self.request.range.is_some() => self.part(exchange)?,
            206 if wants_body => self.rest(exchange)?,
            200..=299 => self.complete(exchange)?,
            // 304 is an error because nothing is cached, and 305 is an error because a server may
            // not choose a proxy (RFC 9110, 15.4.6).
            300..=303 | 307 | 308 => {
                // An empty reference would redirect to the same URL.
                let location = head.one("Location", "one Location")?;
                let Some(location) = location.filter(|location| !location.is_empty()) else {
                    return Err(self.denied(exchange));
                };
                let target = reference(location);
                // "For historical reasons", 301 and 302 change POST to GET (RFC 9110, 15.4.2).
                let by_get = exchange.head.status == 303
                    || matches!(exchange.head.status, 301 | 302) && exchange.is_post;
                if self.request.takes_redirects {
                    self.complete(exchange)?;
                } else {
                    exchange.skip(MAX_SKIPPED);
                }
                return Ok(if by_get {
                    Outcome::SeeOther(target)
                } else {
                    Outcome::Redirect(target)
                });
            }
            _ => {
                let denied = self.denied(exchange);
                self.explain(exchange, &denied)?;
                return Err(denied);
            }
        }
        Ok(Outcome::Done)
    }

    /// Passes the body of an error response to the output, if the caller wants it.
    fn explain(&mut self, exchange: &mut Exchange, denied: &Error) -> Result<()> {
        let is_wanted = match self.request.error_bodies {
            ErrorBodies::None => false,
            ErrorBodies::Final => !denied.is_transient(),
            ErrorBodies::All => true,
        };
        let is_resumed = self.request.resume > 0 || self.request.range.is_some();
        if !is_wanted || is_resumed || exchange.head.status < 400 || !self.request.wants_body() {
            return Ok(());
        }
        self.complete(exchange)
    }

    /// Returns the error for a response that is not successful.
    pub(super) fn denied(&self, exchange: &Exchange) -> Error {
        let head = &exchange.head;
        // This client never sends a login to a gateway, so a 407 asks for a login only if it comes
        // from a configured proxy.
        let kind = match self.request.via {
            Some(proxy) if head.status == 407 => ErrorKind::ProxyLogin {
                is_refused: proxy.token().is_some(),
            },
            _ => match head.status {
                401 | 407 => ErrorKind::LoginRequired,
                403 | 451 => ErrorKind::Forbidden,
                404 | 410 => ErrorKind::NotFound,
                status => ErrorKind::server(status, head.reason()),
            },
        };
        let error = exchange.failed(kind).with_received(&head.line);
        if matches!(head.status, 408 | 429 | 500 | 502 | 503 | 504) {
            return error.with_retry_after(retry_after(head, Timestamp::now()));
        }
        error
    }

    /// Passes the complete body, or its metadata, to the output.
    fn complete(&mut self, exchange: &mut Exchange) -> Result<()> {
        let head = &exchange.head;
        let wants_body = self.request.wants_body();
        if self.request.range.is_some() && wants_body {
            return Err(Error::new(ErrorKind::NoRanges).with_received(&head.line));
        }
        let mut metadata = metadata(head);
        metadata.size = head.length;
        metadata.is_error = head.status >= 400;
        if !wants_body {
            return self.output.begin(metadata);
        }
        if head.status == 204 {
            metadata.size = Some(0);
        }
        let size = metadata.size;
        if self.settings.decodes
            && let Some(coding) = Coding::of(head)?
        {
            // The size and the validator describe the encoded body, but the output receives the
            // decoded body.
            (metadata.size, metadata.validator) = (None, None);
            self.output.begin(metadata)?;
            return coding::decode(exchange, coding, self.output);
        }
        self.output.begin(metadata)?;
        pass_on(exchange, size, self.output)
    }

    /// Passes the rest of a body to the output (RFC 9110, 15.3.7). Fails if the response does not
    /// state the size of the complete body, because otherwise the client could not detect that the
    /// rest is incomplete.
    fn rest(&mut self, exchange: &mut Exchange) -> Result<()> {
        let head = &exchange.head;
        let refuse = |expected| Error::new(ErrorKind::Protocol(expected)).with_received(&head.line);
        let range = head.one("Content-Range", "one Content-Range")?;
        let Some(Range::Part {
            first,
            last,
            complete: Some(complete),
        }) = range.and_then(Range::parse)
        else {
            return Err(refuse("a range and the complete size in Content-Range"));
        };
        if self.request.resume == 0 || first != self.request.resume {
            return Err(refuse("the requested range"));
        }
        let count = (last - first).saturating_add(1);
        if head.length.is_some_and(|length| length != count) {
            return Err(refuse(
                "the same length in Content-Range and Content-Length",
            ));
        }
        self.output.begin(Metadata {
            size: Some(complete),
            offset: first,
            ..metadata(head)
        })?;
        pass_on(exchange, Some(count), self.output)
    }

    /// Passes the requested part of a body to the output, as if it were the complete body.
    fn part(&mut self, exchange: &mut Exchange) -> Result<()> {
        let head = &exchange.head;
        let refuse = |expected| Error::new(ErrorKind::Protocol(expected)).with_received(&head.line);
        let range = head.one("Content-Range", "one Content-Range")?;
        let Some(Range::Part {
            first,
            last,
            complete,
        }) = range.and_then(Range::parse)
        else {
            return Err(refuse("a range in Content-Range"));
        };
        // The part may be shorter than requested if the complete body ends there.
        let end = complete.map(|complete| complete.saturating_sub(1));
        let is_requested = match self.request.range {
            Some(ByteRange::From(from, Some(to))) => {
                first == from && (last == to || last < to && end.is_none_or(|end| end == last))
            }
            Some(ByteRange::From(from, None)) => first == from && end.is_none_or(|end| end == last),
            Some(ByteRange::Last(length)) => {
                let is_at_end = end.is_none_or(|end| end == last);
                is_at_end && (last - first < length)
            }
            None => false,
        };
        let count = (last - first).saturating_add(1);
        if !is_requested || head.length.is_some_and(|length| length != count) {
            return Err(refuse("the requested range"));
        }
        self.output.begin(Metadata {
            size: Some(count),
            validator: None,
            ..metadata(head)
        })?;
        pass_on(exchange, Some(count), self.output)
    }

    /// Reports that the earlier transfer was complete.
    pub(super) fn nothing_missing(&mut self) -> Result<()> {
        let size = self.request.resume;
        self.output.begin(Metadata {
            size: Some(size),
            offset: size,
            ..Metadata::default()
        })
    }
}

/// Passes a body to the output. Fails if the body does not have the announced size.
fn pass_on(exchange: &mut Exchange, size: Option<u64>, output: &mut Output<'_>) -> Result<()> {
    let mut received = 0_u64;
    while let Some(bytes) = exchange.chunk()? {
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if let Some(expected) = size.filter(|size| *size - received < count) {
            return Err(exchange.failed(ErrorKind::TooManyBytes { expected }));
        }
        output.bytes(&bytes)?;
        received = received.saturating_add(count);
    }
    if size.is_some_and(|size| received < size) {
        let expected = size;
        return Err(exchange.failed(ErrorKind::EndedEarly { expected, received }));
    }
    Ok(())
}

/// Converts a `Location` to a URI reference. Percent-encodes octets that many servers send without
/// encoding them.
fn reference(location: &[u8]) -> String {
    let mut reference = String::with_capacity(location.len());
    for octet in location {
        if octet.is_ascii() {
            reference.push(char::from(*octet));
        } else {
            reference.push_str(escape(*octet));
        }
    }
    reference
}

/// Returns the delay in `Retry-After` (RFC 9110, 10.2.3), which is either a number of seconds or a
/// date.
fn retry_after(head: &Head, now: Timestamp) -> Option<Duration> {
    let value = head.all("Retry-After").next()?;
    if let Some(seconds) = number(value) {
        return Some(Duration::from_secs(seconds));
    }
    let date = parse_date(value, now)?;
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

/// Returns the validator that a later `If-Range` may contain (RFC 9110, 13.1.5). The validator is a
/// strong entity tag or, if the response has no entity tag, a modification date at least a second
/// before the date of the response (8.8.2.2).
fn validator(head: &Head) -> Option<String> {
    let mut tags = head.all("ETag");
    if let Some(tag) = tags.next() {
        let is_strong = tag.len() > 1 && tag.starts_with(b"\"") && tag.ends_with(b"\"");
        let is_one = tags.next().is_none();
        return (is_strong && is_one).then(|| text(tag));
    }
    let value = head.one("Last-Modified", "").ok()??;
    let date = |value: &[u8]| parse_date(value, Timestamp::now());
    let (modified, sent) = (date(value)?, date(head.one("Date", "").ok()??)?);
    // If a file changes twice within a second, its date stays the same.
    (modified < sent).then(|| text(value))
}

/// Returns the metadata that the header fields of a response contain.
fn metadata(head: &Head) -> Metadata {
    let first = |name: &str| head.all(name).find(|value| !value.is_empty());
    let modified = first("Last-Modified");
    Metadata {
        media_type: first("Content-Type").map(text),
        modified: modified.and_then(|value| parse_date(value, Timestamp::now())),
        validator: validator(head),
        attributes: head.attributes(),
        ..Metadata::default()
    }
}

/// Parses a date in the preferred format, or in one of the two obsolete formats that recipients
/// must accept (RFC 9110, 5.6.7). `now` determines the century of two-digit years.
pub(super) fn parse_date(value: &[u8], now: Timestamp) -> Option<Timestamp> {
    let text = std::str::from_utf8(value).ok()?;
    imf_fixdate(text)
        .or_else(|| rfc850_date(text, now))
        .or_else(|| asctime_date(text))
}

/// Parses `Sun, 06 Nov 1994 08:49:37 GMT`.
fn imf_fixdate(text: &str) -> Option<Timestamp> {
    // The parser is for RFC 2822, which also allows two-digit years and other time zones.
    let year = text.split(' ').nth(3)?;
    let parsed = DateTimeParser::new().parse_timestamp(text).ok();
    parsed.filter(|_| year.len() == 4 && text.ends_with(" GMT"))
}

/// Parses `Sunday, 06-Nov-94 08:49:37 GMT`. A year more than 50 years in the future belongs to the
/// previous century.
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

/// Parses `Sun Nov  6 08:49:37 1994`.
fn asctime_date(text: &str) -> Option<Timestamp> {
    let mut words = text.split_ascii_whitespace();
    let (_, month, day) = (words.next()?, words.next()?, words.next()?);
    let (time, year) = (words.next()?, words.next()?);
    if words.next().is_some() || year.len() != 4 {
        return None;
    }
    civil(&format!("{day} {month} {year} {time}"))
}

/// Parses `6 Nov 1994 08:49:37` in UTC.
fn civil(text: &str) -> Option<Timestamp> {
    let date = DateTime::strptime("%d %b %Y %H:%M:%S", text).ok()?;
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::parse_date;

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
            assert_eq!(parse_date(text.as_bytes(), now), date, "{text}");
        }
        for (text, date) in [
            ("Monday, 06-Nov-76 08:49:37 GMT", "2076-11-06T08:49:37Z"),
            ("Monday, 06-Nov-77 08:49:37 GMT", "1977-11-06T08:49:37Z"),
            ("Monday, 06-Nov-00 08:49:37 GMT", "2000-11-06T08:49:37Z"),
        ] {
            assert_eq!(
                parse_date(text.as_bytes(), now),
                date.parse().ok(),
                "{text}"
            );
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
            assert_eq!(parse_date(text.as_bytes(), now), None, "{text}");
        }
    }
}
