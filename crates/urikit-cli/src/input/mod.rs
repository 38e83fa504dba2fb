//! Where references come from: arguments, the lines of files, or the lines of standard input.
//!
//! Input is bytes, and it streams. A `Batch` holds the inputs that one read returned, and always
//! at least one complete input, up to the limit of `--max-line`. So memory stays constant apart
//! from the longest input, and nothing that has arrived waits for what has not. The reading thread only
//! counts inputs; the thread that works on a batch splits it.

mod batch;
mod changed;
mod csv;
mod guess;
mod inputs;
mod item;
mod overlong;
mod repairs;
mod rows;
mod unparsed;

pub(crate) use changed::{Change, Changed};
pub(crate) use inputs::{Event, Inputs};
pub(crate) use item::{Given, Input, Source};
pub(crate) use repairs::{Repairs, Tolerance, Unrepaired};
pub(crate) use unparsed::Unparsed;
