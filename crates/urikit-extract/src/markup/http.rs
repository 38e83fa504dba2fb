//! The header of an HTTP response (RFC 9112) in a web archive: the references in its fields, and
//! links in the rest of its text.

use super::Prose;
use super::json::FIELDS;
use crate::found::{Bases, Place};
use crate::reader::{Context, Each, Noticed};
use urikit_mime::header;

/// Reads a complete header with its status line.
pub(crate) fn read_header(
    document: &[u8],
    context: Context<'_>,
    bases: &Bases,
    each: &mut Each<'_>,
) -> Noticed {
    let mut prose = Prose::new(document, context, bases, each);
    let mut at = 0;
    for field in header::fields(document) {
        let is_reference = FIELDS
            .iter()
            .any(|name| field.name.eq_ignore_ascii_case(name));
        if is_reference && !field.value.is_empty() {
            prose.copy(at..field.range.start);
            at = field.range.end;
            let place = Place::in_field(String::from_utf8_lossy(field.name));
            prose.link(field.range.clone(), &field.unfolded(), place);
        }
    }
    prose.copy(at..document.len());
    prose.finish()
}
