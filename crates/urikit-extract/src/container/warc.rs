//! Web archives (WARC, ISO 28500): the content of responses and resources. The path of an entry
//! contains its URL. Requests, and records that describe the archive, are skipped.

use super::walk::{Entry, Flow, Peeked, Walk};
use super::{Problem, Record};
use crate::document::Format;
use core::ops::ControlFlow;
use std::io::{self, BufRead, BufReader, Read};
use urikit_mime::header;

/// The maximum length of a header, in bytes.
const MAX_HEADER: usize = 1 << 20;

/// Reads the records of an archive.
pub(super) fn entries(walk: &mut Walk<'_>, path: &str, input: &mut dyn Read) -> Flow {
    let mut input = BufReader::with_capacity(64 << 10, input);
    let mut count = 0_u64;
    loop {
        let record = match head(&mut input) {
            Ok(None) => return ControlFlow::Continue(()),
            Ok(Some(record)) => record,
            Err(error) => return walk.failed(path, &error.into()),
        };
        count += 1;
        let field = |name| {
            let value = header::value(&record, name).unwrap_or_default();
            String::from_utf8_lossy(value.trim_ascii()).into_owned()
        };
        let Ok(length) = field("Content-Length").parse::<u64>() else {
            let what = "the record has no length";
            let error = io::Error::new(io::ErrorKind::InvalidData, what);
            return walk.failed(path, &error.into());
        };
        let url = field("WARC-Target-URI");
        let url = url.trim_start_matches('<').trim_end_matches('>');
        let kind = field("WARC-Type").to_ascii_lowercase();
        let inner = match url {
            "" => format!("{path}!/{count}"),
            url => format!("{path}!/{url}"),
        };
        let mut content = (&mut input).take(length);
        let flow = match kind.as_str() {
            "response" if field("Content-Type").starts_with("application/http") => {
                response(walk, &inner, url, &mut content)
            }
            "response" | "resource" | "conversion" | "metadata" => {
                let media_type = field("Content-Type");
                // The metadata of a page may be a WAT record, regardless of the page's name.
                let is_wat = kind == "metadata" && media_type.starts_with("application/json");
                let (format, name) = if is_wat {
                    (None, "")
                } else {
                    (Format::of_media_type(media_type.as_bytes()), name(url))
                };
                let record = Record {
                    kind: &kind,
                    url,
                    media_type: &media_type,
                    header: &[],
                };
                let entry = Entry {
                    format,
                    base: (!url.is_empty()).then_some(url),
                    ..Entry::new(&inner, name)
                };
                walk.record(entry, &record, &mut content)
            }
            _ => ControlFlow::Continue(()),
        };
        flow?;
        if let Err(error) = io::copy(&mut content, &mut io::sink()) {
            return walk.failed(&inner, &error.into());
        }
        if content.limit() > 0 {
            let error = io::Error::from(io::ErrorKind::UnexpectedEof);
            return walk.failed(&inner, &error.into());
        }
    }
}

/// Returns the next header. Skips empty lines before the header, and reads up to the empty line
/// that ends it. Returns `None` at the end of the file.
fn head(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    loop {
        let start = head.len();
        let left = u64::try_from(MAX_HEADER - start).unwrap_or_default();
        let length = input.by_ref().take(left).read_until(b'\n', &mut head)?;
        let line = head.get(start..).unwrap_or_default();
        if length == 0 && start < MAX_HEADER {
            return Ok((start > 0).then_some(head));
        }
        if length == 0 {
            let what = "the header is too long";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        if header::is_empty_line(line) {
            if start > 0 {
                return Ok(Some(head));
            }
            head.clear();
        }
    }
}

/// Returns the file name in a URL.
pub(super) fn name(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    path.rsplit('/').next().unwrap_or(path)
}

/// Reads the response of an HTTP server (RFC 9112): the links in its header, and its content.
pub(super) fn response(walk: &mut Walk<'_>, path: &str, url: &str, input: &mut dyn Read) -> Flow {
    let mut input = BufReader::new(input);
    let head = match head(&mut input) {
        Ok(head) => head.unwrap_or_default(),
        Err(error) => return walk.failed(path, &error.into()),
    };
    let field = |name| {
        let value = header::value(&head, name).unwrap_or_default();
        value.trim_ascii().to_ascii_lowercase()
    };
    let entry = |format| Entry {
        format,
        base: Some(url),
        ..Entry::new(path, name(url))
    };
    let media_type = field("Content-Type");
    let record = Record {
        kind: "response",
        url,
        media_type: &String::from_utf8_lossy(&media_type),
        header: &head,
    };
    let header = Entry {
        is_http_header: true,
        ..entry(Some(Format::Text))
    };
    walk.record(header, &record, &mut &head[..])?;
    let format = Format::of_media_type(&media_type);
    let mut chunks;
    let body: &mut dyn Read = if field("Transfer-Encoding").ends_with(b"chunked") {
        match is_chunked(&mut input) {
            Ok(true) => {
                chunks = Chunks { input, left: 0 };
                &mut chunks
            }
            // Some archives keep the `Transfer-Encoding` field, but store decoded content.
            Ok(false) => &mut input,
            Err(error) => return walk.failed(path, &error.into()),
        }
    } else {
        &mut input
    };
    let codings = field("Content-Encoding");
    let codings = codings.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    let mut codings = codings.filter(|coding| !matches!(*coding, b"" | b"identity"));
    match (codings.next(), codings.next()) {
        (None, _) => walk.entry(entry(format), body),
        (Some(coding), None) => coded_body(walk, entry(format), coding, body),
        (Some(_), Some(_)) => {
            let what = "more than one content coding".to_owned();
            walk.failed(path, &Problem::Unsupported(what))
        }
    }
}

/// The registered content codings that cannot be decoded.
const UNSUPPORTED: [&[u8]; 9] = [
    b"aes128gcm",
    b"br",
    b"compress",
    b"dcb",
    b"dcz",
    b"exi",
    b"pack200-gzip",
    b"x-compress",
    b"zstd",
];

/// Reads content with a `Content-Encoding`. Some archives keep this field, but store decoded
/// content, and some servers send names that are not content codings, such as `utf-8`.
fn coded_body(walk: &mut Walk<'_>, entry: Entry<'_>, coding: &[u8], body: &mut dyn Read) -> Flow {
    let mut body = Peeked::new(body, Format::GUESS_LENGTH);
    let head = body.head();
    let is_gzip = head.starts_with(b"\x1F\x8B");
    let is_packed = match coding {
        b"gzip" | b"x-gzip" => is_gzip,
        b"deflate" => !is_text(head),
        other => UNSUPPORTED.contains(&other) && !is_text(head),
    };
    if !is_packed {
        return walk.entry(entry, &mut body);
    }
    if UNSUPPORTED.contains(&coding) {
        let coding = String::from_utf8_lossy(coding);
        let what = format!("the content coding {coding} is not supported");
        return walk.failed(entry.path, &Problem::Unsupported(what));
    }
    #[cfg(feature = "gzip")]
    {
        let is_zlib = is_zlib(head);
        let inner: Box<dyn Read + '_> = match coding {
            b"deflate" if is_zlib => Box::new(flate2::read::ZlibDecoder::new(body)),
            // Some servers send deflated data without the zlib header (RFC 9110, 8.4.1.2).
            b"deflate" => Box::new(flate2::read::DeflateDecoder::new(body)),
            _ => Box::new(super::GzipMembers::new(body)),
        };
        let budget = walk.budget;
        walk.entry(entry, &mut super::limits::Unpacked { inner, budget })
    }
    #[cfg(not(feature = "gzip"))]
    {
        let what = "this build does not read gzip (cargo feature `gzip`)".to_owned();
        walk.failed(entry.path, &Problem::Unsupported(what))
    }
}

/// Returns true if content begins with the header of zlib (RFC 1950, 2.2).
#[cfg(feature = "gzip")]
fn is_zlib(head: &[u8]) -> bool {
    match head {
        [method, flags, ..] => {
            method & 0x0F == 8 && u16::from_be_bytes([*method, *flags]).is_multiple_of(31)
        }
        _ => false,
    }
}

/// Returns true if content is empty or begins with text in UTF-8. Compressed data almost always
/// contains control characters or is not UTF-8.
fn is_text(head: &[u8]) -> bool {
    let (text, is_cut) = match core::str::from_utf8(head) {
        Ok(text) => (text, true),
        Err(error) => {
            let text = head.get(..error.valid_up_to()).unwrap_or_default();
            let is_cut = error.error_len().is_none();
            (core::str::from_utf8(text).unwrap_or_default(), is_cut)
        }
    };
    let is_binary = |c: char| c.is_control() && !c.is_ascii_whitespace() && c != '\u{1B}';
    is_cut && !text.contains(is_binary)
}

/// Returns true if a body begins with the size of a chunk (RFC 9112, 7.1).
fn is_chunked(input: &mut impl BufRead) -> io::Result<bool> {
    let head = input.fill_buf()?;
    let digits = head.iter().take_while(|byte| byte.is_ascii_hexdigit());
    let digits = digits.count();
    let after = head.get(digits).copied();
    Ok((1..=16).contains(&digits) && matches!(after, Some(b'\r' | b'\n' | b';' | b' ')))
}

/// Decodes a chunked body (RFC 9112, 7.1).
struct Chunks<R> {
    input: R,
    left: u64,
}

impl<R: BufRead> Read for Chunks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            let mut line = Vec::new();
            // Skip the line ending of the previous chunk, and read the size of the next.
            while line.trim_ascii().is_empty() {
                line.clear();
                if self
                    .input
                    .by_ref()
                    .take(4096)
                    .read_until(b'\n', &mut line)?
                    == 0
                {
                    return Ok(0);
                }
            }
            let size = line.split(|byte| !byte.is_ascii_hexdigit()).next();
            let size = core::str::from_utf8(size.unwrap_or_default()).ok();
            let size = size.and_then(|size| u64::from_str_radix(size, 16).ok());
            let what = "the chunk has no size";
            self.left = size.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, what))?;
        }
        let length = (&mut self.input).take(self.left).read(buffer)?;
        self.left -= u64::try_from(length).unwrap_or(self.left);
        Ok(length)
    }
}
