//! What a reference means by the text of its scheme, as `details` prints it.

use super::{Reading, Text};
use serde::ser::{
    Serialize, SerializeMap as _, SerializeSeq as _, SerializeStruct as _, Serializer,
};
use urikit::error::Found;
use urikit::grammar::Rule;
use urikit::scheme::{
    self, AccessError, Detail, Details, Edition, Fields, ReadError, Scheme, Step,
};
use urikit::{AnyRef, Standard};

/// A reference whose scheme is known.
#[derive(Clone, Copy)]
pub(crate) struct Meaning<'a> {
    pub(crate) reference: AnyRef<'a>,
    pub(crate) scheme: &'static dyn Scheme,
    edition: Edition,
}

impl Reading<'_> {
    /// The reference as a URL of its scheme, if that is a known one. What browsers make of an input is read as
    /// RFC 3986 has it.
    pub(crate) fn meaning(&self) -> Option<Meaning<'_>> {
        let reference = match self.href() {
            Some(href) => Standard::Rfc3986.parse(href).ok()?,
            None => self.reference()?,
        };
        Some(Meaning {
            reference,
            scheme: scheme::find(reference.scheme()?)?,
            edition: self.edition.unwrap_or(Edition::of(reference.standard())),
        })
    }
}

impl<'a> Meaning<'a> {
    /// What it means.
    pub(crate) fn details(self) -> Result<Details<'a>, ReadError> {
        self.scheme.details(self.reference, self.edition)
    }

    /// What a client does with it.
    pub(crate) fn steps(self) -> Result<Vec<Step<'a>>, AccessError> {
        self.scheme.steps(self.reference, self.edition)
    }
}

/// Writes `details`, `scheme_text` (what they were read by), and `scheme_error` (why there are none).
pub(crate) fn serialize_details<S: Serializer>(
    object: &mut S::SerializeStruct,
    meaning: Option<Meaning<'_>>,
) -> Result<(), S::Error> {
    let details = meaning.map(Meaning::details);
    let error = match &details {
        // The input's own error says so already.
        Some(Err(ReadError::Generic | ReadError::OtherScheme)) | None => None,
        Some(details) => details.as_ref().err().map(|error| SchemeError(*error)),
    };
    let details = details.and_then(Result::ok);
    object.serialize_field("details", &details.as_ref().map(Whole))?;
    let text = details.as_ref().map(|details| details.text);
    object.serialize_field("scheme_text", &text.filter(|text| !text.is_empty()))?;
    object.serialize_field("scheme_error", &error)
}

struct Whole<'a>(&'a Details<'a>);

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Details { scheme, fields, .. } = self.0;
        let mut object = serializer.serialize_map(Some(fields.len() + 1))?;
        object.serialize_entry("scheme", scheme)?;
        for (name, value) in fields {
            object.serialize_entry(name, &One(value))?;
        }
        object.end()
    }
}

/// One value; it is data, so that secrets are as they are.
struct One<'a>(&'a Detail<'a>);

impl Serialize for One<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Detail::Flag(flag) => serializer.serialize_bool(*flag),
            Detail::Number(number) => serializer.serialize_u64(*number),
            Detail::Text(text) | Detail::Secret(text) => serializer.serialize_str(text),
            Detail::List(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(&One(value))?;
                }
                list.end()
            }
            Detail::Fields(fields) => Many(fields).serialize(serializer),
            _ => serializer.serialize_none(),
        }
    }
}

struct Many<'a>(&'a Fields<'a>);

impl Serialize for Many<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, One(value))))
    }
}

/// Why a valid reference is no URL of its scheme; with the keys of an error.
struct SchemeError(ReadError);

impl Serialize for SchemeError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mismatch = match self.0 {
            ReadError::Mismatch(mismatch) => Some(mismatch),
            _ => None,
        };
        let found = mismatch.and_then(|mismatch| match mismatch.found() {
            Found::Char(c) => Some(c),
            _ => None,
        });
        let production = mismatch.map(|mismatch| mismatch.production());
        let mut object = serializer.serialize_struct("SchemeError", 6)?;
        object.serialize_field("offset", &mismatch.map(|mismatch| mismatch.offset()))?;
        object.serialize_field("found", &found)?;
        object.serialize_field("expected", &mismatch.map(|mismatch| mismatch.expected()))?;
        object.serialize_field("production", &production.as_ref().map(Rule::name))?;
        object.serialize_field("section", &production.as_ref().map(Rule::section))?;
        object.serialize_field("message", &Text(&self.0))?;
        object.end()
    }
}
