//! Compressed files, recognised by their first bytes: gzip (RFC 1952) and Zstandard (RFC 8878).

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufReader, Cursor, Read};

const GZIP: [u8; 3] = [0x1f, 0x8b, 8];
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// How much of a file is looked at, in bytes.
const BEGIN: usize = 8 << 10;

/// How much is decompressed at once, in bytes.
const READ: usize = 64 << 10;

/// A stream, and the bytes that it begins with.
pub(super) struct Begun {
    pub(super) stream: Box<dyn Read + Send>,
    pub(super) begin: Vec<u8>,
    pub(super) is_compressed: bool,
}

/// Begins to read a stream, and decompresses it if it is compressed. All that is needed has
/// arrived with the first line.
///
/// # Errors
///
/// If it cannot be read or decompressed.
pub(super) fn begin(mut stream: Box<dyn Read + Send>) -> io::Result<Begun> {
    let begin = first_bytes(&mut stream)?;
    let all = Cursor::new(begin.clone()).chain(stream);
    let decoder: Box<dyn Read + Send> = if begin.starts_with(&GZIP) {
        Box::new(MultiGzDecoder::new(BufReader::with_capacity(READ, all)))
    } else if begin.starts_with(&ZSTANDARD) {
        let all = BufReader::with_capacity(READ, all);
        Box::new(zstd::stream::read::Decoder::with_buffer(all)?)
    } else {
        return Ok(Begun {
            stream: Box::new(all),
            begin,
            is_compressed: false,
        });
    };
    let mut decoder = decoder;
    let begin = first_bytes(&mut decoder)?;
    Ok(Begun {
        stream: Box::new(Cursor::new(begin.clone()).chain(decoder)),
        begin,
        is_compressed: true,
    })
}

/// The first bytes that are there, and a few more if they could be those of a compressed file.
fn first_bytes(stream: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut begin = vec![0; BEGIN];
    let mut length = 0;
    loop {
        match stream.read(begin.get_mut(length..).unwrap_or_default()) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // What precedes it comes first, and then it is found again.
            Err(_) if length > 0 => break,
            Err(error) => return Err(error),
        }
        let found = begin.get(..length).unwrap_or_default();
        if !GZIP.starts_with(found) && !ZSTANDARD.starts_with(found) {
            break;
        }
    }
    begin.truncate(length);
    Ok(begin)
}
