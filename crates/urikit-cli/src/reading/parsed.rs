//! An input as a reference of the core, by a standard or as browsers read it.

use super::failure::Failure;
use super::whatwg;
use crate::input::Unparsed;
use crate::standard::Reader;
use urikit::{AnyRef, Standard};

/// Parses an input. A URL from browsers' rules is written to `memory` as they serialize it, with
/// escapes for what RFC 3986 does not allow, and parsed again under RFC 3986.
///
/// # Errors
///
/// Why it is not valid.
pub(crate) fn parse<'a>(
    reader: Reader,
    input: Unparsed<'a>,
    memory: &'a mut String,
) -> Result<AnyRef<'a>, Failure> {
    match reader {
        Reader::Rfc(standard) => input.parse(standard).map_err(Failure::Rfc),
        Reader::Whatwg => {
            *memory = serialize(input)?;
            Standard::Rfc3986.parse(memory).map_err(Failure::Rfc)
        }
    }
}

/// The URL that browsers parse an input into, with escapes for what RFC 3986 does not allow.
///
/// # Errors
///
/// Why they refuse it.
pub(crate) fn serialize(input: Unparsed<'_>) -> Result<String, Failure> {
    let url = whatwg::parse(input).map_err(Failure::Whatwg)?;
    if Standard::Rfc3986.parse(url.as_str()).is_ok() {
        return Ok(url.into());
    }
    match urikit::repair(url.as_str()) {
        Ok(repaired) => Ok(repaired.reference.into_string()),
        Err(error) => Err(Failure::Operation(error.to_string())),
    }
}
