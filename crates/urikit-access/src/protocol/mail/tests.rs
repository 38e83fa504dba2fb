//! Tests with mailboxes in memory.

use super::lines::Lines;

/// Fills a buffer with the octets of a file at an offset, and returns their number.
fn read_at(file: &[u8], offset: u64, into: &mut [u8]) -> usize {
    let from = usize::try_from(offset).unwrap_or(usize::MAX);
    let rest = file.get(from..).unwrap_or_default();
    let length = rest.len().min(into.len());
    into[..length].copy_from_slice(&rest[..length]);
    length
}

fn all(mut lines: Lines<'_, &[u8]>) -> Vec<String> {
    let mut all = Vec::new();
    while lines.next_message().unwrap() {
        let mut text = Vec::new();
        while lines.advance().unwrap() {
            text.extend_from_slice(lines.piece());
        }
        all.push(String::from_utf8(text).unwrap());
    }
    all
}

fn messages(file: &[u8]) -> Vec<String> {
    all(Lines::new(
        file,
        Some(&|offset, into| Ok(read_at(file, offset, into))),
    ))
}

/// RFC 4155, Appendix A.
const FROM: &str = "From a@b.example Thu Jan  1 00:00:00 1998\n";

#[test]
fn mailboxes() {
    let file = format!(
        "{FROM}A: b\n\nx\nFrom x\n>From x\n>>From y\n> From\n\n\n\n\
         {FROM}A: c\r\n\r\nx\r\n\r\n"
    );
    let first = "A: b\n\nx\nFrom x\nFrom x\n>From y\n> From\n\n\n";
    assert_eq!(messages(file.as_bytes()), [first, "A: c\r\n\r\nx\r\n"]);
    // In a single message, nothing is unquoted.
    let text = "A: b\n\n>From x\n\nFrom y\n\n";
    assert_eq!(all(Lines::new(text.as_bytes(), None)), [text]);
    assert_eq!(all(Lines::new(b"", None)), [""]);
    assert_eq!(messages(b"From "), [""]);
    let file = format!("From a\n\n{FROM}\n{FROM}x");
    assert_eq!(messages(file.as_bytes()), ["", "", "x"]);
}

#[test]
fn a_paragraph_that_begins_with_from_is_text() {
    let file = format!("{FROM}A: b\n\nx\n\nFrom here on\n\n{FROM}C: d\n");
    let first = "A: b\n\nx\n\nFrom here on\n";
    assert_eq!(messages(file.as_bytes()), [first, "C: d\n"]);
}

#[test]
fn a_content_length_that_is_right_counts() {
    let body = format!("x\n\n{FROM}\n>From y\n");
    let header = format!("A: b\ncontent-length: {}\n\n", body.len());
    for blank in ["", "\n", "\r\n\n"] {
        let file = format!("{FROM}{header}{body}{blank}{FROM}C: d\n\ny\n");
        let found = messages(file.as_bytes());
        assert_eq!(found, [format!("{header}{body}"), "C: d\n\ny\n".to_owned()]);
        let file = format!("{FROM}{header}{body}{blank}");
        assert_eq!(messages(file.as_bytes()), [format!("{header}{body}")]);
    }
    let empty = format!("{FROM}Content-Length: 0\n\n\n{FROM}C: d\n");
    let found = messages(empty.as_bytes());
    assert_eq!(found, ["Content-Length: 0\n\n", "C: d\n"]);
}

#[test]
fn a_content_length_that_is_wrong_does_not() {
    for length in [
        "0",
        "100",
        "4294967296",
        "18446744073709551615",
        "5x",
        "-1",
        "",
    ] {
        let message = format!("Content-Length: {length}\n\nx\n");
        let file = format!("{FROM}{message}\n{FROM}C: d\n");
        assert_eq!(messages(file.as_bytes()), [message, "C: d\n".to_owned()]);
    }
}

#[test]
fn long_lines_come_in_pieces() {
    let long = "x".repeat(20_000);
    let file = format!("From {long}\nA: {long}\n\n{long}From x\n\n{FROM}B: c\n");
    let first = format!("A: {long}\n\n{long}From x\n");
    assert_eq!(messages(file.as_bytes()), [&first, "B: c\n"]);
}
