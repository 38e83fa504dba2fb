//! Finds the references in a document or archive.

use super::parameters::{
    AS, DEEP, DEFANG, DETECT, DOCUMENT, DOCUMENT_BASE, DOCUMENT_CHARSET, IN, KIND_NAMES, KINDS,
    REFANG, REL, SCHEME, STANDARD, TEMPLATES, UNIQUE,
};
use super::values::Values;
use crate::problem::{Problem, ProblemType};
use std::collections::HashSet;
use std::ops::ControlFlow;
use urikit::op::Layer;
use urikit_extract::container::{Container, Event, Input, Limits};
use urikit_extract::document::{Extractor, Format, Found};
use urikit_extract::{Detection, Finder, Kind};
use urikit_report::extract::{Detail, FoundRecord, Judge};
use urikit_report::position::{Position, has_scheme};
use urikit_report::{Reader, json};

/// The name of the document in records. The command uses the same name for standard input.
const NAME_OF_INPUT: &str = "-";

/// The maximum length of the unpacked content of an archive, in bytes.
const MOST_UNPACKED: u64 = 64 << 20;

/// The maximum length of one document's records, in bytes.
const MOST_OUTPUT: usize = 32 << 20;

/// Writes a line for each reference.
pub(super) fn extract(values: &Values, out: &mut Vec<u8>) -> Result<(), Problem> {
    let document = values.required(DOCUMENT.name)?;
    let reader: Option<Reader> = values.parsed(STANDARD.name)?;
    let kinds = kinds(values)?;
    let mut taker = Taker {
        judge: Judge { reader },
        kinds: &kinds,
        schemes: values.list(SCHEME.name)?,
        positions: values.list(IN.name)?,
        rel: values.list(REL.name)?,
        seen: values.flag(UNIQUE.name)?.then(HashSet::new),
        is_defanged: values.flag(DEFANG.name)?,
        out,
        is_full: false,
    };
    let extractor = extractor(values, reader, &kinds)?;
    match format(values, document)? {
        As::Document(Format::Mail) => {
            let limits = Limits::default().max_unpacked(MOST_UNPACKED);
            let mut input = document;
            let mut each = |_: &str, event: Event<'_>| taker.event(&event);
            extractor.read(Format::Mail, NAME_OF_INPUT, &mut input, limits, &mut each);
        }
        As::Document(format) => {
            let mut extraction = extractor.begin(format);
            extraction
                .push(document, &mut |reference| taker.take(&reference))
                .map_err(|error| {
                    Problem::new(ProblemType::UnreadableDocument, error.to_string())
                })?;
            let _ = extraction.finish(&mut |reference| taker.take(&reference));
        }
        As::Container(container) => {
            let limits = Limits::default().max_unpacked(MOST_UNPACKED);
            let mut input = document;
            let input = Input::Stream(&mut input);
            let mut each = |_: &str, event: Event<'_>| taker.event(&event);
            extractor.unpack(container, NAME_OF_INPUT, input, limits, &mut each);
        }
    }
    if taker.is_full {
        let detail = "the references would exceed 32 MiB";
        return Err(Problem::new(ProblemType::BodyTooLarge, detail));
    }
    Ok(())
}

/// Writes references.
struct Taker<'a> {
    judge: Judge,
    kinds: &'a [&'static str],
    schemes: Vec<String>,
    positions: Vec<Position>,
    rel: Vec<String>,
    /// The references written so far, or `None` if duplicates are written too. Together, these
    /// references are no longer than the output.
    seen: Option<HashSet<String>>,
    is_defanged: bool,
    out: &'a mut Vec<u8>,
    /// True if the output reached its maximum length.
    is_full: bool,
}

impl Taker<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Reference(reference) = event {
            self.take(reference);
        }
        if self.is_full {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn take(&mut self, reference: &Found<'_>) {
        self.is_full |= self.out.len() > MOST_OUTPUT;
        let place = reference.place();
        let is_wanted = has(self.kinds, reference.kind())
            && (self.positions.is_empty() || self.positions.iter().any(|it| it.contains(place)))
            && (self.rel.is_empty() || self.rel.iter().any(|keyword| place.has_rel(keyword)));
        if self.is_full || !is_wanted {
            return;
        }
        let judged = self.judge.judge(reference);
        let uri = judged.target.as_deref().unwrap_or(reference.uri());
        let mut is_new = || {
            let seen = self.seen.as_mut();
            seen.is_none_or(|seen| seen.insert(uri.to_owned()))
        };
        if !has_scheme(uri, &self.schemes) || !is_new() {
            return;
        }
        let record = FoundRecord::new(reference, &judged, NAME_OF_INPUT, Detail::All);
        let record = if self.is_defanged {
            record.defanged()
        } else {
            record
        };
        // Writing to memory does not fail.
        let _ = json::line(self.out, &record, false);
    }
}

/// Returns the names of the kinds to find.
fn kinds(values: &Values) -> Result<Vec<&'static str>, Problem> {
    let given: Vec<String> = values.list(KINDS.name)?;
    let known = |name: &String| KIND_NAMES.into_iter().find(|known| known == name);
    let mut kinds: Vec<_> = given.iter().filter_map(known).collect();
    if kinds.len() < given.len() {
        let detail = format!("expected {}", KIND_NAMES.join(", "));
        return Err(Problem::parameter(KINDS.name, detail));
    }
    if kinds.is_empty() {
        kinds.extend(["wrapped", "bare", "link"]);
    }
    if values.flag(REFANG.name)? {
        kinds.push(Kind::Defanged.as_str());
    }
    Ok(kinds)
}

/// Returns true if the names include a kind. Defanged indicators may be dangerous, so `all` does
/// not include them.
fn has(kinds: &[&str], kind: Kind) -> bool {
    kinds.contains(&kind.as_str()) || kind != Kind::Defanged && kinds.contains(&"all")
}

/// Creates the extractor.
fn extractor(
    values: &Values,
    reader: Option<Reader>,
    kinds: &[&str],
) -> Result<Extractor, Problem> {
    let detection = match values.text(DETECT.name)? {
        None | Some("urikit") => Detection::Urikit,
        Some("uts58") if has(kinds, Kind::Defanged) => {
            let detail = "UTS #58 does not find defanged links";
            return Err(Problem::parameter(DETECT.name, detail));
        }
        Some("uts58") => Detection::Uts58,
        Some(_) => {
            return Err(Problem::parameter(DETECT.name, "expected urikit or uts58"));
        }
    };
    let finder = Finder::new()
        .abbreviated(has(kinds, Kind::Abbreviated))
        .addresses(has(kinds, Kind::Address))
        .refang(has(kinds, Kind::Defanged))
        .templates(values.flag(TEMPLATES.name)?)
        .detection(detection);
    let mut extractor = Extractor::new()
        .finder(finder)
        .deep(values.flag(DEEP.name)?)
        .positions(true);
    if let Some(Reader::Rfc(standard)) = reader {
        extractor = extractor.standard(standard);
    }
    if let Some(label) = values.text(DOCUMENT_CHARSET.name)? {
        extractor = extractor.charset(label).ok_or_else(|| {
            let detail = "expected a charset, such as iso-8859-1 or shift_jis";
            Problem::parameter(DOCUMENT_CHARSET.name, detail)
        })?;
    }
    match values.text(DOCUMENT_BASE.name)? {
        Some(base) => extractor
            .base(Layer::Retrieval, base)
            .map_err(|error| Problem::parameter(DOCUMENT_BASE.name, error.to_string())),
        None => Ok(extractor),
    }
}

/// The parser of a document.
enum As {
    Document(Format),
    Container(Container),
}

/// Returns the parser that `as` names, or that the content suggests.
fn format(values: &Values, document: &[u8]) -> Result<As, Problem> {
    match values.text(AS.name)? {
        None | Some("auto") => match Container::guess(NAME_OF_INPUT, document) {
            Some(container) => Ok(As::Container(container)),
            None => Format::guess(NAME_OF_INPUT, document)
                .map(As::Document)
                .ok_or_else(|| {
                    let detail = "the document is binary, and its format is unknown";
                    Problem::new(ProblemType::UnreadableDocument, detail)
                }),
        },
        Some(name) => match (name.parse(), name.parse()) {
            (Ok(format), _) => Ok(As::Document(format)),
            (_, Ok(container)) => Ok(As::Container(container)),
            _ => Err(Problem::parameter(AS.name, "unknown format")),
        },
    }
}
