//! The PLAIN encoding in the format's document "Encodings": each value is preceded by its length in
//! 32 bits.

use super::{PREFIX, prefix};
use crate::error::{Count, Invalid};
use bytes::Bytes;

/// The values of a page or a dictionary that have not been read yet.
#[derive(Clone, Default, Debug)]
pub(crate) struct Plain {
    data: Bytes,
    /// The position of the next length.
    at: usize,
}

impl Plain {
    pub(crate) const fn new(data: Bytes, at: usize) -> Self {
        Self { data, at }
    }

    /// Returns the length of the next value, or `None` if the value is incomplete.
    pub(crate) fn length(&self) -> Option<usize> {
        let rest = self.data.get(self.at..)?;
        prefix(rest).filter(|length| *length <= rest.len() - PREFIX)
    }

    /// Removes and returns the next value, or returns `None` if the data ends within it.
    pub(crate) fn next(&mut self) -> Option<&[u8]> {
        let length = self.length()?;
        let start = self.at + PREFIX;
        self.at = start + length;
        self.data.get(start..self.at)
    }

    /// Removes values as long as `more` returns true. The arguments of `more` are the number of
    /// values removed, their total length, and the length of the next value. Returns the removed
    /// values with their lengths, and the number of values.
    pub(crate) fn take_while(
        &mut self,
        mut more: impl FnMut(u64, usize, usize) -> bool,
    ) -> (Bytes, u64) {
        let (start, mut count) = (self.at, 0);
        while let Some(length) = self.length()
            && more(count, self.at - start, length)
        {
            self.at += PREFIX + length;
            count += 1;
        }
        (self.data.slice(start..self.at), count)
    }

    /// Returns the number of values that are left.
    pub(crate) fn count(&self) -> u64 {
        self.clone().take_while(|_, _, _| true).1
    }

    /// Fails if any data is left after `count` values.
    pub(crate) fn end(&self, count: u64, what: Count) -> Result<(), Invalid> {
        if self.at >= self.data.len() {
            return Ok(());
        }
        // Report at least one additional value, even if it is incomplete.
        Err(what.differs(count, count + self.count().max(1)))
    }
}

/// A dictionary: the values to which indices refer.
#[derive(Debug)]
pub(crate) struct Dictionary {
    data: Bytes,
    /// The position of each value's length.
    // INVARIANT: a value takes at least four bytes, so this list is not longer than `data`.
    starts: Vec<u32>,
}

impl Dictionary {
    /// Reads a dictionary that should have `declared` values.
    ///
    /// # Errors
    ///
    /// Fails if the dictionary does not have exactly `declared` values.
    pub(crate) fn new(data: Bytes, declared: u64) -> Result<Self, Invalid> {
        let mut starts = Vec::new();
        let mut plain = Plain::new(data.clone(), 0);
        for nth in 0..declared {
            let start = u32::try_from(plain.at).unwrap_or(u32::MAX);
            if plain.next().is_none() {
                return Err(Count::Dictionary.differs(declared, nth));
            }
            starts.push(start);
        }
        plain.end(declared, Count::Dictionary)?;
        Ok(Self { data, starts })
    }

    /// Returns the value at an index.
    ///
    /// # Errors
    ///
    /// Fails if the index is too large.
    pub(crate) fn get(&self, index: u32) -> Result<&[u8], Invalid> {
        let values = self.starts.len() as u64;
        let value = || {
            let start = *self.starts.get(usize::try_from(index).ok()?)?;
            let rest = self.data.get(usize::try_from(start).ok()?..)?;
            rest.get(PREFIX..PREFIX + prefix(rest)?)
        };
        value().ok_or(Invalid::Index { index, values })
    }
}

/// Values that all have the same length, one after another.
#[derive(Clone, Default, Debug)]
pub(crate) struct Fixed {
    data: Bytes,
    width: usize,
    at: usize,
}

impl Fixed {
    pub(crate) const fn new(data: Bytes, width: usize) -> Self {
        Self { data, width, at: 0 }
    }

    /// Removes and returns the next value, or returns `None` if the data ends within it.
    pub(crate) fn next(&mut self) -> Option<&[u8]> {
        let end = self.at.checked_add(self.width)?;
        let value = self.data.get(self.at..end)?;
        self.at = end;
        Some(value)
    }

    /// Returns the number of complete values.
    pub(crate) fn count(&self) -> u64 {
        self.data.len().checked_div(self.width).unwrap_or(0) as u64
    }

    /// Returns the value at an index.
    pub(crate) fn get(&self, index: u32) -> Option<&[u8]> {
        let start = usize::try_from(index).ok()?.checked_mul(self.width)?;
        self.data.get(start..start.checked_add(self.width)?)
    }

    /// Fails unless the data consists of exactly `declared` values.
    pub(crate) fn holds(&self, declared: u64, what: Count) -> Result<(), Invalid> {
        let length = self.data.len() as u64;
        let width = self.width as u64;
        match length.checked_div(width) {
            Some(found) if found != declared || !length.is_multiple_of(width) => {
                Err(what.differs(declared, found))
            }
            _ => Ok(()),
        }
    }
}

/// The BYTE_STREAM_SPLIT encoding in the format's document "Encodings": the first bytes of all
/// values, then the second bytes, and so on.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    data: Bytes,
    /// The number of values.
    count: usize,
    nth: usize,
    value: Vec<u8>,
}

impl Split {
    /// Creates a decoder. Fails unless the data consists of `count` values of `width` bytes each.
    pub(crate) fn new(data: Bytes, width: usize, count: u64) -> Result<Self, Invalid> {
        Fixed::new(data.clone(), width).holds(count, Count::Values)?;
        Ok(Self {
            count: data.len().checked_div(width).unwrap_or(0),
            data,
            nth: 0,
            // INVARIANT: one value is no longer than the data.
            value: vec![0; if count > 0 { width } else { 0 }],
        })
    }

    /// Returns the next value, or `None` after the last.
    pub(crate) fn next(&mut self) -> Option<&[u8]> {
        if self.nth >= self.count {
            return None;
        }
        for (stream, byte) in self.value.iter_mut().enumerate() {
            *byte = *self.data.get(stream * self.count + self.nth)?;
        }
        self.nth += 1;
        Some(&self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::{Dictionary, Plain};
    use bytes::Bytes;

    const VALUES: &[u8] = b"\x01\0\0\0a\0\0\0\0\x02\0\0\0bc";

    #[test]
    fn values_follow_their_lengths() {
        let mut plain = Plain::new(Bytes::from_static(VALUES), 0);
        assert_eq!(plain.count(), 3);
        let (first, count) = plain.take_while(|count, _, _| count < 2);
        assert_eq!((&first[..], count), (&VALUES[..9], 2));
        assert_eq!(plain.next(), Some(&b"bc"[..]));
        assert_eq!(plain.next(), None);
    }

    #[test]
    fn a_dictionary_has_the_values_that_it_declares() {
        let data = Bytes::from_static(VALUES);
        let dictionary = Dictionary::new(data.clone(), 3).unwrap();
        assert_eq!(dictionary.get(2).unwrap(), b"bc");
        for (declared, message) in [
            (2, "the dictionary declares 2 values, but has 3"),
            (
                1 << 31,
                "the dictionary declares 2147483648 values, but has 3",
            ),
        ] {
            let error = Dictionary::new(data.clone(), declared).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        let missing = dictionary.get(3).unwrap_err().to_string();
        assert_eq!(
            missing,
            "a page refers to value 3 of a dictionary with 3 values"
        );
    }
}
