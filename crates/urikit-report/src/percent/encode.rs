//! Percent-encodes data for a component, and converts IRIs to URIs.

use super::Conversion;
use crate::reading::Failure;
use std::borrow::Cow;
use urikit::grammar::{ByteSet, rfc3986};
use urikit::percent::{self, EncodeError, Reading};
use urikit::{IriRef, Standard};

/// The characters that are data in every component under RFC 2396 and later.
const UNRESERVED: ByteSet = *rfc3986::UNRESERVED.set();

/// The characters that are data in all components of earlier RFCs, which escape `~`.
const OLD_MARKS: ByteSet = UNRESERVED.without(ByteSet::of(b"~"));

/// Maps an IRI to a URI.
pub(super) fn complete(input: &[u8], conversion: &Conversion) -> Result<String, Failure> {
    let iri = conversion
        .standard
        .parse_bytes(input)
        .map_err(Failure::Rfc)?;
    let iri: IriRef<'_> = iri.try_into().map_err(Failure::Rfc)?;
    let mut uri = String::new();
    if conversion.options.idna {
        let mapped = iri.to_uri_idna_into(&mut uri);
        mapped.map_err(Failure::Idna)?;
    } else {
        iri.to_uri_into(&mut uri);
    }
    Ok(uri)
}

/// Encodes data for a component.
pub(super) fn part<'a>(input: &'a [u8], conversion: &Conversion) -> Result<Cow<'a, [u8]>, Failure> {
    let (options, standard) = (&conversion.options, conversion.standard);
    let octets = options.charset.octets(input)?;
    let Some(component) = options.component else {
        let literal = match standard {
            Standard::Rfc1630 | Standard::Rfc1738 => &OLD_MARKS,
            _ => &UNRESERVED,
        };
        let escaped = percent::encode_with(&*octets, literal).to_string();
        return Ok(Cow::Owned(escaped.into_bytes()));
    };
    let escaped = percent::encode(&octets, component, standard);
    let escaped = escaped.map_err(|error| match error {
        EncodeError::NoEscapes(error) | EncodeError::InvalidHost(error) => Failure::Rfc(error),
        error => Failure::Operation(error.to_string()),
    })?;
    let escaped = escaped.reading(if options.partly {
        Reading::Partly
    } else {
        Reading::Data
    });
    let escaped = if options.form {
        escaped.form()
    } else {
        escaped
    };
    Ok(Cow::Owned(escaped.collect::<String>().into_bytes()))
}
