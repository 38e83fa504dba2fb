//! Where references come from: arguments, the lines of files, or the lines of standard input; or
//! values of tables, of which [`table`] has a file for each format. Files may be compressed.
//!
//! Input is bytes, and it streams. A `Batch` holds the inputs that one read returned, and always
//! at least one complete input, up to the limit of `--max-line`. So memory stays constant apart
//! from the longest input, and nothing that has arrived waits for what has not. The reading thread only
//! counts inputs; the thread that works on a batch splits it.

mod ahead;
mod batch;
mod changed;
mod compressed;
mod event;
mod guess;
mod how;
mod inputs;
mod item;
mod lines;
mod meter;
mod open;
mod overlong;
mod portion;
mod repairs;
mod table;
mod units;
mod unparsed;

pub(crate) use batch::{Batch, Cursor, Place};
pub(crate) use changed::{Change, Changed};
pub(crate) use event::Event;
pub(crate) use inputs::Inputs;
pub(crate) use item::{Given, Input, Source};
pub(crate) use meter::Meter;
pub(crate) use portion::Portion;
pub(crate) use repairs::{Repairs, Tolerance, Unrepaired};
pub(crate) use table::Choice;
pub(crate) use unparsed::Unparsed;
