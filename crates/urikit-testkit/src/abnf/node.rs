//! What the right side of a rule is made of (RFC 5234, 3), and how it is written.

use std::fmt;

/// An element of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A string of characters: `"ab"` (in either case) or `%x61.62` (as it is).
    Literal {
        /// The characters.
        text: String,
        /// Whether a letter stands for both its cases.
        any_case: bool,
    },
    /// A value range, `%x30-39`; both ends belong to it.
    Range(u32, u32),
    /// A concatenation.
    Sequence(Vec<Node>),
    /// Alternatives; without any, what matches nothing at all.
    Choice(Vec<Node>),
    /// `[ … ]`
    Optional(Box<Node>),
    /// `min*max…`; without `max`, without end.
    Repeat {
        /// The fewest times.
        min: u32,
        /// The most times.
        max: Option<u32>,
        /// What is repeated.
        of: Box<Node>,
    },
    /// A rule's name.
    Rule(String),
    /// `<rule except "a" / "b">`: the strings of the rule without some.
    Except {
        /// The rule's name.
        rule: String,
        /// The strings that are left out.
        names: Vec<Name>,
    },
}

/// A string that an `except` leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// The string.
    pub text: String,
    /// Whether it is compared without case.
    pub any_case: bool,
}

impl Node {
    /// Calls `see` with this node and all nodes inside, from left to right, the outer one first.
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

    /// The same node with each rule's name put through `rename`.
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

    /// Writes the node, in parentheses where it would otherwise be read as part of what stands around it.
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

/// A literal that RFC 5234 can quote is quoted; one that is matched by case is written as values.
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
