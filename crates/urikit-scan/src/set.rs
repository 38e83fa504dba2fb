//! Sets of bytes, in two forms: as a lookup table, and as the tables for shuffle instructions.

#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set

/// A set of bytes.
///
/// ```
/// use urikit_scan::ByteSet;
/// let digits = ByteSet::range(b'0', b'9');
/// let hex = digits.or(ByteSet::of(b"ABCDEFabcdef"));
/// assert!(hex.contains(b'7') && hex.contains(b'e') && !hex.contains(b'g'));
/// assert_eq!(hex.without(ByteSet::of(b"ABCDEFabcdef")), digits);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ByteSet {
    table: [bool; 256],
}

// A `u8` index is below 256, the table's length; `get` is not available in constants.
#[allow(clippy::indexing_slicing)]
impl ByteSet {
    /// The empty set.
    pub const EMPTY: Self = Self {
        table: [false; 256],
    };

    /// Returns the set of the listed bytes.
    pub const fn of(bytes: &[u8]) -> Self {
        let mut table = [false; 256];
        let mut rest = bytes;
        while let [byte, tail @ ..] = rest {
            table[*byte as usize] = true;
            rest = tail;
        }
        Self { table }
    }

    /// Returns the set of all bytes from `first` to `last`, inclusive. The set is empty if `last`
    /// is less than `first`.
    pub const fn range(first: u8, last: u8) -> Self {
        let mut table = [false; 256];
        let mut byte = first;
        while byte <= last {
            table[byte as usize] = true;
            if byte == u8::MAX {
                break;
            }
            byte += 1;
        }
        Self { table }
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        let mut table = self.table;
        let mut byte = 0_u8;
        loop {
            if other.table[byte as usize] {
                table[byte as usize] = true;
            }
            if byte == u8::MAX {
                return Self { table };
            }
            byte += 1;
        }
    }

    /// Returns the members of this set that are not in `other`.
    ///
    /// ```
    /// use urikit_scan::ByteSet;
    /// let digits = ByteSet::range(b'0', b'9');
    /// assert!(!digits.without(ByteSet::of(b"7")).contains(b'7'));
    /// assert_eq!(digits.without(digits), ByteSet::EMPTY);
    /// ```
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        let mut table = self.table;
        let mut byte = 0_u8;
        loop {
            if other.table[byte as usize] {
                table[byte as usize] = false;
            }
            if byte == u8::MAX {
                return Self { table };
            }
            byte += 1;
        }
    }

    /// Returns whether `byte` is a member.
    #[inline]
    pub const fn contains(&self, byte: u8) -> bool {
        self.table[byte as usize]
    }
}

impl core::fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_set()
            .entries((0..=u8::MAX).filter(|&b| self.contains(b)).map(char::from))
            .finish()
    }
}

/// Up to eight sets of US-ASCII characters in one table: each set has one bit in the entry of each
/// byte. No set contains the byte 0.
#[derive(Clone, Debug)]
// INVARIANT: the entries of the byte 0, and of bytes above 127, are 0.
pub struct Classes([u8; 256]);

// A `u8` index is below 256, the table's length.
#[allow(clippy::indexing_slicing)]
impl Classes {
    /// The table with no sets.
    pub const EMPTY: Self = Self([0; 256]);

    /// Adds `bits` to the entries of the US-ASCII characters of a set, except the byte 0.
    #[must_use]
    pub const fn with(mut self, set: &ByteSet, bits: u8) -> Self {
        let mut byte = 1_u8;
        while byte < 128 {
            if set.contains(byte) {
                self.0[byte as usize] |= bits;
            }
            byte += 1;
        }
        self
    }

    /// Returns the bits of the sets that contain a byte.
    #[inline(always)]
    pub const fn of(&self, byte: u8) -> u8 {
        self.0[byte as usize]
    }
}

/// A set of US-ASCII characters as the tables that a [`Block`](crate::Block) needs.
///
/// The set has a row for each low nibble of a byte, with a bit for each high nibble. The crate's
/// documentation explains the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nibbles {
    rows: [u8; 16],
}

impl Nibbles {
    /// Returns the US-ASCII characters in a set of bytes.
    #[allow(clippy::indexing_slicing)] // INVARIANT: `byte & 15` is below 16
    pub const fn new(set: &ByteSet) -> Self {
        let mut rows = [0; 16];
        let mut byte = 0_u8;
        while byte < 128 {
            if set.contains(byte) {
                rows[(byte & 15) as usize] |= 1 << (byte >> 4);
            }
            byte += 1;
        }
        Self { rows }
    }

    /// Returns whether the set contains the byte 0, which blocks have past the end of the input.
    #[inline(always)]
    pub(crate) const fn has_zero(&self) -> bool {
        self.rows[0] & 1 == 1
    }

    /// Returns the rows, indexed by low nibble.
    #[allow(dead_code)] // not every target has a shuffle
    pub(crate) const fn rows(&self) -> &[u8; 16] {
        &self.rows
    }

    /// Returns whether the set contains a byte.
    #[cfg(all(test, feature = "alloc"))]
    #[allow(clippy::indexing_slicing)] // INVARIANT: as above
    pub(crate) fn contains(&self, byte: u8) -> bool {
        byte < 128 && self.rows[usize::from(byte & 15)] >> (byte >> 4) & 1 == 1
    }
}

const DIGITS: ByteSet = ByteSet::range(b'0', b'9');

/// Letters and digits.
pub const ALPHANUMERIC: Nibbles = Nibbles::new(
    &DIGITS
        .or(ByteSet::range(b'A', b'Z'))
        .or(ByteSet::range(b'a', b'z')),
);

/// Decimal digits.
pub const DIGIT: Nibbles = Nibbles::new(&DIGITS);

/// Hexadecimal digits of either case.
pub const HEX: Nibbles = Nibbles::new(
    &DIGITS
        .or(ByteSet::range(b'A', b'F'))
        .or(ByteSet::range(b'a', b'f')),
);
