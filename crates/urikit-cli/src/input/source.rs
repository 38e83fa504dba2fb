//! A source that is being read: opened, decompressed, and split into lines or values.

use super::batch::Batch;
use super::item::Source;
use super::meter::{Meter, Metered};
#[cfg(feature = "parquet")]
use super::table::parquet;
use super::table::{self, Cells, Choice, Filler, Layout};
use super::unicode::Mark;
use crate::files::{OutputFile, open_input, stdin_input};
use memchr::{memchr, memrchr};
use std::io::{self, BufReader, Cursor, Read};
use std::sync::Arc;
use urikit_extract::container::GzipMembers;

/// The options for reading sources.
#[derive(Clone, Debug)]
pub(super) struct ReadOptions {
    /// The byte that ends an input, if inputs are lines.
    pub(super) end: u8,
    /// Selects the values of a table.
    pub(super) choice: Choice,
    /// The maximum length of a line or value, in bytes.
    pub(super) max_line: usize,
    pub(super) meter: Arc<Meter>,
}

/// A source, or part of a source that can be read independently.
pub(super) enum Unit {
    Source(Source),
    /// A source opened to read the columns of its table.
    Open(Box<OpenSource>),
    #[cfg(feature = "parquet")]
    Pages(Arc<Source>, Box<parquet::Pages>),
    /// A source that cannot be read.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    Failed(Arc<Source>, io::Error),
}

impl Unit {
    /// Returns the number of rows if this is part of a table. Such parts need no reading thread,
    /// because the workers read them.
    pub(super) fn rows(&self) -> Option<u64> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Pages(_, pages) => Some(pages.rows()),
            Self::Source(_) | Self::Open(_) | Self::Failed(..) => None,
        }
    }
}

/// A source, or part of a source, that has been opened.
pub(super) struct OpenSource {
    pub(super) source: Arc<Source>,
    format: Format,
    /// The number of the next line.
    number: u64,
    is_compressed: bool,
}

enum Format {
    Lines(Lines),
    Table(Filler),
    #[cfg(feature = "parquet")]
    Pages(Box<table::parquet::Values>),
}

impl OpenSource {
    /// Opens a source, or part of a source.
    ///
    /// # Errors
    ///
    /// Fails if the source cannot be opened, or its beginning cannot be read.
    pub(super) fn new(unit: Unit, options: &ReadOptions) -> Result<Self, (Arc<Source>, io::Error)> {
        match unit {
            Unit::Source(source) => {
                let source = Arc::new(source);
                let stream = Self::stream(Arc::clone(&source), options);
                stream.map_err(|error| (source, error))
            }
            #[cfg(feature = "parquet")]
            Unit::Pages(source, pages) => {
                let values = pages.values(options.max_line);
                Ok(Self::of(source, Format::Pages(Box::new(values))))
            }
            Unit::Open(open) => Ok(*open),
            Unit::Failed(source, error) => Err((source, error)),
        }
    }

    /// Returns the columns of a table whose rows are kept, or `None` if the source is not a table.
    ///
    /// # Errors
    ///
    /// Fails if the columns cannot be read.
    pub(super) fn layout(&mut self) -> io::Result<Option<Layout>> {
        if let Format::Table(filler) = &mut self.format {
            return filler.layout();
        }
        Ok(None)
    }

    fn stream(source: Arc<Source>, options: &ReadOptions) -> io::Result<Self> {
        let is_live = !matches!(&*source, Source::File(_));
        let stream: Box<dyn Read + Send> = match &*source {
            Source::File(path) => Box::new(Metered {
                source: open_input(path, OutputFile::find()?)?.0,
                meter: Arc::clone(&options.meter),
            }),
            Source::Arguments | Source::Stdin => Box::new(stdin_input(OutputFile::find()?)?),
        };
        let FirstBytes {
            stream,
            begin,
            is_compressed,
        } = decompressed(stream)?.without_mark()?;
        let mut stream = Some(stream);
        let records = table::records(
            &mut stream,
            &begin,
            &options.choice,
            is_live,
            is_compressed,
            options.max_line,
        )?;
        if let Some(records) = records {
            let filler = Filler::new(records, options.max_line);
            return Ok(Self::of(source, Format::Table(filler)));
        }
        let stream = stream.unwrap_or_else(|| Box::new(io::empty()));
        let lines = Lines::new(stream, options.end, options.max_line);
        Ok(Self {
            is_compressed,
            ..Self::of(source, Format::Lines(lines))
        })
    }

    fn of(source: Arc<Source>, format: Format) -> Self {
        Self {
            source,
            format,
            number: 1,
            is_compressed: false,
        }
    }

    /// Reads the next inputs into `memory`; `None` at the end. Blocks only until one input is
    /// complete.
    ///
    /// # Errors
    ///
    /// Fails if the inputs cannot be read. After an error, nothing more can be read from the
    /// source.
    pub(super) fn read(&mut self, memory: Vec<u8>) -> io::Result<Option<Batch>> {
        let source = Arc::clone(&self.source);
        match &mut self.format {
            Format::Lines(lines) => {
                let mut data = memory;
                loop {
                    let more = lines.read(self.number, &mut data)?;
                    if !data.is_empty() {
                        let mut batch = Batch::new(data, lines.end(), source, self.number);
                        batch.is_bulk = self.is_compressed;
                        self.number += batch.len();
                        return Ok(Some(batch));
                    }
                    if !more {
                        return Ok(None);
                    }
                }
            }
            Format::Table(filler) => {
                let mut cells = Cells::within(memory);
                let first = filler.fill(&mut cells)?;
                Ok(first.map(|first| Batch::of_cells(cells, source, first)))
            }
            #[cfg(feature = "parquet")]
            Format::Pages(values) => {
                let rows = values.next(memory)?;
                Ok(rows.map(|(first, rows)| match rows {
                    table::Rows::Prefixed(values) => Batch::of_prefixed(values, source, first),
                    table::Rows::Cells(cells) => Batch::of_cells(cells, source, first),
                }))
            }
        }
    }

    /// Returns true if reading the next input may block.
    pub(super) fn may_wait(&self) -> bool {
        let is_full = matches!(&self.format, Format::Lines(lines) if !lines.is_drained);
        *self.source == Source::Stdin && !is_full
    }
}

/// The maximum number of bytes in one read.
const READ: usize = 64 * 1024;

/// A source whose lines are inputs.
struct Lines {
    reader: Box<dyn Read + Send>,
    /// The byte that ends an input.
    end: u8,
    /// The maximum length of a line in bytes, without its line ending.
    max: usize,
    /// The beginning of an incomplete input.
    partial: Vec<u8>,
    /// True if the last read returned less than half of what was requested.
    is_drained: bool,
}

impl Lines {
    fn new(reader: Box<dyn Read + Send>, end: u8, max: usize) -> Self {
        Self {
            reader,
            end,
            max,
            partial: Vec::new(),
            is_drained: false,
        }
    }

    /// The byte that ends an input.
    const fn end(&self) -> u8 {
        self.end
    }

    /// Reads until at least one input is complete, and leaves all complete inputs in `data`. The
    /// first input is line `number`. Returns `false` at the end of the source. If a read fails, the
    /// incomplete input is lost.
    ///
    /// # Errors
    ///
    /// Fails if the next line is too long or cannot be read.
    fn read(&mut self, number: u64, data: &mut Vec<u8>) -> io::Result<bool> {
        let more = self.read_complete(data)?;
        let Some(start) = overlong(data, self.end, self.max) else {
            return Ok(more);
        };
        // The lines before the long line are returned first. The next read begins with the long
        // line.
        if start == 0 {
            let max = self.max;
            return Err(io::Error::other(format!(
                "line {number} is longer than {max} bytes (--max-line), so reading stops there"
            )));
        }
        let rest = data.get(start..).unwrap_or_default();
        self.partial = [rest, &self.partial].concat();
        data.truncate(start);
        Ok(true)
    }

    /// Reads complete inputs, without checking their length. Stops as soon as an incomplete line is
    /// known to be too long.
    fn read_complete(&mut self, data: &mut Vec<u8>) -> io::Result<bool> {
        data.clear();
        data.append(&mut self.partial);
        loop {
            let start = data.len();
            if start > self.max && overlong(data, self.end, self.max).is_some() {
                return Ok(true);
            }
            data.resize(start + READ, 0);
            let read = self.read_some(data.get_mut(start..).unwrap_or_default())?;
            data.truncate(start + read);
            if read == 0 {
                return Ok(false);
            }
            self.is_drained = read < READ / 2;
            let ended = memrchr(self.end, data.get(start..).unwrap_or_default());
            if let Some(at) = ended {
                let next = start + at + 1;
                self.partial
                    .extend_from_slice(data.get(next..).unwrap_or_default());
                data.truncate(next);
                return Ok(true);
            }
        }
    }

    fn read_some(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => return outcome,
            }
        }
    }
}

/// Returns the offset of the first line of more than `max` bytes. The last line may be incomplete.
fn overlong(data: &[u8], end: u8, max: usize) -> Option<usize> {
    let mut start = 0;
    while data.len() - start > max {
        let rest = data.get(start..).unwrap_or_default();
        let length = memchr(end, rest).unwrap_or(rest.len());
        if length > max {
            return Some(start);
        }
        start += length + 1;
    }
    None
}

/// The first bytes of gzip (RFC 1952).
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];
/// The first bytes of Zstandard (RFC 8878).
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The first bytes of xz.
const XZ: [u8; 6] = *b"\xFD7zXZ\0";
/// The first bytes of bzip2. A digit for the block size follows, and then one of [`BZIP2_BLOCKS`]:
/// the magic number of a block, or that of the end of the stream.
const BZIP2: [u8; 3] = *b"BZh";
const BZIP2_BLOCKS: [[u8; 6]; 2] = [*b"1AY&SY", [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]];

/// Returns true if a bzip2 file can begin with these bytes, which may be fewer than
/// [`BZIP2_LENGTH`].
fn may_be_bzip2(begin: &[u8]) -> bool {
    let (magic, rest) = begin.split_at(begin.len().min(BZIP2.len()));
    let (size, block) = rest.split_at(rest.len().min(1));
    let length = block.len().min(6);
    BZIP2.starts_with(magic)
        && size.iter().all(|digit| matches!(digit, b'1'..=b'9'))
        && BZIP2_BLOCKS
            .iter()
            .any(|known| known.get(..length) == block.get(..length))
}

/// The number of bytes that identify a bzip2 file.
const BZIP2_LENGTH: usize = BZIP2.len() + 1 + 6;

/// The binary logarithm of the largest window accepted for Zstandard and xz. This allows 128 MiB,
/// the window of `zstd --ultra -22`; `xz -9` uses 64 MiB. A block of bzip2 is at most 900 kB.
const MAX_WINDOW_LOG: u32 = 27;

/// The number of bytes needed to recognize a format.
const BEGIN: usize = 8 << 10;

/// The size of the decompression buffer, in bytes.
const DECOMPRESS: usize = 64 << 10;

/// A stream, and a copy of its first bytes.
struct FirstBytes {
    stream: Box<dyn Read + Send>,
    begin: Vec<u8>,
    is_compressed: bool,
}

impl FirstBytes {
    /// Removes a byte order mark, and converts UTF-16 to UTF-8.
    ///
    /// # Errors
    ///
    /// Fails if the stream cannot be read.
    fn without_mark(self) -> io::Result<Self> {
        let Some(mark) = Mark::of(&self.begin) else {
            return Ok(self);
        };
        let mut stream = mark.decode(self.stream)?;
        let begin = first_bytes(&mut stream)?;
        Ok(Self {
            stream: Box::new(Cursor::new(begin.clone()).chain(stream)),
            begin,
            is_compressed: self.is_compressed,
        })
    }
}

/// Detects from a stream's first bytes whether it is compressed, and decompresses it. Detection
/// never waits for more than the first line.
///
/// # Errors
///
/// Fails if the stream cannot be read or decompressed.
fn decompressed(mut stream: Box<dyn Read + Send>) -> io::Result<FirstBytes> {
    let begin = first_bytes(&mut stream)?;
    let all = Cursor::new(begin.clone()).chain(stream);
    let decoder: Box<dyn Read + Send> = if begin.starts_with(&GZIP) {
        Box::new(GzipMembers::new(all))
    } else if begin.starts_with(&ZSTANDARD) {
        let all = BufReader::with_capacity(DECOMPRESS, all);
        let mut decoder = zstd::stream::read::Decoder::with_buffer(all)?;
        decoder.window_log_max(MAX_WINDOW_LOG)?;
        Box::new(decoder)
    } else if begin.starts_with(&XZ) {
        let all = BufReader::with_capacity(DECOMPRESS, all);
        let memory = lzma_rust2::lzma2_get_memory_usage(1 << MAX_WINDOW_LOG);
        Box::new(lzma_rust2::XzReader::new_mem_limit(all, true, memory))
    } else if begin.len() >= BZIP2_LENGTH && may_be_bzip2(&begin) {
        let all = BufReader::with_capacity(DECOMPRESS, all);
        Box::new(bzip2::bufread::MultiBzDecoder::new(all))
    } else {
        return Ok(FirstBytes {
            stream: Box::new(all),
            begin,
            is_compressed: false,
        });
    };
    let mut decoder = decoder;
    let begin = first_bytes(&mut decoder)?;
    Ok(FirstBytes {
        stream: Box::new(Cursor::new(begin.clone()).chain(decoder)),
        begin,
        is_compressed: true,
    })
}

/// Reads the first bytes of a stream, and continues if they could be the beginning of a known
/// magic number.
fn first_bytes(stream: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut begin = vec![0; BEGIN];
    let mut length = 0;
    loop {
        match stream.read(begin.get_mut(length..).unwrap_or_default()) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // Return the bytes read so far; the next read reports the error.
            Err(_) if length > 0 => break,
            Err(error) => return Err(error),
        }
        let found = begin.get(..length).unwrap_or_default();
        let magic = [&GZIP[..], &ZSTANDARD, &XZ].into_iter();
        let mut magic = magic.chain(Mark::ALL);
        let is_bzip2 = found.len() < BZIP2_LENGTH && may_be_bzip2(found);
        if !is_bzip2 && !magic.any(|magic| magic.starts_with(found)) {
            break;
        }
    }
    begin.truncate(length);
    Ok(begin)
}

#[cfg(test)]
mod tests {
    use super::{may_be_bzip2, overlong};

    #[test]
    fn beginnings_of_bzip2() {
        for begin in ["", "B", "BZh", "BZh9", "BZh1", "BZh91AY&", "BZh91AY&SYx"] {
            assert!(may_be_bzip2(begin.as_bytes()), "{begin}");
        }
        for begin in ["A", "BZi", "BZh0", "BZhx", "BZh91AZ", "BZh9\n"] {
            assert!(!may_be_bzip2(begin.as_bytes()), "{begin}");
        }
    }

    #[test]
    fn the_first_overlong_line() {
        for (data, max, start) in [
            ("", 0, None),
            ("\n\n", 0, None),
            ("a", 0, Some(0)),
            ("abc", 3, None),
            ("abc\n", 3, None),
            ("abcd\n", 3, Some(0)),
            ("abc\nabcd\na", 3, Some(4)),
            ("a\nb\nabcd", 3, Some(4)),
            ("a\nb\nabc", 3, None),
        ] {
            assert_eq!(
                overlong(data.as_bytes(), b'\n', max),
                start,
                "{data:?} {max}"
            );
        }
    }
}
