//! Pages of the encoding `PLAIN` without nulls, which most columns of URLs consist of: each value
//! follows its length of 32 bits, so that nothing has to be made of a value, nor is it copied. The
//! library makes an object of each, which takes longer than reading the URL.

use super::super::prefixed::{PREFIX, Prefixed, prefix};
use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::Page;

/// The rest of a page.
#[derive(Default)]
pub(super) struct Plain {
    page: Bytes,
    /// Where the next length is.
    at: usize,
    /// How many values are left.
    left: u32,
}

/// What follows in a page.
pub(super) enum Next {
    Values(Prefixed),
    /// A value that is too long.
    TooLong,
    /// Nothing: the next value is longer than the rest of the page.
    Short,
}

/// How many bytes make a batch.
pub(super) const ENOUGH: usize = 64 << 10;

impl Plain {
    /// The page, if it is of this encoding and every record has a value, whose level is `highest`.
    pub(super) fn of(page: &Page, highest: i16) -> Option<Self> {
        let (buffer, count, levels) = match page {
            Page::DataPage {
                buf,
                num_values,
                encoding: Encoding::PLAIN,
                def_level_encoding,
                ..
            } => {
                let levels = match highest {
                    0 => 0..0,
                    _ if *def_level_encoding != Encoding::RLE => return None,
                    _ => PREFIX..prefix(buf)?.checked_add(PREFIX)?,
                };
                (buf, *num_values, levels)
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding: Encoding::PLAIN,
                num_nulls: 0,
                def_levels_byte_len,
                rep_levels_byte_len: 0,
                ..
            } => (
                buf,
                *num_values,
                0..usize::try_from(*def_levels_byte_len).ok()?,
            ),
            _ => return None,
        };
        let at = levels.end;
        (highest == 0 || are_all(buffer.get(levels)?, highest, count)).then(|| Self {
            page: buffer.clone(),
            at,
            left: count,
        })
    }

    /// Whether all values were read.
    pub(super) const fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Takes as many values as make a batch, none of them of more than `max` bytes.
    pub(super) fn next(&mut self, max: usize) -> Next {
        let (start, before) = (self.at, self.left);
        while self.left > 0
            && self.at - start < ENOUGH
            && let Some(length) = self.length()
            && length <= max
        {
            self.pass(length);
        }
        match (before - self.left, self.length()) {
            (0, None) => Next::Short,
            (0, Some(length)) => {
                self.pass(length);
                Next::TooLong
            }
            (count, _) => Next::Values(Prefixed {
                data: self.page.slice(start..self.at),
                count: count.into(),
            }),
        }
    }

    /// The length of the next value; `None` if the page ends within it.
    fn length(&self) -> Option<usize> {
        let rest = self.page.get(self.at..)?;
        prefix(rest).filter(|length| *length <= rest.len() - PREFIX)
    }

    /// Passes over a value of this length.
    const fn pass(&mut self, length: usize) {
        self.at += PREFIX + length;
        self.left -= 1;
    }
}

/// Whether at least `count` levels are `highest`, if they are runs of one level as writers have them
/// where nothing is null: twice the length of a run, as a LEB128 number, and its level.
fn are_all(mut levels: &[u8], highest: i16, count: u32) -> bool {
    let mut run = 0_u64;
    let mut total = 0_u64;
    let mut shift = 0;
    while let [byte, rest @ ..] = levels
        && shift < 35
    {
        levels = rest;
        run |= u64::from(byte & 0x7F) << shift;
        shift += 7;
        if *byte >= 0x80 {
            continue;
        }
        match levels {
            [level, rest @ ..] if run & 1 == 0 && i16::from(*level) == highest => levels = rest,
            _ => break,
        }
        total += run >> 1;
        (run, shift) = (0, 0);
    }
    total >= u64::from(count)
}

#[cfg(test)]
mod tests {
    use super::are_all;

    #[test]
    fn runs_of_one_level() {
        let ten = [20, 1];
        assert!(are_all(&ten, 1, 10));
        assert!(are_all(&[10, 1, 10, 1], 1, 10));
        assert!(are_all(&[0xD0, 0x0F, 1], 1, 1000));
        assert!(!are_all(&ten, 1, 11));
        assert!(!are_all(&ten, 2, 10), "another level");
        assert!(!are_all(&[20, 0], 1, 10), "nulls");
        assert!(!are_all(&[10, 1, 10, 0], 1, 10), "nulls in the end");
        assert!(!are_all(&[3, 0xFF], 1, 8), "packed bits");
        assert!(!are_all(&[20], 1, 10), "cut off");
        assert!(!are_all(&[0xFF; 12], 1, 10), "no number");
        assert!(are_all(&[], 1, 0));
    }
}
