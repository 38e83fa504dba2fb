//! Serializes parsed inputs as `parse --json` prints them.

use super::Object;
use crate::input::Given;
use crate::reading::{Components, Failure, Meaning, Reading};
use crate::standard::Reader;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use urikit::Standard;
use urikit::percent::{self, Place};
use urikit_schemes::{Detail, Details, Fields, ReadError};

/// An input with its components.
pub(crate) struct Record<'a> {
    pub(crate) input: Given<'a>,
    pub(crate) reading: &'a Reading<'a>,
    /// The character between the query's pairs.
    pub(crate) separator: char,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        object.reading(self.reading, self.separator)?;
        object.end()
    }
}

/// An input without a result.
pub(crate) struct Unread<'a> {
    pub(crate) input: Given<'a>,
    pub(crate) reader: Reader,
    pub(crate) why: &'a Failure,
}

impl Serialize for Unread<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new(serializer)?;
        object.input(self.input)?;
        object.no_reading(self.reader, self.why)?;
        object.end()
    }
}

impl<S: Serializer> Object<S> {
    /// Writes the keys after the input: the verdict, the components, the details of the scheme, and
    /// the pairs of the query, which are split at `separator`.
    pub(crate) fn reading(
        &mut self,
        reading: &Reading<'_>,
        separator: char,
    ) -> Result<(), S::Error> {
        self.field("standard", reading.reader().name())?;
        self.field("valid", &reading.is_valid())?;
        self.field("generic_valid", &reading.is_generic_valid())?;
        self.error(reading.failure().as_ref())?;
        let components = reading.components();
        match &components {
            Some(components) => {
                for (key, text) in components.texts() {
                    self.field(key, &text)?;
                }
                self.field("opaque", &components.opaque)?;
            }
            None => self.no_components()?,
        }
        self.details(reading.meaning())?;
        let components = components.as_ref();
        self.field("port_number", &components.and_then(Components::port_number))?;
        let query = components.and_then(|components| components.query);
        self.field("query_pairs", &QueryPairs::new(query, separator))
    }

    /// Writes the keys after an input without a result.
    pub(crate) fn no_reading(&mut self, reader: Reader, failure: &Failure) -> Result<(), S::Error> {
        self.field("standard", reader.name())?;
        self.field("valid", &false)?;
        self.field("generic_valid", &false)?;
        self.error(Some(failure))?;
        self.no_components()?;
        self.nulls(&[
            "details",
            "scheme_text",
            "scheme_error",
            "port_number",
            "query_pairs",
        ])
    }

    /// Writes `null` for every component.
    fn no_components(&mut self) -> Result<(), S::Error> {
        self.nulls(&Components::KEYS)?;
        self.nulls(&["opaque"])
    }
}

impl<S: Serializer> Object<S> {
    /// Writes `details`, `scheme_text` (the specification that defines them), and `scheme_error`.
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

/// One value. Secrets are not masked, because JSON is data.
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

/// The default separator of pairs.
pub(crate) const AMPERSAND: char = '&';

/// The decoded pairs of a query in order, including empty ones; `null` without a query.
#[derive(Clone, Copy)]
pub(crate) struct QueryPairs<'a> {
    query: Option<&'a str>,
    separator: char,
}

impl<'a> QueryPairs<'a> {
    /// Splits a query at `separator`.
    pub(crate) const fn new(query: Option<&'a str>, separator: char) -> Self {
        Self { query, separator }
    }
}

impl Serialize for QueryPairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.query {
            Some("") => serializer.collect_seq([(); 0]),
            Some(query) => serializer.collect_seq(query.split(self.separator).map(Pair::new)),
            None => serializer.serialize_none(),
        }
    }
}

#[derive(serde::Serialize)]
struct Pair<'a> {
    key: Decoded<'a>,
    value: Option<Decoded<'a>>,
}

impl<'a> Pair<'a> {
    fn new(text: &'a str) -> Self {
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (text, None),
        };
        Self {
            key: Decoded(key),
            value: value.map(Decoded),
        }
    }
}

/// Text that is serialized decoded, or as written if the decoded octets are not UTF-8. A `+` stays.
struct Decoded<'a>(&'a str);

impl Serialize for Decoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Browsers allow a `%` that does not begin an escape. It also remains as written.
        let decoded = percent::decode(self.0, Place::QueryValue, Standard::Rfc3986);
        let octets = decoded.map(|decoded| decoded.to_bytes());
        let text = octets.as_deref().map(str::from_utf8);
        match text {
            Ok(Ok(text)) => serializer.serialize_str(text),
            _ => serializer.serialize_str(self.0),
        }
    }
}
