//! Reads a file with those that it `@extends` and `@uses`, and checks that every name is defined
//! and that no rule is left-recursive.

use std::fmt;
use std::path::{Path, PathBuf};

use super::grammar::{Grammar, Rule};
use super::node::Node;
use super::read::{Directive, ReadRule, read};

/// What is wrong with a grammar, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrammarError {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1; 0 if the error concerns the entire file.
    pub line: usize,
    /// What is wrong.
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
    /// If a file cannot be read, is not valid ABNF, uses an undefined rule, or has a
    /// left-recursive rule.
    pub fn load(dir: &Path, name: &str) -> Result<Self, GrammarError> {
        load(name, &|name| from_dir(dir, name))
    }

    /// Reads a grammar from a string, for tests. It can neither extend nor use another.
    ///
    /// # Errors
    ///
    /// As [`Grammar::load`].
    pub fn from_text(name: &str, text: &str) -> Result<Self, GrammarError> {
        load(name, &|asked| {
            let file = PathBuf::from(asked);
            if asked == name {
                Ok((file, text.to_owned()))
            } else {
                Err(GrammarError {
                    file,
                    line: 0,
                    message: "there is no such file".to_owned(),
                })
            }
        })
    }
}

/// Returns the path and the text of a grammar: from a folder, or from a test.
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
    // Inherited rules come first, wherever the directive is, so that the file's own rules replace
    // them.
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
    /// The same error at the directive that caused it, unless it has a position already.
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

/// `@extends file` and `@uses file rule as prefix`.
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

/// Adds a rule of the file itself. It may replace an inherited rule, but not another one of the
/// file.
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
        (None, true) => return error(format!("{} =/ adds to no rule", rule.name)),
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
