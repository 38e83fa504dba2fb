//! References that were found in documents: their validity, their targets, and their records.

use crate::Reader;
use crate::reading::{Failure, whatwg};
use crate::record::{ErrorRecord, RepairedRecord};
use crate::repairs::Changed;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::borrow::Cow;
use std::ops::Range;
use urikit::Standard;
use urikit_extract::defang;
use urikit_extract::document::{Found, Place, Syntax};

/// Checks references under a standard.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// The standard; `None` for RFC 3986, or RFC 3987 if the reference is not US-ASCII.
    pub reader: Option<Reader>,
}

/// The verdict on a reference.
#[derive(Default)]
pub struct Judged {
    /// The target, resolved against the base.
    pub target: Option<String>,
    /// The error, if the reference is not valid.
    pub failure: Option<Failure>,
    /// The form that browsers use instead, if the reference is not valid.
    pub repaired: Option<Changed>,
}

impl Judge {
    /// Parses and resolves a reference.
    pub fn judge(self, reference: &Found<'_>) -> Judged {
        if reference.is_template() {
            // A template is not a reference, so it has no target and is not repaired.
            return Judged {
                failure: reference.reference().err().map(Failure::Rfc),
                ..Judged::default()
            };
        }
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

    /// Returns the standard to mention in a message about the reference.
    pub fn reader_of(self, reference: &Found<'_>) -> Reader {
        self.reader
            .unwrap_or(Reader::Rfc(if reference.uri().is_ascii() {
                Standard::Rfc3986
            } else {
                Standard::Rfc3987
            }))
    }
}

/// The amount of detail in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Everything.
    All,
    /// Everything except the list of changes in a repaired reference.
    NoChanges,
}

/// A reference as a record.
#[derive(serde::Serialize)]
pub struct FoundRecord<'a> {
    source: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    start: usize,
    end: usize,
    kind: &'static str,
    text: &'a str,
    uri: &'a str,
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    defanged: Option<String>,
    alternative: Option<&'a str>,
    part: Option<Range<usize>>,
    place: PlaceKeys<'a>,
    valid: bool,
    error: Option<ErrorRecord>,
    repaired: Option<RepairedRecord<'a>>,
    cut: bool,
    template: bool,
    /// The reference as plain output prints it.
    result: Option<Cow<'a, str>>,
}

impl<'a> FoundRecord<'a> {
    /// Describes a reference in the file `name`.
    pub fn new(
        reference: &'a Found<'a>,
        judged: &'a Judged,
        name: &'a str,
        detail: Detail,
    ) -> Self {
        let range = reference.range();
        let position = reference.position();
        let failure = judged.failure.as_ref();
        let repaired = judged.repaired.as_ref();
        Self {
            source: name,
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            start: range.start,
            end: range.end,
            kind: reference.kind().as_str(),
            text: reference.text(),
            uri: reference.uri(),
            target: judged.target.as_deref(),
            defanged: None,
            alternative: reference.alternative(),
            part: reference.part(),
            place: PlaceKeys(reference.place()),
            valid: failure.is_none(),
            error: failure.map(ErrorRecord::from),
            repaired: repaired.map(|repaired| match detail {
                Detail::All => RepairedRecord::new(repaired),
                Detail::NoChanges => RepairedRecord::without_changes(repaired),
            }),
            cut: reference.is_cut(),
            template: reference.is_template(),
            result: failure
                .is_none()
                .then(|| judged.target.as_deref().unwrap_or(reference.uri()).into()),
        }
    }

    /// Adds the defanged form.
    #[must_use]
    pub fn defanged(mut self) -> Self {
        let defanged = defang(self.target.unwrap_or(self.uri));
        self.result = self.result.map(|_| Cow::Owned(defanged.clone()));
        self.defanged = Some(defanged);
        self
    }
}

/// The JSON form of a position in markup: an object without absent fields, or null.
struct PlaceKeys<'a>(&'a Place<'a>);

impl Serialize for PlaceKeys<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = self.0;
        if place.is_none() {
            return serializer.serialize_none();
        }
        let texts = [
            ("element", place.element()),
            ("attribute", place.attribute()),
            ("rel", place.rel()),
            ("type", place.media_type()),
            ("syntax", place.syntax().map(Syntax::as_str)),
            ("field", place.field()),
            ("sheet", place.sheet()),
            ("cell", place.cell()),
            ("entry", place.entry()),
        ];
        let numbers = [("paragraph", place.paragraph()), ("slide", place.slide())];
        let mut map = serializer.serialize_map(None)?;
        for (key, text) in texts {
            if let Some(text) = text {
                map.serialize_entry(key, text)?;
            }
        }
        for (key, number) in numbers {
            if let Some(number) = number {
                map.serialize_entry(key, &number)?;
            }
        }
        map.end()
    }
}
