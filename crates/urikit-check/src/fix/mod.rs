//! `--fix`: corrects references in documents.
//!
//! A fix changes only the part of a reference that differs, so character references, escapes and
//! quotes stay as they are. The changed document is read again: it must contain exactly the same
//! references as before, except for the new ones. A fix that would change any other reference is
//! not made.

mod encode;
mod patch;
mod verify;

use crate::{Checked, Outcome, Rule};
use std::ops::Range;
use std::path::Path;
use std::{fmt, fs, io};
use urikit_access::replace::replace;
use urikit_extract::document::{Extractor, Format, TooLong};

pub use patch::write_patch;

use encode::candidates;
use verify::{Reference, read};

/// The maximum number of bytes to read when fixes fail together and are then tried one by one.
const MAX_ATTEMPTS: usize = 256 << 20;

/// A reference to replace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The bytes of the reference, as in [`Link::range`](crate::Link::range).
    pub range: Range<usize>,
    /// The reference as written, without the escapes of the document's syntax.
    pub old: String,
    /// The reference to write.
    pub new: String,
}

impl Replacement {
    /// Returns the replacement from the first suggestion that is certain, or that offers the
    /// nearest id for a missing one. Returns `None` if there is no such suggestion or the position
    /// of the reference is not known.
    pub fn of(checked: &Checked) -> Option<Self> {
        if matches!(checked.outcome, Outcome::NotChecked(_)) {
            return None; // a comment or an option excludes the link
        }
        let suggestions = checked.findings.iter().filter_map(|found| {
            let suggestion = found.suggestion.as_ref()?;
            // The link does not work, and the nearest id is spelled similarly.
            let is_fixed = suggestion.is_certain || found.rule == Rule::FragmentMissing;
            is_fixed.then(|| suggestion.reference.clone())
        });
        let moved = checked.suggestion().filter(|moved| moved.is_certain);
        let moved = moved.map(|moved| moved.reference);
        let mut suggestions = moved.into_iter().chain(suggestions);
        let new = suggestions.find(|reference| *reference != checked.link.reference)?;
        Some(Self {
            range: checked.link.range.clone()?,
            old: checked.link.reference.clone(),
            new,
        })
    }
}

/// A change to a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The new bytes.
    pub bytes: Vec<u8>,
}

/// The reason why a fix was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfixed {
    /// The document does not contain the reference at this position, or refers to it only by a
    /// label, such as `[label]` in Markdown.
    NotFound,
    /// The syntax of the document cannot express the reference at this position.
    Syntax,
    /// The fix overlaps or contradicts another one.
    Conflict,
    /// The document is large, and its fixes would take too many attempts.
    TooMany,
}

impl fmt::Display for Unfixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFound => "the reference was not found at this position",
            Self::Syntax => "the document cannot contain the new reference at this position",
            Self::Conflict => "the fix conflicts with another one",
            Self::TooMany => "too many fixes had to be tried",
        })
    }
}

/// The fixes for a document.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Fixes {
    /// The changes, in order and without overlaps.
    pub edits: Vec<Edit>,
    /// The index of each replacement that was not made, and the reason.
    pub unfixed: Vec<(usize, Unfixed)>,
}

impl Fixes {
    /// Returns the changed document.
    pub fn apply(&self, document: &[u8]) -> Vec<u8> {
        apply(document, &self.edits)
    }
}

/// Finds the changes that make these replacements. `extractor` must have the same options as the
/// one that found the links.
///
/// ```
/// use urikit_check::fix::{Replacement, fix};
/// use urikit_extract::document::{Extractor, Format};
///
/// let page = b"<a href=\"http://a.example/?b=c&amp;d\">";
/// let replacement = Replacement {
///     range: 9..35,
///     old: "http://a.example/?b=c&d".to_owned(),
///     new: "https://a.example/?b=c&d".to_owned(),
/// };
/// let fixes = fix(page, Format::Html, &Extractor::new(), &[replacement])?;
/// assert_eq!(fixes.apply(page), b"<a href=\"https://a.example/?b=c&amp;d\">");
/// # Ok::<(), urikit_extract::document::TooLong>(())
/// ```
///
/// # Errors
///
/// Fails if the document is longer than the extractor's limit.
pub fn fix(
    document: &[u8],
    format: Format,
    extractor: &Extractor,
    replacements: &[Replacement],
) -> Result<Fixes, TooLong> {
    let before = read(document, format, extractor)?;
    let mut fixes = Fixes::default();
    let mut planned = plan(document, format, &before, replacements, &mut fixes);
    let mut works = |planned: &[Planned<'_>]| {
        let changed = apply(document, &edits(planned));
        let after = read(&changed, format, extractor)?;
        Ok(verify::is_expected(&before, &after, planned))
    };
    if !planned.is_empty() && !works(&planned)? {
        // At least one fix fails, so try each fix separately, and keep those that work in one of
        // their forms.
        let mut budget = MAX_ATTEMPTS;
        let mut alone = Vec::new();
        for fix in planned {
            match attempt(fix, document.len(), &mut budget, &mut works)? {
                Ok(fix) => alone.push(fix),
                Err((index, reason)) => fixes.unfixed.push((index, reason)),
            }
        }
        planned = alone;
        if !planned.is_empty() && !works(&planned)? {
            let conflict = |fix: Planned<'_>| (fix.index, Unfixed::Conflict);
            fixes.unfixed.extend(planned.drain(..).map(conflict));
        }
    }
    fixes.unfixed.sort_by_key(|(index, _)| *index);
    fixes.edits = edits(&planned);
    Ok(fixes)
}

/// A fix to verify.
struct Planned<'r> {
    /// The index of `replacement` among all replacements.
    index: usize,
    /// The index of the replaced reference among all references in the document.
    reference: usize,
    replacement: &'r Replacement,
    /// The change.
    edit: Edit,
    /// Alternative forms of the change.
    others: Vec<Edit>,
}

/// Plans the changes, sorted by their position.
fn plan<'r>(
    document: &[u8],
    format: Format,
    before: &[Reference],
    replacements: &'r [Replacement],
    fixes: &mut Fixes,
) -> Vec<Planned<'r>> {
    let mut by_start: Vec<usize> = (0..before.len()).collect();
    let start = |index: usize| {
        before
            .get(index)
            .map_or(0, |reference| reference.range.start)
    };
    by_start.sort_by_key(|index| start(*index));
    let mut order: Vec<(usize, &Replacement)> = replacements.iter().enumerate().collect();
    order.sort_by_key(|(_, replacement)| replacement.range.start);

    let mut planned: Vec<Planned<'r>> = Vec::new();
    for (index, replacement) in order {
        let until = by_start.partition_point(|found| start(*found) <= replacement.range.start);
        let candidates_of = by_start.iter().take(until).rev().take(16);
        let found = candidates_of.copied().find(|found| {
            before.get(*found).is_some_and(|reference| {
                reference.range.end >= replacement.range.end
                    && reference.uri == replacement.old
                    && !reference.is_use
            })
        });
        let Some((reference, range)) =
            found.and_then(|found| Some((found, before.get(found)?.range.clone())))
        else {
            fixes.unfixed.push((index, Unfixed::NotFound));
            continue;
        };
        let mut edits = candidates(document, range, format, &replacement.old, &replacement.new);
        let overlaps = |edit: &Edit| {
            let last = planned.last().map_or(0, |last| last.edit.range.end);
            edit.range.start < last
                || planned
                    .last()
                    .is_some_and(|last| last.reference == reference)
        };
        match edits.first() {
            None => fixes.unfixed.push((index, Unfixed::Syntax)),
            Some(edit) if overlaps(edit) => fixes.unfixed.push((index, Unfixed::Conflict)),
            Some(_) => {
                let edit = edits.remove(0);
                planned.push(Planned {
                    index,
                    reference,
                    replacement,
                    edit,
                    others: edits,
                });
            }
        }
    }
    planned
}

/// Tries the forms of one fix, and returns the fix with the first form that works.
fn attempt<'r>(
    mut fix: Planned<'r>,
    length: usize,
    budget: &mut usize,
    works: &mut dyn FnMut(&[Planned<'_>]) -> Result<bool, TooLong>,
) -> Result<Result<Planned<'r>, (usize, Unfixed)>, TooLong> {
    let mut others = std::mem::take(&mut fix.others).into_iter();
    loop {
        let Some(rest) = budget.checked_sub(length) else {
            return Ok(Err((fix.index, Unfixed::TooMany)));
        };
        *budget = rest;
        if works(std::slice::from_ref(&fix))? {
            return Ok(Ok(fix));
        }
        match others.next() {
            Some(edit) => fix.edit = edit,
            None => return Ok(Err((fix.index, Unfixed::Syntax))),
        }
    }
}

fn edits(planned: &[Planned<'_>]) -> Vec<Edit> {
    planned.iter().map(|fix| fix.edit.clone()).collect()
}

/// Returns the document with these changes, which are sorted.
fn apply(document: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut changed = Vec::with_capacity(document.len() + edits.len());
    let mut from = 0;
    for edit in edits {
        changed.extend(document.get(from..edit.range.start).unwrap_or_default());
        changed.extend(&edit.bytes);
        from = edit.range.end;
    }
    changed.extend(document.get(from..).unwrap_or_default());
    changed
}

/// The error for a file that cannot be replaced.
#[derive(Debug)]
pub enum WriteError {
    /// The file has changed since it was read.
    Changed,
    /// The file is read-only.
    ReadOnly,
    /// The file cannot be read or written.
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed => f.write_str("the file has changed since it was read"),
            Self::ReadOnly => f.write_str("the file is read-only"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Changed | Self::ReadOnly => None,
            Self::Io(error) => Some(error),
        }
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Replaces the content of a file if the content is still `document`. The new content is written to
/// a temporary file with the same permissions, which then replaces the old file.
///
/// # Errors
///
/// Fails if the file has changed, is read-only, or cannot be written. If an error occurs, the file
/// is unchanged.
pub fn write_file(path: &Path, document: &[u8], fixes: &Fixes) -> Result<(), WriteError> {
    if fs::metadata(path)?.permissions().readonly() {
        return Err(WriteError::ReadOnly);
    }
    let changed = fixes.apply(document);
    let mut is_unchanged = true;
    let result = replace(path, |out| {
        out.write_all(&changed)?;
        // This check comes as late as possible: just before the rename.
        is_unchanged = fs::read(path)? == document;
        if is_unchanged {
            Ok(())
        } else {
            Err(io::ErrorKind::Other.into())
        }
    });
    if is_unchanged {
        Ok(result?)
    } else {
        Err(WriteError::Changed)
    }
}
