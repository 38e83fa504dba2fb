//! Compares the references in a document before and after fixes.

use super::Planned;
use std::ops::Range;
use urikit::op::Layer;
use urikit_extract::document::{Extractor, Format, Found, Syntax, TooLong};

/// A fixed base for relative references, which reveals changes to the document's own base.
const BASE: &str = "http://base.invalid/";

/// A reference in a document.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Reference {
    pub(super) range: Range<usize>,
    pub(super) uri: String,
    /// The target, if it differs from the URI.
    target: Option<String>,
    /// True if the URI is written elsewhere, in a definition.
    pub(super) is_use: bool,
}

/// Reads the references in a document.
pub(super) fn read(
    document: &[u8],
    format: Format,
    extractor: &Extractor,
) -> Result<Vec<Reference>, TooLong> {
    // Setting the base fails only if the base is not valid.
    let based = extractor.clone().base(Layer::Retrieval, BASE);
    let extractor = based.as_ref().unwrap_or(extractor);
    let mut references = Vec::new();
    extractor.extract(format, document, &mut |found: Found<'_>| {
        let target = found.target().filter(|target| target != found.uri());
        references.push(Reference {
            range: found.range(),
            uri: found.uri().to_owned(),
            target,
            is_use: found.place().syntax() == Some(Syntax::Reference),
        });
    })?;
    Ok(references)
}

/// Returns true if the document contains the same references as before, in the same places, except
/// that the references to fix, and their uses, have been replaced.
pub(super) fn is_expected(
    before: &[Reference],
    after: &[Reference],
    planned: &[Planned<'_>],
) -> bool {
    // Sort the fixes by their reference, because references are not always sorted by position.
    let mut by_reference: Vec<&Planned<'_>> = planned.iter().collect();
    by_reference.sort_by_key(|fix| fix.reference);
    let mut fixes = by_reference.into_iter().peekable();
    let shift = Shift::new(planned);
    before.len() == after.len()
        && before
            .iter()
            .zip(after)
            .enumerate()
            .all(|(index, (old, new))| {
                let fix = fixes.next_if(|fix| fix.reference == index);
                let range = shift.range(&old.range);
                if old.is_use != new.is_use {
                    return false;
                }
                match fix {
                    // The new reference may have quotes that the old one did not need.
                    Some(fix) => {
                        let is_inside =
                            range.start <= new.range.start && new.range.end <= range.end;
                        is_inside && new.uri == fix.replacement.new
                    }
                    None if range != new.range => false,
                    None => {
                        (old.uri == new.uri && old.target == new.target)
                            || (old.is_use && is_fixed(&old.uri, &new.uri, planned))
                    }
                }
            })
}

/// Returns true if a fix replaces one URI with the other.
fn is_fixed(old: &str, new: &str, planned: &[Planned<'_>]) -> bool {
    let replacements = planned.iter().map(|fix| fix.replacement);
    replacements
        .into_iter()
        .any(|fix| fix.old == old && fix.new == new)
}

/// Converts offsets in the old document to offsets in the changed one.
struct Shift {
    /// The end of each change in the old document, and the total difference in length up to that
    /// point.
    ends: Vec<(usize, isize)>,
    /// The start of each change.
    starts: Vec<usize>,
}

impl Shift {
    fn new(planned: &[Planned<'_>]) -> Self {
        let mut difference = 0_isize;
        let mut ends = Vec::new();
        for fix in planned {
            let edit = &fix.edit;
            difference += edit.bytes.len().cast_signed() - edit.range.len().cast_signed();
            ends.push((edit.range.end, difference));
        }
        let starts = planned.iter().map(|fix| fix.edit.range.start).collect();
        Self { ends, starts }
    }

    /// Returns the range in the changed document. A change at an edge of the range counts as part
    /// of the range.
    fn range(&self, range: &Range<usize>) -> Range<usize> {
        let before_start = self.starts.partition_point(|start| *start < range.start);
        let before_end = self.ends.partition_point(|(end, _)| *end <= range.end);
        self.shifted(range.start, before_start)..self.shifted(range.end, before_end)
    }

    /// Shifts an offset by the difference in length that the first `changes` changes cause.
    fn shifted(&self, offset: usize, changes: usize) -> usize {
        let last = changes.checked_sub(1).and_then(|last| self.ends.get(last));
        offset.saturating_add_signed(last.map_or(0, |(_, difference)| *difference))
    }
}
