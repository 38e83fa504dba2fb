//! Parses an ABNF file into rules and directives: first its lines, then the right side of each
//! rule (RFC 5234, 4), with one method for each production.
//!
//! The syntax deviates from RFC 5234 as described in `spec/abnf/README.md`: names may contain `_`
//! and `+`, comments may contain directives, and lines end in LF. The only `prose-val` with a
//! meaning is `<rule except "a" / "b">`.

use super::node::{Name, Node};

/// A rule as written in a file.
#[derive(Debug, Clone)]
pub(crate) struct ReadRule {
    pub name: String,
    /// True if the rule adds alternatives to an existing rule (`=/`).
    pub adds: bool,
    pub body: Node,
    /// The section given in the comment on the preceding line, such as `RFC 2396, 3.3`.
    pub section: Option<String>,
    /// The right side as written, without comments and with single spaces.
    pub text: String,
    /// The line number in the file, counting from 1.
    pub line: usize,
}

/// A `; @word …` comment.
#[derive(Debug, Clone)]
pub(crate) struct Directive {
    pub word: String,
    pub rest: Vec<String>,
    pub line: usize,
}

/// An error in a line of the grammar.
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
                    message: "expected a rule before the continuation line".to_owned(),
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

/// Returns the content of a comment such as `[RFC 2396, 3.3]`, without its brackets. The number of
/// an RFC must be followed by a section. Other documents need no section.
fn section_of(comment: &str) -> Option<String> {
    let inner = comment.strip_prefix('[')?.strip_suffix(']')?;
    if let Some(rfc) = inner.strip_prefix("RFC ") {
        rfc.split_once(", ")?;
    }
    Some(inner.to_owned())
}

/// Returns the line up to the first `;` outside strings and prose.
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

/// A rule that may continue on the next lines.
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

/// Parses the right side of a rule, without comments. On failure, returns a message that describes
/// the mistake.
pub(crate) fn right_side(text: &str) -> Result<Node, String> {
    let mut elements = Elements { rest: text };
    let body = elements.choice()?;
    match elements.rest {
        "" => Ok(body),
        rest => Err(format!("expected an element but found {rest:?}")),
    }
}

/// Returns true if a character may occur in a rule's name.
pub(crate) fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+')
}

/// The remaining input.
struct Elements<'a> {
    rest: &'a str,
}

impl<'a> Elements<'a> {
    /// Parses an `alternation`.
    fn choice(&mut self) -> Result<Node, String> {
        let mut nodes = vec![self.sequence()?];
        while self.take('/') {
            nodes.push(self.sequence()?);
        }
        Ok(if nodes.len() == 1 {
            nodes.remove(0)
        } else {
            Node::Choice(nodes)
        })
    }

    /// Parses a `concatenation`.
    fn sequence(&mut self) -> Result<Node, String> {
        let mut nodes = vec![self.repetition()?];
        self.space();
        while !self.rest.is_empty() && !self.rest.starts_with(['/', ')', ']']) {
            nodes.push(self.repetition()?);
            self.space();
        }
        Ok(if nodes.len() == 1 {
            nodes.remove(0)
        } else {
            Node::Sequence(nodes)
        })
    }

    fn repetition(&mut self) -> Result<Node, String> {
        self.space();
        let low = self.number()?;
        let (min, max) = if self.rest.starts_with('*') {
            self.rest = &self.rest[1..];
            (low.unwrap_or(0), self.number()?)
        } else {
            match low {
                None => return self.element(),
                Some(times) => (times, Some(times)),
            }
        };
        if max.is_some_and(|max| max < min) {
            return Err(format!(
                "a repetition cannot have the bounds {min} and {max:?}"
            ));
        }
        Ok(Node::Repeat {
            min,
            max,
            of: Box::new(self.element()?),
        })
    }

    fn element(&mut self) -> Result<Node, String> {
        self.space();
        let first = self
            .rest
            .chars()
            .next()
            .ok_or("expected an element but found the end")?;
        match first {
            '(' => self.bracketed(')'),
            '[' => Ok(Node::Optional(Box::new(self.bracketed(']')?))),
            '"' => Ok(Node::Literal {
                text: self.quoted('"')?.to_owned(),
                any_case: true,
            }),
            '<' => except(self.quoted('>')?),
            '%' => self.values(),
            c if c.is_ascii_alphabetic() => {
                let name = self.while_true(in_name);
                Ok(Node::Rule(name.to_owned()))
            }
            c => Err(format!("expected an element but found {c:?}")),
        }
    }

    /// Parses a `group` or an `option`.
    fn bracketed(&mut self, close: char) -> Result<Node, String> {
        self.rest = &self.rest[1..];
        let inner = self.choice()?;
        if self.take(close) {
            Ok(inner)
        } else {
            Err(format!("expected {close:?} but found {:?}", self.rest))
        }
    }

    /// Parses a `char-val` or `prose-val`, and returns it without its delimiters.
    fn quoted(&mut self, close: char) -> Result<&'a str, String> {
        let (inner, rest) = self.rest[1..]
            .split_once(close)
            .ok_or_else(|| format!("expected {close:?} before the end"))?;
        self.rest = rest;
        Ok(inner)
    }

    /// Parses a `num-val`.
    fn values(&mut self) -> Result<Node, String> {
        let radix = match self.rest.as_bytes().get(1).map(u8::to_ascii_lowercase) {
            Some(b'x') => 16,
            Some(b'd') => 10,
            Some(b'b') => 2,
            _ => return Err(format!("expected %x, %d or %b but found {:?}", self.rest)),
        };
        self.rest = &self.rest[2..];
        let value = |rest: &mut &'a str| {
            let end = rest
                .find(|c: char| !c.is_digit(radix))
                .unwrap_or(rest.len());
            let (digits, after) = rest.split_at(end);
            *rest = after;
            u32::from_str_radix(digits, radix).map_err(|_| format!("{digits:?} is not a value"))
        };
        let first = value(&mut self.rest)?;
        if let Some(rest) = self.rest.strip_prefix('-') {
            self.rest = rest;
            let last = value(&mut self.rest)?;
            return if first <= last {
                Ok(Node::Range(first, last))
            } else {
                Err("the range ends before it begins".into())
            };
        }
        let mut values = vec![first];
        while let Some(rest) = self.rest.strip_prefix('.') {
            self.rest = rest;
            values.push(value(&mut self.rest)?);
        }
        let text: Option<String> = values.into_iter().map(char::from_u32).collect();
        Ok(Node::Literal {
            text: text.ok_or("the value is not a character")?,
            any_case: false,
        })
    }

    fn number(&mut self) -> Result<Option<u32>, String> {
        match self.while_true(|c| c.is_ascii_digit()) {
            "" => Ok(None),
            digits => digits
                .parse()
                .map(Some)
                .map_err(|_| format!("{digits} is too large for a number of repetitions")),
        }
    }

    fn while_true(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn take(&mut self, c: char) -> bool {
        self.space();
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

/// Parses `rule except "a" / "b"` or `rule except by case …`.
fn except(prose: &str) -> Result<Node, String> {
    let unknown = || format!("unknown prose: <{prose}>");
    let (rule, names) = prose.split_once(" except ").ok_or_else(unknown)?;
    let (any_case, names) = match names.strip_prefix("by case ") {
        Some(names) => (false, names),
        None => (true, names),
    };
    let name = |quoted: &str| {
        let text = quoted.trim().strip_prefix('"')?.strip_suffix('"')?;
        Some(Name {
            text: text.to_owned(),
            any_case,
        })
    };
    let names: Option<Vec<Name>> = names.split('/').map(name).collect();
    Ok(Node::Except {
        rule: rule.trim().to_owned(),
        names: names.ok_or_else(unknown)?,
    })
}
