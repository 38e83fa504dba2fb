//! Files with one JSON object on each line, which people commit, merge and edit.

use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// The maximum length of a line in bytes.
const MAX_LINE: u64 = 16 << 20;

/// The maximum number of damaged lines that are listed.
const MAX_LISTED: usize = 100;

/// The lines of a file that could not be read. All other lines were read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DamagedLines {
    /// The first 100 damaged lines: the line number, counting from 1, and the problem.
    pub first: Vec<(usize, String)>,
    /// The total number of damaged lines.
    pub count: usize,
}

impl DamagedLines {
    fn add(&mut self, line: usize, problem: String) {
        self.count += 1;
        if self.first.len() < MAX_LISTED {
            self.first.push((line, problem));
        }
    }
}

/// Reads a file, and calls `each` for each record. Skips empty and damaged lines. A file that does
/// not exist has no lines.
///
/// # Errors
///
/// Fails if the file exists but cannot be read.
pub(crate) fn read<R: DeserializeOwned>(
    path: &Path,
    each: impl FnMut(R),
) -> io::Result<DamagedLines> {
    match File::open(path) {
        Ok(file) => read_lines(BufReader::new(file), each),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(DamagedLines::default()),
        Err(error) => Err(error),
    }
}

/// Reads lines, and calls `each` for each record.
fn read_lines<R: DeserializeOwned>(
    mut input: impl BufRead,
    mut each: impl FnMut(R),
) -> io::Result<DamagedLines> {
    let mut damaged = DamagedLines::default();
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(damaged);
        }
        number += 1;
        if line.last() != Some(&b'\n') && line.len() as u64 == MAX_LINE {
            input.skip_until(b'\n')?;
            damaged.add(number, format!("longer than {MAX_LINE} bytes"));
            continue;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        // Trim the line, so that the parser reports a truncated line as ending too early.
        match serde_json::from_slice(line.trim_ascii_end()) {
            Ok(record) => each(record),
            Err(error) => damaged.add(number, problem(&error)),
        }
    }
}

/// Describes an error without its line, which is always 1.
fn problem(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).unwrap_or(&message).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINE, MAX_LISTED, read_lines};

    #[test]
    fn damaged_lines_are_skipped() {
        let mut text = b"[1]\r\n\n[2\n<<<<<<< HEAD\n\xFF\n".to_vec();
        text.extend(vec![b'['; usize::try_from(MAX_LINE).unwrap() + 1]);
        text.extend(b"\n[3]");
        let mut found = Vec::new();
        let damaged = read_lines(&text[..], |record: [u8; 1]| found.push(record[0])).unwrap();
        assert_eq!(found, [1, 3]);
        let lines: Vec<_> = damaged.first.iter().map(|(line, _)| *line).collect();
        assert_eq!((lines, damaged.count), (vec![3, 4, 5, 6], 4));
        assert_eq!(damaged.first[0].1, "EOF while parsing a list");
        assert_eq!(damaged.first[3].1, "longer than 16777216 bytes");
    }

    #[test]
    fn the_list_of_damaged_lines_is_bounded() {
        let text = "x\n".repeat(1_000);
        let damaged = read_lines(text.as_bytes(), |_: u8| {}).unwrap();
        assert_eq!((damaged.first.len(), damaged.count), (MAX_LISTED, 1_000));
    }
}
