//! Steps, applied.

use super::table::{SESSIONS, TRACKING};
use super::{Step, Steps};
use urikit::AnyRef;

/// Applies steps, and keeps its memory from one reference to the next.
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
    /// Where the pairs that are kept begin and end in the query.
    pairs: Vec<(usize, usize)>,
}

/// The parts of a reference, as written.
struct Parts<'a> {
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

impl<'a> Parts<'a> {
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

    /// By the regular expression of RFC 3986, Appendix B.
    fn split(text: &'a str) -> Self {
        let (text, fragment) = halves(text, '#');
        let (text, query) = halves(text, '?');
        let (scheme, rest) = match text.split_once(':') {
            Some((scheme, rest)) if !scheme.is_empty() && !scheme.contains('/') => {
                (Some(scheme), rest)
            }
            _ => (None, text),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                let (authority, path) = rest.split_at(end);
                (Some(authority), path)
            }
            None => (None, rest),
        };
        let authority = authority.map(|authority| {
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
            scheme,
            authority,
            path,
            params: None,
            query,
            fragment,
        }
    }
}

/// The text before a delimiter, and what follows it if it is there.
fn halves(text: &str, delimiter: char) -> (&str, Option<&str>) {
    match text.split_once(delimiter) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

impl Canonicalizer {
    /// One that applies these steps.
    pub fn new(steps: Steps) -> Self {
        Self {
            steps,
            pairs: Vec::new(),
        }
    }

    /// The steps.
    pub const fn steps(&self) -> Steps {
        self.steps
    }

    /// Appends a reference after the steps. What no step changes is as written.
    pub fn write(&mut self, reference: AnyRef<'_>, out: &mut String) {
        self.write_parts(&Parts::of(reference), out);
    }

    /// As [`write`](Self::write), for a text that is no reference of a standard, such as a URL that a
    /// browser accepts: it is split by the regular expression of RFC 3986, Appendix B.
    ///
    /// ```
    /// use urikit_keys::{Canonicalizer, Step, Steps};
    /// let mut out = String::new();
    /// let steps = Steps::NONE.with(Step::StripTracking);
    /// Canonicalizer::new(steps).write_split("http://a/|?gclid=1&q={x}", &mut out);
    /// assert_eq!(out, "http://a/|?q={x}");
    /// ```
    pub fn write_split(&mut self, text: &str, out: &mut String) {
        self.write_parts(&Parts::split(text), out);
    }

    fn write_parts(&mut self, parts: &Parts<'_>, out: &mut String) {
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
            // What is equal is the same text.
            let key = |place| halves(pair(place), '=');
            self.pairs
                .sort_unstable_by(|one, other| key(*one).cmp(&key(*other)));
        }
        // A query that loses all its pairs is gone; one that had none is kept.
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
