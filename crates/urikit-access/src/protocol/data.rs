//! The `data` scheme, whose URLs contain the data itself (RFC 2397), so no connection is made.
//!
//! The media type is reported as written in the URL, with its escapes. If the URL omits the media
//! type, the default in section 2 of RFC 2397 applies.

use super::{Outcome, Protocol};
use crate::context::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::output::{Metadata, Output};
use crate::plan::{self, Plan};
use crate::request::Request;
use std::borrow::Cow;
use urikit::component::Encoded;
use urikit_schemes::ReadError;

/// Decodes data URLs.
///
/// ```
/// use urikit::UriRef;
/// use urikit_access::{Client, Buffer, NoPrompt, Policy, Request};
/// let url = UriRef::parse("data:,A%20brief%20note")?; // RFC 2397, 4
/// let mut buffer = Buffer::default();
/// Client::new(Policy::permissive()).fetch(&Request::new(url), &mut NoPrompt, &mut buffer)?;
/// assert_eq!(buffer.bytes, b"A brief note");
/// assert_eq!(buffer.metadata.media_type.as_deref(), Some("text/plain;charset=US-ASCII"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DataProtocol;

/// The number of octets that are passed to the output at a time.
const PIECE: usize = 8 << 10;

impl DataProtocol {
    /// Returns the protocol, which has no settings.
    pub const fn new() -> Self {
        Self
    }
}

/// A step in the plan for a data URL.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Sends nothing, because the URL contains the data.
    SendNothing,
    /// Decodes the data from base64.
    DecodeBase64,
    /// Decodes the escapes in the data.
    DecodeEscapes,
    /// Returns the data, with the given media type.
    ReturnAs(String),
}

impl plan::Step for Step {
    fn words(&self) -> (&'static str, Cow<'_, [u8]>) {
        match self {
            Self::SendNothing => ("sends nothing: the URL contains the data", b"".into()),
            Self::DecodeBase64 => ("decodes the data from base64", b"".into()),
            Self::DecodeEscapes => ("decodes the escapes in the data", b"".into()),
            Self::ReturnAs(media_type) => ("returns the data as", media_type.as_bytes().into()),
        }
    }
}

impl Protocol for DataProtocol {
    fn schemes(&self) -> &[&'static str] {
        &["data"]
    }

    fn plan(&self, request: &Request<'_>) -> Result<Plan> {
        let data = urikit_schemes::Data::read_as(request.reference, request.edition)?;
        data.octets().map_err(ReadError::Mismatch)?;
        let part = |part: Encoded<'_>| {
            let text = part.decode_utf8().unwrap_or(Cow::Borrowed(part.as_str()));
            text.into_owned()
        };
        let media_type = format!("{}/{}", part(data.type_name()), part(data.subtype()));
        let mut plan = Plan::new();
        for step in [
            Step::SendNothing,
            if data.is_base64() {
                Step::DecodeBase64
            } else {
                Step::DecodeEscapes
            },
            Step::ReturnAs(media_type),
        ] {
            plan.step(step);
        }
        Ok(plan)
    }

    fn access(
        &self,
        request: &Request<'_>,
        context: &mut Context<'_>,
        output: &mut Output<'_>,
    ) -> Result<Outcome> {
        let data = urikit_schemes::Data::read_as(request.reference, request.edition)?;
        let octets = || data.octets().map_err(ReadError::Mismatch);
        let size = u64::try_from(octets()?.count()).unwrap_or(u64::MAX);
        if request.resume > size {
            return Err(Error::new(ErrorKind::CannotResume));
        }
        context.note("decoded the data in the URL");
        output.begin(metadata(&data, size, request.resume))?;
        if request.wants_body() {
            let mut octets = octets()?.skip(usize::try_from(request.resume).unwrap_or(usize::MAX));
            let mut piece = Vec::with_capacity(PIECE);
            loop {
                piece.clear();
                piece.extend(octets.by_ref().take(PIECE));
                if piece.is_empty() {
                    break;
                }
                output.bytes(&piece)?;
            }
        }
        Ok(Outcome::Done)
    }
}

/// Returns the metadata that describes the data.
fn metadata(data: &urikit_schemes::Data<'_>, size: u64, offset: u64) -> Metadata {
    let mut media_type = format!("{}/{}", data.type_name(), data.subtype());
    for (name, value) in data.parameters() {
        media_type.extend([";", name.as_str(), "=", value.as_str()]);
    }
    // "If <mediatype> is omitted, it defaults to text/plain;charset=US-ASCII" (RFC 2397, 2).
    if let Some(charset) = data.charset()
        && data.parameters().next().is_none()
    {
        media_type.extend([";charset=", charset.as_str()]);
    }
    let encoding = if data.is_base64() {
        "base64"
    } else {
        "escapes"
    };
    let mut attributes = vec![("encoding".to_owned(), encoding.to_owned())];
    if let Some(charset) = data.charset() {
        attributes.push(("charset".to_owned(), charset.to_string()));
    }
    Metadata {
        media_type: Some(media_type),
        size: Some(size),
        offset,
        attributes,
        ..Metadata::default()
    }
}
