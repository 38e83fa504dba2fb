//! The interfaces of the scanner: blocks, the versions that read them, and the tasks that use
//! them.

use super::Nibbles;
use core::mem::MaybeUninit;

/// The length of a block in bytes.
pub const BLOCK: usize = 64;

/// The length of the shortest input that is read in blocks. AVX-512 also reads shorter inputs.
pub const MIN_LEN: usize = 16;

/// The length of an AVX2 register.
pub const WIDE: usize = 32;

/// The lengths of the inputs that a task accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lengths {
    /// All inputs. The task uses only [`Scanner::any`].
    Any,
    /// Inputs of at least [`MIN_LEN`] bytes. With AVX-512, all inputs except the empty one.
    Register,
    /// Inputs of at least [`WIDE`] bytes. With AVX-512, all inputs except the empty one.
    Wide,
    /// Inputs of fewer than [`WIDE`] bytes. AVX-512 is not used for tasks of this kind. The task
    /// uses only [`Scanner::any`].
    Narrow,
}

/// Prevents other crates from implementing [`Block`] and [`Scanner`].
pub trait Sealed {}

/// Up to 64 bytes of the input. In each mask, bit `i` describes byte `i`.
pub trait Block: Copy + Sealed {
    /// The length of [`prefix`](Self::prefix): one register, in bytes.
    const PREFIX_LEN: usize;
    /// Returns the bytes equal to `byte`.
    fn is(self, byte: u8) -> u64;
    /// Returns the bytes equal to either byte.
    fn is_either(self, one: u8, other: u8) -> u64;
    /// Returns whether all bytes are in the set, including those before the block that were read
    /// with it.
    fn are_all(self, set: &Nibbles) -> bool;
    /// Returns the bytes in the set.
    fn members(self, set: &Nibbles) -> u64;
    /// Returns the first bytes of the block. Computing masks of these bytes takes fewer
    /// instructions than computing masks of the complete block.
    #[must_use]
    fn prefix(self) -> Self;
}

/// Reads the blocks of an input one by one, each with its offset.
#[derive(Debug)]
pub struct Blocks<'t, S> {
    scanner: S,
    text: &'t [u8],
    start: usize,
}

impl<'t, S: Scanner> Blocks<'t, S> {
    /// Returns all blocks of `text`, which is the input of the work that `scanner` runs.
    #[inline(always)]
    pub const fn new(scanner: S, text: &'t [u8]) -> Self {
        Self {
            scanner,
            text,
            start: 0,
        }
    }

    /// Returns the next block and its offset.
    // This is not an `Iterator`, because the compiler would not compile iterator adapters for the
    // scanner's instruction set.
    #[allow(clippy::should_implement_trait)]
    #[inline(always)]
    pub fn next(&mut self) -> Option<(usize, S::Block)> {
        let start = self.start;
        if start >= self.text.len() {
            return None;
        }
        self.start = start + BLOCK;
        let block = if start == 0 {
            self.scanner.first_or_narrow(self.text)
        } else {
            self.scanner.later(self.text, start)
        };
        Some((start, block))
    }
}

/// The escapes of a block, for [`Scanner::unescape_block`].
#[derive(Clone, Copy, Debug)]
pub struct Escapes {
    /// The mask of the `%` characters in the block.
    #[allow(dead_code)] // only AVX-512 needs it
    pub(crate) percent: u64,
    /// The bytes that each produce an octet: all bytes except the digits of escapes.
    pub(crate) kept: u64,
    /// True if a `+` is decoded to a space.
    pub(crate) plus: bool,
}

/// The output of a block. Octets are written eight at a time, so up to eight bytes after the result
/// are overwritten.
pub(crate) type OutBuffer = [MaybeUninit<u8>; BLOCK + 8];

/// A version of the scanner, for inputs of certain lengths.
///
/// Methods panic if `start` or the length of the input is outside the documented range.
pub trait Scanner: Copy + Sealed {
    /// The blocks that the scanner reads.
    type Block: Block;
    /// True if tasks are compiled for speed rather than size.
    const FOR_SPEED: bool;
    /// Returns the first block of an input of [`Lengths::Wide`].
    fn first(self, text: &[u8]) -> Self::Block;
    /// Returns the first block of an input of [`Lengths::Register`]. If the input has fewer than
    /// [`WIDE`] bytes, [`Block::are_all`] is meaningless.
    #[inline(always)]
    fn first_or_narrow(self, text: &[u8]) -> Self::Block {
        self.first(text)
    }
    /// Returns the first block of an input of any length. The block may have zeros past the end of
    /// the input. Such zeros make masks of the byte 0, masks of sets with this byte, and
    /// [`Block::are_all`] meaningless.
    fn any(self, text: &[u8]) -> Self::Block;
    /// Returns the block at `start`, which is a multiple of [`BLOCK`], not 0, and less than the
    /// input's length.
    fn later(self, text: &[u8], start: usize) -> Self::Block;
    /// Of the 64 bytes that begin at `start`, returns those that are equal to `byte` and are not
    /// followed by `not`. The input must contain at least one more byte after them.
    fn not_followed_by(self, text: &[u8], start: usize, byte: u8, not: u8) -> u64;
    /// Returns the index of the `below`th set bit in a mask, counted from 0, or 64 if the mask has
    /// too few set bits.
    fn nth(self, mask: u64, below: u32) -> u32;
    /// Decodes the block at `start` into `out`. Writes one octet for each byte in `escapes.kept`:
    /// for a `%` the value of the two digits that follow it, for a `+` a space if `escapes.plus` is
    /// true, and for any other byte the byte itself. Returns whether any escape decodes to a
    /// non-ASCII octet.
    #[doc(hidden)]
    fn unescape_block(
        self,
        text: &[u8],
        start: usize,
        escapes: Escapes,
        out: &mut OutBuffer,
    ) -> bool;
    /// Reads the blocks after the first, whose result is `first`.
    // On x86-64, each version has its own function for this method, kept out of line: most inputs
    // have only one block, and the code for them needs fewer registers without the loop.
    #[doc(hidden)]
    fn read_rest<R: Rest>(self, text: &[u8], first: R::Output) -> Option<R::Output>;
    /// Asks the processor to load the bytes at `at` into its cache. Reads nothing.
    fn prefetch(self, text: &[u8], at: usize);
}

/// Computes [`Scanner::nth`] by clearing the lowest set bit `below` times.
#[inline(always)]
pub(crate) fn nth(mut mask: u64, below: u32) -> u32 {
    for _ in 0..below {
        mask &= mask.wrapping_sub(1);
    }
    mask.trailing_zeros()
}

/// The part of a task that [`Scanner::read_rest`] runs.
pub trait Rest {
    /// The result of the task.
    type Output;
    /// Reads the blocks of `text` after the first, whose result is `first`. Returns `None` if masks
    /// cannot determine the result. The function must be `#[inline(always)]`.
    fn read<S: Scanner>(scanner: S, text: &[u8], first: Self::Output) -> Option<Self::Output>;
}

/// A task for a scanner. A task is compiled once for each version.
pub trait Work {
    /// The result of the task.
    type Output;
    /// The inputs that the task accepts. [`Level::run`](super::Level::run) checks this for
    /// [`Lengths::Register`]. For other lengths the caller must check, or a scanner may panic.
    const LENGTHS: Lengths = Lengths::Register;
    /// True if the task has a version for AVX-512. Otherwise, the task uses the version for AVX2.
    const HAS_AVX512: bool = true;
    /// True if the task has a version for SSSE3. Only the few processors without AVX2 need it.
    const HAS_SSSE3: bool = false;
    /// Returns the input.
    fn text(&self) -> &[u8];
    /// Runs the task. Returns `None` if masks cannot determine the result.
    ///
    /// This method must be `#[inline(always)]` to be compiled for the scanner's instruction set.
    fn run<S: Scanner>(self, scanner: S) -> Option<Self::Output>;
    /// Runs the task without a scanner. Returns `None` if the caller must do the work itself.
    #[inline]
    fn run_portable(self) -> Option<Self::Output>
    where
        Self: Sized,
    {
        None
    }
}
