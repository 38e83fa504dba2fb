//! Texts of which the scanner saw that they are US-ASCII.
//!
//! A [`Reader`] sees a text by a [`Walk`], block by block, and goes on to the next only with a set that has all of the block. Sets
//! have US-ASCII alone. Whether all blocks were accepted is asked here, and so an [`Ascii`] is known to be what it says.

use super::{BLOCK, Block, LEAST, Level, Nibbles, Scanner, Work};
use core::marker::PhantomData;

/// A text in US-ASCII.
///
/// INVARIANT: each of its bytes is below 128.
#[derive(Clone, Copy)]
pub(crate) struct Ascii<'t>(&'t str);

impl<'t> Ascii<'t> {
    #[inline(always)]
    pub(crate) const fn as_str(self) -> &'t str {
        self.0
    }
}

/// Who reads texts by their blocks.
pub(crate) trait Reader {
    type Output;
    /// What there is to say of a text, which is `SHORT` if it is no longer than a block, and `TINY` if it is shorter than a register;
    /// `None` where masks do not tell, and where a block was not accepted. Must be `inline(always)`.
    fn read<S: Scanner, const SHORT: bool, const TINY: bool>(
        walk: &mut Walk<'_, S, TINY>,
    ) -> Option<Self::Output>;
}

/// The blocks of a text, one by one.
pub(crate) struct Walk<'t, S: Scanner, const TINY: bool> {
    scanner: S,
    text: &'t [u8],
    block: S::Block,
    /// Where the block begins.
    start: usize,
    /// Whether the block is US-ASCII, as all before it are.
    is_accepted: bool,
}

impl<'t, S: Scanner, const TINY: bool> Walk<'t, S, TINY> {
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

    /// All of the text.
    #[inline(always)]
    pub(crate) const fn text(&self) -> &'t [u8] {
        self.text
    }

    /// The block.
    #[inline(always)]
    pub(crate) const fn block(&self) -> S::Block {
        self.block
    }

    /// Where the block begins.
    #[inline(always)]
    pub(crate) const fn start(&self) -> usize {
        self.start
    }

    /// The bits of the block that are beyond the text's end.
    #[inline(always)]
    pub(crate) fn beyond(&self) -> u64 {
        let length = BLOCK.min(self.text.len() - self.start);
        !(u64::MAX >> ((BLOCK - length) & (BLOCK - 1)))
    }

    /// Accepts the block if the set has all of it.
    #[inline(always)]
    pub(crate) fn accept(&mut self, set: &Nibbles) -> bool {
        if TINY {
            return self.accept_but_first(set, None);
        }
        let are_all = self.block.are_all(set);
        self.is_accepted |= are_all;
        are_all
    }

    /// Accepts the block if the set has all of it but the first of these characters.
    #[inline(always)]
    pub(crate) fn accept_but_first(&mut self, set: &Nibbles, but: Option<u8>) -> bool {
        // Where a tiny text has no bytes, its block has zeros.
        if set.has_zero() {
            return false;
        }
        let but = match but {
            Some(byte) if byte.is_ascii() && byte != 0 => self.block.is(byte),
            _ => 0,
        };
        // Other than `are_all`, this does not look at what was read again.
        let are_all =
            self.block.members(set) | but & but.wrapping_neg() | self.beyond() == u64::MAX;
        self.is_accepted |= are_all;
        are_all
    }

    /// Goes on to the next block, if this one was accepted and there is one.
    #[inline(always)]
    pub(crate) fn advance(&mut self) -> bool {
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
        !S::ONE_BLOCK && self.text.len() - self.start > BLOCK
    }
}

/// The work of a reader. INVARIANT: a text that is `SHORT` is no longer than a block.
struct Reading<'t, R, const SHORT: bool, const TINY: bool> {
    text: &'t [u8],
    reader: PhantomData<R>,
}

impl<'t, R, const SHORT: bool, const TINY: bool> Reading<'t, R, SHORT, TINY> {
    #[inline(always)]
    const fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            reader: PhantomData,
        }
    }
}

impl<R: Reader, const SHORT: bool, const TINY: bool> Work for Reading<'_, R, SHORT, TINY> {
    type Output = R::Output;
    const ANY: bool = TINY;

    #[inline(always)]
    fn text(&self) -> &[u8] {
        self.text
    }

    #[inline(always)]
    fn run<S: Scanner>(self, scanner: S) -> Option<R::Output> {
        let mut walk = Walk::<S, TINY>::new(scanner, self.text);
        let found = R::read::<S, SHORT, TINY>(&mut walk);
        if walk.is_accepted && (SHORT || !walk.has_more()) {
            found
        } else {
            None
        }
    }
}

/// What a reader has to say of a text that is known then; `None` where there is no scanner for it, too.
#[inline(always)]
pub(crate) fn read<R: Reader>(text: &str) -> Option<(Ascii<'_>, R::Output)> {
    let found = run::<R>(text.as_bytes())?;
    // INVARIANT: all blocks were accepted, by sets of US-ASCII.
    Some((Ascii(text), found))
}

/// What a reader has to say of a text, all of which it accepted.
// The scanner's versions are jumped to from here, so that what they give comes to the caller at once, in registers.
#[inline(never)]
fn run<R: Reader>(text: &[u8]) -> Option<R::Output> {
    run_at::<R>(Level::best(), text)
}

/// The same at a level. Most texts are one block, which needs fewer registers, so that fewer have to be saved.
#[inline(always)]
pub(crate) fn run_at<R: Reader>(level: Level, text: &[u8]) -> Option<R::Output> {
    if text.len() > BLOCK {
        level.run(Reading::<R, false, false>::new(text))
    } else if text.len() >= LEAST || !level.has_least() {
        level.run(Reading::<R, true, false>::new(text))
    } else {
        level.run(Reading::<R, true, true>::new(text))
    }
}
