//! Reads the `WARC-Target-URI` fields of web archives (WARC, ISO 28500).

use super::records::{Cells, Lines, Records, invalid};
use std::io::{self, Read};

/// Reads WARC, uncompressed.
pub(super) struct Warc {
    lines: Lines,
    /// The number of records read so far.
    number: u64,
    /// The length of the content that follows, in bytes.
    content: u64,
}

/// The relevant fields of a record.
#[derive(Default)]
struct Head {
    target: Option<Vec<u8>>,
    has_two_targets: bool,
    length: Option<u64>,
    has_two_lengths: bool,
}

impl Warc {
    pub(super) fn new(source: Box<dyn Read + Send>, max: usize) -> Self {
        Self {
            lines: Lines::new(source, max),
            number: 0,
            content: 0,
        }
    }

    /// Skips to the next record, and reads its fields. Returns `None` at the end.
    fn head(&mut self) -> io::Result<Option<Head>> {
        let number = self.number;
        if !self.lines.skip(self.content)? {
            return Err(invalid(format!("the file ends within record {number}")));
        }
        self.content = 0;
        // Two line endings follow the content.
        loop {
            if !self.lines.next()? {
                return Ok(None);
            }
            if !self.lines.line.is_empty() {
                break;
            }
        }
        self.number += 1;
        let number = self.number;
        if !self.lines.line.starts_with(b"WARC/") {
            return Err(invalid(format!(
                "record {number} does not begin with `WARC/`"
            )));
        }
        let mut head = Head::default();
        loop {
            if !self.lines.next()? {
                return Err(invalid(format!("the file ends within record {number}")));
            }
            let line = &self.lines.line;
            if line.is_empty() {
                break;
            }
            head.field(line);
        }
        let Some(length) = head.length else {
            return Err(invalid(format!("record {number} has no Content-Length")));
        };
        // Another program might use the other length, and find the next record elsewhere.
        if head.has_two_lengths {
            return Err(invalid(format!("record {number} has two Content-Lengths")));
        }
        self.content = length;
        Ok(Some(head))
    }
}

impl Head {
    fn field(&mut self, line: &[u8]) {
        let Some(colon) = memchr::memchr(b':', line) else {
            return;
        };
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        if name.eq_ignore_ascii_case(b"WARC-Target-URI") {
            // The grammar of WARC 1.0 requires `<` and `>` around the URI; its examples omit them.
            let inner = value
                .strip_prefix(b"<")
                .and_then(|it| it.strip_suffix(b">"));
            self.has_two_targets |= self.target.is_some();
            self.target = Some(inner.unwrap_or(value).to_vec());
        } else if name.eq_ignore_ascii_case(b"Content-Length") {
            let text = std::str::from_utf8(value).ok();
            let text = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
            self.has_two_lengths |= self.length.is_some();
            self.length = text.and_then(|text| text.parse().ok());
        }
    }
}

/// Returns true if a file that begins with these bytes is WARC. The first line of a WARC file could
/// also be a reference in a list, but the field on the second line could not.
pub(super) fn is_warc(begin: &[u8]) -> bool {
    let mut lines = begin.split(|byte| *byte == b'\n');
    let is_version = lines.next().is_some_and(|line| {
        line.strip_prefix(b"WARC/")
            .and_then(|version| version.first())
            .is_some_and(u8::is_ascii_digit)
    });
    is_version
        && lines.next().is_some_and(|line| {
            let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
            let is_known = name.len() > 5
                && name
                    .get(..5)
                    .is_some_and(|it| it.eq_ignore_ascii_case(b"WARC-"));
            is_known
                || name.eq_ignore_ascii_case(b"Content-Length")
                || name.eq_ignore_ascii_case(b"Content-Type")
        })
}

impl Records for Warc {
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        while let Some(head) = self.head()? {
            if let Some(target) = head.target {
                if head.has_two_targets {
                    cells.push_broken("`WARC-Target-URI` occurs more than once");
                } else {
                    cells.push(&target);
                }
                return Ok(Some(self.number));
            }
        }
        Ok(None)
    }

    fn may_wait(&self) -> bool {
        // The position of the next record is known only after reading the content of this one.
        self.lines.may_wait()
    }
}

#[cfg(test)]
mod tests {
    use super::{Records as _, Warc, is_warc};
    use crate::input::table::Cells;

    const FILE: &[u8] =
        b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 4\r\n\r\na\r\nb\r\n\r\n\
    WARC/1.1\r\nWARC-Type: response\r\nwarc-target-uri:  <http://a/>\r\n\
    Content-Length: 10\r\n\r\nWARC/1.0\r\n\r\n\r\n\
    WARC/1.0\nWARC-Target-URI: http://b/\nContent-Length: 0\n\n\n\n";

    fn read(file: &'static [u8]) -> (Vec<u64>, String, Option<String>) {
        let mut warc = Warc::new(Box::new(file), 100);
        let (mut cells, mut numbers) = (Cells::default(), Vec::new());
        let error = loop {
            match warc.next(&mut cells) {
                Ok(Some(number)) => numbers.push(number),
                Ok(None) => break None,
                Err(error) => break Some(error.to_string()),
            }
        };
        (numbers, String::from_utf8(cells.data).unwrap(), error)
    }

    #[test]
    fn targets_of_records() {
        assert!(is_warc(FILE));
        assert!(!is_warc(b"WARC/1.0\nhttp://a/\n"));
        let targets = "http://a/http://b/".to_owned();
        assert_eq!(read(FILE), (vec![2, 3], targets, None));
        let (numbers, _, error) = read(FILE.get(..FILE.len() - 20).unwrap());
        assert_eq!(numbers, [2]);
        assert_eq!(error.unwrap(), "the file ends within record 3");
        let odd = b"WARC/1.0\r\nContent-Length: 1\r\n\r\nab";
        assert_eq!(read(odd).2.unwrap(), "record 2 does not begin with `WARC/`");
        let none = b"WARC/1.0\r\nWARC-Type: a\r\n\r\n";
        assert_eq!(read(none).2.unwrap(), "record 1 has no Content-Length");
    }
}
