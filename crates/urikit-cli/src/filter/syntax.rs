//! Parses the conditions of `--where`.

use super::pattern::{Glob, Test, integer};
use super::{Filter, Term};
use crate::fields::Field;
use regex::bytes::Regex;
use std::cmp::Ordering::{Equal, Greater, Less};
use urikit::octet::octets;

/// The left side of a condition.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Field(Field),
    /// The pairs of the query whose names match. `field` contains the modifiers.
    Pairs {
        name: Glob,
        field: Field,
    },
}

/// The separator of terms.
const OR: &str = " or ";

/// The operators. Longer operators precede their prefixes.
const OPERATORS: [&str; 9] = ["==", "~=", "!=", "<=", ">=", "=", "~", "<", ">"];

/// Splits a condition into its field and the rest, which begins with an operator. Messages may show
/// the field, but the rest may contain a password.
pub(crate) fn field_of(text: &str) -> (&str, &str) {
    let is_operator = |at: &usize| {
        let rest = text.get(*at..).unwrap_or_default();
        OPERATORS.iter().any(|operator| rest.starts_with(operator))
    };
    let at = (0..text.len()).find(is_operator).unwrap_or(text.len());
    text.split_at_checked(at).unwrap_or((text, ""))
}

impl Filter {
    /// Parses a condition.
    ///
    /// # Errors
    ///
    /// Returns the message for a usage error. The message never shows the text after the operator,
    /// which may be a password.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let mut terms = Vec::new();
        let mut rest = text;
        loop {
            let (term, after) = Term::parse(rest)?;
            terms.push(term);
            match after {
                Some(after) => rest = after,
                None => return Ok(Self { terms }),
            }
        }
    }
}

impl Term {
    /// Parses the first term, and returns it with the text after ` or `, if any.
    fn parse(text: &str) -> Result<(Self, Option<&str>), String> {
        let (text, is_negated) = match text.strip_prefix('!') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (mut name, mut rest) = field_of(text);
        if let Some((first, _)) = name.split_once(OR) {
            name = first;
            rest = text.get(first.len()..).unwrap_or_default();
        }
        let operator = OPERATORS
            .into_iter()
            .find(|operator| rest.starts_with(operator));
        let Some(operator) = operator else {
            let term = Self {
                operand: Operand::new(name)?,
                test: None,
                is_negated,
            };
            return Ok((term, rest.strip_prefix(OR)));
        };
        match operator {
            "==" => return Err("`==` is written `=`".to_owned()),
            "~=" => return Err("`~=` is reserved; write `~` before an expression".to_owned()),
            _ => {}
        }
        let rest = rest.get(operator.len()..).unwrap_or_default();
        let has_blank = |c: Option<char>| c.is_some_and(char::is_whitespace);
        if has_blank(name.chars().next_back()) || has_blank(rest.chars().next()) {
            return Err(format!("no blanks are allowed around `{operator}`"));
        }
        let operand = Operand::new(name)?;
        let (value, after) = value(rest)?;
        let term = Self {
            test: Some(operand.test(operator, &value)?),
            operand,
            is_negated: is_negated != (operator == "!="),
        };
        Ok((term, after))
    }
}

/// Reads the text after an operator, and returns it with the text after ` or `, if any.
fn value(text: &str) -> Result<(String, Option<&str>), String> {
    let Some(quoted) = text.strip_prefix('"') else {
        return Ok(match text.split_once(OR) {
            Some((value, after)) => (value.to_owned(), Some(after)),
            None => (text.to_owned(), None),
        });
    };
    let mut value = String::new();
    let mut chars = quoted.chars();
    loop {
        match chars.next() {
            None => return Err("expected a closing `\"`".to_owned()),
            Some('"') => break,
            Some('\\') if chars.as_str().starts_with('"') => {
                chars.next();
                value.push('"');
            }
            Some(c) => value.push(c),
        }
    }
    match chars.as_str() {
        "" => Ok((value, None)),
        rest => match rest.strip_prefix(OR) {
            Some(after) => Ok((value, Some(after))),
            None => Err("expected ` or ` or the end after the closing `\"`".to_owned()),
        },
    }
}

impl Operand {
    fn new(name: &str) -> Result<Self, String> {
        if name.is_empty() {
            return Err("expected a field, such as `host`".to_owned());
        }
        let field = Field::for_filter(name)?;
        Ok(match field.pair() {
            Some(key) => Self::Pairs {
                name: Glob::escaped(key),
                field,
            },
            None => Self::Field(field),
        })
    }

    /// Returns the test that `operator` performs with this text.
    fn test(&self, operator: &str, text: &str) -> Result<Test, String> {
        let number = |orders| {
            let number = integer(text);
            let message = || format!("expected a decimal integer after `{operator}`");
            Ok(Test::Number(orders, number.ok_or_else(message)?))
        };
        match operator {
            "<" => number(&[Less][..]),
            "<=" => number(&[Less, Equal][..]),
            ">" => number(&[Greater][..]),
            ">=" => number(&[Greater, Equal][..]),
            "~" => match Regex::new(text) {
                Ok(regex) => Ok(Test::Regex(regex)),
                Err(error) => Err(explain(&error)),
            },
            _ => {
                self.check_pattern(text)?;
                let patterns = alternatives(text).into_iter().map(|pattern| match self {
                    Self::Field(field) if field.is_in_dns_form() => Glob::new(&host(&pattern)),
                    _ => Glob::new(&pattern),
                });
                Ok(Test::Patterns(patterns.collect()))
            }
        }
    }

    /// Rejects shell wildcards, which would never match. The components never contain these
    /// characters.
    fn check_pattern(&self, text: &str) -> Result<(), String> {
        let Self::Field(field) = self else {
            return Ok(());
        };
        if text.contains('?') && field.excludes('?') {
            return Err("`?` is not a wildcard; `*` matches any text".to_owned());
        }
        if text.contains('[') && field.excludes('[') {
            return Err("`[` is not a wildcard; write `~` before an expression".to_owned());
        }
        Ok(())
    }
}

/// Returns the reason why an expression is invalid, without quoting the expression.
fn explain(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    match last.strip_prefix("error: ") {
        Some(why) => format!("the regular expression is invalid: {why}"),
        None => "the regular expression is too large".to_owned(),
    }
}

/// Splits patterns at `|`; `\|` is literal.
fn alternatives(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '|' {
            all.push(String::new());
            continue;
        }
        let Some(last) = all.last_mut() else { break };
        if c == '\\' && chars.as_str().starts_with('|') {
            chars.next();
            last.push('|');
        } else {
            last.push(c);
        }
    }
    all
}

/// Converts the non-ASCII labels of a host pattern to their DNS form (A-labels).
fn host(pattern: &str) -> String {
    let in_dns = |label: &str| {
        let text = format!("//{label}");
        let host = urikit::IriRef::parse(&text).ok()?.host()?;
        Some(host.to_ascii().ok()?.into_owned())
    };
    let labels = pattern.split('.').map(|label| {
        let name = if label.is_ascii() {
            None
        } else {
            in_dns(label)
        };
        name.unwrap_or_else(|| label.to_owned())
    });
    labels.collect::<Vec<_>>().join(".")
}

impl Glob {
    /// Parses the name of a pair, in which escapes (`%3D`) represent characters that would begin an
    /// operator.
    fn escaped(name: &str) -> Self {
        Self::new(name).map(|piece| octets(piece).map(|octet| octet.value).collect())
    }
}
