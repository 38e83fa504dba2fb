//! How sources are read.

use super::meter::Meter;
use super::table::Choice;
use std::sync::Arc;

/// How sources are read.
#[derive(Clone, Debug)]
pub(super) struct How {
    /// The byte that ends an input where inputs are lines.
    pub(super) end: u8,
    /// Which values of a table are inputs.
    pub(super) choice: Choice,
    /// The longest line or value, in bytes.
    pub(super) max_line: usize,
    pub(super) meter: Arc<Meter>,
}
