//! The SIMD scanner of [`urikit`](https://docs.rs/urikit): bit masks for blocks of 64 bytes,
//! percent-decoding, and slices without repeated checks. It contains all `unsafe` code in the
//! project, behind an interface that is safe to call with any argument.
//!
//! ```
//! use urikit_scan::text::{Set, runs};
//! use urikit_scan::ByteSet;
//! // The ends of a run of digits and of the run of letters that follows it.
//! let digits = Set::new(ByteSet::range(b'0', b'9'));
//! let letters = Set::new(ByteSet::range(b'a', b'z'));
//! assert_eq!(runs(b"2026nov!", &digits, &letters), (4, 7));
//! ```
//!
//! This crate serves the project's other crates, which forbid `unsafe`. Use it directly only if you
//! write a parser that works on masks.
//!
//! # Masks
//!
//! SIMD (single instruction, multiple data) instructions work on registers of 16, 32 or 64 bytes
//! and do the same to each byte: one instruction compares every byte of a register with `/`, and
//! another collects the results into the bits of an ordinary integer. A parser that tests 64 bytes
//! at once, instead of one byte at a time, needs far fewer instructions.
//!
//! The input is divided into blocks of 64 bytes. For each question about a byte (is it a slash? is
//! it allowed in a path?) a [`Block`] computes a *mask*: a 64-bit number in which bit `i` is the
//! answer for byte `i` of the block. In this example, bit 0 is on the left, and zeros are shown as
//! dots:
//!
//! ```text
//! bytes   a/b?c=d/e
//! is `/`  .1.....1.
//! is `?`  ...1.....
//! ```
//!
//! The rest is arithmetic on masks:
//!
//! - *Where is the first slash?* `mask.trailing_zeros()`, which is one instruction.
//! - *Are all bytes allowed?* `mask == u64::MAX`.
//! - *Does a dot follow a slash?* `dots & slashes << 1 != 0`.
//!
//! Only the requested masks are computed. Computing a mask requires no branch that depends on the
//! input, so the processor cannot mispredict one.
//!
//! # Sets of characters
//!
//! A set, for example the characters allowed in a path, is too large to compare each byte with each
//! member. A shuffle instruction (`PSHUFB`) finds the answer in a table: it looks up each byte of a
//! register in a table of 16 bytes, all at the same time. A table of 16 bytes is indexed by half a
//! byte (four bits, a *nibble*), so a set needs two tables:
//!
//! 1. [`Nibbles`] has one row for each low nibble. Bit `h` of the row records whether the byte
//!    with this low nibble and the high nibble `h` is in the set. US-ASCII has only eight high
//!    nibbles, 0 to 7, so a row is one byte.
//! 2. The second table turns the high nibble `h` into `1 << h`, and into 0 if `h` is 8 or more.
//!
//! A byte is in the set if the two results have a bit in common. For example, `/` is 0x2F: its high
//! nibble 2 gives 0b100, so row 0xF must have bit 2 set. Bytes beyond US-ASCII get 0 from the
//! second table, so no set contains them.
//!
//! # The end of the input
//!
//! Reading past the end of the input would be undefined behaviour, and few inputs fill their last
//! block. The last bytes are therefore loaded into a register that *ends* where the input ends.
//! This register includes bytes that have been read before, and its mask is shifted to move each
//! bit to its position. Bits past the end of the input are 0 in every mask.
//!
//! Inputs that are shorter than a register cannot be read in this way. [`Scanner::any`] reads them
//! with smaller loads, and fills the register with zeros. AVX-512 needs neither method: a mask
//! excludes bytes from its loads, and the processor does not access excluded bytes. NEON and
//! `simd128` move the bytes of a register that ends where the input ends, instead of its masks, and
//! fill the rest of the block with zeros, so they also read inputs of any length.
//!
//! Each version of a task is code that has to be compiled and linked, so a task declares which
//! inputs it accepts ([`Lengths`]), and only the versions that can receive them are compiled.
//!
//! # Versions
//!
//! | version | bytes per register | processors |
//! |---|---|---|
//! | `Avx512` | 64 | x86-64 with AVX-512 (F, BW, VL, VBMI2), AVX2 and BMI |
//! | `Avx2` | 32 | x86-64 with AVX2 and BMI |
//! | `Ssse3` | 16, used in pairs | other x86-64 with SSSE3, for [some tasks](Work::HAS_SSSE3) |
//! | NEON | 16, used in fours | every AArch64 |
//! | `simd128` | 16, used in fours | WebAssembly that is compiled with `+simd128` |
//! | portable | none | all |
//!
//! On x86-64 with `std`, the processor's features are detected once, at run time. Otherwise, the
//! features are those that the crate is compiled for (`-C target-cpu`, `-C target-feature`).
//! Versions that are slower than the one for these features are left out. A program that detects
//! features has no portable version: nearly every x86-64 processor has SSSE3, and on others the
//! caller works byte by byte. [`Level`] is the version in use. On other processors [`Level::run`]
//! runs the portable version of the task, which reads the input with [`Bytes`]. A task without a
//! portable version returns `None`, and the caller works byte by byte.
//!
//! A task for the scanner implements [`Work`] and is generic over the [`Scanner`]. [`Level::run`]
//! calls a function that is compiled for the right instruction set. Everything that the task does
//! must be inlined into that function, or it is compiled without these instructions. This is why
//! so many functions are `#[inline(always)]`.
//!
//! # Soundness
//!
//! No argument of a public function can cause undefined behaviour:
//!
//! - [`Scanner`] and [`Block`] are sealed. A scanner exists only if the processor supports its
//!   instructions, because only [`Level::run`] creates one. Each load is checked to be within the
//!   input.
//! - [`ascii::Ascii`] is created only by [`ascii::read`], which checks that each block was accepted
//!   by a set of US-ASCII characters, no matter what the reader does. Without a scanner, this
//!   function checks that [`Bytes`], which advances only past US-ASCII characters, is at the end of
//!   the input.
//! - [`Components`] has private fields, and checks each offset of its [`Layout`] once, when it is
//!   created. A wrong layout results in wrong components, but never in an invalid slice.
//! - A [`Work`] panics if its input is shorter than its [`Lengths`] allow.
//!
//! # Modules
//!
//! - [`ascii`] records that all blocks of an input were accepted, which proves that the input is
//!   US-ASCII. [`Components`] then slices the input without further checks.
//! - [`text`] finds runs of characters for extraction.
//! - `unescape` and `unescape_utf8` decode escapes, and `append` copies short strings. These need
//!   `alloc`.
//!
//! # Features
//!
//! - `simd` (default): all versions except the portable version. Without this feature, programs are
//!   smaller but slower. With debug assertions (cargo's profile `dev`), these versions are always
//!   left out, because they are slow without optimization, and take a long time to compile.
//! - `std` (default) detects the processor's features at run time, and includes `alloc`. Without
//!   `std` and `alloc`, everything that only borrows still works.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(unsafe_code)] // the only crate in the project that may
#![allow(clippy::inline_always)] // only inlined code is compiled for the scanner's instruction set
#![cfg_attr(not(feature = "alloc"), allow(dead_code))] // without `alloc`, nothing is decoded

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod ascii;
mod bytes;
mod components;
#[allow(dead_code)] // not every scanner needs all of it
mod compress;
#[cfg(feature = "alloc")]
mod copy;
mod detect;
mod level;
#[cfg(all(test, feature = "alloc"))]
mod naive;
mod quad;
mod scanner;
mod set;
#[cfg(all(test, feature = "alloc"))]
mod tests;
pub mod text;
#[cfg(feature = "alloc")]
mod unescape;
// Without optimization, SIMD instructions are slow, and account for half of the time to compile the
// core.
#[cfg_attr(
    not(all(
        feature = "simd",
        any(not(debug_assertions), test, feature = "test-hooks"),
        target_arch = "x86_64"
    )),
    path = "x86_64/absent.rs"
)]
mod x86_64;

pub use bytes::Bytes;
#[cfg(feature = "alloc")]
pub use components::ComponentsBuf;
pub use components::{Components, Delimiter, Layout, MAX_LEN, offset_u32};
#[cfg(feature = "alloc")]
pub use copy::append;
pub use level::Level;
pub use scanner::{BLOCK, Block, Blocks, Lengths, MIN_LEN, Scanner, WIDE, Work};
pub use set::{ALPHANUMERIC, ByteSet, Classes, DIGIT, HEX, Nibbles};
#[cfg(feature = "alloc")]
pub use unescape::{Outcome, unescape, unescape_utf8};

/// The examples in the README, which are run as tests.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
