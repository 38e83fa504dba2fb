//! Which part of the whole an answer holds (RFC 9110, 14.4).

use crate::protocol::digits::number;

/// What `Content-Range` says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Range {
    /// From the first to the last byte, of a whole of so many.
    Part {
        /// The place of the first byte, from 0.
        first: u64,
        /// The place of the last byte.
        last: u64,
        /// How many bytes the whole has, where that is known.
        complete: Option<u64>,
    },
    /// No part, since the whole has only so many bytes.
    Unsatisfied(u64),
}

impl Range {
    /// `"bytes" SP ( first-pos "-" last-pos "/" ( complete-length / "*" ) / "*/" complete-length )`
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

fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().position(|octet| *octet == at)?;
    Some((text.get(..place)?, text.get(place + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn examples_of_the_text_and_what_is_none() {
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
