//! How a response is handled, by its status code (RFC 9110, 15).

use super::body;
use super::date;
use super::decode::{self, Coding};
use super::range::Range;
use crate::error::{Error, ErrorKind, Result};
use crate::http1::{Exchange, Head, text};
use crate::output::Output;
use crate::protocol::Outcome;
use crate::protocol::digits::number;
use crate::request::{ByteRange, Request};
use crate::sink::Metadata;
use jiff::Timestamp;
use std::time::Duration;
use urikit::internal::escape;

/// Passes on the body of a successful response, or returns the target of a redirect.
pub(super) fn take(
    request: &Request<'_>,
    exchange: &mut Exchange,
    decodes: bool,
    output: &mut Output<'_>,
) -> Result<Outcome> {
    let head = &exchange.head;
    head.check_framing(request.wants_body() && !matches!(head.status, 204 | 304))?;
    match head.status {
        206 if request.wants_body() && request.range.is_some() => part(request, exchange, output)?,
        206 if request.wants_body() => partial(request, exchange, output)?,
        200..=299 => complete(request, exchange, decodes, output)?,
        // 304 and 305 are errors: nothing is cached, and a server may not choose a proxy (RFC
        // 9110, 15.4).
        300..=303 | 307 | 308 => {
            // An empty reference would redirect to the same URL.
            let location = head.one("Location", "one Location")?;
            if let Some(location) = location.filter(|location| !location.is_empty()) {
                let target = reference(location);
                let by_get = exchange.head.status == 303
                    || matches!(exchange.head.status, 301 | 302) && exchange.is_post;
                exchange.skip(MAX_SKIPPED);
                return Ok(if by_get {
                    Outcome::SeeOther(target)
                } else {
                    Outcome::Redirect(target)
                });
            }
            return Err(denied(request, exchange));
        }
        _ => return Err(denied(request, exchange)),
    }
    Ok(Outcome::Done)
}

/// The longest body that is skipped, so that its connection can be used again.
pub(super) const MAX_SKIPPED: u64 = 1 << 20;

/// A `Location` as a URI reference: many servers send octets that should be percent-encoded.
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

pub(super) fn denied(request: &Request<'_>, exchange: &Exchange) -> Error {
    let head = &exchange.head;
    // Only of a configured proxy: no other one gets a login.
    let kind = match request.via {
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
    let error = exchange.failed(kind).received(&head.line);
    if matches!(head.status, 408 | 429 | 500 | 502 | 503 | 504) {
        return error.transient(retry_after(head, Timestamp::now()));
    }
    error
}

/// `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
fn retry_after(head: &Head, now: Timestamp) -> Option<Duration> {
    let value = head.all("Retry-After").next()?;
    if let Some(seconds) = number(value) {
        return Some(Duration::from_secs(seconds));
    }
    let date = date::parse(value, now)?;
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

/// The complete body, or its metadata.
fn complete(
    request: &Request<'_>,
    exchange: &mut Exchange,
    decodes: bool,
    output: &mut Output<'_>,
) -> Result<()> {
    let head = &exchange.head;
    if request.range.is_some() && request.wants_body() {
        return Err(Error::new(ErrorKind::CannotResume).received(&head.line));
    }
    let mut metadata = metadata(head);
    metadata.size = head.length;
    if !request.wants_body() {
        return output.begin(metadata);
    }
    if head.status == 204 {
        metadata.size = Some(0);
    }
    let size = metadata.size;
    if decodes && let Some(coding) = Coding::of(head)? {
        // What is stored is decoded, so that neither size nor version are those of what is sent.
        (metadata.size, metadata.validator) = (None, None);
        output.begin(metadata)?;
        return decode::read(exchange, coding, &mut |bytes| output.bytes(bytes));
    }
    output.begin(metadata)?;
    body::read(exchange, size, &mut |bytes| output.bytes(bytes))
}

/// The rest of a body (RFC 9110, 15.3.7). The size of the complete body must be known, to verify
/// that this is the rest.
fn partial(request: &Request<'_>, exchange: &mut Exchange, output: &mut Output<'_>) -> Result<()> {
    let head = &exchange.head;
    let refuse = |expected| Error::new(ErrorKind::Protocol(expected)).received(&head.line);
    let range = head.one("Content-Range", "one Content-Range")?;
    let Some(Range::Part {
        first,
        last,
        complete: Some(complete),
    }) = range.and_then(Range::parse)
    else {
        return Err(refuse("a range and the complete size in Content-Range"));
    };
    if request.resume == 0 || first != request.resume {
        return Err(refuse("the requested range"));
    }
    let count = (last - first).saturating_add(1);
    if head.length.is_some_and(|length| length != count) {
        return Err(refuse(
            "the same length in Content-Range and Content-Length",
        ));
    }
    output.begin(Metadata {
        size: Some(complete),
        offset: first,
        ..metadata(head)
    })?;
    body::read(exchange, Some(count), &mut |bytes| output.bytes(bytes))
}

/// The part of a body that was asked for, which is all that is passed on.
fn part(request: &Request<'_>, exchange: &mut Exchange, output: &mut Output<'_>) -> Result<()> {
    let head = &exchange.head;
    let refuse = |expected| Error::new(ErrorKind::Protocol(expected)).received(&head.line);
    let range = head.one("Content-Range", "one Content-Range")?;
    let Some(Range::Part {
        first,
        last,
        complete,
    }) = range.and_then(Range::parse)
    else {
        return Err(refuse("a range in Content-Range"));
    };
    // A server may send less where the body ends.
    let end = complete.map(|complete| complete.saturating_sub(1));
    let is_it = match request.range {
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
    if !is_it || head.length.is_some_and(|length| length != count) {
        return Err(refuse("the requested range"));
    }
    output.begin(Metadata {
        size: Some(count),
        validator: None,
        ..metadata(head)
    })?;
    body::read(exchange, Some(count), &mut |bytes| output.bytes(bytes))
}

/// Passes on that an earlier transfer was complete.
pub(super) fn nothing_missing(request: &Request<'_>, output: &mut Output<'_>) -> Result<()> {
    output.begin(Metadata {
        size: Some(request.resume),
        offset: request.resume,
        ..Metadata::default()
    })
}

/// What `If-Range` may contain later (RFC 9110, 13.1.5): a strong entity tag, or if there is no tag
/// a date at least a second before that of the response (8.8.2.2).
fn validator(head: &Head) -> Option<String> {
    let mut tags = head.all("ETag");
    if let Some(tag) = tags.next() {
        let is_strong = tag.len() > 1 && tag.starts_with(b"\"") && tag.ends_with(b"\"");
        let is_one = tags.next().is_none();
        return (is_strong && is_one).then(|| text(tag));
    }
    let value = head.one("Last-Modified", "").ok()??;
    let date = |value: &[u8]| date::parse(value, Timestamp::now());
    let (modified, sent) = (date(value)?, date(head.one("Date", "").ok()??)?);
    (modified < sent).then(|| text(value))
}

/// The metadata in the fields.
fn metadata(head: &Head) -> Metadata {
    let first = |name: &str| head.all(name).find(|value| !value.is_empty());
    let attribute = |(name, value): &(String, Vec<u8>)| (name.clone(), text(value));
    Metadata {
        media_type: first("Content-Type").map(text),
        modified: first("Last-Modified").and_then(|value| date::parse(value, Timestamp::now())),
        validator: validator(head),
        attributes: head.fields.iter().map(attribute).collect(),
        ..Metadata::default()
    }
}
