//! Web archives in the Internet Archive's first format (ARC, versions 1 and 2), which WARC
//! replaced. The path of an entry contains its URL.
//!
//! ```text
//! URL-record     = URL SP IP-address SP archive-date SP content-type SP length LF
//! URL-record-2   = URL SP IP-address SP archive-date SP content-type SP result-code SP checksum
//!                  SP location SP offset SP filename SP length LF
//! ```
//!
//! The first record, `filedesc:`, describes the archive. The date, which has 14 digits, makes it
//! possible to separate the fields even if a URL or a media type contains spaces. The record for an
//! HTTP URL contains the server's complete response, with its header.

use super::walk::{Entry, Flow, Peeked, Walk};
use super::warc::{name, response};
use super::{Problem, Record};
use crate::document::Format;
use core::net::IpAddr;
use core::ops::ControlFlow;
use std::io::{self, BufRead, BufReader, Read};

/// The maximum length of the line before a record, in bytes.
const MAX_LINE: u64 = 64 << 10;

/// Returns true if a file begins with the description of an archive, or with another record, as in
/// a file that was extracted from a larger archive by means of an index.
pub(super) fn is_arc(content: &[u8]) -> bool {
    let line = content.split(|byte| *byte == b'\n').next();
    let Some(line) = line.and_then(RecordLine::parse) else {
        return false;
    };
    let has_scheme = line.url.contains("://") || line.url.starts_with("dns:");
    line.url.starts_with("filedesc:") || has_scheme && line.address.parse::<IpAddr>().is_ok()
}

/// The line before a record.
struct RecordLine {
    url: String,
    address: String,
    media_type: String,
    length: u64,
}

impl RecordLine {
    fn parse(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line.trim_ascii_end());
        let fields: Vec<&str> = line.split(' ').collect();
        let (length, fields) = fields.split_last()?;
        let is_date =
            |field: &&str| field.len() == 14 && field.bytes().all(|byte| byte.is_ascii_digit());
        let date = fields.iter().rposition(is_date)?;
        let (address, url) = fields.get(..date)?.split_last()?;
        Some(Self {
            url: url.join(" "),
            address: (*address).to_owned(),
            media_type: (*fields.get(date + 1)?).to_owned(),
            length: length.parse().ok()?,
        })
    }
}

/// Reads the records of an archive.
pub(super) fn entries(walk: &mut Walk<'_>, path: &str, input: &mut dyn Read) -> Flow {
    let mut input = BufReader::with_capacity(64 << 10, input);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut input).take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) => return ControlFlow::Continue(()),
            Ok(_) if line.trim_ascii().is_empty() => continue,
            Ok(_) => {}
            Err(error) => return walk.failed(path, &error.into()),
        }
        let Some(record) = RecordLine::parse(&line) else {
            let what = "the line before a record is damaged";
            let error = io::Error::new(io::ErrorKind::InvalidData, what);
            return walk.failed(path, &error.into());
        };
        let inner = format!("{path}!/{}", record.url);
        let mut content = (&mut input).take(record.length);
        if !record.url.starts_with("filedesc:") {
            entry(walk, &inner, &record, &mut content)?;
        }
        if let Err(error) = io::copy(&mut content, &mut io::sink()) {
            return walk.failed(&inner, &error.into());
        }
        if content.limit() > 0 {
            let error = io::Error::from(io::ErrorKind::UnexpectedEof);
            return walk.failed(&inner, &Problem::Io(error));
        }
    }
}

/// Reads the content of a record.
fn entry(walk: &mut Walk<'_>, path: &str, line: &RecordLine, content: &mut dyn Read) -> Flow {
    let mut content = Peeked::new(content, 5);
    if content.head() == b"HTTP/" {
        return response(walk, path, &line.url, &mut content);
    }
    let entry = Entry {
        format: Format::of_media_type(line.media_type.as_bytes()),
        base: Some(&line.url),
        ..Entry::new(path, name(&line.url))
    };
    let record = Record {
        kind: "resource",
        url: &line.url,
        media_type: &line.media_type,
        header: &[],
    };
    walk.record(entry, &record, &mut content)
}
