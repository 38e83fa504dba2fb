//! `details`: what a reference means by the specification of its scheme.

use super::object::Object;
use crate::reading::Meaning;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use urikit_schemes::{Detail, Details, Fields, ReadError};

impl<S: Serializer> Object<S> {
    /// Writes `details`, `scheme_text` (the specification that defines them), and `scheme_error`
    /// (why there are none).
    pub(super) fn details(&mut self, meaning: Option<Meaning<'_>>) -> Result<(), S::Error> {
        let details = meaning.map(Meaning::details);
        let error = match &details {
            // `error` reports these.
            Some(Err(ReadError::Generic | ReadError::OtherScheme)) | None => None,
            Some(details) => details.as_ref().err().copied(),
        };
        let details = details.and_then(Result::ok);
        self.field("details", &details.as_ref().map(All))?;
        let text = details.as_ref().map(|details| details.specification);
        self.field("scheme_text", &text.filter(|text| !text.is_empty()))?;
        self.scheme_error(error)
    }
}

struct All<'a>(&'a Details<'a>);

impl Serialize for All<'_> {
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

/// One value. JSON is data, so secrets are not masked.
struct One<'a>(&'a Detail<'a>);

impl Serialize for One<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Detail::Flag(flag) => serializer.serialize_bool(*flag),
            Detail::Number(number) => serializer.serialize_u64(*number),
            Detail::Text(text) | Detail::Secret(text) => serializer.serialize_str(text),
            Detail::List(values) => serializer.collect_seq(values.iter().map(One)),
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
