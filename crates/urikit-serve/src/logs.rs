//! Logs on standard error.

use std::str::FromStr;
use urikit::UnknownName;

/// The format of logs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LogFormat {
    /// One line of text for each event.
    #[default]
    Text,
    /// One JSON object for each event.
    Json,
}

impl LogFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Text, Self::Json];

    /// Returns the name: `text` or `json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
        }
    }

    /// Starts writing logs to standard error. Later calls have no effect.
    pub fn start(self) {
        let logs = tracing_subscriber::fmt()
            .with_writer(std::io::stderr)
            .with_target(false);
        let _ = match self {
            Self::Text => tracing::subscriber::set_global_default(logs.with_ansi(false).finish()),
            Self::Json => {
                let logs = logs.json().flatten_event(true).with_current_span(false);
                tracing::subscriber::set_global_default(logs.with_span_list(false).finish())
            }
        };
    }
}

impl FromStr for LogFormat {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &urikit::names_of_all!(LogFormat, name);
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or(UnknownName::new("log format", NAMES))
    }
}
