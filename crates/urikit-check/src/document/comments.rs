//! Comments that exclude links: `uri-check: ignore` on the line of the links, and
//! `uri-check: ignore-next-line` on the line before.

use memchr::{memchr_iter, memmem};
use urikit_extract::document::Format;

const WORDS: &[u8] = b"uri-check:";

/// The lines whose links are ignored, in order.
#[derive(Clone, Default, Debug)]
pub(crate) struct IgnoredLines(Vec<usize>);

impl IgnoredLines {
    /// Finds the comments in a document, in the syntax of its format.
    pub(crate) fn read(format: Format, document: &[u8]) -> Self {
        let mut lines = Vec::new();
        let (mut line, mut counted) = (1, 0);
        for at in memmem::find_iter(document, WORDS) {
            let before = document.get(..at).unwrap_or_default();
            let after = document.get(at + WORDS.len()..).unwrap_or_default();
            let Some(skips) = command(after).filter(|_| is_comment(format, before)) else {
                continue;
            };
            line += memchr_iter(b'\n', before.get(counted..).unwrap_or_default()).count();
            counted = at;
            lines.push(line + skips);
        }
        lines.sort_unstable();
        Self(lines)
    }

    pub(crate) fn contain(&self, line: usize) -> bool {
        self.0.binary_search(&line).is_ok()
    }
}

/// Returns the number of lines between the comment and its links; `None` if the comment is not a
/// command.
fn command(after: &[u8]) -> Option<usize> {
    let line = after
        .split(|byte| *byte == b'\n')
        .next()?
        .trim_ascii_start();
    let (skips, rest) = match line.strip_prefix(b"ignore-next-line") {
        Some(rest) => (1, rest),
        None => (0, line.strip_prefix(b"ignore")?),
    };
    let rest = rest.trim_ascii();
    let ends = rest.is_empty() || rest.starts_with(b"-->") || rest.starts_with(b"*/");
    // In a notebook, a line of a cell ends with the escape `\n`.
    (ends || rest.starts_with(b"\\n")).then_some(skips)
}

/// Returns true if the text ends with the beginning of a comment.
fn is_comment(format: Format, before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let markers: &[&[u8]] = match format {
        Format::Html | Format::Xml => &[b"<!--"],
        // `{/* */}` is a comment in Markdown with JavaScript components.
        Format::Markdown | Format::Jupyter => &[b"<!--", b"/*"],
        Format::Css => &[b"/*", b"//"],
        Format::Rst => &[b".."],
        Format::Asciidoc => &[b"//"],
        Format::Org => &[b"#"],
        Format::Latex => &[b"%"],
        Format::Roff => &[b"\\\""],
        // Source code and settings are read as text.
        Format::Text => &[b"#", b"//", b"/*", b"--", b";", b"%", b"<!--"],
        _ => &[],
    };
    markers.iter().any(|marker| before.ends_with(marker))
}

#[cfg(test)]
mod tests {
    use super::IgnoredLines;
    use urikit_extract::document::Format;

    #[test]
    fn comments_of_each_format() {
        for (format, text, lines) in [
            (Format::Html, "a\n<!-- uri-check: ignore -->\n", &[2][..]),
            (
                Format::Markdown,
                "<!-- uri-check: ignore-next-line -->\n",
                &[2],
            ),
            (Format::Markdown, "{/* uri-check: ignore */}\n", &[1]),
            (Format::Markdown, "say uri-check: ignore\n", &[]),
            (Format::Css, "\n\n/* uri-check: ignore */", &[3]),
            (Format::Rst, ".. uri-check: ignore-next-line\n", &[2]),
            (Format::Asciidoc, "// uri-check: ignore", &[1]),
            (Format::Org, "# uri-check: ignore-next-line\n", &[2]),
            (
                Format::Latex,
                "\\url{http://a.example/} % uri-check: ignore",
                &[1],
            ),
            (Format::Roff, ".UR x \\\" uri-check: ignore\n", &[1]),
            (
                Format::Text,
                "http://a.example/ # uri-check: ignore\n",
                &[1],
            ),
            (Format::Text, "# uri-check: ignored\n", &[]),
            (Format::Csv, "# uri-check: ignore\n", &[]),
        ] {
            assert_eq!(
                IgnoredLines::read(format, text.as_bytes()).0,
                lines,
                "{format} {text}"
            );
        }
    }
}
