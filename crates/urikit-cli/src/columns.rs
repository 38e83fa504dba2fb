//! The width of what people read.

use std::os::fd::AsFd;

/// The number of columns that `COLUMNS` gives, or else those of the terminal that the stream is
/// connected to; `None` without either. What goes through a pipe does not depend on a terminal.
pub(crate) fn columns(stream: impl AsFd) -> Option<usize> {
    let given = std::env::var("COLUMNS").ok();
    given
        .and_then(|text| text.parse().ok())
        .filter(|columns| *columns > 0)
        .or_else(|| terminal_size::terminal_size_of(stream).map(|(width, _)| width.0.into()))
}
