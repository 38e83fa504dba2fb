//! Finds links that are meant for programs: in scripts, in JSON, and in attributes of any name.
//!
//! No markup identifies these links, so the search relies on their form. The search finds a URL
//! with a scheme anywhere, a path (`/a`, `./a`, `../a`, `//host/a`) that is a complete string, and,
//! in JSON, values whose keys identify them as URLs (JSON-LD, import maps, speculation rules).

mod json;
mod script;

use super::attributes::{Value, ValueSyntax};
use super::{Each, Event, clean, trim};
use crate::found::{Place, Syntax, Unresolved};
use crate::link::{Kind, Marks};
use crate::plain::Finder;
pub(super) use json::Json;
pub(super) use script::Script;
use std::borrow::Cow;
use std::ops::Range;

/// The language of a script, according to its `type`.
#[derive(Debug)]
pub(super) enum Program {
    Script(Script),
    Json(Json),
}

impl Program {
    /// Creates a reader for scripts of this type (HTML living standard, 4.12.1).
    pub(super) fn new(media_type: &str) -> Self {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        let essence = essence.to_ascii_lowercase();
        let is_json = essence.ends_with("/json") || essence.ends_with("+json");
        match essence.as_str() {
            "importmap" | "speculationrules" => Self::Json(Json::new(true)),
            _ if is_json => Self::Json(Json::new(false)),
            _ => Self::Script(Script::default()),
        }
    }

    /// Reads a piece that begins at this offset in the document.
    pub(super) fn push(
        &mut self,
        finder: &Finder,
        bytes: &[u8],
        start: usize,
        is_last: bool,
        place: &Place<'_>,
        each: &mut Each<'_>,
    ) {
        let each = &mut |found: ProgramLink<'_>| {
            each(Event::Reference(found.into_unresolved(place.clone())));
        };
        match self {
            Self::Script(script) => script.push(finder, bytes, start, is_last, each),
            Self::Json(json) => json.push(finder, bytes, start, is_last, each),
        }
    }

    /// Returns the offset before which no later reference can begin.
    pub(super) fn undecided_from(&self) -> Option<usize> {
        match self {
            Self::Script(script) => script.undecided_from(),
            Self::Json(json) => json.undecided_from(),
        }
    }
}

/// A link that is meant for programs.
#[derive(Debug)]
pub(super) struct ProgramLink<'a> {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    pub(super) text: Cow<'a, [u8]>,
    pub(super) uri: Cow<'a, str>,
    pub(super) syntax: Syntax,
    pub(super) marks: Marks,
    pub(super) alternative: Option<String>,
}

impl<'a> ProgramLink<'a> {
    fn into_unresolved(self, place: Place<'a>) -> Unresolved<'a> {
        Unresolved {
            range: self.range,
            kind: self.kind,
            text: self.text,
            uri: self.uri,
            alternative: self.alternative,
            codebase: None,
            place: place.with_syntax(self.syntax),
            marks: self.marks,
        }
    }
}

/// Searches an attribute that is not defined to contain a reference. `name` is in lower case.
pub(super) fn attribute(
    finder: &Finder,
    name: &str,
    value: &Value<'_>,
    place: &Place<'_>,
    each: &mut Each<'_>,
) {
    if name.starts_with("xmlns") || matches!(name, "class" | "id" | "d" | "viewbox") {
        return;
    }
    let text = value.decoded();
    let all = trim(text, 0..text.len());
    let trimmed = text.get(all.clone()).unwrap_or_default();
    let mut hidden = |found: ProgramLink<'_>| {
        let (range, written) = value.locate(found.range.clone());
        each(Event::Reference(Unresolved {
            range,
            text: Cow::Borrowed(written),
            ..found.into_unresolved(place.clone())
        }));
    };
    if name.starts_with("on") {
        Script::default().push(finder, text, 0, true, &mut hidden);
        return;
    }
    if matches!(trimmed.first(), Some(b'{' | b'[')) {
        Json::new(false).push(finder, text, 0, true, &mut hidden);
        return;
    }
    let named = name.strip_prefix("data-").unwrap_or_default();
    if named.ends_with("srcset") {
        value.references(ValueSyntax::Images, place, None, each);
    } else if script::is_reference(trimmed) || is_reference_by_name(named, trimmed) {
        value.references(ValueSyntax::One, place, None, each);
    } else {
        for link in finder.links(text) {
            let (range, written) = value.locate(link.range());
            each(Event::Reference(Unresolved {
                range,
                kind: link.kind(),
                text: Cow::Borrowed(written),
                alternative: link.alternative,
                uri: link.uri,
                codebase: None,
                place: place.clone(),
                marks: link.marks,
            }));
        }
    }
}

/// Returns true if a `data-` name ends in a word that suggests a reference, and the value may be a
/// reference.
fn is_reference_by_name(name: &str, value: &[u8]) -> bool {
    let last = name.rsplit('-').next().unwrap_or_default();
    let is_named = matches!(
        last,
        "src" | "href" | "url" | "uri" | "link" | "poster" | "background"
    );
    let is_word = !value.iter().any(u8::is_ascii_whitespace) && !value.is_empty();
    let has_separator = value
        .iter()
        .any(|byte| matches!(byte, b'/' | b'.' | b'?' | b'#'));
    is_named && is_word && has_separator
}

/// Creates a link from a complete string.
fn complete_string<'a>(
    range: Range<usize>,
    text: Cow<'a, [u8]>,
    decoded: &'a [u8],
    syntax: Syntax,
) -> ProgramLink<'a> {
    ProgramLink {
        range,
        kind: Kind::Link,
        text,
        uri: clean(decoded),
        syntax,
        marks: Marks::MARKUP,
        alternative: None,
    }
}
