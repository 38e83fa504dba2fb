//! Text in roff, for the macros of man(7).

use crate::safe::wrap;
use std::fmt::Write as _;

/// Lines of source end near this byte; they must be shorter than 80 bytes.
const WIDTH: usize = 70;

/// A page under construction.
#[derive(Default)]
pub(super) struct Roff(String);

impl Roff {
    /// A macro with its arguments.
    pub(super) fn control(&mut self, name: &str, arguments: &[&str]) {
        let _ = write!(self.0, ".{name}");
        for argument in arguments {
            let _ = write!(self.0, " \"{}\"", escaped(argument));
        }
        self.0.push('\n');
    }

    /// The title line; the date has the form of ISO 8601.
    pub(super) fn title(&mut self, name: &str, date: &str, version: &str) {
        let name = escaped(&name.to_uppercase());
        self.raw(&format!(
            ".TH \"{name}\" 1 \"{date}\" \"uri {version}\" \"User Commands\""
        ));
    }

    /// A section.
    pub(super) fn section(&mut self, title: &str) {
        self.control("SH", &[&title.to_uppercase()]);
    }

    /// A line of roff that is escaped already.
    pub(super) fn raw(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// A paragraph, which is filled.
    pub(super) fn text(&mut self, text: &str) {
        for line in wrap(&escaped(text), WIDTH) {
            self.line(&line);
        }
    }

    /// Paragraphs with an empty line between them; those after the first begin with `macro_name`.
    pub(super) fn paragraphs(&mut self, text: &str, macro_name: &str) {
        let paragraphs = text.split("\n\n").map(|text| text.replace('\n', " "));
        for (number, paragraph) in paragraphs
            .filter(|text| !text.trim().is_empty())
            .enumerate()
        {
            if number > 0 {
                self.control(macro_name, &[]);
            }
            self.text(paragraph.trim());
        }
    }

    /// Lines that are neither filled nor hyphenated.
    pub(super) fn verbatim(&mut self, lines: &[&str]) {
        self.raw(".nf");
        for line in lines {
            let mut source = String::new();
            for c in line.chars() {
                let last = source.len() - source.rfind('\n').map_or(0, |at| at + 1);
                if last > WIDTH {
                    source.push_str("\\\n"); // the line goes on
                }
                source.push_str(&escaped(c.encode_utf8(&mut [0; 4])));
            }
            self.line(&source);
        }
        self.raw(".fi");
    }

    /// A line that is escaped already, and no macro.
    fn line(&mut self, line: &str) {
        if line.starts_with(['.', '\'']) {
            self.0.push_str("\\&");
        }
        self.raw(line);
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// A text without special characters of roff. Each is printed as the ASCII character that it is,
/// which can be copied from the page.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\e"),
            '-' => out.push_str("\\-"),
            '\'' => out.push_str("\\(aq"),
            '`' => out.push_str("\\(ga"),
            '^' => out.push_str("\\(ha"),
            '~' => out.push_str("\\(ti"),
            '"' => out.push_str("\\(dq"),
            c if c.is_ascii() => out.push(c),
            c => {
                let _ = write!(out, "\\[u{:04X}]", u32::from(c));
            }
        }
    }
    out
}
