//! Explanations of a reference: its components, verdicts, parsers and risks, and the steps that a
//! client takes to fetch it.
//!
//! [`Explanation::record`] returns everything as one record, without masking passwords. The other
//! methods return the sections of a page, in which passwords are masked.
//!
//! ```
//! use urikit_report::Reader;
//! use urikit_report::explain::Explanation;
//!
//! let text = "ftp://foo:@host.dom:21/%2Fetc/motd;type=a";
//! let explanation = Explanation::new(text.into(), text.into(), Reader::default(), None);
//! let list = explanation.components(false).unwrap();
//! let names: Vec<_> = list.components.iter().map(|component| component.key).collect();
//! assert_eq!(names, ["scheme", "user", "password", "host", "port", "path"]);
//! ```

mod components;
mod notes;
mod readers;
mod scheme;
mod shown;
mod typed;
mod verdicts;

use crate::Reader;
use crate::audit::AuditKeys;
use crate::input::{Given, Unparsed};
use crate::mask::{Masked, mask};
use crate::reading::Reading;
use crate::record::{AMPERSAND, ErrorRecord, InputKeys, ReadRecord, ReadingKeys, Steps};
use crate::safe::safe;
pub use components::{Component, ComponentList, Pairs};
pub use readers::{Cell, Column, ReaderTable, Row, Side};
pub use scheme::SchemeSection;
pub use shown::{Part, Shown};
use std::borrow::Cow;
use std::cell::OnceCell;
use urikit::op::Level;
use urikit_access::{Client, Error, ErrorKind, Plan, Policy, Request};
use urikit_audit::Audit;
use urikit_schemes::Edition;
pub use verdicts::Verdict;

/// The maximum length of a reference on a page, in bytes. The limit keeps the page fast: the
/// reference is parsed under eight standards and by seven parsers.
const LONGEST: usize = 64 << 10;

/// The maximum length of a normal form on a page, in characters. Longer forms are truncated.
const LONGEST_NORMAL: usize = 1000;

/// The summary of an error at a character within a password.
const FOUND_MASKED: &str = "found a masked character";

/// Returns the part of a reference that a page explains: all of it, or its first 64 KiB. This part
/// never ends in the middle of a character or an escape.
pub fn beginning(input: Unparsed<'_>) -> Unparsed<'_> {
    if input.bytes.len() <= LONGEST {
        return input;
    }
    let Some(text) = input.text else {
        return input.bytes.get(..LONGEST).unwrap_or_default().into();
    };
    let mut end = LONGEST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let escape = text.get(..end).and_then(|text| text.rfind('%'));
    end = escape.filter(|at| at + 2 >= end).unwrap_or(end);
    text.get(..end).unwrap_or_default().into()
}

/// Returns the length of the prefix `url:` (RFC 1630, `prefixedurl`) with any spaces after it. The
/// prefix is not part of the reference.
///
/// ```
/// assert_eq!(urikit_report::explain::prefix(b"URL: http://a/"), 5);
/// ```
pub fn prefix(input: &[u8]) -> usize {
    match input.split_at_checked(4) {
        Some((prefix, rest)) if prefix.eq_ignore_ascii_case(b"url:") => {
            4 + rest.iter().take_while(|byte| **byte == b' ').count()
        }
        _ => 0,
    }
}

/// A reference with the result of every parser.
pub struct Explanation<'a> {
    /// The input.
    pub input: Given<'a>,
    /// The input without `url:`, after a repair if one was necessary.
    pub reference: &'a [u8],
    /// The length of the complete reference, in bytes. `reference` may be only the beginning of the
    /// reference.
    pub length: usize,
    /// The chosen standard.
    pub chosen: Reader,
    /// The edition of the scheme's specification, if one was chosen.
    edition: Option<Edition>,
    /// The number of the command-line argument, or 0 if the reference is not an argument.
    argument: u64,
    /// The results of all standards.
    pub readings: [Reading<'a>; 8],
    /// The audit; `None` if the reference is not UTF-8.
    pub audit: Option<Audit<'a>>,
    /// The client that plans the access, or `None` if one must be created first.
    client: Option<&'a Client>,
    /// The outcome of planning an access, which both the record and the page need.
    requested: OnceCell<Requested>,
}

/// The outcome of planning an access.
type Requested = Option<Result<Plan, Error>>;

/// An error as pages show it, without passwords.
pub struct Fault {
    /// The error in a few words.
    pub summary: String,
    /// True if the error is at a character that is masked.
    pub is_masked: bool,
    /// The reference, with masked passwords.
    pub text: String,
    /// The offset of the error in `text`, in bytes.
    pub offset: Option<usize>,
    /// The characters that were expected.
    pub expected: Option<String>,
    /// The rule that requires these characters, with its section.
    pub rule: Option<String>,
}

impl<'a> Explanation<'a> {
    /// Parses `reference`, which is `input` without its [`prefix`] and after repairs. The chosen
    /// standard is `reader`.
    pub fn new(
        input: Given<'a>,
        reference: Unparsed<'a>,
        reader: Reader,
        edition: Option<Edition>,
    ) -> Self {
        Self {
            input,
            reference: reference.bytes,
            length: reference.bytes.len(),
            chosen: reader,
            edition,
            argument: 0,
            readings: Reader::ALL.map(|reader| reader.read(reference).by(edition)),
            audit: reference.text.map(urikit_audit::audit),
            client: None,
            requested: OnceCell::new(),
        }
    }

    /// Sets the length of the complete reference. The explanation covers only its [`beginning`].
    #[must_use]
    pub const fn with_length(mut self, length: usize) -> Self {
        self.length = length;
        self
    }

    /// Sets the number of the command-line argument that contains the reference.
    #[must_use]
    pub const fn with_argument(mut self, number: u64) -> Self {
        self.argument = number;
        self
    }

    /// Plans the access with this client. Creating a client takes longer than the rest of a short
    /// explanation, so many explanations should share one.
    #[must_use]
    pub const fn with_client(mut self, client: &'a Client) -> Self {
        self.client = Some(client);
        self
    }

    /// Returns the result under one standard.
    pub fn reading(&self, reader: Reader) -> Option<&Reading<'a>> {
        self.readings
            .iter()
            .find(|reading| reading.reader() == reader)
    }

    /// Returns the result under the chosen standard.
    pub fn chosen(&self) -> Option<&Reading<'a>> {
        self.reading(self.chosen)
    }

    /// Returns the result whose components are shown: that of the first standard that yields
    /// components. The order is the chosen standard, RFC 3986, the other RFCs from newest to
    /// oldest, and WHATWG.
    pub fn shown(&self) -> Option<&Reading<'a>> {
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

impl Explanation<'_> {
    /// Returns true if only the beginning of the reference is explained.
    pub const fn is_cut(&self) -> bool {
        self.reference.len() < self.length
    }

    /// Returns the normal form under the chosen standard, or `None` if the reference is not valid.
    pub fn normalized(&self) -> Option<String> {
        let chosen = self.chosen().filter(|reading| reading.is_valid())?;
        if let Some(href) = chosen.href() {
            return Some(href.to_owned());
        }
        let mut text = String::new();
        chosen.reference()?.normalize_into(Level::Scheme, &mut text);
        Some(text)
    }

    /// Returns the steps that a client takes to fetch the reference, or the reason why no client
    /// can fetch it. Returns `None` if the scheme is unknown, or the reference is not a valid URL
    /// of its scheme. Makes no connections.
    pub fn requested(&self) -> &Option<Result<Plan, Error>> {
        self.requested.get_or_init(|| self.plan())
    }

    fn plan(&self) -> Requested {
        let meaning = self.shown()?.meaning()?;
        meaning.details().ok()?;
        let request = Request::new(meaning.reference).edition(meaning.edition);
        let outline = match self.client {
            Some(client) => client.outline(&request),
            None => crate::protocols::client(Policy::permissive()).outline(&request),
        };
        match outline {
            Err(error) if matches!(error.kind(), ErrorKind::NoProtocol { .. }) => None,
            planned => Some(planned),
        }
    }

    /// Returns a normal form as pages show it, without passwords.
    pub fn shown_normalized(&self, normalized: &str, show_secrets: bool) -> String {
        let text = shown::cut(&mask(normalized, show_secrets), LONGEST_NORMAL);
        safe(&text).into_owned()
    }

    /// Returns the error under the chosen standard.
    pub fn fault(&self, show_secrets: bool) -> Option<Fault> {
        let failure = self.chosen()?.failure()?;
        let text = String::from_utf8_lossy(self.reference);
        let masked = Masked::new(&text, show_secrets);
        // INVARIANT: the input is UTF-8 up to the offset, so the offset is the same in `text`.
        let is_masked = failure.offset().is_some_and(|offset| masked.hides(offset));
        let summary = if is_masked {
            FOUND_MASKED.to_owned()
        } else {
            failure.summary().into_owned()
        };
        let rule = failure.production().zip(failure.section());
        Some(Fault {
            summary,
            is_masked,
            offset: failure.offset().map(|offset| masked.offset(offset)),
            text: masked.text.into_owned(),
            expected: failure.expected().map(|expected| expected.to_string()),
            rule: rule.map(|(production, section)| format!("{production}, {section}")),
        })
    }

    /// Explains the [`beginning`] of a reference that is too long for a page. Returns `None` for
    /// other references.
    pub fn of_beginning(&self) -> Option<Explanation<'_>> {
        let whole = Unparsed::from(self.reference);
        let shown = beginning(whole);
        (shown.bytes.len() < whole.bytes.len()).then(|| {
            Explanation::new(self.input, shown, self.chosen, self.edition)
                .with_length(self.length)
                .with_argument(self.argument)
        })
    }

    /// Returns the notes, each consisting of one or more sentences.
    pub fn notes(&self, show_secrets: bool) -> Vec<String> {
        notes::all(self, show_secrets)
    }

    /// Returns everything as one record. Passwords are not masked, because records are data.
    pub fn record(&self) -> ExplanationRecord<'_> {
        let (plan, plan_error) = match self.requested() {
            Some(Ok(plan)) => (Some(Steps(plan)), None),
            Some(Err(error)) => (None, Some(ErrorRecord::from(error))),
            None => (None, None),
        };
        let chosen = self.chosen();
        let failure = chosen.and_then(Reading::failure);
        ExplanationRecord {
            input: self.input.into(),
            reference: String::from_utf8_lossy(self.reference),
            standard: self.chosen.name(),
            valid: chosen.is_some_and(Reading::is_valid),
            error: failure.as_ref().map(ErrorRecord::from),
            normalized: self.normalized(),
            verdicts: self.readings.each_ref().map(|reading| ReadRecord {
                input: Unparsed::from(self.reference).into(),
                reading: ReadingKeys::new(reading, AMPERSAND),
            }),
            audit: AuditKeys::new(self.audit.as_ref()),
            notes: self.notes(true),
            plan,
            plan_error,
        }
    }
}

/// An explanation as one record.
#[derive(serde::Serialize)]
pub struct ExplanationRecord<'a> {
    #[serde(flatten)]
    input: InputKeys<'a>,
    reference: Cow<'a, str>,
    standard: &'static str,
    valid: bool,
    error: Option<ErrorRecord>,
    normalized: Option<String>,
    verdicts: [ReadRecord<'a>; 8],
    #[serde(flatten)]
    audit: AuditKeys<'a>,
    notes: Vec<String>,
    plan: Option<Steps<'a>>,
    plan_error: Option<ErrorRecord>,
}
