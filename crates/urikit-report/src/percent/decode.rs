//! Percent-decodes text, and converts URIs to IRIs.

use super::{Charset, Conversion};
use crate::reading::Failure;
use std::borrow::Cow;
use urikit::UriRef;
use urikit::percent::{self, Place};

/// Maps a URI to an IRI.
pub(super) fn complete(input: &[u8], conversion: &Conversion) -> Result<String, Failure> {
    let uri = conversion
        .standard
        .parse_bytes(input)
        .map_err(Failure::Rfc)?;
    let uri: UriRef<'_> = uri.try_into().map_err(Failure::Rfc)?;
    let mut iri = String::new();
    uri.to_iri_into(&mut iri);
    Ok(iri)
}

/// Decodes the text of a component.
pub(super) fn part<'a>(input: &'a [u8], conversion: &Conversion) -> Result<Cow<'a, [u8]>, Failure> {
    let text = Charset::text(input)?;
    if conversion.options.is_lenient
        && let Cow::Owned(text) = without_lone_percents(text)
    {
        let octets = decoded(&text, conversion)?;
        return Ok(Cow::Owned(octets.into_owned()));
    }
    decoded(text, conversion)
}

/// Decodes text to octets in its charset.
fn decoded<'a>(text: &'a str, conversion: &Conversion) -> Result<Cow<'a, [u8]>, Failure> {
    let options = &conversion.options;
    // The component matters only for queries.
    let component = options.component.unwrap_or(Place::Segment);
    let decoded = percent::decode(text, component, conversion.standard).map_err(Failure::Rfc)?;
    let decoded = if options.form {
        decoded.form()
    } else {
        decoded
    };
    Ok(match options.charset {
        Charset::Utf8 | Charset::Bytes => decoded.to_bytes(),
        Charset::Latin1 => match decoded.to_latin1() {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
    })
}

/// Escapes each `%` that does not begin an escape.
fn without_lone_percents(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |at: &usize| {
        let digits = bytes.get(at + 1..at + 3);
        !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let percents = text.match_indices('%').map(|(at, _)| at);
    let mut lone = percents.filter(is_lone).peekable();
    if lone.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut from = 0;
    for at in lone {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push_str("%25");
        from = at + 1;
    }
    Cow::Owned(out + text.get(from..).unwrap_or_default())
}
