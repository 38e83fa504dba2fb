//! What the chosen standard makes of a reference: whether it is valid, and its target.

use crate::input::Changed;
use crate::reading::{Failure, whatwg};
use crate::standard::Reader;
use urikit::Standard;
use urikit_extract::document::Found;

/// The standard under which references are valid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge {
    /// `None`: RFC 3986, or RFC 3987 for a reference with characters beyond US-ASCII.
    pub(super) reader: Option<Reader>,
}

/// What is known of a reference under that standard.
#[derive(Default)]
pub(super) struct Judged {
    pub(super) target: Option<String>,
    /// Why it is not valid.
    pub(super) failure: Option<Failure>,
    /// What browsers make of it, if it is not valid.
    pub(super) repaired: Option<Changed>,
}

impl Judge {
    /// Parses and resolves a reference.
    pub(super) fn judge(self, reference: &Found<'_>) -> Judged {
        if self.reader == Some(Reader::Whatwg) {
            let base = reference.base().map(|(_, base)| base);
            return match whatwg::target(reference.uri(), base) {
                Ok(target) => Judged {
                    target: base.map(|_| target),
                    ..Judged::default()
                },
                Err(refusal) => Judged {
                    failure: Some(Failure::Whatwg(refusal)),
                    ..Judged::default()
                },
            };
        }
        let target = reference.target();
        if reference.is_valid() {
            return Judged {
                target,
                ..Judged::default()
            };
        }
        Judged {
            target,
            failure: reference.reference().err().map(Failure::Rfc),
            repaired: reference.repaired().map(Changed::from),
        }
    }

    /// The rules that a message about a reference names.
    pub(super) fn reader_of(self, reference: &Found<'_>) -> Reader {
        self.reader
            .unwrap_or(Reader::Rfc(if reference.uri().is_ascii() {
                Standard::Rfc3986
            } else {
                Standard::Rfc3987
            }))
    }
}
