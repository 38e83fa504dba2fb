//! Byte ranges, and resumed transfers (RFC 9110, 13.1.5, 14 and 15.5.17).

use crate::http1::Head;
use crate::protocol::parse::number;
use crate::request::Request;

/// The value of `Content-Range`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Range {
    /// A range of bytes.
    Part {
        /// The position of the first byte, counting from 0.
        first: u64,
        /// The position of the last byte, counting from 0.
        last: u64,
        /// The size of the complete body, if known.
        complete: Option<u64>,
    },
    /// The requested range begins after the end of the body, which has this many bytes.
    Unsatisfied(u64),
}

impl Range {
    /// Parses `"bytes" SP ( first-pos "-" last-pos "/" ( complete-length / "*" ) / "*/"
    /// complete-length )`.
    pub(super) fn parse(value: &[u8]) -> Option<Self> {
        let (unit, rest) = split(value, b' ')?;
        let (range, complete) = split(rest, b'/')?;
        if !unit.eq_ignore_ascii_case(b"bytes") {
            return None;
        }
        if range == b"*" {
            return number(complete).map(Self::Unsatisfied);
        }
        let (first, last) = split(range, b'-')?;
        let (first, last) = (number(first)?, number(last)?);
        let complete = match complete {
            b"*" => None,
            digits => Some(number(digits)?),
        };
        let is_part = first <= last && complete.is_none_or(|complete| last < complete);
        is_part.then_some(Self::Part {
            first,
            last,
            complete,
        })
    }
}

/// Splits text at the first occurrence of an octet.
fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().position(|octet| *octet == at)?;
    Some((text.get(..place)?, text.get(place + 1..)?))
}

/// The next step after the response to a request for the rest of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// Use the response.
    Take,
    /// Do nothing, because the earlier transfer was complete.
    Done,
    /// The body has changed, so the complete body must be requested.
    StartOver,
    /// Ask for the size and the version, because the server refused to send the rest without
    /// stating whether the earlier transfer was complete.
    Ask {
        /// True if the refusal states the size of the earlier transfer.
        is_same_size: bool,
    },
}

impl Next {
    /// Returns what to do after the response to a request for the rest of a body.
    pub(super) fn of(request: &Request<'_>, head: &Head) -> Self {
        if request.resume == 0 || !request.wants_body() {
            return Self::Take;
        }
        match (head.status, request.validator) {
            // Servers that ignore `If-Range` send part of the current version of the body.
            (206, Some(validator)) if Version::of(head, validator) == Version::Other => {
                Self::StartOver
            }
            (416, validator) => Self::of_refusal(request.resume, validator, head),
            _ => Self::Take,
        }
    }

    /// Returns what to do after a response with status 416.
    fn of_refusal(resume: u64, validator: Option<&str>, head: &Head) -> Self {
        let version = validator.map(|validator| Version::of(head, validator));
        let range = head.all("Content-Range").next().map(Range::parse);
        let is_same_size = range.map(|range| range == Some(Range::Unsatisfied(resume)));
        // nginx omits the validator in a 416 response, and other servers omit `Content-Range`.
        match (is_same_size, version) {
            (Some(true), None | Some(Version::Same)) => Self::Done,
            (Some(false), None) => Self::Take,
            (Some(false), Some(_)) | (_, Some(Version::Other)) => Self::StartOver,
            (Some(true), Some(Version::Unknown)) => Self::Ask { is_same_size: true },
            (None, _) => Self::Ask {
                is_same_size: false,
            },
        }
    }

    /// Returns what to do after the response to the request that [`Ask`](Self::Ask) describes.
    pub(super) fn of_answer(request: &Request<'_>, is_same_size: bool, answer: &Head) -> Self {
        let is_silent = answer.status != 200;
        let has_size = !is_silent && answer.length == Some(request.resume);
        let Some(validator) = request.validator else {
            return if has_size { Self::Done } else { Self::Take };
        };
        // A server that supports `If-Range` checks the version before the range (RFC 9110,
        // 13.2.2). Therefore, if the refusal states the size of the earlier transfer, that
        // transfer was complete, unless this response shows otherwise.
        let is_done = match Version::of(answer, validator) {
            _ if is_silent => is_same_size,
            Version::Same => has_size,
            Version::Unknown => has_size && is_same_size,
            Version::Other => false,
        };
        if is_done { Self::Done } else { Self::StartOver }
    }
}

/// The result of comparing the version of a response with the version of the earlier transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    Same,
    Other,
    /// The response does not identify the version. A 206 response may omit `Last-Modified` (RFC
    /// 9110, 15.3.7).
    Unknown,
}

impl Version {
    /// Compares the validator with the header field that it was taken from.
    fn of(head: &Head, validator: &str) -> Self {
        let name = if validator.starts_with('"') {
            "ETag"
        } else {
            "Last-Modified"
        };
        let mut values = head.all(name).peekable();
        if values.peek().is_none() {
            Self::Unknown
        } else if values.all(|value| value == validator.as_bytes()) {
            Self::Same
        } else {
            Self::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn examples_of_rfc_9110_and_invalid_values() {
        let part = |first, last, complete| {
            Some(Range::Part {
                first,
                last,
                complete,
            })
        };
        // RFC 9110, 14.4
        for (value, range) in [
            ("bytes 42-1233/1234", part(42, 1233, Some(1234))),
            ("bytes 42-1233/*", part(42, 1233, None)),
            ("bytes */1234", Some(Range::Unsatisfied(1234))),
            ("bytes 0-499/1234", part(0, 499, Some(1234))),
            ("Bytes 734-1233/1234", part(734, 1233, Some(1234))),
            ("bytes 5-4/10", None),
            ("bytes 5-10/10", None),
            ("bytes 5-9", None),
            ("bytes=5-9/10", None),
            ("items 5-9/10", None),
            ("bytes +5-9/10", None),
            ("bytes 5-/10", None),
            ("bytes -9/10", None),
            ("bytes */*", None),
            ("bytes 5-99999999999999999999/*", None),
            ("", None),
        ] {
            assert_eq!(Range::parse(value.as_bytes()), range, "{value}");
        }
    }
}
