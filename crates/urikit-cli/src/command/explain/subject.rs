//! The reference to explain, parsed by every reader.

use crate::input::Given;
use crate::reading::Reading;
use crate::standard::Reader;
use urikit::op::Level;
use urikit_access::{Error, ErrorKind, Plan, Policy, Request};
use urikit_audit::Audit;

/// The reference to explain, parsed by every reader.
pub(super) struct Subject<'a> {
    pub(super) input: Given<'a>,
    /// The input without `url:`, and repaired if that was necessary.
    pub(super) reference: &'a [u8],
    pub(super) prefixed: bool,
    pub(super) chosen: Reader,
    /// Which argument it is; 0 if it is not an argument.
    pub(super) argument: u64,
    pub(super) readings: [Reading<'a>; 8],
    /// What parsers in use read, and what could go wrong; `None` if it is not UTF-8.
    pub(super) audit: Option<Audit<'a>>,
}

/// What a client does for a reference, or why no client can; `None` if the scheme is not known, or
/// the reference is not a URL of it.
pub(super) type Requested = Option<Result<Plan, Error>>;

impl<'a> Subject<'a> {
    pub(super) fn reading(&self, reader: Reader) -> Option<&Reading<'a>> {
        self.readings
            .iter()
            .find(|reading| reading.reader() == reader)
    }

    /// The reading by the standard that `--standard` names.
    pub(super) fn chosen(&self) -> Option<&Reading<'a>> {
        self.reading(self.chosen)
    }

    /// The reading whose components are shown: the chosen standard's if it has any, or else that
    /// of RFC 3986, or else that of the newest standard that has any.
    pub(super) fn shown(&self) -> Option<&Reading<'a>> {
        let any = |reading: &&Reading<'a>| reading.components().is_some();
        let rfcs = self
            .readings
            .iter()
            .filter(|reading| reading.reader() != Reader::Whatwg);
        self.chosen()
            .filter(any)
            .or_else(|| {
                self.reading(Reader::Rfc(urikit::Standard::Rfc3986))
                    .filter(any)
            })
            .or_else(|| rfcs.rev().find(any))
            .or_else(|| self.reading(Reader::Whatwg).filter(any))
    }
}

impl Subject<'_> {
    /// The normal form by the chosen standard; `None` if that rejects the reference.
    pub(super) fn normalized(&self) -> Option<String> {
        let chosen = self.chosen().filter(|reading| reading.is_valid())?;
        if let Some(href) = chosen.href() {
            return Some(href.to_owned());
        }
        let mut text = String::new();
        chosen.reference()?.normalize_into(Level::Scheme, &mut text);
        Some(text)
    }

    /// What a client does for the reference that is shown.
    pub(super) fn requested(&self) -> Requested {
        let meaning = self.shown()?.meaning()?;
        meaning.details().ok()?;
        let request = Request::new(meaning.reference).edition(meaning.edition);
        match crate::protocols::client(Policy::permissive()).outline(&request) {
            Err(error) if matches!(error.kind(), ErrorKind::NoProtocol { .. }) => None,
            planned => Some(planned),
        }
    }
}
