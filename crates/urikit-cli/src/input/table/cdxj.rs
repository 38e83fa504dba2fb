//! CDXJ, the indexes of web archives: a sort key, a date and a JSON object on each line.
//!
//! As pywb writes them, and OpenWayback's CDXJ 1.0: lines that begin with `!` or `@` describe the
//! file.

use super::cells::Cells;
use super::json::Field;
use super::lines::Lines;
use super::records::Records;
use std::io::{self, Read};

/// Reads CDXJ.
pub(super) struct Cdxj {
    lines: Lines,
    field: Field,
}

impl Cdxj {
    /// The strings under the key `field` of each object.
    pub(super) fn new(source: Box<dyn Read + Send>, field: &str, max: usize) -> Self {
        Self {
            lines: Lines::new(source, max),
            field: Field::new(field),
        }
    }
}

/// Whether a file that begins like this is CDXJ. No reference contains a space.
pub(super) fn is_cdxj(begin: &[u8]) -> bool {
    let lines = begin.split(|byte| *byte == b'\n');
    let mut lines = lines.skip_while(|line| is_about_the_file(line));
    lines.next().is_some_and(|line| {
        let mut parts = line.splitn(3, |byte| *byte == b' ');
        let [Some(key), Some(date), Some(rest)] = [parts.next(), parts.next(), parts.next()] else {
            return false;
        };
        let is_date = date.len() == 14 && date.iter().all(u8::is_ascii_digit);
        !key.is_empty() && is_date && rest.starts_with(b"{")
    })
}

fn is_about_the_file(line: &[u8]) -> bool {
    line.starts_with(b"!") || line.starts_with(b"@")
}

impl Records for Cdxj {
    fn next(&mut self, cells: &mut Cells) -> io::Result<Option<u64>> {
        while self.lines.next()? {
            let line = self.lines.line.as_slice();
            if line.trim_ascii().is_empty() || is_about_the_file(line) {
                continue;
            }
            match memchr::memmem::find(line, b" {").and_then(|at| line.get(at + 1..)) {
                Some(object) => self.field.take(object, cells),
                None => cells.push_broken("expected a JSON object"),
            }
            return Ok(Some(self.lines.number));
        }
        Ok(None)
    }

    fn may_wait(&self) -> bool {
        self.lines.may_wait()
    }
}

#[cfg(test)]
mod tests {
    use super::is_cdxj;

    #[test]
    fn the_first_line_decides() {
        assert!(is_cdxj(
            b"com,example)/ 20200101000000 {\"url\": \"http://example.com/\"}\n"
        ));
        assert!(is_cdxj(
            b"!meta {\"a\": 1}\ncom,example)/ 20200101000000 {}"
        ));
        assert!(!is_cdxj(b"http://example.com/ 20200101000000 x"));
        assert!(!is_cdxj(b"http://example.com/"));
        assert!(!is_cdxj(b""));
    }
}
