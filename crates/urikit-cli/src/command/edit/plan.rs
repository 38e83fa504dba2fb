//! The edits that `uri edit` applies to each input, parsed from the options.

use super::Arguments;
use crate::exit::Stop;
use crate::safe::safe;
use crate::suggest::did_you_mean;
use urikit::component::Pair as QueryPair;
use urikit::op::default_port;
use urikit::{AnyRef, Change, Standard, UriBuilder, Value};
use urikit_report::Reader;

/// The edits to apply to each input.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a separate flag
pub(super) struct Plan {
    set: Vec<Assignment>,
    iterate: Vec<Vec<Assignment>>,
    segments: Vec<String>,
    trim: Vec<Pattern>,
    /// The only pairs to keep, unless the list is empty.
    keep: Vec<Pattern>,
    replace: Vec<Replacement>,
    /// True if each result has only one replaced pair.
    each_parameter: bool,
    pairs: Vec<Pair>,
    sort: bool,
    /// The character between the query's pairs.
    pub(super) separator: char,
    /// True if the pairs are HTML form data.
    form: bool,
    keep_port: bool,
    default_port: bool,
    raw: bool,
}

impl Plan {
    pub(super) fn new(arguments: &Arguments) -> Result<Self, Stop> {
        let raw = arguments.raw;
        let mut plan = Self {
            set: Vec::new(),
            iterate: Vec::new(),
            segments: Vec::new(),
            trim: arguments
                .qtrim
                .iter()
                .map(|text| Pattern::new(text))
                .collect(),
            keep: arguments
                .keep
                .iter()
                .map(|text| Pattern::new(text))
                .collect(),
            replace: Vec::new(),
            each_parameter: arguments.each_parameter,
            pairs: Vec::new(),
            sort: arguments.sort_query,
            separator: arguments.separator.char,
            form: arguments.form,
            keep_port: arguments.keep_port,
            default_port: arguments.default_port,
            raw,
        };
        if arguments.strip_tracking {
            plan.trim
                .extend(urikit_keys::tracking_parameters().map(Pattern::new));
        }
        for text in &arguments.set {
            plan.set.push(Assignment::new("--set", text, raw)?);
        }
        for text in &arguments.iterate {
            let words = Assignment::new("--iterate", text, raw)?;
            let word = |text: &str| Assignment {
                text: text.to_owned(),
                ..words.clone()
            };
            let words: Vec<_> = words
                .text
                .split(' ')
                .filter(|text| !text.is_empty())
                .map(word)
                .collect();
            if words.is_empty() {
                return Err(usage("`--iterate`: expected words after the `=`"));
            }
            plan.iterate.push(words);
        }
        for text in &arguments.append {
            match text.split_once('=') {
                Some(("path", name)) => plan.segments.push(name.to_owned()),
                Some(("query", pair)) => plan.pairs.push(Pair::new(pair)),
                _ => {
                    return Err(usage("`--append`: expected `path=NAME` or `query=PAIR`"));
                }
            }
        }
        for text in &arguments.trim {
            match text.split_once('=') {
                Some(("query", name)) => plan.trim.push(Pattern::new(name)),
                _ => return Err(usage("`--trim`: expected `query=NAME`")),
            }
        }
        let replace = arguments.replace.iter().map(|text| Replacement {
            pair: Pair::new(text),
            appends: false,
        });
        let append = arguments.replace_append.iter().map(|text| Replacement {
            pair: Pair::new(text),
            appends: true,
        });
        plan.replace = replace.chain(append).collect();
        plan.check_hosts()?;
        plan.check_params(arguments.common.standard)?;
        plan.check_duplicates()?;
        if plan.is_empty() {
            return Err(usage(
                "give at least one edit, such as `-s host=example.org`",
            ));
        }
        Ok(plan)
    }

    /// Returns true if the options specify no edit.
    const fn is_empty(&self) -> bool {
        self.set.is_empty()
            && self.iterate.is_empty()
            && self.segments.is_empty()
            && self.trim.is_empty()
            && self.keep.is_empty()
            && self.replace.is_empty()
            && self.pairs.is_empty()
            && !self.sort
            && !self.default_port
    }

    /// Rejects a host with a port.
    fn check_hosts(&self) -> Result<(), Stop> {
        let mut all = self.set.iter().chain(self.iterate.iter().flatten());
        match all.find_map(Assignment::host_and_port) {
            Some(text) => Err(usage(format!(
                "a host does not include a port; use `-s authority={}`",
                safe(text)
            ))),
            None => Ok(()),
        }
    }

    /// Rejects params under all standards except RFC 1808, which defines them.
    fn check_params(&self, reader: Reader) -> Result<(), Stop> {
        let firsts = self.iterate.iter().filter_map(|words| words.first());
        let mut all = self.set.iter().chain(firsts);
        if reader != Reader::Rfc(Standard::Rfc1808) && all.any(|one| one.component == "params") {
            let document = reader.document();
            return Err(usage(format!(
                "{document} has no params; use --standard rfc1808"
            )));
        }
        Ok(())
    }

    /// Rejects a component that is set twice, directly or as part of the userinfo or authority.
    fn check_duplicates(&self) -> Result<(), Stop> {
        /// Returns true if setting `one` also sets `other`.
        fn contains(one: &str, other: &str) -> bool {
            one == other
                || match one {
                    "userinfo" => matches!(other, "user" | "password"),
                    "authority" => {
                        matches!(other, "userinfo" | "user" | "password" | "host" | "port")
                    }
                    _ => false,
                }
        }
        let firsts = self.iterate.iter().filter_map(|words| words.first());
        let mut seen: Vec<&str> = Vec::new();
        for assignment in self.set.iter().chain(firsts) {
            let component = assignment.component;
            let overlaps = |other: &&str| contains(component, other) || contains(other, component);
            if seen.iter().any(overlaps) {
                return Err(usage(format!("the {component} is set twice")));
            }
            seen.push(component);
        }
        Ok(())
    }

    /// Returns each combination of words from all `--iterate` options. The last option varies
    /// fastest.
    pub(super) fn combinations(&self) -> Vec<Vec<&Assignment>> {
        let mut all = vec![Vec::new()];
        for words in &self.iterate {
            all = all
                .into_iter()
                .flat_map(|chosen: Vec<&Assignment>| {
                    words.iter().map(move |word| {
                        let mut chosen = chosen.clone();
                        chosen.push(word);
                        chosen
                    })
                })
                .collect();
        }
        all
    }

    /// Builds the edit of one input with these words from the `--iterate` options. `only` selects a
    /// single pair to replace.
    pub(super) fn apply<'a>(
        &'a self,
        reference: AnyRef<'a>,
        words: &[&'a Assignment],
        only: Option<&mut OnePair>,
    ) -> UriBuilder<'a> {
        let assignments = || {
            let all = self.set.iter().chain(words.iter().copied());
            all.filter(|assignment| assignment.applies(reference))
        };
        let scheme = assignments()
            .find(|assignment| assignment.component == "scheme")
            .map(|assignment| assignment.text.as_str())
            .or(reference.scheme());
        let default = scheme.and_then(default_port);
        let mut edit = reference.to_builder().separator(self.separator);
        if self.form {
            edit = edit.form();
        }
        let mut has_port = reference.port().is_some();
        let mut has_host = reference
            .host()
            .is_some_and(|host| !host.as_str().is_empty());
        let mut has_authority = reference.authority().is_some();
        for assignment in assignments() {
            match assignment.component {
                "host" => {
                    has_host = !assignment.text.is_empty();
                    has_authority = !matches!(assignment.change(), Change::Remove);
                }
                "authority" => {
                    let parts = assignment.authority();
                    has_host = parts.is_some_and(|parts| !parts.host.is_empty());
                    has_authority = parts.is_some();
                    has_port = false;
                }
                _ => {}
            }
        }
        for assignment in assignments() {
            // A port is never escaped, but the default port is omitted.
            let port = |text: &'a str| {
                let is_default = default.is_some_and(|port| is_number(text, port));
                let is_exact = assignment.escaping == Escaping::Exact;
                if is_default && !is_exact && !self.keep_port {
                    Change::Remove
                } else {
                    assignment.change_to(text)
                }
            };
            edit = match assignment.component {
                "authority" => match assignment.authority() {
                    Some(parts) => {
                        let set = |text: Option<&'a str>| {
                            text.map_or(Change::Remove, |text| assignment.set_to(text))
                        };
                        let port = parts.port.map_or(Change::Remove, port);
                        has_port = !matches!(port, Change::Remove);
                        edit.host(assignment.set_to(parts.host))
                            .userinfo(set(parts.userinfo))
                            .port(port)
                    }
                    None => edit.remove_authority(),
                },
                "port" => {
                    let port = port(&assignment.text);
                    has_port = !matches!(port, Change::Remove);
                    edit.port(port)
                }
                "path" if has_authority => assignment.set(edit, assignment.rooted()),
                _ => assignment.set(edit, assignment.change()),
            };
        }
        if let (true, false, true, Some(default)) = (self.default_port, has_port, has_host, default)
        {
            edit = edit.port(default);
        }
        self.lists(edit, only)
    }

    /// Returns true if each result has only one replaced pair.
    pub(super) const fn is_per_pair(&self) -> bool {
        self.each_parameter
    }

    /// Adds the edits that change segments and pairs.
    fn lists<'a>(&'a self, mut edit: UriBuilder<'a>, only: Option<&mut OnePair>) -> UriBuilder<'a> {
        for segment in &self.segments {
            edit = edit.push_segment(self.value(segment));
        }
        if !self.trim.is_empty() || !self.keep.is_empty() {
            edit = edit.query_retain(|pair| {
                let name = self.decoded_name(pair);
                let matches =
                    |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(&name));
                !matches(&self.trim) && (self.keep.is_empty() || matches(&self.keep))
            });
        }
        if let Some(only) = only {
            if let Some(Replacement { pair, .. }) = self.replace.get(only.replacement) {
                let pattern = Pattern::new(&pair.name);
                let (_, value) = self.pair(pair);
                let is_meant = |pair: QueryPair<'_>| {
                    pattern.matches(&self.decoded_name(pair)) && only.is_next()
                };
                edit = edit.query_replace_if(is_meant, value);
            }
        } else {
            for Replacement { pair, appends } in &self.replace {
                let (name, value) = self.pair(pair);
                edit = if *appends {
                    edit.query_set(name, value)
                } else {
                    edit.query_replace(name, value)
                };
            }
        }
        for pair in &self.pairs {
            let (name, value) = self.pair(pair);
            edit = edit.query_append(name, value);
        }
        if self.sort { edit.sort_query() } else { edit }
    }

    /// Returns the decoded octets of a pair's name.
    fn decoded_name(&self, pair: QueryPair<'_>) -> Vec<u8> {
        let decoded = pair.name().decode();
        let decoded = if self.form { decoded.form() } else { decoded };
        decoded.octets().collect()
    }

    fn value<'a>(&self, text: &'a str) -> Value<'a> {
        if self.raw {
            Value::data(text)
        } else {
            Value::lenient(text)
        }
    }

    fn pair<'a>(&self, pair: &'a Pair) -> (Value<'a>, Change<'a>) {
        let value = match &pair.value {
            Some(value) if pair.is_exact => Value::encoded(value.as_str()).into(),
            Some(value) => Change::Set(self.value(value)),
            None => Change::Remove,
        };
        (self.value(&pair.name), value)
    }
}

/// The pair to replace in one result of `--each-parameter`.
#[derive(Default)]
pub(super) struct OnePair {
    /// The index of the `--replace` option.
    replacement: usize,
    /// The number of matching pairs before the one to replace.
    before: usize,
    /// The number of matching pairs so far.
    seen: usize,
}

impl OnePair {
    /// Counts a matching pair. Returns true if this pair is the one to replace.
    fn is_next(&mut self) -> bool {
        let is_it = self.seen == self.before;
        self.seen += 1;
        is_it
    }

    /// Returns the number of matching pairs for the last edit.
    pub(super) const fn seen(&self) -> usize {
        self.seen
    }

    /// Moves to the next pair, or to the first pair of the next option. Returns false after the
    /// last option of `plan`.
    pub(super) fn advance(&mut self, plan: &Plan) -> bool {
        if self.before + 1 < self.seen {
            self.before += 1;
        } else {
            self.replacement += 1;
            self.before = 0;
        }
        self.seen = 0;
        self.replacement < plan.replace.len()
    }
}

/// Returns true if `digits` represent this number, with or without leading zeros.
fn is_number(digits: &str, number: u16) -> bool {
    // Without this check, `parse` would accept a plus sign.
    digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.parse() == Ok(number)
}

const COMPONENTS: [&str; 11] = [
    "scheme",
    "authority",
    "userinfo",
    "user",
    "password",
    "host",
    "port",
    "path",
    "params",
    "query",
    "fragment",
];

/// The parts of an authority, as written in an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct AuthorityParts<'a> {
    userinfo: Option<&'a str>,
    host: &'a str,
    port: Option<&'a str>,
}

/// `NAME=TEXT`, `NAME:=TEXT` or `NAME?=TEXT`.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) component: &'static str,
    pub(super) text: String,
    pub(super) escaping: Escaping,
    pub(super) only_if_absent: bool,
}

/// The rule for escaping the text of an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Escaping {
    /// Escapes characters where necessary, and keeps existing escapes.
    AsNeeded,
    /// Escapes characters where necessary, including `%`.
    Raw,
    /// Writes the text unchanged.
    Exact,
}

/// A name and value in the query, or only a name.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) value: Option<String>,
    /// True if the value is written unchanged.
    is_exact: bool,
}

/// A usage error for `uri edit`.
pub(super) fn usage(message: impl Into<String>) -> Stop {
    Stop::usage("edit", message)
}

impl Pair {
    /// Parses `NAME`, `NAME=VALUE` or `NAME:=VALUE`.
    pub(super) fn new(text: &str) -> Self {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        let exact = name.strip_suffix(':').filter(|_| value.is_some());
        Self {
            name: exact.unwrap_or(name).to_owned(),
            value,
            is_exact: exact.is_some(),
        }
    }
}

/// A pair that replaces all pairs with the same name.
#[derive(Debug)]
struct Replacement {
    pair: Pair,
    /// True if the pair is appended when the query has no pair with this name.
    appends: bool,
}

/// A pattern for names: a name, or a prefix.
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
        // The text after the `=` may be a password, so messages never show it.
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
            let near = did_you_mean(rest, COMPONENTS);
            return Err(usage(format!(
                "`{option}`: no component \"{name}\"{near} (see uri edit --help)"
            )));
        };
        Ok(Self {
            component,
            text: text.to_owned(),
            escaping,
            only_if_absent,
        })
    }

    /// Returns true if the assignment changes this reference.
    pub(super) fn applies(&self, reference: AnyRef<'_>) -> bool {
        let is_there = match self.component {
            "scheme" => reference.scheme().is_some(),
            "authority" => reference.authority().is_some(),
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

    /// Returns the change to the component.
    pub(super) fn change(&self) -> Change<'_> {
        self.change_to(&self.text)
    }

    /// Returns the change that sets a component to this text. Empty text removes the component,
    /// unless the assignment is exact (`:=`).
    fn change_to<'a>(&self, text: &'a str) -> Change<'a> {
        if text.is_empty() && self.escaping != Escaping::Exact {
            Change::Remove
        } else {
            self.set_to(text)
        }
    }

    /// Returns the change that sets a component to this text, which may be empty.
    fn set_to<'a>(&self, text: &'a str) -> Change<'a> {
        match self.escaping {
            Escaping::Exact => Value::encoded(text).into(),
            Escaping::Raw => Value::data(text).into(),
            Escaping::AsNeeded => Value::lenient(text).into(),
        }
    }

    /// Returns the parts of an authority; `None` if the text removes the authority.
    fn authority(&self) -> Option<AuthorityParts<'_>> {
        if matches!(self.change(), Change::Remove) {
            return None;
        }
        let (userinfo, rest) = match self.text.rsplit_once('@') {
            Some((userinfo, rest)) => (Some(userinfo), rest),
            None => (None, self.text.as_str()),
        };
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (rest, None),
        };
        Some(AuthorityParts {
            userinfo,
            host,
            port,
        })
    }

    /// Returns the host and the port if the text for a host also contains a port.
    pub(super) fn host_and_port(&self) -> Option<&str> {
        let (host, port) = self.text.rsplit_once(':')?;
        let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let is_host = !host.is_empty() && !host.contains([':', '@', '/', '?', '#']);
        let is_meant = self.component == "host" && is_port && (is_host || host.ends_with(']'));
        is_meant.then_some(&self.text)
    }

    /// Returns the change to a path after an authority, with a leading slash added. A path that is
    /// set exactly, with `:=`, is not modified.
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
