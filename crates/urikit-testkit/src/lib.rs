//! What Urikit's tests are held against.
//!
//! Nothing here knows the parser: the grammars under `spec/abnf` are transcribed from the RFCs, and this crate reads
//! them, judges strings by them, makes strings from them and breaks them on purpose. It is slow and obvious where it
//! can be, and it is never published.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod abnf;
pub mod data;
mod random;

pub use random::Random;
