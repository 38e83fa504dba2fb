//! The parts of a multipart body (RFC 2046, 5.1.1).

use core::ops::Range;

/// The ranges of the parts in a body. A last part without a closing boundary extends to the end.
pub(super) fn parts(body: &[u8], boundary: &[u8]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = None;
    let delimiter = [b"--", boundary].concat();
    for at in memchr::memmem::find_iter(body, &delimiter) {
        let before = body.get(..at).unwrap_or_default();
        if !(before.is_empty() || before.ends_with(b"\n")) {
            continue;
        }
        let after = body.get(at + delimiter.len()..).unwrap_or_default();
        let line_length = memchr::memchr(b'\n', after).map_or(after.len(), |end| end + 1);
        let line = after.get(..line_length).unwrap_or_default().trim_ascii();
        if !matches!(line, b"" | b"--") {
            // The boundary of another multipart, which begins with this one.
            continue;
        }
        if let Some(start) = start.take() {
            let end = before.strip_suffix(b"\n").unwrap_or(before);
            let end = end.strip_suffix(b"\r").unwrap_or(end).len();
            parts.push(start..end.max(start));
        }
        if line == b"--" {
            return parts;
        }
        start = Some(at + delimiter.len() + line_length);
    }
    parts.extend(start.map(|start| start..body.len()));
    parts
}

/// The end of a part's header, and the beginning of its body: after the first empty line.
pub(super) fn header_end(part: &[u8]) -> (usize, usize) {
    let mut at = 0;
    while let Some(rest) = part.get(at..).filter(|rest| !rest.is_empty()) {
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let line = rest.get(..length).unwrap_or_default();
        if matches!(line, b"\n" | b"\r\n") {
            return (at, at + length);
        }
        at += length;
    }
    (part.len(), part.len())
}

#[cfg(test)]
mod tests {
    use super::{header_end, parts};

    #[test]
    fn splits_at_boundary_lines() {
        for (body, expected) in [
            (
                "preamble\r\n--b\r\n\r\none\r\n--b  \r\nA: b\r\n\r\ntwo\r\n--b--\r\n\
                 epilogue\r\n--b\r\nno",
                &["\r\none", "A: b\r\n\r\ntwo"][..],
            ),
            ("--b\n--bb\nx --b\n--b", &["--bb\nx --b", ""]),
            ("--b\nwithout an end", &["without an end"]),
            ("--b\n--b--", &[""]),
            ("none", &[]),
        ] {
            let found: Vec<&str> = parts(body.as_bytes(), b"b")
                .into_iter()
                .map(|range| body.get(range).unwrap())
                .collect();
            assert_eq!(found, expected, "{body}");
        }
    }

    #[test]
    fn an_empty_line_ends_a_header() {
        for (part, expected) in [
            ("A: b\r\n\r\nc", (6, 8)),
            ("A: b\n\nc", (5, 6)),
            ("\nc", (0, 1)),
            ("A: b", (4, 4)),
        ] {
            assert_eq!(header_end(part.as_bytes()), expected, "{part}");
        }
    }
}
