//! Inputs known to be US-ASCII because the scanner accepted all of their blocks.
//!
//! A [`Reader`] reads an input block by block with a [`Cursor`]. To advance to the next block, the
//! reader must accept the current block with a set that contains all characters of the block, and
//! sets contain only US-ASCII. [`read`] checks that the last block was accepted too, and creates an
//! [`Ascii`].

use super::scanner::Rest;
use super::{BLOCK, Block, Bytes, Lengths, Level, Nibbles, Scanner, WIDE, Work, detect};
use core::marker::PhantomData;

/// A US-ASCII string.
// INVARIANT: each byte of the text is below 128.
#[derive(Clone, Copy, Debug)]
pub struct Ascii<'t>(&'t str);

impl<'t> Ascii<'t> {
    /// Returns the string.
    #[inline(always)]
    pub const fn as_str(self) -> &'t str {
        self.0
    }
}

/// Reads inputs block by block.
pub trait Reader {
    /// The result of reading an input.
    type Output;
    /// True if the reader is important enough to justify versions for AVX-512 and SSSE3.
    const FOR_SPEED: bool;
    /// Reads the first block of an input. Returns `None` if masks cannot determine the result.
    ///
    /// `TINY` is true if the input is shorter than the scanner's register. The function must be
    /// `#[inline(always)]`.
    fn read<S: Scanner, const TINY: bool>(cursor: &mut Cursor<'_, S, TINY>)
    -> Option<Self::Output>;
    /// Reads the blocks after the first. Returns the result for the complete input, given the
    /// result for the first block. The function must be `#[inline(always)]`.
    fn read_rest<S: Scanner>(
        cursor: &mut Cursor<'_, S, false>,
        first: Self::Output,
    ) -> Option<Self::Output>;
    /// Reads an input byte by byte, for processors without a scanner. Returns `None` to give up,
    /// as [`read`](Self::read) does, or if it does not reach the end of the input.
    fn read_bytes(bytes: &mut Bytes<'_>) -> Option<Self::Output>;
}

/// The position of a [`Reader`]: the current block of an input.
#[derive(Debug)]
pub struct Cursor<'t, S: Scanner, const TINY: bool> {
    scanner: S,
    text: &'t [u8],
    block: S::Block,
    /// The offset of the block.
    start: usize,
    /// True if the current block and all earlier blocks were accepted.
    is_accepted: bool,
}

impl<'t, S: Scanner, const TINY: bool> Cursor<'t, S, TINY> {
    #[inline(always)]
    fn new(scanner: S, text: &'t [u8]) -> Self {
        Self {
            scanner,
            text,
            block: if TINY {
                scanner.any(text)
            } else {
                scanner.first(text)
            },
            start: 0,
            is_accepted: false,
        }
    }

    /// Returns the complete input.
    #[inline(always)]
    pub const fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Returns the current block.
    #[inline(always)]
    pub const fn block(&self) -> S::Block {
        self.block
    }

    /// Returns the offset of the current block.
    #[inline(always)]
    pub const fn start(&self) -> usize {
        self.start
    }

    /// Returns the mask of the block's bits past the end of the input.
    #[inline(always)]
    pub fn past_end(&self) -> u64 {
        let length = BLOCK.min(self.text.len() - self.start);
        !(u64::MAX >> ((BLOCK - length) & (BLOCK - 1)))
    }

    /// Accepts the block if all its characters are in the set. Returns whether it accepted the
    /// block.
    #[inline(always)]
    pub fn accept(&mut self, set: &Nibbles) -> bool {
        if TINY {
            return self.accept_but_first(set, 0);
        }
        let are_all = self.block.are_all(set);
        self.is_accepted |= are_all;
        are_all
    }

    /// Accepts the block if all its characters are in the set, ignoring the first occurrence of the
    /// byte `first`. If `first` is 0, nothing is ignored. Returns whether it accepted the block.
    #[inline(always)]
    pub fn accept_but_first(&mut self, set: &Nibbles, first: u8) -> bool {
        // The block of a tiny input has zeros past the end of the input.
        if set.has_zero() {
            return false;
        }
        let firsts = match first {
            0 | 128.. => 0,
            _ => self.block.is(first),
        };
        // `x & -x` is the lowest set bit of `x`. Unlike `are_all`, this does not depend on bytes
        // that were read a second time.
        let good = self.block.members(set) | firsts & firsts.wrapping_neg() | self.past_end();
        self.is_accepted |= good == u64::MAX;
        good == u64::MAX
    }

    /// Advances to the next block if this one was accepted and is not the last. Returns true if it
    /// advanced.
    #[inline(always)]
    pub fn advance(&mut self) -> bool {
        if !self.is_accepted || !self.has_more() {
            return false;
        }
        self.start += BLOCK;
        self.block = self.scanner.later(self.text, self.start);
        self.is_accepted = false;
        true
    }

    #[inline(always)]
    const fn has_more(&self) -> bool {
        self.text.len() - self.start > BLOCK
    }
}

/// The task of running a reader.
///
/// INVARIANT: `TINY` is true for inputs of fewer than [`WIDE`] bytes, and false for longer ones.
/// With AVX-512, it is always false.
struct Reading<'t, R, const TINY: bool> {
    text: &'t [u8],
    reader: PhantomData<R>,
}

impl<'t, R, const TINY: bool> Reading<'t, R, TINY> {
    #[inline(always)]
    const fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            reader: PhantomData,
        }
    }
}

impl<R: Reader, const TINY: bool> Work for Reading<'_, R, TINY> {
    type Output = R::Output;
    const LENGTHS: Lengths = if TINY { Lengths::Narrow } else { Lengths::Wide };
    const HAS_AVX512: bool = R::FOR_SPEED;
    const HAS_SSSE3: bool = R::FOR_SPEED;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<R::Output> {
        let mut cursor = Cursor::<S, TINY>::new(scanner, self.text);
        let first = R::read(&mut cursor);
        if !cursor.is_accepted {
            None
        } else if TINY || !cursor.has_more() {
            first
        } else {
            scanner.read_rest::<RestOf<R>>(self.text, first?)
        }
    }

    #[inline(always)]
    fn run_portable(self) -> Option<R::Output> {
        run_bytes::<R>(self.text)
    }
}

/// The task of reading all blocks of an input after the first block, which the reader has accepted.
struct RestOf<R>(PhantomData<R>);

impl<R: Reader> Rest for RestOf<R> {
    type Output = R::Output;

    #[inline(always)]
    fn read<S: Scanner>(scanner: S, text: &[u8], first: R::Output) -> Option<R::Output> {
        let mut cursor = Cursor {
            scanner,
            text,
            block: scanner.later(text, BLOCK),
            start: BLOCK,
            is_accepted: false,
        };
        let found = R::read_rest(&mut cursor, first);
        if cursor.is_accepted && !cursor.has_more() {
            found
        } else {
            None
        }
    }
}

/// Runs a reader with a version that few processors need, or detects the version on the first call.
#[inline(never)]
fn run_slow<R: Reader>(text: &[u8], level: Level) -> Option<R::Output> {
    if level == Level::UNDETECTED {
        detect::detect_and_store();
        return run::<R>(text);
    }
    if level == Level::SSSE3 && R::FOR_SPEED {
        return if text.len() < WIDE {
            level.run(Reading::<R, true>::new(text))
        } else {
            level.run(Reading::<R, false>::new(text))
        };
    }
    if Level::HAS_PORTABLE {
        run_bytes::<R>(text)
    } else {
        None
    }
}

/// Runs a reader on an input byte by byte, and checks that it reached the end.
// Kept out of line, because the tasks for all lengths share it.
#[inline(never)]
fn run_bytes<R: Reader>(text: &[u8]) -> Option<R::Output> {
    let mut bytes = Bytes::new(text);
    let found = R::read_bytes(&mut bytes);
    if bytes.is_at_end() { found } else { None }
}

/// Reads `text`, and returns it as [`Ascii`] together with the reader's output. Returns `None` if
/// the reader returns `None`, if a block was not accepted, or if no scanner reads inputs of this
/// length.
#[inline(always)]
pub fn read<R: Reader>(text: &str) -> Option<(Ascii<'_>, R::Output)> {
    let found = run::<R>(text.as_bytes())?;
    // INVARIANT: all blocks were accepted by sets, which contain US-ASCII only, or `Bytes`
    // advanced past all bytes, which it does for US-ASCII only.
    Some((Ascii(text), found))
}

/// Runs a reader on an input, and checks that it accepted all blocks.
// The function is kept out of line to make tail calls to the versions of the scanner, which then
// return their results directly to the caller, in registers.
#[inline(never)]
fn run<R: Reader>(text: &[u8]) -> Option<R::Output> {
    let level = Level::best();
    if level.needs_min_len(R::FOR_SPEED) {
        if level.is_slow() {
            return run_slow::<R>(text, level);
        } else if text.len() < WIDE {
            return level.run(Reading::<R, true>::new(text));
        }
    }
    level.run(Reading::<R, false>::new(text))
}
