//! The colours: named by what they mean.

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

/// A style as standard error shows it: none where it shows no colours, since to take them out of many messages again costs
/// as much as to write these.
pub(crate) fn on_stderr(style: Style) -> Style {
    static SHOWN: LazyLock<bool> =
        LazyLock::new(|| AutoStream::choice(&io::stderr()) != ColorChoice::Never);
    if *SHOWN { style } else { Style::new() }
}

/// The colour of a component, by its key.
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
