//! Colours, named for their meaning.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use std::io;

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const NOTE: Style = AnsiColor::Yellow.on_default();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// Returns true if standard error shows colours.
pub(crate) fn are_on_stderr() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Returns the colour of the component with this key.
pub(crate) fn component(key: &str) -> Style {
    match key {
        "scheme" => AnsiColor::Magenta,
        "user" | "userinfo" => AnsiColor::Yellow,
        "password" => AnsiColor::Red,
        "host" => AnsiColor::Green,
        "port" => AnsiColor::Cyan,
        "path" => AnsiColor::Blue,
        "params" => AnsiColor::BrightMagenta,
        "query" => AnsiColor::BrightCyan,
        _ => AnsiColor::BrightYellow,
    }
    .on_default()
}
