//! Reads references from arguments, from the lines of files or standard input, or from the values
//! of tables ([`table`]). Files may be compressed.
//!
//! ```text
//! arguments, files → source (open, decompress, split lines) → batch → item → repairs → the work
//!                    inputs: one source after another, or several at once
//! ```
//!
//! Input consists of bytes, and is read as a stream. A [`Batch`] contains the inputs that one read
//! returned: at least one complete input, up to the limit of `--max-line`. Memory use therefore
//! depends on the longest input, and an input that has arrived never waits for the next one. The
//! reading thread only counts inputs. The thread that processes a batch splits it.

mod batch;
mod inputs;
mod item;
mod meter;
#[cfg(feature = "parquet")]
mod partitions;
mod paths;
mod source;
mod table;
mod unicode;

pub(crate) use batch::{Batch, Cursor, Event, Place};
pub(crate) use inputs::{Inputs, Portion};
pub(crate) use item::{Input, Source};
pub(crate) use meter::Meter;
#[cfg(feature = "parquet")]
pub(crate) use partitions::partitions;
pub(crate) use paths::matching;
pub(crate) use table::{Choice, InputFormat, Layout, LayoutKind, split_end, split_row, write_cell};
pub(crate) use urikit_report::input::{Given, Unparsed};
pub(crate) use urikit_report::repairs::{Change, Repairs, Tolerance};
