//! What a response to the request for the rest of a body says of an earlier transfer (RFC 9110, 13.1.5,
//! 14.2 and 15.5.17).

use super::range::Range;
use crate::http1::Head;
use crate::request::Request;

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// To take the response.
    Take,
    /// Nothing: the earlier transfer was complete.
    Done,
    /// To request the complete body: there is another version, or no such rest.
    StartOver,
    /// To ask for the size and the version: the rest was refused, and this response does not say
    /// whether the earlier transfer was complete.
    Ask {
        /// Whether it says that the size is the same.
        is_all: bool,
    },
}

impl Next {
    /// By the response to a request for the rest.
    pub(super) fn of(request: &Request<'_>, head: &Head) -> Self {
        if request.resume == 0 || !request.wants_body() {
            return Self::Take;
        }
        match (head.status, request.validator) {
            // A server that ignores `If-Range` may send a part of another version.
            (206, Some(validator)) if Version::of(head, validator) == Version::Other => {
                Self::StartOver
            }
            (416, validator) => Self::of_refusal(request.resume, validator, head),
            _ => Self::Take,
        }
    }

    fn of_refusal(resume: u64, validator: Option<&str>, head: &Head) -> Self {
        let version = validator.map(|validator| Version::of(head, validator));
        let range = head.all("Content-Range").next().map(Range::parse);
        let is_all = range.map(|range| range == Some(Range::Unsatisfied(resume)));
        match (is_all, version) {
            (Some(true), None | Some(Version::Same)) => Self::Done,
            (Some(false), None) => Self::Take,
            (Some(false), Some(_)) | (_, Some(Version::Other)) => Self::StartOver,
            (Some(true), Some(Version::Unknown)) => Self::Ask { is_all: true },
            (None, _) => Self::Ask { is_all: false },
        }
    }

    /// By the response to the question of [`Ask`](Self::Ask).
    pub(super) fn of_answer(request: &Request<'_>, is_all: bool, answer: &Head) -> Self {
        let is_silent = answer.status != 200;
        let has_size = !is_silent && answer.length == Some(request.resume);
        let Some(validator) = request.validator else {
            return if has_size { Self::Done } else { Self::Take };
        };
        // A server that knows `If-Range` compares the version before the range (RFC 9110, 13.2.2):
        // its refusal with the same size is enough, if nothing contradicts it.
        let is_done = match Version::of(answer, validator) {
            _ if is_silent => is_all,
            Version::Same => has_size,
            Version::Unknown => has_size && is_all,
            Version::Other => false,
        };
        if is_done { Self::Done } else { Self::StartOver }
    }
}

/// Of which version a response is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    Same,
    Other,
    /// It need not say: 206 may omit `Last-Modified` (RFC 9110, 15.3.7).
    Unknown,
}

impl Version {
    /// By the field of this validator.
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
