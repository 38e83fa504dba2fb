//! The arguments of `uri edit`'s options: assignments, pairs and patterns.

use crate::exit::Stop;
use crate::safe::safe;
use urikit::{AnyRef, Change, UriBuilder, Value};

const COMPONENTS: [&str; 10] = [
    "scheme", "userinfo", "user", "password", "host", "port", "path", "params", "query", "fragment",
];

/// `NAME=TEXT`, `NAME:=TEXT` or `NAME?=TEXT`.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) component: &'static str,
    pub(super) text: String,
    pub(super) escaping: Escaping,
    pub(super) only_if_absent: bool,
}

/// How a text is escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Escaping {
    /// What must be escaped is; existing escapes remain.
    AsNeeded,
    /// The same, and `%` is data too.
    Raw,
    /// It is written as it is.
    Exact,
}

/// A name and value of the query, or only a name.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) value: Option<String>,
}

/// A usage error of `uri edit`.
pub(super) fn usage(message: impl Into<String>) -> Stop {
    Stop::usage("edit", message)
}

impl Pair {
    pub(super) fn new(text: &str) -> Self {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        let name = name.to_owned();
        Self { name, value }
    }
}

/// A name, or a prefix of names.
#[derive(Debug)]
pub(super) struct Pattern {
    name: Vec<u8>,
    is_prefix: bool,
}

impl Pattern {
    pub(super) fn new(text: &str) -> Self {
        let (name, is_prefix) = if let Some(name) = text.strip_suffix("\\*") {
            (format!("{name}*"), false)
        } else if let Some(name) = text.strip_suffix('*') {
            (name.to_owned(), true)
        } else {
            (text.to_owned(), false)
        };
        let name = name.into_bytes();
        Self { name, is_prefix }
    }

    pub(super) fn matches(&self, name: &[u8]) -> bool {
        if self.is_prefix {
            name.starts_with(&self.name)
        } else {
            name == self.name
        }
    }
}

impl Assignment {
    pub(super) fn new(option: &str, text: &str, raw: bool) -> Result<Self, Stop> {
        // Messages never show the text after the `=`: it may be a password.
        let Some((name, text)) = text.split_once('=') else {
            let hint = match COMPONENTS.into_iter().find(|name| *name == text) {
                Some(name) => {
                    format!("; `{name}=` removes the {name}, and `{name}:=` makes it empty")
                }
                None => String::new(),
            };
            return Err(usage(format!("`{option}`: expected COMPONENT=TEXT{hint}")));
        };
        let mut escaping = if raw {
            Escaping::Raw
        } else {
            Escaping::AsNeeded
        };
        let mut only_if_absent = false;
        let mut rest = name;
        loop {
            if let Some(name) = rest.strip_suffix(':') {
                (rest, escaping) = (name, Escaping::Exact);
            } else if let Some(name) = rest.strip_suffix('?') {
                (rest, only_if_absent) = (name, true);
            } else {
                break;
            }
        }
        let Some(component) = COMPONENTS.into_iter().find(|name| *name == rest) else {
            let name = safe(rest);
            let list = COMPONENTS.join(", ");
            return Err(usage(format!(
                "`{option}`: `{name}` is not a component; expected one of {list}"
            )));
        };
        Ok(Self {
            component,
            text: text.to_owned(),
            escaping,
            only_if_absent,
        })
    }

    /// Whether it changes this reference.
    pub(super) fn applies(&self, reference: AnyRef<'_>) -> bool {
        let is_there = match self.component {
            "scheme" => reference.scheme().is_some(),
            "userinfo" | "user" => reference.userinfo().is_some(),
            "password" => reference.password().is_some(),
            "host" => reference.host().is_some(),
            "port" => reference.port().is_some(),
            "path" => !reference.path().is_empty(),
            "params" => reference.params().is_some(),
            "query" => reference.query().is_some(),
            _ => reference.fragment().is_some(),
        };
        !(self.only_if_absent && is_there)
    }

    /// The change to the component.
    pub(super) fn change(&self) -> Change<'_> {
        let text = self.text.as_str();
        match self.escaping {
            Escaping::Exact => Value::encoded(text).into(),
            _ if text.is_empty() => Change::Remove,
            Escaping::Raw => Value::data(text).into(),
            Escaping::AsNeeded => Value::lenient(text).into(),
        }
    }

    /// The same for a path after an authority, which begins with a slash. What is set exactly
    /// remains.
    pub(super) fn rooted(&self) -> Change<'_> {
        let is_rooted = self.text.is_empty() || self.text.starts_with('/');
        if is_rooted {
            return self.change();
        }
        let path = format!("/{}", self.text);
        match self.escaping {
            Escaping::Exact => self.change(),
            Escaping::Raw => Value::data(path).into(),
            Escaping::AsNeeded => Value::lenient(path).into(),
        }
    }

    pub(super) fn set<'a>(&self, edit: UriBuilder<'a>, change: Change<'a>) -> UriBuilder<'a> {
        match self.component {
            "scheme" => edit.scheme(change),
            "userinfo" => edit.userinfo(change),
            "user" => edit.user(change),
            "password" => edit.password(change),
            "host" => edit.host(change),
            "port" => edit.port(change),
            "params" => edit.params(change),
            "query" => edit.query(change),
            "fragment" => edit.fragment(change),
            _ => match change {
                Change::Set(path) => edit.path(path),
                Change::Remove => edit.path(""),
            },
        }
    }
}
