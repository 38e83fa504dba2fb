//! Colours, named by their meaning.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use std::io;
use std::sync::LazyLock;

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const NOTE: Style = AnsiColor::Yellow.on_default();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// Returns a style for standard error; an empty one if no colours are shown there. Stripping
/// colours from many messages would cost as much as writing them.
pub(crate) fn on_stderr(style: Style) -> Style {
    // The choice depends on the environment and is the same for every message, so it is made once.
    static SHOWN: LazyLock<bool> =
        LazyLock::new(|| AutoStream::choice(&io::stderr()) != ColorChoice::Never);
    if *SHOWN { style } else { Style::new() }
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
