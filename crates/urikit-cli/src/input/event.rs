//! What reading gives.

use super::batch::Batch;
use super::item::Source;
use std::io;
use std::sync::Arc;

/// What was read.
#[derive(Debug)]
pub(crate) enum Event {
    /// Inputs.
    Batch(Batch),
    /// A source, or the rest of it, could not be read.
    Unreadable(Arc<Source>, io::Error),
}
