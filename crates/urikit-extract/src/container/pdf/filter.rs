//! Stream filters (ISO 32000-2, 7.4).

use super::super::Problem;
use super::super::limits::Budget;
use super::file::{File, Unpacked};
use super::object::{Dictionary, Object};
use super::{caught, damaged};
use flate2::read::ZlibDecoder;
use std::borrow::Cow;
use std::io::Read;

/// The maximum size of a stream, packed or unpacked, in bytes.
pub(in super::super) const MAX_STREAM: usize = 64 << 20;

/// The maximum number of filters for a stream.
const MAX_FILTERS: usize = 4;

/// Applies the filters of a stream to its data, which has already been decrypted.
pub(in super::super) fn decode(
    file: &File<'_>,
    budget: &Budget,
    dictionary: &Dictionary,
    data: Cow<'_, [u8]>,
) -> Result<Unpacked, Problem> {
    let filters = file.get(dictionary, b"Filter")?;
    let filters = match filters.as_deref() {
        None | Some(Object::Null) => &[],
        Some(Object::Array(filters)) => filters.as_slice(),
        Some(filter) => core::slice::from_ref(filter),
    };
    let parameters = file.get(dictionary, b"DecodeParms")?;
    if filters.len() > MAX_FILTERS {
        return Err(damaged("a stream has more than 4 filters"));
    }
    if data.len() > MAX_STREAM {
        return Err(too_long());
    }
    let mut bytes = data;
    let mut damage = None;
    for (index, filter) in filters.iter().enumerate() {
        let filter = file.resolve(filter)?;
        let parameters = match parameters.as_deref() {
            Some(Object::Array(items)) => {
                items.get(index).map(|it| file.resolve(it)).transpose()?
            }
            Some(_) if index == 0 => file.get(dictionary, b"DecodeParms")?,
            _ => None,
        };
        let none = Dictionary::new();
        let parameters = parameters
            .as_deref()
            .and_then(Object::dictionary)
            .unwrap_or(&none);
        let limit = usize::try_from(budget.left()).unwrap_or(usize::MAX);
        let limit = limit.min(MAX_STREAM);
        let name = filter.name().unwrap_or_default();
        if name == b"Crypt" {
            continue;
        }
        let mut unpacked = match name {
            b"FlateDecode" => flate(&bytes, limit),
            _ => Unpacked {
                bytes: other(name, parameters, bytes.into_owned(), limit)?,
                damage: None,
            },
        };
        let length = unpacked.bytes.len();
        budget.unpack(u64::try_from(length).unwrap_or(u64::MAX))?;
        if length > limit {
            return Err(too_long());
        }
        if matches!(name, b"FlateDecode" | b"LZWDecode") {
            unpacked.bytes = predicted(unpacked.bytes, parameters)?;
        }
        bytes = Cow::Owned(unpacked.bytes);
        damage = damage.or(unpacked.damage);
    }
    let bytes = bytes.into_owned();
    Ok(Unpacked { bytes, damage })
}

fn too_long() -> Problem {
    damaged("a stream is larger than 64 MiB")
}

/// Unpacks zlib's format (RFC 1950), up to one byte more than the limit. Data before the first
/// error is kept.
fn flate(data: &[u8], limit: usize) -> Unpacked {
    let mut bytes = Vec::new();
    let limit = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = ZlibDecoder::new(data).take(limit).read_to_end(&mut bytes);
    Unpacked {
        bytes,
        damage: read.err().map(Problem::Io),
    }
}

/// Applies a filter other than `FlateDecode`.
fn other(
    name: &[u8],
    parameters: &Dictionary,
    data: Vec<u8>,
    limit: usize,
) -> Result<Vec<u8>, Problem> {
    // RFC 7932, 9.1 forbids this bit pattern, but decoders interpret it as a window of up to 1 GiB.
    if name == b"BrotliDecode" && data.first().is_some_and(|byte| byte & 0x7F == 0x11) {
        return Err(damaged("a Brotli stream has a large window"));
    }
    let known: [&[u8]; 5] = [
        b"LZWDecode",
        b"ASCII85Decode",
        b"ASCIIHexDecode",
        b"RunLengthDecode",
        b"BrotliDecode",
    ];
    if !known.contains(&name) {
        let name = String::from_utf8_lossy(name);
        return Err(Problem::Unsupported(format!(
            "a stream has the unknown filter {name}"
        )));
    }
    let mut dictionary = lopdf::Dictionary::new();
    dictionary.set("Filter", lopdf::Object::Name(name.to_vec()));
    if let Some(Object::Integer(number)) = parameters.get(&b"EarlyChange"[..]) {
        let mut parameters = lopdf::Dictionary::new();
        parameters.set("EarlyChange", *number);
        dictionary.set("DecodeParms", parameters);
    }
    let stream = lopdf::Stream::new(dictionary, data);
    let decoded = caught(|| stream.decompressed_content_with_limit(limit));
    decoded.ok_or_else(|| damaged("a stream cannot be decoded"))
}

/// Undoes the row predictors (7.4.4.4).
fn predicted(data: Vec<u8>, parameters: &Dictionary) -> Result<Vec<u8>, Problem> {
    let number = |key: &[u8], default| {
        let value = parameters.get(key).and_then(Object::index);
        value.filter(|value| *value > 0).unwrap_or(default)
    };
    let colors = number(b"Colors", 1);
    let depth = number(b"BitsPerComponent", 8);
    let bits = colors.saturating_mul(depth);
    let row = bits.saturating_mul(number(b"Columns", 1)).div_ceil(8);
    match number(b"Predictor", 1) {
        1 => Ok(data),
        2 => tiff(data, row, colors, depth),
        10..=15 if row > data.len() => Ok(Vec::new()),
        10..=15 => Ok(png(&data, row, bits.div_ceil(8))),
        _ => Err(Problem::Unsupported(
            "a stream has an unknown predictor".to_owned(),
        )),
    }
}

/// Undoes the prediction of TIFF 6.0, section 14: each component is the difference from the same
/// component of the pixel to the left. `row` is the length of a row in bytes.
fn tiff(mut data: Vec<u8>, row: usize, colors: usize, depth: usize) -> Result<Vec<u8>, Problem> {
    if !matches!(depth, 1 | 2 | 4 | 8 | 16) {
        return Err(damaged("a predictor has an invalid number of bits"));
    }
    for line in data.chunks_mut(row.max(1)) {
        let count = line.len().saturating_mul(8) / depth;
        for component in colors..count {
            let left = sample(line, component - colors, depth);
            let sum = sample(line, component, depth).wrapping_add(left);
            set_sample(line, component, depth, sum);
        }
    }
    Ok(data)
}

/// Returns a component of a row whose components have `depth` bits each, from 1 to 16.
fn sample(line: &[u8], index: usize, depth: usize) -> u16 {
    let byte = |at| line.get(at).copied().map_or(0, u16::from);
    match depth {
        16 => byte(2 * index) << 8 | byte(2 * index + 1),
        8 => byte(index),
        _ => byte(index * depth / 8) >> (8 - depth - index * depth % 8) & ((1 << depth) - 1),
    }
}

fn set_sample(line: &mut [u8], index: usize, depth: usize, value: u16) {
    let [high, low] = value.to_be_bytes();
    let mut set = |at, mask: u8, value: u8| {
        if let Some(byte) = line.get_mut(at) {
            *byte = *byte & !mask | value & mask;
        }
    };
    match depth {
        16 => {
            set(2 * index, 0xFF, high);
            set(2 * index + 1, 0xFF, low);
        }
        8 => set(index, 0xFF, low),
        _ => {
            let shift = 8 - depth - index * depth % 8;
            set(index * depth / 8, ((1 << depth) - 1) << shift, low << shift);
        }
    }
}

/// Undoes the filters of PNG (ISO/IEC 15948, 9.2), which tables and object streams use.
fn png(data: &[u8], row: usize, pixel: usize) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(data.len());
    for line in data.chunks(row + 1) {
        let Some((kind, line)) = line.split_first() else {
            continue;
        };
        let start = out.len();
        for (column, byte) in line.iter().enumerate() {
            let earlier = |distance: usize, is_there| {
                let at = (start + column).checked_sub(distance).filter(|_| is_there);
                at.and_then(|at| out.get(at)).copied().unwrap_or_default()
            };
            let left = earlier(pixel, column >= pixel);
            let above = earlier(row, start > 0);
            let corner = earlier(row.saturating_add(pixel), start > 0 && column >= pixel);
            let prediction = match kind {
                1 => left,
                2 => above,
                3 => left.midpoint(above),
                4 => paeth(left, above, corner),
                _ => 0,
            };
            out.push(byte.wrapping_add(prediction));
        }
    }
    out
}

/// Returns the prediction for PNG's filter 4 (ISO/IEC 15948, 9.4).
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let estimate = i16::from(left) + i16::from(above) - i16::from(corner);
    let distance = |byte: u8| (estimate - i16::from(byte)).abs();
    if distance(left) <= distance(above) && distance(left) <= distance(corner) {
        left
    } else if distance(above) <= distance(corner) {
        above
    } else {
        corner
    }
}
