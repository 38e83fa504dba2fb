//! Serializes parsed inputs as `parse --json` prints them.

use super::{ErrorRecord, InputKeys};
use crate::Reader;
use crate::reading::{Components, Failure, Meaning, Reading};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use urikit::Standard;
use urikit::percent::{self, Place};
use urikit_domains::{Domain, List};
use urikit_schemes::{Detail, Details, Fields, ReadError};

/// An input with its components.
#[derive(serde::Serialize)]
pub struct ReadRecord<'a> {
    #[serde(flatten)]
    /// The input.
    pub input: InputKeys<'a>,
    #[serde(flatten)]
    /// The result.
    pub reading: ReadingKeys<'a>,
}

/// The registrable domain of the host, and its public suffix.
#[derive(Clone, Copy, Default, serde::Serialize)]
pub struct DomainKeys<'a> {
    /// The registrable domain.
    pub domain: Option<&'a str>,
    /// The public suffix.
    pub suffix: Option<&'a str>,
}

impl<'a> DomainKeys<'a> {
    /// Looks up the host's domain in a list, ignoring the list's private section.
    pub fn new(host: Option<&'a str>, list: &List) -> Self {
        let found = host.and_then(|host| list.clone().with_private(false).domain(host));
        let found: Option<Domain<'a>> = found;
        Self {
            domain: found.as_ref().and_then(Domain::registrable),
            suffix: found.as_ref().map(Domain::suffix),
        }
    }
}

/// The keys after the input: the verdict, the components, scheme-specific details, and the query's
/// pairs.
#[derive(serde::Serialize)]
pub struct ReadingKeys<'a> {
    standard: &'static str,
    valid: bool,
    generic_valid: bool,
    error: Option<ErrorRecord>,
    #[serde(flatten)]
    components: ComponentKeys<'a>,
    opaque: Option<bool>,
    details: Option<All<'a>>,
    /// The specification that defines the details.
    scheme_text: Option<&'static str>,
    scheme_error: Option<ErrorRecord>,
    port_number: Option<u16>,
    query_pairs: QueryPairs<'a>,
}

impl<'a> ReadingKeys<'a> {
    /// Describes a result. `separator` separates the query's pairs.
    pub fn new(reading: &'a Reading<'_>, separator: char) -> Self {
        let components = reading.components();
        let (details, error) = match reading.meaning().map(Meaning::details) {
            Some(Ok(details)) => (Some(details), None),
            // `error` reports these.
            Some(Err(ReadError::Generic | ReadError::OtherScheme)) | None => (None, None),
            Some(Err(error)) => (None, Some(error)),
        };
        let text = details.as_ref().map(|details| details.specification);
        Self {
            standard: reading.reader().name(),
            valid: reading.is_valid(),
            generic_valid: reading.is_generic_valid(),
            error: reading.failure().as_ref().map(ErrorRecord::from),
            components: ComponentKeys(components),
            opaque: components.map(|components| components.opaque),
            details: details.map(All),
            scheme_text: text.filter(|text| !text.is_empty()),
            scheme_error: error.map(ErrorRecord::from),
            port_number: components.as_ref().and_then(Components::port_number),
            query_pairs: QueryPairs::new(components.and_then(|all| all.query), separator),
        }
    }

    /// Describes an input that has no result.
    pub fn unread(reader: Reader, why: &Failure) -> Self {
        Self {
            standard: reader.name(),
            valid: false,
            generic_valid: false,
            error: Some(why.into()),
            components: ComponentKeys(None),
            opaque: None,
            details: None,
            scheme_text: None,
            scheme_error: None,
            port_number: None,
            query_pairs: QueryPairs::new(None, AMPERSAND),
        }
    }
}

/// One key per component; each value is `null` if the input has no components.
struct ComponentKeys<'a>(Option<Components<'a>>);

impl Serialize for ComponentKeys<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(components) => serializer.collect_map(components.texts()),
            None => serializer.collect_map(Components::KEYS.map(|key| (key, ()))),
        }
    }
}

struct All<'a>(Details<'a>);

impl Serialize for All<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Details { scheme, fields, .. } = &self.0;
        let mut object = serializer.serialize_map(Some(fields.len() + 1))?;
        object.serialize_entry("scheme", scheme)?;
        for (name, value) in fields {
            object.serialize_entry(name, &One(value))?;
        }
        object.end()
    }
}

/// One value. Secrets are not masked, because JSON output is exact.
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

/// The default separator between pairs.
pub const AMPERSAND: char = '&';

/// The decoded pairs of a query in order, including empty ones; `null` if the input has no query.
#[derive(Clone, Copy)]
pub struct QueryPairs<'a> {
    query: Option<&'a str>,
    separator: char,
}

impl<'a> QueryPairs<'a> {
    /// Splits a query at `separator`.
    pub const fn new(query: Option<&'a str>, separator: char) -> Self {
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

/// Text that is serialized in decoded form, or as written if the decoded octets are not UTF-8. A
/// `+` is not decoded to a space.
struct Decoded<'a>(&'a str);

impl Serialize for Decoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Browsers allow a `%` that does not begin an escape. A value that contains such a `%` is
        // left as written.
        let decoded = percent::decode(self.0, Place::QueryValue, Standard::Rfc3986);
        let octets = decoded.map(|decoded| decoded.to_bytes());
        let text = octets.as_deref().map(str::from_utf8);
        match text {
            Ok(Ok(text)) => serializer.serialize_str(text),
            _ => serializer.serialize_str(self.0),
        }
    }
}
