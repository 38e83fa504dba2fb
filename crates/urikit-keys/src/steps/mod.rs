//! Canonicalizes references in named steps.
//!
//! According to the standards, each step may change what a reference identifies, so none is applied
//! by default.

use crate::unwrap::unwrap_redirect;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::LazyLock;
use urikit::octet::octets;
use urikit::{AnyRef, UnknownName, names_of_all, parse};

/// A canonicalization step, which removes or sorts a part that most sites ignore.
///
/// Steps do not normalize a reference. Call [`normalize`](urikit::AnyRef::normalize) first if you
/// need the normal form, which always identifies the same resource.
///
/// The sources are `canonicalize_url` of w3lib, which Scrapy uses
/// (<https://w3lib.readthedocs.io/>), and the canonicalization of Google's Safe Browsing
/// (<https://developers.google.com/safe-browsing/v4/urls-hashing>).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Replaces the URL of a redirector or an archive with its target (see [`unwrap_redirect`]).
    /// The other steps apply to the target.
    Unwrap,
    /// Removes dots at both ends of the host, and replaces runs of dots with one dot (Safe
    /// Browsing).
    TrimHostDots,
    /// Removes the `www` label at the beginning of the host if at least two labels follow it.
    StripWww,
    /// Removes the userinfo (Safe Browsing).
    DropUserinfo,
    /// Replaces runs of slashes in the path with one slash (Safe Browsing).
    CollapseSlashes,
    /// Removes the slash at the end of a path, unless the path is just `/`.
    DropTrailingSlash,
    /// Removes session identifiers, which [`session_parameters`] lists, from the query and from
    /// path segments (`;jsessionid=…`).
    StripSessionIds,
    /// Removes the query parameters that [`tracking_parameters`] lists, whose only purpose is to
    /// track people.
    StripTracking,
    /// Removes query parameters without a value or with an empty value (w3lib with
    /// `keep_blank_values=False`).
    DropBlankValues,
    /// Sorts the query parameters by name, then by value, as written (w3lib decodes them first).
    /// Some sites depend on the original order.
    SortQuery,
    /// Removes a `?` with nothing after it (w3lib).
    DropEmptyQuery,
    /// Removes the fragment (w3lib with `keep_fragments=False`; Safe Browsing).
    DropFragment,
}

impl Step {
    /// All steps in the order in which they are applied.
    pub const ALL: [Self; 12] = [
        Self::Unwrap,
        Self::TrimHostDots,
        Self::StripWww,
        Self::DropUserinfo,
        Self::CollapseSlashes,
        Self::DropTrailingSlash,
        Self::StripSessionIds,
        Self::StripTracking,
        Self::DropBlankValues,
        Self::SortQuery,
        Self::DropEmptyQuery,
        Self::DropFragment,
    ];

    /// Returns the name, such as `sort-query`, which [`FromStr`] parses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unwrap => "unwrap",
            Self::TrimHostDots => "trim-host-dots",
            Self::StripWww => "strip-www",
            Self::DropUserinfo => "drop-userinfo",
            Self::CollapseSlashes => "collapse-slashes",
            Self::DropTrailingSlash => "drop-trailing-slash",
            Self::StripSessionIds => "strip-session-ids",
            Self::StripTracking => "strip-tracking",
            Self::DropBlankValues => "drop-blank-values",
            Self::SortQuery => "sort-query",
            Self::DropEmptyQuery => "drop-empty-query",
            Self::DropFragment => "drop-fragment",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Step {
    type Err = UnknownName;

    /// Parses a [`name`](Self::name), ignoring case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        const NAMES: &[&str] = &names_of_all!(Step, name);
        let is_it = |step: &Self| step.name().eq_ignore_ascii_case(text);
        let error = UnknownName::new("step", NAMES);
        Self::ALL.into_iter().find(is_it).ok_or(error)
    }
}

/// A set of steps, empty by default. Steps are always applied in the order of [`Step::ALL`].
///
/// ```
/// use urikit_keys::{Step, Steps};
/// let steps: Steps = "drop-fragment,sort-query".parse()?;
/// assert_eq!(steps, Steps::NONE.with(Step::SortQuery).with(Step::DropFragment));
/// assert!(Steps::default().is_empty());
/// # Ok::<(), urikit::UnknownName>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Steps(u16);

impl Steps {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Adds a step.
    #[must_use]
    pub const fn with(self, step: Step) -> Self {
        Self(self.0 | 1 << step as u16)
    }

    /// Returns whether the set contains a step.
    pub const fn contains(self, step: Step) -> bool {
        self.0 & 1 << step as u16 != 0
    }

    /// Removes a step.
    #[must_use]
    pub const fn without(self, step: Step) -> Self {
        Self(self.0 & !(1 << step as u16))
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Step> for Steps {
    fn from_iter<T: IntoIterator<Item = Step>>(steps: T) -> Self {
        steps.into_iter().fold(Self::NONE, Self::with)
    }
}

impl FromStr for Steps {
    type Err = UnknownName;

    /// Parses names separated by commas. An empty string yields the empty set.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let names = (!text.is_empty()).then(|| text.split(','));
        names.into_iter().flatten().map(str::parse).collect()
    }
}

/// Applies steps to references, and reuses memory between calls.
///
/// ```
/// use urikit::Standard;
/// use urikit_keys::{Canonicalizer, Step, Steps};
/// let steps = Steps::NONE.with(Step::StripTracking).with(Step::SortQuery);
/// let url = Standard::Rfc3986.parse("https://a/x?z=1&utm_source=mail&b")?;
/// let mut out = String::new();
/// Canonicalizer::new(steps).write(url, &mut out);
/// assert_eq!(out, "https://a/x?b&z=1");
/// # Ok::<(), urikit::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Canonicalizer {
    steps: Steps,
    /// The ranges of the query pairs to keep.
    pairs: Vec<(usize, usize)>,
}

/// The components of a reference, as written.
struct Components<'a> {
    scheme: Option<&'a str>,
    authority: Option<Authority<'a>>,
    path: &'a str,
    params: Option<&'a str>,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

struct Authority<'a> {
    userinfo: Option<&'a str>,
    host: &'a str,
    port: Option<&'a str>,
}

impl<'a> Components<'a> {
    fn of(reference: AnyRef<'a>) -> Self {
        let authority = reference.authority().map(|authority| {
            if authority.is_registry_based() {
                return Authority {
                    userinfo: None,
                    host: authority.as_str(),
                    port: None,
                };
            }
            Authority {
                userinfo: authority.userinfo().map(|text| text.as_str()),
                host: authority.host().as_str(),
                port: authority.port(),
            }
        });
        Self {
            scheme: reference.scheme(),
            authority,
            path: reference.path().as_str(),
            params: reference.params().map(|text| text.as_str()),
            query: reference.query().map(|text| text.as_str()),
            fragment: reference.fragment().map(|text| text.as_str()),
        }
    }

    /// Splits a string with the regular expression of RFC 3986, Appendix B, even if the string is
    /// not a valid reference.
    fn split(text: &'a str) -> Self {
        let parts = parse::Parts::of(text.as_bytes());
        let slice = |range: Range<usize>| text.get(range).unwrap_or_default();
        let authority = parts.authority.map(slice).map(|authority| {
            let (userinfo, hostport) = match authority.rsplit_once('@') {
                Some((userinfo, hostport)) => (Some(userinfo), hostport),
                None => (None, authority),
            };
            let (host, port) = match hostport.rsplit_once(':') {
                Some((host, port)) if !port.contains(']') => (host, Some(port)),
                _ => (hostport, None),
            };
            Authority {
                userinfo,
                host,
                port,
            }
        });
        Self {
            scheme: parts.scheme.map(slice),
            authority,
            path: slice(parts.path),
            params: None,
            query: parts.query.map(slice),
            fragment: parts.fragment.map(slice),
        }
    }
}

/// Splits text at the first delimiter, if any.
fn halves(text: &str, delimiter: char) -> (&str, Option<&str>) {
    match text.split_once(delimiter) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

impl Canonicalizer {
    /// Creates a canonicalizer that applies these steps.
    pub fn new(steps: Steps) -> Self {
        Self {
            steps,
            pairs: Vec::new(),
        }
    }

    /// Returns the steps.
    pub const fn steps(&self) -> Steps {
        self.steps
    }

    /// Applies the steps to a reference and appends the result. Everything else is copied as
    /// written.
    pub fn write(&mut self, reference: AnyRef<'_>, out: &mut String) {
        match self.unwrapped(reference.as_str()) {
            Some(target) => self.write_parts(&Components::split(&target), out),
            None => self.write_parts(&Components::of(reference), out),
        }
    }

    /// Applies the steps to text and appends the result, even if no standard accepts the text.
    ///
    /// The text is split with the regular expression of RFC 3986, Appendix B. Use this for URLs
    /// that only browsers accept.
    ///
    /// ```
    /// use urikit_keys::{Canonicalizer, Step, Steps};
    /// let mut out = String::new();
    /// let steps = Steps::NONE.with(Step::StripTracking);
    /// Canonicalizer::new(steps).write_split("http://a/|?gclid=1&q={x}", &mut out);
    /// assert_eq!(out, "http://a/|?q={x}");
    /// ```
    pub fn write_split(&mut self, text: &str, out: &mut String) {
        let target = self.unwrapped(text);
        self.write_parts(&Components::split(target.as_deref().unwrap_or(text)), out);
    }

    /// Returns the target of a redirector if [`Step::Unwrap`] is one of the steps.
    fn unwrapped(&self, text: &str) -> Option<String> {
        let is_wanted = self.steps.contains(Step::Unwrap);
        is_wanted.then(|| unwrap_redirect(text)).flatten()
    }

    fn write_parts(&mut self, parts: &Components<'_>, out: &mut String) {
        let steps = self.steps;
        if let Some(scheme) = parts.scheme {
            out.push_str(scheme);
            out.push(':');
        }
        if let Some(authority) = &parts.authority {
            out.push_str("//");
            let userinfo = authority.userinfo;
            if let Some(userinfo) = userinfo.filter(|_| !steps.contains(Step::DropUserinfo)) {
                out.push_str(userinfo);
                out.push('@');
            }
            write_host(steps, authority.host, out);
            if let Some(port) = authority.port {
                out.push(':');
                out.push_str(port);
            }
        }
        write_path(steps, parts.path, out);
        if let Some(params) = parts.params {
            out.push(';');
            out.push_str(params);
        }
        if let Some(query) = parts.query {
            self.write_query(query, out);
        }
        let fragment = parts.fragment;
        if let Some(fragment) = fragment.filter(|_| !steps.contains(Step::DropFragment)) {
            out.push('#');
            out.push_str(fragment);
        }
    }

    fn write_query(&mut self, query: &str, out: &mut String) {
        let steps = self.steps;
        let removes = [
            Step::StripSessionIds,
            Step::StripTracking,
            Step::DropBlankValues,
        ];
        let sorts = steps.contains(Step::SortQuery);
        self.pairs.clear();
        if !query.is_empty() && !sorts && !removes.iter().any(|step| steps.contains(*step)) {
            self.pairs.push((0, query.len()));
        } else if !query.is_empty() {
            let mut start = 0;
            for pair in query.split('&') {
                let end = start + pair.len();
                if !is_removed(steps, pair) {
                    self.pairs.push((start, end));
                }
                start = end + 1;
            }
        }
        let pair = |place: (usize, usize)| query.get(place.0..place.1).unwrap_or_default();
        if sorts {
            // Pairs with equal keys are identical text, so an unstable sort is enough.
            let key = |place| halves(pair(place), '=');
            self.pairs
                .sort_unstable_by(|one, other| key(*one).cmp(&key(*other)));
        }
        // If all pairs were removed, the `?` is removed too. A query that was already empty is
        // kept.
        let had_none = query.is_empty() && !steps.contains(Step::DropEmptyQuery);
        if self.pairs.is_empty() && !had_none {
            return;
        }
        out.push('?');
        for (number, place) in self.pairs.iter().enumerate() {
            if number > 0 {
                out.push('&');
            }
            out.push_str(pair(*place));
        }
    }
}

fn is_removed(steps: Steps, pair: &str) -> bool {
    let (name, value) = halves(pair, '=');
    steps.contains(Step::DropBlankValues) && value.is_none_or(str::is_empty)
        || steps.contains(Step::StripTracking) && TRACKING.contains(name)
        || steps.contains(Step::StripSessionIds) && SESSIONS.contains(name)
}

fn write_host(steps: Steps, host: &str, out: &mut String) {
    const WWW: usize = "www.".len();
    let start = out.len();
    if steps.contains(Step::TrimHostDots) {
        for label in host.split('.').filter(|label| !label.is_empty()) {
            if out.len() > start {
                out.push('.');
            }
            out.push_str(label);
        }
    } else {
        out.push_str(host);
    }
    let written = out.get(start..).unwrap_or_default();
    let first = written.get(..WWW);
    let is_www = first.is_some_and(|label| label.eq_ignore_ascii_case("www."));
    let rest = written.get(WWW..).unwrap_or_default();
    if is_www && steps.contains(Step::StripWww) && rest.trim_matches('.').contains('.') {
        out.drain(start..start + WWW);
    }
}

fn write_path(steps: Steps, path: &str, out: &mut String) {
    let start = out.len();
    if steps.contains(Step::StripSessionIds) && path.contains(';') {
        for (number, segment) in path.split('/').enumerate() {
            if number > 0 {
                out.push('/');
            }
            let mut pieces = segment.split(';');
            out.push_str(pieces.next().unwrap_or_default());
            for parameter in pieces.filter(|it| !SESSIONS.contains(halves(it, '=').0)) {
                out.push(';');
                out.push_str(parameter);
            }
        }
    } else {
        out.push_str(path);
    }
    let has_runs = |out: &String| out.get(start..).is_some_and(|path| path.contains("//"));
    if steps.contains(Step::CollapseSlashes) && has_runs(out) {
        let path = out.split_off(start);
        let mut previous = None;
        for c in path.chars() {
            if c != '/' || previous != Some('/') {
                out.push(c);
            }
            previous = Some(c);
        }
    }
    let written = out.get(start..).unwrap_or_default();
    if steps.contains(Step::DropTrailingSlash)
        && written.len() > 1
        && written.starts_with('/')
        && written.ends_with('/')
    {
        out.pop();
    }
}

/// A table of parameter names, in which a `*` at the end matches anything.
struct Table {
    names: Vec<&'static str>,
    any_case: bool,
}

static TRACKING: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_str!("tracking.tsv"), false));

static SESSIONS: LazyLock<Table> = LazyLock::new(|| Table::new(include_str!("sessions.tsv"), true));

impl Table {
    /// Reads a table. Each line is a comment, or consists of a name, a tab and the source of the
    /// name.
    fn new(text: &'static str, any_case: bool) -> Self {
        let rows = text.lines().filter(|line| !line.starts_with('#'));
        let names = rows.filter_map(|row| Some(row.split_once('\t')?.0));
        Self {
            names: names.collect(),
            any_case,
        }
    }

    /// Decodes a name and returns whether the table contains it.
    fn contains(&self, name: &str) -> bool {
        // All names in the tables are shorter than this buffer.
        let mut buffer = [0; 64];
        let name = if name.contains('%') {
            decode(name, &mut buffer)
        } else {
            name.as_bytes()
        };
        self.names
            .iter()
            .any(|pattern| match pattern.strip_suffix('*') {
                Some(start) => name
                    .get(..start.len())
                    .is_some_and(|begin| self.is_same(begin, start)),
                None => self.is_same(name, pattern),
            })
    }

    fn is_same(&self, name: &[u8], pattern: &str) -> bool {
        if self.any_case {
            name.eq_ignore_ascii_case(pattern.as_bytes())
        } else {
            name == pattern.as_bytes()
        }
    }
}

/// Decodes a name into a buffer, and drops octets that do not fit.
fn decode<'a>(name: &str, buffer: &'a mut [u8; 64]) -> &'a [u8] {
    let mut length = 0;
    for (place, octet) in buffer.iter_mut().zip(octets(name.as_bytes())) {
        *place = octet.value;
        length += 1;
    }
    buffer.get(..length).unwrap_or_default()
}

/// Returns the names of query parameters whose only purpose is to track people. A `*` at the end of
/// a name matches anything. The project's table cites a source for each name.
///
/// ```
/// assert!(urikit_keys::tracking_parameters().any(|name| name == "utm_*"));
/// ```
pub fn tracking_parameters() -> impl Iterator<Item = &'static str> {
    TRACKING.names.iter().copied()
}

/// Returns the names of parameters that contain session identifiers. The names match regardless of
/// case, and a `*` at the end of a name matches anything. The project's table cites a source for
/// each name.
///
/// ```
/// assert!(urikit_keys::session_parameters().any(|name| name == "jsessionid"));
/// ```
pub fn session_parameters() -> impl Iterator<Item = &'static str> {
    SESSIONS.names.iter().copied()
}
