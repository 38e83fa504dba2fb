//! PLAIN, as in the format's document "Encodings": each value is preceded by its length in 32 bits.

use super::{PREFIX, prefix};
use crate::error::{Count, Invalid};
use bytes::Bytes;

/// The rest of a page or a dictionary.
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

    /// Returns the length of the next value, or `None` if the data ends within it.
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

    /// Removes values while `more` returns true for their number, their total length and the
    /// length of the next one. Returns the values with their lengths, and their number.
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

    /// Counts the values that are left.
    pub(crate) fn count(&self) -> u64 {
        self.clone().take_while(|_, _, _| true).1
    }

    /// Fails unless all data has been read, after `count` values.
    pub(crate) fn end(&self, count: u64, what: Count) -> Result<(), Invalid> {
        if self.at >= self.data.len() {
            return Ok(());
        }
        // Report at least one more value, even if it is incomplete.
        Err(what.differs(count, count + self.count().max(1)))
    }
}

/// A dictionary: the values that indices refer to.
#[derive(Debug)]
pub(crate) struct Dictionary {
    data: Bytes,
    /// The position of each value's length.
    // INVARIANT: a value takes at least four bytes, so this is not longer than `data`.
    starts: Vec<u32>,
}

impl Dictionary {
    /// Reads a dictionary that declares this number of values.
    ///
    /// # Errors
    ///
    /// Fails if the dictionary has another number of values.
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
