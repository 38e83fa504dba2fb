//! Untrusted text in a report: invisible characters are made visible, long text is truncated, and
//! the result is escaped for the format of the report.

use std::fmt::{self, Write};
use urikit::visible::{Escaped, is_visible};

/// The maximum length of displayed text, in bytes. Longer text is truncated.
const MAX: usize = 500;

/// Displays text with its invisible characters escaped. Text of more than 500 bytes is truncated,
/// and its length is appended.
pub(super) struct Shown<'a>(pub(super) &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (offset, c) in self.0.char_indices() {
            if offset >= MAX {
                return write!(f, "\u{2026} ({} bytes)", self.0.len());
            }
            if is_visible(c) {
                f.write_char(c)?;
            } else {
                Escaped(c).fmt(f)?;
            }
        }
        Ok(())
    }
}

/// Displays a value with the special characters of HTML and XML escaped, for text and for
/// attributes in quotes.
pub(super) struct Markup<D>(pub(super) D);

impl<D: fmt::Display> fmt::Display for Markup<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escape = |c| match c {
            '&' => Some("&amp;"),
            '<' => Some("&lt;"),
            '>' => Some("&gt;"),
            '"' => Some("&quot;"),
            '\'' => Some("&#39;"),
            _ => None,
        };
        write!(Escaping { f, escape }, "{}", self.0)
    }
}

/// Writes text, and replaces each character for which `escape` returns an escape.
pub(super) struct Escaping<'a, 'f, E> {
    pub(super) f: &'a mut fmt::Formatter<'f>,
    pub(super) escape: E,
}

impl<E: Fn(char) -> Option<&'static str>> Write for Escaping<'_, '_, E> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|c| match (self.escape)(c) {
            Some(escaped) => self.f.write_str(escaped),
            None => self.f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Markup, Shown};

    #[test]
    fn invisible_and_long_text() {
        assert_eq!(
            Shown("a\0\n\u{202E}\u{AD}é").to_string(),
            "a\\0\\n\\u{202e}\\u{ad}é"
        );
        let long = "é".repeat(500_000);
        let shown = Shown(&long).to_string();
        assert_eq!(shown, format!("{}… (1000000 bytes)", "é".repeat(250)));
        assert_eq!(
            Markup(Shown("<a href='&\">\u{FFFF}")).to_string(),
            "&lt;a href=&#39;&amp;&quot;&gt;\\u{ffff}"
        );
    }
}
