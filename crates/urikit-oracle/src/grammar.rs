//! The rules of a grammar, and functions that analyse them.
//!
//! Loading a grammar reads its file and the files that it `@extends` or `@uses`, and checks that
//! every name is defined and that no rule is left-recursive.

use super::node::Node;
use super::read::{Directive, ReadRule, read};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// A rule: its name and its definition.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The rule's name, as spelled in its definition.
    pub name: String,
    /// The right side.
    pub body: Node,
    /// The section that defines the rule, such as `RFC 2396, 3.3`.
    pub section: Option<String>,
    /// The right side as written, without comments and with single spaces between lines.
    pub text: String,
    /// The file that defines the rule.
    pub file: PathBuf,
    /// The line number in that file, counting from 1.
    pub line: usize,
}

/// The rules of one file, and of the files that it extends or uses. Names are case-insensitive (RFC
/// 5234, 2.1).
#[derive(Debug, Clone)]
pub struct Grammar {
    name: String,
    pub(crate) rules: Vec<Rule>,
    places: HashMap<String, usize>,
    pub(crate) start: String,
    pub(crate) generic: Option<String>,
}

impl Grammar {
    pub(crate) fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            rules: Vec::new(),
            places: HashMap::new(),
            start: String::new(),
            generic: None,
        }
    }

    /// Adds a rule, or replaces the rule with the same name.
    pub(crate) fn put(&mut self, rule: Rule) {
        if let Some(at) = self.position(&rule.name) {
            self.rules[at] = rule;
        } else {
            self.places
                .insert(rule.name.to_ascii_lowercase(), self.rules.len());
            self.rules.push(rule);
        }
    }

    pub(crate) fn position(&self, rule: &str) -> Option<usize> {
        self.places.get(&rule.to_ascii_lowercase()).copied()
    }

    /// The file's name without its extension.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rule for a reference, including its fragment (`@start`).
    #[must_use]
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The generic production, including the fragment (`@generic`), if the standard also has scheme
    /// productions.
    #[must_use]
    pub fn generic(&self) -> Option<&str> {
        self.generic.as_deref()
    }

    /// All rules, in the order of the files, inherited ones first.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the rule with this name.
    #[must_use]
    pub fn rule(&self, rule: &str) -> Option<&Rule> {
        self.position(rule).and_then(|at| self.rules.get(at))
    }

    /// Returns the section that defines a rule, such as `RFC 2396, 3.3`.
    #[must_use]
    pub fn section(&self, rule: &str) -> Option<&str> {
        self.rule(rule)?.section.as_deref()
    }

    /// Returns the rules that `start` needs, beginning with `start` itself.
    #[must_use]
    pub fn reachable(&self, start: &str) -> Vec<&str> {
        let mut found: Vec<&Rule> = self.rule(start).into_iter().collect();
        let mut at = 0;
        while let Some(rule) = found.get(at).copied() {
            rule.body.walk(&mut |node| {
                if let Node::Rule(name) | Node::Except { rule: name, .. } = node
                    && let Some(next) = self.rule(name)
                    && !found.iter().any(|rule| std::ptr::eq(*rule, next))
                {
                    found.push(next);
                }
            });
            at += 1;
        }
        found.into_iter().map(|rule| rule.name.as_str()).collect()
    }

    /// Returns the rules that do not match any string. A correct grammar has no rules that match
    /// nothing.
    #[must_use]
    pub fn unproductive(&self) -> Vec<&str> {
        let productive = self.productive();
        self.rules
            .iter()
            .zip(productive)
            .filter(|(_, good)| !good)
            .map(|(rule, _)| rule.name.as_str())
            .collect()
    }

    /// Returns, for each rule, whether it matches some string.
    pub(crate) fn productive(&self) -> Vec<bool> {
        self.fixpoint(|node, known| self.node_is_productive(node, known))
    }

    /// Returns, for each rule, whether it matches the empty string.
    fn nullable(&self) -> Vec<bool> {
        self.fixpoint(|node, known| self.node_is_nullable(node, known))
    }

    /// Returns the smallest set of rules that is closed under `holds`. Given the rules already in
    /// the set, `holds` decides whether another rule also belongs to the set.
    fn fixpoint(&self, holds: impl Fn(&Node, &[bool]) -> bool) -> Vec<bool> {
        let mut known = vec![false; self.rules.len()];
        loop {
            let next: Vec<bool> = self
                .rules
                .iter()
                .map(|rule| holds(&rule.body, &known))
                .collect();
            if next == known {
                return known;
            }
            known = next;
        }
    }

    fn is_known(&self, rule: &str, known: &[bool]) -> bool {
        self.position(rule).is_some_and(|at| known[at])
    }

    /// Returns true if a node matches some string. A `<rule except …>` is assumed not to exclude
    /// all strings of the rule.
    pub(crate) fn node_is_productive(&self, node: &Node, known: &[bool]) -> bool {
        match node {
            Node::Literal { .. } | Node::Range(..) | Node::Optional(_) => true,
            Node::Sequence(nodes) => nodes
                .iter()
                .all(|node| self.node_is_productive(node, known)),
            Node::Choice(nodes) => nodes
                .iter()
                .any(|node| self.node_is_productive(node, known)),
            Node::Repeat { min, of, .. } => *min == 0 || self.node_is_productive(of, known),
            Node::Rule(rule) | Node::Except { rule, .. } => self.is_known(rule, known),
        }
    }

    fn node_is_nullable(&self, node: &Node, known: &[bool]) -> bool {
        match node {
            Node::Literal { text, .. } => text.is_empty(),
            Node::Range(..) => false,
            Node::Optional(_) => true,
            Node::Sequence(nodes) => nodes.iter().all(|node| self.node_is_nullable(node, known)),
            Node::Choice(nodes) => nodes.iter().any(|node| self.node_is_nullable(node, known)),
            Node::Repeat { min, of, .. } => *min == 0 || self.node_is_nullable(of, known),
            Node::Rule(rule) | Node::Except { rule, .. } => self.is_known(rule, known),
        }
    }

    /// Returns true if a rule is left-recursive, which the recogniser cannot handle.
    pub(crate) fn is_left_recursive(&self, rule: &str) -> bool {
        let nullable = self.nullable();
        let mut seen = HashSet::new();
        let mut open = Vec::new();
        let begin = |name: &str, open: &mut Vec<usize>| {
            if let Some(rule) = self.rule(name) {
                self.left_corners(&rule.body, &nullable, open);
            }
        };
        begin(rule, &mut open);
        while let Some(at) = open.pop() {
            if Some(at) == self.position(rule) {
                return true;
            }
            if seen.insert(at) {
                begin(&self.rules[at].name, &mut open);
            }
        }
        false
    }

    /// Finds the rules that a node can begin with.
    fn left_corners(&self, node: &Node, nullable: &[bool], found: &mut Vec<usize>) {
        match node {
            Node::Literal { .. } | Node::Range(..) => {}
            Node::Sequence(nodes) => {
                for node in nodes {
                    self.left_corners(node, nullable, found);
                    if !self.node_is_nullable(node, nullable) {
                        break;
                    }
                }
            }
            Node::Choice(nodes) => nodes
                .iter()
                .for_each(|node| self.left_corners(node, nullable, found)),
            Node::Optional(of) | Node::Repeat { of, .. } => self.left_corners(of, nullable, found),
            Node::Rule(name) | Node::Except { rule: name, .. } => found.extend(self.position(name)),
        }
    }
}

/// An error in a grammar, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrammarError {
    /// The file.
    pub file: PathBuf,
    /// The line, counting from 1; 0 if the error concerns the entire file.
    pub line: usize,
    /// A description of the error.
    pub message: String,
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.message)
    }
}

impl std::error::Error for GrammarError {}

impl Grammar {
    /// Reads `dir/name.abnf` with all files that it extends and uses.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, is not valid ABNF, uses an undefined rule, or has a
    /// left-recursive rule.
    pub fn load(dir: &Path, name: &str) -> Result<Self, GrammarError> {
        load(name, &|name| from_dir(dir, name))
    }

    /// Reads a grammar from a string, for tests. A grammar from a string can neither extend nor use
    /// another grammar.
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`Grammar::load`].
    pub fn from_text(name: &str, text: &str) -> Result<Self, GrammarError> {
        load(name, &|asked| {
            let file = PathBuf::from(asked);
            if asked == name {
                Ok((file, text.to_owned()))
            } else {
                Err(GrammarError {
                    file,
                    line: 0,
                    message: "the file does not exist".to_owned(),
                })
            }
        })
    }
}

/// Returns the path and the text of a grammar, which comes from a folder or from a test.
type Texts<'a> = &'a dyn Fn(&str) -> Result<(PathBuf, String), GrammarError>;

/// Reads `dir/name.abnf`.
fn from_dir(dir: &Path, name: &str) -> Result<(PathBuf, String), GrammarError> {
    let file = dir.join(name).with_extension("abnf");
    match std::fs::read_to_string(&file) {
        Ok(text) => Ok((file, text)),
        Err(error) => Err(GrammarError {
            file,
            line: 0,
            message: error.to_string(),
        }),
    }
}

/// Loads a grammar and checks it.
fn load(name: &str, texts: Texts<'_>) -> Result<Grammar, GrammarError> {
    let grammar = assemble(name, texts)?;
    check(&grammar)?;
    Ok(grammar)
}

fn assemble(name: &str, texts: Texts<'_>) -> Result<Grammar, GrammarError> {
    let (file, text) = texts(name)?;
    let at = |line, message| GrammarError {
        file: file.clone(),
        line,
        message,
    };
    let (rules, directives) = read(&text).map_err(|error| at(error.line, error.message))?;
    let mut grammar = Grammar::empty(name);
    // Inherited rules are added first, regardless of where the directive is, so the file's own
    // rules can replace them.
    for directive in &directives {
        inherit(&mut grammar, directive, texts).map_err(|error| error.at(directive.line, &file))?;
    }
    let inherited = grammar.rules.len();
    for rule in rules {
        define(&mut grammar, rule, inherited, &file)?;
    }
    for Directive { word, rest, line } in &directives {
        match (word.as_str(), rest.as_slice()) {
            ("start", [rule]) => grammar.start.clone_from(rule),
            ("generic", [rule]) => grammar.generic = Some(rule.clone()),
            ("extends", [_]) | ("uses", [_, _, _, _]) => {}
            _ => {
                return Err(at(
                    *line,
                    format!("unknown directive @{word} {}", rest.join(" ")),
                ));
            }
        }
    }
    if grammar.start.is_empty() {
        return Err(at(0, "no @start".to_owned()));
    }
    for start in std::iter::once(&grammar.start).chain(&grammar.generic) {
        if grammar.rule(start).is_none() {
            return Err(at(0, format!("the start rule {start} is not defined")));
        }
    }
    Ok(grammar)
}

impl GrammarError {
    /// Sets the position of the error to that of the directive that caused it, unless the error
    /// already has a position.
    fn at(self, line: usize, file: &Path) -> Self {
        if self.line == 0 && self.file.as_os_str().is_empty() {
            Self {
                file: file.to_owned(),
                line,
                ..self
            }
        } else {
            self
        }
    }
}

/// Applies the directive `@extends file` or `@uses file rule as prefix`.
fn inherit(
    grammar: &mut Grammar,
    directive: &Directive,
    texts: Texts<'_>,
) -> Result<(), GrammarError> {
    let words: Vec<&str> = directive.rest.iter().map(String::as_str).collect();
    match (directive.word.as_str(), words.as_slice()) {
        ("extends", [base]) => {
            let base = assemble(base, texts)?;
            grammar.start = base.start;
            grammar.generic = base.generic;
            for rule in base.rules {
                grammar.put(rule);
            }
        }
        ("uses", [base, rule, "as", prefix]) => {
            let base = assemble(base, texts)?;
            if base.rule(rule).is_none() {
                let message = format!("{} has no rule {rule}", base.name());
                return Err(GrammarError {
                    file: PathBuf::new(),
                    line: 0,
                    message,
                });
            }
            for name in base.reachable(rule) {
                if let Some(rule) = base.rule(name) {
                    let body = rule.body.renamed(&|name| format!("{prefix}{name}"));
                    grammar.put(Rule {
                        name: format!("{prefix}{}", rule.name),
                        body,
                        ..rule.clone()
                    });
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Adds a rule that the file itself defines. The rule may replace an inherited rule, but not a rule
/// of the same file.
fn define(
    grammar: &mut Grammar,
    read: ReadRule,
    inherited: usize,
    file: &Path,
) -> Result<(), GrammarError> {
    let ReadRule {
        name,
        adds,
        body,
        section,
        text,
        line,
    } = read;
    let error = |message| {
        Err(GrammarError {
            file: file.to_owned(),
            line,
            message,
        })
    };
    let old = grammar.position(&name).map(|at| (at, &grammar.rules[at]));
    let own = old.is_some_and(|(at, rule)| at >= inherited || (rule.file == file));
    let rule = Rule {
        name,
        body,
        section,
        text,
        file: file.to_owned(),
        line,
    };
    match (old, adds) {
        (None, true) => return error(format!("{} =/ extends no existing rule", rule.name)),
        (Some(_), false) if own => return error(format!("{} is defined twice", rule.name)),
        (Some((_, old)), true) => {
            let body = match (old.body.clone(), rule.body) {
                (Node::Choice(mut nodes), new) => {
                    nodes.push(new);
                    Node::Choice(nodes)
                }
                (old, new) => Node::Choice(vec![old, new]),
            };
            let text = format!("{} / {}", old.text, rule.text);
            let added = Rule {
                body,
                text,
                ..old.clone()
            };
            grammar.put(added);
        }
        (_, false) => grammar.put(rule),
    }
    Ok(())
}

/// Checks that every name is defined, and that no rule is left-recursive.
fn check(grammar: &Grammar) -> Result<(), GrammarError> {
    for rule in &grammar.rules {
        let mut missing = None;
        rule.body.walk(&mut |node| {
            if let Node::Rule(name) | Node::Except { rule: name, .. } = node
                && grammar.rule(name).is_none()
            {
                missing = Some(name.clone());
            }
        });
        let error = match missing {
            Some(name) => Some(format!("{} uses {name}, which is not defined", rule.name)),
            None if grammar.is_left_recursive(&rule.name) => {
                Some(format!("{} is left-recursive", rule.name))
            }
            None => None,
        };
        if let Some(message) = error {
            return Err(GrammarError {
                file: rule.file.clone(),
                line: rule.line,
                message,
            });
        }
    }
    Ok(())
}
