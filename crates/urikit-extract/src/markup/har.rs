//! HTTP archives (HAR 1.2): the URLs of requests, redirects and header fields, and the content of
//! responses by their media type, relative to the URL of the request. All other strings are text.

use super::Prose;
use super::json::{Token, Tokens, lookup, unescape};
use crate::decode::OffsetMap;
use crate::format::Format;
use crate::found::{Bases, Place};
use crate::reader::{Context, Each, Noticed};
use core::ops::Range;
use urikit::op::Layer;
use urikit_mime::transfer::{Decoder, Encoding, Run};

/// Header fields that are one reference (RFC 9110).
const FIELDS: [&[u8]; 3] = [b"location", b"content-location", b"referer"];

/// Reads a complete archive.
pub(crate) fn read(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut prose = Prose::new(document, context, bases, each);
    let mut tokens = Tokens::new(document, 0);
    let mut body = None;
    let mut field = Vec::new();
    while let Some(token) = tokens.next() {
        let range = match token {
            Token::Open(start) => {
                if tokens.is_open_at(&["log", "entries", "*"]) {
                    let url = lookup(document, start, &["request", "url"]);
                    let url = url.map(|range| decoded(document, range).0);
                    let url = String::from_utf8_lossy(&url.unwrap_or_default()).into_owned();
                    let long = &mut prose.noticed.exceeded.long_bases;
                    let bases = bases.within(Layer::Retrieval, &url, long).into_owned();
                    prose.set_bases(bases);
                } else if tokens.is_open_at(&["log", "entries", "*", "response", "content"]) {
                    body = Some(Content::of(document, start));
                } else if tokens.is_open_at(&["log", "entries", "*", "response", "headers", "*"]) {
                    let name = lookup(document, start, &["name"]);
                    field = name.map_or_else(Vec::new, |range| decoded(document, range).0);
                    field.make_ascii_lowercase();
                }
                continue;
            }
            Token::Close(_) => continue,
            Token::String(range) => range,
        };
        let is_url = tokens.is_at(&["log", "entries", "*", "request", "url"])
            || tokens.is_at(&["log", "entries", "*", "response", "redirectURL"])
            || FIELDS.contains(&&*field)
                && tokens.is_at(&["log", "entries", "*", "response", "headers", "*", "value"]);
        let (text, map) = decoded(document, range.clone());
        if is_url {
            if !text.is_empty() {
                let place = match tokens.name() {
                    b"value" => Place::in_field(String::from_utf8_lossy(&field)),
                    _ => Place::default(),
                };
                prose.link(range, &text, place);
            }
            continue;
        }
        let is_content = tokens.is_at(&["log", "entries", "*", "response", "content", "text"]);
        let body = body.take_if(|_| is_content).unwrap_or_default();
        let to_file = |range| map.range(range);
        match body.format {
            None => {}
            Some(format) if body.is_base64 => {
                let (text, inner) = base64(&text);
                let to_file = |range| map.range(inner.range(range));
                prose.document(format, &text, &to_file);
            }
            Some(format) => prose.document(format, &text, &to_file),
        }
    }
    if tokens.is_cut {
        prose.noticed.malformed = Some(document.len());
    }
    prose.finish()
}

/// What is known of the content of a response.
struct Content {
    /// `None` if it is binary.
    format: Option<Format>,
    is_base64: bool,
}

impl Default for Content {
    fn default() -> Self {
        Self {
            format: Some(Format::Text),
            is_base64: false,
        }
    }
}

impl Content {
    fn of(document: &[u8], start: usize) -> Self {
        let value = |name| lookup(document, start, &[name]).and_then(|range| document.get(range));
        let kind = value("mimeType").unwrap_or_default();
        Self {
            format: Format::of_media_type(kind),
            is_base64: value("encoding") == Some(b"base64"),
        }
    }
}

fn decoded(document: &[u8], range: Range<usize>) -> (Vec<u8>, OffsetMap) {
    let (mut text, mut map) = (Vec::new(), OffsetMap::new(range.start));
    unescape(document, range, &mut text, &mut map);
    (text, map)
}

fn base64(text: &[u8]) -> (Vec<u8>, OffsetMap) {
    let (mut out, mut map) = (Vec::new(), OffsetMap::new(0));
    let mut take = |run: Run<'_>| {
        out.extend_from_slice(run.octets());
        match run {
            Run::Copied(octets) => map.copied(octets.len()),
            Run::Replaced(source, octets) => map.replaced(octets.len(), source),
            Run::Groups(octets) => map.groups(octets.len() / 3),
            Run::Skipped(source) => map.skipped(source),
        }
    };
    let mut decoder = Decoder::new(Encoding::Base64);
    decoder.push(text, &mut take);
    decoder.finish(&mut take);
    (out, map)
}
