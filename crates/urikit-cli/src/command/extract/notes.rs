//! Messages about a document: what in it could not be read as it should.

use urikit_extract::document::{Exceeded, Report};

/// What is to be said of a document.
pub(super) fn of(report: &Report) -> Vec<String> {
    let charset = report.charset.unwrap_or("UTF-8");
    let mut messages = Vec::new();
    match report.invalid_bytes {
        0 => {}
        1 => messages.push(format!("1 byte is not valid {charset}, and was skipped")),
        many => messages.push(format!(
            "{many} bytes are not valid {charset}, and were skipped"
        )),
    }
    if report.cut_fields > 0 {
        let what = "header fields with more parameters than are read";
        messages.push(format!("{what}: {}", report.cut_fields));
    }
    if let Some(offset) = report.malformed_from {
        messages.push(format!(
            "not well-formed from byte {offset} on, and read as text there"
        ));
    }
    messages.extend(limits(report.exceeded));
    if let Some(offset) = report.exceeded.definitions_until {
        let what = "definitions used so often that further uses were not read as links";
        messages.push(format!("{what}, from byte {offset} on"));
    }
    messages
}

/// A message for each limit that was exceeded.
fn limits(exceeded: Exceeded) -> impl Iterator<Item = String> {
    let counts = [
        (
            exceeded.long_bases,
            "base URIs of more than 8 KiB, which were ignored with what is relative to them",
        ),
        (
            exceeded.late_bases,
            "base URIs too late in the head to apply to what precedes them",
        ),
        (
            exceeded.long_tags,
            "tags longer than 16 MiB, which were read as text",
        ),
        (
            exceeded.deep_parts,
            "parts nested more than 32 levels deep, which were read as text",
        ),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, what)| format!("{what}: {count}"))
}
