//! The elements of a rule (RFC 5234, 3), and how they are written.

use std::fmt;

/// An element of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A string of characters: `"ab"` (in either case) or `%x61.62` (case-sensitive).
    Literal {
        /// The characters.
        text: String,
        /// True if letters match in either case.
        any_case: bool,
    },
    /// A value range, such as `%x30-39`, which includes both ends.
    Range(u32, u32),
    /// A concatenation.
    Sequence(Vec<Node>),
    /// Alternatives. A `Choice` without alternatives matches nothing.
    Choice(Vec<Node>),
    /// `[ … ]`
    Optional(Box<Node>),
    /// A repetition, `min*max…`, which is unbounded if `max` is `None`.
    Repeat {
        /// The minimum.
        min: u32,
        /// The maximum.
        max: Option<u32>,
        /// The repeated element.
        of: Box<Node>,
    },
    /// A rule's name.
    Rule(String),
    /// `<rule except "a" / "b">`: the strings of the rule, except for those listed.
    Except {
        /// The rule's name.
        rule: String,
        /// The excluded strings.
        names: Vec<Name>,
    },
}

/// A string that an `except` excludes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// The string.
    pub text: String,
    /// True if case is ignored.
    pub any_case: bool,
}

impl Node {
    /// Calls `see` with this node and then with all nodes inside it, from left to right.
    pub(crate) fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Node)) {
        see(self);
        match self {
            Node::Sequence(nodes) | Node::Choice(nodes) => {
                for node in nodes {
                    node.walk(see);
                }
            }
            Node::Optional(of) | Node::Repeat { of, .. } => of.walk(see),
            Node::Literal { .. } | Node::Range(..) | Node::Rule(_) | Node::Except { .. } => {}
        }
    }

    /// Returns a copy with `rename` applied to each rule name.
    pub(crate) fn renamed(&self, rename: &impl Fn(&str) -> String) -> Node {
        let all = |nodes: &[Node]| nodes.iter().map(|node| node.renamed(rename)).collect();
        match self {
            Node::Literal { .. } | Node::Range(..) => self.clone(),
            Node::Sequence(nodes) => Node::Sequence(all(nodes)),
            Node::Choice(nodes) => Node::Choice(all(nodes)),
            Node::Optional(of) => Node::Optional(Box::new(of.renamed(rename))),
            Node::Repeat { min, max, of } => Node::Repeat {
                min: *min,
                max: *max,
                of: Box::new(of.renamed(rename)),
            },
            Node::Rule(name) => Node::Rule(rename(name)),
            Node::Except { rule, names } => Node::Except {
                rule: rename(rule),
                names: names.clone(),
            },
        }
    }

    /// Writes the node, in parentheses if it would otherwise be parsed differently in its context.
    fn write_inside(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Choice(_) | Node::Sequence(_) => write!(f, "( {self} )"),
            _ => write!(f, "{self}"),
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Literal { text, any_case } => write_literal(f, text, *any_case),
            Node::Range(low, high) => write!(f, "%x{low:02X}-{high:02X}"),
            Node::Sequence(nodes) => {
                for (at, node) in nodes.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { " " })?;
                    node.write_inside(f)?;
                }
                Ok(())
            }
            Node::Choice(nodes) if nodes.is_empty() => f.write_str("<nothing>"),
            Node::Choice(nodes) => {
                for (at, node) in nodes.iter().enumerate() {
                    write!(f, "{}{node}", if at == 0 { "" } else { " / " })?;
                }
                Ok(())
            }
            Node::Optional(of) => write!(f, "[ {of} ]"),
            Node::Repeat { min, max, of } => {
                match (*min, *max) {
                    (min, Some(max)) if min == max => write!(f, "{min}")?,
                    (0, None) => f.write_str("*")?,
                    (0, Some(max)) => write!(f, "*{max}")?,
                    (min, None) => write!(f, "{min}*")?,
                    (min, Some(max)) => write!(f, "{min}*{max}")?,
                }
                of.write_inside(f)
            }
            Node::Rule(name) => f.write_str(name),
            Node::Except { rule, names } => {
                let by_case = names.iter().any(|name| !name.any_case);
                write!(f, "<{rule} except{}", if by_case { " by case" } else { "" })?;
                for (at, name) in names.iter().enumerate() {
                    write!(f, "{}\"{}\"", if at == 0 { " " } else { " / " }, name.text)?;
                }
                f.write_str(">")
            }
        }
    }
}

/// Writes a literal in quotes if RFC 5234 allows it, and otherwise as character values, for
/// example if it is case-sensitive.
fn write_literal(f: &mut fmt::Formatter<'_>, text: &str, any_case: bool) -> fmt::Result {
    let quotable = text.chars().all(|c| matches!(c, ' '..='~') && c != '"');
    let caseless = any_case || !text.contains(|c: char| c.is_ascii_alphabetic());
    if quotable && caseless {
        return write!(f, "\"{text}\"");
    }
    f.write_str("%x")?;
    for (at, c) in text.chars().enumerate() {
        write!(f, "{}{:02X}", if at == 0 { "" } else { "." }, u32::from(c))?;
    }
    Ok(())
}
