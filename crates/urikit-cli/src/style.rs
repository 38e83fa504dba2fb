//! Defines colours, and decides when to use them.

use anstream::{AutoStream, ColorChoice};
use std::io::{self, IsTerminal as _};
pub(crate) use urikit_report::text::style::*;

/// Returns true if output to standard error is coloured.
pub(crate) fn are_on_stderr() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Returns true if standard output is a terminal and its output is coloured.
pub(crate) fn are_on_stdout() -> bool {
    io::stdout().is_terminal() && AutoStream::choice(&io::stdout()) != ColorChoice::Never
}
