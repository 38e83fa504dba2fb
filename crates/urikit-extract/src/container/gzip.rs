//! Decompresses gzip files (RFC 1952).

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, Read};

/// The size of the buffer for compressed data, in bytes.
const BUFFER: usize = 32 << 10;

/// Decompresses the members of a gzip file, one after another.
///
/// Zeros after a member are skipped, as `gzip` does, because tapes and some programs pad files to a
/// multiple of a block size. Reading fails if anything else follows a member. The length of the
/// decompressed data is not limited.
///
/// ```
/// use std::io::{Read as _, Write as _};
/// use urikit_extract::container::GzipMembers;
/// let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
/// encoder.write_all(b"http://a.example/")?;
/// let mut file = encoder.finish()?;
/// file.resize(512, 0);
/// let mut text = String::new();
/// GzipMembers::new(&file[..]).read_to_string(&mut text)?;
/// assert_eq!(text, "http://a.example/");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct GzipMembers<R> {
    /// The current member. `None` at the end of the file.
    member: Option<GzDecoder<BufReader<R>>>,
}

impl<R: Read> GzipMembers<R> {
    /// Creates a reader of the decompressed data.
    pub fn new(input: R) -> Self {
        let input = BufReader::with_capacity(BUFFER, input);
        Self {
            member: Some(GzDecoder::new(input)),
        }
    }
}

impl<R: Read> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let length = member.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            // If reading is interrupted here, the next call continues with the same member.
            let has_next = has_more_after_zeros(member.get_mut())?;
            let input = self.member.take().map(GzDecoder::into_inner);
            self.member = input.filter(|_| has_next).map(GzDecoder::new);
        }
        Ok(0)
    }
}

/// Skips zeros. Returns false at the end of the input.
fn has_more_after_zeros(input: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = input.fill_buf()?;
        let length = bytes.len();
        let zeros = bytes.iter().position(|byte| *byte != 0);
        input.consume(zeros.unwrap_or(length));
        if zeros.is_some() || length == 0 {
            return Ok(zeros.is_some());
        }
    }
}
