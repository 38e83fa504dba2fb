//! RFC 1630, Partial (relative) form, rule by rule, on the text and its elements.

use urikit::op::{Options, SlashRule};
use urikit::{AnyRef, Standard};

/// The full form; `None` for an error.
pub(super) fn resolve(
    context: AnyRef<'_>,
    partial: AnyRef<'_>,
    options: Options,
) -> Option<String> {
    let full = expand(context, partial.as_str(), options.slash_rule)?;
    // A production of the context's scheme may not take it.
    Standard::Rfc1630.parse(&full).ok()?;
    Some(full)
}

fn expand(context: AnyRef<'_>, partial: &str, rule: SlashRule) -> Option<String> {
    // "the latter must have a colon and that colon must occur before any slash characters"
    if let Some(colon) = partial.find(':')
        && !partial[..colon].contains('/')
    {
        return Some(partial.to_owned());
    }
    let fragment_at = partial.find('#').unwrap_or(partial.len());
    let (partial, fragment) = partial.split_at(fragment_at);
    let search_at = partial.find('?').unwrap_or(partial.len());
    let (partial, search) = partial.split_at(search_at);

    let whole = context.as_str();
    let after = |part: Option<usize>| part.map_or(0, |length| length + 1);
    let context_fragment = after(context.fragment().map(|f| f.as_str().len()));
    let object = &whole[..whole.len() - context_fragment];
    if partial.is_empty() && search.is_empty() {
        // "the URL refers to the whole object"
        return Some(format!("{object}{fragment}"));
    }
    let context_search = after(context.query().map(|q| q.as_str().len()));
    let object = &object[..object.len() - context_search];

    let slashes = partial.chars().take_while(|c| *c == '/').count();
    let expanded = if slashes > 0 {
        format!("{}{partial}", &object[..first_run(object, slashes, rule)?])
    } else {
        let (before, path) = object.split_at(path_of(object));
        let has_host = before.contains("//");
        let kept = match path.rfind('/') {
            Some(slash) => &path[..=slash],
            None if has_host => "/",
            None => "",
        };
        let path = without_dots(&format!("{kept}{partial}"));
        if !has_host && path.starts_with("//") {
            return None; // would be read as a host
        }
        format!("{before}{path}")
    };
    Some(format!("{expanded}{search}{fragment}"))
}

/// Where "the first occurrence of exactly the same number of consecutive slashes" begins; by the
/// words of the text it also "has no greater number of consecutive slashes anywhere to the right".
fn first_run(context: &str, slashes: usize, rule: SlashRule) -> Option<usize> {
    let run_at = |at: usize| context[at..].chars().take_while(|c| *c == '/').count();
    let runs: Vec<(usize, usize)> = (0..context.len())
        .filter(|at| !context[..*at].ends_with('/'))
        .map(|at| (at, run_at(at)))
        .filter(|(_, length)| *length > 0)
        .collect();
    let is_it = |number: usize| {
        let greater_to_the_right = runs[number + 1..].iter().any(|run| run.1 > slashes);
        runs[number].1 == slashes && !(rule == SlashRule::Text && greater_to_the_right)
    };
    let first = (0..runs.len()).find(|number| is_it(*number))?;
    Some(runs[first].0)
}

/// Where the path begins: after the scheme, and after the host where two slashes follow.
fn path_of(context: &str) -> usize {
    let scheme = context.find(':').unwrap() + 1;
    if !context[scheme..].starts_with("//") {
        return scheme;
    }
    let host = scheme + 2;
    context[host..]
        .find('/')
        .map_or(context.len(), |slash| host + slash)
}

/// "All occurrences of `xxx/../` or `/.` are recursively removed": each time the one that ends first;
/// `xxx` is no `..`. No element is before a path's first slash.
fn without_dots(path: &str) -> String {
    let mut elements: Vec<&str> = path.split('/').collect();
    let first = usize::from(path.starts_with('/'));
    loop {
        let is_dot = |at: usize| at > 0 && elements[at] == ".";
        let is_pair = |at: usize| {
            let (has_xxx, has_slash) = (at > first, at + 1 < elements.len());
            has_xxx && has_slash && elements[at] == ".." && elements[at - 1] != ".."
        };
        let Some(at) = (0..elements.len()).find(|at| is_dot(*at) || is_pair(*at)) else {
            return elements.join("/");
        };
        let begin = if is_dot(at) { at } else { at - 1 };
        elements.drain(begin..=at);
    }
}
