//! Parses the lines of an ABNF file into rules and directives.
//!
//! Departures from RFC 5234, as listed in `spec/abnf/README.md`: `_` and `+` in names, directives
//! in comments, and bare LF as line end.

use super::elements::{in_name, right_side};
use super::node::Node;

/// One rule as written in a file.
#[derive(Debug, Clone)]
pub(crate) struct ReadRule {
    pub name: String,
    /// Whether it adds alternatives (`=/`).
    pub adds: bool,
    pub body: Node,
    /// The section in the comment on the line above: `RFC 2396, 3.3`.
    pub section: Option<String>,
    /// The right side as written, without comments and with single spaces.
    pub text: String,
    /// The line in the file, from 1.
    pub line: usize,
}

/// A `; @word …` comment.
#[derive(Debug, Clone)]
pub(crate) struct Directive {
    pub word: String,
    pub rest: Vec<String>,
    pub line: usize,
}

/// What is wrong, and in which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadError {
    pub line: usize,
    pub message: String,
}

/// Reads the rules and directives of a file.
pub(crate) fn read(text: &str) -> Result<(Vec<ReadRule>, Vec<Directive>), ReadError> {
    let mut rules = Vec::new();
    let mut directives = Vec::new();
    let mut section = None;
    let mut pending: Option<Pending> = None;
    for (at, full) in text.lines().enumerate() {
        let line = at + 1;
        let code = without_comment(full);
        if code.trim().is_empty() {
            let comment = full.trim().strip_prefix(';').map(str::trim);
            section = comment.and_then(section_of);
            if let Some(words) = comment.and_then(|comment| comment.strip_prefix('@')) {
                let mut words = words.split_whitespace().map(str::to_owned);
                let word = words.next().unwrap_or_default();
                directives.push(Directive {
                    word,
                    rest: words.collect(),
                    line,
                });
            }
        } else if code.starts_with([' ', '\t']) {
            let Some(rule) = &mut pending else {
                return Err(ReadError {
                    line,
                    message: "a continuation line without a rule".to_owned(),
                });
            };
            rule.push(code);
            section = None;
        } else {
            rules.extend(pending.take().map(Pending::finish).transpose()?);
            pending = Some(Pending::begin(code, section.take(), line)?);
        }
    }
    rules.extend(pending.take().map(Pending::finish).transpose()?);
    Ok((rules, directives))
}

/// `[RFC 2396, 3.3]` without its brackets.
fn section_of(comment: &str) -> Option<String> {
    let inner = comment.strip_prefix('[')?.strip_suffix(']')?;
    inner.strip_prefix("RFC ")?.split_once(", ")?;
    Some(inner.to_owned())
}

/// The line up to the first `;` outside strings and prose.
fn without_comment(line: &str) -> &str {
    let mut until = None;
    for (at, c) in line.char_indices() {
        match (until, c) {
            (None, ';') => return line[..at].trim_end(),
            (None, '"') => until = Some('"'),
            (None, '<') => until = Some('>'),
            (Some(end), c) if c == end => until = None,
            _ => {}
        }
    }
    line.trim_end()
}

/// A rule whose lines are still being collected.
struct Pending {
    name: String,
    adds: bool,
    section: Option<String>,
    text: String,
    line: usize,
}

impl Pending {
    fn begin(code: &str, section: Option<String>, line: usize) -> Result<Self, ReadError> {
        let (name, body) = code.split_once('=').ok_or_else(|| ReadError {
            line,
            message: format!("no \"=\" in {code:?}"),
        })?;
        let name = name.trim();
        if name.is_empty()
            || !name.starts_with(|c: char| c.is_ascii_alphabetic())
            || !name.chars().all(in_name)
        {
            return Err(ReadError {
                line,
                message: format!("{name:?} is not a valid rule name"),
            });
        }
        let (adds, body) = match body.strip_prefix('/') {
            Some(body) => (true, body),
            None => (false, body),
        };
        let mut rule = Self {
            name: name.to_owned(),
            adds,
            section,
            text: String::new(),
            line,
        };
        rule.push(body);
        Ok(rule)
    }

    fn push(&mut self, code: &str) {
        self.text.push_str(code.trim());
        self.text.push(' ');
    }

    fn finish(self) -> Result<ReadRule, ReadError> {
        let text = self.text.trim().to_owned();
        let body = right_side(&text);
        let body = body.map_err(|message| ReadError {
            line: self.line,
            message: format!("{}: {message}", self.name),
        })?;
        let Self {
            name,
            adds,
            section,
            line,
            ..
        } = self;
        Ok(ReadRule {
            name,
            adds,
            body,
            section,
            text,
            line,
        })
    }
}
